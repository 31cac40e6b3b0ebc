// The interface that executes runs. profiling implements it; the window and the command line use only this interface.
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

// A listener that gets a run's early record, on the thread that runs it. On a real GPU this record is timed and
// checked, and its counters follow later. On a modelled GPU it is the quick result of the model. If a run has no early
// record, the listener is not called.
using OnTimed = std::function<void(const RunRecord&)>;

// A listener that is called when a device is lost during a run, on the thread that uses the device. It gets the
// device's id and why the device cannot be used any more.
using OnDeviceLost = std::function<void(const std::string& device, const std::string& reason)>;

// A listener that is called on any thread when a machine's devices have changed. It gets all present devices of that
// machine; `host` "" means this machine.
using OnDevices = std::function<void(const std::string& host, const std::vector<DeviceInfo>& devices)>;

class Engine {
 public:
  virtual ~Engine() = default;
  // Sets the listener for lost devices; an empty one removes it. Do not call this during another call.
  void on_device_lost(OnDeviceLost listener) { lost_ = std::move(listener); }
  // Sets the listener for changed devices; an empty one removes it. When this returns, the old listener is not running
  // any more.
  virtual void on_devices(OnDevices /*listener*/) {}
  // Sets the engines of other machines whose devices are used too: a command for each, such as "ssh HOST warpspy
  // engine". Connections to engines that are not named any more are closed. This never waits: on_devices reports
  // devices when they arrive.
  virtual void use_others(const std::vector<std::string>& /*commands*/) {}
  // Executes one request on `matrix` and returns its record. A failed run does not throw: its record has status failed
  // or cancelled, and the reason. Only one call at a time is allowed; the caller's job queue makes sure of that.
  RunRecord run(const RunRequest& request, const Matrix& matrix, Progress& progress) {
    return run(request, matrix, progress, {});
  }
  virtual RunRecord run(const RunRequest& request, const Matrix& matrix, Progress& progress,
                        const OnTimed& on_timed) = 0;
  // Runs products of a search on the same matrix, device and cache state. They take turns sample by sample, so that
  // clocks and noise affect all alike. Each gets a record, as run() makes it; a product that fails takes no more turns.
  // On a modelled GPU, and by default, the products run one after another. Like run(), only one call at a time is
  // allowed.
  virtual std::vector<RunRecord> run_in_turn(const std::vector<RunRequest>& requests, const InSearch& search,
                                             const Matrix& matrix, Progress& progress);

  // Returns which threads read which entry of the rows [row_begin, row_end) in a request's product. It always runs in
  // the emulator, on the model of the request's device, with empty caches at the start. Throws Error and Cancelled.
  // Like run(), only one call at a time is allowed.
  virtual EntryTrace trace_entries(const RunRequest& /*request*/, const Matrix& /*matrix*/, index_t /*row_begin*/,
                                   index_t /*row_end*/, Progress& /*progress*/) {
    throw Error("this engine does not tell who reads which entry");
  }

  // The steps of one warp of a request's product. It always runs in the emulator, on the model of the request's device;
  // the other warps of the run use the caches at the same time. Throws Error and Cancelled. Like run(), only one call
  // at a time is allowed.
  virtual WarpTrace trace_warp(const RunRequest& /*request*/, const Matrix& /*matrix*/, const WarpWanted& /*wanted*/,
                               Progress& /*progress*/) {
    throw Error("this engine does not tell the steps of a warp");
  }

  // Returns the measured roofs of a real device (its highest measured bandwidths and speeds), if they were kept.
  // Returns nothing if there are none, or if another driver was in use when they were measured. It is cheap and never
  // throws.
  virtual std::optional<MeasuredRoofs> saved_roofs(const std::string& /*device*/) { return {}; }
  // Measures the roofs of a device, which takes some seconds, and keeps them for later sessions. Throws Error if this
  // is no CUDA device, the device is not there, or the measurement fails; and Cancelled. Like run(), only one call at a
  // time is allowed.
  virtual MeasuredRoofs measure_roofs(const std::string& device, Progress& /*progress*/) {
    throw Error("roofs are measured on a CUDA device, and " + device + " is none", {},
                "the roofs of simulated GPUs come from their data sheets");
  }
  // Describes a CUDA device for a benchmark's report, besides its times. It measures now, which takes a second or two.
  // Throws as measure_roofs() does, and if the machine has no library to compare with. Like run(), only one call at a
  // time is allowed.
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
