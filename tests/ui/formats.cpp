// The formats tab and the reorderings: from a slider or a click to the numbers.
#include <algorithm>
#include <cmath>
#include <fstream>

#include "core/plot/format_figures.hpp"
#include "tests/ui/support.hpp"
#include "ui/commands/commands.hpp"
#include "ui/views/format_panel.hpp"
#include "ui/views/memory_fields.hpp"
#include "ui/widgets/text.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

const FormatCost& cost(const Harness& h, const std::string& format) {
  const auto* c = h.state().current()->costs->of(format);
  EXPECT_NE(c, nullptr) << format;
  return *c;
}

void show_formats(Harness& h, const std::string& source) {
  h.open(source);
  h.session.apply(ShowTab{"formats"});
  h.settle();
}

TEST(Formats, CostsAreThereBeforeAnythingIsBuilt) {
  Harness h;
  show_formats(h, "gen:laplace5?nx=40&ny=40");
  const auto* m = h.state().current();
  ASSERT_NE(m->costs, nullptr);
  EXPECT_EQ(m->costs->rows.size(), formats().size());
  const Csr& a = *m->matrix->csr;
  for (const auto& row : formats()) {
    SCOPED_TRACE(row.info.id);
    const auto& c = cost(h, row.info.id);
    EXPECT_FALSE(c.waiting);
    if (row.from_elements) {
      EXPECT_FALSE(c.estimate);
      EXPECT_NE(c.problem, "");
      continue;
    }
    ASSERT_TRUE(c.estimate) << c.problem;
    EXPECT_TRUE(c.fits);
    EXPECT_EQ(c.estimate->bytes(), row.estimate(a, Precision::f32, {}).bytes());
    EXPECT_EQ(c.minimum_bytes, minimum_bytes(*c.estimate, a, Precision::f32));
  }
  EXPECT_TRUE(m->built.empty());
}

TEST(Formats, ASlowEstimateWaitsForItsTab) {
  Harness h;
  h.open("gen:laplace5?nx=20&ny=20");
  EXPECT_TRUE(cost(h, "pkt").waiting);
  h.session.apply(ShowTab{"formats"});
  h.settle();
  EXPECT_TRUE(cost(h, "pkt").estimate) << cost(h, "pkt").problem;
}

// What becomes known moves no row under the pointer.
TEST(Formats, RowsStayUnderThePointerUntilTheUserSorts) {
  Harness h(1280, 800);
  show_formats(h, "gen:laplace5?nx=20&ny=20");
  const auto first = [&] {  // by a click on the first row
    click_at(h.items("##row").at(0), [&] { h.frames(1); }, 0.1f);
    return h.state().knobs.format;
  };
  h.session.apply(choose("formats by", order_text(FormatColumn::time, false)));
  h.settle();
  const std::string before = first();
  ASSERT_NE(before, "dia");
  h.session.apply(BuildFormat{"dia"});  // the only one with a time
  h.settle();
  EXPECT_EQ(first(), before) << "the pointer rests on the table";
  feed_mouse(2, 2);
  h.frames(2);
  EXPECT_EQ(first(), "dia");
  h.session.apply(BuildFormat{"csr"});
  h.settle();
  EXPECT_EQ(first(), "dia");
  h.session.apply(choose("formats by", order_text(FormatColumn::format, false)));
  h.settle();
  EXPECT_EQ(first(), formats()[sorted_formats(h.state(), *h.state().current(), FormatColumn::format, false)[0]].info.id)
      << "the user sorts";
}

TEST(Formats, ASliderMovesTheEstimateTheCutAndThePicture) {
  Harness h;
  show_formats(h, "gen:powerlaw?rows=3000");
  h.session.apply(choose("format", "hyb"));
  h.settle();
  ASSERT_NE(h.state().layout, nullptr) << h.state().layout_problem;
  for (const double k : {1, 7, 3}) {
    h.session.apply(SetFormatParam{"hyb", "k", k});
    h.settle();
    const auto& c = cost(h, "hyb");
    ASSERT_TRUE(c.estimate);
    EXPECT_EQ(c.estimate->fact("k")->value, k) << "moving K takes over from the rule";
    bool cut = false;
    for (const auto& s : h.state().current()->histogram->series)
      cut |= s.kind == plot::Series::Kind::vline && s.label == "HYB K = " + std::to_string(static_cast<int>(k));
    EXPECT_TRUE(cut);
    double padding = 0;
    for (const auto& row : h.state().layout->rows) padding += std::stod(row[3]);
    const double rows = static_cast<double>(h.state().current()->matrix->csr->rows());
    const double below = (std::ceil(rows / 32) * 32 - rows) * k;  // alignment
    EXPECT_EQ(padding + below, static_cast<double>(c.estimate->padding));
  }
}

