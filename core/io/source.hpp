// Where the bytes of a matrix come from: a plain file, a compressed one, or a member of an archive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
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
  // Reads up to `most` bytes of what is left behind a matrix, so that check sums are looked at that stand there. Throws
  // Error when they do not agree. Nothing to do for a plain file.
  virtual void finish(std::uint64_t most) { static_cast<void>(most); }
  // A sentence for the user about how far the bytes can be trusted; mostly empty.
  virtual std::string remark() const { return {}; }
  // For messages: the path, or "path(member)".
  const std::string& label() const { return label_; }
  // The name whose extension tells what it may be: the path, or that of the member.
  virtual std::string name() const { return label_; }

 protected:
  // Reads and forgets.
  void skip(std::uint64_t most);
  std::string label_;
};

// A source whose first bytes can be looked at before it is read.
class Peeked final : public Source {
 public:
  Peeked(Source& source, std::size_t most);
  Peeked(std::unique_ptr<Source> source, std::size_t most);
  std::string_view head() const { return head_; }
  std::size_t read(char* to, std::size_t most) override;
  double fraction() const override { return source_.fraction(); }
  std::string plain_path() const override { return source_.plain_path(); }
  void finish(std::uint64_t most) override { source_.finish(most); }
  std::string remark() const override { return source_.remark(); }
  std::string name() const override { return source_.name(); }

 private:
  std::unique_ptr<Source> owned_;
  Source& source_;
  std::string head_;
  std::size_t at_ = 0;
};

// Opens `path`, recognised by content: gzip, bzip2, xz, zstd; a zip or tar archive (compressed or not), of which the
// main matrix is read. A zip archive of NumPy arrays is a format of its own and left as it is. Throws Error.
std::unique_ptr<Source> open_source(const std::string& path);

// unpack.cpp: what a compressed file holds, when its first bytes say that it is one; else the source itself comes back.
// Every check sum and length in it is looked at by the time its end has been read.
std::unique_ptr<Peeked> unpacked(std::unique_ptr<Peeked> source);

// archive.cpp: the main matrix of an archive of tar or zip, which `open` opens anew each time.
using OpenSource = std::function<std::unique_ptr<Source>()>;
bool looks_tar(std::string_view head);
bool looks_zip(std::string_view head);
std::unique_ptr<Source> open_tar(const OpenSource& open);
std::unique_ptr<Source> open_zip(const std::string& path);

// "dir/west0479.mtx.gz" -> "west0479".
std::string stem_of(const std::string& path);
// ".gz" and its like, ".zip", ".tar" and its like: what stands behind or instead of a format's own extension.
std::span<const std::string_view> packed_extensions();

}  // namespace warpspy
