#include "ui/views/spy_panel.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "ui/platform/compat.hpp"
#include "ui/spy/owners.hpp"
#include "ui/state/choice_rows.hpp"
#include "ui/views/waiting.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

plot::Point mouse_at() { return {ImGui::GetIO().MousePos.x, ImGui::GetIO().MousePos.y}; }

constexpr const char* kPatternHelp =
    "Every stored entry of the matrix (spy plot). Each pixel cell shows the exact number of entries in it.\n"
    "Wheel: zoom. Drag: move. Shift+drag or right drag: zoom to a box. Double-click: whole matrix.\n"
    "Click: marks the rows there; N goes to the next marked row, W to the warp that computes the first one.\n"
    "Right click: a menu. By keys: the arrows move a cell, Enter marks its rows, plus and minus zoom there.";

const std::vector<std::string>& shadings() {
  static const std::vector<std::string> words = {"linear", "log", "binary"};
  return words;
}

// How counts become colours, at the cursor.
void shading_choice(const AppState& s, Ui& ui) {
  const int k = segments(ui.look, "shading", shadings(), static_cast<int>(s.spy.style.shading));
  tip(ui.look, "How counts become colour. Log separates few from many; binary only tells empty from not.");
  if (k >= 0) ui.out(choose("pattern shading", static_cast<Shading>(k)));
}

std::string pattern_size_text(const OpenMatrix& m) {
  if (!m.matrix) return "";
  const Csr& a = *m.matrix->csr;
  return count_text(a.rows()) + " \xC3\x97 " + count_text(a.cols()) + ", " + count_text(a.nnz()) + " entries";
}

// Room for row numbers, left of the pattern.
float ruler_width(const Look& l, const OpenMatrix& m) {
  const index_t rows = m.matrix ? m.matrix->csr->rows() : 0;
  return std::max(l.u(30), text_width(l, Face::mono, 11, count_text(rows)) + l.u(12));
}

// Beside another matrix the pattern shows counts, whatever the user chose for the pattern alone.
TileLook look_beside(const Look& l, const AppState& s, const SpyScene& scene, const OpenMatrix& other) {
  TileLook look = tile_look(l, s, scene.m);
  look.run = {};
  look.beside = true;
  if (other.pyramid) look.most_beside = other.pyramid->max_count(scene.kr, scene.kc);
  return look;
}

// What a drag zooms to.
void paint_box(const Look& l, plot::Point from, plot::Point to, ImDrawList* list) {
  const ImVec2 lo(static_cast<float>(std::min(from.x, to.x)), static_cast<float>(std::min(from.y, to.y))),
      hi(static_cast<float>(std::max(from.x, to.x)), static_cast<float>(std::max(from.y, to.y)));
  list->AddRectFilled(lo, hi, u32(l.palette->ink, 0.08f));
  list->AddRect(lo, hi, u32(l.palette->ink), 0, 0, std::max(1.f, l.scale));
}

}  // namespace

void SpyPanel::shade_choice(const AppState& s, Ui& ui, ImVec2 at, float width) {
  std::vector<Choice> choices = {{"Entries", "", true, "How many entries there are, or their values."}};
  int chosen = 0;
  for (const plot::PatternShade& shade : plot::pattern_shades()) {
    if (s.spy.shade == shade.id) chosen = static_cast<int>(choices.size());
    choices.push_back({shade.label, "", true, shade.help});
  }
  ImGui::SetCursorScreenPos(at);
  // The height of the header.
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.look.u(8), ui.look.u(3.5f)));
  ImGui::BeginChild("shade", ImVec2(width, ui.look.u(26)), false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  const int k = choose(ui.look, "##shade", choices, chosen);
  end_child();
  ImGui::PopStyleVar();
  if (k < 0) return;
  ui.out(choose("pattern shows", k == 0 ? "" : plot::pattern_shades()[static_cast<std::size_t>(k) - 1].id));
}

// The name has a line of its own, so that two names differ where they end. The size and the choice of colours follow,
// in one line or in two, the same for both.
float SpyPanel::header_beside(const AppState& s, Ui& ui, const OpenMatrix& m, const OpenMatrix& other, float width) {
  const Look& l = ui.look;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  heading(l, fit_text(l, Face::bold, 13, m.name, width - l.u(8)), m.name + "\n" + kPatternHelp);
  const float words = segments_width(l, shadings());
  const float size = std::max(text_width(l, Face::ui, 12, pattern_size_text(m)),
                              text_width(l, Face::ui, 12, pattern_size_text(other)));
  const bool in_one = size + l.u(12) + words <= width;
  draw_text(l, ImGui::GetWindowDrawList(), ImVec2(at.x, at.y + l.u(21)), Face::ui, 12, l.palette->muted,
            pattern_size_text(m), width);
  ImGui::SetCursorScreenPos(ImVec2(at.x + std::max(0.f, width - words), at.y + l.u(in_one ? 19 : 39)));
  shading_choice(s, ui);
  return l.u(in_one ? 46 : 66);
}

