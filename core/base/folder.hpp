// A folder that may be a stranger's, opened once. What is done in it goes by plain names from its descriptor, so that
// no link in it leads anywhere, and nothing is written through: what bears the name is replaced whole.
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
  // Where `path` itself leads is the caller's word. Nothing: there is no folder, or it may not be read.
  static std::optional<Folder> at(const std::string& path);
  // With its parents, where it is not there. Throws Error.
  static Folder made(const std::string& path);
  // A folder in this one. Nothing: no such name. Throws Error where something else has the name, such as a link.
  std::optional<Folder> in(const std::string& name) const;
  Folder made_in(const std::string& name) const;  // throws Error

  Folder(Folder&& other) noexcept : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)) {}
  Folder& operator=(Folder&& other) noexcept;
  ~Folder();

  const std::string& path() const { return path_; }
  std::string path_of(const std::string& name) const { return path_ + "/" + name; }

  enum class Lies : std::uint8_t { nothing, file, folder, other };  // a link is other, wherever it leads
  Lies what(const std::string& name) const;
  std::vector<std::string> names() const;  // sorted

  static constexpr std::size_t kMostBytes = std::size_t{256} << 20;
  // Nothing: no such name. Throws Error for what is no plain file, cannot be read, or is larger.
  std::optional<std::string> read(const std::string& name, std::size_t most = kMostBytes) const;
  // Whole or not there; another file, or a link, of this name gives way. Throws Error, and the old one is as it was.
  void write(const std::string& name, std::string_view bytes) const;
  // A plain file; another thing of this name stays.
  void remove(const std::string& name) const;
  // The descriptor of a plain file with one name, for reading and writing, made where it is not there. Throws Error.
  int opened(const std::string& name) const;

 private:
  Folder(std::string path, int fd) : path_(std::move(path)), fd_(fd) {}
  [[noreturn]] void refuse(const std::string& name, int error) const;
  std::string path_;
  int fd_ = -1;
};

}  // namespace warpspy
