#include "ui/state/choice_rows.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "core/plot/pattern_shades.hpp"
#include "ui/state/desk_words.hpp"
#include "ui/state/parts.hpp"

namespace warpspy::ui {

namespace {

using Saved = ChoiceRow::Saved;

const char* name_of(AnalysisSettings::Kernels k) {
  return k == AnalysisSettings::Kernels::chosen ? "chosen" : "of runs";
}
constexpr int count_of(Precision) { return 2; }
constexpr int count_of(RealView) { return 2; }
constexpr int count_of(CacheState) { return 2; }
constexpr int count_of(Shading) { return 3; }
constexpr int count_of(Colormap) { return 3; }
constexpr int count_of(Aspect) { return 3; }
constexpr int count_of(ThemeId) { return 2; }
constexpr int count_of(FlopCount) { return 2; }
constexpr int count_of(RooflineSettings::Runs) { return 3; }
constexpr int count_of(plot::RooflineStyle::ColorBy) { return 4; }
constexpr int count_of(MatricesFace) { return 6; }
constexpr int count_of(plot::GridMeasure) { return 4; }
constexpr int count_of(AnalysisSettings::Kernels) { return 2; }
constexpr int count_of(Solver) { return 5; }
constexpr int count_of(Preconditioner) { return 4; }
constexpr int count_of(Split) { return 3; }

std::string text_of(const std::string& v) { return v; }
std::string text_of(bool v) { return v ? "yes" : "no"; }
std::string text_of(std::uint64_t v) { return std::to_string(v); }
template <class Enum>
  requires std::is_enum_v<Enum>
std::string text_of(Enum v) {
  return name_of(v);
}

void read(const std::string& text, std::string& v) { v = text; }
void read(const std::string& text, bool& v) {
  if (text == "yes" || text == "no") v = text == "yes";
}
void read(const std::string& text, std::uint64_t& v) {
  std::istringstream in(text);
  if (std::uint64_t n = 0; in >> n) v = n;
}
template <class Enum>
  requires std::is_enum_v<Enum>
void read(const std::string& text, Enum& v) {
  for (int k = 0; k < count_of(Enum{}); ++k)
    if (text == name_of(static_cast<Enum>(k))) v = static_cast<Enum>(k);
}

// A row whose field has a text form: a word, yes or no, a number, or one of named values.
template <auto field>
ChoiceRow row(const char* id, const char* label = nullptr, Saved saved = Saved::desk) {
  return {.id = id,
          .label = label,
          .saved = saved,
          .get = [](const AppState& s) { return text_of(field(s)); },
          .set = [](AppState& s, const std::string& t) { read(t, field(s)); }};
}
// A row that is a choice of the next run.
template <auto field, auto asked>
ChoiceRow knob(const char* id, const char* label, const UsualChoice* usual = nullptr) {
  ChoiceRow made = row<field>(id, label);
  made.ask = [](const AppState& s, RunRequest& r) { asked(r) = field(s); };
  made.usual = usual;
  return made;
}
ChoiceRow only_if(ChoiceRow made, void (*set)(AppState&, const std::string&)) {
  made.set = set;
  return made;
}

ChoiceRow and_also(ChoiceRow made, void (*also)(AppState&)) {
  made.also = also;
  return made;
}
void show_whole(AppState& s) {
  for (OpenMatrix& m : s.matrices)
    if (m.id == s.selected) m.camera = {};
}

// How a table with so many columns is sorted.
template <auto column, auto descending, int columns>
ChoiceRow order(const char* id, const char* label = nullptr) {
  return {.id = id,
          .label = label,
          .get = [](const AppState& s) { return order_text(column(s), descending(s)); },
          .set =
              [](AppState& s, const std::string& t) {
                const int k = std::atoi(t.c_str());
                if (k < 0 || k >= columns) return;
                column(s) = static_cast<std::remove_cvref_t<decltype(column(s))>>(k);
                descending(s) = t.ends_with("down");
              }};
}

// "" if the axes follow the matrix.
std::string histogram_text(const AppState& s) { return s.histogram_chosen ? to_text(s.histogram) : ""; }
void set_histogram(AppState& s, const std::string& text) {
  const auto has = [&](const char* word) { return text.find(word) != std::string::npos; };
  s.histogram_chosen = has("chosen");
  if (!s.histogram_chosen) return void(s.histogram = {});
  auto& h = s.histogram;
  h.log_x = has("log_x"), h.log_y = has("log_y"), h.cumulative = has("cumulative"), h.quartiles = has("quartiles");
}

// "host 1000 device 2000".
std::string memory_text(const AppState& s) {
  std::string text;
  if (s.memory.host_bytes) text += "host " + std::to_string(*s.memory.host_bytes);
  if (s.memory.device_bytes) text += " device " + std::to_string(*s.memory.device_bytes);
  return text;
}
void set_memory(AppState& s, const std::string& text) {
  MemoryBudget memory;
  std::istringstream in(text);
  std::uint64_t bytes = 0;
  for (std::string word; in >> word;) {
    if ((word != "host" && word != "device") || !(in >> bytes)) return;
    (word == "host" ? memory.host_bytes : memory.device_bytes) = bytes;
  }
  s.memory = memory;
}

constexpr UsualChoice usual_device = {.key = "device",
                                      .title = "Device",
                                      .help = "That an empty desk begins with.",
                                      .options =
                                          [](const AppState& s) {
                                            std::vector<UsualChoice::Option> all = {
                                                {"", "the best there is", "a real GPU, else the newest simulated one"}};
                                            for (const DeviceInfo& d : s.catalog->devices)
                                              all.push_back({d.id, d.name + (d.simulated ? " (simulated)" : ""),
                                                             d.available ? "" : d.reason, d.available});
                                            return all;
                                          },
                                      .now = false};
constexpr UsualChoice usual_cache = {
    .key = "cache_state",
    .title = "Cache",
    .help = "Of a run on an empty desk. Warm: L2 holds what the same product left there. Cold: nothing of its own.",
    .options = [](const AppState&) { return std::vector<UsualChoice::Option>{{"warm", "warm"}, {"cold", "cold"}}; }};

// A field of the state, const or not, and one of the request.
#define FIELD(name) [](auto& s) -> auto& { return s.name; }

// The tab, the matrix and the view.
std::vector<ChoiceRow> place_rows() {
  return {
      // A tab that is shown beside changes places with this one, so that no tab is shown twice.
      only_if(row<FIELD(tab)>("tab", "tab"),
              [](AppState& s, const std::string& t) {
                if (s.tab != t) s.word.clear();
                if (s.tab != t && s.panes.beside == t) s.panes.beside = s.tab;
                s.tab = t;
              }),
      {.id = "panes",
       .label = "panels",
       .get = [](const AppState& s) { return to_text(s.panes); },
       .set =
           [](AppState& s, const std::string& t) {
             s.panes = panes_of(t);
             if (s.panes.beside == s.tab) s.panes.beside.clear();
           }},
      {.id = "tabs seen",
       .get =
           [](const AppState& s) {
             std::string text;
             for (const std::string& id : s.tabs_seen) text += (text.empty() ? "" : " ") + id;
             return text;
           },
       .set =
           [](AppState& s, const std::string& t) {
             std::istringstream in(t);
             s.tabs_seen.clear();
             for (std::string id; in >> id;) s.tabs_seen.push_back(id);
           }},
  };
}

// Choices of the run, and of which part of it is shown.
std::vector<ChoiceRow> run_rows() {
  return {
      // A device of another machine is set when that has answered.
      {.id = "device",
       .label = "device",
       .get = [](const AppState& s) { return s.awaited_device.empty() ? s.knobs.device : s.awaited_device; },
       .set =
           [](AppState& s, const std::string& t) {
             const bool known = s.catalog->device(t);
             if (known) s.knobs.device = t;
             s.awaited_device = known ? "" : t;
           },
       .ask = [](const AppState& s, RunRequest& r) { r.device = s.knobs.device; },
       .usual = &usual_device},
      only_if(knob<FIELD(knobs.kernel), FIELD(kernel)>("kernel", "kernel"),
              [](AppState& s, const std::string& t) {
                if (s.catalog->kernel(t)) s.knobs.kernel = t;
              }),
      only_if(row<FIELD(knobs.format)>("format", "format looked at"),
              [](AppState& s, const std::string& t) {
                for (const auto& f : formats())
                  if (f.info.id == t) s.knobs.format = t;
              }),
      knob<FIELD(knobs.precision), FIELD(precision)>("precision", "precision"),
      knob<FIELD(knobs.view), FIELD(view)>("real view", "real numbers of complex ones"),
      knob<FIELD(knobs.cache_state), FIELD(cache_state)>("cache state", "warm or cold", &usual_cache),
      only_if(knob<FIELD(knobs.counters), FIELD(counters)>("counters", "counters"),
              [](AppState& s, const std::string& t) {
                for (const auto& set : s.catalog->counter_sets)
                  if (set.id == t || t == "none") s.knobs.counters = t;
              }),
      knob<FIELD(knobs.lines), FIELD(lines)>("source lines", "traffic per source line"),
      {.id = "memory",
       .label = "memory limit",
       .saved = Saved::no,  // the preferences store it as two numbers
       .get = memory_text,
       .set = set_memory,
       .ask = [](const AppState& s, RunRequest& r) { r.memory = s.memory; }},
      row<FIELD(knobs.live)>("live", nullptr, Saved::no),
      // Solves share these two with products, as they share kernel and device. So a solve runs where the run panel and
      // the tinted pattern say, and its speed-up is easily held against that of its product.
      {.id = "parts",
       .label = "number of GPUs",
       .get = [](const AppState& s) { return text_of(s.knobs.parts); },
       .set =
           [](AppState& s, const std::string& t) {
             std::uint64_t parts = 0;
             read(t, parts);
             if (parts >= 1 && parts <= kMostParts) s.knobs.parts = parts;
           },
       .ask = [](const AppState& s, RunRequest& r) { r.parts = parts_asked(s); }},
      {.id = "split",
       .label = "division of the rows",
       .get = [](const AppState& s) { return text_of(s.knobs.split); },
       .set = [](AppState& s, const std::string& t) { read(t, s.knobs.split); },
       // One part is the same however rows are divided.
       .ask = [](const AppState& s, RunRequest& r) { r.split = parts_asked(s) > 1 ? s.knobs.split : Split::rows; }},
  };
}

// Choices of a solve.
std::vector<ChoiceRow> solve_rows() {
  return {
      only_if(row<FIELD(solve.solver)>("solver", "method of the solve"),
              [](AppState& s, const std::string& t) {
                for (const SolverInfo& info : solvers())
                  if (t == name_of(info.solver)) s.solve.solver = info.solver;
              }),
      row<FIELD(solve.preconditioner)>("preconditioner", "preconditioner"),
      only_if(row<FIELD(solve.degree)>("degree", "degree of the preconditioner"),
              [](AppState& s, const std::string& t) {
                std::uint64_t degree = 0;
                read(t, degree);
                if (degree >= 1 && degree <= 16) s.solve.degree = degree;
              }),
      only_if(row<FIELD(solve.digits)>("digits", "tolerance of the solve"),
              [](AppState& s, const std::string& t) {
                std::uint64_t digits = 0;
                read(t, digits);
                if (digits >= 1 && digits <= 14) s.solve.digits = digits;
              }),
      only_if(row<FIELD(solve.most_iterations)>("most iterations", "iterations of the solve"),
              [](AppState& s, const std::string& t) {
                std::uint64_t most = 0;
                read(t, most);
                if (most >= 1 && most <= 1'000'000) s.solve.most_iterations = most;
              }),
      row<FIELD(solve.refine)>("refine", "refinement of the solve"),
      row<FIELD(solve.over_time)>("residuals over time", "look of the residuals"),
  };
}

// How the figures look.
std::vector<ChoiceRow> figure_rows() {
  return {
      row<FIELD(spy.style.shading)>("pattern shading", "look of the pattern"),
      and_also(row<FIELD(spy.aspect)>("pattern cells", "look of the pattern"), show_whole),
      row<FIELD(spy.style.map)>("colours", "look of the pattern", Saved::preferences),
      only_if(row<FIELD(spy.shade)>("pattern shows", "look of the pattern"),
              [](AppState& s, const std::string& t) {
                if (t.empty() || plot::pattern_shade(t)) s.spy.shade = t;
              }),
      row<FIELD(theme)>("theme", nullptr, Saved::preferences),
      {.id = "row lengths", .label = "axes of the row lengths", .get = histogram_text, .set = set_histogram},
      row<FIELD(flops)>("flops", "flops counted"),
      row<FIELD(roofline_settings.runs)>("roofline shows", "look of the roofline"),
      row<FIELD(roofline_settings.color)>("roofline colours", "look of the roofline"),
      {.id = "roofline zoom",
       .label = "look of the roofline",
       .get = [](const AppState& s) { return to_text(s.roofline_settings.view); },
       .set =
           [](AppState& s, const std::string& t) {
             if (const auto view = roof_view_of(t); view || t.empty()) s.roofline_settings.view = view;
           }},
      row<FIELD(matrices_view.face)>("matrices show"),
      order<FIELD(matrices_view.sort), FIELD(matrices_view.descending), static_cast<int>(MatrixColumn::share) + 1>(
          "matrices by"),
      row<FIELD(matrices_view.measure)>("heat map of"),
      row<FIELD(matrices_view.over)>("line chart over"),
      {.id = "best for",
       .label = "number of products",
       .get = [](const AppState& s) { return word_of(s.matrices_view.products); },
       .set =
           [](AppState& s, const std::string& t) {
             try {
               s.matrices_view.products = products_from_text(t);
             } catch (const Error&) {
             }
           }},
      {.id = "warp",
       .get = [](const AppState& s) { return s.warp.trace ? to_text(s.warp) : s.warp.waits; },
       .set =
           [](AppState& s, const std::string& t) {
             // The warp that is asked for when the matrix is open.
             const WarpDesk desk = warp_desk_of(t);
             s.warp.view = desk.view, s.warp.stride = desk.stride;
           }},
  };
}

// Choices of the tables, the searches and the analyses.
std::vector<ChoiceRow> table_rows() {
  return {
      order<FIELD(sort_formats), FIELD(sort_descending), kFormatColumns>("formats by", "order of formats"),
      row<FIELD(beside_run)>("run beside", "run beside", Saved::no),  // the desk knows it by its number there
      only_if(row<FIELD(analysis.id)>("analysis", "analysis"),
              [](AppState& s, const std::string& t) {
                for (const AnalysisRow& a : analyses())
                  if (a.info.id == t) s.analysis.id = t;
              }),
      row<FIELD(analysis.kernels)>("analysed kernels", "analysis"),
      and_also(row<FIELD(studies.open)>("study"), [](AppState& s) { s.studies.cell = 0; }),
      row<FIELD(studies.here)>("study here"),
      row<FIELD(studies.budget_s)>("study seconds"),
      row<FIELD(studies.cell)>("study cell", nullptr, Saved::no),
      only_if(row<FIELD(tune.strategy)>("strategy", "look of the search"),
              [](AppState& s, const std::string& t) {
                if (t.empty() || s.catalog->strategy(t)) s.tune.strategy = t;
              }),
      row<FIELD(tune.x)>("search x", "look of the search"),
      row<FIELD(tune.y)>("search y", "look of the search"),
      row<FIELD(tune.path)>("search path", "look of the search"),
      row<FIELD(session)>("session file"),
      // A restored desk has its lesson open, and locked as before.
      only_if(row<FIELD(lesson.file)>("lesson"),
              [](AppState& s, const std::string& t) {
                if (t.empty() || t.ends_with(".md")) s.lesson.file = t;
              }),
      row<FIELD(list.all)>("all runs"),
  };
}
#undef FIELD

std::vector<ChoiceRow> make_rows() {
  std::vector<ChoiceRow> rows;
  for (auto* make : {place_rows, run_rows, solve_rows, figure_rows, table_rows})
    for (ChoiceRow& made : make()) rows.push_back(made);
  return rows;
}

std::vector<ChoiceRow>& table() {
  static std::vector<ChoiceRow> rows = make_rows();
  return rows;
}

template <class Which>
std::map<std::string, std::string> texts_of(const AppState& s, Which&& which) {
  std::map<std::string, std::string> all;
  for (const ChoiceRow& c : table())
    if (which(c)) all[c.id] = c.get(s);
  return all;
}

}  // namespace

const std::vector<ChoiceRow>& choice_rows() { return table(); }

const ChoiceRow* choice_row(const std::string& id) {
  const auto at = std::find_if(table().begin(), table().end(), [&](const ChoiceRow& c) { return id == c.id; });
  return at == table().end() ? nullptr : &*at;
}

PlantedChoice::PlantedChoice(const ChoiceRow& row) { table().push_back(row); }
PlantedChoice::~PlantedChoice() { table().pop_back(); }

std::map<std::string, std::string> saved_choices(const AppState& s, Saved where) {
  return texts_of(s, [&](const ChoiceRow& c) { return c.saved == where; });
}

void set_saved_choices(AppState& s, Saved where, const std::map<std::string, std::string>& choices) {
  for (const ChoiceRow& c : table())
    if (const auto found = choices.find(c.id); c.saved == where && found != choices.end()) c.set(s, found->second);
}

std::map<std::string, std::string> undone_choices(const AppState& s) {
  return texts_of(s, [](const ChoiceRow& c) { return c.label != nullptr; });
}

}  // namespace warpspy::ui
