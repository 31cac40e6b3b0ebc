// The desk comes back as it was, and what cannot be kept or read is said.
#include <fstream>
#include <iterator>

#include "tests/ui/kept_desk.hpp"
#include "tests/unit/session/sample_desk.hpp"

namespace warpspy::ui {
namespace {

TEST_F(KeptDesk, ComesBackAsItWas) {
  std::string before;
  {
    Harness h(1280, 800, 1, options());
    arrange(h, at("a.mtx"));
    before = to_json(desk_of(h.state()));
  }
  Harness h(1280, 800, 1, options());
  h.settle();
  const AppState& s = h.state();
  ASSERT_EQ(s.matrices.size(), 3u);
  for (const OpenMatrix& m : s.matrices) EXPECT_EQ(m.status, OpenMatrix::Status::ready) << m.source;
  EXPECT_EQ(s.matrices[0].source, at("a.mtx"));
  EXPECT_EQ(s.matrices[2].original, s.matrices[1].id);
  EXPECT_EQ(s.selected, s.matrices[1].id);
  EXPECT_EQ(s.tab, "runs");
  EXPECT_EQ(s.knobs.precision, Precision::f64);
  EXPECT_EQ(param_value(s.knobs.kernel_params, "csr_vector", h.catalog.kernels[1].params[0]), 16);
  EXPECT_FALSE(s.current()->camera.fit);
  EXPECT_NEAR(s.current()->camera.row, 7.5, 1);
  EXPECT_EQ(s.comparing.size(), 2u);
  EXPECT_GE(s.runs.all().size(), 2u);
  EXPECT_EQ(s.notes.at(s.runs.all()[0]->id), "the good one");
  ASSERT_TRUE(s.highlight && s.highlight->rows);
  EXPECT_EQ(s.highlight->lo, 4);
  ASSERT_TRUE(s.tuning);
  EXPECT_FALSE(s.tuning->record->steps.empty());
  EXPECT_NE(s.tuning->plane, nullptr);
  ASSERT_TRUE(s.analyses.contains("throughput"));
  EXPECT_NE(s.analyses.at("throughput").figure, nullptr);
  EXPECT_FALSE(s.analyses.at("throughput").result->values.empty());
  EXPECT_EQ(to_json(desk_of(s)), before);
  EXPECT_EQ(h.engine.runs, 0) << "nothing runs by itself";
  EXPECT_EQ(warnings(h), 0) << s.messages.back().text;
}

TEST_F(KeptDesk, EachMatrixKeepsItsKnobsAndTheShownOneItsMarkedRows) {
  const auto coop = [](const Harness& h) {
    return param_value(h.state().knobs.kernel_params, "csr_vector", h.catalog.kernels[1].params[0]);
  };
  {
    Harness h(1280, 800, 1, options());
    h.open("gen:laplace5?nx=20&ny=20");
    h.session.apply(SetParam{SetParam::Of::kernel, "coop", 16});
    h.open("gen:laplace5?nx=21&ny=21");
    h.session.apply(SetKernel{"csr_scalar"});
    h.session.apply(SetHighlight{.first = 3, .past = 5});
    h.settle();
  }
  Harness h(1280, 800, 1, options());
  h.settle();
  EXPECT_EQ(h.state().knobs.kernel, "csr_scalar");
  ASSERT_TRUE(h.state().highlight && h.state().highlight->rows);
  EXPECT_EQ(h.state().highlight->first, 3);
  EXPECT_EQ(h.state().highlight->rows->size(), 2);
  h.session.apply(SelectMatrix{h.state().matrices[0].id});
  EXPECT_EQ(h.state().knobs.kernel, "csr_vector");
  EXPECT_EQ(coop(h), 16);
  EXPECT_EQ(h.state().knobs_from, "") << "its own, not carried over";
}

TEST_F(KeptDesk, AWarpBehindAnotherTabComesBackOnceItIsLookedAt) {
  {
    Harness h(1280, 800, 1, options());
    h.open(at("a.mtx"));
    h.session.apply(ShowWarp{{}});
    h.settle();
    ASSERT_TRUE(h.state().warp.trace);
    h.session.apply(ShowTab{"facts"});
    h.settle();
  }
  for (int again = 0; again < 2; ++again) {
    Harness h(1280, 800, 1, options());
    h.settle();
    EXPECT_EQ(h.state().tab, "facts");
    EXPECT_EQ(h.engine.warps, 0) << "nobody looks at it yet";
    EXPECT_FALSE(h.state().warp.waits.empty());
  }
  Harness h(1280, 800, 1, options());
  h.settle();
  h.session.apply(ShowTab{"warp"});
  h.settle();
  EXPECT_TRUE(h.state().warp.trace);
}

// They tell what the user did.
TEST_F(KeptDesk, IsForTheUsersEyesAlone) {
  {
    Harness h(1280, 800, 1, options());
    h.open(at("a.mtx"));
    h.session.apply(choose("theme", ThemeId::dark));
    h.settle();
  }
  for (const char* name : {"desk/desk.json", "preferences.json"}) {
    ASSERT_TRUE(fs::exists(at(name))) << name;
    EXPECT_EQ(fs::status(at(name)).permissions() & (fs::perms::group_all | fs::perms::others_all), fs::perms::none)
        << name;
  }
}

TEST_F(KeptDesk, WhatIsMissingOrChangedIsSaidOnceAndTheRestComesBack) {
  write_matrix("b.mtx", 6);
  write_matrix("c.mtx", 7);
  {
    Harness h(1280, 800, 1, options());
    h.settle();
    for (const char* name : {"a.mtx", "b.mtx", "c.mtx"}) h.open(at(name));
  }
  fs::remove(at("b.mtx"));
  write_matrix("c.mtx", 8);
  fs::last_write_time(at("a.mtx"), fs::last_write_time(at("a.mtx")) + std::chrono::hours(1));  // touched, not changed
  {
    Harness h(1280, 800, 1, options());
    h.settle();
    ASSERT_EQ(h.state().matrices.size(), 3u);
    EXPECT_EQ(h.state().matrices[0].status, OpenMatrix::Status::ready);
    EXPECT_EQ(h.state().matrices[1].status, OpenMatrix::Status::failed);
    EXPECT_EQ(warnings(h), 1);
    EXPECT_TRUE(says(h, "Missing: b.mtx"));
    EXPECT_TRUE(says(h, "Changed since: c."));
    EXPECT_FALSE(says(h, "a.mtx")) << "its contents are the same";
  }
  write_matrix("b.mtx", 6);
  Harness h(1280, 800, 1, options());
  h.settle();
  EXPECT_EQ(h.state().matrices[1].status, OpenMatrix::Status::ready) << "put back, it is there again";
}

TEST_F(KeptDesk, FreshBeginsEmptyAndTheOldOneIsKept) {
  {
    Harness h(1280, 800, 1, options());
    h.settle();
    h.open(at("a.mtx"));
  }
  {
    Harness looked(1280, 800, 1, options(true));
  }  // nothing was done: nothing changes
  {
    Harness h(1280, 800, 1, options(true));
    h.settle();
    EXPECT_TRUE(h.state().matrices.empty());
    ASSERT_FALSE(h.state().offers.empty());
    EXPECT_FALSE(h.state().offers[0].crashed);
    EXPECT_EQ(h.state().dialog, "");
    h.open("gen:laplace5?nx=9&ny=9");
    h.session.apply(BringBack{});
    h.settle();
    ASSERT_EQ(h.state().matrices.size(), 2u) << "beside what was opened";
    EXPECT_EQ(h.state().matrices[1].source, at("a.mtx"));
    EXPECT_EQ(h.state().current()->source, "gen:laplace5?nx=9&ny=9") << "what was opened stays in sight";
  }
}

TEST_F(KeptDesk, FilesOpenBesideItAndAreShown) {
  {
    Harness h(1280, 800, 1, options());
    h.settle();
    h.open(at("a.mtx"));
  }
  Harness h(1280, 800, 1, options());
  h.session.apply(OpenSource{"gen:laplace5?nx=9&ny=9"});  // as from the command line
  h.session.apply(OpenSource{at("a.mtx")});
  h.session.apply(SelectMatrix{h.state().matrices[0].id});
  h.settle();
  ASSERT_EQ(h.state().matrices.size(), 2u) << "a.mtx is there once";
  EXPECT_EQ(h.state().current()->source, "gen:laplace5?nx=9&ny=9");
}

// What was compared before is of another matrix.
TEST_F(KeptDesk, AFileIsShownThoughRunsOfAnotherMatrixWereCompared) {
  {
    Harness h(1280, 800, 1, options());
    arrange(h, at("a.mtx"));
    ASSERT_EQ(h.state().comparing.size(), 2u);
  }
  Harness h(1280, 800, 1, options());
  h.session.apply(OpenSource{"gen:laplace5?nx=9&ny=9"});
  h.settle();
  EXPECT_EQ(h.state().current()->source, "gen:laplace5?nx=9&ny=9");
}

TEST_F(KeptDesk, ADamagedOrNewerOneIsSaidAndNotLost) {
  for (const char* text : {"{\"warpspy_session\": 99}", "{\"warpspy_session\": 1, \"matr"}) {
    fs::create_directories(at("desk"));
    write_file(at("desk/desk.json"), text);
    Harness h(1280, 800, 1, options());
    h.settle();
    EXPECT_EQ(warnings(h), 1) << text;
    h.open(at("a.mtx"));
    std::ifstream in(at("desk/desk.before.json"));
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), text);
    EXPECT_EQ(load_desk(at("desk/desk.json")).desk.matrices.size(), 1u);
  }
}

