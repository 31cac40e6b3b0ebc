// Where the engine gets hardware counters from, and the ladder it goes down when a set fails.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/jobs/progress.hpp"
#include "core/run/record.hpp"
#include "profiling/cupti/failure.hpp"
#include "profiling/timing/counter_run.hpp"

namespace warpspy {

struct CounterReading {
  std::vector<Counter> counters;  // of the set and those before it, each with a value or a reason
  int passes = 0;
  double ms = 0;  // the whole reading took
};

// Traffic per source line.
struct LineReading {
  std::vector<Traffic> lines;      // by file and line
  std::vector<std::string> notes;  // sentences: what could not be put to a line
  double ms = 0;                   // the whole reading took
};

class CounterSource {
 public:
  virtual ~CounterSource() = default;
  // Of the CUDA device that is current on this thread. Throws CounterFailure, DeviceLost and Cancelled.
  virtual CounterReading read(int ordinal, const std::string& set, const CounterRun& run, const Progress& progress) = 0;
  // Of the same device: what each source line of the kernels moved. Lets go of the device's counters first, since the
  // two ways to count exclude each other. Throws as read() does.
  virtual LineReading read_lines(int ordinal, const CounterRun& run, const Progress& progress) = 0;
  // Lets go of the device's counters, which a reading keeps for the next one. Times are taken with them let go.
  virtual void release() = 0;
};

// CUPTI's range profiler; every reading fails with the reason where there is none.
std::unique_ptr<CounterSource> cupti_source();

// What a run is told about its counters.
struct CounterOutcome {
  std::vector<Counter> counters;
  TrafficSource traffic_source = TrafficSource::timing;
  std::string set;  // that was read; "" when none was
  int passes = 0;
  double ms = 0;
  std::vector<std::string> notes;  // sentences: which set failed, why, what was read instead
  std::string lost;                // why the device was lost while counters were read; "" when it was not
};
// Reads `set`, or the largest smaller one that works. Counters of `set` that were not read are unavailable with the
// reason. Throws Cancelled and Error for an unknown set; a failure of the counters never throws. "none" reads nothing.
CounterOutcome collect_counters(CounterSource& source, int ordinal, const std::string& set, const CounterRun& run,
                                const Progress& progress);
// The same where counters cannot be read at all, for this reason.
CounterOutcome closed_counters(const std::string& set, const std::string& reason, const std::string& remedy);

// What a run is told about its source lines.
struct LineOutcome {
  std::vector<Traffic> lines;
  std::string reason;              // why there are none, and what to do
  std::vector<std::string> notes;  // sentences
  double ms = 0;
  std::string lost;  // as above
};
// A failure never throws; Cancelled does.
LineOutcome collect_lines(CounterSource& source, int ordinal, const CounterRun& run, const Progress& progress);

}  // namespace warpspy
