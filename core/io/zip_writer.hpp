// A zip archive, member by member. Without times: the same members are the same file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "core/base/target.hpp"

struct archive;

namespace warpspy {

// Written beside `path` and renamed at the end. All throw Error; what is not committed leaves the old file alone.
class ZipWriter {
 public:
  // `compress`: deflated, else stored.
  ZipWriter(const std::string& path, bool compress);
  // A member of so many bytes, which put() brings.
  void begin(const std::string& name, std::uint64_t bytes);
  void put(const char* from, std::size_t bytes);
  void commit();

 private:
  void check(int status);
  struct Free {
    void operator()(archive* a) const;
  };
  std::string path_;
  Target target_;
  std::unique_ptr<archive, Free> archive_;
};

}  // namespace warpspy
