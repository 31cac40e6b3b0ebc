#include "ui/views/lesson_ghosts.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "core/base/number_text.hpp"
#include "core/diagnosis/causes.hpp"
#include "ui/views/lesson_controls.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

// The first try is the prediction.
std::string predicted(const AppState& s) {
  const LessonAnswer* given = s.lesson.given();
  return given && !given->tries.empty() ? given->tries.front().answer : "";
}

ImVec2 on_screen(plot::Point p) { return {static_cast<float>(p.x), static_cast<float>(p.y)}; }

// A recipe counts steps from 1.
bool at_its_step(const AppState& s) {
  const auto& words = s.lesson.lesson->recipes.at(s.lesson.step()->recipe).words;
  const auto step = words.find("step");
  return s.warp.step + 1 == (step == words.end() ? 1 : number_from<std::size_t>(step->second).value_or(0));
}

// ---- the warp: a bar beside each predicted lane, a line below each predicted sector

void ghost_legend(const Look& l, ImVec2 right, const std::string& words) {
  auto* list = ImGui::GetWindowDrawList();
  const ImVec2 at(right.x - text_width(l, Face::ui, 11, words), right.y);
  list->AddRectFilled(ImVec2(at.x - l.u(3), at.y), ImVec2(right.x, at.y + l.u(14)), u32(l.palette->ground, 0.85f));
  draw_text(l, list, at, Face::ui, 11, l.palette->ink, words);
  show_text(l, words);
}

void ghost_lanes(const AppState& s, const Look& l, const plot::Layout& layout, const plot::Plot*) {
  if (layout.warps.empty() || layout.warps[0].lanes.empty() || !at_its_step(s)) return;
  const auto& placed = layout.warps[0].lanes;
  const plot::Rect* last = nullptr;
  for (const std::string& w : answer_words(predicted(s))) {
    const auto lane = number_from<std::size_t>(w);
    if (!lane || *lane >= placed.size()) continue;
    last = &placed[*lane];
    const float x = static_cast<float>(last->x) - l.u(7);
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(x, static_cast<float>(last->y)),
                                              ImVec2(x + l.u(3), static_cast<float>(last->bottom())),
                                              u32(l.palette->ink));
  }
  if (!last) return;
  ghost_legend(l, ImVec2(static_cast<float>(last->right()) - l.u(4), static_cast<float>(last->y) - l.u(2)),
               "| you predicted");
}

void ghost_sectors(const AppState& s, const Look& l, const plot::Layout& layout, const plot::Plot*) {
  if (layout.warps.empty() || !s.warp.trace || !at_its_step(s)) return;
  const WarpTrace& w = *s.warp.trace;
  const WarpStep& step = w.steps[s.warp.step];
  const auto& placed = layout.warps[0].sectors;
  if (step.array < 0 || placed.size() != 4 * static_cast<std::size_t>(step.lines)) return;
  const std::uint64_t first = w.array_places.at(static_cast<std::size_t>(step.array)).base / 32;
  std::set<std::uint64_t> mine;
  for (const std::string& word : answer_words(predicted(s)))
    if (const auto n = number_from<std::uint64_t>(word)) mine.insert(first + *n);
  const std::size_t all = mine.size();
  for (std::size_t k = 0; k < placed.size(); ++k) {
    if (mine.erase(w.requested[step.first_line + k / 4].line * 4 + k % 4) == 0) continue;
    const plot::Rect& r = placed[k];
    ImGui::GetWindowDrawList()->AddRectFilled(
        ImVec2(static_cast<float>(r.x), static_cast<float>(r.bottom()) + l.u(1)),
        ImVec2(static_cast<float>(r.right()), static_cast<float>(r.bottom()) + l.u(4)), u32(l.palette->ink));
  }
  if (placed.empty()) return;
  std::string words = "_ you predicted " + std::to_string(all);
  if (!mine.empty()) words += ", " + std::to_string(mine.size()) + " of them in lines that it does not touch";
  ghost_legend(
      l, ImVec2(static_cast<float>(placed.back().right()), static_cast<float>(placed.back().bottom()) + l.u(7)), words);
}

