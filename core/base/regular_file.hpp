// The only way to read a file that a user names. The file must be regular, and not larger than its reader allows.
// Otherwise the name could be a pipe into which nobody writes, a device that never ends, or a file larger than the
// memory. (Matrices may come through a pipe: core/io/source.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpspy {

// Words for the error when the file cannot be read.
struct FileWords {
  std::string_view what = "file";  // "the file cannot be read"
  std::string_view remedy = "check its name and permissions";
};

class RegularFile {
 public:
  // Throws Error if the file cannot be opened or is not regular.
  explicit RegularFile(const std::string& path, const FileWords& words = {});
  // Takes a file that is open already and does not block; the destructor closes it.
  RegularFile(int fd, std::string path, const FileWords& words);
  // Opens the file as the first constructor does; returns nothing if no such file exists.
  static std::optional<RegularFile> if_there(const std::string& path, const FileWords& words = {});
  ~RegularFile();
  RegularFile(RegularFile&& other) noexcept;
  RegularFile(const RegularFile&) = delete;
  RegularFile& operator=(const RegularFile&) = delete;
  RegularFile& operator=(RegularFile&&) = delete;

  // Fills `to` with up to n bytes; fewer only at the end. Throws Error.
  std::size_t read(char* to, std::size_t n);
  // Returns the rest of the file. Throws Error if that has more than `most` bytes.
  std::string whole(std::uint64_t most);
  std::uint64_t bytes() const { return bytes_; }  // size in the file system; 0 for files of /proc
  int descriptor() const { return fd_; }

 private:
  [[noreturn]] void refuse(const std::string& why) const;
  int fd_ = -1;
  std::string path_;
  FileWords words_;
  std::uint64_t bytes_ = 0;
};

// Reads a whole file of at most `most` bytes. Throws Error.
std::string read_file(const std::string& path, std::uint64_t most, const FileWords& words = {});
// Reads a whole file; returns nothing if no such file exists.
std::optional<std::string> read_file_if_there(const std::string& path, std::uint64_t most, const FileWords& words = {});

}  // namespace warpspy
