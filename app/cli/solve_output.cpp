#include "app/cli/solve_output.hpp"

#include <nlohmann/json.hpp>

#include "core/base/json_text.hpp"
#include "core/diagnosis/solve_findings.hpp"

namespace warpspy::cli {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const SolveBreakEven& b) {
  if (!b.base) return {{"unavailable", b.reason}};
  Json j = {{"iterations", b.iterations ? Json(*b.iterations) : Json()}};
  if (b.never()) j["never"] = b.reason;
  j["against"] = b.base->request.kernel;
  if (b.base->id > 0) j["run"] = b.base->id;
  j["provenance"] = name_of(b.provenance);
  return j;
}

Json json_of(const CopyShare& c) {
  if (!c.share) return {{"unavailable", c.reason}};
  return {{"value", *c.share},
          {"gbs", c.gbs},
          {"copy_gbs", c.copy_gbs},
          {"copy", c.copy_measured ? "measured" : "data file"},
          {"provenance", name_of(c.provenance)}};
}

}  // namespace

std::optional<SolveNumbers> solve_numbers(const RunRecord& r, const Services& services, const History* history,
                                          const std::vector<RunRecord>& made) {
  if (!r.solve || r.status != RunStatus::ok) return std::nullopt;
  std::vector<std::shared_ptr<const RunRecord>> others;
  std::string unread;
  try {
    if (history) others = saved_solves_of(*history, r);
  } catch (const Error& e) {  // the solve itself is told in any case
    unread = std::string("the saved solves cannot be read: ") + e.what();
  }
  for (const RunRecord& m : made) others.push_back(std::make_shared<const RunRecord>(m));
  const DeviceInfo* device = services.catalog.device(r.device);
  const auto measured = services.engine->saved_roofs(r.device);
  return SolveNumbers{unread.empty() ? solve_break_even(r, others, services.catalog) : SolveBreakEven{.reason = unread},
                      copy_share(r, device ? &device->spec : nullptr, measured ? &*measured : nullptr)};
}

RunRecord told_solve(const RunRecord& r, const SolveNumbers& n) {
  RunRecord told = r;
  told.findings = diagnose_solve(r, &n.break_even);
  return told;
}

std::string json_told(const RunRecord& r, const std::optional<SolveNumbers>& n) {
  if (!n) return to_json(r);
  Json j = Json::parse(to_json(told_solve(r, *n)));
  j["break_even"] = json_of(n->break_even), j["copy_share"] = json_of(n->copy);
  return json_text(j);
}

}  // namespace warpspy::cli
