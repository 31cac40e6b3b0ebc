#include "ui/views/lesson_reveal.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>

#include "core/base/number_text.hpp"
#include "ui/platform/compat.hpp"
#include "ui/views/lesson_controls.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

// The position of a number on the small axis: from 0, or logarithmic if the two numbers differ much.
struct SmallScale {
  double low = 0, high = 1;
  bool log = false;
  double at(double v) const {
    const double a = log ? std::log10(std::max(v, low)) : v;
    const double from = log ? std::log10(low) : low, to = log ? std::log10(high) : high;
    return std::clamp(to > from ? (a - from) / (to - from) : 0.5, 0.0, 1.0);
  }
};
SmallScale scale_of(double a, double b) {
  const double low = std::min(a, b), high = std::max(a, b);
  if (low > 0 && high / low > 20) return {low / 2, high * 2, true};
  if (low >= 0) return {0, high > 0 ? 1.15 * high : 1, false};
  return {low - 0.1 * (high - low), high + 0.1 * (high - low) + 1e-12, false};
}

// The prediction is hollow and the truth solid, both on one axis with their numbers.
void draw_scale(const Look& l, float width, double predicted, double truth) {
  const Palette& p = *l.palette;
  const SmallScale scale = scale_of(predicted, truth);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  auto* list = ImGui::GetWindowDrawList();
  const float pad = l.u(10), y = at.y + l.u(28), thin = std::max(1.f, l.u(1));
  list->AddLine(ImVec2(at.x, y), ImVec2(at.x + width, y), u32(p.outline), thin);
  if (!scale.log && scale.low == 0) {
    list->AddLine(ImVec2(at.x + pad, y - l.u(4)), ImVec2(at.x + pad, y + l.u(4)), u32(p.muted), thin);
    // Not under the number that stands there.
    if (scale.at(truth) * width > l.u(60))
      draw_text(l, list, ImVec2(at.x + pad - l.u(3), y + l.u(5)), Face::ui, 12, p.muted, "0");
  }
  const auto x_of = [&](double v) { return at.x + pad + static_cast<float>(scale.at(v)) * (width - 2 * pad); };
  const auto words = [&](double v, const char* what, float below, Color c) {
    const std::string text = std::string(what) + " " + number_in_words(v);
    const float w = text_width(l, Face::ui, 12, text);
    const float x = std::clamp(x_of(v) - w / 2, at.x, at.x + std::max(0.f, width - w));
    draw_text(l, list, ImVec2(x, y + below), Face::ui, 12, c, text);
    show_text(l, text);
  };
  const float r = l.u(5);
  list->AddCircleFilled(ImVec2(x_of(truth), y), r, u32(p.accent));
  list->AddCircle(ImVec2(x_of(predicted), y), r + l.u(2), u32(p.ink), 0, std::max(1.f, l.u(1.6f)));
  words(predicted, "you", -l.u(27), p.ink);
  words(truth, "it is", l.u(9), p.accent);
  ImGui::SetCursorScreenPos(ImVec2(at.x, y + l.u(28)));
}

// Two lines: the prediction and the truth.
void draw_pair(const Look& l, float width, const std::string& predicted, const std::string& truth) {
  const auto line = [&](const char* what, const std::string& text, Color c) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_text(l, ImGui::GetWindowDrawList(), at, Face::ui, 12, l.palette->muted, what);
    ImGui::SetCursorScreenPos(ImVec2(at.x + l.u(44), at.y));
    const FontScope font(*l.fonts, Face::ui, 13);
    ImGui::BeginGroup();
    paragraph(l, c, text, width - l.u(44));
    end_group();
    ImGui::SetCursorScreenPos(ImVec2(at.x, ImGui::GetItemRectMax().y + l.u(4)));
  };
  line("You", predicted.empty() ? "none" : predicted, l.palette->ink);
  line("It is", truth, l.palette->accent);
}