TEST(Formats, DraggingASliderOfTheTab) {
  Harness h;
  show_formats(h, "gen:powerlaw?rows=2000");
  h.session.apply(choose("format", "hyb"));
  h.settle();
  FormatPanel panel;
  const auto frame = [&] {
    return h.panel([&](Ui& ui) {
      ImGui::PushItemWidth(-1);
      panel.draw(h.state(), ui);
      ImGui::PopItemWidth();
    });
  };
  frame();
  const auto& specs = format_row("hyb").info.params;
  const auto k = std::find_if(specs.begin(), specs.end(), [](const ParamSpec& p) { return p.id == "k"; });
  double seen = -1;
  click_at(
      h.find(k->label),
      [&] {
        for (const auto& a : frame())
          if (const auto* p = a.as<SetFormatParam>(); p && p->id == "k") seen = p->value;
      },
      0.3f);
  EXPECT_GT(seen, 0) << "the slider of K does not answer";
  h.settle();
  EXPECT_EQ(cost(h, "hyb").estimate->fact("k")->value, seen);
}

TEST(Formats, ResultsOfAnotherMatrixAreDropped) {
  Harness h;
  h.open("gen:laplace5?nx=30&ny=30");
  h.open("gen:laplace5?nx=31&ny=31");
  h.session.apply(ShowTab{"formats"});
  h.session.apply(choose("format", "ell"));
  h.frames(1);
  h.session.apply(SelectMatrix{h.state().matrices[0].id});
  h.settle();
  ASSERT_NE(h.state().layout, nullptr);
  EXPECT_EQ(h.state().layout->x.max, 900);
  EXPECT_EQ(cost(h, "ell").estimate->stored, 5 * 928);
}

TEST(Formats, OneClickBuildsAndRelease) {
  Harness h;
  show_formats(h, "gen:laplace5?nx=40&ny=40");
  for (const auto& row : formats()) {
    if (row.from_elements) continue;
    SCOPED_TRACE(row.info.id);
    h.session.apply(BuildFormat{row.info.id});
    EXPECT_EQ(h.state().current()->building.size(), 1u);
    h.settle();
    EXPECT_TRUE(h.state().current()->building.empty());
    const auto* built = built_of(h.state(), *h.state().current(), row.info.id);
    ASSERT_NE(built, nullptr) << (h.state().messages.empty() ? "" : h.state().messages.back().text);
    EXPECT_GT(built->seconds, 0);
    EXPECT_EQ(built->arrays->size().bytes(), cost(h, row.info.id).estimate->bytes());
  }
  // Other parameters: what is kept is not what the sliders say.
  h.session.apply(SetFormatParam{"sell", "slice_rows", 8});
  EXPECT_EQ(built_of(h.state(), *h.state().current(), "sell"), nullptr);
  EXPECT_NE(h.state().current()->any_built("sell"), nullptr);
  h.session.apply(ReleaseFormat{"sell"});
  EXPECT_EQ(h.state().current()->any_built("sell"), nullptr);
  h.settle();
}

TEST(Formats, ElementMatricesAreBuiltWhereThereAreSome) {
  Harness h;
  show_formats(h, "gen:fem_quad?nx=6&ny=5");
  ASSERT_TRUE(cost(h, "lma").estimate) << cost(h, "lma").problem;
  h.session.apply(choose("format", "lma"));
  h.session.apply(BuildFormat{"lma"});
  h.settle();
  const auto* built = built_of(h.state(), *h.state().current(), "lma");
  ASSERT_NE(built, nullptr) << h.state().messages.back().text;
  EXPECT_EQ(built->arrays->size().bytes(), cost(h, "lma").estimate->bytes());
}

TEST(Formats, TheBuildButtonBuilds) {
  Harness h(1280, 800);
  show_formats(h, "gen:laplace5?nx=20&ny=20");
  bool asked = false;
  click_at(h.find("Build"), [&] { asked |= find_action<BuildFormat>(h.frames(1)) != nullptr; });
  EXPECT_TRUE(asked);
  h.settle();
  EXPECT_EQ(h.state().current()->built.size(), 1u);
}

