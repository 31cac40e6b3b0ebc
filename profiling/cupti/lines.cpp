#include "profiling/cupti/lines.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "kernels/device/device.hpp"
#include "profiling/cupti/failure.hpp"
#include "profiling/cupti/library.hpp"

#if defined(WARPSPY_HAVE_CUPTI_HEADER)
#include "profiling/cupti/functions.hpp"
#endif

namespace warpspy {

const std::vector<InstructionMetric>& instruction_metrics() {
  static const std::vector<InstructionMetric> table = {
      {"smsp__sass_inst_executed_op_global", &InstructionCounts::requests},
      {"smsp__sass_sectors_mem_global", &InstructionCounts::sectors},
      {"smsp__sass_thread_inst_executed_op_global_pred_on", &InstructionCounts::lanes},
      {"smsp__sass_inst_executed_op_memory_8b", &InstructionCounts::w1},
      {"smsp__sass_inst_executed_op_memory_16b", &InstructionCounts::w2},
      {"smsp__sass_inst_executed_op_memory_32b", &InstructionCounts::w4},
      {"smsp__sass_inst_executed_op_memory_64b", &InstructionCounts::w8},
      {"smsp__sass_inst_executed_op_memory_128b", &InstructionCounts::w16},
  };
  return table;
}

#if defined(WARPSPY_HAVE_CUPTI_HEADER)

std::vector<std::string> instruction_metrics_of(const std::string& chip) {
  const cupti::Functions* f = cupti::functions();
  if (!f) throw CounterFailure(cupti_library().reason, cupti_library().remedy, true);
  CUpti_SassMetrics_GetNumOfMetrics_Params count{};
  count.structSize = CUpti_SassMetrics_GetNumOfMetrics_Params_STRUCT_SIZE;
  count.pChipName = chip.c_str();
  const CUptiResult status = f->sass_metric_count(&count);
  if (status == CUPTI_ERROR_NOT_SUPPORTED)
    throw CounterFailure("CUPTI " + cupti_library().version + " counts no single instructions on chip " + chip +
                             " (from Turing on it does)",
                         "run on another GPU, or on a simulated one for modelled lines", true);
  cupti::check(status, "asking which counts per instruction chip " + chip + " has");
  std::vector<CUpti_SassMetrics_MetricDetails> details(count.numOfMetrics);
  CUpti_SassMetrics_GetMetrics_Params list{};
  list.structSize = CUpti_SassMetrics_GetMetrics_Params_STRUCT_SIZE;
  list.pChipName = chip.c_str();
  list.numOfMetrics = details.size();
  list.pMetricsList = details.data();
  cupti::check(f->sass_metrics(&list), "asking which counts per instruction chip " + chip + " has");
  std::vector<std::string> names;
  for (const auto& d : details)
    if (d.pMetricName) names.emplace_back(d.pMetricName);
  return names;
}

#else

std::vector<std::string> instruction_metrics_of(const std::string&) {
  throw CounterFailure(cupti_library().reason, cupti_library().remedy, true);
}

#endif

void require_instruction_metrics(const std::string& chip, const std::vector<std::string>& available) {
  for (const InstructionMetric& m : instruction_metrics())
    if (std::find(available.begin(), available.end(), m.name) == available.end())
      throw CounterFailure("chip " + chip + " has no count " + m.name + " per instruction",
                           "run on another GPU, or on a simulated one for modelled lines", true);
}

FoldedLines fold_lines(const std::vector<InstructionCounts>& counts, const SiteOf& site) {
  struct Sum {
    double requests = 0, sectors = 0, lanes = 0, bytes = 0;
  };
  std::map<std::pair<std::string, int>, Sum> sums;  // sums by file and line
  FoldedLines folded;
  for (const InstructionCounts& c : counts) {
    if (c.requests == 0 && c.sectors == 0) continue;
    const std::string name = site(c);
    const auto colon = name.rfind(':');
    if (colon == std::string::npos) {
      folded.elsewhere += c.sectors;
      if (folded.stranger.empty()) folded.stranger = c.function;
      continue;
    }
    folded.placed += c.sectors;
    Sum& s = sums[{name.substr(0, colon), std::atoi(name.c_str() + colon + 1)}];
    s.requests += c.requests;
    s.sectors += c.sectors;
    s.lanes += c.lanes;
    // An instruction has one width, so all but one of these are 0.
    const double warps = c.w1 + c.w2 + c.w4 + c.w8 + c.w16;
    if (warps > 0) s.bytes += c.lanes * (c.w1 + 2 * c.w2 + 4 * c.w4 + 8 * c.w8 + 16 * c.w16) / warps;
  }
  for (const auto& [place, s] : sums) {
    Traffic t{place.first + ":" + std::to_string(place.second), s.requests, s.sectors, s.bytes};
    t.active_lanes = s.requests > 0 ? s.lanes / s.requests : 0;
    t.provenance = Provenance::measured;
    folded.lines.push_back(std::move(t));
  }
  return folded;
}

LineReading reading_of(FoldedLines folded) {
  const double all = folded.placed + folded.elsewhere;
  if (all == 0)
    throw CounterFailure("CUPTI saw the product's kernels touch no global memory",
                         "run again in a new process; end other profilers", true);
  if (folded.placed == 0)
    throw CounterFailure(
        "this program tells no source lines of its kernel " + folded.stranger,
        "build it with nvcc -lineinfo, uncompressed, and for this GPU's architecture (CMAKE_CUDA_ARCHITECTURES)", true);
  LineReading reading;
  reading.lines = std::move(folded.lines);
  if (folded.elsewhere > 0) {
    char text[120];
    std::snprintf(text, sizeof text, "%.3g %% of the sectors belong to instructions without a source line",
                  100 * folded.elsewhere / all);
    reading.notes.push_back(text);
  }
  return reading;
}

LineOutcome collect_lines(CounterSource& source, int ordinal, const CounterRun& run, const Progress& progress) {
  const auto closed = [](const std::string& reason, const std::string& remedy) {
    LineOutcome o;
    o.reason = remedy.empty() ? reason : reason + "; " + remedy;
    return o;
  };
  if (run.launches.empty())
    return closed("this kernel is a library's, whose source is not here", "run one of Warpspy's own");
  try {
    LineReading reading = source.read_lines(ordinal, run, progress);
    LineOutcome o;
    o.lines = std::move(reading.lines);
    o.notes = std::move(reading.notes);
    o.ms = reading.ms;
    return o;
  } catch (const Cancelled&) {
    throw;
  } catch (const DeviceLost& e) {
    LineOutcome o = closed("the device was lost while instructions were counted: " + e.reason, e.remedy);
    o.lost = e.reason;
    return o;
  } catch (const Error& e) {
    return closed(e.reason, e.remedy);
  }
}

}  // namespace warpspy
