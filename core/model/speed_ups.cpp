#include "core/model/speed_ups.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "core/model/run_lines.hpp"

namespace warpspy {
namespace {

using Run = std::shared_ptr<const RunRecord>;

constexpr std::size_t kMostSaved = 2000;

bool is_good(const RunRecord& r) {
  return r.status == RunStatus::ok && !(r.check && !r.check->passed) && r.time.value > 0;
}

// Whether both are products, or iterations of the same kind.
bool same_work(const RunRequest& a, const RunRequest& b) {
  return a.solver == b.solver && a.preconditioner == b.preconditioner && a.degree == b.degree && a.restart == b.restart;
}

// With a copy of each run on one GPU for each way to divide rows that occurs, so that every way has its base.
std::vector<Run> with_bases(const std::vector<Run>& runs) {
  std::set<Split> splits;
  std::vector<Run> all;
  for (const Run& r : runs)
    if (is_good(*r) && r->request.parts > 1) splits.insert(r->request.split), all.push_back(r);
  for (const Run& r : runs) {
    if (!is_good(*r) || r->request.parts != 1) continue;
    for (const Split split : splits) {
      auto base = std::make_shared<RunRecord>(*r);
      base->request.split = split;
      all.push_back(std::move(base));
    }
  }
  return all;
}

double best_of(const SpeedUps::Curve& c) {
  double best = 0;
  for (const SpeedUps::Point& p : c.points) best = std::max(best, p.times);
  return best;
}

// Whether two runs differ at most in their numbers of parts.
bool alike(const RunRecord& a, const RunRecord& b) {
  const RunRequest &p = a.request, &q = b.request;
  return a.matrix_name == b.matrix_name && a.device_name == b.device_name && p.kernel == q.kernel &&
         p.split == q.split && p.precision == q.precision && p.cache_state == q.cache_state && p.params == q.params &&
         p.format_params == q.format_params && same_work(p, q);
}

}  // namespace

std::optional<double> SpeedUps::of(const RunRecord& r) const {
  if (r.request.parts < 2 || !is_good(r)) return std::nullopt;
  for (const Curve& c : curves)
    if (alike(*c.points.front().record, r)) return c.points.front().us / r.time.value;
  return std::nullopt;
}

SpeedUps speed_ups(const std::vector<Run>& runs, const Catalog& catalog) {
  const std::vector<Run> all = with_bases(runs);
  RunLines lines = lines_of(all, catalog, "parts");
  SpeedUps out;
  out.conditions = lines.conditions;
  std::size_t over_parts = 0, placed = 0;
  for (const Run& r : all) over_parts += r->request.parts > 1;
  for (RunLines::Curve& line : lines.curves) {
    if (line.points.front().x != 1) continue;
    const double base = line.points.front().us;
    SpeedUps::Curve c{std::move(line.name), {}};
    for (const RunLines::Point& p : line.points) {
      c.points.push_back({p.x, base / p.us, base / p.us / p.x, p.us, p.runs, p.record});
      if (p.x > 1) placed += p.runs;
    }
    out.curves.push_back(std::move(c));
  }
  out.without_base = over_parts - placed;
  std::stable_sort(out.curves.begin(), out.curves.end(),
                   [](const auto& a, const auto& b) { return best_of(a) > best_of(b); });
  return out;
}

std::vector<Run> saved_runs_like(const SavedRuns& saved, const RunRecord& r) {
  HistoryQuery query;
  query.matrix = r.matrix_name;
  query.precision = r.request.precision;
  query.limit = kMostSaved;
  std::vector<Run> runs;
  for (SavedRun& k : saved.find(query).runs)
    if (is_good(*k.record) && k.record->request.kernel == r.request.kernel && same_work(k.record->request, r.request) &&
        k.record->fingerprint == r.fingerprint)
      runs.push_back(std::move(k.record));
  return runs;
}

}  // namespace warpspy
