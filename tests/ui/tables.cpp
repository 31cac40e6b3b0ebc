// Tables and figures in the hand: sorting, widths, copies, menus, and tips that cover nothing.
#include <algorithm>
#include <functional>
#include <string>

#include "tests/ui/hands.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/table.hpp"
#include "ui/widgets/text.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

void right_click(Harness& h, const Shown& at, float along = 0.5f) {
  point_at(at, along);
  h.frames(2);
  feed_button(1, true);
  h.frames(1);
  feed_button(1, false);
  h.frames(3);
}
void run_all(Harness& h) {
  for (const char* kernel : {"csr_scalar", "csr_vector"})
    for (const Precision p : {Precision::f32, Precision::f64}) {
      h.session.apply(SetKernel{kernel});
      h.session.apply(choose("precision", p));
      h.session.apply(StartRun{});
      h.settle();
    }
}

// The upper of the two arrays that the engine of the tests knows.
std::string first_array(const Harness& h) {
  float values = 0, x = 0;
  for (const Shown& s : h.shown) {
    if (s.kind == Shown::Kind::text && s.words == "values") values = s.y;
    if (s.kind == Shown::Kind::text && s.words == "x") x = s.y;
  }
  return x < values ? "x" : "values";
}

TEST(Selection, ACellOfASearchSelectsItsRunOrItsParameters) {
  Harness h(1400, 900);
  h.open("gen:laplace5?nx=30&ny=30");
  h.session.apply(ShowTab{"tune"});
  h.session.apply(StartTuning{});
  h.settle();
  const auto coop_of_run = [&](double coop) {
    const auto run = h.state().run(h.state().selected_run);
    return run && run->request.params.contains("coop") && run->request.params.at("coop") == coop;
  };
  EXPECT_TRUE(click_until(h, of_figure(h, "tuning"), 25, [&] { return coop_of_run(2); }));
  EXPECT_TRUE(click_until(h, of_figure(h, "tuning"), 25, [&] { return coop_of_run(16); }));
  h.session.apply(ClearRuns{});
  h.settle();
  const auto coop = [&] {
    const auto& set = h.state().knobs.kernel_params;
    return set.contains("csr_vector") && set.at("csr_vector").contains("coop") ? set.at("csr_vector").at("coop") : 0;
  };
  EXPECT_TRUE(click_until(h, of_figure(h, "tuning"), 25, [&] { return coop() == 4; }))
      << "no run is left: its parameters are set";
}

TEST(Selection, ABandOfTheMemoryChartSelectsItsRun) {
  Harness h(1400, 900);
  h.open("gen:laplace5?nx=20&ny=20");
  run_all(h);
  h.session.apply(SelectRun{4});
  h.session.apply(choose("run beside", std::uint64_t{2}));
  h.session.apply(ShowTab{"memory"});
  h.settle();
  EXPECT_TRUE(click_until(h, of_figure(h, "memory"), 14, [&] { return h.state().selected_run == 2; }));
}

TEST(Tables, RunsAreSortedByAColumn) {
  Harness h(1600, 900);
  h.open("gen:laplace5?nx=20&ny=20");
  run_all(h);
  h.session.apply(ShowTab{"runs"});
  h.settle();
  const auto kernels = [&] {
    std::vector<std::pair<float, std::string>> rows;
    for (const Shown& s : h.shown)
      if (s.kind == Shown::Kind::text && (s.words == "CSR scalar" || s.words == "CSR vector") && s.x > 250 &&
          s.x < 1300)
        rows.push_back({s.y, s.words});
    std::sort(rows.begin(), rows.end());
    std::vector<std::string> names;
    for (const auto& [y, name] : rows)
      if (names.empty() || names.back() != name) names.push_back(name);
    return names;
  };
  click_on(h, "Kernel");
  h.frames(2);
  auto names = kernels();
  ASSERT_GE(names.size(), 2u);
  EXPECT_EQ(names[0], "CSR scalar");
  click_on(h, "Kernel");
  h.frames(2);
  names = kernels();
  ASSERT_GE(names.size(), 2u);
  EXPECT_EQ(names[0], "CSR vector");
}

TEST(Tables, AColumnIsDraggedWider) {
  Harness h(500, 300);
  float width = 0;
  const auto frame = [&] {
    h.panel([&](Ui& ui) {
      Table table(ui.look, "t", {{.name = "one", .width = 80}, {.name = "two", .width = 80}}, ImVec2(400, 200));
      if (!table) return;
      table.head();
      table.row();
      width = table.next();
      table.next();
    });
  };
  frame(), frame();
  const float before = width;
  const Shown head = h.find("one");
  feed_mouse(head.x + before + 6, head.y + 4);
  frame(), frame();
  // The border is a few pixels wide: it is found by going over it.
  for (float x = head.x + before - 2; x < head.x + before + 16; x += 1) {
    feed_mouse(x, head.y + 4);
    frame(), frame();
    if (ImGui::GetMouseCursor() == ImGuiMouseCursor_ResizeEW) break;
  }
  ASSERT_EQ(ImGui::GetMouseCursor(), ImGuiMouseCursor_ResizeEW);
  const ImVec2 at = ImGui::GetIO().MousePos;
  feed_button(0, true);
  frame();
  feed_mouse(at.x + 50, at.y);
  frame(), frame();
  feed_button(0, false);
  frame(), frame();
  EXPECT_NEAR(width, before + 50, 2);
}

