// What stands above the table of runs: which runs it shows, what can be done with them, and filters.
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "ui/platform/compat.hpp"
#include "ui/views/runs_panel.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/focus.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

bool of_one_matrix(const AppState& s) {
  return std::all_of(s.comparing.begin(), s.comparing.end(),
                     [&](const auto& r) { return matrices_differ(*s.comparing.front(), *r).empty(); });
}

// A filter with a few values, "any" first.
bool pick(const Look& l, const char* id, const std::string& any, const std::vector<std::string>& words, float width,
          std::string& chosen) {
  std::vector<Choice> choices = {{any, "", true, ""}};
  int now = 0;
  for (std::size_t k = 0; k < words.size(); ++k) {
    choices.push_back({words[k], "", true, ""});
    if (words[k] == chosen) now = static_cast<int>(k) + 1;
  }
  ImGui::BeginChild(id, ImVec2(width, l.u(26)), false, ImGuiWindowFlags_NoScrollbar);
  const int picked = choose(l, id, choices, now);
  end_child();
  if (picked < 0) return false;
  chosen = picked == 0 ? "" : words[static_cast<std::size_t>(picked) - 1];
  return true;
}

}  // namespace

float RunsPanel::head(const AppState& s, Ui& ui, ImVec2 origin, float width) {
  const Look& l = ui.look;
  heading(l, "Runs",
          "Click a run to see its traffic. Switch on Compare, or hold Ctrl or Shift, and click others to compare them "
          "with it: arrows on the roofline, and a table of differences.");
  float x = origin.x + text_width(l, Face::bold, 13, "Runs") + l.u(12);
  const std::vector<std::string> which = {"this session", "all"};
  const auto quiet = [&](const char* words) { return text_width(l, Face::ui, 13, words) + l.u(16); };
  const bool clears = !s.list.all && !s.runs.all().empty();
  const bool repeats = s.run(s.selected_run) && size_ == Size::whole;
  const bool differs = s.comparison && size_ == Size::beside;
  const bool compares = s.list.rows.size() > 1;
  if (!compares) adds_ = false;
  const float buttons = (compares ? toggle_width(l, "Compare") + l.u(12) : 0) + (clears ? quiet("Clear") : 0) +
                        (repeats ? quiet("Repeat") : 0) + (differs ? quiet("Differences") : 0);
  // The choice of runs is below the heading if the buttons leave no room beside it.
  const bool below = x - origin.x + segments_width(l, which) + buttons > width;
  ImGui::SetCursorScreenPos(below ? ImVec2(origin.x, origin.y + l.u(22)) : ImVec2(x, origin.y - l.u(2)));
  const int chosen = segments(l, "which runs", which, s.list.all ? 1 : 0);
  tip(l, "The runs since the window opened, or every run that was ever made here, from the command line too.");
  if (chosen >= 0 && (chosen == 1) != s.list.all) ui.out(ListRuns{chosen == 1, s.list.query});
  if (!below) x += segments_width(l, which) + l.u(12);
  float right = origin.x + width;
  if (compares) {
    right -= toggle_width(l, "Compare");
    ImGui::SetCursorScreenPos(ImVec2(right, origin.y - l.u(3)));
    const bool on = comparing(s);
    if (toggle(l, "Compare", on)) {
      adds_ = !on;
      if (on && s.comparison) ui.out(CompareRuns{});
    }
    show_item(l, "Compare");
    tip(l,
        "While it is on, a click on a run compares it with the selected one, or takes it out again. Ctrl+click "
        "switches it on too.");
    right -= l.u(12);
  }
  const auto at_right = [&](const char* words) {
    right -= quiet(words);
    ImGui::SetCursorScreenPos(ImVec2(right, origin.y - l.u(6)));
  };
  if (clears) {
    at_right("Clear");
    if (button(l, "Clear##runs", Weight::quiet)) ui.out(ClearRuns{});
    tip(l, "Takes every run off the list and the roofline. They stay among all runs.");
  }
  if (repeats) {
    at_right("Repeat");
    if (button(l, "Repeat##run", Weight::quiet)) ui.out(RepeatRun{s.selected_run});
    tip(l, "Runs again exactly what the selected run was, on its own matrix and device, and compares the two.");
  }
  std::string text;
  if (s.comparison) {
    if (differs) {
      at_right("Differences");
      if (button(l, "Differences##runs", Weight::quiet)) ui.out(ShowTab{"runs"});
      tip(l, "Shows what differs between the compared runs, in numbers.");
    }
    text = std::to_string(s.comparing.size()) + " compared" + (of_one_matrix(s) ? "" : ", of different matrices");
  } else if (size_ == Size::whole && s.list.total > 0) {
    text = s.list.total > s.list.rows.size()
               ? "the newest " + std::to_string(s.list.rows.size()) + " of " + std::to_string(s.list.total)
               : std::to_string(s.list.total) + (s.list.total == 1 ? " run" : " runs");
    if (!compares) text += "; of two, Compare tells what differs";
  }
  if (!text.empty() && right - x > l.u(30))
    draw_text(l, ImGui::GetWindowDrawList(), ImVec2(x, origin.y + l.u(1)), Face::ui, 12, l.palette->muted, text,
              right - x - l.u(8));
  return l.u(below ? 48 : 24);
}

float RunsPanel::filters(const AppState& s, Ui& ui, float width) {
  const Look& l = ui.look;
  HistoryQuery q = s.list.query;
  bool changed = false;
  if (!typing_) words_ = q.text;
  // All filters in one line; if it is too narrow, text and precision are above the lists.
  const float gap_x = l.u(8), precisions = l.u(130), in_one = std::floor((width - 4 * gap_x - precisions) / 4);
  const bool two = in_one < l.u(80);
  const float field = two ? std::floor((width - 2 * gap_x) / 3) : in_one;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  {
    const FontScope font(*l.fonts, Face::ui, 13);
    ImGui::SetNextItemWidth(two ? std::max(l.u(60), width - precisions - gap_x) : field);
    if (ImGui::InputTextWithHint("##words", "filter by words, notes too", &words_)) q.text = words_, changed = true;
    text_stop(l, "##words");
    typing_ = ImGui::IsItemActive();
  }
  const auto next = [&](int k) {
    const float column = static_cast<float>(two ? k - 1 : k);
    ImGui::SetCursorScreenPos(ImVec2(at.x + column * (field + gap_x), at.y + (two ? l.u(32) : 0)));
  };
  const RunList& list = s.list;
  next(1);
  changed |= pick(l, "kernel", "every kernel", list.words.kernels, field, q.kernel);
  next(2);
  changed |= pick(l, "device", "every device", list.words.devices, field, q.device);
  next(3);
  changed |= pick(l, "matrix", "every matrix", list.words.matrices, field, q.matrix);
  ImGui::SetCursorScreenPos(ImVec2(at.x + width - precisions, at.y + l.u(3)));
  const int now = !q.precision ? 0 : *q.precision == Precision::f32 ? 1 : 2;
  const int precision = segments(l, "precision", {"any", "f32", "f64"}, now);
  if (precision >= 0 && precision != now) {
    q.precision = precision == 0   ? std::nullopt
                  : precision == 1 ? std::optional(Precision::f32)
                                   : std::optional(Precision::f64);
    changed = true;
  }
  if (changed) ui.out(ListRuns{list.all, q});
  return l.u(two ? 66 : 34);
}

}  // namespace warpspy::ui
