#include "ui/views/spy_panel.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "ui/views/waiting.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

plot::Point mouse_at() { return {ImGui::GetIO().MousePos.x, ImGui::GetIO().MousePos.y}; }

std::string range_text(index_t first, index_t last) {
  return last - first <= 1 ? count_text(first + 1) : count_text(first + 1) + " \xE2\x80\x93 " + count_text(last);
}

void tell_read(const EntryTrace& trace, index_t position, std::vector<CardRow>& rows) {
  const EntryRead* read = trace.find(position);
  if (!read) return rows.push_back({"read by", "a block that did not run", {}});
  for (auto& [what, text] : plot::describe_read(trace, *read)) rows.push_back({what, text, {}});
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
  // As high as the header is.
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.look.u(8), ui.look.u(3.5f)));
  ImGui::BeginChild("shade", ImVec2(width, ui.look.u(26)), false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  const int k = choose(ui.look, "##shade", choices, chosen);
  ImGui::EndChild();
  ImGui::PopStyleVar();
  if (k < 0) return;
  auto next = s.spy;
  next.shade = k == 0 ? "" : plot::pattern_shades()[static_cast<std::size_t>(k) - 1].id;
  ui.out(SetSpy{next});
}

void SpyPanel::header(const AppState& s, Ui& ui, const OpenMatrix* m, const std::string& title, float width) {
  const Look& l = ui.look;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  heading(l, title,
          "Every stored entry of the matrix (spy plot). Each pixel cell shows the exact number of entries in it.\n"
          "Wheel: zoom. Drag: move. Shift+drag or right drag: zoom to a box. Double-click: whole matrix.\n"
          "Click: marks the rows there; N goes to the next marked row.");
  const std::vector<std::string> shadings = {"linear", "log", "binary"};
  const float right = at.x + width;
  const bool of_run = m && m == s.current() && !s.spy.shade.empty();
  const float controls = of_run ? 0 : segments_width(l, shadings);
  float name = text_width(l, Face::bold, 13, title);
  if (m && m == s.current() && width > controls + name + l.u(130)) {
    const float drop = std::min(l.u(172), width - controls - name - l.u(24));
    shade_choice(s, ui, ImVec2(at.x + name + l.u(10), at.y - l.u(4)), drop);
    name += drop + l.u(14);
  }
  if (!of_run && width > controls + name + l.u(16)) {
    ImGui::SetCursorScreenPos(ImVec2(right - controls, at.y - l.u(3)));
    const int k = segments(l, "shading", shadings, static_cast<int>(s.spy.style.shading));
    tip(l, "How counts become colour. Log separates few from many; binary only tells empty from not.");
    if (k >= 0) {
      auto next = s.spy;
      next.style.shading = static_cast<Shading>(k);
      ui.out(SetSpy{next});
    }
  }
  if (m && m->matrix) {
    const Csr& a = *m->matrix->csr;
    const std::string size =
        of_run ? s.pattern.of + (s.pattern.trace ? ": " + s.pattern.trace->kernel : std::string())
               : count_text(a.rows()) + " \xC3\x97 " + count_text(a.cols()) + ", " + count_text(a.nnz()) + " entries";
    const float left = at.x + name + l.u(10);
    const float room = right - controls - l.u(12) - left;
    if (text_width(l, Face::ui, 12, size) <= room)
      draw_text(l, ImGui::GetWindowDrawList(), ImVec2(left, at.y + l.u(1)), Face::ui, 12, l.palette->muted, size);
  }
}

void SpyPanel::draw(const AppState& s, Ui& ui, ImVec2 size) { draw(s, ui, size, s.current(), "Pattern"); }

