#include "ui/state/search.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <utility>

#include "core/base/numbers.hpp"
#include "core/catalog/names.hpp"
#include "core/catalog/terms.hpp"
#include "core/sweep/matrices.hpp"
#include "ui/state/choice_rows.hpp"
#include "ui/state/lesson_cover.hpp"
#include "ui/state/matrices.hpp"

namespace warpspy::ui {

namespace {

std::string in_small(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : in_small(text) + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) || static_cast<unsigned char>(c) >= 0x80 || c == '_' || c == '.') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, ""));
    }
  }
  return words;
}

bool letters_in_order(const std::string& needle, const std::string& text) {
  std::size_t at = 0;
  for (const char c : needle) {
    if (c == ' ') continue;
    at = text.find(c, at);
    if (at == std::string::npos) return false;
    ++at;
  }
  return true;
}

std::string plain_number(double v) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", v);
  return text;
}

// Text with a number at its end: "threads 16", "scale 150 %".
struct WithNumber {
  std::string words;
  double value = 0;
};
std::optional<WithNumber> with_number(const std::string& text) {
  std::string rest = text;
  while (!rest.empty() && (rest.back() == ' ' || rest.back() == '%')) rest.pop_back();
  const auto space = rest.find_last_of(" =:");
  if (space == std::string::npos || space + 1 >= rest.size()) return std::nullopt;
  const std::string number = rest.substr(space + 1);
  char* end = nullptr;
  const double v = std::strtod(number.c_str(), &end);
  if (*end != 0 || !std::isfinite(v)) return std::nullopt;
  rest.resize(space);
  return WithNumber{rest, v};
}

using Hits = std::vector<std::pair<int, SearchHit>>;

class Search {
 public:
  Search(const AppState& s, const std::string& words) : s_(s), words_(words), number_(with_number(words)) {}

  void add(SearchHit hit) {
    cover(hit);
    const int rank = search_rank(words_, hit.kind, hit.title);
    if (rank >= 0) hits_.push_back({rank, std::move(hit)});
  }
  // Found by another name too.
  void add(SearchHit hit, const std::string& other) {
    if (other.empty()) return add(std::move(hit));
    cover(hit);
    const int by_other = search_rank(words_, hit.kind, other);
    const int by_title = search_rank(words_, hit.kind, hit.title);
    const int rank = by_title < 0 ? by_other : by_other < 0 ? by_title : std::min(by_other, by_title);
    if (rank >= 0) hits_.push_back({rank, std::move(hit)});
  }
  // Also finds it by its name on the command line, which follows the title.
  void add_with_id(SearchHit hit, const std::string& id) {
    hit.note = id;
    add(std::move(hit), id);
  }
  void commands(std::span<const Command> all);
  void kernels();
  void devices();
  void matrices();
  void generators();
  void collection();
  void knobs();
  void settings();
  void terms();
  void lessons();
  std::vector<SearchHit> take();

 private:
  void cover(SearchHit& hit) const {
    if (hit.why_not.empty() && leads_to_covered(s_, hit.perform)) hit.why_not = std::string(kCovered) + ".";
  }
  void knob(SetParam::Of of, const ParamSpec& p, double now);
  void value(const std::string& name, const std::string& text, std::string why_not, Action a);

  const AppState& s_;
  const std::string& words_;
  std::optional<WithNumber> number_;
  Hits hits_;
};

void Search::commands(std::span<const Command> all) {
  for (const Command& c : all)
    add({c.menu.empty() ? "Go" : c.menu, title_of(s_, c), label_of(keys_of(s_, c)), c.help, why_not(s_, c), c.perform},
        c.also_found);
}

void Search::kernels() {
  for (const KernelInfo& k : s_.catalog->kernels)
    add_with_id({"Kernel", k.label, "", k.help, s_.device() ? s_.catalog->why_not(k, *s_.device()) : "",
                 [id = k.id](const AppState&, ActionSink& out) { out(SetKernel{id}); }},
                k.id);
}

void Search::devices() {
  for (const DeviceInfo& d : s_.catalog->devices)
    add_with_id({"Device", d.name, "", d.counters, d.available ? "" : d.reason,
                 [id = d.id](const AppState&, ActionSink& out) { out(SetDevice{id}); }},
                d.id);
}

