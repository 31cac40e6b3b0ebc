// The one way to read a file that somebody names: regular, and no larger than its reader can want. A name may lead to a
// pipe into which nobody writes, to a device that never ends, or to what is larger than the memory; none of them is
// waited for. (Matrices may come through a pipe: core/io/source.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpspy {

// What is said of it when it cannot be read.
struct FileWords {
  std::string_view what = "file";  // "the file cannot be read"
  std::string_view remedy = "check its name and permissions";
};

class RegularFile {
 public:
  // Throws Error where it cannot be opened or is no regular file.
  explicit RegularFile(const std::string& path, const FileWords& words = {});
  // One that is open already, without blocking; it is closed with this.
  RegularFile(int fd, std::string path, const FileWords& words);
  // As the first, but none where there is nothing of that name.
  static std::optional<RegularFile> if_there(const std::string& path, const FileWords& words = {});
  ~RegularFile();
  RegularFile(RegularFile&& other) noexcept;
  RegularFile(const RegularFile&) = delete;
  RegularFile& operator=(const RegularFile&) = delete;
  RegularFile& operator=(RegularFile&&) = delete;

  // Fills `to` with up to n bytes; fewer only at the end. Throws Error.
  std::size_t read(char* to, std::size_t n);
  // All that is left. Throws Error where that is more than `most` bytes.
  std::string whole(std::uint64_t most);
  std::uint64_t bytes() const { return bytes_; }  // as the folder says; files of /proc have more than none
  int descriptor() const { return fd_; }

 private:
  [[noreturn]] void refuse(const std::string& why) const;
  int fd_ = -1;
  std::string path_;
  FileWords words_;
  std::uint64_t bytes_ = 0;
};

// The whole of a file of at most `most` bytes. Throws Error.
std::string read_file(const std::string& path, std::uint64_t most, const FileWords& words = {});
// The same, but none where there is nothing of that name.
std::optional<std::string> read_file_if_there(const std::string& path, std::uint64_t most, const FileWords& words = {});

}  // namespace warpspy
