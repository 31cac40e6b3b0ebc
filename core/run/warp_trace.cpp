#include "core/run/warp_trace.hpp"

#include <algorithm>
#include <bit>

#include "core/base/numbers.hpp"

namespace warpspy {
namespace {

struct Named {
  const char *name, *meaning;
};
constexpr Named lane_state_names[lane_states] = {
    {"active", "takes part"},
    {"no thread", "the block has no such thread"},
    {"no work", "asks for nothing in the whole kernel: there is no row for it"},
    {"ended", "its row, or its share of the entries, has none left"},
    {"later", "goes on with its row later: on another line, or behind the unrolled rounds"},
    {"padding", "its slot holds no entry"},
    {"branch", "goes another way here"},
    {"left", "has done all that it does"},
    {"unknown", "the trace does not tell why"}};
constexpr Named source_names[sector_sources] = {{"L1", "found in the SM's own cache"},
                                                {"L2", "not in L1, found in L2"},
                                                {"DRAM", "from DRAM: nobody had asked for it before"},
                                                {"DRAM again", "from DRAM once more: no cache holds it any longer"},
                                                {"written", "sent to L2"}};
constexpr const char* measure_names[] = {"sectors", "idle", "time"};

bool is_barrier(const WarpStep& s) { return s.op == WarpOp::warp_barrier || s.op == WarpOp::block_barrier; }

// Whether a group of steps that begins at `from` may end at `to`.
bool ends_at(const WarpTrace& trace, const WarpStep& from, const WarpStep& to, WarpStride by) {
  switch (by) {
    case WarpStride::access:
      return true;
    case WarpStride::line:
      return trace.sites[from.site].name() != trace.sites[to.site].name();
    case WarpStride::iteration:
      return from.site == to.site && from.array == to.array && from.op == to.op;
    case WarpStride::barrier:
      return is_barrier(to);
  }
  return true;
}

}  // namespace

const char* name_of(WarpOp op) {
  constexpr const char* names[] = {"load",         "store",         "atomic",      "exchange",     "vote",
                                   "warp barrier", "block barrier", "shared load", "shared store", "shared atomic"};
  return names[static_cast<int>(op)];
}
const char* name_of(LaneState state) { return lane_state_names[static_cast<int>(state)].name; }
const char* meaning_of(LaneState state) { return lane_state_names[static_cast<int>(state)].meaning; }
const char* name_of(SectorSource from) { return source_names[static_cast<int>(from)].name; }
const char* meaning_of(SectorSource from) { return source_names[static_cast<int>(from)].meaning; }
const char* name_of(WarpMeasure m) { return measure_names[static_cast<int>(m)]; }

WarpMeasure warp_measure(const std::string& id) {
  const auto at = std::find(std::begin(measure_names), std::end(measure_names), id);
  if (at == std::end(measure_names))
    throw Error("warps are not measured by '" + id + "'", {}, "choose sectors, idle or time");
  return static_cast<WarpMeasure>(at - std::begin(measure_names));
}

WarpTraffic& WarpTraffic::operator+=(const WarpTraffic& o) {
  requests += o.requests, sectors += o.sectors, least_sectors += o.least_sectors, bytes += o.bytes, lanes += o.lanes;
  for (std::size_t i = 0; i < from.size(); ++i) from[i] += o.from[i];
  return *this;
}

LaneLedger& LaneLedger::operator+=(const LaneLedger& o) {
  for (std::size_t i = 0; i < lanes.size(); ++i) lanes[i] += o.lanes[i];
  instructions += o.instructions;
  return *this;
}

std::size_t WarpTrace::bytes() const {
  return steps.capacity() * sizeof(WarpStep) + accesses.capacity() * sizeof(LaneAccess) +
         requested.capacity() * sizeof(WarpLine) + axis.bytes();
}

WarpTraffic traffic_of(const WarpTrace& trace, const WarpStep& step) {
  WarpTraffic t;
  if (!touches_memory(step.op)) return t;
  t.requests = step.requests;
  t.lanes = static_cast<std::uint64_t>(std::popcount(step.active));
  t.bytes = t.lanes * step.bytes;
  t.least_sectors = (step.used_bytes + 31) / 32;
  for (std::uint32_t l = step.first_line; l < step.first_line + step.lines; ++l) {
    const WarpLine& line = trace.requested[l];
    t.sectors += static_cast<std::uint64_t>(std::popcount(line.sectors));
    for (std::size_t s = 0; s < 4; ++s)
      if (line.sectors >> s & 1) ++t.from[static_cast<std::size_t>(line.from[s])];
  }
  return t;
}

LaneSource source_of(const WarpTrace& trace, const WarpStep& step, const LaneAccess& access) {
  const WarpTrace::Array& array = trace.array_places[static_cast<std::size_t>(step.array)];
  const std::uint64_t address = array.base + static_cast<std::uint64_t>(access.element) * array.element_bytes;
  const std::uint64_t last = address + step.bytes - 1;
  LaneSource source;
  source.word = static_cast<int>(address % 128 / 4);
  bool found = false;
  for (std::uint32_t l = 0; l < step.lines; ++l) {
    const WarpLine& line = trace.requested[step.first_line + l];
    if (line.line < address / 128 || line.line > last / 128) continue;
    if (line.line == address / 128 && !found) source.line = l, found = true;
    for (std::uint64_t s = 0; s < 4; ++s) {
      const std::uint64_t begin = line.line * 128 + s * 32;
      if (begin + 32 > address && begin <= last) source.from = std::max(source.from, line.from[s]);
    }
  }
  return source;
}

std::string bank_text(const WarpStep& step) {
  const int least = std::max<int>(1, step.ideal_wavefronts);
  if (step.wavefronts <= least) return "no bank conflict";
  const std::string ways = (step.wavefronts % least == 0 ? "" : "about ") + std::to_string(step.wavefronts / least);
  return ways + "-way bank conflict: " + counted(step.wavefronts, "wavefront");
}

std::vector<std::string> reasons_of(const WarpTrace& trace, const WarpLine& line) {
  std::vector<std::string> reasons;
  const auto by = [&](const LineEvictor& e) {
    if (!e.known()) return std::string("driven out");
    return "driven out by " + trace.arrays[static_cast<std::size_t>(e.array)].name + " of block " + grouped(e.block) +
           ", warp " + std::to_string(e.warp);
  };
  if (line.l1_again)
    reasons.push_back("L1: " + by(line.l1_evictor));
  else if (line.l1_first)
    reasons.emplace_back("L1: first touch");
  if (line.l2_evictor.known()) reasons.push_back("L2: " + by(line.l2_evictor));
  return reasons;
}

std::pair<index_t, index_t> rows_of(const WarpTrace& trace, const WarpStep& step) {
  index_t first = 0, past = 0;
  const std::size_t lanes = step.array < 0 ? 0 : static_cast<std::size_t>(std::popcount(step.active));
  for (std::size_t k = 0; k < lanes; ++k) {
    const index_t row = trace.accesses[step.first_access + k].row;
    if (row < 0) continue;
    first = past == 0 ? row : std::min(first, row);
    past = std::max(past, row + 1);
  }
  return {first, past};
}

std::vector<Traffic> traffic_by_line(const WarpTrace& trace) {
  std::vector<Traffic> lines;
  for (const WarpTraffic& t : trace.lines) {
    const auto requests = static_cast<double>(t.requests);
    lines.push_back({t.name, requests, static_cast<double>(t.sectors), static_cast<double>(t.bytes),
                     t.requests > 0 ? static_cast<double>(t.lanes) / requests : 0});
  }
  return lines;
}

LaneLedger ledger_of(const WarpStep& step) {
  LaneLedger ledger;
  ledger.instructions = step.times;
  for (const LaneState s : step.lanes) ledger.lanes[static_cast<std::size_t>(s)] += step.times;
  return ledger;
}

namespace {

constexpr std::size_t kStepsBetweenSums = 64;

void add_steps(WarpSums& sums, const WarpTrace& trace, std::size_t from, std::size_t past) {
  for (std::size_t i = from; i < past; ++i) {
    sums.traffic += traffic_of(trace, trace.steps[i]);
    sums.ledger += ledger_of(trace.steps[i]);
  }
}

}  // namespace

WarpSums sums_until(const WarpTrace& trace, std::size_t steps) {
  WarpSums sums;
  add_steps(sums, trace, 0, std::min(steps, trace.steps.size()));
  return sums;
}

RunningSums::RunningSums(const WarpTrace& trace) {
  WarpSums sums;
  for (std::size_t i = 0; i <= trace.steps.size(); i += kStepsBetweenSums) {
    sums_.push_back(sums);
    add_steps(sums, trace, i, std::min(i + kStepsBetweenSums, trace.steps.size()));
  }
}

WarpSums RunningSums::until(const WarpTrace& trace, std::size_t steps) const {
  steps = std::min(steps, trace.steps.size());
  const std::size_t known = steps / kStepsBetweenSums;
  WarpSums sums = sums_[known];
  add_steps(sums, trace, known * kStepsBetweenSums, steps);
  return sums;
}

std::size_t stride(const WarpTrace& trace, std::size_t step, WarpStride by, bool forward) {
  if (trace.steps.empty()) return 0;
  const std::size_t last = trace.steps.size() - 1;
  step = std::min(step, last);
  const WarpStep& from = trace.steps[step];
  for (std::size_t to = step; to != (forward ? last : 0);) {
    to += forward ? 1 : std::size_t(-1);
    if (ends_at(trace, from, trace.steps[to], by)) return to;
  }
  return by == WarpStride::iteration ? step : forward ? last : 0;
}

}  // namespace warpspy
