// A figure from somebody else's file, drawn: what is read of a recipe goes on every kind of page and canvas.
#include <string>

#include "core/plot/cairo_canvas.hpp"
#include "core/plot/page.hpp"
#include "core/plot/plot_json.hpp"
#include "core/plot/svg_canvas.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace warpspy::fuzz {
namespace {

// The input is the figure's own text, so that what libFuzzer changes is a count or a place and never a check sum.
void run(Bytes bytes) {
  const plot::Plot figure = plot::plot_of(std::string(bytes));
  const MemoryGuard guard(std::uint64_t{512} << 20);
  for (const char* preset : {"screen", "column", "slide"}) {
    const plot::Page page = plot::page_of(*plot::page_preset(preset));
    const plot::Fitted fitted = plot::fitted_to(figure, page);
    plot::SvgCanvas svg(fitted.width, fitted.height, figure.title, page.on_paper(), {});
    plot::draw_page(figure, page, fitted, svg);
    require(!svg.finish().empty(), "nothing was drawn");
    auto raster = plot::CairoCanvas::raster(fitted.width, fitted.height, 1);
    plot::draw_page(figure, page, fitted, raster);
    raster.finish();
  }
}

Words seeds() {
  plot::Plot axes;
  axes.title = "Row lengths", axes.subtitle = "a.mtx", axes.x.label = "length", axes.y.label = "rows";
  axes.x.scale = plot::Scale::log10, axes.x.min = 1, axes.x.max = 100, axes.y.max = 3;
  for (int kind = 0; kind < 6; ++kind) {
    plot::Series& s = axes.series.emplace_back();
    s.kind = static_cast<plot::Series::Kind>(kind), s.name = "rows", s.label = "median", s.mark = plot::Mark::diamond;
    s.x = {1, 10, 50, 100}, s.y = {1, 2, 3};
  }
  axes.y2 = axes.y, axes.series[0].right_axis = true;
  axes.arrows.push_back({1, 1, 50, 3, "1.5x"}), axes.notes.push_back({10, 2, "n/a", {}});
  axes.colorbar = {"entries", {0xff000000, 0xffffffff}, {{0, "1"}, {1, "9"}}};
  axes.foot = {"B = 12 nnz / t"};
  plot::Plot picture;
  picture.images.push_back({0, 2, 0, 2, 2, 2, std::make_shared<std::vector<std::uint32_t>>(4, 0xff00ff00u)});
  picture.square_cells = true, picture.x.categories = {"a", "b"}, picture.cell_texts.push_back({0, 0, "3", {}});
  plot::Plot table;
  table.tables.push_back({"values", "f32", 2, 2, {{"1", false, 1}, {"2", false, 2}, {"3", true, 0}, {"4", false, 0}}});
  plot::Plot diagram;
  diagram.diagram.emplace();
  diagram.diagram->width = 10, diagram.diagram->height = 4;
  diagram.diagram->boxes = {{{1, 1, 2, 2}, "L2", {"hit 50 %"}, {}}, {{6, 1, 2, 2}, "DRAM", {}, {}}};
  diagram.diagram->arrows.resize(2);
  diagram.diagram->arrows[0] = {{3, 2}, {6, 2}, 0.5, plot::Fill::half, false, {}, {"1 MB"}, {"2 GB/s"}, ""};
  diagram.diagram->headings = {{{1, 0.5}, "csr_vector", "H200"}};
  diagram.tall = diagram.diagram;
  plot::Plot warp;
  plot::WarpPanel& w = warp.warps.emplace_back();
  w.heading = "warp 3", w.facts = {"32 lanes"}, w.code = "y += a[k] * x[c];", w.sums = {"12 sectors"};
  w.lanes.resize(32), w.lines.resize(2), w.columns = 3, w.steps.resize(96, 0xff112233u);
  w.lanes[2] = {"x[3]", "3", {}, false, 1, 4}, w.lines[0] = {"x", "x", {}, 3, 15};
  w.entries = {{0.5, 0.5, {}}, {0.2, -1, {}}}, w.steps_name = "3 steps";
  warp.keys = {{{}, "L1"}};
  Words all;
  for (const plot::Plot* p : {&axes, &picture, &table, &diagram, &warp}) all.push_back(plot::plot_text(*p));
  return all;
}

std::string mutate(const std::string& text, Random& r) {
  static const Words words = {"null",   "true",       "[]",   "{}",    "-1", "1e300",
                              "1e-300", "2147483647", "4096", "\"+\"", "0",  "\"a b c\""};
  return mutate_text(text, words, r);
}

}  // namespace

Target drawn_target() { return {.name = "drawn", .run = run, .mutate = mutate, .seeds = seeds}; }

}  // namespace warpspy::fuzz
