// The engines of this machine and of other machines, used like one engine: a call goes to the engine that has its
// device.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/run/engine.hpp"
#include "profiling/remote/remote_engine.hpp"

namespace warpspy {

// `options` are for the engines that use_others() names; on_devices belongs to the listener.
class Engines final : public Engine {
 public:
  explicit Engines(RemoteOptions options);
  ~Engines() override;
  // Sets the engine of this machine, once, before the first call.
  void set_own(std::unique_ptr<Engine> own);
  // Reports this machine's devices to the listener.
  void tell_own(const std::vector<DeviceInfo>& devices);

  void on_devices(OnDevices listener) override;
  void use_others(const std::vector<std::string>& commands) override;

  using Engine::run;
  RunRecord run(const RunRequest& request, const Matrix& matrix, Progress& progress, const OnTimed& on_timed) override;
  std::vector<RunRecord> run_in_turn(const std::vector<RunRequest>& requests, const InSearch& search,
                                     const Matrix& matrix, Progress& progress) override;
  BenchMachine bench_machine(const std::string& device, Progress& progress) override;
  EntryTrace trace_entries(const RunRequest& request, const Matrix& matrix, index_t row_begin, index_t row_end,
                           Progress& progress) override;
  WarpTrace trace_warp(const RunRequest& request, const Matrix& matrix, const WarpWanted& wanted,
                       Progress& progress) override;
  std::optional<MeasuredRoofs> saved_roofs(const std::string& device) override;
  MeasuredRoofs measure_roofs(const std::string& device, Progress& progress) override;

 private:
  // The engine with a device: for "cuda:0@host" the host's engine, else this machine's. nullptr if that engine is not
  // used.
  std::shared_ptr<Engine> find(const std::string& device) const;
  std::shared_ptr<Engine> require(const std::string& device) const;
  void tell(const std::string& host, const std::vector<DeviceInfo>& devices);

  struct Other {
    std::string command, host;
    std::shared_ptr<Engine> engine;
  };
  const RemoteOptions options_;
  mutable std::mutex mutex_;
  std::mutex telling_;
  OnDevices listener_;
  std::shared_ptr<Engine> own_;
  std::vector<Other> others_;
  std::jthread leaving_;  // engines that are not used any more
};

}  // namespace warpspy