TEST_F(KeptDesk, WhereItCannotBeKeptItIsSaidOnce) {
  write_file(at("desk"), "a file where the folder should be");
  Harness h(1280, 800, 1, options());
  h.open(at("a.mtx"));
  h.session.apply(ShowTab{"rows"});
  h.settle();
  EXPECT_EQ(warnings(h), 1);
  EXPECT_TRUE(says(h, "the desk cannot be kept"));
  fs::remove(at("desk"));
}

TEST_F(KeptDesk, SwitchedOffNothingIsKept) {
  {
    Harness h(1280, 800, 1, options());
    h.settle();
    Settings off;
    off.keep_desk = false;
    h.session.apply(SetSettings{off});
    h.open(at("a.mtx"));
  }
  Harness h(1280, 800, 1, options());
  h.settle();
  EXPECT_TRUE(h.state().matrices.empty());
  EXPECT_FALSE(h.state().settings.keep_desk);
}

TEST_F(KeptDesk, ChoicesOfALaterProgramStay) {
  fs::create_directories(at("desk"));
  Desk d;
  d.matrices = {{{"gen:laplace5?nx=9&ny=9", {}}, "laplace5", std::nullopt, 0, 0, 0, {}}};
  d.choices = {{"tab", "rows"}, {"of a later program", "kept"}, {"kernel", "none such"}};
  save_desk(at("desk/desk.json"), d);
  {
    Harness h(1280, 800, 1, options());
    h.settle();
    EXPECT_EQ(h.state().tab, "rows");
    EXPECT_EQ(h.state().knobs.kernel, "csr_vector");
    h.session.apply(ShowTab{"facts"});
    h.settle();
  }
  const Desk kept = load_desk(at("desk/desk.json")).desk;
  EXPECT_EQ(kept.choices.at("of a later program"), "kept");
  EXPECT_EQ(kept.choices.at("tab"), "facts");
}

