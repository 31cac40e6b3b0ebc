#include "core/io/text.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace warpspy {
namespace {

// No line of a matrix is longer than this. Otherwise a file without line ends would be read as a whole before it is
// refused.
constexpr std::size_t kLongestLine = std::size_t{16} << 20;
// Recognising the content needs so many bytes, however small the chunks are.
constexpr std::size_t kFirstLook = 4096;

// Counts line ends in bytes that the compiler vectorises. std::count takes twenty times as long, and one thread does
// this for the whole file.
index_t line_ends(std::string_view text) {
  constexpr std::size_t lanes = 64, most = 255 * lanes;  // a byte counts to 255
  index_t n = 0;
  for (; text.size() >= lanes; text.remove_prefix(std::min(most, text.size() / lanes * lanes))) {
    std::uint8_t in_lane[lanes] = {};
    for (std::size_t k = 0; k + lanes <= std::min(most, text.size()); k += lanes)
      for (std::size_t l = 0; l < lanes; ++l)
        in_lane[l] = static_cast<std::uint8_t>(in_lane[l] + (text[k + l] == '\n'));
    for (const auto c : in_lane) n += c;
  }
  return n + std::count(text.begin(), text.end(), '\n');
}

}  // namespace

TextStream::TextStream(Source& source, std::size_t chunk_bytes) : source_(source), chunk_bytes_(chunk_bytes) {
  fill();
  const bool lines_end_in_return =
      ahead().find('\n') == std::string_view::npos && ahead().find('\r') != std::string_view::npos;
  if (!lines_end_in_return) return;
  returns_to_newlines_ = true;
  std::replace(buffer_.begin(), buffer_.end(), '\r', '\n');
}

bool TextStream::fill() {
  if (drained_) return false;
  if (at_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + at_, end_ - at_);
    end_ -= at_;
    at_ = 0;
  }
  if (end_ > kLongestLine)
    throw Error("a line of more than 16 MB", source_.label() + ":" + std::to_string(lines_ + 1),
                "expected text with line ends");
  const std::size_t want = end_ == 0 && lines_ == 0 ? std::max(chunk_bytes_, kFirstLook) : chunk_bytes_;
  buffer_.resize(end_ + want);
  const std::size_t got = source_.read(buffer_.data() + end_, want);
  if (returns_to_newlines_) {
    const auto from = buffer_.begin() + static_cast<std::ptrdiff_t>(end_);
    std::replace(from, from + static_cast<std::ptrdiff_t>(got), '\r', '\n');
  }
  end_ += got;
  drained_ = got < want;
  return got > 0;
}

bool TextStream::line(std::string_view& text) {
  std::size_t seen = 0;
  for (;;) {
    const char* from = buffer_.data() + at_;
    const void* hit = end_ - at_ > seen ? std::memchr(from + seen, '\n', end_ - at_ - seen) : nullptr;
    if (!hit) {
      seen = end_ - at_;
      if (fill()) continue;
      if (seen == 0) return false;
      text = {buffer_.data() + at_, seen};
      at_ = end_;
      break;
    }
    const auto length = static_cast<std::size_t>(static_cast<const char*>(hit) - from);
    text = {from, length};
    at_ += length + 1;
    break;
  }
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  ++lines_;
  return true;
}

bool TextStream::chunk(std::vector<char>& text) {
  if (at_ == end_ && !fill()) return false;
  const void* last = ::memrchr(buffer_.data() + at_, '\n', end_ - at_);
  while (!last && fill()) last = ::memrchr(buffer_.data() + at_, '\n', end_ - at_);
  const std::size_t stop = last ? static_cast<std::size_t>(static_cast<const char*>(last) - buffer_.data()) + 1 : end_;
  // Hands over the buffer and keeps the partial line at its end: one copy per chunk.
  const std::vector<char> rest(buffer_.begin() + static_cast<std::ptrdiff_t>(stop),
                               buffer_.begin() + static_cast<std::ptrdiff_t>(end_));
  std::swap(text, buffer_);
  if (at_ > 0) text.erase(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at_));
  text.resize(stop - at_);
  if (!last) text.push_back('\n');
  if (buffer_.size() < rest.size()) buffer_.resize(rest.size());
  if (!rest.empty()) std::memcpy(buffer_.data(), rest.data(), rest.size());
  at_ = 0;
  end_ = rest.size();
  lines_ += line_ends({text.data(), text.size()});
  return true;
}

}  // namespace warpspy