TEST(Tables, TheirNamesHaveAMenuThatCopies) {
  Harness h(1600, 900);
  h.open("gen:laplace5?nx=20&ny=20");
  run_all(h);
  h.session.apply(ShowTab{"roofline"});
  h.settle();
  right_click(h, h.find("flop/B"));
  ASSERT_FALSE(h.items("Copy the table").empty());
  const Shown item = h.find("Copy the table");
  point_at(item);
  h.frames(2);
  feed_button(0, true);
  auto actions = h.frames(1);
  feed_button(0, false);
  const auto rest = h.frames(4);
  actions.insert(actions.end(), rest.begin(), rest.end());
  const auto* copied = find_action<CopyText>(actions);
  ASSERT_TRUE(copied);
  EXPECT_EQ(copied->text.substr(0, 9), "#\tmatrix\t");
  EXPECT_NE(copied->text.find("\tDRAM\t"), std::string::npos) << "what is drawn by hand is copied too";
}

TEST(Tables, EveryRowIsThereForACopyAndForTheKeys) {
  Harness h(500, 300);
  int drawn = 0;
  bool copies = false;
  const auto frame = [&] {
    h.panel([&](Ui& ui) {
      drawn = 0;
      Table table(ui.look, "t", {{.name = "n", .right = true}}, ImVec2(300, 120));
      if (!table) return;
      if (copies) table.copy();
      table.head();
      table.rows(1000, [&](int k) {
        ++drawn;
        table.row();
        table.pick(("##" + std::to_string(k)).c_str());
        table.text(std::to_string(k), ui.look.palette->ink);
      });
    });
  };
  frame(), frame();
  EXPECT_LT(drawn, 50) << "what is out of sight is left out";
  EXPECT_GT(drawn, 3);
  copies = true;
  frame();
  copies = false;
  frame();
  EXPECT_EQ(drawn, 1000);
  EXPECT_EQ(std::count(h.look.copied.begin(), h.look.copied.end(), '\n'), 1001) << "with the names";
}

TEST(Tables, TrafficIsSortedByAColumn) {
  Harness h(1400, 900);
  h.open("gen:laplace5?nx=20&ny=20");
  h.session.apply(StartRun{});
  h.settle();
  h.session.apply(ShowTab{"traffic"});
  h.frames(4);
  const auto x_is_first = [&] { return first_array(h) == "x"; };
  EXPECT_FALSE(x_is_first());
  click_on(h, "sectors");  // the fewest first: values have 40, x has 200
  EXPECT_FALSE(x_is_first());
  click_on(h, "sectors");
  EXPECT_TRUE(x_is_first());
  click_on(h, "sectors");
  EXPECT_FALSE(x_is_first()) << "as they are by themselves";
}

TEST(Menus, AMarkOfTheRooflineHasOne) {
  Harness h;
  h.open("gen:laplace5?nx=20&ny=20");
  run_all(h);
  const auto before = h.state().selected_run;
  h.session.apply(ShowTab{"roofline"});
  h.settle();
  // A mark is where its tooltip says so.
  const Shown area = h.find("Points");
  bool opened = false;
  for (float y = 120; y < area.y && !opened; y += 5)
    for (float x = 260; x < 1000 && !opened; x += 5) {
      feed_mouse(x, y);
      h.frames(1);
      if (!h.shows("of the roof")) continue;
      feed_button(1, true);
      h.frames(1);
      feed_button(1, false);
      h.frames(3);
      opened = !h.items("Copy its numbers").empty();
    }
  EXPECT_TRUE(opened);
  EXPECT_NE(h.state().selected_run, 0u);
  (void)before;
}

TEST(Menus, AMatrixOfTheWorkspaceHasOne) {
  Harness h;
  h.open("gen:laplace5?nx=20&ny=20");
  h.open("gen:laplace5?nx=21&ny=21");
  const std::string first = h.state().matrices[0].name;
  right_click(h, h.find(first));
  ASSERT_FALSE(h.items("Side by side with the one shown").empty());
  click_on(h, "Side by side with the one shown");
  EXPECT_EQ(h.state().tab, "compare");
}

