#include <bit>
#include <nlohmann/json.hpp>

#include "core/base/json_text.hpp"
#include "core/run/warp_trace.hpp"

namespace warpspy {
namespace {

using Object = nlohmann::ordered_json;

Object object_of(const WarpTraffic& t) {
  Object o = Object::object();
  if (!t.name.empty()) o["name"] = t.name;
  o["requests"] = t.requests;
  o["sectors"] = t.sectors;
  o["least_sectors"] = t.least_sectors;
  o["bytes_used"] = t.bytes;
  o["lanes"] = t.lanes;
  for (std::size_t i = 0; i < t.from.size(); ++i) o["from"][name_of(static_cast<SectorSource>(i))] = t.from[i];
  return o;
}

Object list_of(const std::vector<WarpTraffic>& traffic) {
  Object list = Object::array();
  for (const WarpTraffic& t : traffic)
    if (t.requests > 0) list.push_back(object_of(t));
  return list;
}

Object object_of(const LaneLedger& ledger) {
  Object o;
  o["instructions"] = ledger.instructions;
  o["active"] = ledger.active();
  o["idle"] = ledger.idle();
  for (int s = 1; s < lane_states; ++s)
    if (const auto lanes = ledger.lanes[static_cast<std::size_t>(s)])
      o["idle_by_reason"][name_of(static_cast<LaneState>(s))] = lanes;
  return o;
}

Object object_of(const WarpTrace& trace, const LineEvictor& by) {
  return {{"array", trace.arrays[static_cast<std::size_t>(by.array)].name}, {"block", by.block}, {"warp", by.warp}};
}

Object object_of(const WarpTrace& trace, const WarpStep& step, std::size_t number) {
  Object o;
  o["step"] = number;
  o["op"] = name_of(step.op);
  o["line"] = trace.sites[step.site].name();
  o["instructions"] = step.times;
  if (step.array >= 0) {
    o["array"] = trace.arrays[static_cast<std::size_t>(step.array)].name;
    o["bytes_per_lane"] = step.bytes;
    o["bytes_used"] = step.used_bytes;
    const WarpTraffic t = traffic_of(trace, step);
    o["requests"] = t.requests;
    o["sectors"] = t.sectors;
    o["least_sectors"] = t.least_sectors;
  }
  if (step.shared >= 0) {
    o["shared_array"] = trace.shared_arrays[static_cast<std::size_t>(step.shared)];
    o["bytes_per_lane"] = step.bytes;
    o["turns"] = step.wavefronts;
  }
  const LaneAccess* access = trace.accesses.data() + step.first_access;
  for (int lane = 0; lane < 32; ++lane) {
    Object l = {{"lane", lane}, {"state", name_of(step.lanes[static_cast<std::size_t>(lane)])}};
    if (step.active >> lane & 1 && (step.array >= 0 || step.shared >= 0)) {
      l["element"] = access->element;
      if (access->row >= 0) l["row"] = access->row;
      if (access->column >= 0) l["column"] = access->column;
      if (access->entry) l["value"] = access->value;
      if (access->padding) l["padding"] = true;
      ++access;
    }
    o["lanes"].push_back(std::move(l));
  }
  for (std::uint32_t k = step.first_line; k < step.first_line + step.lines; ++k) {
    const WarpLine& line = trace.requested[k];
    Object l = {{"address", line.line * 128}, {"bytes_used", 4 * std::popcount(line.words)}};
    for (std::size_t s = 0; s < 4; ++s)
      l["sectors"].push_back(line.sectors >> s & 1 ? Object(name_of(line.from[s])) : Object());
    if (line.l1_first) l["l1_first"] = std::popcount(line.l1_first);
    if (line.l1_again) l["l1_again"] = std::popcount(line.l1_again);
    if (line.l1_evictor.known()) l["l1_evicted_by"] = object_of(trace, line.l1_evictor);
    if (line.l2_evictor.known()) l["evicted_by"] = object_of(trace, line.l2_evictor);
    o["lines"].push_back(std::move(l));
  }
  return o;
}

}  // namespace

std::string to_json(const WarpTrace& t, std::int64_t only) {
  Object o;
  o["kernel"] = t.kernel;
  o["format"] = t.format;
  o["device"] = t.gpu;
  o["provenance"] = name_of(Provenance::modelled);
  o["warp"] = {{"launch", t.place.launch}, {"block", t.place.block}, {"warp", t.place.warp}};
  o["why"] = t.why;
  o["cache_state"] = t.warm ? "warm" : "cold";
  o["alone"] = t.alone;
  o["sampled_share"] = t.share;
  o["notes"] = t.notes;
  o["waited"] = {{"value", t.waited_ns}, {"unit", "ns"}};
  o["shared_accesses"] = t.shared_accesses;
  o["sm"] = {{"warps", t.axis.warps.size()},
             {"time", {{"value", t.axis.end_ns}, {"unit", "ns"}}},
             {"issuing", t.axis.issuing},
             {"waiting_hidden", t.axis.hidden}};
  o["lanes"] = object_of(t.ledger);
  o["arrays"] = list_of(t.arrays);
  o["lines"] = list_of(t.lines);
  o["steps_in_all"] = t.steps_in_all;
  o["steps"] = Object::array();
  for (std::size_t i = 0; i < t.steps.size(); ++i)
    if (only < 0 || static_cast<std::size_t>(only) == i) o["steps"].push_back(object_of(t, t.steps[i], i));
  return json_text(o);
}

}  // namespace warpspy
