// The frames (messages) of the protocol between a window and its engine (README.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpspy::wire {

// This number changes with every change of a frame or its contents. If both ends have different numbers, the connection
// ends at once.
constexpr std::uint16_t protocol = 5;

enum class Kind : std::uint16_t {
  // The engine's first frame. Number and place of its first text (the program's version) hold for every protocol.
  hello,
  // Sent by the window. Calls are answered one after another.
  run,
  trace_entries,
  trace_warp,
  saved_roofs,
  measure_roofs,
  run_in_turn,
  bench_machine,
  cancel,  // cancels the call with this number
  matrix,  // the answer to need_matrix: sizes; the arrays follow as parts
  part,
  ping,
  // Sent by the engine during a call.
  begun,
  need_matrix,
  progress,
  timed,
  reply,
  failed,
  cancelled,
  // Frames that belong to no call.
  pong,
  lost,     // a device
  refused,  // why the engine ends the connection
};
constexpr int kinds = static_cast<int>(Kind::refused) + 1;

struct Frame {
  Kind kind = Kind::hello;
  std::uint64_t call = 0;  // the call to which it belongs; 0: none
  std::string body;
  std::uint16_t version = protocol;
};

constexpr std::size_t header_bytes = 20;
// The most bytes of an answer's body, which may be a trace, and of the body of any other frame.
constexpr std::size_t most_body = std::size_t{1} << 30, most_of_others = std::size_t{16} << 20;
constexpr std::size_t most_body_of(Kind kind) { return kind == Kind::reply ? most_body : most_of_others; }
std::string header_of(Kind kind, std::uint64_t call, std::size_t body_bytes);
std::string bytes_of(const Frame& frame);

// Finds the frames in the bytes that arrive; these come in pieces of any size.
class FrameReader {
 public:
  void add(std::string_view bytes);
  // The next complete frame. Bytes before the first frame (the greeting of a shell) are skipped; after it only frames
  // may come. Throws Error for anything else, for a frame of another protocol that is no hello, and for a frame that is
  // too long for its kind or for the memory.
  std::optional<Frame> next();
  // The skipped text, or its end if it was long.
  const std::string& skipped() const { return skipped_; }

 private:
  bool skip();   // skips to the first frame
  bool begin();  // begins the frame whose header has arrived

  std::string buffer_, skipped_;
  std::optional<Frame> coming_;  // a frame whose header has arrived, but not all of its body
  std::size_t size_ = 0;         // of that body
  std::size_t at_ = 0, skipped_bytes_ = 0;
  bool begun_ = false;
};
constexpr std::size_t most_greeting = std::size_t{64} << 10;

}  // namespace warpspy::wire
