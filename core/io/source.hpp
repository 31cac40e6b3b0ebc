// Where the bytes of a matrix come from: a plain file, a compressed one, or a member of an archive.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace warpspy {

class Source {
 public:
  explicit Source(std::string label) : label_(std::move(label)) {}
  virtual ~Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  // Fills `to` with up to `most` bytes; fewer only at the end. Throws Error when the data cannot be read.
  virtual std::size_t read(char* to, std::size_t most) = 0;
  // Share of the file (as it lies on the disk) that has been read; 0 when its size is unknown.
  virtual double fraction() const = 0;
  // For messages: the path, or "path(member)".
  const std::string& label() const { return label_; }

 protected:
  std::string label_;
};

// Opens `path`, recognised by content: gzip, bzip2, xz, zstd; a tar archive (compressed or not) as the SuiteSparse
// collection ships them, of which the main matrix is read. Throws Error.
std::unique_ptr<Source> open_source(const std::string& path);

// archive.cpp: the same for a file that is compressed or an archive.
std::unique_ptr<Source> open_archive(const std::string& path);

// "dir/west0479.mtx.gz" -> "west0479".
std::string stem_of(const std::string& path);

}  // namespace warpspy
