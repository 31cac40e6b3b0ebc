// A choice is one row: what a planted one has without another line. What follows from choices follows all of them.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/plot/export.hpp"
#include "tests/ui/hands.hpp"
#include "ui/figures/figure.hpp"
#include "ui/services/desk/desk_state.hpp"
#include "ui/services/desk/preferences.hpp"
#include "ui/services/follows.hpp"
#include "ui/services/reads.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

namespace fs = std::filesystem;

bool doubled = false;  // the planted field

constexpr UsualChoice usual_doubled = {
    .key = "doubled", .title = "Doubled", .help = "Whether alpha is 2.", .options = [](const AppState&) {
      return std::vector<UsualChoice::Option>{{"no", "single"}, {"yes", "double"}};
    }};
constexpr ChoiceRow planted = {.id = "doubled",
                               .label = "doubled alpha",
                               .get = [](const AppState&) { return std::string(doubled ? "yes" : "no"); },
                               .set = [](AppState&, const std::string& t) { doubled = t == "yes"; },
                               .ask = [](const AppState&, RunRequest& r) { r.alpha = doubled ? 2 : 1; },
                               .usual = &usual_doubled};

class ChoiceRows : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("warpspy_choices_" + std::to_string(getpid()));
    fs::create_directories(folder_);
    doubled = false;
  }
  void TearDown() override { fs::remove_all(folder_); }
  SessionOptions options() const {
    SessionOptions o = Harness::quiet();
    o.desk = folder_ / "desk";
    o.preferences = folder_ / "preferences.json";
    o.autosave_s = 0;
    return o;
  }
  fs::path folder_;
};

TEST_F(ChoiceRows, APlantedRowHasUndoRequestAndDesk) {
  const PlantedChoice row(planted);
  {
    Harness h(1280, 800, 1, options());
    h.open("gen:laplace5?nx=10&ny=10");
    h.session.next_frame();
    h.session.end_step();
    h.session.apply(choose("doubled", true));
    EXPECT_EQ(request_of(h.state(), *h.state().current()).alpha, 2);
    EXPECT_EQ(h.state().undo, "doubled alpha");
    h.session.apply(Undo{});
    EXPECT_FALSE(doubled);
    EXPECT_EQ(request_of(h.state(), *h.state().current()).alpha, 1);
    h.session.apply(Redo{});
    EXPECT_TRUE(doubled);
    h.session.apply(StartRun{});
    h.settle();
    EXPECT_EQ(h.state().runs.all().back()->request.alpha, 2);
  }
  doubled = false;
  Harness again(1280, 800, 1, options());
  again.settle();
  EXPECT_TRUE(doubled) << "the desk has it";
}

TEST_F(ChoiceRows, APlantedRowRunsAgainWhileLive) {
  const PlantedChoice row(planted);
  Harness h;
  h.open("gen:laplace5?nx=10&ny=10");
  h.session.apply(choose("live", true));
  h.settle();
  const int runs = h.engine.runs;
  h.session.apply(choose("doubled", true));
  h.settle();
  EXPECT_GT(h.engine.runs, runs);
  EXPECT_EQ(h.state().runs.all().back()->request.alpha, 2);
}

TEST_F(ChoiceRows, APlantedRowIsASetting) {
  const PlantedChoice row(planted);
  {
    Harness h(1280, 800, 1, options());
    h.session.apply(ShowDialog{"settings"});
    h.frames(3);
    EXPECT_TRUE(h.shows("Doubled"));
    click_at(h.find("double"), [&] { h.frames(1); });
    EXPECT_EQ(h.state().settings.usual.at("doubled"), "yes");
    EXPECT_TRUE(doubled);
    h.settle();
  }
  EXPECT_EQ(load_preferences(options().preferences).settings.usual.at("doubled"), "yes");
  doubled = false;
  SessionOptions o = options();
  o.fresh = true;
  Harness empty(1280, 800, 1, o);
  EXPECT_TRUE(doubled) << "an empty desk begins with it";
}

TEST_F(ChoiceRows, AnOldFileOfPreferencesIsRead) {
  std::ofstream(folder_ / "preferences.json")
      << R"({"theme": "dark", "recent": ["gen:x"], "scale": 1.5, "device": "sim:toy", "cache_state": "cold",
             "keep_desk": false, "system_dialogs": false, "keys": {"run.live": ""}, "engines": ["ssh a"],
             "layouts": [], "colours": "grey", "host_memory_bytes": 4096})";
  Harness h(1280, 800, 1, options());
  const AppState& s = h.state();
  EXPECT_EQ(s.theme, ThemeId::dark);
  EXPECT_EQ(s.spy.style.map, Colormap::grey);
  EXPECT_EQ(s.knobs.cache_state, CacheState::cold);
  EXPECT_EQ(s.knobs.device, "sim:toy");
  EXPECT_EQ(s.memory.host_bytes, 4096);
  EXPECT_EQ(s.settings.scale, 1.5);
  EXPECT_FALSE(s.settings.keep_desk || s.settings.system_dialogs);
  EXPECT_EQ(s.recent.size(), 1u);
}

