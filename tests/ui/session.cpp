// The session: what actions do to the state, and what jobs may not do to it.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/ui/support.hpp"
#include "ui/figures/figure.hpp"
#include "ui/look/numbers.hpp"
#include "ui/services/desk/preferences.hpp"
#include "ui/widgets/text.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

std::string temp(const std::string& name) {
  return testing::TempDir() + "/warpspy_ui_" + std::to_string(getpid()) + name;
}

TEST(Session, OpensAndSaysItsFacts) {
  Harness h;
  h.open("gen:laplace5?nx=25&ny=25");
  const auto* m = h.state().current();
  ASSERT_NE(m, nullptr);
  EXPECT_EQ(m->status, OpenMatrix::Status::ready);
  EXPECT_EQ(m->matrix->csr->rows(), 625);
  ASSERT_NE(m->facts, nullptr);
  EXPECT_EQ(m->facts->rows.max, 5);
  EXPECT_NE(m->pyramid, nullptr);
  EXPECT_NE(m->histogram, nullptr);
}

TEST(Session, AFileThatIsNotThereIsSaidOnce) {
  Harness h;
  h.open("/no/such.mtx");
  ASSERT_EQ(h.state().matrices.size(), 1u);
  EXPECT_EQ(h.state().matrices[0].status, OpenMatrix::Status::failed);
  int errors = 0;
  for (const auto& m : h.state().messages) errors += m.kind == Message::Kind::error;
  EXPECT_EQ(errors, 1);
  EXPECT_NE(h.state().matrices[0].failure.one_line().find("such.mtx"), std::string::npos);
}

TEST(Session, ClosingWhileOpeningDropsTheResult) {
  Harness h;
  h.session.apply(OpenSource{"gen:laplace5?nx=300&ny=300"});
  h.session.apply(CloseMatrix{h.state().selected});
  h.settle();
  EXPECT_TRUE(h.state().matrices.empty());
  EXPECT_EQ(h.state().selected, 0u);
}

TEST(Session, OnlyTheLatestHighlightArrives) {
  Harness h;
  h.open("gen:laplace5?nx=50&ny=50");
  h.session.apply(SetHighlight{3, 4});
  h.session.apply(SetHighlight{5, 6});
  h.settle();
  ASSERT_TRUE(h.state().highlight);
  EXPECT_EQ(h.state().highlight->lo, 5);
  EXPECT_EQ(h.state().highlight->rows->size(), 48 * 48);
  h.session.apply(SetHighlight{});
  h.settle();
  EXPECT_FALSE(h.state().highlight);
}

TEST(Session, SameSourceIsOpenedOnce) {
  Harness h;
  h.open("gen:laplace5?nx=10&ny=10");
  h.open("gen:laplace5?nx=11&ny=11");
  h.open("gen:laplace5?nx=10&ny=10");
  EXPECT_EQ(h.state().matrices.size(), 2u);
  EXPECT_EQ(h.state().current()->source, "gen:laplace5?nx=10&ny=10");
}

TEST(Session, FailedRunIsKeptAndSaid) {
  Harness h;
  h.open("gen:laplace5?nx=10&ny=10");
  h.engine.fails = true;
  h.session.apply(StartRun{});
  h.settle();
  ASSERT_EQ(h.state().runs.all().size(), 1u);
  EXPECT_EQ(h.state().runs.all()[0]->status, RunStatus::failed);
  EXPECT_EQ(h.state().messages.back().kind, Message::Kind::error);
  EXPECT_NE(h.state().messages.back().text.find("csr_vector.hpp:41"), std::string::npos);
}

TEST(Session, RoofsOfARealGpuAreMeasuredOnceAfterItsFirstRun) {
  Harness h;
  h.session.apply(MeasureRoofs{});
  h.settle();
  EXPECT_EQ(h.engine.measured, 0);
  EXPECT_NE(h.state().messages.back().text.find("data sheet"), std::string::npos);

  for (auto& d : h.catalog.devices)
    if (d.id == "cuda:0") d.available = true, d.spec = h.catalog.devices[0].spec;
  h.open("gen:laplace5?nx=10&ny=10");
  h.session.apply(SetDevice{"cuda:0"});
  for (int run = 0; run < 2; ++run) {
    h.session.apply(StartRun{});
    h.settle();
    EXPECT_EQ(h.engine.measured, 1) << run;
  }
  ASSERT_FALSE(h.state().roofs.empty());
  EXPECT_EQ(h.state().roofs[0].value, 900);
  EXPECT_EQ(h.state().roofs[0].provenance, Provenance::measured);
  EXPECT_EQ(h.state().roofs[1].provenance, Provenance::modelled) << "the data sheet's stand beside them";
  // Points of runs before the measurement stand under the measured roof too.
  for (const auto& [id, points] : *h.state().points)
    for (const auto& p : points)
      if (p.level == Level::dram) {
        EXPECT_NEAR(p.roof_gflops, 900 * p.intensity, 1e-6) << id;
      }
  h.session.apply(MeasureRoofs{});
  h.settle();
  EXPECT_EQ(h.engine.measured, 2);
}