TEST(Formats, TheTableIsSortedByItsHeadAndPickedByItsRows) {
  Harness h(1280, 800);
  show_formats(h, "gen:laplace5?nx=20&ny=20");
  const auto frame = [&] { h.frames(1); };
  for (const bool descending : {false, true}) {
    click_at(h.find("Padding %"), frame);
    EXPECT_EQ(h.state().sort_formats, FormatColumn::padding);
    EXPECT_EQ(h.state().sort_descending, descending);
  }
  const auto order = sorted_formats(h.state(), *h.state().current(), FormatColumn::padding, true);
  for (const std::size_t row : {0u, 3u}) {
    click_at(h.items("##row").at(row), frame, 0.1f);
    EXPECT_EQ(h.state().knobs.format, formats()[order[row]].info.id);
  }
}

TEST(Formats, ACancelledConversionLeavesNothing) {
  Harness h;
  show_formats(h, "gen:laplace5?nx=300&ny=300");
  h.session.apply(BuildFormat{"ell"});
  const auto job = h.state().current()->building.at("ell");
  h.session.apply(CancelJob{job->id});
  h.settle();
  EXPECT_TRUE(h.state().current()->building.empty());
  // It may have been done before the cancel came; then it is whole.
  for (const auto& b : h.state().current()->built) EXPECT_EQ(b.arrays->nnz(), h.state().current()->matrix->csr->nnz());
  // One that certainly was not: cancelled before it starts.
  h.session.apply(BuildFormat{"dia"});
  h.state().current()->building.at("dia")->cancel();
  h.session.apply(CloseMatrix{h.state().selected});
  h.settle();
  EXPECT_TRUE(h.state().matrices.empty());
}

TEST(Formats, WhatCannotHoldTheMatrixSaysWhy) {
  Harness h;
  show_formats(h, "gen:random?rows=300&cols=200&per_row=4");
  const auto& pkt = cost(h, "pkt");
  EXPECT_FALSE(pkt.estimate);
  EXPECT_NE(pkt.problem.find("symmetric"), std::string::npos) << pkt.problem;
  h.session.apply(BuildFormat{"pkt"});
  h.settle();
  EXPECT_TRUE(h.state().current()->built.empty());
  EXPECT_TRUE(h.state().current()->building.empty());
  EXPECT_EQ(h.state().messages.back().kind, Message::Kind::error);
}

TEST(Formats, SortsByEveryColumnBothWays) {
  Harness h;
  show_formats(h, "gen:powerlaw?rows=500");
  h.session.apply(BuildFormat{"ell"});
  h.settle();
  const auto& s = h.state();
  for (int k = 0; k < kFormatColumns; ++k)
    for (const bool descending : {false, true}) {
      auto order = sorted_formats(s, *s.current(), static_cast<FormatColumn>(k), descending);
      auto all = order;
      std::sort(all.begin(), all.end());
      for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], i);
    }
  const auto up = sorted_formats(s, *s.current(), FormatColumn::bytes, false);
  std::size_t last = 0;
  for (const auto k : up) {
    const auto& c = cost(h, formats()[k].info.id);
    if (!c.estimate) continue;
    EXPECT_GE(c.estimate->bytes(), last);
    last = c.estimate->bytes();
  }
  EXPECT_EQ(formats()[up.back()].info.id, "lma") << "what has no size comes last";
  EXPECT_EQ(formats()[sorted_formats(s, *s.current(), FormatColumn::time, true).front()].info.id, "ell");
}

TEST(Formats, BreakEvenSaysWhatIsMissing) {
  Harness h;
  show_formats(h, "gen:laplace5?nx=20&ny=20");
  const auto& s = h.state();
  EXPECT_NE(break_even_of(s, *s.current(), "ell").why.find("no kernel"), std::string::npos);
  h.catalog.kernels.push_back({"ell", "ELL", "one thread per row", "source", "ell", {}});
  EXPECT_NE(break_even_of(s, *s.current(), "ell").why.find("needs a run"), std::string::npos);
  EXPECT_FALSE(break_even_of(s, *s.current(), "ell").products);
  EXPECT_FALSE(break_even_of(s, *s.current(), "csr").products);
  EXPECT_FALSE(break_even_of(s, *s.current(), "ell").preparation);
}

