// The pattern shows the run: every shading, its legend, the readout, and what happens while it is found out.
#include "core/plot/pattern_shades.hpp"
#include "tests/ui/support.hpp"
#include "ui/services/desk/undo.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

void show(Harness& h, const std::string& shade) {
  h.session.end_step();
  h.session.next_frame();
  h.session.apply(choose("pattern shows", shade));
}

TEST(Pattern, EveryShadingIsShownWithItsLegend) {
  Harness h;
  h.open("gen:laplace5?nx=10&ny=10");
  for (const plot::PatternShade& shade : plot::pattern_shades()) {
    show(h, shade.id);
    h.settle();
    EXPECT_TRUE(h.shows(plot::shade_caption(shade, true))) << shade.id;
    EXPECT_EQ(h.shows("not run"), shade.of_blocks) << shade.id;
    EXPECT_TRUE(h.shows("90 % of the blocks ran")) << shade.id;
  }
  EXPECT_EQ(h.engine.traces, 1);  // one answer serves them all
}

TEST(Pattern, TheCellUnderTheMouseSaysWhoReadsIt) {
  Harness h;
  h.open("gen:laplace5?nx=20&ny=20");
  show(h, "warp");
  h.session.apply(SetCamera{h.state().selected, go_to(Camera{}, 43, 43, 30)});
  h.settle();
  const Shown kernel = h.find("the next run: CSR vector");
  // The middle of the view is the entry that was gone to.
  bool said = false;
  for (float y = kernel.y + 60; y < kernel.y + 360 && !said; y += 15) {
    feed_mouse(kernel.x, y);
    h.frames(3);
    said = h.shows("of block 1, lane") && h.shows("27 sectors of 32 lanes, from L2");
  }
  EXPECT_TRUE(said);
}

TEST(Pattern, AnotherKernelIsAskedForAnew) {
  Harness h;
  h.open("gen:laplace5?nx=20&ny=20");
  show(h, "block");
  h.settle();
  EXPECT_TRUE(h.shows("the next run: CSR vector"));
  h.session.apply(SetKernel{"csr_scalar"});
  h.settle();
  EXPECT_TRUE(h.shows("the next run: CSR scalar"));
  EXPECT_EQ(h.engine.traces, 2);
  // The selected run goes before the knobs.
  h.session.apply(StartRun{});
  h.settle();
  h.session.apply(SetKernel{"csr_vector"});
  h.settle();
  EXPECT_TRUE(h.shows(": CSR scalar"));
}

TEST(Pattern, FailedCancelledAndGone) {
  Harness h;
  h.open("gen:laplace5?nx=20&ny=20");
  h.engine.fails = true;
  show(h, "block");
  h.settle();
  EXPECT_TRUE(h.shows("reads what is not there; choose another kernel"));
  h.engine.fails = false;
  h.engine.holds = true;
  h.session.apply(SetKernel{"csr_scalar"});
  while (h.engine.traces < 2) h.frames(2);
  EXPECT_TRUE(h.shows("finding out who reads which entry"));
  ASSERT_TRUE(h.state().pattern.job);
  h.session.apply(CancelJob{h.state().pattern.job->id});
  h.settle();
  EXPECT_TRUE(h.shows("cancelled"));
  h.engine.holds = false;
  h.session.apply(CloseMatrix{h.state().selected});
  h.settle();
  EXPECT_EQ(h.state().pattern.matrix, 0u);
}

TEST(Pattern, ItIsAViewThatCanBeTakenBack) {
  Harness h;
  h.open("gen:laplace5?nx=20&ny=20");
  show(h, "lane");
  show(h, "x_source");
  h.session.apply(Undo{});
  EXPECT_EQ(h.state().spy.shade, "lane");
  h.session.apply(Undo{});
  EXPECT_EQ(h.state().spy.shade, "");
  h.session.apply(Redo{});
  h.settle();
  EXPECT_EQ(h.state().spy.shade, "lane");
  EXPECT_TRUE(h.state().pattern.trace);
}

// Of a large matrix the rows around the view, in steps larger than a pan.
TEST(Pattern, RowsOfALargeMatrixFollowTheView) {
  std::vector<index_t> ptr(3000001);
  for (std::size_t k = 0; k < ptr.size(); ++k) ptr[k] = 2 * static_cast<index_t>(k);
  std::vector<std::int32_t> columns(6000000);
  for (std::size_t k = 0; k < columns.size(); ++k) columns[k] = static_cast<std::int32_t>(k % 2);
  const Csr a(3000000, 2, std::move(ptr), Indices(std::move(columns)), std::vector<double>(6000000, 1));
  EXPECT_EQ(traced_rows(a, Camera{}), (RowSpan{0, 3000000}));
  Camera near{false, 1500000, 1, 10, 10};
  const RowSpan rows = traced_rows(a, near);
  EXPECT_LT(rows.end - rows.begin, 2000);
  EXPECT_LT(rows.begin, 1500000 - 110);
  EXPECT_GT(rows.end, 1500000 + 110);
  near.row += 1;
  EXPECT_EQ(traced_rows(a, near), rows);
}

}  // namespace
