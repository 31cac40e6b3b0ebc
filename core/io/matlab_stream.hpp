// Reads the bytes of a MATLAB 5 file in order, from the file or from a compressed variable inside it. A `Stretch` is a
// range of these bytes; no element in it can be read beyond its end.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <vector>

#include "core/io/source.hpp"
#include "core/jobs/progress.hpp"

namespace warpspy {

class ByteStream {
 public:
  virtual ~ByteStream() = default;
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;

  // Fewer than n only at the end.
  std::size_t read(char* to, std::size_t n);
  // Reads exactly n bytes, or throws MatlabMisfit.
  void take(void* to, std::size_t n);
  void skip(std::uint64_t n);
  std::uint64_t position() const { return position_; }

 protected:
  explicit ByteStream(std::uint64_t position) : position_(position), buffer_(std::size_t{64} << 10) {}

 private:
  // Reads some bytes, at most n; returns 0 at the end.
  virtual std::size_t fill(char* to, std::size_t n) = 0;

  std::uint64_t position_;
  std::vector<char> buffer_;
  std::size_t at_ = 0, end_ = 0;
};

// After each block it moves `progress` and checks whether the job was cancelled.
class SourceStream final : public ByteStream {
 public:
  // `position`: bytes that were taken from the source before.
  SourceStream(Source& source, std::uint64_t position, Progress& progress)
      : ByteStream(position), source_(source), progress_(progress) {}

 private:
  std::size_t fill(char* to, std::size_t n) override;
  Source& source_;
  Progress& progress_;
};

// The bytes to which `n` bytes of `packed` (zlib) unpack.
class InflatedStream final : public ByteStream {
 public:
  InflatedStream(ByteStream& packed, std::uint64_t n);
  ~InflatedStream() override { inflateEnd(&z_); }
  // Checks the end: only a few zeros may follow, and the data must have their end and their check sum.
  void end();

 private:
  std::size_t fill(char* to, std::size_t n) override;
  ByteStream& packed_;
  std::uint64_t left_;
  std::vector<char> input_;
  z_stream z_ = {};
  bool ended_ = false;
};

// The type and the size of an element; data of up to four bytes stand in the tag itself.
struct MatlabTag {
  std::uint32_t type = 0, bytes = 0;
  bool small = false;
  char data[4] = {};
};

class Stretch {
 public:
  Stretch(ByteStream& in, std::uint64_t size, bool swapped) : in_(&in), left_(size), swapped_(swapped) {}

  std::uint64_t left() const { return left_; }
  bool swapped() const { return swapped_; }
  void take(void* to, std::size_t n);
  void skip(std::uint64_t n);
  // The next element's tag; the element fits into what is left.
  MatlabTag tag();
  // The data of this tag's element as a stretch. Call padding() after it was read.
  Stretch part(const MatlabTag& tag);
  void padding(const MatlabTag& tag);
  // Reads the rest of the stretch, and refuses anything but zeros.
  void end();

 private:
  ByteStream* in_;
  std::uint64_t left_;
  bool swapped_;
};

}  // namespace warpspy