// What the fastest run of a format spent before its first product, whoever built it for what.
TEST(Formats, PreparationIsInProductsOfTheBestCsrRun) {
  struct Case {
    const char* name;
    double csr_us, ell_us;
    std::optional<double> conversion_us, setup_us;
    std::optional<double> preparation, products;
    const char* why;  // a part
  };
  const Case cases[] = {
      {"paid back", 10, 5, 400, 100, 50, 100, "preparation"},
      {"never", 10, 12, 400, {}, 40, {}, "never"},
      {"not recorded", 10, 5, {}, 100, {}, {}, "did not record its conversion"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    Harness h;
    h.catalog.kernels.push_back({"ell", "ELL", "one thread per row", "source", "ell", {}});
    show_formats(h, "gen:laplace5?nx=20&ny=20");
    AppState s = h.state();
    const auto ran = [&](const char* kernel, const char* format, double us) {
      RunRecord r;
      r.status = RunStatus::ok, r.request.matrix = s.current()->source, r.request.kernel = kernel, r.format = format;
      r.request.precision = s.knobs.precision, r.device = s.knobs.device;
      r.kernel_label = kernel, r.time = {us, "us", Provenance::measured};
      if (format_row(format).info.id != "csr") r.request.format_params = format_params_of(s, format);
      return r;
    };
    RunRecord csr = ran("csr_vector", "csr", c.csr_us), ell = ran("ell", "ell", c.ell_us);
    csr.details.push_back({"conversion", "", {9, "us", Provenance::measured}});
    if (c.conversion_us) ell.details.push_back({"conversion", "", {*c.conversion_us, "us", Provenance::measured}});
    if (c.setup_us) ell.details.push_back({"setup", "", {*c.setup_us, "us", Provenance::measured}});
    s.runs.add(csr), s.runs.add(ell);
    const BreakEven b = break_even_of(s, *s.current(), "ell");
    EXPECT_EQ(b.preparation, c.preparation);
    EXPECT_EQ(b.products, c.products);
    EXPECT_NE(b.why.find(c.why), std::string::npos) << b.why;
    EXPECT_FALSE(b.why_unprepared.empty());
    EXPECT_EQ(break_even_of(s, *s.current(), "csr").preparation, 0) << "the matrix is there as CSR";
  }
}

TEST(Formats, MinimumOfTheFormatIsOnTheRoofline) {
  Harness h;
  show_formats(h, "gen:laplace5?nx=40&ny=40");
  h.session.apply(choose("format", "ell"));
  h.settle();
  double at = 0;
  for (const auto& s : h.state().roofline->series)
    if (s.kind == plot::Series::Kind::vline && s.label == format_row("ell").info.label + " minimum") at = s.x[0];
  const auto& c = cost(h, "ell");
  EXPECT_DOUBLE_EQ(
      at, 2.0 * static_cast<double>(h.state().current()->matrix->csr->nnz()) / static_cast<double>(c.minimum_bytes));
}

TEST(Formats, BytesByRoleAddUp) {
  Harness h;
  show_formats(h, "gen:powerlaw?rows=700");
  const auto& m = *h.state().current();
  for (const auto& row : formats()) {
    const auto& c = cost(h, row.info.id);
    if (!c.estimate) continue;
    const KindBytes b = kind_bytes(row.info, *c.estimate, m.matrix->csr->cols(), Precision::f32);
    EXPECT_DOUBLE_EQ(b.values + b.indices + b.pointers + b.padding, static_cast<double>(c.estimate->bytes()))
        << row.info.id;
  }
}

TEST(Formats, TheMemoryBudgetDecidesWhatFits) {
  const std::string preferences = testing::TempDir() + "/budget_preferences.json";
  std::remove(preferences.c_str());
  SessionOptions options = Harness::quiet();
  options.preferences = preferences;
  {
    Harness h(1280, 800, 1, options);
    show_formats(h, "gen:arrow?n=200");
    EXPECT_EQ(h.state().current()->costs->budget.host_source, "memory that is free on this machine");
    const std::size_t csr = cost(h, "csr").estimate->bytes(), ell = cost(h, "ell").estimate->bytes();
    ASSERT_GT(ell, csr);
    const std::uint64_t vectors = 2 * 200 * 4;
    for (const bool host : {true, false}) {
      MemoryBudget budget;
      (host ? budget.host_bytes : budget.device_bytes) = host ? ell - 1 : ell - 1 + vectors;
      h.session.apply(SetMemory{budget});
      h.settle();
      EXPECT_FALSE(cost(h, "ell").fits);
      EXPECT_TRUE(cost(h, "csr").fits);
      const std::string& reason = cost(h, "ell").reason;
      EXPECT_NE(reason.find(host ? "the host's limit is" : "the device's limit is"), std::string::npos) << reason;
      EXPECT_NE(reason.find(kSetByUser), std::string::npos) << reason;
      // Asked for all the same (by a script): refused with what fits, nothing built.
      h.session.apply(BuildFormat{"ell"});
      h.settle();
      EXPECT_TRUE(h.state().current()->built.empty());
      EXPECT_NE(h.state().messages.back().text.find("format ell needs"), std::string::npos);
      EXPECT_NE(h.state().messages.back().remedy.find("these fit: "), std::string::npos);
      h.session.apply(StartRun{});
      h.settle();
      EXPECT_EQ(h.state().runs.all().back()->request.memory, budget);
    }
  }
  {
    Harness again(1280, 800, 1, options);
    EXPECT_TRUE(again.state().memory.device_bytes) << "remembered";
    EXPECT_FALSE(again.state().memory.host_bytes);
    again.session.apply(SetMemory{});
    again.settle();
  }
  Harness last(1280, 800, 1, options);
  EXPECT_EQ(last.state().memory, MemoryBudget{});
}

TEST(Formats, ALimitIsTypedIntoItsField) {
  Harness h;
  show_formats(h, "gen:laplace5?nx=20&ny=20");
  MemoryFields fields;
  const auto frame = [&] { return h.panel([&](Ui& ui) { fields.draw(h.state(), ui, 1000); }); };
  frame();
  const auto type = [&](const char* name, const char* text) {
    click_at(h.find(name), frame);
    const auto press = [&](Chord c) {
      feed_chord(c, true);
      frame();
      feed_chord(c, false);
      frame();
    };
    press({Key::end});
    for (int k = 0; k < 12; ++k) press({Key::backspace});
    ImGui::GetIO().AddInputCharactersUTF8(text);
    frame();
    press({Key::enter});
    for (int k = 0; k < 3; ++k) frame();
  };
  const char *host = "Host memory", *device = "Device memory";
  type(host, "3 kB");
  EXPECT_EQ(h.state().memory, (MemoryBudget{3000, {}}));
  type(device, "4GiB");
  EXPECT_EQ(h.state().memory, (MemoryBudget{3000, std::uint64_t{4} << 30}));
  type(host, "much");
  EXPECT_EQ(h.state().memory.host_bytes, 3000u) << "what is not understood changes nothing";
  EXPECT_NE(h.state().messages.back().text.find("'much' is not understood"), std::string::npos);
  type(host, "");
  EXPECT_EQ(h.state().memory, (MemoryBudget{{}, std::uint64_t{4} << 30}));
  h.settle();
}

// Where there is no room for all of it, the arrays scroll, and other columns give way before that of Build.
TEST(Formats, SmallWindowsHaveArraysAndBuild) {
  struct Size {
    float width, height, scale;
  };
  const std::string path = testing::TempDir() + "/small_windows.mtx";
  std::ofstream(path) << "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 1\n1 2 7\n2 2 2\n";
  for (const auto& [width, height, scale] :
       {Size{1280, 800, 1}, Size{1280, 800, 1.5f}, Size{1280, 800, 2}, Size{1024, 768, 1}, Size{800, 600, 1}}) {
    SCOPED_TRACE(std::to_string(width) + " at " + std::to_string(scale));
    Harness h(width, height, scale);
    show_formats(h, path);
    h.session.apply(choose("format", "csr"));
    h.settle();
    EXPECT_TRUE(h.shows("Build"));
    EXPECT_TRUE(h.shows("Arrays"));
    EXPECT_TRUE(h.shows("values"));
  }
}

TEST(Formats, SmallMatricesArePrinted) {
  Harness h;
  const std::string path = testing::TempDir() + "/four.mtx";
  std::ofstream(path) << "%%MatrixMarket matrix coordinate real general\n4 4 9\n1 1 1\n1 2 7\n2 2 2\n2 3 8\n3 1 5\n"
                         "3 3 3\n3 4 9\n4 2 6\n4 4 4\n";
  show_formats(h, path);
  for (const auto& row : formats()) {
    SCOPED_TRACE(row.info.id);
    h.session.apply(choose("format", row.info.id));
    h.settle();
    if (!h.state().layout) {
      EXPECT_NE(h.state().layout_problem, "");
      continue;
    }
    EXPECT_FALSE(h.state().layout->tables.empty());
    sweep(h, 26, 20);
  }
}

TEST(Reorder, OpensTheReorderedMatrixBesideTheOther) {
  Harness h(1280, 800);
  h.open("gen:random?rows=400&cols=400&per_row=3");
  const auto original = h.state().selected;
  const index_t nnz = h.state().current()->matrix->csr->nnz();
  ActionSink out;
  ASSERT_TRUE(perform("reorder.rcm", h.state(), out));
  for (const auto& a : out.take()) h.session.apply(a);
  h.settle();
  ASSERT_EQ(h.state().matrices.size(), 2u);
  const auto* m = h.state().current();
  EXPECT_EQ(m->original, original);
  EXPECT_NE(m->name.find("(RCM)"), std::string::npos) << m->name;
  EXPECT_EQ(m->status, OpenMatrix::Status::ready);
  EXPECT_EQ(m->matrix->csr->nnz(), nnz);
  ASSERT_TRUE(m->before && m->after);
  EXPECT_EQ(*m->before, envelope_of(*h.state().matrix(original)->matrix->csr));
  EXPECT_EQ(*m->after, envelope_of(*m->matrix->csr));
  EXPECT_LT(m->after->bandwidth, m->before->bandwidth);
  EXPECT_NE(h.state().messages.back().text.find("bandwidth"), std::string::npos);
  EXPECT_EQ(h.state().tab, "compare");
  // Both have what the tab shows.
  const auto [before, after] = h.state().compared();
  ASSERT_TRUE(before && after);
  EXPECT_NE(before->histogram, nullptr);
  EXPECT_NE(after->histogram, nullptr);
  EXPECT_NE(after->pyramid, nullptr);
  // It runs like any other, and stays out of the recent sources.
  h.session.apply(StartRun{});
  h.settle();
  ASSERT_EQ(h.state().runs.all().size(), 1u);
  EXPECT_EQ(h.state().runs.all()[0]->status, RunStatus::ok);
  EXPECT_EQ(h.state().recent.size(), 1u);
  // Asked again: the one that is there.
  h.session.apply(SelectMatrix{original});
  h.session.apply(Reorder{"rcm", {}, {}});
  h.settle();
  EXPECT_EQ(h.state().matrices.size(), 2u);
  EXPECT_EQ(h.state().current()->original, original);
}

TEST(Reorder, AFailedOneLeavesNothing) {
  Harness h;
  h.open("gen:laplace5?nx=10&ny=10");
  const auto original = h.state().selected;
  h.session.apply(Reorder{"file", {}, "/no/such/file.txt"});
  h.settle();
  EXPECT_EQ(h.state().matrices.size(), 1u);
  EXPECT_EQ(h.state().selected, original);
  EXPECT_EQ(h.state().messages.back().kind, Message::Kind::error);
  h.session.apply(Reorder{"rcm", {}, {}});
  h.state().current()->job->cancel();
  h.settle();
  for (const auto& m : h.state().matrices) EXPECT_NE(m.status, OpenMatrix::Status::opening);
}

TEST(Reorder, EveryOneHasACommand) {
  for (const auto& row : reorderings()) EXPECT_NE(command("reorder." + row.info.id), nullptr) << row.info.id;
}

TEST(Histogram, ALogAxisWhereOneRowDwarfsTheOthers) {
  Harness h;
  const std::string path = testing::TempDir() + "/dwarf.mtx";
  std::ofstream file(path);
  file << "%%MatrixMarket matrix coordinate pattern general\n200 200 399\n";
  for (int k = 1; k <= 200; ++k) file << k << " 1\n";
  for (int k = 2; k <= 200; ++k) file << "7 " << k << "\n";
  file.close();
  h.open(path);
  EXPECT_TRUE(histogram_style(h.state(), *h.state().current()).log_x);
  EXPECT_EQ(h.state().current()->histogram->x.scale, plot::Scale::log10);
  h.session.apply(choose("row lengths", "chosen log_y cumulative quartiles"));
  h.settle();
  EXPECT_EQ(h.state().current()->histogram->x.scale, plot::Scale::linear) << "the user's choice stays";
}

TEST(Numbers, ASmallShareIsNotZero) {
  EXPECT_EQ(percent_text(0.000048), "0.0048 %");
  EXPECT_EQ(percent_text(0), "0.0 %");
  EXPECT_EQ(percent_text(0.05), "5.0 %");
}

}  // namespace
