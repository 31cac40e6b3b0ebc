// Every view of views.cpp, empty, loaded and after a failed run, in a large, a small and a high-density window.
#include <unistd.h>

#include <cstdio>
#include <set>
#include <tuple>

#include "tests/ui/support.hpp"
#include "ui/figures/figure.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

struct Size {
  float width, height, scale;
};
constexpr Size sizes[] = {{1280, 800, 1}, {640, 400, 1}, {1280, 800, 2}, {480, 320, 1}};

enum class Situation { empty, loaded, failed };

void arrange(Harness& h, Situation situation) {
  if (situation == Situation::empty) return;
  h.open("gen:laplace5?nx=40&ny=40");
  h.open("/no/such/file.mtx");
  h.session.apply(SelectMatrix{h.state().matrices[0].id});
  h.engine.fails = situation == Situation::failed;
  h.session.apply(StartRun{});
  h.settle();
  ASSERT_EQ(h.state().runs.all().size(), 1u);
}

// Drawn alone, it has words of its own.
bool says_something(Harness& h, const ViewRow& row) {
  const auto view = row.make();
  for (int k = 0; k < 3; ++k) h.panel([&](Ui& ui) { view->draw(h.state(), ui); });
  return !h.shown.empty();
}

class EveryView : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(EveryView, DrawsInEveryState) {
  const auto [size_index, situation] = GetParam();
  const Size size = sizes[size_index];
  for (const ViewRow* each : view_rows()) {
    const ViewRow& row = *each;
    SCOPED_TRACE(row.id);
    Harness h(size.width, size.height, size.scale);
    arrange(h, static_cast<Situation>(situation));
    if (row.place == Place::tab) h.session.apply(ShowTab{row.id});
    if (row.place == Place::overlay) h.session.apply(ShowDialog{row.id});
    h.settle();
    EXPECT_TRUE(says_something(h, row));
    sweep(h, 12, 8);
    for (const ThemeId theme : {ThemeId::dark, ThemeId::paper}) {
      h.session.apply(SetTheme{theme});
      h.settle();
      EXPECT_EQ(h.state().theme, theme);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, EveryView, testing::Combine(testing::Range(0, 4), testing::Range(0, 3)));

TEST(Views, IdsAreUniqueAndHaveATab) {
  std::set<std::string> ids;
  int tabs = 0;
  for (const ViewRow* each : view_rows()) {
    const ViewRow& row = *each;
    EXPECT_TRUE(ids.insert(row.id).second) << row.id;
    EXPECT_TRUE(row.make != nullptr);
    EXPECT_NE(std::string(row.help), "");
    tabs += row.place == Place::tab;
  }
  EXPECT_GE(tabs, 5);
}

TEST(Views, SayWhatIsMissingAndThenWhatThereIs) {
  struct Says {
    const char *view, *empty, *loaded;
  };
  const Says all[] = {{"matrix", "No runs yet", "Row lengths"},
                      {"rows", "No rows yet", "Longest rows"},
                      {"formats", "No matrix yet", "Host memory"},
                      {"roofline", "Points", "GFLOP/s"},
                      {"runs", "No runs yet", "CSR vector"},
                      {"tune", "Nothing was tuned yet", "Nothing was tuned yet"},
                      {"facts", "No matrix yet", "bandwidth"},
                      {"traffic", "No run selected", "csr_vector.hpp:41"},
                      {"memory", "No run selected", "Memory chart"},
                      {"analyses", "chosen kernel", "chosen kernel"},
                      {"warp", "No warp yet", "Show the worst warp"},
                      {"matrices", "No matrices yet", "CSR vector"},
                      {"help", "Keys and mouse", "Where a number comes from"},
                      {"workspace", "Nothing is open", "1.6k"},
                      {"controls", "Threads per row", "Threads per row"},
                      {"top", "Search actions", "Toy GPU"}};
  Harness h;
  const auto shows = [&](const char* id, const char* words) {
    SCOPED_TRACE(id);
    const auto view = view_row(id)->make();
    for (int k = 0; k < 3; ++k) h.panel([&](Ui& ui) { view->draw(h.state(), ui); });
    EXPECT_TRUE(h.shows(words)) << words;
  };
  for (const Says& s : all) shows(s.view, s.empty);
  arrange(h, Situation::loaded);
  for (const Says& s : all) shows(s.view, s.loaded);
}

// What a row of a table brings: a command with its keys, and the reason where it cannot be performed.
TEST(Views, TabsAndDialogsHaveACommandOfTheirRow) {
  for (const ViewRow* row : view_rows()) {
    SCOPED_TRACE(row->id);
    const bool tab = row->place == Place::tab, dialog = *row->opener.id != 0;
    EXPECT_TRUE(!dialog || row->place == Place::overlay);
    if (!tab && !dialog) continue;
    const Command* c = command(tab ? std::string("tab.") + row->id : row->opener.id);
    ASSERT_TRUE(c);
    EXPECT_EQ(c->help, row->help);
    if (!tab || row->keys.key != Key::none) {
      EXPECT_EQ(c->keys, row->keys);
    }
    Harness h;
    const std::string why = why_not(h.state(), *c);
    EXPECT_EQ(why, row->why_not ? row->why_not(h.state()) : "");
    if (!why.empty()) continue;
    c->perform(h.state(), h.sink);
    for (const auto& a : h.sink.take()) h.session.apply(a);
    EXPECT_EQ(tab ? h.state().tab : h.state().dialog, row->id);
  }
}

TEST(Views, FiguresHaveACommandOfTheirRow) {
  for (const FigureRow* row : figure_rows()) {
    SCOPED_TRACE(row->id);
    EXPECT_NE(row->picture != nullptr, row->csv && row->json);
    const Command* c = command(std::string("export.") + row->id);
    ASSERT_TRUE(c);
    Harness h;
    EXPECT_EQ(perform(c->id, h.state(), h.sink), row->reason(h.state()).empty());
    EXPECT_TRUE(row->reason(h.state()).empty() || row->reason(h.state()).back() == '.');
  }
}

// Shapes at the edge of what a figure can show.
class OddMatrices : public testing::TestWithParam<std::pair<index_t, index_t>> {};
TEST_P(OddMatrices, AreDrawn) {
  const auto [rows, cols] = GetParam();
  const std::string path = testing::TempDir() + "/warpspy_odd_" + std::to_string(getpid()) + ".mtx";
  std::FILE* f = std::fopen(path.c_str(), "w");
  const int entries = rows > 0 && cols > 0 ? 1 : 0;
  std::fprintf(f, "%%%%MatrixMarket matrix coordinate real general\n%lld %lld %d\n", static_cast<long long>(rows),
               static_cast<long long>(cols), entries);
  if (entries > 0) std::fprintf(f, "%lld %lld 1e300\n", static_cast<long long>(rows), static_cast<long long>(cols));
  std::fclose(f);
  Harness h;
  h.open(path);
  ASSERT_EQ(h.state().matrices.size(), 1u);
  EXPECT_EQ(h.state().matrices[0].status, OpenMatrix::Status::ready);
  for (const char* tab : {"matrix", "rows", "formats", "facts"}) {
    h.session.apply(ShowTab{tab});
    h.frames(3);
    feed_mouse(500, 300);
    for (int k = 0; k < 12; ++k) {
      feed_wheel(3);
      h.frames(1);
    }
    h.settle();
    h.session.apply(SetCamera{h.state().selected, Camera{}});
  }
  h.session.apply(StartRun{});
  h.settle();
  std::remove(path.c_str());
}
INSTANTIATE_TEST_SUITE_P(Shapes, OddMatrices,
                         testing::Values(std::pair<index_t, index_t>{0, 0}, std::pair<index_t, index_t>{0, 5},
                                         std::pair<index_t, index_t>{5, 0}, std::pair<index_t, index_t>{1, 1},
                                         std::pair<index_t, index_t>{1, 3000000},
                                         std::pair<index_t, index_t>{3000000, 1},
                                         std::pair<index_t, index_t>{1000000, 1000000}));

}  // namespace
