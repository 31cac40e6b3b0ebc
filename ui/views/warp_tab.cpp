#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/plot/warp_figure.hpp"
#include "ui/platform/compat.hpp"
#include "ui/views/figure_view.hpp"
#include "ui/views/lesson_ghosts.hpp"
#include "ui/views/source_panel.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/focus.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

struct Pick {
  const char *label, *help;
  WarpWanted::By by;
  WarpMeasure measure;
};
constexpr Pick picks[] = {
    {"the worst by sectors", "Of all warps that ran, the one with the most sectors per request.", WarpWanted::By::worst,
     WarpMeasure::sectors},
    {"the worst by idle lanes", "The one whose lanes idle most.", WarpWanted::By::worst, WarpMeasure::idle},
    {"the worst by time", "The one that waits longest, by the model.", WarpWanted::By::worst, WarpMeasure::time},
    {"the median by sectors", "The one in the middle.", WarpWanted::By::median, WarpMeasure::sectors},
    {"the median by idle lanes", "The one in the middle.", WarpWanted::By::median, WarpMeasure::idle},
    {"the median by time", "The one in the middle.", WarpWanted::By::median, WarpMeasure::time},
};

WarpWanted wanted_of(const Pick& p, bool alone = false) {
  WarpWanted wanted;
  wanted.alone = alone;
  wanted.by = p.by;
  wanted.measure = p.measure;
  return wanted;
}

// Without a stage it has not begun.
std::string looking(const std::string& stage) {
  return "Looking for the warp: " + (stage.empty() ? "after what is under way" : stage) + "\xE2\x80\xA6";
}

