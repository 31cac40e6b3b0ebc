#include "ui/state/lesson_cover.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace warpspy::ui {

namespace {

struct CoveredTab {
  const char* tab;
  Covered what;
};
// Tabs that show nothing else. The tabs Overview and Warp cover only a part of themselves.
constexpr CoveredTab kTabs[] = {
    {"roofline", Covered::result}, {"runs", Covered::result},     {"analyses", Covered::result},
    {"compare", Covered::result},  {"matrices", Covered::best},   {"studies", Covered::result},
    {"tune", Covered::best},       {"diagnosis", Covered::limit}, {"traffic", Covered::traffic},
    {"memory", Covered::traffic},  {"warp", Covered::sectors},    {"formats", Covered::formats},
    {"facts", Covered::facts},     {"solve", Covered::result},    {"two_runs", Covered::result},
    {"parts", Covered::result},
};

constexpr AnsweredOn kAnsweredOn[] = {
    {"lanes", {"warp", "warp"}},        {"sectors", {"warp", "warp"}},
    {"alone", {"warp", "warp"}},        {"row", {"rows", "matrix"}},
    {"array", {"traffic", "memory"}},   {"padding", {"traffic", "formats"}},
    {"hyb_k", {"rows", "formats"}},     {"point", {"roofline", "roofline"}},
    {"roof", {"roofline", "roofline"}}, {"findings", {"diagnosis", "diagnosis"}},
    {"cell", {"tune", "tune"}},
};

bool asks_for(const LessonExpression& e, std::string_view quantity) {
  const auto in = [&](const auto& terms) {
    return std::any_of(terms.begin(), terms.end(), [&](const auto& t) { return t.quantity.starts_with(quantity); });
  };
  return in(e.left) || in(e.right);
}

// Whether the facts of the matrix are the answer, or most of it.
bool asks_for_facts(const LessonQuestion& q) {
  if (q.kind == "row" || asks_for(q.truth, "matrix.")) return true;
  return std::any_of(q.options.begin(), q.options.end(), [](const auto& o) { return asks_for(o.value, "matrix."); });
}

}  // namespace

const AnsweredOn* answered_on(const std::string& kind) {
  const auto at =
      std::find_if(std::begin(kAnsweredOn), std::end(kAnsweredOn), [&](const auto& a) { return kind == a.kind; });
  return at == std::end(kAnsweredOn) ? nullptr : at;
}

int LessonShown::tries_left() const {
  const LessonAnswer* a = given();
  if (!step() || revealed || (a && a->shown)) return 0;
  const int all = step()->question.tries;
  return std::max(0, all - (a ? static_cast<int>(a->tries.size()) : 0));
}

bool covered(const AppState& s, Covered what) {
  const LessonShown& l = s.lesson;
  if (!l.begun || !l.step() || l.settled()) return false;
  return what != Covered::facts || asks_for_facts(l.step()->question);
}

bool covered_tab(const AppState& s, const std::string& tab) {
  const auto at = std::find_if(std::begin(kTabs), std::end(kTabs), [&](const CoveredTab& t) { return tab == t.tab; });
  return at != std::end(kTabs) && covered(s, at->what);
}

namespace {

template <class... Kinds>
bool is_one_of(const Action& a) {
  return (... || (a.as<Kinds>() != nullptr));
}

}  // namespace

bool refused_by_lesson(const AppState& s, const Action& a) {
  if (!covered(s, Covered::result)) return false;
  if (is_one_of<StartRun, StartSolve, RepeatRun, StartTuning, SearchBest, StartSweep, StartAnalysis, TryFinding,
                FindLimits, FollowStudyCell, SaveStudy, ShowWarp, ShowExport, PreviewFigure, ExportFigure, ExportAll>(
          a))
    return true;
  if (const auto* dialog = a.as<ShowDialog>()) return dialog->id == "sweep";
  if (const auto* runs = a.as<CompareRuns>()) return !runs->ids.empty();
  if (const auto* study = a.as<SteerStudy>()) return study->to == SteerStudy::To::run;
  if (const auto* projector = a.as<Project>()) return projector->on;
  const auto* choice = a.as<SetChoice>();
  if (!choice) return false;
  return (choice->id == "live" && choice->value == "yes") || (choice->id == "pattern shows" && !choice->value.empty());
}

bool leads_to_covered(const AppState& s, const std::function<void(const AppState&, ActionSink&)>& perform) {
  if (!perform || !covered(s, Covered::result)) return false;
  ActionSink out;
  perform(s, out);
  return std::any_of(out.waiting().begin(), out.waiting().end(), [&](const Action& a) {
    const auto* tab = a.as<ShowTab>();
    return refused_by_lesson(s, a) || (tab && covered_tab(s, tab->id));
  });
}

}  // namespace warpspy::ui
