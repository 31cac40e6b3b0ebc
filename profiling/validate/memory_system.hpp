// A table of simple access patterns for which a GPU's cache hit rates and traffic are known. The model is tested with
// them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/gpu/gpu_spec.hpp"
#include "core/jobs/progress.hpp"
#include "core/run/record.hpp"

namespace warpspy {

// The kind of an experiment. Its sizes are in the experiment's row.
enum class Pattern : std::uint8_t {
  twice,       // one block of 1024 threads per SM reads its own `bytes` twice by plain loads: L1 hit rate
  twice_cg,    // the same with loads that bypass L1 (ld.cg): L2 hit rate
  stride,      // loads 4 of every `bytes` bytes, with cold caches
  sequential,  // all blocks together read `bytes` in order, warm: L2 hit rate
  one_wave,    // the same with at most as many blocks as the GPU holds, so each SM reads the same data each time
  gather,      // all SMs load 4 bytes each at random places of `bytes`, warm
  store,       // stores 4 of every `bytes` bytes, until L2 has been filled many times
  reduction    // each warp adds to 32 neighbouring floats (red.add), again and again, anywhere in `bytes`
};

struct Experiment {
  const char* id;
  const char* label;
  Pattern pattern;
  double bytes;
  const char* quantity;  // "L1 hit", "sectors per request", ...
  const char* unit;      // "%", "1", "B"
  double reference;      // the measured value (see memory_reference)
  double allowed;        // tolerance of |modelled - reference|, in the same unit
};
// Tells where and when the references were measured. The warm ones are from the later day, by kernels of this program.
constexpr const char* memory_reference = "measured on an NVIDIA H200, 2026-11-20 and 22";
constexpr const char* memory_reference_gpu = "h200";
const std::vector<Experiment>& memory_experiments();

// The model's value for `gpu`, from a trace that this function builds.
double modelled_answer(const Experiment& e, const GpuSpec& gpu, Progress& progress);

// Tells how many blocks of 256 threads an SM holds. Pattern::one_wave starts all of these.
constexpr int blocks_of_a_wave = 8;
// Returns how often lanes load, store or add 4 bytes in the experiment, on a GPU with this many SMs and this size of
// L2.
double accesses_of(const Experiment& e, int sms, double l2_bytes);

// Two functions that run the experiment on a CUDA device.
struct DeviceExperiment {
  std::function<void()> before;  // sets the initial state of the caches; it is not counted
  std::function<void()> launch;  // the part that is counted; it waits for its end
};
// Makes these functions for this thread's current device. Throws Error if the build has no CUDA or CUDA reports a
// failure.
DeviceExperiment on_device(const Experiment& e, int sms, double l2_bytes);
// The experiment's quantity from hardware counters; nothing if a counter has no value.
std::optional<double> measured_answer(const Experiment& e, const std::vector<Counter>& counters, double accesses);

}  // namespace warpspy
