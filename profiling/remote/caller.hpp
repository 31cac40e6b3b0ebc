// Calls to an engine in another process: starts it, sends what it needs, waits for the answer, and starts another one
// where it ends.
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
    const Matrix* matrix = nullptr;  // that the engine may ask for
    std::string device = {};         // by its name there; where it is a real one, what makes no progress hangs
    std::function<void(const wire::Frame&)> on_frame = {};  // timed, step
  };
  // The body of the answer. One call at a time: others wait. Throws EngineDisconnected when the engine ended in the
  // call, what the engine refused as Error, and Cancelled.
  std::string operator()(const Call& call, Progress& progress);

  // By what the engine knows a matrix: its contents are read once.
  wire::MatrixRef ref_of(const Matrix& matrix);
  // What the engine said of itself last.
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
  std::mutex calling_;     // held for the length of a call
  std::mutex connecting_;  // held while a new engine is awaited
  int deaths_ = 0;         // in a row, of those that were in a call
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
  ConnectionPtr connection_, greeted_;  // greeted_: the one that hello_ is of
  bool lost_a_device_ = false;          // it has lost a device: another one may have it again
  wire::Hello hello_;
  std::string problem_;  // why the last one could not be started
  std::jthread keeper_;  // last: it uses all of these
};

}  // namespace warpspy
