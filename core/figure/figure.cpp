#include "core/figure/figure.hpp"

#include <algorithm>
#include <string_view>

#include "core/run/history.hpp"
#include "core/run/store.hpp"

namespace warpspy::figure {
namespace {

using Run = std::shared_ptr<const RunRecord>;

// Only the requested kernels, in the requested order; matrices have their displayed names.
std::vector<Run> chosen_runs(const std::vector<Run>& runs, const Options& o) {
  std::vector<Run> chosen;
  for (const Run& r : runs) {
    if (!o.kernels.empty() && std::find(o.kernels.begin(), o.kernels.end(), r->request.kernel) == o.kernels.end())
      continue;
    chosen.push_back(r);
    const std::string name = written_name(r->matrix_name);
    if (name == r->matrix_name || r->id == 0 || r->id >= kUnsaved) continue;  // no name of its own
    RunRecord named = *r;
    named.matrix_name = name;
    chosen.back() = std::make_shared<const RunRecord>(std::move(named));
  }
  const auto place = [&](const Run& r) { return std::find(o.kernels.begin(), o.kernels.end(), r->request.kernel); };
  if (!o.kernels.empty())
    std::stable_sort(chosen.begin(), chosen.end(), [&](const Run& a, const Run& b) { return place(a) < place(b); });
  return chosen;
}

void require_kernels(const std::vector<Run>& runs, const Options& o) {
  for (const std::string& id : o.kernels) {
    const auto is_it = [&](const Run& r) { return r->request.kernel == id; };
    if (std::any_of(runs.begin(), runs.end(), is_it)) continue;
    std::string known;
    for (const Run& r : runs)
      if (known.find(r->request.kernel) == std::string::npos) known += (known.empty() ? "" : ", ") + r->request.kernel;
    throw Error("none of the runs is of kernel " + id, {}, known.empty() ? "run it first" : "they are of: " + known);
  }
}

void set_ends(plot::Axis& axis, const std::optional<double>& min, const std::optional<double>& max, const char* name) {
  axis.min = min.value_or(axis.min), axis.max = max.value_or(axis.max);
  if (!(axis.min < axis.max) || (axis.scale == plot::Scale::log10 && !(axis.min > 0)))
    throw Error(std::string("the ") + name + " axis cannot have these ends", {},
                axis.scale == plot::Scale::log10 ? "they rise, and are above 0" : "they rise");
}

void add_lines(std::vector<std::string>& lines, const std::string& text) {
  for (std::size_t first = 0; first < text.size();) {
    const std::size_t past = std::min(text.find('\n', first), text.size());
    lines.push_back(text.substr(first, past - first));
    first = past + 1;
  }
}

void dress(plot::Plot& plot, const Row& row, const Options& o) {
  if (!o.title.empty()) plot.title = o.title;
  add_lines(plot.foot, o.caption);
  if (o.limits == Limits{}) return;
  if (!row.axes || !plot.tables.empty() || plot.diagram || !plot.warps.empty())
    throw Error(std::string("this figure has no axes whose ends could be set: ") + row.word);
  set_ends(plot.x, o.limits.x_min, o.limits.x_max, "x");
  set_ends(plot.y, o.limits.y_min, o.limits.y_max, "y");
}

}  // namespace

bool Row::takes_field(const std::string& id) const {
  const auto is_it = [&](const char* name) { return id == name; };
  if (!picture()) return std::any_of(takes.begin(), takes.end(), is_it);
  const bool limit = id.ends_with("-range");
  const auto common = common_fields();
  return (std::any_of(common.begin(), common.end(), is_it) && (axes || !limit)) ||
         std::any_of(takes.begin(), takes.end(), is_it);
}

Look look_of(const plot::Page& page) {
  constexpr double kMostCells = 1600;
  return {plot::theme_of(page),
          std::min(kMostCells, std::min(page.width, page.height) * (page.on_paper() ? page.png_scale : 1))};
}

plot::Plot draw(const Row& row, const Subject& subject, const Options& options, const Look& look,
                const Progress& progress) {
  if (!row.picture()) throw Error(std::string(row.word) + ": these are numbers alone", {}, "use .csv or .json");
  require_kernels(subject.runs, options);
  Subject chosen = subject;
  chosen.runs = chosen_runs(subject.runs, options);
  for (Subject::OfMatrix& m : chosen.matrices) m.name = written_name(m.name);
  plot::Plot plot = row.build(chosen, options, look, progress);
  dress(plot, row, options);
  return plot;
}

void describe(plot::FigureRecipe& recipe, const Subject& subject, bool kept) {
  // Uses absolute paths, since a recipe may be read in any folder.
  const auto add = [&](const std::string& given, const std::string& hash) {
    const std::string source = absolute_source(given);
    const plot::FigureRecipe::Matrix of{source, hash};
    const auto same = [&](const plot::FigureRecipe::Matrix& m) { return m.source == source; };
    if (std::none_of(recipe.matrices.begin(), recipe.matrices.end(), same)) recipe.matrices.push_back(of);
  };
  for (const Subject::OfMatrix& m : subject.matrices) add(m.source, m.hash);
  for (const Run& r : subject.runs) {
    if (r->status != RunStatus::ok) continue;
    plot::add_run(recipe, *r, kept);
    add(r->request.matrix, "");
  }
  if (subject.analysis)
    for (const AnalysisSubject& of : subject.analysis->subjects)
      for (const auto& done : of.runs)
        if (done.record) plot::add_run(recipe, *done.record, false);
  if (subject.search) plot::add_device(recipe, subject.search->device_name, subject.search->provenance);
  for (const auto& w : subject.warps) plot::add_device(recipe, w.trace->gpu, Provenance::modelled);
  if (subject.measured)
    plot::add_device(recipe, subject.measured->device + ", driver of CUDA " + subject.measured->driver,
                     Provenance::measured);
}

std::string written_name(const std::string& name) {
  constexpr std::string_view kPacked[] = {".gz", ".xz", ".bz2", ".zst", ".zip", ".tar", ".tgz", ".7z"};
  constexpr std::string_view kKinds[] = {".mtx", ".mat", ".rb",    ".rua", ".rsa",
                                         ".hb",  ".npz", ".graph", ".el",  ".edges"};
  std::string written = name;
  const auto without = [&](const auto& endings) {
    for (const std::string_view e : endings)
      if (written.size() > e.size() && written.ends_with(e)) {
        written.resize(written.size() - e.size());
        return true;
      }
    return false;
  };
  while (without(kPacked)) {
  }
  without(kKinds);
  return written;
}

}  // namespace warpspy::figure