// What was made of a field and not of the others is made again for that field alone.
struct PlantedReads {
  int field = 0, planted = 0;
  bool operator==(const PlantedReads&) const = default;
};
int made_of(const PlantedReads& of) { return 10 * of.field + of.planted; }

TEST(Follows, APlantedDependencyMakesItAgain) {
  Follows<PlantedReads> what;
  int made = 0;
  EXPECT_TRUE(follow(what, {1, 0}, made_of, made));
  EXPECT_FALSE(follow(what, {1, 0}, made_of, made)) << "nothing differs";
  EXPECT_TRUE(follow(what, {1, 5}, made_of, made));
  EXPECT_EQ(made, 15);
}

TEST(Follows, InAJobTheNextBeginsWithThingsAsTheyAreThen) {
  Follows<PlantedReads> what;
  ASSERT_TRUE(what.begin({1, 0}));
  EXPECT_FALSE(what.begin({2, 0})) << "one at a time";
  EXPECT_FALSE(what.begin({3, 0}));
  what.end();
  const PlantedReads* next = what.begin({3, 0});
  ASSERT_TRUE(next);
  EXPECT_EQ(next->field, 3);
  what.end();
  EXPECT_FALSE(what.begin({3, 0}));
}

std::string numbers(const std::shared_ptr<const plot::Plot>& shown) { return shown ? plot::to_csv(*shown) : "none"; }

// Whatever is chosen: what is shown is what the state says.
TEST(Follows, EveryChoiceOfEveryRow) {
  Harness h;
  h.open("gen:laplace5?nx=20&ny=20");
  h.session.apply(Reorder{"rcm", {}, {}});
  h.settle();
  for (const char* kernel : {"csr_scalar", "csr_vector"}) {
    h.session.apply(SetKernel{kernel});
    h.session.apply(StartRun{});
    h.settle();
  }
  const std::vector<const char*> texts = {
      "yes",        "no",         "f32",       "f64",          "modulus",       "cold",   "warm",     "csr",
      "ell",        "hyb",        "binary",    "dark",         "paper",         "grey",   "executed", "all",
      "kernel",     "selected",   "matrix",    "chosen log_x", "0.1 10 1 1000", "3 down", "block",    "share of roof",
      "csr_scalar", "csr_vector", "host 4096", "table",        "heat map"};
  for (const char* tab : {"formats", "compare", "matrices", "roofline"}) {
    h.session.apply(ShowTab{tab});
    h.settle();
    for (const ChoiceRow& row : choice_rows()) {
      for (const char* text : texts) {
        if (row.id == std::string("tab") || row.id == std::string("panes") || row.id == std::string("device") ||
            row.id == std::string("live"))
          continue;
        const std::string before = row.get(h.state());
        h.session.apply(choose(row.id, text));
        if (row.get(h.state()) == before) continue;
        h.settle();
        const AppState& s = h.state();
        const std::string where = std::string(tab) + ", " + row.id + ": " + text;
        Progress p;
        Figure roofline = figure_of(s, "roofline");
        roofline.subject.runs = roofline_runs(s, true);
        ASSERT_EQ(numbers(s.roofline), numbers(drawn({roofline, s.theme}, p))) << where;
        ASSERT_EQ(numbers(s.memory_chart), numbers(drawn({figure_of(s, "memory"), s.theme}, p))) << where;
        ASSERT_EQ(numbers(s.current()->histogram), numbers(drawn({figure_of(s, "histogram"), s.theme}, p))) << where;
        if (s.shows("formats") && s.layout) {
          ASSERT_EQ(numbers(s.layout), numbers(drawn({figure_of(s, "layout"), s.theme}, p))) << where;
        }
        if (s.shows("compare")) {
          ASSERT_EQ(numbers(s.both_lengths), numbers(drawn({figure_of(s, "lengths"), s.theme}, p))) << where;
        }
        if (s.shows("matrices")) {
          const ManyFigures many = many_figures({many_reads(s), s.theme});
          ASSERT_EQ(numbers(s.heat_map), numbers(many.heat_map)) << where;
          ASSERT_EQ(numbers(s.line_chart), numbers(many.line_chart)) << where;
          ASSERT_EQ(s.best.size(), many.best.size()) << where;
        }
        const CostReads reads = cost_reads(s, *s.current());
        ASSERT_EQ(s.current()->costs->precision, reads.of.precision) << where;
        for (const FormatCost& cost : s.current()->costs->rows)
          ASSERT_EQ(cost.params, reads.params.at(cost.format)) << where;
        for (const auto& r : s.runs.all())
          for (const RooflinePoint& point : s.points->at(r->id))
            ASSERT_EQ(point.gflops, points_of(*r, point_reads(s).under).front().gflops) << where;
        ASSERT_EQ(s.current()->smallest->precision, s.knobs.precision) << where;
      }
    }
  }
}

}  // namespace
