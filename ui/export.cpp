#include "core/plot/export.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/base/target.hpp"
#include "core/plot/analysis_figures.hpp"
#include "core/plot/format_figures.hpp"
#include "ui/session.hpp"

namespace warpspy::ui {

namespace {

// Counts at about the resolution of the picture, in the shape of the window.
CountGrid grid_for(const Csr& a, const Window& w, const Progress& progress) {
  constexpr double most = 1200;
  const double rows = static_cast<double>(w.row1 - w.row0), cols = static_cast<double>(w.col1 - w.col0);
  const bool extreme = rows > 4 * cols || cols > 4 * rows;
  const double longest = std::max(rows, cols);
  const auto cells = [&](double n) {
    return static_cast<int>(
        std::clamp(extreme ? std::min(n, most) : std::ceil(n * std::min(1.0, most / longest)), 1.0, most));
  };
  return count_grid(a, w, cells(cols), cells(rows), &progress);
}

void write_comparison(const AppState& s, const std::string& path) {
  if (!s.comparison) throw Error("no runs are compared", "", "Ctrl+click two runs in the table first");
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending != ".csv" && ending != ".json")
    throw Error("a comparison is written as .csv or .json", path,
                "choose one of these endings; its picture is the roofline");
  write_file(path, ending == ".csv" ? to_csv(*s.comparison) : to_json(*s.comparison) + "\n");
}

void write_runs(const AppState& s, const std::string& path) {
  std::vector<RunRecord> runs;
  // What is listed; without a list yet (a script's export), this session's.
  for (const auto& k : s.list.rows) runs.push_back(*k.record);
  std::reverse(runs.begin(), runs.end());
  const std::string ending = std::filesystem::path(path).extension().string();
  std::string text;
  if (ending == ".csv") {
    text = to_csv(runs);
  } else if (ending == ".json") {
    text = "[\n";
    for (std::size_t k = 0; k < runs.size(); ++k) text += to_json(runs[k]) + (k + 1 < runs.size() ? ",\n" : "\n");
    text += "]\n";
  } else {
    throw Error("runs are written as .csv or .json", path, "choose one of these endings");
  }
  write_file(path, text);
}

}  // namespace

void export_figure(const AppState& s, const ExportFigure& what, const Progress& progress) {
  // White ground by default, whatever the window looks like: exports go into papers.
  const plot::Theme theme = plot::light_theme();
  const auto* m = s.current();
  const auto need_matrix = [&] {
    if (!m || !m->matrix) throw Error("there is no matrix to draw", "", "open one first");
  };
  switch (what.what) {
    case Figure::spy: {
      need_matrix();
      const CountGrid grid = grid_for(*m->matrix->csr, what.window.value_or(whole(*m->matrix->csr)), progress);
      return plot::export_plot(plot::spy_figure(*m->matrix, grid, s.spy.style, theme), what.path, what.width,
                               what.height, theme);
    }
    case Figure::histogram:
      need_matrix();
      if (!m->facts) throw Error("the facts of the matrix are not ready yet", m->name, "wait a moment and try again");
      return plot::export_plot(plot::histogram_figure(*m->matrix, m->facts->rows, histogram_style(s, *m), theme),
                               what.path, what.width, what.height, theme);
    case Figure::roofline: {
      const auto* d = s.roofline_device;
      return plot::export_plot(
          plot::roofline_figure(s.roofs, d ? d->name : "", roofline_runs(s, false), roofline_style(s), theme),
          what.path, what.width, what.height, theme);
    }
    case Figure::layout: {
      need_matrix();
      Progress own;
      return plot::export_plot(
          plot::format_figure(*m->matrix, *m->format_facts,
                              {s.knobs.format, format_params_of(s, s.knobs.format), s.knobs.precision, s.knobs.view},
                              plot::FormatPicture::automatic, m->costs ? m->costs->budget : Budget{}, theme, own),
          what.path, what.width, what.height, theme);
    }
    case Figure::tuning: {
      const auto* kernel = s.tuning ? s.catalog->kernel(s.tuning->record.request.run.kernel) : nullptr;
      if (!kernel || s.tuning->record.steps.empty()) throw Error("nothing was tuned yet", "", "start a search first");
      plot::TunePlaneStyle style;
      style.x = s.tune.x, style.y = s.tune.y, style.path = tune_path(s);
      return plot::export_plot(plot::tune_plane_figure(s.tuning->record, *kernel, style, theme), what.path, what.width,
                               what.height, theme);
    }
    case Figure::analysis: {
      const auto found = s.analyses.find(s.analysis.id);
      if (found == s.analyses.end() || !found->second.result)
        throw Error("this analysis was not made yet", s.analysis.id, "run it in the tab Analyses first");
      return plot::export_plot(plot::analysis_figure(*found->second.result, theme), what.path, what.width, what.height,
                               theme);
    }
    case Figure::memory: {
      const auto runs = memory_runs(s);
      if (runs.empty()) throw Error("there is no run to draw", "", "run a kernel first");
      return plot::export_plot(plot::memory_figure(runs, theme), what.path, what.width, what.height, theme);
    }
    case Figure::runs:
      return write_runs(s, what.path);
    case Figure::comparison:
      return write_comparison(s, what.path);
  }
}

}  // namespace warpspy::ui
