// A warp written by hand: what the pretending engine answers.
#pragma once

#include <memory>
#include <string>

#include "core/run/warp_trace.hpp"

namespace warpspy::ui {

// Of four steps: 32 lanes load two lines, the upper half having ended; they load them once more; an exchange; one lane
// stores.
inline WarpTrace toy_warp(const std::string& kernel, const WarpWanted& wanted) {
  WarpTrace t;
  t.kernel = kernel, t.kernel_label = kernel == "csr_vector" ? "CSR vector" : "CSR scalar";
  t.format = "CSR", t.gpu = "Toy GPU", t.blocks = 4, t.rows = 400, t.cols = 400, t.place = {0, 3, 1};
  t.why = wanted.by == WarpWanted::By::row     ? "reads row " + std::to_string(wanted.row + wanted.first)
          : wanted.by == WarpWanted::By::entry ? "reads entry (" + std::to_string(wanted.row + wanted.first) + ", " +
                                                     std::to_string(wanted.column + wanted.first) + ")"
                                               : "the worst of them";
  t.notes = {"12 % of the blocks ran"};
  t.sites = {{"toy.hpp", 10, "ld(values, k)"}, {"toy.hpp", 20, "sum_down(sum)"}, {"toy.hpp", 30, "st(y, row, sum)"}};
  t.arrays.resize(2);
  t.arrays[0].name = "values", t.arrays[1].name = "y";
  t.array_places = {{4096, 4}, {8192, 4}};
  const auto load = [&](index_t first, int lanes, int array, WarpOp op, std::uint16_t site) {
    WarpStep s;
    s.op = op, s.site = site, s.array = static_cast<std::int16_t>(array), s.bytes = 4, s.requests = 1;
    s.active = lanes == 32 ? ~0u : (1u << lanes) - 1;
    s.used_bytes = static_cast<std::uint32_t>(4 * lanes);
    s.first_access = static_cast<std::uint32_t>(t.accesses.size());
    s.first_line = static_cast<std::uint32_t>(t.requested.size());
    s.lines = 1;
    for (int lane = 0; lane < lanes; ++lane) {
      LaneAccess a;
      a.element = first + lane;
      if (array == 0) a.row = 100 + lane, a.column = lane, a.value = 0.5, a.entry = true;
      t.accesses.push_back(a);
    }
    for (int lane = lanes; lane < 32; ++lane) s.lanes[static_cast<std::size_t>(lane)] = LaneState::ended;
    WarpLine line;
    line.line = (t.array_places[static_cast<std::size_t>(array)].base + static_cast<std::uint64_t>(4 * first)) / 128;
    line.words = s.active;
    line.sectors = lanes == 32 ? 15 : lanes == 16 ? 3 : 1;
    line.from.fill(op == WarpOp::store ? SectorSource::written : SectorSource::dram_first);
    t.requested.push_back(line);
    t.steps.push_back(s);
  };
  load(0, 32, 0, WarpOp::load, 0);
  load(32, 16, 0, WarpOp::load, 0);
  WarpStep exchange;
  exchange.op = WarpOp::exchange, exchange.site = 1, exchange.times = 5, exchange.active = ~0u;
  t.steps.push_back(exchange);
  load(7, 1, 1, WarpOp::store, 2);
  t.first = wanted.first;
  t.lines.resize(3);
  for (std::size_t k = 0; k < t.sites.size(); ++k) t.lines[k].name = t.sites[k].name();
  for (const WarpStep& s : t.steps) t.lines[s.site] += traffic_of(t, s);
  t.axis.warps = {{3, 0, {{1, 2, 30, 3, SmWait::dram}}}, {3, 1, {{0, 1, 20, 2, SmWait::l2}}}};
  t.axis.watched = 1, t.axis.end_ns = 30;
  t.steps_in_all = t.steps.size();
  for (const WarpStep& s : t.steps) t.ledger += ledger_of(s);
  return t;
}
inline std::shared_ptr<const WarpTrace> shared_toy_warp(const std::string& kernel) {
  return std::make_shared<const WarpTrace>(toy_warp(kernel, {}));
}

}  // namespace warpspy::ui