// A warp, step by step: its lanes, their requests, and where each sector came from.
class WarpTab final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    if (s.warp.matrix == 0) {
      if (empty_state(l, "No warp yet",
                      "One warp of a run, step by step: what each of its 32 lanes asks for, the 128-byte lines of the "
                      "request, and where each sector came from. Mark a row in the pattern to see the warp that "
                      "computes it.",
                      s.can_run() ? "Show the worst warp" : std::string()))
        ui.out(ShowWarp{wanted_of(picks[0])});
      return;
    }
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    heading(
        l, "Warp",
        "As the emulator saw it, while the run around it went through the caches of the model. Rows and columns count "
        "from 1, as in the pattern, and so do steps; elements, lanes, warps and blocks from 0, as in the kernel's "
        "source. "
        "Click or drag over the picture of all steps to go there; with the keys: left and right, Home and End.");
    who(s, ui, at, room.x);
    float top = l.u(24);
    const auto go_to = [&](float x) { ImGui::SetCursorScreenPos(ImVec2(at.x + x, at.y + top)); };
    go_to(0);
    top += choose_warp(s, ui, room.x);
    go_to(0);
    if (!s.warp.trace) {
      if (!s.warp.problem.empty())
        paragraph(l, l.palette->error, "\xE2\x9C\x97 There is no warp to show: " + s.warp.problem);
      else
        caption(l, s.warp.job ? looking(s.warp.job->progress.stage()) : "");
      return;
    }
    top += steer(s, ui, room.x);
    std::vector<std::string> notes = s.warp.trace->notes;
    notes.push_back("these steps take " + bytes_text(static_cast<double>(s.warp.trace->bytes())) +
                    "; no warp tells more than " + count_text(static_cast<index_t>(most_warp_steps)) + ", some 50 MB");
    if (!s.warp.beside_problem.empty()) notes.push_back("nothing is beside it: " + s.warp.beside_problem);
    const float height = std::max(l.u(80), room.y - top - l.u(16) * static_cast<float>(notes.size()));
    go_to(0);
    if (s.warp.view == WarpView::axis) {
      plot::Layout layout;
      draw_figure(ui, *s.warp.figure, ImVec2(room.x, height), "warp", {.titles = false}, &layout);
      draw_ghost(s, ui.look, "axis", layout);
      for (const std::string& text : s.warp.figure->foot) show_text(l, text);
    } else {
      const bool code = s.warp.view == WarpView::source;
      const float width = code ? room.x * 0.54f : room.x;
      // Lanes have names that can be read, and the steps their picture, from here on: with less room it scrolls. Two
      // warps fit beside each other in a window of 1280 pixels, beside the wider column of a lesson too.
      const float least = s.lesson.lesson ? 344 : 392;
      const auto warps = static_cast<float>(std::max<std::size_t>(1, s.warp.figure->warps.size()));
      with_room("whole warp", ImVec2(width, height), ImVec2(warps > 1 ? l.u(least) * warps : l.u(500), l.u(530)),
                [&](ImVec2 size) { figure(s, ui, size); });
      if (code) {
        go_to(width + l.u(12));
        const ImVec2 rest(room.x - width - l.u(12), height);
        ImGui::BeginChild("source", rest, false);
        with_room("whole source", rest, ImVec2(l.u(320), 0),
                  [&](ImVec2 size) { source_.draw(s, ui, s.warp.lines, line_now(s.warp), size.x, size.y, true); });
        end_child();
      }
    }
    top += height;
    go_to(0);
    for (const std::string& note : notes) caption(l, note);
  }

 private:
  static std::string line_now(const WarpShown& w) {
    return w.trace->steps.empty() ? "" : w.trace->sites[w.trace->steps[w.step].site].name();
  }

  static void who(const AppState& s, Ui& ui, ImVec2 at, float width) {
    const Look& l = ui.look;
    const float left = text_width(l, Face::bold, 13, "Warp") + l.u(12);
    std::string text = s.warp.of + " on " + (s.matrix(s.warp.matrix) ? s.matrix(s.warp.matrix)->name : "");
    if (const auto& t = s.warp.trace) text += ", " + t->gpu + ", modelled: " + t->why;
    draw_text(l, ImGui::GetWindowDrawList(), ImVec2(at.x + left, at.y + l.u(1)), Face::ui, 12, l.palette->muted, text,
              width - left);
    show_text(l, text);
  }

  // Controls without room continue below. Returns the height.
  float choose_warp(const AppState& s, Ui& ui, float width) {
    const Look& l = ui.look;
    const ImVec2 begin = ImGui::GetCursorScreenPos();
    ImVec2 at = begin;
    // The field shows the number of the shown row, however it was chosen; text that is being typed stays.
    if (s.warp.wanted != shown_) {
      shown_ = s.warp.wanted;
      row_ = shown_->by == WarpWanted::By::row ? std::to_string(shown_->row + 1) : "";
    }
    auto* list = ImGui::GetWindowDrawList();
    float x = at.x + draw_text(l, list, ImVec2(at.x, at.y + l.u(6)), Face::ui, 13, l.palette->muted, "Row") + l.u(8);
    ImGui::SetCursorScreenPos(ImVec2(x, at.y + l.u(2)));
    {
      const FontScope font(*l.fonts, Face::mono, 13);
      ImGui::SetNextItemWidth(l.u(110));
      const bool entered =
          ImGui::InputTextWithHint("##warp_row", "number", &row_, ImGuiInputTextFlags_EnterReturnsTrue);
      text_stop(l, "##warp_row");
      if (entered) go_to_row(s, ui);
    }
    show_item(l, "Row of the warp");
    tip(l, "Type a row, counted from 1 as in the pattern, and press Enter: the warp that computes it.");
    x += l.u(110 + 16);
    x += draw_text(l, list, ImVec2(x, at.y + l.u(6)), Face::ui, 13, l.palette->muted, "or") + l.u(8);
    // The first choice explains the field while the warp was chosen by a row or an entry.
    std::vector<Choice> choices = {{"the worst, the median\xE2\x80\xA6", "", false, "Choose one of these:"}};
    int chosen = 0;
    for (const Pick& p : picks) {
      if (s.warp.wanted.by == p.by && s.warp.wanted.measure == p.measure) chosen = static_cast<int>(choices.size());
      choices.push_back({p.label, "", true, p.help});
    }
    ImGui::SetCursorScreenPos(ImVec2(x, at.y));
    ImGui::BeginChild("pick", ImVec2(std::min(l.u(220), at.x + width - x), l.u(34)), false,
                      ImGuiWindowFlags_NoScrollbar);
    const int picked = choose(l, "##pick", choices, chosen);
    end_child();
    if (picked > 0) ui.out(ShowWarp{wanted_of(picks[picked - 1], s.warp.wanted.alone), s.warp.beside});
    x += l.u(220 + 16);
    const auto need = [&](float room) {
      if (at.x + width - x < room) x = at.x, at.y += l.u(34);
    };
    need(l.u(160));
    ImGui::SetCursorScreenPos(ImVec2(x, at.y));
    const float beside = std::min(l.u(220), at.x + width - x);
    choose_beside(s, ui, beside);
    x += beside + l.u(16);
    need(toggle_width(l, "alone"));
    ImGui::SetCursorScreenPos(ImVec2(x, at.y + l.u(2)));
    WarpWanted wanted = s.warp.wanted;
    if (toggle(l, "alone", wanted.alone)) {
      wanted.alone = !wanted.alone;
      ui.out(ShowWarp{wanted, s.warp.beside});
    }
    tip(l,
        "The warp by itself, in caches that are empty, instead of amid the run: what it would take if nobody had been "
        "there before it and nobody came between.");
    return at.y - begin.y + l.u(38);
  }

  // Another kernel on the same row.
  static void choose_beside(const AppState& s, Ui& ui, float width) {
    std::vector<Choice> choices = {{"no kernel beside it", "", true, "One warp alone."}};
    std::vector<std::string> ids = {""};
    int chosen = 0;
    for (const KernelInfo& k : s.catalog->kernels) {
      if (k.format.empty() || !k.library.empty() || k.id == s.warp.request.kernel) continue;
      if (k.id == s.warp.beside) chosen = static_cast<int>(ids.size());
      ids.push_back(k.id);
      choices.push_back({"beside " + k.label, "", true, k.help});
    }
    ImGui::BeginChild("beside", ImVec2(width, ui.look.u(34)), false, ImGuiWindowFlags_NoScrollbar);
    const int picked = choose(ui.look, "##beside", choices, chosen);
    end_child();
    if (picked >= 0) ui.out(ShowWarp{s.warp.wanted, ids[static_cast<std::size_t>(picked)]});
  }

  void go_to_row(const AppState& s, Ui& ui) const {
    index_t row = 0;
    const auto [end, failed] = std::from_chars(row_.data(), row_.data() + row_.size(), row);
    const index_t rows = s.has_matrix() ? s.current()->matrix->csr->rows() : 0;
    if (failed != std::errc{} || end != row_.data() + row_.size() || row < 1 || row > rows) {
      ui.out(Notify{{Message::Kind::error, "\"" + row_ + "\" is no row of this matrix",
                     rows > 0 ? "type a number from 1 to " + std::to_string(rows) : "it has none"}});
      return;
    }
    WarpWanted wanted;
    wanted.row = row - 1;
    wanted.alone = s.warp.wanted.alone;
    ui.out(ShowWarp{wanted, s.warp.beside});
  }

  static float steer(const AppState& s, Ui& ui, float width) {
    const Look& l = ui.look;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    float below = 0;
    // After the last item, or on a new line.
    const auto place = [&](const std::vector<std::string>& words) {
      const float x = ImGui::GetItemRectMax().x + l.u(12);
      const bool fits = x + segments_width(l, words) <= at.x + width;
      if (!fits) below += l.u(30);
      ImGui::SetCursorScreenPos(ImVec2(fits ? x : at.x, at.y + below + l.u(3)));
    };
    const WarpShown& w = s.warp;
    const bool any = !w.trace->steps.empty();
    if (button(l, "Back", Weight::plain, 0, any && w.step > 0)) ui.out(StepWarp{false});
    tip(l, "Back by what is chosen beside it" + keys_behind(s, ui.commands, "warp.back"));
    ImGui::SameLine(0, l.u(6));
    if (button(l, "Next", Weight::plain, 0, any && w.step + 1 < w.trace->steps.size())) ui.out(StepWarp{true});
    tip(l, "On by what is chosen beside it" + keys_behind(s, ui.commands, "warp.next"));
    ImGui::SameLine(0, l.u(6));
    if (button(l, w.playing ? "Pause" : "Play", Weight::plain, 0, any)) ui.out(PlayWarp{!w.playing});
    ImGui::SameLine(0, l.u(6));
    const auto [first, past] = any ? rows_of(*w.trace, w.trace->steps[w.step]) : std::pair<index_t, index_t>{};
    if (button(l, "Mark rows", Weight::plain, 0, first < past)) ui.out(SetHighlight{.first = first, .past = past});
    tip(l, "Marks the rows whose entries this step reads, from the first to the last, in the pattern.");
    const std::vector<std::string> strides = {"access", "line", "iteration", "barrier"};
    place(strides);
    const int k = segments(l, "stride", strides, static_cast<int>(w.stride),
                           {"Back and Next go to the next instruction of the warp.",
                            "Back and Next go to the next instruction on another source line.",
                            "Back and Next go to the next round: the same load on the same source line again.",
                            "Back and Next go to the next place where lanes or warps wait for each other."});
    if (k >= 0) ui.out(SetWarpStride{static_cast<WarpStride>(k)});
    const std::vector<std::string> views = {"step", "source", "SM over time"};
    place(views);
    const int v = segments(l, "view", views, static_cast<int>(w.view),
                           {"One step: what each lane asks for, and where each sector came from.",
                            "The step beside the kernel's source, with the sectors that each line asked for.",
                            "The warps that share the SM with this one on an axis of time: who issues, who waits, and "
                            "for what."});
    if (v >= 0) ui.out(SetWarpView{static_cast<WarpView>(v)});
    return below + l.u(38);
  }

  void figure(const AppState& s, Ui& ui, ImVec2 size) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::InvisibleButton("warp", size);
    const bool held = ImGui::IsItemActive(), hovered = ImGui::IsItemHovered();
    const Keys keys = figure_stop(ui, *s.warp.figure, "warp");
    if (keys.along) ui.out(StepWarp{keys.along > 0});
    if (keys.has && key_pressed(ui.look, {Key::home})) ui.out(SetWarpStep{0});
    if (keys.has && key_pressed(ui.look, {Key::end})) ui.out(SetWarpStep{s.warp.trace->steps.size() - 1});
    const plot::Layout layout =
        paint_figure(ui, *s.warp.figure, {at.x, at.y, size.x, size.y}, {.titles = false, .foot = false});
    for (const plot::WarpPanel& panel : s.warp.figure->warps) {
      show_text(ui.look, panel.heading);
      for (const auto& list : {panel.facts, panel.sums})
        for (const std::string& text : list) show_text(ui.look, text);
      show_text(ui.look, panel.code);
      for (const auto& lane : panel.lanes) show_text(ui.look, lane.text);
    }
    if (layout.warps.empty()) return;
    draw_ghost(s, ui.look, "warp", layout);
    const plot::Rect strip = layout.warps[0].steps;
    const plot::Point mouse{ImGui::GetIO().MousePos.x, ImGui::GetIO().MousePos.y};
    if (hovered && !held) card_at(s.warp, ui.look, layout, mouse);
    // A drag that began in the picture of all steps continues outside of it.
    if (held && ImGui::IsMouseClicked(0)) dragging_ = strip.contains(mouse);
    if (!held) dragging_ = false;
    if (!dragging_ || strip.w <= 0) return;
    const std::size_t step = step_at(*s.warp.trace, strip, mouse.x);
    if (step != s.warp.step) ui.out(SetWarpStep{step});
  }

  static std::size_t step_at(const WarpTrace& warp, const plot::Rect& strip, double x) {
    const double place = std::clamp((x - strip.x) / strip.w, 0.0, 1.0);
    return static_cast<std::size_t>(place * static_cast<double>(warp.steps.size()));
  }

  // The tooltip of the step or of the lane under the mouse.
  static void card_at(const WarpShown& w, const Look& l, const plot::Layout& layout, plot::Point mouse) {
    for (std::size_t k = 0; k < layout.warps.size() && k < w.seen.size(); ++k) {
      const WarpTrace& warp = *w.seen[k].trace;
      if (warp.steps.empty()) continue;
      const std::size_t last = warp.steps.size() - 1;
      const plot::Layout::PlacedWarp& placed = layout.warps[k];
      if (placed.steps.contains(mouse))
        return text_tooltip(l, plot::step_card(warp, std::min(last, step_at(warp, placed.steps, mouse.x))));
      for (std::size_t lane = 0; lane < placed.lanes.size(); ++lane)
        if (placed.lanes[lane].contains(mouse))
          return text_tooltip(l, plot::lane_card(warp, std::min(last, w.step), static_cast<int>(lane)));
    }
  }

  SourcePanel source_;
  std::string row_;
  std::optional<WarpWanted> shown_;  // the warp whose row the field shows
  bool dragging_ = false;
};

}  // namespace

extern const ViewRow warp_tab = {
    .id = "warp",
    .label = "Warp",
    .place = Place::tab,
    .group = Topic::performance,
    .help = "One warp of a run, step by step: its lanes, their requests, and where each sector came from.",
    .make = make<WarpTab>,
};

}  // namespace warpspy::ui