void ghost_moment(const AppState& s, const Look& l, const plot::Layout& layout, const plot::Plot*) {
  if (!s.warp.trace) return;
  double end = 0;
  for (const SmWarp& w : s.warp.trace->axis.warps)
    if (!w.spans.empty()) end = std::max(end, static_cast<double>(w.spans.back().end_ns));
  if (const auto mine = number_from<double>(predicted(s)))
    draw_upright(l, layout, *mine / 100 * end / 1000, "you " + predicted(s) + " %", true);
  const double truth = s.lesson.revealed->truth.right[0];
  draw_upright(l, layout, truth / 100 * end / 1000, "alone from " + std::to_string(std::lround(truth)) + " %", false);
}

void ghost_cut(const AppState& s, const Look& l, const plot::Layout& layout, const plot::Plot*) {
  if (const auto mine = number_from<double>(predicted(s)))
    draw_upright(l, layout, *mine, "you: K " + predicted(s), true);
  const LessonTruth& t = s.lesson.revealed->truth;
  const auto best = std::min_element(t.cost.begin(), t.cost.end()) - t.cost.begin();
  draw_upright(l, layout, static_cast<double>(best), "least bytes: K " + std::to_string(best), false);
}

// ---- the roofline

void ghost_point(const AppState& s, const Look& l, const plot::Layout& layout, const plot::Plot*) {
  const auto& right = s.lesson.revealed->truth.right;
  if (const auto mine = point_of_answer(predicted(s))) draw_point_mark(s, l, layout, *mine, "you");
  draw_point_mark(s, l, layout, {right[0], right[1]}, "it is");
}

void ghost_roof(const AppState& s, const Look& l, const plot::Layout& layout, const plot::Plot*) {
  const LessonTruth& t = s.lesson.revealed->truth;
  const std::string truth = t.offer.names[static_cast<std::size_t>(t.right[0])];
  if (truth != predicted(s)) draw_roof_mark(s, l, layout, truth, "it is");
  draw_roof_mark(s, l, layout, predicted(s), truth == predicted(s) ? "you, and it is" : "you");
}

// ---- a frame around the predicted arrays, and around the predicted cell

void ghost_frame(const Look& l, ImVec2 from, ImVec2 to, const std::string& words) {
  auto* list = ImGui::GetWindowDrawList();
  list->AddRect(from, to, u32(l.palette->ground), l.u(2), 0, l.u(5));  // visible on any background
  list->AddRect(from, to, u32(l.palette->ink), l.u(2), 0, std::max(1.f, l.u(1.6f)));
  const float w = text_width(l, Face::ui, 11, words);
  list->AddRectFilled(ImVec2(to.x - w - l.u(6), from.y), ImVec2(to.x, from.y + l.u(15)), u32(l.palette->ink), l.u(2));
  draw_text(l, list, ImVec2(to.x - w - l.u(3), from.y + l.u(1)), Face::ui, 11, l.palette->ground, words);
  show_text(l, words);
}

void ghost_arrays(const AppState& s, const Look& l, const plot::Layout& layout, const plot::Plot* figure) {
  if (!figure) return;
  const auto named = answer_words(predicted(s));
  std::map<std::size_t, plot::Rect> tables;
  for (const auto& c : layout.cells) {
    const std::string& name = figure->tables[c.table].name;
    if (std::find(named.begin(), named.end(), name.substr(0, name.find(','))) == named.end()) continue;
    auto [it, first] = tables.emplace(c.table, c.rect);
    if (first) continue;
    plot::Rect& all = it->second;
    const double right = std::max(all.right(), c.rect.right()), bottom = std::max(all.bottom(), c.rect.bottom());
    all.x = std::min(all.x, c.rect.x), all.y = std::min(all.y, c.rect.y);
    all.w = right - all.x, all.h = bottom - all.y;
  }
  for (const auto& [table, r] : tables)
    ghost_frame(l, ImVec2(static_cast<float>(r.x) - l.u(2), static_cast<float>(r.y) - l.u(2)),
                ImVec2(static_cast<float>(r.right()) + l.u(2), static_cast<float>(r.bottom()) + l.u(2)), "you");
}

void ghost_cell(const AppState& s, const Look& l, const plot::Layout& layout, const plot::Plot*) {
  const auto words = answer_words(predicted(s));
  const auto place = [](const plot::Axis& axis, const std::string& value) {
    const auto found = std::find(axis.categories.begin(), axis.categories.end(), value);
    return found == axis.categories.end() ? -1.0 : static_cast<double>(found - axis.categories.begin());
  };
  if (words.size() != 2) return;
  const double x = place(layout.x, words[0]), y = place(layout.y, words[1]);
  if (x < 0 || y < 0) return;
  const plot::Point a = layout.to_pixel(x - 0.5, y + 0.5), b = layout.to_pixel(x + 0.5, y - 0.5);
  ghost_frame(l, on_screen(a), on_screen(b), "you");
}

