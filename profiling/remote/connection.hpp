// The connection to one engine in another process: its frames, whether the engine still runs, and why it ended.
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
  std::string path;                // a path, or a name that is looked for as a shell does
  std::vector<std::string> words;  // the program's name and arguments
  std::string host;                // the engine's machine; "": this one
};

// Tells how long to wait for an engine, in seconds.
struct EnginePatience {
  double hello = 30;   // seconds to wait for the first answer
  double silent = 30;  // seconds to wait for any message
  double hung = 180;   // for progress of a call on a real device, since no stage of a product takes so long
  double cancel = 5;   // seconds until a cancelled call must have stopped
};

// The connection has ended: the engine ended, hangs, or sent something that cannot be understood.
struct EngineDisconnected : Error {
  using Error::Error;
};

std::string seconds_text(double s);  // "30 s"

// The destructor ends the engine's process. Any thread may use it.
class Connection {
 public:
  // Starts the engine without waiting for it. Throws Error if it cannot be started.
  Connection(EngineProgram program, EnginePatience patience);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Waits for the engine's `hello`. Throws EngineDisconnected and Cancelled.
  wire::Hello hello(const Progress& progress);
  // From now on frames of this call are kept for receive(); frames of earlier calls are dropped.
  void expect(std::uint64_t call);
  // Throws EngineDisconnected.
  void send(wire::Kind kind, std::uint64_t call, std::string_view body);
  // Waits at most so long for the next frame of the call. Throws EngineDisconnected if no frame can come any more.
  std::optional<wire::Frame> receive(std::chrono::milliseconds wait);
  bool alive() const { return !disconnected_; }
  // Whether the engine has reported a device that its process has lost.
  bool lost_a_device() const { return lost_; }
  // Returns why the connection ended; empty while it works.
  std::string why() const;
  pid_t process() const { return process_.id(); }
  // Ends the connection, for this reason.
  void end(const std::string& why);

 private:
  using Clock = std::chrono::steady_clock;
  void listen(const std::stop_token& stop);
  bool hear();  // returns whether more may come
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
  wire::FrameReader reader_;  // used by the listening thread
  std::string errors_;        // the last text that the engine printed to standard error

  std::mutex writing_;
  std::atomic<Clock::rep> heard_;
  std::atomic<bool> disconnected_{false}, stop_{false}, lost_{false};

  mutable std::mutex mutex_;
  std::condition_variable news_;
  std::deque<wire::Frame> frames_;  // frames of the call for receive(); if there are too many, reading stops
  std::uint64_t call_ = 0;
  std::size_t waiting_ = 0, stray_ = 0;  // bytes of these frames; bytes that arrived for no call
  std::optional<wire::Hello> hello_;
  std::string why_, ended_here_;
  Clock::time_point pinged_;
  std::jthread listener_;  // the last member, since it uses all others
};

}  // namespace warpspy
