// Calls to an engine in another process: starts the engine, sends what it needs, waits for the answer, and starts a new
// engine if it ends.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/matrix/csr.hpp"
#include "profiling/remote/remote_engine.hpp"

namespace warpspy {

class Caller {
 public:
  Caller(EngineProgram program, RemoteOptions options);
  ~Caller();
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;

  struct Call {
    wire::Kind kind;
    std::string body;
    const Matrix* matrix = nullptr;  // the engine may ask for it
    std::string device = {};         // the device's name in the engine; on a real device a call without progress counts
                                     // as hanging
    std::function<void(const wire::Frame&)> on_frame = {};  // timed, step
  };
  // Makes a call and returns the body of the answer. Only one call runs at a time; others wait. Throws
  // EngineDisconnected if the engine ended during the call, Error if it refused the call, and Cancelled.
  std::string operator()(const Call& call, Progress& progress);

  // The key by which the engine identifies a matrix; its contents are read once.
  wire::MatrixRef ref_of(const Matrix& matrix);
  // The engine's last `hello`.
  wire::Hello hello() const;
  pid_t process() const;

 private:
  using Clock = std::chrono::steady_clock;
  using ConnectionPtr = std::shared_ptr<Connection>;
  ConnectionPtr connected(Progress& progress);
  void begin();
  void wear();
  bool is_real(const std::string& device) const;
  std::string await(Connection& c, std::uint64_t number, const Call& call, Progress& progress, bool& begun);
  void send_matrix(Connection& c, std::uint64_t number, const Matrix& m, Progress& progress);
  void pause(Progress& progress);
  void keep_connected(const std::stop_token& stop);
  void tell(const std::string& why_not);
  std::string command_text() const;

  const EngineProgram program_;
  const RemoteOptions options_;
  std::mutex calling_;     // held during a call
  std::mutex connecting_;  // held while a new engine is awaited
  int deaths_ = 0;         // how many engines in a row ended during a call
  std::uint64_t calls_ = 0;

  struct Known {
    std::weak_ptr<const Csr> csr;
    std::weak_ptr<const ElementMatrices> elements;
    std::string key;
  };
  std::mutex knowing_;
  std::vector<Known> known_;

  mutable std::mutex mutex_;
  std::condition_variable_any news_;
  ConnectionPtr connection_, greeted_;  // greeted_: the connection from which hello_ came
  bool lost_a_device_ = false;          // the engine has lost a device; a new engine may be able to use it again
  wire::Hello hello_;
  std::string problem_;  // why the last engine could not be started
  std::jthread keeper_;  // the last member, since it uses all others
};

}  // namespace warpspy