// For each kind of question the figure on which the prediction is drawn.
struct Ghost {
  const char *kind, *figure;
  void (*draw)(const AppState& s, const Look& l, const plot::Layout& layout, const plot::Plot* figure);
};
constexpr Ghost kGhosts[] = {{"lanes", "warp", ghost_lanes},      {"sectors", "warp", ghost_sectors},
                             {"alone", "axis", ghost_moment},     {"hyb_k", "histogram", ghost_cut},
                             {"point", "roofline", ghost_point},  {"roof", "roofline", ghost_roof},
                             {"padding", "layout", ghost_arrays}, {"cell", "tuning", ghost_cell}};

const char* cause_of(Level level) {
  struct Of {
    Level level;
    Cause cause;
  };
  constexpr Of of[] = {
      {Level::dram, Cause::dram}, {Level::l2, Cause::l2}, {Level::l1, Cause::l1}, {Level::compute, Cause::compute}};
  for (const Of& o : of)
    if (o.level == level) return cause_rows[static_cast<std::size_t>(o.cause)].id;
  return "";
}

double peak_of(const AppState& s) {
  for (const Roof& r : s.roofs)
    if (r.level == Level::compute) return r.value;
  return INFINITY;
}

}  // namespace

void draw_ghost(const AppState& s, const Look& l, const char* figure, const plot::Layout& layout,
                const plot::Plot* of) {
  if (!s.lesson.revealed || !s.lesson.step() || s.lesson.revealed->truth.right.empty()) return;
  for (const Ghost& g : kGhosts)
    if (s.lesson.step()->question.kind == g.kind && std::string(figure) == g.figure) g.draw(s, l, layout, of);
}

std::string ghost_words(const AppState& s, const std::string& name) {
  if (!s.lesson.revealed || !s.lesson.step()) return {};
  const std::string& kind = s.lesson.step()->question.kind;
  if (kind != "array" && kind != "padding") return {};
  const LessonTruth& t = s.lesson.revealed->truth;
  const auto mine = answer_words(predicted(s));
  const bool you = std::find(mine.begin(), mine.end(), name) != mine.end();
  const bool it_is = std::any_of(t.right.begin(), t.right.end(),
                                 [&](double k) { return t.offer.names[static_cast<std::size_t>(k)] == name; });
  if (!you && !it_is) return {};
  return std::string(" (") + (you ? "you" : "") + (you && it_is ? ", " : "") + (it_is ? "it is" : "") + ")";
}

int predicted_place(const AppState& s, const std::string& rule) {
  if (!s.lesson.revealed || !s.lesson.step() || s.lesson.step()->question.kind != "findings") return 0;
  const auto mine = answer_words(predicted(s));
  const auto found = std::find(mine.begin(), mine.end(), rule);
  return found == mine.end() ? 0 : static_cast<int>(found - mine.begin()) + 1;
}

std::optional<RoofPoint> point_of_answer(const std::string& answer) {
  std::istringstream in(answer);
  RoofPoint p;
  if (in >> p.first >> p.second && p.first > 0 && p.second > 0) return p;
  return std::nullopt;
}

double dram_roof(const AppState& s, double intensity) {
  for (const Roof& r : s.roofs)
    if (r.level == Level::dram) return std::min(r.value * intensity, peak_of(s));
  return 0;
}

void draw_point_mark(const AppState& s, const Look& l, const plot::Layout& layout, RoofPoint p,
                     const std::string& words) {
  const double roof = dram_roof(s, p.first);
  if (!(roof > 0)) return;
  plot::Point q = layout.to_pixel(p.first, roof * p.second / 100);
  const auto& a = layout.area;
  q.x = std::clamp(q.x, a.x, a.right()), q.y = std::clamp(q.y, a.y, a.bottom());
  const float r = l.u(7);
  const ImVec2 c = on_screen(q);
  const ImVec2 diamond[] = {{c.x - r, c.y}, {c.x, c.y - r}, {c.x + r, c.y}, {c.x, c.y + r}};
  auto* list = ImGui::GetWindowDrawList();
  list->AddPolyline(diamond, 4, u32(l.palette->ink), ImDrawFlags_Closed, l.u(2));
  const float w = text_width(l, Face::bold, 12, words);
  const bool left = c.x + r + w + l.u(8) > static_cast<float>(a.right());
  // Above it, since the figure has its own names on both sides.
  draw_text(l, list, ImVec2(left ? c.x - w : c.x - w / 2, c.y - r - l.u(18)), Face::bold, 12, l.palette->ink, words);
  show_text(l, words);
}

