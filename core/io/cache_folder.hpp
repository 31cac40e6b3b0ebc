// Manages the folder of the cache: names of copies, room for them, and writing a new copy. Only cache.cpp uses it.
#pragma once

#include <cstdint>
#include <string>

namespace warpspy {

// The path of a file's copy; `path` is absolute.
std::string copy_path(const std::string& path);

// A new copy is written under a name of its own, and at the end replaces the old copy. If the end is not reached, it is
// removed.
class NewCopy {
 public:
  // Removes the copies used longest ago until there is room. Throws Error.
  NewCopy(const std::string& path, std::uint64_t bytes);
  ~NewCopy();
  NewCopy(const NewCopy&) = delete;
  NewCopy& operator=(const NewCopy&) = delete;
  int fd() const { return fd_; }
  void commit(std::uint64_t bytes);

 private:
  std::string target_, part_;
  int fd_ = -1;
};

}  // namespace warpspy
