#include "core/model/copy_share.hpp"

#include <cmath>
#include <cstdio>
#include <utility>

#include "core/base/numbers.hpp"

namespace warpspy {

CopyShare copy_share(const RunRecord& solve, const GpuSpec* gpu, const MeasuredRoofs* measured) {
  const auto unavailable = [](std::string why) { return CopyShare{.reason = std::move(why)}; };
  if (!solve.solve || !(solve.time.value > 0) || !(solve.minimum_bytes.value > 0))
    return unavailable("this run is no solve");
  CopyShare c;
  const MeasuredFigure* copy = measured ? measured->figure("dram_copy") : nullptr;
  c.copy_measured = copy && copy->value > 0;
  c.copy_gbs = c.copy_measured ? copy->value : gpu ? gpu->dram_stream_gbs : 0;
  c.copy_gbs *= static_cast<double>(solve.request.parts);  // all GPUs copy at the same time
  if (!(c.copy_gbs > 0))
    return unavailable("the bandwidth of a copy on " + solve.device_name + " is not known: warpspy roofs measures it");
  c.gbs = solve.minimum_bytes.value / solve.time.value * 1e-3;
  c.share = c.gbs / c.copy_gbs;
  c.provenance = solve.time.provenance == Provenance::modelled ? Provenance::modelled : Provenance::derived;
  return c;
}

std::string copy_share_text(const RunRecord& solve, const CopyShare& c) {
  if (!c.share) return "unavailable: " + c.reason;
  const auto gbs = [](double v) { return grouped(static_cast<index_t>(std::llround(v)), ',') + " GB/s"; };
  char text[200];
  std::snprintf(text, sizeof text, "%s in %.4g \xC2\xB5s: %s, %.3g %% of a copy (%s, %s)",
                byte_text(solve.minimum_bytes.value, 3).c_str(), solve.time.value, gbs(c.gbs).c_str(), 100 * *c.share,
                gbs(c.copy_gbs).c_str(), c.copy_measured ? "measured" : "data file");
  return *c.share > 1 ? std::string(text) + "; part of the data stays in L2" : text;
}

}  // namespace warpspy
