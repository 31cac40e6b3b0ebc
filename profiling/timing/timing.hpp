// Measures the time of a product on a CUDA device, warm and cold, alone and in turn with another product.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/gpu/bench_machine.hpp"
#include "core/run/record.hpp"
#include "kernels/product/product.hpp"
#include "profiling/timing/counter_run.hpp"
#include "profiling/timing/samples.hpp"

namespace warpspy {

struct ProductTime {
  double us = 0;                  // one product: the median sample
  double low = 0, high = 0;       // quartiles of the samples, us
  double noise = 0;               // median absolute deviation of the samples / their median
  int samples = 0, launches = 0;  // launches: products per sample
  int copies = 1;                 // copies of the product that take turns
  double flush_us = 0;            // for cold products with a flush between them: the flush's time, which was
                                  // subtracted; else 0
  std::size_t product_bytes = 0;  // on the device: matrix, x, y and what the kernel keeps
  std::size_t l2_bytes = 0;
  double sm_mhz = 0, memory_mhz = 0;  // medians; 0: not known
  std::string clock_note;             // throttled samples that were dropped or kept, or why the clocks are not known
  double setup_us = 0;                // spent once before the first product (a library's analysis)
  std::string how;                    // one line
};

using MakeProduct = std::function<std::unique_ptr<DeviceProduct>()>;

// Tells how a cold product is kept from finding its own data in L2.
struct ColdPlan {
  int copies = 1;
  bool flush = false;  // there is too little memory for copies, so memory of 3 x L2 is written between two products
};
// Plans so many copies of the product that together they have 3 x L2 bytes: at least 2, at most 256, and at most half
// of the free memory. `evict_last_share` is the share that the product asks L2 to evict last (0: none). Then these
// shares of the copies must together have 3 x L2 bytes; otherwise some would stay in L2 forever.
ColdPlan plan_cold(std::size_t product_bytes, std::size_t l2_bytes, std::size_t free_bytes,
                   double evict_last_share = 0);

// A product, or copies of it that take turns.
struct Rotation {
  CacheState state = CacheState::warm;
  bool flush = false;
  std::vector<std::unique_ptr<DeviceProduct>> copies;
};
Rotation warm_rotation(std::unique_ptr<DeviceProduct> product);
Rotation cold_rotation(const MakeProduct& make, const Progress& progress);
inline Rotation rotation_of(CacheState state, const MakeProduct& make, const Progress& progress) {
  return state == CacheState::cold ? cold_rotation(make, progress) : warm_rotation(make());
}

// Runs the product until the device is warm, records a CUDA graph of N launches so that a sample lasts long enough for
// the timer, then samples until the median is known well (half a percent, from the median absolute deviation) or
// `budget_s` is spent. Clocks are recorded beside the samples, and throttled samples dropped. Throws Error when the
// build has no CUDA or CUDA reports a failure, and Cancelled.
ProductTime time_warm(DeviceProduct& product, double budget_s, const Progress& progress);
ProductTime time_rotation(const Rotation& rotation, double budget_s, const Progress& progress);
// Measures one product in microseconds, to rank it. It works as time_warm(), but if a product takes longer than
// `far_us`, only its second launch is timed. Throws as time_warm() does.
double time_trial(DeviceProduct& product, double far_us, double budget_s, const Progress& progress);

// The times of several products, which were measured sample by sample in turn.
struct Comparison {
  std::vector<ProductTime> times;
  std::vector<Samples> samples;  // ratio_of(samples[b], samples[a])
};
Comparison compare_interleaved(const std::vector<const Rotation*>& rotations, double budget_s,
                               const Progress& progress);

// Measures a copy on the calling thread's device. Throws Error when the build has no CUDA or CUDA reports a failure,
// and Cancelled.
CopyBandwidth measure_copy(const Progress& progress);

// Returns how a product runs while its counters are read. Warm: directly after another product. Cold: after memory of 3
// x L2 was read; after a read, nothing in L2 must be written back during the product. `product` outlives it. Throws
// Error when the build has no CUDA or CUDA reports a failure.
CounterRun counter_run(DeviceProduct& product, CacheState state);

// Runs the product once and waits for it. Throws Error when the build has no CUDA or CUDA reports a failure.
void launch_once(DeviceProduct& product);

// The details of a time for a record: spread, samples, working set compared with L2, clocks, setup.
std::vector<Detail> details_of(const ProductTime& t);
// timing_details: only those details of a record. The next function: the note on its clocks; "" if there is none.
std::vector<Detail> timing_details(const RunRecord& r);
std::string clock_note(const RunRecord& r);

}  // namespace warpspy