void Search::matrices() {
  for (const OpenMatrix& m : s_.matrices)
    add({"Matrix", m.name, "", m.source, m.id == s_.selected ? "It is the matrix that is shown." : "",
         [id = m.id](const AppState&, ActionSink& out) { out(SelectMatrix{id}); }});
  for (const std::string& source : s_.recent) {
    const bool open =
        std::any_of(s_.matrices.begin(), s_.matrices.end(), [&](const OpenMatrix& m) { return m.source == source; });
    if (open) continue;
    add({"Recent", short_name(source), "", source, "",
         [source](const AppState&, ActionSink& out) { out(OpenSource{source}); }});
  }
}

void Search::generators() {
  for (const GeneratorInfo& g : warpspy::generators())
    add({"Generate", g.label + " (" + g.id + ")", "", g.good_for, "",
         [id = g.id](const AppState&, ActionSink& out) { out(ShowOpen{OpenWay::generate, id}); }});
}

// Adds the matrices of the local list with the most similar names.
void Search::collection() {
  constexpr std::size_t kMost = 8;
  const CollectionShown& c = s_.collection;
  if (!c.index || words_.size() < 2) return;
  for (const CollectionEntry* e : matching(*c.index, words_, kMost))
    add({.kind = "Collection",
         .title = e->full(),
         .keys = "",
         .help = e->kind,
         .why_not = "",
         .perform = [name = e->full()](const AppState&, ActionSink& out) { out(FetchMatrix{name}); },
         .note = grouped(e->rows) + " \xC3\x97 " + grouped(e->cols) + ", " + grouped(e->nnz) + " entries" +
                 (c.here.contains(e->full()) ? "" : "; fetches it")});
}

void Search::terms() {
  for (const Term& t : warpspy::terms()) {
    const std::string text = t.text;
    const auto end = text.find(". ");
    add({.kind = "Word",
         .title = title_of(t),
         .keys = "",
         .help = t.text,
         .why_not = "",
         .perform = [id = t.id](const AppState&, ActionSink& out) { out(ShowWord{id}); },
         .note = text.substr(0, end == std::string::npos ? end : end + 1)});
  }
}

void Search::lessons() {
  for (const LessonEntry& e : s_.lesson.list)
    add({.kind = "Lesson",
         .title = "Lesson: " + e.title,
         .keys = "",
         .help = "Predict, run, see.",
         .why_not = s_.lesson.lesson && s_.lesson.lesson->file == e.file ? "It is open." : "",
         .perform = [file = e.file](const AppState&, ActionSink& out) { out(OpenLesson{file}); },
         .note = counted(static_cast<index_t>(e.steps), "step")});
}

void Search::value(const std::string& name, const std::string& text, std::string why_not, Action a) {
  add({"Set", name + ": " + text, "", "", std::move(why_not),
       [a = std::move(a)](const AppState&, ActionSink& out) { out(a); }});
}

void Search::knob(SetParam::Of of, const ParamSpec& p, double now) {
  if (p.type == ParamSpec::Type::choice) {
    for (std::size_t k = 0; k < p.choices.size(); ++k)
      value(p.label, p.choices[k], static_cast<double>(k) == now ? "It is so now." : "",
            SetParam{of, p.id, static_cast<double>(k)});
    return;
  }
  const std::string range = plain_number(p.min) + " to " + plain_number(p.max);
  if (!number_) {
    add({"Set", full_label(p), "", p.help,
         "Type a value behind it: " + range +
             (p.type == ParamSpec::Type::power_of_two ? ", powers of two"
              : p.type == ParamSpec::Type::multiple   ? ", multiples of " + plain_number(p.min)
                                                      : std::string()) +
             "; now " + plain_number(now) + ".",
         nullptr});
    return;
  }
  const double v = number_->value;
  std::string why;
  if (v < p.min || v > p.max) why = "It goes from " + range + ".";
  if (p.type != ParamSpec::Type::real && v != std::floor(v)) why = "It is a whole number.";
  if (why.empty() && p.type == ParamSpec::Type::power_of_two && p.min > 0 &&
      std::exp2(std::round(std::log2(v / p.min))) * p.min != v)
    why = "It is a power of two.";
  if (why.empty() && p.type == ParamSpec::Type::multiple && std::fmod(v, p.min) != 0)
    why = "It is a multiple of " + plain_number(p.min) + ".";
  if (why.empty() && v == now) why = "It is so now.";
  const int rank = search_rank(number_->words, "Set", full_label(p));
  if (rank < 0) return;
  hits_.push_back({rank,
                   {"Set", p.label + ": " + plain_number(v), "", p.help, why,
                    [a = SetParam{of, p.id, v}](const AppState&, ActionSink& out) { out(a); }}});
}