TEST(Tips, StandBesideWhatTheyExplain) {
  Harness h(600, 400);
  const std::string words = "An explanation that is long enough to need more than a single line of the tip.";
  for (const ImVec2 at : {ImVec2(10, 10), ImVec2(500, 10), ImVec2(10, 360), ImVec2(500, 360)}) {
    const auto frame = [&] {
      h.panel([&](Ui& ui) {
        ImGui::SetCursorScreenPos(at);
        ImGui::InvisibleButton("thing", ImVec2(80, 24));
        tip(ui.look, words);
      });
    };
    feed_mouse(at.x + 70, at.y + 20);
    frame(), frame(), frame(), frame();
    ASSERT_TRUE(h.shows(words, Shown::Kind::tip));
    // The tip's window is the only one beside the panel.
    const ImGuiViewport* view = ImGui::GetMainViewport();
    ASSERT_NE(view, nullptr);
    const ImDrawData* data = ImGui::GetDrawData();
    bool covers = false;
    for (int k = 1; k < data->CmdListsCount; ++k)
      for (const ImDrawVert& v : data->CmdLists[k]->VtxBuffer)
        covers = covers || (v.pos.x > at.x && v.pos.x < at.x + 80 && v.pos.y > at.y && v.pos.y < at.y + 24);
    EXPECT_FALSE(covers) << at.x << ", " << at.y;
  }
}

TEST(Tips, CoverNoRowOfATable) {
  Harness h(600, 400);
  const std::string words = "An explanation that is long enough to need more than a single line of the tip.";
  for (const float top : {10.f, 140.f, 260.f})
    for (const float down : {8.f, 31.f, 100.f}) {  // on the names, on the first row, on the last
      const auto frame = [&] {
        h.panel([&](Ui& ui) {
          ImGui::SetCursorScreenPos(ImVec2(20, top));
          Table table(ui.look, "t", {{.name = "one", .help = words, .width = 80}, {.name = "two", .width = 80}},
                      ImVec2(400, 120));
          table.head();
          for (int k = 0; k < 4; ++k) {
            table.row();
            table.text("a", ui.look.palette->ink, Face::mono, words);
            table.text("b", ui.look.palette->ink);
          }
        });
      };
      feed_mouse(25, top + down);
      frame(), frame(), frame(), frame();
      ASSERT_TRUE(h.shows(words, Shown::Kind::tip)) << top << ", " << down;
      // The last list is the tip's: the table has two, one of them for its rows.
      const ImDrawData* data = ImGui::GetDrawData();
      const ImDrawList* tip = data->CmdLists[data->CmdListsCount - 1];
      ASSERT_GT(tip->VtxBuffer.Size, 0);
      bool covers = false;
      for (const ImDrawVert& v : tip->VtxBuffer) covers = covers || (v.pos.y > top && v.pos.y < top + 115);
      EXPECT_FALSE(covers) << top << ", " << down;
    }
}

TEST(Selection, ChosenMatricesAreTheSelectionOfTheRoofline) {
  Harness h;
  std::vector<MatrixId> ids;
  for (const char* n : {"20", "21", "22"}) {
    h.open("gen:laplace5?nx=10&ny=" + std::string(n));
    ids.push_back(h.state().selected);
    h.session.apply(StartRun{});
    h.settle();
  }
  h.session.apply(choose("roofline shows", "selected"));
  h.settle();
  EXPECT_EQ(roofline_runs(h.state(), false).size(), 1u);
  MatricesView view = h.state().matrices_view;
  view.chosen = {ids[0], ids[1]};
  h.session.apply(SetMatricesView{view});
  h.settle();
  EXPECT_EQ(roofline_runs(h.state(), false).size(), 3u) << "those of the two, and the selected one";
}

TEST(Selection, AMarkOfAnAnalysisSelectsItsRun) {
  Harness h(1400, 900);
  h.open("gen:laplace5?nx=40&ny=40");
  h.session.apply(StartRun{});
  h.settle();
  const auto run = h.state().selected_run;
  h.session.apply(ShowTab{"analyses"});
  // The first one whose figure has marks of this engine's numbers.
  bool marked = false;
  for (const AnalysisRow& row : analyses()) {
    auto next = h.state().analysis;
    next.id = row.info.id;
    h.session.apply(SetAnalysis{next});
    h.session.apply(StartAnalysis{});
    h.settle();
    const Analysing& made = h.state().analyses.at(row.info.id);
    if (!made.figure) continue;
    for (const plot::Series& s : made.figure->series)
      for (const std::uint64_t id : s.ids) {
        ASSERT_GE(id, 1u);
        ASSERT_LE(id, made.result->subjects.size());
        marked = true;
      }
    if (marked) break;
  }
  ASSERT_TRUE(marked);
  h.session.apply(SelectRun{0});
  h.settle();
  // Over the figure, until a click finds a mark.
  EXPECT_TRUE(click_until(h, {300, 140, 1120, 700}, 12, [&] { return h.state().selected_run == run; }));
}

}  // namespace
