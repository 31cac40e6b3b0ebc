#include "ui/views/matrices_tab.hpp"

#include <imgui.h>

#include <algorithm>
#include <string>
#include <utility>

#include "core/figure/figure.hpp"
#include "core/model/best_runs.hpp"
#include "core/model/run_lines.hpp"
#include "ui/platform/compat.hpp"
#include "ui/views/cell_figure.hpp"
#include "ui/views/figure_view.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/choose.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/flow.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

// Many matrices: a table, the sweep that runs on them, and its results as figures.
class MatricesTab final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    if (s.matrices.empty() && !s.sweep) {
      if (empty_state(
              l, "No matrices yet",
              "Open several at once, or a folder: each gets a line here with its pattern, its rows, its smallest "
              "format and its best kernel. A sweep runs many kernels on all of them.",
              "Open matrices"))
        ui.out(AskForFiles{});
      return;
    }
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const float top = head(s, ui, room.x);
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + top));
    const ImVec2 rest(room.x, room.y - top);
    switch (s.matrices_view.face) {
      case MatricesFace::table:
        return table(s, ui, rest);
      case MatricesFace::sweep:
        return draw_sweep_cells(s, ui, cells_sort_, rest);
      case MatricesFace::best:
        return best(s, ui, rest);
      case MatricesFace::heat_map:
      case MatricesFace::profile:
      case MatricesFace::lines:
        return figure(s, ui, rest);
    }
  }

 private:
  static void change(Ui& ui, MatricesView next) { ui.out(SetMatricesView{std::move(next)}); }

  // Returns the height taken.
  static float head(const AppState& s, Ui& ui, float width) {
    const Look& l = ui.look;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const std::vector<std::string> faces = {"Table", "Sweep", "Heat map", "Profile", "Line chart", "Best"};
    const int face = segments_or_list(l, "face", faces, static_cast<int>(s.matrices_view.face), width);
    tip(l,
        "Table: the open matrices. Sweep: its products. Heat map: matrix x kernel. Profile: how often a kernel is "
        "within a factor of the best. Line chart: speed over a parameter. Best: the fastest kernel of each matrix, and "
        "why.");
    if (face >= 0) {
      MatricesView next = s.matrices_view;
      next.face = static_cast<MatricesFace>(face);
      change(ui, next);
    }
    const float used = segments_or_list_width(l, faces, width) + l.u(12);
    const bool below = width - used < l.u(s.sweep ? 260 : 120);
    ImGui::SetCursorScreenPos(below ? ImVec2(at.x, at.y + l.u(30)) : ImVec2(at.x + used, at.y));
    draw_sweep_line(s, ui, below ? width : width - used);
    return l.u(below ? 60 : 30);
  }

  void table(const AppState& s, Ui& ui, ImVec2 size) {
    const Look& l = ui.look;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float field = std::min(l.u(300), size.x * 0.5f);
    table_.filter(s, ui, field);
    const std::size_t chosen = s.matrices_view.chosen.size(), all = s.matrices.size();
    std::string text = std::to_string(all) + (all == 1 ? " matrix" : " matrices");
    if (chosen > 0) text = std::to_string(chosen) + " of " + text + " chosen";
    if (chosen == 0) text += "; Shift+arrows or Ctrl+click choose several";
    draw_text(l, ImGui::GetWindowDrawList(), ImVec2(at.x + field + l.u(12), at.y + l.u(5)), Face::ui, 12,
              l.palette->muted, text, size.x - field - l.u(12));
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + l.u(34)));
    table_.draw(s, ui, ImVec2(size.x, size.y - l.u(34)));
  }

  struct EmptyFigure {
    const char *title, *text;
  };
  static EmptyFigure empty_of(MatricesFace face) {
    if (face == MatricesFace::heat_map)
      return {"Nothing ran yet",
              "A heat map shows every kernel on every matrix: speed, share of the roof, or time over the best. It is "
              "made of the runs of this window."};
    if (face == MatricesFace::profile)
      return {"Nothing ran yet",
              "A performance profile shows for each kernel on how many matrices it is within a factor of the fastest "
              "(Dolan & More 2002). It is made of the runs of this window."};
    return {"Nothing was varied yet",
            "A line chart shows speed over a parameter that took several values, or over the size of matrices, a curve "
            "for each kernel. Give a parameter several values in a sweep, such as 2:32."};
  }

  void figure(const AppState& s, Ui& ui, ImVec2 size) {
    const Look& l = ui.look;
    const MatricesFace face = s.matrices_view.face;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    Flow flow(at, size.x, l.u(34));
    if (face == MatricesFace::heat_map) flow.next(choose_measure(s, ui, size.x), l.u(16));
    if (face == MatricesFace::lines && !s.turned.empty()) flow.next(choose_axis(s, ui), l.u(16));
    if (s.sweep) choose_runs(s, ui, flow.next(toggle_width(l, "Only this sweep"), 0));
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + flow.height()));
    const auto& plot = face == MatricesFace::heat_map  ? s.heat_map
                       : face == MatricesFace::profile ? s.profile
                                                       : s.line_chart;
    if (!plot) {
      const EmptyFigure empty = empty_of(face);
      if (empty_state(l, empty.title, empty.text, s.matrices.empty() ? "" : "Run a sweep\xE2\x80\xA6"))
        ui.out(ShowDialog{"sweep"});
      return;
    }
    const ImVec2 room(size.x, size.y - flow.height());
    // Otherwise names of rows, curves and axes are left out.
    with_room("whole figure", room, ImVec2(l.u(380), l.u(320)), [&](ImVec2 whole) {
      if (face == MatricesFace::heat_map) return heat_map(s, ui, *plot, whole);
      const char* id = face == MatricesFace::profile ? "profile" : "line";
      if (const auto hit = draw_figure(ui, *plot, whole, id, {}); hit && s.run(hit->id)) ui.out(SelectRun{hit->id});
    });
  }

  static void choose_runs(const AppState& s, Ui& ui, ImVec2 at) {
    if (!s.sweep) return;
    ImGui::SetCursorScreenPos(at);
    if (toggle(ui.look, "Only this sweep", s.matrices_view.only_sweep)) {
      MatricesView next = s.matrices_view;
      next.only_sweep = !next.only_sweep;
      change(ui, next);
    }
    tip(ui.look, "Else every run of this window counts.");
  }

  void best(const AppState& s, Ui& ui, ImVec2 size) {
    const Look& l = ui.look;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (s.best.empty() && !s.best_search) {
      if (empty_state(l, "Nothing ran yet",
                      "The fastest kernel of each matrix stands here, on each device and in each precision, with the "
                      "second and why it is slower. It is made of the runs of this window; a search among all kernels "
                      "makes them.",
                      s.matrices.empty() ? "" : "Search each best"))
        ui.out(SearchBest{});
      return;
    }
    Flow flow(at, size.x, l.u(34));
    ImGui::SetCursorScreenPos(flow.next(BestFor::width(l), l.u(16)));
    best_for_.draw(s, ui);
    if (s.sweep) choose_runs(s, ui, flow.next(toggle_width(l, "Only this sweep"), l.u(12)));
    const ImVec2 line = flow.next(std::min(size.x, l.u(s.best_search ? 330 : 130)), 0);
    ImGui::SetCursorScreenPos(ImVec2(line.x, line.y + l.u(3)));
    draw_best_line(s, ui, at.x + size.x - line.x);
    const float top = flow.height(), room = size.y - top;
    // The table has the height of its rows, at most half; the figure gets the rest.
    const auto rows = static_cast<float>(s.best.size() + (s.best_search ? s.best_search->left() : 0));
    const bool both = s.costs_chart && best_shown(s);
    const float high = both ? std::min(l.u(30) + rows * l.u(36), std::max(l.u(110), 0.42f * room)) : room;
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + top));
    draw_best(s, ui, best_sort_, ImVec2(size.x, high));
    if (both) costs(s, ui, ImVec2(at.x, at.y + top + high + l.u(8)), ImVec2(size.x, room - high - l.u(8)));
  }

  // The cost of the selected row: a sentence, and a figure over the number of products.
  static void costs(const AppState& s, Ui& ui, ImVec2 at, ImVec2 size) {
    const Look& l = ui.look;
    const BestRun& b = *best_shown(s);
    ImGui::SetCursorScreenPos(at);
    ImGui::BeginChild("costs", size, false, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    paragraph(l, l.palette->ink, figure::written_name(b.best->matrix_name) + ": " + cost_text(b), size.x);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    with_room("whole costs", room, ImVec2(l.u(360), l.u(220)), [&](ImVec2 whole) {
      const plot::Parts parts{.titles = false, .foot = false};
      if (const auto hit = draw_figure(ui, *s.costs_chart, whole, "cost", parts); hit && s.run(hit->id))
        ui.out(SelectRun{hit->id});
    });
    end_child();
  }

  // Both functions return their width.
  static float choose_measure(const AppState& s, Ui& ui, float room) {
    const std::vector<std::string> measures = {"GFLOP/s", "Share of roof", "Time over best", "Preparation"};
    const int k = segments_or_list(ui.look, "measure", measures, static_cast<int>(s.matrices_view.measure), room);
    tip(ui.look,
        "What the colour of a cell says. Preparation: conversion and setup once, in products of the best CSR kernel.");
    if (k >= 0) {
      MatricesView next = s.matrices_view;
      next.measure = static_cast<plot::GridMeasure>(k);
      change(ui, next);
    }
    return segments_or_list_width(ui.look, measures, room);
  }
  static float choose_axis(const AppState& s, Ui& ui) {
    std::vector<Choice> choices;
    int chosen = 0;
    for (const std::string& id : s.turned) {
      if (id == s.matrices_view.over) chosen = static_cast<int>(choices.size());
      choices.push_back({"over " + axis_label(*s.catalog, id), "", true, ""});
    }
    const float width = ui.look.u(220);
    ImGui::BeginChild("over", ImVec2(width, ui.look.u(34)), false, ImGuiWindowFlags_NoScrollbar);
    const int picked = choose(ui.look, "##over", choices, chosen);
    end_child();
    tip(ui.look, "What took several values in these runs.");
    if (picked >= 0) {
      MatricesView next = s.matrices_view;
      next.over = s.turned[static_cast<std::size_t>(picked)];
      change(ui, next);
    }
    return width;
  }

  // A click on a cell selects its run. Without a run, it shows the matrix and selects the kernel.
  void heat_map(const AppState& s, Ui& ui, const plot::Plot& plot, ImVec2 size) {
    const auto picked = cells_.draw(ui, plot, size, "heatmap", {});
    if (!picked) return;
    if (picked->id != 0 && s.run(picked->id)) return ui.out(SelectRun{picked->id});
    const std::string &matrix = plot.rows[picked->cell][0], &kernel = plot.rows[picked->cell][1];
    for (const OpenMatrix& m : s.matrices)
      if (m.name == matrix && m.id != s.selected) ui.out(SelectMatrix{m.id});
    for (const KernelInfo& k : s.catalog->kernels)
      if (k.label == kernel) ui.out(SetKernel{k.id});
    ui.out(Notify{
        {Message::Kind::note, kernel + " has not run on " + matrix + " yet: it is chosen for the next run.", "", 0}});
  }

  MatrixTable table_;
  TableSort cells_sort_, best_sort_;
  BestFor best_for_;
  CellFigure cells_;
};

}  // namespace

extern const ViewRow matrices_tab = {
    .id = "matrices",
    .label = "Matrices",
    .place = Place::tab,
    .group = Topic::many,
    .help =
        "All open matrices: a table, sweeps of runs on them, the best kernel of each, heat map and performance "
        "profile.",
    .make = make<MatricesTab>,
};

}  // namespace warpspy::ui
