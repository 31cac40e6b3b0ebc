// The folder of the copies: names, room, and a new copy on its way in. For cache.cpp.
#pragma once

#include <cstdint>
#include <string>

namespace warpspy {

// Where the copy of a file stands; `path` absolute.
std::string copy_path(const std::string& path);

// A file of its own name beside the copies, renamed over the old copy at the end; removed when that does not come.
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
