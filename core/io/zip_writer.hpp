// Writes a zip archive, member by member. It has no times, so the same members always make the same file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "core/base/target.hpp"

struct archive;

namespace warpspy {

// The archive is written under another name and renamed by the commit. All functions throw Error; without a commit the
// old file stays.
class ZipWriter {
 public:
  // `compress`: deflated, else stored.
  ZipWriter(const std::string& path, bool compress);
  // Begins a member of so many bytes; put() writes them.
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