float SpyPanel::header(const AppState& s, Ui& ui, const OpenMatrix* m, float width) {
  const Look& l = ui.look;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  heading(l, "Pattern", kPatternHelp);
  const bool current = m != nullptr, of_run = current && !s.spy.shade.empty();
  const float words = segments_width(l, shadings()), name = text_width(l, Face::bold, 13, "Pattern");
  // Beside the title, or below it.
  const float least = (current ? l.u(114) : 0) + (of_run ? 0 : words + l.u(16));
  const bool beside = width >= name + least;
  const float controls = of_run || !beside ? 0 : words;
  float left = name + l.u(10), below = 0;
  if (current) {
    const float drop = std::min(l.u(172), beside ? width - controls - name - l.u(24) : width);
    shade_choice(s, ui, ImVec2(at.x + (beside ? left : 0), at.y + (beside ? -l.u(4) : l.u(20))), drop);
    if (beside)
      left += drop + l.u(14);
    else
      below = l.u(26);
  }
  if (!of_run) {
    const bool third = below > 0 && l.u(172) + l.u(12) + words > width;
    if (!beside) below = third ? l.u(50) : l.u(26);
    ImGui::SetCursorScreenPos(ImVec2(at.x + std::max(0.f, width - words), at.y + below - l.u(3)));
    shading_choice(s, ui);
  }
  if (m && m->matrix) {
    const std::string size = of_run ? s.pattern.of + (s.pattern.trace ? ": " + s.pattern.trace->kernel : std::string())
                                    : pattern_size_text(*m);
    const float room = width - controls - l.u(12) - left;
    if (room > l.u(40))
      draw_text(l, ImGui::GetWindowDrawList(), ImVec2(at.x + left, at.y + l.u(1)), Face::ui, 12, l.palette->muted, size,
                room);
  }
  return l.u(24) + below;
}

void SpyPanel::draw(const AppState& s, Ui& ui, ImVec2 size) { draw(s, ui, size, s.current(), nullptr); }

void SpyPanel::draw_beside(const AppState& s, Ui& ui, ImVec2 size, const OpenMatrix& m, const OpenMatrix& other) {
  draw(s, ui, size, &m, &other);
}

void SpyPanel::draw(const AppState& s, Ui& ui, ImVec2 size, const OpenMatrix* m, const OpenMatrix* other) {
  const Look& l = ui.look;
  const bool current = m == s.current();
  view_ = {};
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float top = origin.y + (other ? header_beside(s, ui, *m, *other, size.x) : header(s, ui, m, size.x));
  const float bottom = origin.y + size.y - l.u(18);
  ImGui::SetCursorScreenPos(ImVec2(origin.x, top));
  if (!m || m->status != OpenMatrix::Status::ready) {
    if (waits_for_matrix(ui, m)) return;
    if (empty_state(l, "No matrix yet",
                    "Its sparsity pattern appears here: every entry, exactly, at any zoom.\n"
                    "Drop a .mtx file onto the window, or open one.",
                    "Open a matrix"))
      ui.out(AskForFiles{});
    return;
  }
  const Csr& a = *m->matrix->csr;
  if (a.rows() == 0 || a.cols() == 0) {
    empty_state(
        l, "An empty matrix",
        "It has " + count_text(a.rows()) + " rows and " + count_text(a.cols()) + " columns: there is nothing to draw.");
    return;
  }
  const float margin = l.u(8);
  const float ruler = std::max(ruler_width(l, *m), other ? ruler_width(l, *other) : 0) + margin;
  const plot::Rect frame{origin.x, top, size.x, std::max(1.f, bottom - top)};
  view_ = {origin.x + ruler, top + l.u(20), std::max(1.f, size.x - ruler - l.u(2)),
           std::max(1.f, bottom - top - l.u(24))};
  const Camera camera = resolve(m->camera, {a.rows(), a.cols()}, view_, s.spy.aspect);
  const SpyScene scene = scene_of(l, *m, camera, view_);
  ImGui::SetCursorScreenPos(ImVec2(static_cast<float>(view_.x), static_cast<float>(view_.y)));
  ImGui::InvisibleButton(
      "spy", ImVec2(static_cast<float>(view_.w), static_cast<float>(view_.h)),
      ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight | ImGuiButtonFlags_MouseButtonMiddle);
  keep_wheel();
  show_item(l, "figure spy");
  const Keys by_keys = key_stop(l, "spy", Focus::Takes::signs);
  const bool hovered = ImGui::IsItemHovered() && !panning_ && !box_from_ && !by_keys.has;
  mouse(s, ui, scene, camera);
  keys(s, ui, scene, by_keys);

  auto* list = ImGui::GetWindowDrawList();
  double most = 0;
  const TileLook look = other ? look_beside(l, s, scene, *other) : tile_look(l, s, *m);
  if (scene.cells)
    most = paint_cells(l, scene, s.knobs.view, look.run, list);
  else
    paint_tiles(l, ui.tiles, scene, look, list);
  const RowOwners* owners = other ? nullptr : shown_owners(s, *m);
  if (owners) paint_owners(scene, *owners, l.scale, list);
  if (current && s.highlight && s.highlight->rows && s.highlight->rows->rows() == a.rows())
    paint_highlight(l, scene, *s.highlight->rows, margin, list);
  const plot::Rect in = shown_rect(scene);
  list->AddRect(ImVec2(static_cast<float>(std::floor(in.x)) - 1, static_cast<float>(std::floor(in.y)) - 1),
                ImVec2(static_cast<float>(std::ceil(in.right())) + 1, static_cast<float>(std::ceil(in.bottom())) + 1),
                u32(l.palette->hairline));
  paint_rulers(l, scene, frame,
               by_keys.has ? cursor_at(scene)
               : hovered   ? std::optional(mouse_at())
                           : std::nullopt,
               list);
  if (box_from_) paint_box(l, *box_from_, mouse_at(), list);
  menu(s, ui, scene, by_keys);
  if (hovered && !menu_open_) hover(s, ui, scene);
  if (by_keys.has || menu_open_) paint_cursor(s, ui, scene);
  plot::Rect below{frame.x + ruler, bottom + l.u(2), size.x - ruler, l.u(16)};
  if (owners) below.w -= owner_legend(ui, *owners, below);
  if (current && !other && !s.spy.shade.empty())
    shade_legend(s, ui, scene, below, look.run);
  else
    legend(s, ui, scene, below, most, look.most_beside);
  if (current) ui.spy_window = visible(scene.map, scene.extent);
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy(size);
}

