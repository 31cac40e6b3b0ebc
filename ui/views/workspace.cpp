#include <imgui.h>

#include <algorithm>
#include <utility>

#include "ui/platform/compat.hpp"
#include "ui/views/runs_panel.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/focus.hpp"
#include "ui/widgets/menu.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

// "coop 16, f64": the parameters that are not at their default, which distinguish runs of a kernel. The tooltip has
// all.
std::string unusual(const AppState& s, const RunRecord& r) {
  std::string text;
  const auto add = [&](const std::string& words) { text += (text.empty() ? "" : ", ") + words; };
  const auto add_params = [&](const std::vector<ParamSpec>& specs, const ParamSet& set) {
    for (const ParamSpec& p : specs)
      if (const auto v = set.find(p.id); v != set.end() && v->second != p.def)
        add(p.id + " " + value_text(p, v->second));
  };
  if (const auto* k = s.catalog->kernel(r.request.kernel)) add_params(k->params, r.request.params);
  if (const auto* f = s.catalog->format(r.format)) add_params(f->params, r.request.format_params);
  if (r.request.precision == Precision::f64) add("f64");
  if (r.request.cache_state == CacheState::cold) add("cold");
  return text;
}

// The open matrices, each with its runs below.
class Workspace final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    heading(l, "Workspace", "The open matrices and their runs. Drop files onto the window to open them.");
    const float w = text_width(l, Face::ui, 13, "Open") + l.u(16);
    ImGui::SetCursorScreenPos(ImVec2(at.x + ImGui::GetContentRegionAvail().x - w, at.y - l.u(6)));
    if (button(l, "Open", Weight::quiet)) ui.out(AskForFiles{});
    tip(l, "Open files or generate a matrix" + keys_behind(s, ui.commands, "file.open") + ".");
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + l.u(28)));
    if (s.matrices.empty()) {
      caption(l, "Nothing is open. Matrices appear here with their runs.");
      recent(s, ui);
      lessons(s, ui);
      return;
    }
    const bool moved = std::exchange(shown_, s.selected) != s.selected;
    for (const auto& m : s.matrices) matrix(s, ui, m, moved && m.id == s.selected);
  }

 private:
  static void recent(const AppState& s, Ui& ui) {
    const Look& l = ui.look;
    if (s.recent.empty()) return;
    gap(l, 16);
    heading(l, "Recent");
    for (std::size_t k = 0; k < s.recent.size(); ++k) {
      const std::string& source = s.recent[k];
      ImGui::PushID(static_cast<int>(k));
      const auto slash = source.find_last_of('/');
      const std::string name =
          source.rfind("gen:", 0) == 0 || slash == std::string::npos ? source : source.substr(slash + 1);
      const bool clicked = ImGui::Selectable("##recent", false, 0, ImVec2(0, l.u(20)));
      if (key_stop(l, "##recent", Focus::Takes::press).pressed || clicked) ui.out(OpenSource{source});
      const ImVec2 from = ImGui::GetItemRectMin();
      draw_text(l, ImGui::GetWindowDrawList(), ImVec2(from.x + l.u(4), from.y + l.u(3)), Face::ui, 13, l.palette->ink,
                name, ImGui::GetContentRegionAvail().x - l.u(4));
      tip(l, source);
      ImGui::PopID();
    }
  }

  static void lessons(const AppState& s, Ui& ui) {
    const Look& l = ui.look;
    if (s.lesson.list.empty()) return;
    gap(l, 16);
    heading(l, "Lessons", "Predict, run, see: ten to fifteen minutes each.");
    for (const LessonEntry& e : s.lesson.list) {
      ImGui::PushID(e.file.c_str());
      const bool clicked = ImGui::Selectable("##lesson", false, 0, ImVec2(0, l.u(20)));
      show_item(l, e.title);
      if (key_stop(l, "##lesson", Focus::Takes::press).pressed || clicked) ui.out(OpenLesson{e.file});
      const ImVec2 from = ImGui::GetItemRectMin();
      draw_text(l, ImGui::GetWindowDrawList(), ImVec2(from.x + l.u(4), from.y + l.u(3)), Face::ui, 13, l.palette->ink,
                e.title, ImGui::GetContentRegionAvail().x - l.u(4));
      ImGui::PopID();
    }
  }

  // `comes`: it has just become the shown matrix, so its line is scrolled into view.
  static void matrix(const AppState& s, Ui& ui, const OpenMatrix& m, bool comes) {
    const Look& l = ui.look;
    const Palette& p = *l.palette;
    ImGui::PushID(static_cast<int>(m.id));
    const bool chosen = m.id == s.selected;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float w = ImGui::GetContentRegionAvail().x, h = l.u(40);
    auto* list = ImGui::GetWindowDrawList();
    const bool clicked = ImGui::InvisibleButton("matrix", ImVec2(std::max(1.f, w - l.u(22)), h));
    if (comes && !ImGui::IsItemVisible()) ImGui::SetScrollHereY(0.2f);
    const bool hot = ImGui::IsItemHovered();
    if (chosen || hot)
      list->AddRectFilled(ImVec2(at.x - l.u(6), at.y), ImVec2(at.x + w, at.y + h),
                          u32(chosen ? p.select : p.control, chosen ? 1.f : 0.6f), l.u(4));
    const Keys keys = key_stop(l, "matrix", Focus::Takes::press);
    menu(s, ui, m, keys);
    if (clicked || keys.pressed) {
      if (ImGui::GetIO().KeyCtrl && s.current() && s.selected != m.id)
        ui.out(CompareMatrices{s.selected, m.id});
      else
        ui.out(SelectMatrix{m.id});
    }
    if (hot)
      tip(l, m.source + (m.status == OpenMatrix::Status::failed ? "\n" + m.failure.one_line()
                         : s.current() && !chosen               ? "\nCtrl+click: side by side with " + s.current()->name
                                                                : ""));
    draw_text(l, list, ImVec2(at.x, at.y + l.u(4)), chosen ? Face::bold : Face::ui, 13, p.ink, m.name, w - l.u(24));
    std::string sub;
    Color c = p.muted;
    if (m.status == OpenMatrix::Status::opening) {
      sub = m.job && !m.job->progress.stage().empty() ? m.job->progress.stage() : "opening\xE2\x80\xA6";
    } else if (m.status == OpenMatrix::Status::failed) {
      sub = "\xE2\x9C\x97 not opened";
      c = p.error;
    } else {
      const Csr& a = *m.matrix->csr;
      sub = plot::short_number(static_cast<double>(a.rows())) + " \xC3\x97 " +
            plot::short_number(static_cast<double>(a.cols())) + ", " +
            plot::short_number(static_cast<double>(a.nnz())) + " nnz";
    }
    draw_text(l, list, ImVec2(at.x, at.y + l.u(21)), Face::ui, 12, c, sub, w - l.u(8));
    ImGui::SetCursorScreenPos(ImVec2(at.x + w - l.u(20), at.y + l.u(4)));
    if (hot || chosen) {
      if (cross_button(l, "close", "Close this matrix; its runs stay.")) ui.out(CloseMatrix{m.id});
    }
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + h + l.u(2)));
    if (m.status == OpenMatrix::Status::ready)
      runs(s, ui, m);
    else
      gap(l, 12);
    ImGui::PopID();
  }

  static void menu(const AppState& s, Ui& ui, const OpenMatrix& m, const Keys& keys) {
    const Look& l = ui.look;
    if (!begin_context_menu(l, "menu", keys)) return;
    if (menu_item(l, "Show")) ui.out(SelectMatrix{m.id});
    const bool other = s.current() && s.selected != m.id;
    if (menu_item(l, "Side by side with the one shown", {.enabled = other})) ui.out(CompareMatrices{s.selected, m.id});
    if (menu_item(l, "Copy its source", {.help = m.source})) ui.out(CopyText{m.source});
    if (menu_item(l, "Close")) ui.out(CloseMatrix{m.id});
    end_menu(l);
  }

  static void runs(const AppState& s, Ui& ui, const OpenMatrix& m) {
    const Look& l = ui.look;
    const Palette& p = *l.palette;
    constexpr int most = 8;
    int shown = 0, more = 0;
    for (auto it = s.runs.all().rbegin(); it != s.runs.all().rend(); ++it) {
      const RunRecord& r = **it;
      if (r.request.matrix != m.source || s.on_trail(r.id)) continue;
      if (++shown > most) {
        ++more;
        continue;
      }
      ImGui::PushID(static_cast<int>(r.id));
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const float w = ImGui::GetContentRegionAvail().x, h = l.u(20), inset = l.u(12);
      auto* list = ImGui::GetWindowDrawList();
      const bool clicked = ImGui::InvisibleButton("run", ImVec2(w, h));
      const bool hot = ImGui::IsItemHovered(), chosen = r.id == s.selected_run;
      if (hot || chosen)
        list->AddRectFilled(ImVec2(at.x + l.u(4), at.y), ImVec2(at.x + w, at.y + h),
                            u32(chosen ? p.select : p.control, chosen ? 1.f : 0.6f), l.u(4));
      if (key_stop(l, "run", Focus::Takes::press).pressed || clicked) ui.out(SelectRun{r.id});
      draw_provenance(l, list, ImVec2(at.x + inset, at.y + h / 2), l.u(3.5f), r.provenance,
                      r.status == RunStatus::ok ? p.ink : p.error);
      const std::string speed = r.status == RunStatus::ok ? real_text(r.gflops.value, 3) : "failed";
      const float number = text_width(l, Face::mono, 12, speed);
      const float room = w - inset - number - l.u(22), left = at.x + inset + l.u(10);
      const float label = text_width(l, Face::ui, 13, r.kernel_label) + l.u(6);
      draw_text(l, list, ImVec2(left, at.y + l.u(2)), Face::ui, 13, p.ink, r.kernel_label, room);
      if (room - label > l.u(30))
        draw_text(l, list, ImVec2(left + label, at.y + l.u(3)), Face::ui, 12, p.muted, unusual(s, r), room - label);
      draw_text(l, list, ImVec2(at.x + w - number - l.u(6), at.y + l.u(3)), Face::mono, 12,
                r.status == RunStatus::ok ? p.muted : p.error, speed);
      tip(l, r.kernel_label + ", " + params_text(s, r) + "\n" + r.device_name + ", " +
                 warpspy::name_of(r.request.precision) + "\n" +
                 (r.status == RunStatus::ok ? speed + " GFLOP/s, " + warpspy::name_of(r.gflops.provenance) : r.error));
      ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + h));
      ImGui::PopID();
    }
    if (more > 0) {
      ImGui::SetCursorPosX(ImGui::GetCursorPosX() + l.u(22));
      caption(l, "and " + std::to_string(more) + " more");
    }
    gap(l, 12);
  }

  MatrixId shown_ = 0;  // the shown matrix of the previous frame
};

}  // namespace

extern const ViewRow workspace = {
    .id = "workspace",
    .label = "Workspace",
    .place = Place::left,
    .help = "The open matrices and their runs.",
    .scrolls = true,
    .make = make<Workspace>,
};

}  // namespace warpspy::ui
