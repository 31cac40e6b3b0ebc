// The frames of which the conversation with an engine is made (README.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpspy::wire {

// Changes with every change of a frame or of what is in one. Both ends have the same, or part at once.
constexpr std::uint16_t protocol = 4;

enum class Kind : std::uint16_t {
  // The engine's first frame. Number and place of its first text (the program's version) hold for every protocol.
  hello,
  // From the window. Calls are answered one after another.
  run,
  trace_entries,
  trace_warp,
  saved_roofs,
  measure_roofs,
  run_in_turn,
  bench_machine,
  cancel,  // the call of this number
  matrix,  // what was asked for by need_matrix: sizes; its arrays follow as parts
  part,
  ping,
  // From the engine: of a call.
  begun,
  need_matrix,
  progress,
  timed,
  reply,
  failed,
  cancelled,
  // Of no call.
  pong,
  lost,     // a device
  refused,  // the conversation ends: why
};
constexpr int kinds = static_cast<int>(Kind::refused) + 1;

struct Frame {
  Kind kind = Kind::hello;
  std::uint64_t call = 0;  // which one it belongs to; 0: none
  std::string body;
  std::uint16_t version = protocol;
};

constexpr std::size_t header_bytes = 20;
// The longest body: of answers, which traces may be, and of what else there is.
constexpr std::size_t most_body = std::size_t{1} << 30, most_of_others = std::size_t{16} << 20;
constexpr std::size_t most_body_of(Kind kind) { return kind == Kind::reply ? most_body : most_of_others; }
std::string header_of(Kind kind, std::uint64_t call, std::size_t body_bytes);
std::string bytes_of(const Frame& frame);

// Finds the frames in what arrives, in pieces of any size.
class FrameReader {
 public:
  void add(std::string_view bytes);
  // The next whole frame. What stands before the first one (the greeting of a shell) is skipped; behind it nothing else
  // than frames may come. Throws Error for what is none, for a frame of another protocol that is no hello, and for one
  // that is announced longer than its kind may be or than memory is there.
  std::optional<Frame> next();
  // What was skipped, its end where it was long.
  const std::string& skipped() const { return skipped_; }

 private:
  bool skip();   // to the first frame
  bool begin();  // the frame whose header has come

  std::string buffer_, skipped_;
  std::optional<Frame> coming_;  // its header has come, its body not all
  std::size_t size_ = 0;         // of that body
  std::size_t at_ = 0, skipped_bytes_ = 0;
  bool begun_ = false;
};
constexpr std::size_t most_greeting = std::size_t{64} << 10;

}  // namespace warpspy::wire
