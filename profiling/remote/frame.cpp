#include "profiling/remote/frame.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/base/types.hpp"
#include "core/matrix/memory_guard.hpp"

namespace warpspy::wire {
namespace {

// The byte 0xF5 never occurs in UTF-8 text.
constexpr std::string_view magic{"\xF5wse", 4};

// The fields after the magic number: version, kind, call, bytes of the body.
template <class T>
void put(std::string& to, T value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  to.append(bytes, sizeof value);
}
template <class T>
T get(std::string_view header, std::size_t at) {
  T value;
  std::memcpy(&value, header.data() + at, sizeof value);
  return value;
}

}  // namespace

std::string header_of(Kind kind, std::uint64_t call, std::size_t body_bytes) {
  if (body_bytes > most_body_of(kind))
    throw Error("a message between window and engine is too long", {}, "ask for less");
  std::string header(magic);
  put(header, protocol);
  put(header, static_cast<std::uint16_t>(kind));
  put(header, call);
  put(header, static_cast<std::uint32_t>(body_bytes));
  return header;
}

std::string bytes_of(const Frame& frame) { return header_of(frame.kind, frame.call, frame.body.size()) + frame.body; }

void FrameReader::add(std::string_view bytes) {
  if (at_ == buffer_.size()) buffer_.clear(), at_ = 0;
  buffer_.append(bytes);
}

bool FrameReader::skip() {
  const std::size_t found = buffer_.find(magic, at_);
  // The magic number may be incomplete at the end of the buffer.
  const std::size_t end =
      found != std::string::npos ? found : std::max(at_, buffer_.size() - std::min(buffer_.size(), magic.size() - 1));
  skipped_.append(buffer_, at_, end - at_);
  skipped_bytes_ += end - at_;
  if (constexpr std::size_t kept = 2048; skipped_.size() > kept) skipped_.erase(0, skipped_.size() - kept);
  at_ = end;
  if (skipped_bytes_ > most_greeting) throw Error("what answers is no engine of Warpspy: it prints and prints");
  return found != std::string::npos;
}

bool FrameReader::begin() {
  if (!begun_ && !skip()) return false;
  begun_ = true;
  const std::string_view left = std::string_view(buffer_).substr(at_);
  if (left.substr(0, magic.size()) != magic.substr(0, left.size()))
    throw Error("something that is no message came from the other end", {},
                "nothing else than the engine may write to its standard output");
  if (left.size() < header_bytes) return false;
  const auto version = get<std::uint16_t>(left, 4);
  const auto kind = get<std::uint16_t>(left, 6);
  size_ = get<std::uint32_t>(left, 16);
  if (version != protocol && kind != 0)
    throw Error("the other end speaks protocol " + std::to_string(version) + ", this Warpspy speaks " +
                    std::to_string(protocol),
                {}, "install the same version at both ends");
  if (kind >= kinds || size_ > most_body_of(static_cast<Kind>(kind)))
    throw Error("a message from the other end is damaged");
  // Announced bytes may never come, so memory grows as they arrive.
  if (size_ > most_of_others)
    require_memory(static_cast<double>(size_), "a message from the other end", "ask for less");
  coming_ = Frame{static_cast<Kind>(kind), get<std::uint64_t>(left, 8), {}, version};
  at_ += header_bytes;
  return true;
}

std::optional<Frame> FrameReader::next() {
  if (!coming_ && !begin()) return {};
  const std::size_t some = std::min(size_ - coming_->body.size(), buffer_.size() - at_);
  coming_->body.append(buffer_, at_, some);
  at_ += some;
  // Frees bytes that were read before they accumulate.
  if (at_ > (std::size_t{4} << 20) || at_ == buffer_.size()) buffer_.erase(0, at_), at_ = 0;
  if (coming_->body.size() < size_) return {};
  return std::exchange(coming_, std::nullopt);
}

}  // namespace warpspy::wire
