// A conversation with one engine in another process: its frames, whether it still lives, and why not.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/base/types.hpp"
#include "core/jobs/child_process.hpp"
#include "core/jobs/progress.hpp"
#include "profiling/remote/frame.hpp"
#include "profiling/remote/messages.hpp"

namespace warpspy {

struct EngineProgram {
  std::string path;                // looked for as a shell does
  std::vector<std::string> words;  // its name and arguments
  std::string host;                // the machine that it is on; "": this one
};

// How long is waited, in seconds.
struct EnginePatience {
  double hello = 30;   // for the first answer
  double silent = 30;  // for any sign of life
  double hung = 180;   // for progress of a call on a real device: no stage of a product takes as long
  double cancel = 5;   // until a cancelled call has stopped by itself
};

// The conversation is over: the engine has died, hangs, or says what nobody understands.
struct EngineDisconnected : Error {
  using Error::Error;
};

std::string seconds_text(double s);  // "30 s"

// The process ends with this object. Any thread.
class Connection {
 public:
  // Does not wait for the engine. Throws Error when it cannot be started.
  Connection(EngineProgram program, EnginePatience patience);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // What the engine said of itself, which is waited for. Throws EngineDisconnected and Cancelled.
  wire::Hello hello(const Progress& progress);
  // From now on frames of this call are kept for receive(), and nothing of those before.
  void expect(std::uint64_t call);
  // Throws EngineDisconnected.
  void send(wire::Kind kind, std::uint64_t call, std::string_view body);
  // The next frame of the call, which is waited for for this long at most. Throws EngineDisconnected once there will be
  // none.
  std::optional<wire::Frame> receive(std::chrono::milliseconds wait);
  bool alive() const { return !disconnected_; }
  // Whether it has told of a device that is lost for its process.
  bool lost_a_device() const { return lost_; }
  // Why it ended; empty while it lives.
  std::string why() const;
  pid_t process() const { return process_.id(); }
  // Ends it for this reason.
  void end(const std::string& why);

 private:
  using Clock = std::chrono::steady_clock;
  void listen(const std::stop_token& stop);
  bool hear();  // whether there may be more
  bool hear_errors();
  bool has_room() const;
  bool ended_here() const;  // by end()
  void take(wire::Frame f);
  void look_after();
  void close(const std::string& why);
  EngineDisconnected disconnected() const;
  double since_heard() const;
  std::string seen() const;

  const EngineProgram program_;
  const EnginePatience patience_;
  const Clock::time_point started_ = Clock::now();
  ChildProcess process_;
  wire::FrameReader reader_;  // of the thread that listens
  std::string errors_;        // the end of what it printed there

  std::mutex writing_;
  std::atomic<Clock::rep> heard_;
  std::atomic<bool> disconnected_{false}, stop_{false}, lost_{false};

  mutable std::mutex mutex_;
  std::condition_variable news_;
  std::deque<wire::Frame> frames_;  // of the call, to be received; where they pile up no more is read
  std::uint64_t call_ = 0;
  std::size_t waiting_ = 0, stray_ = 0;  // bytes of these; of what came since that is of no call
  std::optional<wire::Hello> hello_;
  std::string why_, ended_here_;
  Clock::time_point pinged_;
  std::jthread listener_;  // last: it uses all of these
};

}  // namespace warpspy
