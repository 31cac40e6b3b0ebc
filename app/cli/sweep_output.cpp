#include "app/cli/sweep_output.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "core/base/json_text.hpp"
#include "core/base/numbers.hpp"
#include "core/model/roofline.hpp"
#include "core/model/run_lines.hpp"
#include "core/plot/export.hpp"
#include "core/run/store.hpp"
#include "core/sweep/table.hpp"

namespace warpspy::cli {
namespace {

using Run = std::shared_ptr<const RunRecord>;

// Figures identify a run by its number. Runs that are not in a history get a temporary number.
std::vector<Run> numbered(const StoredSweep& stored) {
  std::vector<Run> runs;
  std::set<std::uint64_t> taken;
  std::uint64_t next = kUnsaved;
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
      : services_(services), folder_(folder), look_(look), ending_(std::move(ending)) {
    subject_.catalog = &services.catalog;
    share_of_roofs(subject_, services);
  }

  // A figure that does not fit on the page, or has nothing to show, does not stop the others.
  void write(const char* id, const std::string& name, const std::vector<Run>& runs, const figure::Options& options) {
    FigureOptions one = look_;
    const std::string file = name + "." + ending_;
    one.out = file;
    one.chosen = options;
    subject_.runs = runs;
    of_device(subject_, services_, *runs.front());
    try {
      one.write(*figure::row(id), subject_, true, folder_);
      files.push_back(file);
    } catch (const plot::NoRoom& e) {
      leave_out(file, e.reason, e.remedy);
    }
  }
  void leave_out(const std::string& file, const std::string& reason, const std::string& remedy) const {
    std::cerr << "warpspy: " << file << " is left out: " << reason << "; " << remedy << "\n";
  }
  const std::string& ending() const { return ending_; }
  std::vector<std::string> files;

 private:
  const Services& services_;
  figure::Subject subject_;
  const Folder& folder_;
  const FigureOptions& look_;
  std::string ending_;
};

void write_grids(const std::vector<Run>& runs, const Services& services, Figures& figures) {
  const RunGrid grid = grid_of(runs, services.catalog, {});
  if (grid.empty()) return;
  figures.write("heatmap", "heatmap", runs, {});
  if (!profile_of(grid).matrices.empty() && grid.columns.size() > 1) figures.write("profile", "profile", runs, {});
}

// Writes a roofline for each device and precision; each curve of the line chart is a path on it.
void write_rooflines(const std::vector<Run>& runs, const RunLines& lines, const Services& services, Figures& figures) {
  constexpr std::size_t kMostPaths = 12;
  figure::Options options;
  plot::RooflineStyle& style = options.roofline;
  style.byte_counts = false;
  for (const RunLines::Curve& c : lines.curves) {
    if (style.paths.size() == kMostPaths) break;
    std::vector<std::uint64_t>& path = style.paths.emplace_back();
    for (const RunLines::Point& p : c.points) path.push_back(p.run);
  }
  for (const figure::Plane& plane : figure::planes_of(runs)) {
    if (!services.catalog.device(plane.device)) {
      figures.leave_out("roofline" + plane.suffix + "." + figures.ending(),
                        "the device " + plane.device + " is not here, nor are its roofs",
                        "name the engine that has it with --engine-command");
      continue;
    }
    style.color = figure::telling_colour(plane.runs);
    figures.write("roofline", "roofline" + plane.suffix, plane.runs, options);
  }
}

void print_json(const Sweep& sweep, const std::string& folder, const std::vector<std::string>& files) {
  const SweepCounts n = sweep.counts();
  nlohmann::ordered_json j = {{"schema", "warpspy-sweep-1"},
                              {"folder", folder},
                              {"products", n.all()},
                              {"done", n.done},
                              {"failed", n.failed},
                              {"skipped", n.skipped},
                              {"waiting", n.left()},
                              {"files", files},
                              {"cells", nlohmann::ordered_json::array()}};
  for (const SweepCell& c : sweep.cells()) {
    nlohmann::ordered_json cell = {
        {"matrix", c.matrix_name}, {"kernel", c.request.kernel}, {"state", name_of(c.state)}};
    if (!c.reason.empty()) cell["reason"] = c.reason;
    if (c.run != 0) cell["run"] = c.run;
    j["cells"].push_back(std::move(cell));
  }
  std::cout << json_text(j) << "\n";
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
    throw Error("nothing was varied in this sweep that is called " + x, folder.path(),
                known.empty() ? "its products do not differ by a parameter" : "known: " + known);
  }
  RunLines lines;
  if (!turned.empty()) lines = lines_of(runs, services.catalog, x.empty() ? turned.front() : x);
  figure::Options over;
  over.over = lines.x;
  if (!lines.curves.empty()) figures.write("line", "line", runs, over);
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

void tell_lines(const std::vector<std::string>& lines, std::size_t most) {
  for (std::size_t k = 0; k < std::min(lines.size(), most); ++k) std::cerr << "warpspy: " << lines[k] << "\n";
  if (lines.size() > most) std::cerr << "warpspy: and " << lines.size() - most << " other reasons; the table has all\n";
}

int code_of(const SweepCounts& n) { return n.left() > 0 ? 3 : n.failed > 0 ? 1 : 0; }

void print_end(const Sweep& sweep, const std::string& folder, const std::vector<std::string>& files, bool json) {
  if (json) return print_json(sweep, folder, files);
  std::cout << progress_text(sweep.counts()) << "\n";
  for (const std::string& line : reasons_of(sweep, CellState::failed)) std::cout << "  " << line << "\n";
  for (const std::string& line : reasons_of(sweep, CellState::skipped)) std::cout << "  " << line << "\n";
  if (files.empty()) return;
  std::cout << folder << ":";
  for (const std::string& file : files) std::cout << " " << file;
  std::cout << "\n";
}

}  // namespace warpspy::cli
