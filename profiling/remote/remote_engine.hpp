// The Engine of another process, on this machine or on another one.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/run/engine.hpp"
#include "profiling/remote/connection.hpp"

namespace warpspy {

struct RemoteOptions {
  EnginePatience patience;
  // Connects by itself, and again when the connection is lost: an engine of another machine. Else it is started at
  // once, and after it has ended when the next call comes.
  bool keeps_connected = false;
  // Seconds until the next try to connect, after the first failure, the second, ...; the last holds from then on.
  std::vector<double> pauses = {2, 5, 10, 30, 60};
  // After this many engines in a row that ended in their call the next one waits, that long too.
  int deaths = 3;
  std::string program;  // this one's version: another one at the other end is noted with each run
  // Hears of the devices, from any thread: those of the engine, or the last ones with why they are not available.
  std::function<void(const std::vector<DeviceInfo>&)> on_devices;
};

// What is known of an engine from outside, for tests and messages.
class RemoteEngine : public Engine {
 public:
  // The process in which calls are answered just now; -1: none.
  virtual pid_t process() const = 0;
};

// Nothing waits for the engine here. A program that cannot be started is told by the first call. Devices of another
// host are called "cuda:0@host".
std::unique_ptr<RemoteEngine> make_remote_engine(EngineProgram program, RemoteOptions options);

}  // namespace warpspy