void SpyPanel::draw(const AppState& s, Ui& ui, ImVec2 size, const OpenMatrix* m, const std::string& title) {
  const Look& l = ui.look;
  const bool current = m == s.current();
  view_ = {};
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  header(s, ui, m, title, size.x);
  const float top = origin.y + l.u(24), bottom = origin.y + size.y - l.u(18);
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
  const float ruler = std::max(l.u(30), text_width(l, Face::mono, 11, count_text(a.rows())) + l.u(12)) + margin;
  const plot::Rect frame{origin.x, top, size.x, std::max(1.f, bottom - top)};
  view_ = {origin.x + ruler, top + l.u(20), std::max(1.f, size.x - ruler - l.u(2)),
           std::max(1.f, bottom - top - l.u(24))};
  const Camera camera = resolve(m->camera, {a.rows(), a.cols()}, view_, s.spy.aspect);
  const SpyScene scene = scene_of(l, *m, camera, view_);
  ImGui::SetCursorScreenPos(ImVec2(static_cast<float>(view_.x), static_cast<float>(view_.y)));
  ImGui::InvisibleButton(
      "spy", ImVec2(static_cast<float>(view_.w), static_cast<float>(view_.h)),
      ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight | ImGuiButtonFlags_MouseButtonMiddle);
  const bool hovered = ImGui::IsItemHovered() && !panning_ && !box_from_;
  mouse(s, ui, scene, camera);

  auto* list = ImGui::GetWindowDrawList();
  double most = 0;
  const TileLook look = tile_look(l, s, *m);
  if (scene.cells)
    most = paint_cells(l, scene, s.knobs.view, look.run, list);
  else
    paint_tiles(l, ui.tiles, scene, look, list);
  if (current && s.highlight && s.highlight->rows && s.highlight->rows->rows() == a.rows())
    paint_highlight(l, scene, *s.highlight->rows, margin, list);
  const plot::Rect in = shown_rect(scene);
  list->AddRect(ImVec2(static_cast<float>(std::floor(in.x)) - 1, static_cast<float>(std::floor(in.y)) - 1),
                ImVec2(static_cast<float>(std::ceil(in.right())) + 1, static_cast<float>(std::ceil(in.bottom())) + 1),
                u32(l.palette->hairline));
  paint_rulers(l, scene, frame, hovered ? std::optional(mouse_at()) : std::nullopt, list);
  if (box_from_) {
    const auto to = mouse_at();
    const ImVec2 p0(static_cast<float>(box_from_->x), static_cast<float>(box_from_->y)),
        p1(static_cast<float>(to.x), static_cast<float>(to.y));
    const ImVec2 lo(std::min(p0.x, p1.x), std::min(p0.y, p1.y)), hi(std::max(p0.x, p1.x), std::max(p0.y, p1.y));
    list->AddRectFilled(lo, hi, u32(l.palette->ink, 0.08f));
    list->AddRect(lo, hi, u32(l.palette->ink), 0, 0, std::max(1.f, l.scale));
  }
  if (hovered) hover(s, ui, scene);
  if (current && !s.spy.shade.empty())
    shade_legend(s, ui, scene, {frame.x + ruler, bottom + l.u(2), size.x - ruler, l.u(16)}, look.run);
  else
    legend(s, ui, scene, {frame.x + ruler, bottom + l.u(2), size.x - ruler, l.u(16)}, most);
  if (current) ui.spy_window = visible(scene.map, scene.extent);
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy(size);
}

void SpyPanel::pick(const AppState& s, Ui& ui, const SpyScene& scene) {
  const index_t rows = scene.m.matrix->csr->rows();
  const double row = scene.map.row_of(pressed_->y), column = scene.map.col_of(pressed_->x);
  const bool inside = row >= 0 && row < static_cast<double>(rows) && column >= 0 &&
                      column < static_cast<double>(scene.m.matrix->csr->cols());
  if (&scene.m != s.current() || !inside) return;
  before_ = SetHighlight{};
  if (const auto& h = s.highlight) before_ = SetHighlight{h->lo, h->hi, h->first, h->past};
  const index_t first = static_cast<index_t>(row) >> scene.kr << scene.kr;
  const index_t past = std::min(rows, first + (index_t{1} << scene.kr));
  const bool again =
      s.highlight && s.highlight->lo >= s.highlight->hi && s.highlight->first == first && s.highlight->past == past;
  ui.out(again ? SetHighlight{} : SetHighlight{.first = first, .past = past});
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
    if (!moved && !ImGui::IsMouseDown(0)) pick(s, ui, scene);
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
    box_from_.reset();
  }
}

