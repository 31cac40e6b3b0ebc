// A folder that may come from a stranger. It is opened once, and its files are reached by plain names from its
// descriptor. So no link in it is followed, and a file is never written through a link: the file of that name is
// replaced.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpspy {

class Folder {
 public:
  // `path` itself may be a link: the caller chose it. Returns nothing if there is no folder, or it may not be read.
  static std::optional<Folder> at(const std::string& path);
  // Makes the folder, and its parents, if it does not exist. Throws Error.
  static Folder made(const std::string& path);
  // A folder inside this one; nothing if the name does not exist. Throws Error if something else has the name, such as
  // a link.
  std::optional<Folder> in(const std::string& name) const;
  Folder made_in(const std::string& name) const;  // throws Error

  Folder(Folder&& other) noexcept : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)) {}
  Folder& operator=(Folder&& other) noexcept;
  ~Folder();

  const std::string& path() const { return path_; }
  std::string path_of(const std::string& name) const { return path_ + "/" + name; }

  enum class Lies : std::uint8_t { nothing, file, folder, other };  // a link counts as other, whatever its target is
  Lies what(const std::string& name) const;
  std::vector<std::string> names() const;  // sorted

  static constexpr std::size_t kMostBytes = std::size_t{256} << 20;
  // Returns nothing if the name does not exist. Throws Error if it is no plain file, cannot be read, or is larger.
  std::optional<std::string> read(const std::string& name, std::size_t most = kMostBytes) const;
  // Writes the file completely or not at all, and replaces a file or a link of this name. If it throws Error, the old
  // file is unchanged.
  void write(const std::string& name, std::string_view bytes) const;
  // Removes a plain file; anything else of this name stays.
  void remove(const std::string& name) const;
  // The descriptor of a plain file without hard links, for reading and writing. The file is made if it does not exist.
  // Throws Error.
  int opened(const std::string& name) const;

 private:
  Folder(std::string path, int fd) : path_(std::move(path)), fd_(fd) {}
  [[noreturn]] void refuse(const std::string& name, int error) const;
  std::string path_;
  int fd_ = -1;
};

}  // namespace warpspy
