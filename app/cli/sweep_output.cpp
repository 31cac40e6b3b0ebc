#include "app/cli/sweep_output.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "core/base/numbers.hpp"
#include "core/model/roofline.hpp"
#include "core/model/run_lines.hpp"
#include "core/plot/figures.hpp"
#include "core/plot/many_figures.hpp"
#include "core/run/store.hpp"
#include "core/sweep/table.hpp"

namespace warpspy::cli {
namespace {

using Run = std::shared_ptr<const RunRecord>;

// Figures know a run by its number. Those that no history has get one that ends with this program.
std::vector<Run> numbered(const StoredSweep& stored) {
  std::vector<Run> runs;
  std::set<std::uint64_t> taken;
  std::uint64_t next = kUnkept;
  for (const Run& r : stored.records) {
    if (!r) continue;
    if (r->id != 0 && taken.insert(r->id).second) {
      runs.push_back(r);
      continue;
    }
    RunRecord other = *r;
    other.id = next++;
    runs.push_back(std::make_shared<const RunRecord>(std::move(other)));
  }
  return runs;
}

bool good(const RunRecord& r) { return r.status == RunStatus::ok && !(r.check && !r.check->passed); }

class Figures {
 public:
  Figures(const Services& services, const Folder& folder, const FigureOptions& look, std::string ending)
      : services_(services), folder_(folder), look_(look), ending_(std::move(ending)) {}

  plot::Theme theme() const { return look_.theme(); }
  std::vector<Roof> roofs_of_device(const DeviceInfo& device, Precision precision) const {
    const auto measured = services_.engine->kept_roofs(device.id);
    return roofs_of(device.spec, precision, measured ? &*measured : nullptr);
  }
  void write(const std::string& name, const plot::Plot& figure, const std::vector<Run>& runs) {
    FigureOptions one = look_;
    one.out = name + "." + ending_;
    for (const Run& r : runs) one.of_run(*r, true);
    one.write(figure, folder_);
    files.push_back(one.out);
  }
  std::vector<std::string> files;

 private:
  const Services& services_;
  const Folder& folder_;
  const FigureOptions& look_;
  std::string ending_;
};

void write_grids(const std::vector<Run>& runs, const Services& services, Figures& figures) {
  const RunGrid grid = grid_of(runs, services.catalog, [&](const RunRecord& r) -> std::optional<RoofShare> {
    const DeviceInfo* device = services.catalog.device(r.device);
    if (!device) return std::nullopt;
    return roof_share(roofline_points(r, figures.roofs_of_device(*device, r.request.precision)));
  });
  if (grid.empty()) return;
  figures.write("heatmap", plot::heat_map_figure(grid, plot::GridMeasure::gflops, figures.theme()), runs);
  const plot::Plot profile = plot::profile_figure(grid, figures.theme());
  if (!profile.series.empty() && grid.columns.size() > 1) figures.write("profile", profile, runs);
}

// A roofline for each device and precision, with a path for each curve of the line chart.
void write_rooflines(const std::vector<Run>& runs, const RunLines& lines, const Services& services, Figures& figures) {
  constexpr std::size_t kMostPaths = 12;
  std::map<std::pair<std::string, Precision>, std::vector<Run>> planes;
  for (const Run& r : runs)
    if (good(*r) && services.catalog.device(r->device)) planes[{r->device, r->request.precision}].push_back(r);
  plot::RooflineStyle style;
  style.byte_counts = false;
  for (const RunLines::Curve& c : lines.curves) {
    if (style.paths.size() == kMostPaths) break;
    std::vector<std::uint64_t>& path = style.paths.emplace_back();
    for (const RunLines::Point& p : c.points) path.push_back(p.run);
  }
  for (const auto& [plane, of] : planes) {
    std::set<std::string> kernels, matrices;
    for (const Run& r : of) kernels.insert(r->request.kernel), matrices.insert(r->matrix_name);
    style.color = kernels.size() > 1    ? plot::RooflineStyle::ColorBy::kernel
                  : matrices.size() > 1 ? plot::RooflineStyle::ColorBy::matrix
                                        : plot::RooflineStyle::ColorBy::level;
    const DeviceInfo& device = *services.catalog.device(plane.first);
    std::string name = "roofline";
    if (planes.size() > 1) name += "-" + plane.first + "-" + name_of(plane.second);
    std::replace(name.begin(), name.end(), ':', '-');
    figures.write(
        name,
        plot::roofline_figure(figures.roofs_of_device(device, plane.second), device.name, of, style, figures.theme()),
        of);
  }
}

}  // namespace

std::vector<std::string> write_results(const Sweep& sweep, const StoredSweep& stored, const Services& services,
                                       const Folder& folder, const FigureOptions& look, const std::string& ending,
                                       const std::string& x) {
  folder.write("table.csv", table_of(sweep, stored, services.catalog));
  Figures figures(services, folder, look, ending);
  figures.files.emplace_back("table.csv");
  const std::vector<Run> runs = numbered(stored);
  const std::vector<std::string> turned = turned_in(runs, services.catalog);
  if (!x.empty() && std::find(turned.begin(), turned.end(), x) == turned.end()) {
    std::string known;
    for (const std::string& id : turned) known += (known.empty() ? "" : ", ") + id;
    throw Error("nothing was turned in this sweep that is called " + x, folder.path(),
                known.empty() ? "its products do not differ by a parameter" : "known: " + known);
  }
  RunLines lines;
  if (!turned.empty()) lines = lines_of(runs, services.catalog, x.empty() ? turned.front() : x);
  if (!lines.curves.empty()) figures.write("line", plot::line_figure(lines, figures.theme()), runs);
  if (std::any_of(runs.begin(), runs.end(), [](const Run& r) { return good(*r); })) {
    write_grids(runs, services, figures);
    write_rooflines(runs, lines, services, figures);
  }
  return figures.files;
}

std::vector<std::string> reasons_of(const Sweep& sweep, CellState state) {
  std::map<std::string, std::size_t> count;
  for (const SweepCell& c : sweep.cells())
    if (c.state == state) ++count[c.reason];
  std::vector<std::pair<std::size_t, std::string>> order;
  for (const auto& [reason, n] : count) order.emplace_back(n, reason);
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> lines;
  for (const auto& [n, reason] : order)
    lines.push_back(counted(static_cast<index_t>(n), "product") +
                    (state == CellState::skipped ? " cannot run: " : " failed: ") + reason);
  return lines;
}

std::string duration_text(double seconds) {
  char text[32];
  if (seconds < 99.5)
    std::snprintf(text, sizeof text, "%.0f s", seconds);
  else if (seconds < 99.5 * 60)
    std::snprintf(text, sizeof text, "%.0f min", seconds / 60);
  else
    std::snprintf(text, sizeof text, "%.1f h", seconds / 3600);
  return text;
}

}  // namespace warpspy::cli