std::string roof_at(const AppState& s, const plot::Layout& layout, plot::Point p, double within) {
  if (!layout.area.contains(p)) return {};
  const double x = layout.x_of(p.x), peak = peak_of(s);
  std::string nearest;
  for (const Roof& r : s.roofs) {
    const bool flat = r.level == Level::compute;
    if (!flat && r.value * x > peak) continue;
    const double away = std::abs(layout.to_pixel(x, flat ? r.value : r.value * x).y - p.y);
    if (away < within) within = away, nearest = cause_of(r.level);
  }
  return nearest;
}

void draw_roof_mark(const AppState& s, const Look& l, const plot::Layout& layout, const std::string& cause,
                    const std::string& words) {
  if (cause.empty()) return;
  const auto& a = layout.area;
  auto* list = ImGui::GetWindowDrawList();
  const Color ink = l.palette->ink;
  for (const Roof& r : s.roofs) {
    if (cause != cause_of(r.level)) continue;
    const bool flat = r.level == Level::compute;
    const double from = layout.x_of(a.x), to = layout.x_of(a.right()), peak = peak_of(s);
    const double x0 = flat ? from : std::max(from, layout.y.min / r.value),
                 x1 = flat ? to : std::min(to, peak / r.value);
    if (!(x0 < x1)) break;
    const auto place = [&](double x) { return on_screen(layout.to_pixel(x, flat ? r.value : r.value * x)); };
    const ImVec2 p = place(x0), q = place(x1);
    list->PushClipRect(ImVec2(static_cast<float>(a.x), static_cast<float>(a.y)),
                       ImVec2(static_cast<float>(a.right()), static_cast<float>(a.bottom())), true);
    list->AddLine(p, q, u32(ink, 0.35f), l.u(6));
    const ImVec2 m((p.x + q.x) / 2, (p.y + q.y) / 2);
    draw_text(l, list, ImVec2(m.x + l.u(6), m.y + l.u(6)), Face::bold, 12, ink, words);
    list->PopClipRect();
    return show_text(l, words);
  }
  const auto row = std::find_if(cause_rows.begin(), cause_rows.end(), [&](const CauseRow& c) { return cause == c.id; });
  const std::string told = words + ": " + (row == cause_rows.end() ? cause : row->words) + ", no line here";
  const float y = static_cast<float>(a.y) + l.u(words.starts_with("it") ? 22 : 6);
  draw_text(l, list, ImVec2(static_cast<float>(a.x) + l.u(10), y), Face::bold, 12, ink, told);
  show_text(l, told);
}

void draw_upright(const Look& l, const plot::Layout& layout, double x, const std::string& words, bool predicted) {
  const auto& a = layout.area;
  const float px =
      static_cast<float>(std::clamp(layout.to_pixel(std::max(x, layout.x.min), layout.y.max).x, a.x, a.right()));
  const float top = static_cast<float>(a.y), bottom = static_cast<float>(a.bottom());
  auto* list = ImGui::GetWindowDrawList();
  const Color ink = predicted ? l.palette->ink : l.palette->accent;
  for (float y = top; y < bottom; y += predicted ? l.u(7) : bottom - top)
    list->AddLine(ImVec2(px, y), ImVec2(px, predicted ? std::min(bottom, y + l.u(4)) : bottom), u32(ink), l.u(2));
  const float w = text_width(l, Face::bold, 12, words), pad = l.u(4);
  const bool left = px + w + 2 * pad > static_cast<float>(a.right());
  const float y = top + l.u(predicted ? 4 : 20), text = left ? px - w - pad : px + pad;
  list->AddRectFilled(ImVec2(text - pad / 2, y), ImVec2(text + w + pad / 2, y + l.u(15)), u32(l.palette->ground, 0.8f));
  draw_text(l, list, ImVec2(text, y), Face::bold, 12, ink, words);
  show_text(l, words);
}

}  // namespace warpspy::ui