void SpyPanel::hover(const AppState& s, Ui& ui, const SpyScene& scene) {
  const Csr& a = *scene.m.matrix->csr;
  const auto at = mouse_at();
  const double row = scene.map.row_of(at.y), col = scene.map.col_of(at.x);
  if (row < 0 || col < 0 || row >= static_cast<double>(a.rows()) || col >= static_cast<double>(a.cols())) return;
  const auto r = static_cast<index_t>(row), c = static_cast<index_t>(col);
  const index_t r0 = r >> scene.kr << scene.kr, c0 = c >> scene.kc << scene.kc;
  const index_t r1 = std::min(a.rows(), r0 + (index_t{1} << scene.kr)),
                c1 = std::min(a.cols(), c0 + (index_t{1} << scene.kc));
  std::vector<CardRow> rows;
  rows.push_back({r1 - r0 > 1 ? "rows" : "row", range_text(r0, r1), {}});
  rows.push_back({c1 - c0 > 1 ? "columns" : "column", range_text(c0, c1), {}});
  if (scene.kr == 0 && scene.kc == 0) {
    const index_t k = a.find(r, c);
    if (k < 0)
      rows.push_back({"value", "not stored", {}});
    else if (!a.is_complex())
      rows.push_back({"value", real_text(a.values()[k], 9), {}});
    else
      rows.push_back({"value",
                      real_text(a.values()[k], 6) + (std::signbit(a.imag()[k]) ? " \xE2\x88\x92 " : " + ") +
                          real_text(std::abs(a.imag()[k]), 6) + "i",
                      {}});
  } else if (const auto* e =
                 ui.tiles.find(scene.m.id, {scene.kr, scene.kc, (r >> scene.kr) / kTile, (c >> scene.kc) / kTile});
             e && e->tile) {
    const auto y = static_cast<std::size_t>((r >> scene.kr) % kTile),
               x = static_cast<std::size_t>((c >> scene.kc) % kTile);
    rows.push_back({"entries here", count_text(e->tile->counts[y * kTile + x]), {}});
  }
  if (const index_t k = scene.kr == 0 && scene.kc == 0 ? a.find(r, c) : -1;
      k >= 0 && s.pattern.trace && s.pattern.matrix == scene.m.id)
    tell_read(*s.pattern.trace, k, rows);
  const index_t length = a.row_ptr()[r1] - a.row_ptr()[r0];
  if (r1 - r0 == 1)
    rows.push_back({"row length", count_text(length), {}});
  else
    rows.push_back({"mean row length", real_text(static_cast<double>(length) / static_cast<double>(r1 - r0), 4), {}});
  if (s.highlight && s.highlight->rows && s.highlight->rows->rows() == a.rows() && s.highlight->rows->count(r0, r1) > 0)
    rows.push_back({"marked rows", count_text(s.highlight->rows->count(r0, r1)), ui.look.palette->highlight});
  card(ui.look, "", rows);
}