// How kinds with parts of a mark are marked (core/lesson/answer_text.hpp).
struct Rule {
  const char *kind, *words;
  bool near_is_right;  // an answer beside the best one may be right too
};
constexpr Rule kRules[] = {
    {"lanes", "Part of the mark: half of the share in common with the right ones.", false},
    {"sectors", "Part of the mark: half of the share in common with the right ones.", false},
    {"padding", "Part of the mark: half of the share in common with the right ones.", false},
    {"ranking", "Part of the mark: half of the share of pairs in the right order.", false},
    {"findings", "Part of the mark: half of the share of pairs in the right order.", false},
    {"point", "Each of the two numbers is half of the mark.", false},
    {"hyb_k", "Within 2 % of the fewest bytes is right; else the mark is half of the fewest bytes over its bytes.",
     true},
    {"cell", "Within 2 % of the least time is right; else the mark is the least time over its time.", true},
};
const char* rule_of(const std::string& kind) {
  for (const Rule& r : kRules)
    if (kind == r.kind) return r.words;
  return nullptr;
}
bool near_is_right(const std::string& kind) {
  return std::any_of(std::begin(kRules), std::end(kRules),
                     [&](const Rule& r) { return kind == r.kind && r.near_is_right; });
}

// If several parameters are equally good, the time of the cheapest.
double best_of(const LessonTruth& t) {
  if (t.cost.empty()) return t.right.front();
  return static_cast<double>(std::min_element(t.cost.begin(), t.cost.end()) - t.cost.begin());
}

}  // namespace

const char* mark_text(double mark) {
  if (mark >= 1) return "\xE2\x9C\x93 Right";
  return mark > 0 ? "! Partly right" : "\xE2\x9C\x97 Not right";
}

const char* mark_sign(double mark) { return mark >= 1 ? "\xE2\x9C\x93" : mark > 0 ? "!" : "\xE2\x9C\x97"; }

void draw_reveal(const AppState& s, Ui& ui, float width) {
  const Look& l = ui.look;
  const LessonRevealed& r = *s.lesson.revealed;
  const LessonQuestion& q = s.lesson.step()->question;
  const LessonAnswer& given = *s.lesson.given();
  const std::string predicted = given.tries.empty() ? "" : given.tries.front().answer;
  std::string mark = mark_text(r.mark);
  if (r.mark > 0 && r.mark < 1) mark += ", " + number_in_words(std::round(100 * r.mark)) + " %";
  for (std::size_t k = 1; k < given.tries.size(); ++k)
    if (passes(q, r.truth, given.tries[k].answer)) mark += ", then right at try " + std::to_string(k + 1);
  const Color colour = r.mark >= 1 ? l.palette->ink : r.mark > 0 ? l.palette->warning : l.palette->error;
  label(l, Face::bold, 14, colour, mark);
  gap(l, 4);
  if (const char* rule = rule_of(q.kind); rule && (r.mark < 1 || near_is_right(q.kind))) {
    const FontScope font(*l.fonts, Face::ui, 12);
    paragraph(l, l.palette->muted, rule, width);
    gap(l, 2);
  }
  const auto number = number_from<double>(predicted);
  const bool scaled = q.kind == "number" || q.kind == "alone" || q.kind == "hyb_k";
  if (q.kind == "lanes") {
    lane_boxes(l, std::min(width, l.u(272)), predicted, &r.truth);
    caption(l, "Filled: idle. Underlined: your prediction.");
  } else if (scaled && number && !r.truth.right.empty()) {
    draw_scale(l, width, *number, best_of(r.truth));
  } else if (q.kind == "sectors") {
    draw_pair(l, width, ranges_text(predicted), ranges_text(r.text));
  } else if (q.kind == "ranking") {
    std::string truth;
    for (const double k : r.truth.right) truth += (truth.empty() ? "" : " ") + number_in_words(k);
    draw_pair(l, width, answer_in_words(q, predicted), answer_in_words(q, truth));
  } else {
    draw_pair(l, width, answer_in_words(q, predicted, r.truth.offer), r.text);
  }
}

void draw_why(const AppState& s, Ui& ui, float width) {
  const Look& l = ui.look;
  {
    const FontScope font(*l.fonts, Face::ui, 13);
    paragraph(l, l.palette->ink, s.lesson.step()->reveal, width);
  }
  gap(l, 6);
  const FontScope font(*l.fonts, Face::ui, 12);
  paragraph(l, l.palette->muted, "You wrote: " + s.lesson.given()->reason, width);
}

}  // namespace warpspy::ui