// What the desk and its runs name may have gone from the program since.
TEST_F(KeptDesk, WhatAKernelThatIsNoMoreLeftBehindIsShownAndItIsSaid) {
  fs::create_directories(at("desk"));
  Desk d = sample_desk();
  d.matrices = {{{"gen:laplace5?nx=9&ny=9", {}}, "laplace5", std::nullopt, 0, 0, 0, {}},
                {{"gen:laplace5?nx=8&ny=8", {}}, "laplace5", std::nullopt, 0, 0, 0, {}}};
  d.matrices[0].knobs = DeskKnobs{"mask_blocks", "mask_blocks", {}, {}};
  d.active = 1;
  d.choices["kernel"] = "csr_symmetric";
  const auto run = std::make_shared<const RunRecord>(sample_record(kUnsaved + 2, "csr_symmetric"));
  d.runs = {{run->id, true, "the good one", run}};
  d.compared = {};
  d.selected_run = run->id;
  d.sweep->plan.kernels = {"csr_symmetric", "csr_vector"};
  d.sweep->outcomes = {};
  save_desk(at("desk/desk.json"), d);
  Harness h(1280, 800, 1, options());
  h.settle();
  ASSERT_EQ(h.state().matrices.size(), 2u);
  EXPECT_EQ(h.state().knobs.kernel, "csr_vector");
  EXPECT_EQ(warnings(h), 1);
  for (const char* words : {"no kernel csr_symmetric any more", "no kernel mask_blocks any more",
                            "no format mask_blocks any more", "unknown parameter latency"})
    EXPECT_TRUE(says(h, words)) << words;
  ASSERT_EQ(h.state().runs.all().size(), 1u);
  EXPECT_EQ(h.state().runs.all()[0]->request.kernel, "csr_symmetric");
  ASSERT_TRUE(h.state().sweep);
  bool skipped = false;
  for (const SweepCell& c : h.state().sweep->sweep.cells())
    if (c.request.kernel == "csr_symmetric") skipped = c.reason == "there is no kernel csr_symmetric";
  EXPECT_TRUE(skipped);
  h.session.apply(ShowTab{"runs"});
  h.settle();
  EXPECT_TRUE(h.shows("csr_symmetric"));
}

TEST_F(KeptDesk, EveryChoiceGoesThroughItsWord) {
  Harness h;
  AppState s = h.state();
  auto choices = saved_choices(s, ChoiceRow::Saved::desk);
  for (auto& [id, text] : choices) {
    if (text == "yes")
      text = "no";
    else if (text == "no")
      text = "yes";
  }
  choices["precision"] = "f64", choices["pattern shading"] = "binary", choices["pattern cells"] = "stretched";
  choices["row lengths"] = "chosen log_x", choices["formats by"] = "3 down", choices["flops"] = "executed";
  choices["cache state"] = "cold", choices["kernel"] = "csr_scalar", choices["tab"] = "runs";
  choices["roofline shows"] = "all", choices["roofline colours"] = "kernel";
  choices["roofline zoom"] = "0.01 10 1 1000.5", choices["matrices show"] = "line chart";
  choices["matrices by"] = "3 down", choices["heat map of"] = "share of roof", choices["line chart over"] = "coop";
  set_saved_choices(s, ChoiceRow::Saved::desk, choices);
  EXPECT_EQ(saved_choices(s, ChoiceRow::Saved::desk), choices);
  for (auto& [id, text] : choices) text = "no such thing";
  AppState other = s;
  set_saved_choices(other, ChoiceRow::Saved::desk, choices);
  EXPECT_EQ(other.knobs, s.knobs) << "what is not understood changes nothing";
  EXPECT_EQ(other.roofline_settings, s.roofline_settings);
}

}  // namespace
}  // namespace warpspy::ui
