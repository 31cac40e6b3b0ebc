#include "core/io/matlab_stream.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "core/io/matlab_columns.hpp"

namespace warpspy {

std::size_t ByteStream::read(char* to, std::size_t n) {
  std::size_t got = 0;
  while (got < n) {
    if (at_ == end_) {
      at_ = 0;
      end_ = fill(buffer_.data(), buffer_.size());
      if (end_ == 0) break;
    }
    const std::size_t some = std::min(n - got, end_ - at_);
    std::memcpy(to + got, buffer_.data() + at_, some);
    at_ += some;
    got += some;
  }
  position_ += got;
  return got;
}

void ByteStream::take(void* to, std::size_t n) { require_fit(read(static_cast<char*>(to), n) == n, "it is cut short"); }

void ByteStream::skip(std::uint64_t n) {
  char block[4096];
  for (; n > 0; n -= std::min<std::uint64_t>(n, sizeof block)) take(block, std::min<std::uint64_t>(n, sizeof block));
}

std::size_t SourceStream::fill(char* to, std::size_t n) {
  progress_.check();
  progress_.set(source_.fraction());
  return source_.read(to, n);
}

InflatedStream::InflatedStream(ByteStream& packed, std::uint64_t n)
    : ByteStream(0), packed_(packed), left_(n), input_(std::size_t{64} << 10) {
  if (inflateInit(&z_) != Z_OK) throw std::bad_alloc();
}

std::size_t InflatedStream::fill(char* to, std::size_t n) {
  z_.next_out = reinterpret_cast<Bytef*>(to);
  z_.avail_out = static_cast<uInt>(n);
  while (!ended_ && z_.avail_out == n) {
    if (z_.avail_in == 0 && left_ > 0) {
      const auto some = static_cast<std::size_t>(std::min<std::uint64_t>(left_, input_.size()));
      packed_.take(input_.data(), some);
      left_ -= some;
      z_.next_in = reinterpret_cast<Bytef*>(input_.data());
      z_.avail_in = static_cast<uInt>(some);
    }
    const int status = inflate(&z_, Z_NO_FLUSH);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    require_fit(status == Z_OK || status == Z_STREAM_END, "its compressed data are damaged or cut short");
    ended_ = status == Z_STREAM_END;
  }
  return n - z_.avail_out;
}

void InflatedStream::end() {
  // Eight at most: elements are padded to eight bytes.
  char more[8] = {};
  const std::size_t n = read(more, sizeof more);
  require_fit(
      n < sizeof more && std::all_of(more, more + n, [](char c) { return c == 0; }), "it unpacks to more than it says");
  require_fit(ended_ && z_.avail_in == 0 && left_ == 0, "there are bytes behind its compressed data");
}

void Stretch::take(void* to, std::size_t n) {
  require_fit(n <= left_, "its parts do not fit into it");
  in_->take(to, n);
  left_ -= n;
}

void Stretch::skip(std::uint64_t n) {
  require_fit(n <= left_, "its parts do not fit into it");
  in_->skip(n);
  left_ -= n;
}

MatlabTag Stretch::tag() {
  std::uint32_t words[2];
  take(words, sizeof words);
  MatlabTag t;
  std::memcpy(t.data, &words[1], sizeof t.data);
  if (swapped_)
    for (auto& w : words) w = __builtin_bswap32(w);
  t.small = words[0] >> 16 != 0;
  t.type = t.small ? words[0] & 0xffff : words[0];
  t.bytes = t.small ? words[0] >> 16 : words[1];
  require_fit(t.small ? t.bytes <= sizeof t.data : t.bytes <= left_, "its parts do not fit into it");
  return t;
}

Stretch Stretch::part(const MatlabTag& tag) {
  require_fit(!tag.small && tag.bytes <= left_, "its parts do not fit into it");
  left_ -= tag.bytes;
  return {*in_, tag.bytes, swapped_};
}

void Stretch::padding(const MatlabTag& tag) {
  if (!tag.small) skip(std::min<std::uint64_t>(left_, (8 - tag.bytes % 8) % 8));
}

void Stretch::end() {
  char block[64];
  while (left_ > 0) {
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(left_, sizeof block));
    take(block, n);
    require_fit(std::all_of(block, block + n, [](char c) { return c == 0; }), "there are bytes behind its parts");
  }
}

}  // namespace warpspy
