// Runs as several rooflines.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/figure/figure.hpp"

namespace warpspy::figure {

std::vector<Plane> planes_of(const std::vector<std::shared_ptr<const RunRecord>>& runs) {
  std::map<std::pair<std::string, Precision>, Plane> planes;
  for (const auto& r : runs) {
    if (r->status != RunStatus::ok || (r->check && !r->check->passed)) continue;
    Plane& p = planes[{r->device, r->request.precision}];
    p.device = r->device, p.precision = r->request.precision;
    p.runs.push_back(r);
  }
  std::vector<Plane> all;
  for (auto& [key, plane] : planes) {
    if (planes.size() > 1) plane.suffix = "-" + plane.device + "-" + name_of(plane.precision);
    std::replace(plane.suffix.begin(), plane.suffix.end(), ':', '-');
    all.push_back(std::move(plane));
  }
  return all;
}

plot::RooflineStyle::ColorBy telling_colour(const std::vector<std::shared_ptr<const RunRecord>>& runs) {
  std::set<std::string> kernels, matrices;
  for (const auto& r : runs) kernels.insert(r->request.kernel), matrices.insert(r->matrix_name);
  using By = plot::RooflineStyle::ColorBy;
  return kernels.size() > 1 ? By::kernel : matrices.size() > 1 ? By::matrix : By::level;
}

}  // namespace warpspy::figure