void SpyPanel::mouse(const AppState& s, Ui& ui, const SpyScene& scene, const Camera& camera) {
  const ImGuiIO& io = ImGui::GetIO();
  const MatrixId id = scene.m.id;
  const auto& view = scene.map.view;
  const bool hovered = ImGui::IsItemHovered();
  if (hovered && io.MouseWheel != 0)
    ui.out(SetCamera{id, zoom_at(camera, view, mouse_at(), std::pow(1.25, static_cast<double>(io.MouseWheel)))});
  if (hovered && ImGui::IsMouseDoubleClicked(0)) {
    ui.out(SetCamera{id, Camera{}});
    if (before_) ui.out(*before_);
    before_.reset(), pressed_.reset();
    panning_ = false;
    return;
  }
  const bool left = ImGui::IsMouseClicked(0), right = ImGui::IsMouseClicked(1), middle = ImGui::IsMouseClicked(2);
  if (hovered && (right || (left && io.KeyShift)))
    box_from_ = mouse_at();
  else if (hovered && (left || middle))
    panning_ = true;
  if (hovered && left && !io.KeyShift) pressed_ = mouse_at();
  if (pressed_) {
    const bool moved = std::hypot(mouse_at().x - pressed_->x, mouse_at().y - pressed_->y) > 3 * ui.look.scale;
    if (const auto at = below_mouse(scene); at && !moved && !ImGui::IsMouseDown(0)) pick(s, ui, scene, *at);
    if (moved || !ImGui::IsMouseDown(0)) pressed_.reset();
  }
  if (panning_) {
    if (!ImGui::IsMouseDown(0) && !ImGui::IsMouseDown(2))
      panning_ = false;
    else if (io.MouseDelta.x != 0 || io.MouseDelta.y != 0)
      ui.out(SetCamera{id, pan(camera, io.MouseDelta.x, io.MouseDelta.y)});
  }
  if (box_from_ && !ImGui::IsMouseDown(0) && !ImGui::IsMouseDown(1)) {
    const auto to = mouse_at();
    const plot::Rect b{std::min(box_from_->x, to.x), std::min(box_from_->y, to.y), std::abs(to.x - box_from_->x),
                       std::abs(to.y - box_from_->y)};
    if (b.w >= 3 && b.h >= 3) ui.out(SetCamera{id, box(camera, view, b)});
    clicked_right_ = std::hypot(b.w, b.h) < 3 * ui.look.scale && ImGui::IsMouseReleased(1);
    box_from_.reset();
  }
}

}  // namespace warpspy::ui