void Search::knobs() {
  if (const auto* k = s_.kernel())
    for (const ParamSpec& p : k->params) knob(SetParam::Of::kernel, p, param_value(s_.knobs.kernel_params, k->id, p));
  if (const auto* f = s_.format())
    for (const ParamSpec& p : f->params) knob(SetParam::Of::format, p, param_value(s_.knobs.format_params, f->id, p));
  const auto now = [](bool is) { return std::string(is ? "It is so now." : ""); };
  for (const Precision p : {Precision::f32, Precision::f64})
    value("Precision", name_of(p), now(s_.knobs.precision == p), choose("precision", p));
  for (const CacheState c : {CacheState::warm, CacheState::cold})
    value("Caches", name_of(c), now(s_.knobs.cache_state == c), choose("cache state", c));
}

void Search::settings() {
  for (const Layout& one : s_.settings.layouts)
    add({"Layout", one.name, "", "Divides the window so.", "", [one](const AppState&, ActionSink& out) {
           if (!one.tab.empty()) out(ShowTab{one.tab});
           out(SetPanes{one.panes});
         }});
  if (!number_) return;
  const int rank = search_rank(number_->words, "Set", "Scale");
  if (rank < 0) return;
  Settings next = s_.settings;
  next.scale = number_->value / 100;
  const bool fits = next.scale >= kLeastScale && next.scale <= kMostScale;
  hits_.push_back({rank,
                   {"Set", "Scale: " + plain_number(number_->value) + " %", "", "Of everything in the window.",
                    fits ? "" : "It goes from 50 to 400 %.",
                    [next](const AppState&, ActionSink& out) { out(SetSettings{next}); }}});
}

std::vector<SearchHit> Search::take() {
  std::stable_sort(hits_.begin(), hits_.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first, !a.second.why_not.empty()) < std::pair(b.first, !b.second.why_not.empty());
  });
  std::vector<SearchHit> all;
  for (auto& [rank, hit] : hits_) all.push_back(std::move(hit));
  return all;
}

}  // namespace

int search_rank(const std::string& words, const std::string& kind, const std::string& title) {
  const std::vector<std::string> asked = words_of(words);
  if (asked.empty()) return 0;
  const std::string text = in_small(title), all = in_small(kind) + " " + text;
  std::string joined;
  for (const auto& w : asked) joined += (joined.empty() ? "" : " ") + w;
  std::string flat;
  for (const auto& w : words_of(title)) flat += (flat.empty() ? "" : " ") + w;
  if (flat == joined) return 0;
  if (flat.starts_with(joined)) return 1;
  const auto begin_words = [&](const std::vector<std::string>& of) {
    return std::all_of(asked.begin(), asked.end(), [&](const std::string& w) {
      return std::any_of(of.begin(), of.end(), [&](const std::string& one) { return one.starts_with(w); });
    });
  };
  if (begin_words(words_of(title))) return 2;
  if (begin_words(words_of(all))) return 3;
  if (std::all_of(asked.begin(), asked.end(), [&](const auto& w) { return all.find(w) != std::string::npos; }))
    return 4;
  return letters_in_order(joined, all) ? 5 : -1;
}

std::vector<SearchHit> search(const AppState& s, std::span<const Command> commands, const std::string& words) {
  Search all(s, words);
  all.commands(commands);
  // Without search words, the list is that of the menus.
  if (words_of(words).empty()) return all.take();
  all.lessons();
  all.matrices();
  all.kernels();
  all.devices();
  all.knobs();
  all.settings();
  all.generators();
  all.collection();
  all.terms();
  return all.take();
}

}  // namespace warpspy::ui
