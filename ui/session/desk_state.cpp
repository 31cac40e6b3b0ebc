#include "ui/session/desk_state.hpp"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <iterator>
#include <set>
#include <sstream>

#include "ui/figures/figure.hpp"
#include "ui/session/desk_words.hpp"

namespace warpspy::ui {

namespace {

struct DeskChoice {
  const char* id;
  std::string (*get)(const AppState& s);
  void (*set)(AppState& s, const std::string& text);
};

constexpr std::size_t kMostRunsInAFigure = 40;  // with all that is known of them

std::string yes_no(bool on) { return on ? "yes" : "no"; }
void set_yes_no(bool& on, const std::string& text) {
  if (text == "yes" || text == "no") on = text == "yes";
}

const char* name_of(AnalysisSettings::Kernels k) {
  return k == AnalysisSettings::Kernels::chosen ? "chosen" : "of runs";
}

template <class Enum>
void set_named(Enum& to, const std::string& text, std::initializer_list<Enum> values) {
  for (const Enum v : values)
    if (text == name_of(v)) to = v;
}
// "log_x log_y quartiles", or "" where the axes follow the matrix.
std::string histogram_text(const AppState& s) {
  if (!s.histogram_chosen) return "";
  const auto& h = s.histogram;
  return std::string("chosen") + (h.log_x ? " log_x" : "") + (h.log_y ? " log_y" : "") +
         (h.cumulative ? " cumulative" : "") + (h.quartiles ? " quartiles" : "");
}
void set_histogram(AppState& s, const std::string& text) {
  const auto has = [&](const char* word) { return text.find(word) != std::string::npos; };
  s.histogram_chosen = has("chosen");
  if (!s.histogram_chosen) return;
  auto& h = s.histogram;
  h.log_x = has("log_x"), h.log_y = has("log_y"), h.cumulative = has("cumulative"), h.quartiles = has("quartiles");
}

// THE list. A row here is all that it takes to remember one more word or number.
const DeskChoice list[] = {
    {"tab", [](const AppState& s) { return s.tab; }, [](AppState& s, const std::string& t) { s.tab = t; }},
    {"tabs seen",
     [](const AppState& s) {
       std::string text;
       for (const std::string& id : s.tabs_seen) text += (text.empty() ? "" : " ") + id;
       return text;
     },
     [](AppState& s, const std::string& t) {
       std::istringstream in(t);
       s.tabs_seen.assign(std::istream_iterator<std::string>(in), {});
     }},
    {"panes", [](const AppState& s) { return to_text(s.panes); },
     [](AppState& s, const std::string& t) { s.panes = panes_of(t); }},
    {"device", [](const AppState& s) { return s.awaited_device.empty() ? s.knobs.device : s.awaited_device; },
     [](AppState& s, const std::string& t) {
       const auto* d = s.catalog->device(t);
       if (d && d->available) s.knobs.device = t;
       // Another machine's comes when that has answered.
       if (!d) s.awaited_device = t;
     }},
    {"kernel", [](const AppState& s) { return s.knobs.kernel; },
     [](AppState& s, const std::string& t) {
       if (s.catalog->kernel(t)) s.knobs.kernel = t;
     }},
    {"format", [](const AppState& s) { return s.knobs.format; },
     [](AppState& s, const std::string& t) {
       for (const auto& row : formats())
         if (row.info.id == t) s.knobs.format = t;
     }},
    {"precision", [](const AppState& s) { return std::string(name_of(s.knobs.precision)); },
     [](AppState& s, const std::string& t) { set_named(s.knobs.precision, t, {Precision::f32, Precision::f64}); }},
    {"real view", [](const AppState& s) { return std::string(name_of(s.knobs.view)); },
     [](AppState& s, const std::string& t) { set_named(s.knobs.view, t, {RealView::real_part, RealView::modulus}); }},
    {"cache state", [](const AppState& s) { return std::string(name_of(s.knobs.cache_state)); },
     [](AppState& s, const std::string& t) {
       set_named(s.knobs.cache_state, t, {CacheState::warm, CacheState::cold});
     }},
    {"counters", [](const AppState& s) { return s.knobs.counters; },
     [](AppState& s, const std::string& t) {
       for (const auto& set : s.catalog->counter_sets)
         if (set.id == t || t == "none") s.knobs.counters = t;
     }},
    {"source lines", [](const AppState& s) { return yes_no(s.knobs.lines); },
     [](AppState& s, const std::string& t) { set_yes_no(s.knobs.lines, t); }},
    {"pattern shading", [](const AppState& s) { return std::string(name_of(s.spy.style.shading)); },
     [](AppState& s, const std::string& t) {
       set_named(s.spy.style.shading, t, {Shading::linear, Shading::log, Shading::binary});
     }},
    {"pattern cells", [](const AppState& s) { return std::string(name_of(s.spy.aspect)); },
     [](AppState& s, const std::string& t) {
       set_named(s.spy.aspect, t, {Aspect::automatic, Aspect::square, Aspect::stretch});
     }},
    {"pattern shows", [](const AppState& s) { return s.spy.shade; },
     [](AppState& s, const std::string& t) {
       if (t.empty() || plot::pattern_shade(t)) s.spy.shade = t;
     }},
    {"row lengths", histogram_text, set_histogram},
    {"flops", [](const AppState& s) { return std::string(name_of(s.flops)); },
     [](AppState& s, const std::string& t) { set_named(s.flops, t, {FlopCount::useful, FlopCount::executed}); }},
    {"roofline shows", [](const AppState& s) { return std::string(name_of(s.roofline_settings.runs)); },
     [](AppState& s, const std::string& t) {
       using Runs = RooflineSettings::Runs;
       set_named(s.roofline_settings.runs, t, {Runs::of_matrix, Runs::selected, Runs::all});
     }},
    {"roofline colours", [](const AppState& s) { return std::string(name_of(s.roofline_settings.color)); },
     [](AppState& s, const std::string& t) {
       using By = plot::RooflineStyle::ColorBy;
       set_named(s.roofline_settings.color, t, {By::level, By::matrix, By::kernel, By::device});
     }},
    {"roofline zoom", [](const AppState& s) { return to_text(s.roofline_settings.view); },
     [](AppState& s, const std::string& t) {
       if (const auto view = roof_view_of(t); view || t.empty()) s.roofline_settings.view = view;
     }},
    {"matrices show", [](const AppState& s) { return std::string(name_of(s.matrices_view.face)); },
     [](AppState& s, const std::string& t) {
       using F = MatricesFace;
       set_named(s.matrices_view.face, t, {F::table, F::sweep, F::heat_map, F::profile, F::lines, F::best});
     }},
    {"matrices by",
     [](const AppState& s) {
       return std::to_string(static_cast<int>(s.matrices_view.sort)) + (s.matrices_view.descending ? " down" : "");
     },
     [](AppState& s, const std::string& t) {
       const int column = std::atoi(t.c_str());
       if (column < 0 || column > static_cast<int>(MatrixColumn::share)) return;
       s.matrices_view.sort = static_cast<MatrixColumn>(column);
       s.matrices_view.descending = t.ends_with("down");
     }},
    {"heat map of", [](const AppState& s) { return std::string(plot::name_of(s.matrices_view.measure)); },
     [](AppState& s, const std::string& t) {
       using M = plot::GridMeasure;
       set_named(s.matrices_view.measure, t, {M::gflops, M::roof_share, M::over_best});
     }},
    {"line chart over", [](const AppState& s) { return s.matrices_view.over; },
     [](AppState& s, const std::string& t) { s.matrices_view.over = t; }},
    {"warp", [](const AppState& s) { return s.warp.trace ? to_text(s.warp) : s.warp.waits; },
     [](AppState& s, const std::string& t) {
       // Which one is asked for when the matrix is there.
       const WarpDesk desk = warp_desk_of(t);
       s.warp.view = desk.view, s.warp.stride = desk.stride;
     }},
    {"formats by",
     [](const AppState& s) {
       return std::to_string(static_cast<int>(s.sort_formats)) + (s.sort_descending ? " down" : "");
     },
     [](AppState& s, const std::string& t) {
       const int column = std::atoi(t.c_str());
       if (column < 0 || column >= kFormatColumns) return;
       s.sort_formats = static_cast<FormatColumn>(column);
       s.sort_descending = t.ends_with("down");
     }},
    {"analysis", [](const AppState& s) { return s.analysis.id; },
     [](AppState& s, const std::string& t) {
       for (const AnalysisRow& row : analyses())
         if (row.info.id == t) s.analysis.id = t;
     }},
    {"analysed kernels", [](const AppState& s) { return std::string(name_of(s.analysis.kernels)); },
     [](AppState& s, const std::string& t) {
       set_named(s.analysis.kernels, t, {AnalysisSettings::Kernels::chosen, AnalysisSettings::Kernels::of_runs});
     }},
    {"strategy", [](const AppState& s) { return s.tune.strategy; },
     [](AppState& s, const std::string& t) {
       if (t.empty() || s.catalog->strategy(t)) s.tune.strategy = t;
     }},
    {"search x", [](const AppState& s) { return s.tune.x; }, [](AppState& s, const std::string& t) { s.tune.x = t; }},
    {"search y", [](const AppState& s) { return s.tune.y; }, [](AppState& s, const std::string& t) { s.tune.y = t; }},
    {"search path", [](const AppState& s) { return s.tune.path; },
     [](AppState& s, const std::string& t) { s.tune.path = t; }},
    {"session file", [](const AppState& s) { return s.session; },
     [](AppState& s, const std::string& t) { s.session = t; }},
    {"all runs", [](const AppState& s) { return yes_no(s.list.all); },
     [](AppState& s, const std::string& t) { set_yes_no(s.list.all, t); }},
};

DeskMatrix matrix_of(const OpenMatrix& m) {
  DeskMatrix d;
  d.recipe = m.recipe;
  d.name = m.name;
  d.file = m.file;
  if (m.matrix) d.rows = m.matrix->csr->rows(), d.cols = m.matrix->csr->cols(), d.nnz = m.matrix->csr->nnz();
  d.camera = {m.camera.fit, m.camera.row, m.camera.col, m.camera.row_px, m.camera.col_px};
  return d;
}

void add_runs(const AppState& s, Desk& d) {
  std::set<std::uint64_t> there;
  const auto add = [&](const std::shared_ptr<const RunRecord>& r, bool listed) {
    if (!r || !there.insert(r->id).second) return;
    const auto note = s.notes.find(r->id);
    d.runs.push_back({r->id, listed, note == s.notes.end() ? "" : note->second, r});
  };
  for (const auto& r : s.runs.all())
    if (!s.on_trail(r->id)) add(r, true);
  add(s.looked_at, false);
  for (const auto& r : s.comparing) add(r, false);
}

}  // namespace

std::map<std::string, std::string> choices_of(const AppState& s) {
  std::map<std::string, std::string> all;
  for (const DeskChoice& c : list) all[c.id] = c.get(s);
  return all;
}

void set_choices(AppState& s, const std::map<std::string, std::string>& choices) {
  for (const DeskChoice& c : list)
    if (const auto found = choices.find(c.id); found != choices.end()) c.set(s, found->second);
}

Desk desk_of(const AppState& s) {
  Desk d;
  for (const OpenMatrix& m : s.matrices) {
    if (m.id == s.selected) d.active = static_cast<int>(d.matrices.size());
    d.matrices.push_back(matrix_of(m));
    if (const auto own = s.knobs_of.find(m.id); own != s.knobs_of.end() && m.id != s.selected)
      d.matrices.back().knobs = {own->second.kernel, own->second.format, own->second.kernel_params,
                                 own->second.format_params};
  }
  d.choices = choices_of(s);
  d.kernel_params = s.knobs.kernel_params;
  d.format_params = s.knobs.format_params;
  d.analysis_params = s.analysis.params;
  if (const auto& h = s.highlight) {
    d.marked_lo = h->lo, d.marked_hi = h->hi;
    if (h->lo >= h->hi) d.marked_first = h->first, d.marked_past = h->past;
  }
  add_runs(s, d);
  d.selected_run = s.selected_run;
  d.beside_run = s.beside_run;
  for (const auto& r : s.comparing) d.compared.push_back(r->id);
  // What is under way is not found yet.
  if (s.tuning && !s.tuning->job) d.tuning = s.tuning->record;
  for (const auto& [id, a] : s.analyses)
    if (a.result) d.analyses.push_back(*a.result);
  if (s.sweep) {
    d.sweep = s.sweep->sweep.kept();
    d.sweep->folder = s.sweep->path;
  }
  return d;
}

void leave_own(Desk& desk) {
  for (const char* own : {"panes", "tabs seen", "session file"}) desk.choices.erase(own);
  desk.sweep.reset();  // its folder
}

std::string desk_of_figure(const AppState& s, const Figure& figure) {
  const FigureRow& row = *figure.row;
  Desk desk = desk_of(s);
  // In a report it may be of another matrix than the current one.
  if (row.of_matrix && !figure.subject.matrices.empty())
    for (std::size_t k = 0; k < s.matrices.size(); ++k)
      if (s.matrices[k].source == figure.subject.matrices.front().source &&
          s.matrices[k].matrix == figure.subject.matrices.front().matrix)
        desk.active = static_cast<int>(k);
  desk.choices["tab"] = row.tab;
  leave_own(desk);
  if (row.tab != std::string("tune")) desk.tuning.reset();
  if (row.tab != std::string("analyses")) desk.analyses.clear();
  const auto& runs = figure.subject.runs;
  std::erase_if(desk.runs, [&](const DeskRun& run) {
    const bool of_figure = std::find(runs.begin(), runs.end(), run.record) != runs.end();
    return !of_figure && run.id != desk.selected_run && run.id != desk.beside_run;
  });
  if (desk.runs.size() > kMostRunsInAFigure)
    for (DeskRun& run : desk.runs)
      if (run.id < kUnkept) run.record.reset();
  return to_json(desk);
}

}  // namespace warpspy::ui
