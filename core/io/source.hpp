// Where the bytes of a matrix come from: a plain file, a compressed one, or a member of an archive.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

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
  // The file that holds just these bytes, for libraries that open files themselves; empty when there is none.
  virtual std::string plain_path() const { return {}; }
  // For messages: the path, or "path(member)".
  const std::string& label() const { return label_; }

 protected:
  std::string label_;
};

// A source whose first bytes can be looked at before it is read.
class Peeked final : public Source {
 public:
  Peeked(Source& source, std::size_t most);
  std::string_view head() const { return head_; }
  std::size_t read(char* to, std::size_t most) override;
  double fraction() const override { return source_.fraction(); }
  std::string plain_path() const override { return source_.plain_path(); }

 private:
  Source& source_;
  std::string head_;
  std::size_t at_ = 0;
};

// Opens `path`, recognised by content: gzip, bzip2, xz, zstd; a zip or tar archive (compressed or not), of which the
// main matrix is read. A zip archive of NumPy arrays is a format of its own and left as it is. Throws Error.
std::unique_ptr<Source> open_source(const std::string& path);

// archive.cpp: the same for a file that is compressed or an archive.
std::unique_ptr<Source> open_archive(const std::string& path);

// "dir/west0479.mtx.gz" -> "west0479".
std::string stem_of(const std::string& path);
// ".gz" and its like, ".zip", ".tar" and its like: what stands behind or instead of a format's own extension.
std::span<const std::string_view> packed_extensions();

}  // namespace warpspy