TEST(Session, RunWithoutAMatrixSaysWhatToDo) {
  Harness h;
  h.session.apply(StartRun{});
  h.settle();
  EXPECT_EQ(h.engine.runs, 0);
  EXPECT_NE(h.state().messages.back().text.find("Open a matrix"), std::string::npos);
}

TEST(Session, RequestCarriesEveryKnob) {
  Harness h;
  h.open("gen:laplace5?nx=10&ny=10");
  h.session.apply(SetParam{SetParam::Of::kernel, "coop", 16});
  h.session.apply(choose("precision", Precision::f64));
  h.session.apply(StartRun{});
  h.settle();
  const auto& r = h.state().runs.all()[0]->request;
  EXPECT_EQ(r.kernel, "csr_vector");
  EXPECT_EQ(r.params.at("coop"), 16);
  EXPECT_EQ(r.params.at("block"), 128);
  EXPECT_EQ(r.precision, Precision::f64);
  EXPECT_EQ(r.device, "sim:toy") << "the available device is chosen, not the first";
}

TEST(Session, LiveLeavesATrailThatIsNotListed) {
  Harness h;
  h.open("gen:laplace5?nx=10&ny=10");
  h.session.apply(choose("live", true));
  h.settle();
  for (double coop : {1, 2, 4, 8, 16, 32}) {
    h.session.apply(SetParam{SetParam::Of::kernel, "coop", coop});
    h.settle();
  }
  const auto& s = h.state();
  EXPECT_EQ(s.runs.all().size(), 7u);
  EXPECT_EQ(s.trail.size(), 6u);
  EXPECT_FALSE(s.on_trail(s.selected_run));
  EXPECT_EQ(s.run(s.selected_run)->request.params.at("coop"), 32);
  h.session.apply(SetKernel{"csr_scalar"});
  h.settle();
  EXPECT_TRUE(h.state().trail.empty()) << "another kernel begins a new trail";
}

TEST(Session, CountersArriveInThePlaceOfTheTimedRun) {
  Harness h;
  h.engine.counts = true;
  h.catalog.counter_sets = {{"full", "Full", ""}};
  h.open("gen:laplace5?nx=10&ny=10");
  h.session.apply(choose("counters", "full"));
  h.session.apply(StartRun{});
  h.settle();
  ASSERT_EQ(h.state().runs.all().size(), 1u) << "one run, shown twice";
  const auto& r = *h.state().runs.all()[0];
  EXPECT_EQ(r.request.counters, "full");
  EXPECT_EQ(r.traffic_source, TrafficSource::counters);
  EXPECT_EQ(r.counters.size(), 3u);
  EXPECT_EQ(h.state().selected_run, r.id);
  EXPECT_EQ(h.state().points->at(r.id).size(), 2u) << "the points of the counters, not of the time alone";
}

TEST(Session, SourceLinesAreAskedForWithTheNextRun) {
  Harness h;
  h.open("gen:laplace5?nx=10&ny=10");
  h.session.apply(StartRun{});
  h.settle();
  EXPECT_FALSE(h.state().runs.all().back()->request.lines);
  h.session.apply(choose("source lines", true));
  h.session.apply(StartRun{});
  h.settle();
  EXPECT_TRUE(h.state().runs.all().back()->request.lines);
}

TEST(Session, LiveIsMeasuredAgainWithoutAChange) {
  Harness h;
  h.engine.counts = true;
  h.open("gen:laplace5?nx=10&ny=10");
  h.session.apply(choose("live", true));
  h.settle();
  while (h.engine.runs < 5) h.frames();
  EXPECT_EQ(h.state().runs.all().size(), 1u) << "in its own place";
  EXPECT_TRUE(h.state().trail.empty());
  h.session.apply(choose("live", false));
  h.settle();
  while (!h.state().jobs.empty()) h.frames();
  const int runs = h.engine.runs;
  h.frames(20);
  EXPECT_EQ(h.engine.runs, runs);
}

TEST(Session, AFailureEndsLiveInsteadOfRepeatingItself) {
  Harness h;
  h.engine.counts = true;
  h.open("gen:laplace5?nx=10&ny=10");
  h.session.apply(choose("live", true));
  h.settle();
  h.engine.fails = true;
  while (h.state().knobs.live) h.frames();
  int errors = 0;
  for (const auto& m : h.state().messages) errors += m.kind == Message::Kind::error;
  EXPECT_EQ(errors, 1);
  EXPECT_EQ(h.state().runs.all().size(), 1u) << "what was measured before stays";
}

TEST(Session, ALostDeviceIsOfferedNoMore) {
  Harness h;
  h.open("gen:laplace5?nx=10&ny=10");
  ASSERT_TRUE(h.state().can_run());
  const std::string device = h.state().knobs.device;
  h.engine.tell_lost(device, "it fell off the bus");
  h.frames();
  ASSERT_TRUE(h.state().device());
  EXPECT_FALSE(h.state().device()->available);
  EXPECT_EQ(h.state().device()->reason, "it fell off the bus");
  EXPECT_FALSE(h.state().can_run());
  EXPECT_NE(h.state().why_not().find("fell off"), std::string::npos) << h.state().why_not();
}

