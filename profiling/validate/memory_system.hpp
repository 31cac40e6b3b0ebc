// Simple patterns whose answer by the memory system of a GPU is known: the model's unit cases, as a table.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/gpu/gpu_spec.hpp"
#include "core/jobs/progress.hpp"
#include "core/run/record.hpp"

namespace warpspy {

// What an experiment is about; its sizes are the row's.
enum class Pattern : std::uint8_t {
  twice,       // one block of 1024 threads per SM reads its own `bytes` twice, plain loads: L1 hit rate
  twice_cg,    // the same past L1 (ld.cg): L2 hit rate
  stride,      // 4 bytes of every `bytes`, cold
  sequential,  // the whole GPU reads `bytes` from front to back, warm, block after block: L2 hit rate
  one_wave,    // the same by no more blocks than the GPU holds, so that each SM reads what it read before
  gather,      // random 4-byte loads from `bytes` by all SMs, warm
  store,       // 4 bytes to every `bytes`, until L2 was filled many times
  reduction    // red.add of 32 neighbouring floats per warp to `bytes` of targets, again and again
};

struct Experiment {
  const char* id;
  const char* label;
  Pattern pattern;
  double bytes;
  const char* quantity;  // "L1 hit", "sectors per request", ...
  const char* unit;      // "%", "1", "B"
  double reference;      // measured: see memory_reference
  double allowed;        // |modelled - reference|, in the unit
};
// Where and when the references were measured; warm ones on the later day, by the kernels of this program.
constexpr const char* memory_reference = "measured on an NVIDIA H200, 2026-11-20 and 22";
constexpr const char* memory_reference_gpu = "h200";
const std::vector<Experiment>& memory_experiments();

// What the model of `gpu` answers, from a trace made by hand.
double modelled_answer(const Experiment& e, const GpuSpec& gpu, Progress& progress);

// Blocks of 256 threads that an SM holds, all of which Pattern::one_wave starts.
constexpr int blocks_of_a_wave = 8;
// How often a lane reads, stores or adds 4 bytes, on a GPU with so many SMs and so much L2.
double accesses_of(const Experiment& e, int sms, double l2_bytes);

// The same on a CUDA device.
struct DeviceExperiment {
  std::function<void()> before;  // brings the caches to the state that it begins in; not counted
  std::function<void()> launch;  // what is counted, to its end
};
// On the device that this thread uses. Throws Error when the build has no CUDA or CUDA reports a failure.
DeviceExperiment on_device(const Experiment& e, int sms, double l2_bytes);
// The experiment's quantity from hardware counters; nothing when one that it needs has no value.
std::optional<double> measured_answer(const Experiment& e, const std::vector<Counter>& counters, double accesses);

}  // namespace warpspy