void SpyPanel::shade_legend(const AppState& s, Ui& ui, const SpyScene& scene, plot::Rect at, const ShadeLook& run) {
  const Look& l = ui.look;
  auto* list = ImGui::GetWindowDrawList();
  auto x = static_cast<float>(at.x);
  const auto y = static_cast<float>(at.y);
  const auto say = [&](const std::string& t) {
    x += draw_text(l, list, ImVec2(x, y + l.u(1)), Face::ui, 12, l.palette->muted, t,
                   static_cast<float>(at.right()) - x) +
         l.u(5);
    show_text(l, t);
  };
  if (!run.shade) {
    if (s.pattern.job) return say("finding out who reads which entry\xE2\x80\xA6");
    return say(s.pattern.problem.empty() ? "entries" : s.pattern.problem);
  }
  const float side = l.u(9), top = y + l.u(4);
  const auto swatch = [&](double value, float width) {
    list->AddRectFilled(ImVec2(x, top), ImVec2(x + width, top + side),
                        u32(plot::shade_color(*run.shade, value, run.theme)));
    x += width;
  };
  if (run.shade->classes == 0) {
    say(plot::short_number(run.shade->low));
    constexpr int steps = 24;
    for (int k = 0; k < steps; ++k)
      swatch(run.shade->low + (run.shade->high - run.shade->low) * (k + 0.5) / steps, l.u(3));
    x += l.u(5);
    say(plot::short_number(run.shade->high));
  }
  if (const auto keys = s.pattern.keys.find(run.shade->id); keys != s.pattern.keys.end())
    for (const plot::ShadeKey& key : keys->second) {
      swatch(key.value, side);
      x += l.u(4);
      if (run.shade->name || key.value != key.value) say(key.text);
    }
  std::string caption = plot::shade_caption(*run.shade, scene.kr == 0 && scene.kc == 0);
  if (s.pattern.job) caption = "finding out anew\xE2\x80\xA6";
  for (const std::string& note : run.trace->notes) caption += "; " + note;
  say(caption);
}

void SpyPanel::legend(const AppState& s, Ui& ui, const SpyScene& scene, plot::Rect at, double most) {
  const Look& l = ui.look;
  auto* list = ImGui::GetWindowDrawList();
  auto x = static_cast<float>(at.x);
  const auto y = static_cast<float>(at.y);
  const float bar = l.u(72), h = l.u(6), top = y + l.u(5);
  constexpr int steps = 24;
  const auto gradient = [&](auto color) {
    for (int k = 0; k < steps; ++k)
      list->AddRectFilled(ImVec2(x + bar * static_cast<float>(k) / steps, top),
                          ImVec2(x + bar * static_cast<float>(k + 1) / steps, top + h), color(k));
    x += bar + l.u(5);
  };
  const auto say = [&](const std::string& t, Face face = Face::mono) {
    x += draw_text(l, list, ImVec2(x, y + l.u(1)), face, face == Face::mono ? 11.f : 12.f, l.palette->muted, t,
                   static_cast<float>(at.right()) - x) +
         l.u(5);
  };
  if (scene.cells && most == 0) return say("no value other than 0 in view", Face::ui);
  if (scene.cells) {
    say("\xE2\x88\x92" + real_text(most, 3));
    gradient([&](int k) { return u32(value_color((k - steps / 2 + 0.5) * most, most * steps / 2, l.palette->dark)); });
    say("+" + real_text(most, 3));
    say(scene.m.matrix->csr->is_complex() ? std::string("value, ") + name_of(s.knobs.view) : "value", Face::ui);
    return;
  }
  if (!scene.m.pyramid) return say("counting entries\xE2\x80\xA6", Face::ui);
  const std::uint32_t top_count = std::max(1u, scene.m.pyramid->max_count(scene.kr, scene.kc));
  if (top_count > 1 && s.spy.style.shading != Shading::binary) {
    std::vector<std::uint32_t> ramp(steps);
    for (int k = 0; k < steps; ++k) {
      const double t = (k + 0.5) / steps;
      const double count =
          s.spy.style.shading == Shading::log ? std::pow(static_cast<double>(top_count), t) : 1 + t * (top_count - 1);
      ramp[static_cast<std::size_t>(k)] = static_cast<std::uint32_t>(count);
    }
    const auto colors =
        shade(ramp, top_count, s.spy.style.shading, s.spy.style.map, u32(l.palette->panel), l.palette->dark);
    say("1");
    gradient([&](int k) { return colors[static_cast<std::size_t>(k)]; });
    say(plot::short_number(top_count));
  }
  const index_t cr = index_t{1} << scene.kr, cc = index_t{1} << scene.kc;
  say(cr == 1 && cc == 1 ? "one entry per cell"
                         : "entries per cell of " + count_text(cr) + " \xC3\x97 " + count_text(cc),
      Face::ui);
}

}  // namespace warpspy::ui
