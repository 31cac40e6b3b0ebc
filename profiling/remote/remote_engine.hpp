// An Engine in another process, on this machine or on another machine.
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
  // true, for an engine of another machine: it connects by itself, and again after the connection was lost. false: the
  // engine is started at once. If it ends, the next call starts it again.
  bool keeps_connected = false;
  // Seconds until the next try to connect, after the first failure, the second, and so on; the last number is used for
  // all later ones.
  std::vector<double> pauses = {2, 5, 10, 30, 60};
  // If this many engines in a row end during a call, the next start waits too, as long as `pauses` tells.
  int deaths = 3;
  std::string program;  // this program's version; if the engine has another version, each run gets a note
  // Called from any thread with the engine's devices, or, if it is disconnected, with its last devices and why they are
  // not available.
  std::function<void(const std::vector<DeviceInfo>&)> on_devices;
};

// An engine in another process, with facts about it for tests and messages.
class RemoteEngine : public Engine {
 public:
  // The process that answers calls now; -1 if there is none.
  virtual pid_t process() const = 0;
};

// Makes the engine without waiting for it. If the program cannot be started, the first call throws that error. Devices
// of another host are called "cuda:0@host".
std::unique_ptr<RemoteEngine> make_remote_engine(EngineProgram program, RemoteOptions options);

}  // namespace warpspy
