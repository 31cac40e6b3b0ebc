// Who executes runs. Implemented by profiling; the UI and the command line see only this.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/gpu/bench_machine.hpp"
#include "core/gpu/measured_roofs.hpp"
#include "core/jobs/progress.hpp"
#include "core/matrix/csr.hpp"
#include "core/run/entry_trace.hpp"
#include "core/run/in_turn.hpp"
#include "core/run/record.hpp"
#include "core/run/warp_trace.hpp"

namespace warpspy {

// Called while a run goes on, on the thread that runs, with what is known of it so far: timed and checked, counters
// still to come; or the quick answer of a model. Not called where there is nothing to say before the end.
using OnTimed = std::function<void(const RunRecord&)>;

// Called when a device is lost while it is used, on the thread that uses it: its id, and why no run goes there any
// more.
using OnDeviceLost = std::function<void(const std::string& device, const std::string& reason)>;

// Called when the devices of a machine have come, changed or gone, on any thread: all that it has now; "": of this one.
using OnDevices = std::function<void(const std::string& host, const std::vector<DeviceInfo>& devices)>;

class Engine {
 public:
  virtual ~Engine() = default;
  // Who hears of it; nobody, once an empty one is set. Not while a call is under way.
  void on_device_lost(OnDeviceLost listener) { lost_ = std::move(listener); }
  // Who hears of devices that come and go; nobody, once an empty one is set: then no call is under way any more.
  virtual void on_devices(OnDevices /*listener*/) {}
  // The engines of other machines whose devices are to be had too: a command for each, such as "ssh HOST warpspy
  // engine". Those not named any more are left. Never waits: on_devices tells of devices as they come.
  virtual void use_others(const std::vector<std::string>& /*commands*/) {}
  // Executes one request on `matrix` and returns its record. Never throws for a failed run: the record then has
  // status failed or cancelled and says why. One call at a time; the caller's job lane sees to that.
  RunRecord run(const RunRequest& request, const Matrix& matrix, Progress& progress) {
    return run(request, matrix, progress, {});
  }
  virtual RunRecord run(const RunRequest& request, const Matrix& matrix, Progress& progress,
                        const OnTimed& on_timed) = 0;
  // Products of a search on one matrix, device and state of the caches, which take turns sample by sample: so clocks
  // and noise hit all of them alike. A record for each, as run() makes it; what fails is left out of the turns. An
  // engine that knows no turns, and a modelled GPU, run one after another. On the lane of run().
  virtual std::vector<RunRecord> run_in_turn(const std::vector<RunRequest>& requests, const InSearch& search,
                                             const Matrix& matrix, Progress& progress);

  // Who reads which entry of the rows [row_begin, row_end) in the product of a request: always in the emulator, on the
  // model of its device, with caches that begin empty. Throws Error and Cancelled. On the lane of run().
  virtual EntryTrace trace_entries(const RunRequest& /*request*/, const Matrix& /*matrix*/, index_t /*row_begin*/,
                                   index_t /*row_end*/, Progress& /*progress*/) {
    throw Error("this engine does not tell who reads which entry");
  }

  // The steps of one warp of the product of a request: always in the emulator, on the model of its device, while the
  // run that the request asks for goes through the caches around it. Throws Error and Cancelled. On the lane of run().
  virtual WarpTrace trace_warp(const RunRequest& /*request*/, const Matrix& /*matrix*/, const WarpWanted& /*wanted*/,
                               Progress& /*progress*/) {
    throw Error("this engine does not tell the steps of a warp");
  }

  // The roofs that were measured for a real device and kept; nothing when there are none that hold for it as it is now.
  // Cheap, and never throws.
  virtual std::optional<MeasuredRoofs> saved_roofs(const std::string& /*device*/) { return {}; }
  // Measures them, some seconds long, and keeps them for later sessions. Throws Error when this is no CUDA device, none
  // is there, or the measurement fails; and Cancelled. On the lane of run().
  virtual MeasuredRoofs measure_roofs(const std::string& device, Progress& /*progress*/) {
    throw Error("roofs are measured on a CUDA device, and " + device + " is none", {},
                "the roofs of simulated GPUs come from their data sheets");
  }
  // What a benchmark on a CUDA device says beside its times, measured now: a second or two. Throws as measure_roofs,
  // and where that machine has no library to compare with. On the lane of run().
  virtual BenchMachine bench_machine(const std::string& device, Progress& /*progress*/) {
    throw Error("the benchmark measures on a CUDA device, and " + device + " is none", {}, "use --device cuda");
  }

 protected:
  void tell_lost(const std::string& device, const std::string& reason) const {
    if (lost_) lost_(device, reason);
  }

 private:
  OnDeviceLost lost_;
};

}  // namespace warpspy
