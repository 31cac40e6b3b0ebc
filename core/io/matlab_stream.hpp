// The bytes of a MATLAB 5 file, one after the other: a source, or a compressed variable inside it; and stretches of
// them, out of which nothing that they hold can reach.
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
  // All of them, or MatlabMisfit.
  void take(void* to, std::size_t n);
  void skip(std::uint64_t n);
  std::uint64_t position() const { return position_; }

 protected:
  explicit ByteStream(std::uint64_t position) : position_(position), buffer_(std::size_t{64} << 10) {}

 private:
  // Some bytes, at most n; 0 at the end.
  virtual std::size_t fill(char* to, std::size_t n) = 0;

  std::uint64_t position_;
  std::vector<char> buffer_;
  std::size_t at_ = 0, end_ = 0;
};

// Moves `progress` and looks whether the job was cancelled, block by block.
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

// What `n` bytes of `packed` (zlib) unpack to.
class InflatedStream final : public ByteStream {
 public:
  InflatedStream(ByteStream& packed, std::uint64_t n);
  ~InflatedStream() override { inflateEnd(&z_); }
  // Refuses anything but a few zeros behind what was taken, and data without their end and their checksum.
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
  // The element of this tag as a stretch; then padding().
  Stretch part(const MatlabTag& tag);
  void padding(const MatlabTag& tag);
  // Refuses anything but zeros.
  void end();

 private:
  ByteStream* in_;
  std::uint64_t left_;
  bool swapped_;
};

}  // namespace warpspy