TEST(Session, RunOnOpenAnswersAtOnce) {
  SessionOptions o;
  Harness h(1280, 800, 1, o);
  h.open("gen:laplace5?nx=10&ny=10");
  EXPECT_EQ(h.state().runs.all().size(), 1u);
}

TEST(Session, ExportsEveryFigureInEveryFormat) {
  Harness h;
  h.open("gen:laplace5?nx=20&ny=20");
  h.session.apply(StartRun{});
  h.settle();
  for (const FigureRow* row : figure_rows())
    for (const char* ending : {"svg", "pdf", "png", "csv", "json"}) {
      SCOPED_TRACE(std::string(row->id) + "." + ending);
      const std::string path = temp(std::string(row->id) + "." + ending);
      std::filesystem::remove(path);
      h.session.apply(ExportFigure{.what = row->id, .path = path});
      h.settle();
      const bool picture = std::string(ending) != "csv" && std::string(ending) != "json";
      const bool possible = row->reason(h.state()).empty() && (row->picture() || !picture);
      EXPECT_EQ(std::filesystem::exists(path), possible);
      EXPECT_TRUE(!possible || std::filesystem::file_size(path) > 50u);
    }
  h.session.apply(ExportFigure{.what = "roofline", .path = "/no/such/folder/r.svg"});
  h.settle();
  EXPECT_EQ(h.state().messages.back().kind, Message::Kind::error);
}

TEST(Preferences, RoundTripAndCorruptFile) {
  const std::string path = temp("prefs/preferences.json");
  std::filesystem::remove_all(temp("prefs"));
  EXPECT_EQ(load_preferences(path), Preferences{});
  Preferences p{{"/a/b.mtx", "gen:laplace5?nx=3&ny=3", "caf\xC3\xA9.mtx"}};
  p.choices = {{"theme", "dark"}, {"colours", "grey"}};
  save_preferences(path, p);
  std::string problem;
  EXPECT_EQ(load_preferences(path, &problem), p);
  EXPECT_EQ(problem, "");
  for (const char* bad : {"", "{", "[1,2]", "{\"recent\": 3}", "{\"theme\": []}"}) {
    std::ofstream(path) << bad;
    problem.clear();
    EXPECT_EQ(load_preferences(path, &problem), Preferences{}) << bad;
    EXPECT_NE(problem, "") << bad;
  }
}

TEST(Preferences, AreWrittenByTheSession) {
  const std::string path = temp("session/preferences.json");
  std::filesystem::remove_all(temp("session"));
  SessionOptions o = Harness::quiet();
  o.preferences = path;
  {
    Harness h(1280, 800, 1, o);
    h.open("gen:laplace5?nx=10&ny=10");
    h.session.apply(choose("theme", ThemeId::dark));
    h.settle();
  }
  const auto p = load_preferences(path);
  EXPECT_EQ(p.choices.at("theme"), "dark");
  ASSERT_EQ(p.recent.size(), 1u);
  EXPECT_EQ(p.recent[0], "gen:laplace5?nx=10&ny=10");
}

TEST(Palette, PassesWcagAA) {
  for (const ThemeId id : {ThemeId::paper, ThemeId::dark}) {
    const Palette& p = palette_of(id);
    SCOPED_TRACE(name_of(id));
    for (const Color ground : {p.ground, p.panel, p.raised, p.select, p.control, p.control_hot}) {
      EXPECT_GE(contrast(p.ink, ground), 7) << "body text";
      EXPECT_GE(contrast(p.muted, ground), 4.5) << "captions";
    }
    for (const Color ground : {p.ground, p.panel, p.raised}) {
      EXPECT_GE(contrast(p.warning, ground), 4.5);
      EXPECT_GE(contrast(p.error, ground), 4.5);
      EXPECT_GE(contrast(p.outline, ground), 3) << "borders of controls";
    }
    EXPECT_GE(contrast(p.on_accent, p.accent), 4.5);
    EXPECT_GE(contrast(p.accent, p.ground), 3);
    for (const Color level : {plot::kDram, plot::kL2, plot::kL1}) EXPECT_GE(contrast(level, p.ground), 3) << "marks";
  }
}

TEST(Text, NumbersAsPeopleReadThem) {
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(999), "999");
  EXPECT_EQ(count_text(1234567), "1,234,567");
  EXPECT_EQ(count_text(-1234), "-1,234");
  EXPECT_EQ(count_text(-123), "-123");
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(1536), "1.54 kB");
  EXPECT_EQ(real_text(3.14159), "3.142");
  EXPECT_EQ(real_text(std::nan("")), "NaN");
  // Speeds and times are not written with an exponent.
  EXPECT_EQ(real_text(1310.4, 3), "1310");
  EXPECT_EQ(real_text(999.6, 3), "1000");
  EXPECT_EQ(real_text(-1310.4, 3), "-1310");
  EXPECT_EQ(real_text(12345.6), "12,346");
  EXPECT_EQ(real_text(123, 2), "123");
  EXPECT_EQ(real_text(99.9, 3), "99.9");
  EXPECT_EQ(real_text(1e13, 3), "1e+13");
}

}  // namespace
