#include "ui/state/matrices.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/source_name.hpp"
#include "ui/state/state.hpp"

namespace warpspy::ui {

namespace {

std::string lower(std::string s) {
  std::transform(s.begin(), s.end(), s.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return s;
}

// The key by which a column is sorted: a number, or text if the numbers are equal.
struct SortKey {
  double number = 0;
  std::string words;
};

SortKey key_of(const OpenMatrix& m, MatrixColumn by, const std::map<std::string, FastestRun>& best) {
  const auto found = best.find(m.source);
  const FastestRun* run = found == best.end() ? nullptr : &found->second;
  const Csr* a = m.matrix ? m.matrix->csr.get() : nullptr;
  switch (by) {
    case MatrixColumn::opened:
      return {static_cast<double>(m.id), {}};
    case MatrixColumn::name:
      return {0, lower(m.name)};
    case MatrixColumn::nnz:
      return {a ? static_cast<double>(a->nnz()) : -1, {}};
    case MatrixColumn::mean:
      return {m.facts ? m.facts->rows.mean : -1, {}};
    case MatrixColumn::longest:
      return {m.facts ? static_cast<double>(m.facts->rows.max) : -1, {}};
    case MatrixColumn::cv:
      return {m.facts ? variation(m) : -1, {}};
    case MatrixColumn::structure:
      return {0, structure_text(m)};
    case MatrixColumn::smallest:
      return {m.smallest ? static_cast<double>(m.smallest->bytes) : -1, {}};
    case MatrixColumn::kernel:
      return {0, run ? run->run->kernel_label : ""};
    case MatrixColumn::speed:
      return {run ? run->run->gflops.value : -1, {}};
    case MatrixColumn::share:
      return {run && run->share ? run->share->share : -1, {}};
  }
  return {};
}

}  // namespace

bool good_product(const RunRecord& r, const Catalog& catalog) {
  if (r.status != RunStatus::ok || (r.check && !r.check->passed) || !r.parts.empty()) return false;
  const KernelInfo* k = catalog.kernel(r.request.kernel);
  return !k || k->operation == Operation::product;
}

std::optional<RoofShare> share_in(const AppState& s, const RunRecord& r) { return share_in(s.points)(r); }

ShareOf share_in(const Shared<RunPoints>& points) {
  return [points](const RunRecord& r) {
    const auto found = points->find(r.id);
    return found == points->end() ? std::nullopt : roof_share(found->second);
  };
}

std::map<std::string, FastestRun> fastest_runs(const AppState& s) {
  std::map<std::string, FastestRun> best;
  for (const auto& r : s.runs.all()) {
    if (!good_product(*r, *s.catalog)) continue;
    FastestRun& b = best[r->request.matrix];
    if (!b.run || r->gflops.value > b.run->gflops.value) b.run = r;
  }
  for (const OpenMatrix& m : s.matrices) {
    if (!m.best_kept) continue;
    FastestRun& b = best[m.source];
    if (!b.run || m.best_kept->gflops.value > b.run->gflops.value) b.run = m.best_kept;
  }
  for (auto& [source, b] : best) {
    if (b.run) b.share = share_in(s, *b.run);
  }
  std::erase_if(best, [](const auto& b) { return !b.second.run; });
  return best;
}

std::string structure_text(const OpenMatrix& m) {
  if (!m.facts) return "";
  const Structure& s = m.facts->structure;
  if (s.pattern_symmetry < 0) return "rectangular";
  if (s.value_symmetry == 1) return "symmetric";
  return s.pattern_symmetry == 1 ? "pattern symmetric" : "unsymmetric";
}

double variation(const OpenMatrix& m) {
  if (!m.facts || !(m.facts->rows.mean > 0)) return 0;
  return std::sqrt(m.facts->rows.variance) / m.facts->rows.mean;
}

std::vector<const OpenMatrix*> listed_matrices(const AppState& s, const std::map<std::string, FastestRun>& best) {
  const MatricesView& v = s.matrices_view;
  std::vector<std::string> words;
  std::istringstream in(lower(v.filter));
  for (std::string word; in >> word;) words.push_back(word);
  std::vector<std::pair<SortKey, const OpenMatrix*>> listed;
  for (const OpenMatrix& m : s.matrices) {
    const auto run = best.find(m.source);
    const std::string text =
        lower(m.name + " " + m.source + " " + structure_text(m) + " " + (m.smallest ? m.smallest->format : "") + " " +
              (run == best.end() ? "" : run->second.run->kernel_label));
    if (std::all_of(words.begin(), words.end(), [&](const auto& w) { return text.find(w) != std::string::npos; }))
      listed.emplace_back(key_of(m, v.sort, best), &m);
  }
  std::stable_sort(listed.begin(), listed.end(), [&](const auto& x, const auto& y) {
    const auto& [a, b] = v.descending ? std::tie(y, x) : std::tie(x, y);
    return a.first.number != b.first.number ? a.first.number < b.first.number : a.first.words < b.first.words;
  });
  std::vector<const OpenMatrix*> out;
  for (const auto& [key, m] : listed) out.push_back(m);
  return out;
}

std::vector<MatrixId> chosen_matrices(const AppState& s) {
  std::vector<MatrixId> ids;
  for (const OpenMatrix& m : s.matrices)
    if (s.matrices_view.chosen.contains(m.id)) ids.push_back(m.id);
  if (ids.empty() && s.current()) ids.push_back(s.selected);
  return ids;
}

ManyReads many_reads(const AppState& s) {
  const MatricesView& v = s.matrices_view;
  ManyReads reads{s.catalog, s.runs.snapshot(), s.trail, {}, v.only_sweep, s.points, v.measure, v.over, v.products};
  if (v.only_sweep && s.sweep)
    for (const SweepCell& c : s.sweep->sweep.cells()) reads.only.push_back(c.run);
  return reads;
}

std::vector<std::shared_ptr<const RunRecord>> runs_of_figures(const ManyReads& reads) {
  std::vector<std::shared_ptr<const RunRecord>> runs;
  const std::set<std::uint64_t> trail(reads.trail.begin(), reads.trail.end()),
      only(reads.only.begin(), reads.only.end());
  for (const auto& r : *reads.runs)
    if (!trail.contains(r->id) && (!reads.only_sweep || only.contains(r->id))) runs.push_back(r);
  return runs;
}

const BestRun* best_shown(const AppState& s) { return best_shown(s, s.best); }

const BestRun* best_shown(const AppState& s, const std::vector<BestRun>& best) {
  const auto run = s.run(s.selected_run);
  const auto of_run = [&](const BestRun& b) {
    const RunRecord& r = *b.best;
    if (!run) return false;
    const KernelInfo* kernel = s.catalog->kernel(run->request.kernel);
    return run->request.matrix == r.request.matrix && run->request.precision == r.request.precision &&
           run->device == r.device && run->request.cache_state == r.request.cache_state &&
           (!kernel || kernel->operation == b.operation);
  };
  const auto of_matrix = [&](const BestRun& b) { return s.current() && b.best->request.matrix == s.current()->source; };
  for (const BestRun& b : best)
    if (of_run(b)) return &b;
  for (const BestRun& b : best)
    if (of_matrix(b)) return &b;
  return best.empty() ? nullptr : &best.front();
}

RunGrid run_grid(const ManyReads& reads) {
  return grid_of(runs_of_figures(reads), *reads.catalog, share_in(reads.points));
}

std::vector<std::string> turned_axes(const ManyReads& reads) {
  return turned_in(runs_of_figures(reads), *reads.catalog);
}

RunLines run_lines(const ManyReads& reads) {
  const auto axes = turned_axes(reads);
  if (axes.empty()) return {};
  const bool turned = std::find(axes.begin(), axes.end(), reads.over) != axes.end();
  return lines_of(runs_of_figures(reads), *reads.catalog, turned ? reads.over : axes.front());
}

}  // namespace warpspy::ui
