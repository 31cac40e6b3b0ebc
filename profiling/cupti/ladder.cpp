#include <algorithm>

#include "kernels/device/device.hpp"
#include "profiling/cupti/plan.hpp"
#include "profiling/cupti/source.hpp"

namespace warpspy {
namespace {

std::string with(const std::string& reason, const std::string& remedy) {
  return remedy.empty() ? reason : reason + "; " + remedy;
}

// The requested counters: those that were read, and for the others the reason why they were not.
std::vector<Counter> merged(std::vector<Counter> asked, const std::vector<Counter>& read) {
  for (Counter& a : asked) {
    const auto at = std::find_if(read.begin(), read.end(), [&](const Counter& r) { return r.id == a.id; });
    if (at != read.end()) a = *at;
  }
  return asked;
}

}  // namespace

CounterOutcome closed_counters(const std::string& set, const std::string& reason, const std::string& remedy) {
  CounterOutcome o;
  if (set == "none") return o;
  o.counters = unavailable_counters(set, reason, remedy);
  o.notes.push_back("no hardware counters: " + with(reason, remedy));
  return o;
}

CounterOutcome collect_counters(CounterSource& source, int ordinal, const std::string& set, const CounterRun& run,
                                const Progress& progress) {
  if (set == "none") return {};
  CounterOutcome outcome;
  std::string reason, remedy;  // the first failure: why counters are missing
  for (int i = counter_set_index(set); i >= 0; --i) {
    const std::string& id = counter_sets()[static_cast<std::size_t>(i)].id;
    try {
      const CounterReading reading = source.read(ordinal, id, run, progress);
      outcome.traffic_source = TrafficSource::counters;
      outcome.set = id;
      outcome.passes = reading.passes;
      outcome.ms = reading.ms;
      outcome.counters = merged(unavailable_counters(set, reason, remedy), reading.counters);
      if (id != set) outcome.notes.push_back("counters of the set " + id + " were read instead");
      return outcome;
    } catch (const Cancelled&) {
      throw;
    } catch (const DeviceLost& e) {
      outcome = closed_counters(set, "the device was lost while counters were read: " + e.reason, e.remedy);
      outcome.lost = e.reason;
      return outcome;
    } catch (const CounterFailure& e) {
      if (reason.empty()) reason = e.reason, remedy = e.remedy;
      outcome.notes.push_back("counters of the set " + id + " failed: " + with(e.reason, e.remedy));
      if (e.for_all_sets) break;
    } catch (const Error& e) {
      if (reason.empty()) reason = e.reason, remedy = e.remedy;
      outcome.notes.push_back("counters of the set " + id + " failed: " + with(e.reason, e.remedy));
    }
  }
  outcome.counters = unavailable_counters(set, reason, remedy);
  return outcome;
}

}  // namespace warpspy
