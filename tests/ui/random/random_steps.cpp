// Thousands of random steps: every command and every action with arguments that may be anything a view can send, and
// numbers of matrices and runs that are gone. What must hold after each of them stands in check().
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <random>
#include <set>
#include <type_traits>
#include <typeinfo>
#include <vector>

#include "core/base/target.hpp"
#include "core/formats/format.hpp"
#include "core/model/analyses.hpp"
#include "core/plot/pattern_shades.hpp"
#include "core/reorder/reorder.hpp"
#include "core/session/slides.hpp"
#include "tests/ui/cluster_sweep.hpp"
#include "tests/ui/lesson_folder.hpp"
#include "tests/ui/study_folder.hpp"
#include "tests/ui/working_folder.hpp"
#include "ui/figures/figure.hpp"
#include "ui/services/desk/desk_state.hpp"
#include "ui/services/desk/undo.hpp"
#include "ui/views/view.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

namespace fs = std::filesystem;

#if WARPSPY_SANITIZED
constexpr int kSteps = 1500;
#else
constexpr int kSteps = 10000;
#endif

int from_environment(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text ? std::atoi(text) : otherwise;
}

class RandomSteps : public testing::Test {
 protected:
  void SetUp() override {
    write_file((folder_ / "broken.mtx").string(), "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 1\n");
    write_file((folder_ / "good.mtx").string(), "%%MatrixMarket matrix coordinate real general\n3 4 2\n1 1 1\n3 4 2\n");
    write_file((folder_ / "none.mtx").string(), "%%MatrixMarket matrix coordinate real general\n0 0 0\n");
    write_file((folder_ / "half.warpspy").string(), "{\"version\": 1, \"matri");
  }

  std::size_t below(std::size_t n) { return n == 0 ? 0 : random_() % n; }
  bool one_in(std::size_t n) { return below(n) == 0; }
  template <class T>
  T of(const std::vector<T>& all) {
    return all.empty() ? T{} : all[below(all.size())];
  }
  template <class Enum>
  Enum any(int count) {
    return static_cast<Enum>(below(static_cast<std::size_t>(count)));
  }
  double number() { return of<double>({0, 1, 2, 4, 8, 16, 32, 64, 128, 1024, -1, 0.5, 1e9}); }
  std::string at(const char* name) const { return (folder_ / name).string(); }
  std::string source() {
    return of<std::string>({"gen:laplace5?nx=12&ny=9", "gen:diagonal?rows=20", "gen:wheel?rows=30", "gen:nothing",
                            "gen:dense?rows=12", at("good.mtx"), at("broken.mtx"), at("none.mtx"), at("missing.mtx"),
                            folder_.string(), at("half.warpspy"), ""});
  }

  const AppState& s() const { return h_->state(); }
  MatrixId matrix() {
    if (one_in(8) || s().matrices.empty()) return below(40);  // may be gone
    return s().matrices[below(s().matrices.size())].id;
  }
  std::uint64_t run() {
    if (one_in(8) || s().runs.all().empty()) return below(40);
    return s().runs.all()[below(s().runs.all().size())]->id;
  }
  std::string kernel() { return s().catalog->kernels[below(s().catalog->kernels.size())].id; }
  std::string format() { return formats()[below(formats().size())].info.id; }
  ParamSpec param(const std::vector<ParamSpec>& specs) { return of(specs); }

  // An action of each kind. What has no function here is sent as it is by default.
  template <class T>
  T make(T*) {
    return {};
  }
  OpenSource make(OpenSource*) { return {source()}; }
  OpenSources make(OpenSources*) { return {{source(), source(), source()}}; }
  GoTo make(GoTo*) { return {source()}; }
  ShowOpen make(ShowOpen*) { return {any<OpenWay>(4)}; }
  AskCollection make(AskCollection*) { return {one_in(2)}; }
  FetchMatrix make(FetchMatrix*) { return {of<std::string>({"", "cant", "Williams/cant", "../x", "No/such"})}; }
  SetMatricesView make(SetMatricesView*) {
    MatricesView v = s().matrices_view;
    v.face = any<MatricesFace>(6);
    v.descending = one_in(2);
    v.filter = of<std::string>({"", "lap", "zzz", "csr 5"});
    v.measure = any<plot::GridMeasure>(4);
    v.chosen.clear();
    if (!s().matrices.empty()) v.chosen = {s().matrices[below(s().matrices.size())].id};
    return {v};
  }
  StartSweep make(StartSweep*) {
    StartSweep a{{matrix(), matrix()}, {kernel()}, {Precision::f32}, {one_in(5) ? "sim:none" : "sim:toy"}};
    if (one_in(3)) a.folder = (folder_ / "random.sweep").string();
    return a;
  }
  SaveSweep make(SaveSweep*) {
    return {make(static_cast<StartSweep*>(nullptr)), (folder_ / of<std::string>({"sweep.json", "none/x"})).string()};
  }
  OpenSweep make(OpenSweep*) {
    return {(folder_ / of<std::string>({"random.sweep", "sweep.json", "nowhere.json", ""})).string()};
  }
  SteerSweep make(SteerSweep*) { return {any<SteerSweep::To>(4)}; }
  SearchBest make(SearchBest*) { return one_in(2) ? SearchBest{} : SearchBest{{matrix()}}; }
  SteerBest make(SteerBest*) { return {any<SteerBest::To>(2)}; }
  SelectMatrix make(SelectMatrix*) { return {matrix()}; }
  CloseMatrix make(CloseMatrix*) { return {matrix()}; }
  BrowseFolder make(BrowseFolder*) { return {of<std::string>({folder_.string(), "/nowhere", ""})}; }
  SetDevice make(SetDevice*) { return {of<std::string>({"sim:toy", "cuda:0", "nothing"})}; }
  // Any of them, and what any of them may say.
  SetChoice make(SetChoice*) {
    const ChoiceRow& row = of(choice_rows());
    if (row.id == std::string("tab")) return {row.id, view(Place::tab)};
    if (row.id == std::string("device")) return {row.id, of<std::string>({"sim:toy", "cuda:0"})};
    if (row.id == std::string("panes")) return {row.id, to_text(make(static_cast<SetPanes*>(nullptr)).panes)};
    return {row.id, of<std::string>({"",
                                     "yes",
                                     "no",
                                     "f32",
                                     "f64",
                                     "modulus",
                                     "cold",
                                     "warm",
                                     "none",
                                     "full",
                                     "csr",
                                     "binary",
                                     "stretched",
                                     "grey",
                                     "dark",
                                     "paper",
                                     "chosen log_x",
                                     "executed",
                                     "all",
                                     "kernel",
                                     "0.1 10 1 1000",
                                     "table",
                                     "best",
                                     "3 down",
                                     "5",
                                     "share of roof",
                                     "coop",
                                     "xrtm",
                                     "of runs",
                                     "exhaustive",
                                     "host 4096 device 100",
                                     format(),
                                     kernel(),
                                     std::to_string(run())})};
  }
  SetKernel make(SetKernel*) { return {one_in(6) ? "no_kernel" : kernel()}; }
  SetParam make(SetParam*) {
    const auto* k = s().kernel();
    return {SetParam::Of::kernel, k ? param(k->params).id : "coop", number()};
  }
  SetFormatParam make(SetFormatParam*) {
    const FormatRow& row = formats()[below(formats().size())];
    const ParamSpec p = param(row.info.params);
    return {row.info.id, p.id, p.def};
  }
  SetMemory make(SetMemory*) {
    MemoryBudget b;
    if (one_in(2)) b.host_bytes = below(1 << 20);
    return {b};
  }
  BuildFormat make(BuildFormat*) { return {format()}; }
  ReleaseFormat make(ReleaseFormat*) { return {format()}; }
  Reorder make(Reorder*) { return {reorderings()[below(reorderings().size())].info.id, {}, {}}; }
  ShowReorder make(ShowReorder*) { return {reorderings()[below(reorderings().size())].info.id}; }
  SetAnalysis make(SetAnalysis*) {
    return {{analyses()[below(analyses().size())].info.id, {}, any<AnalysisSettings::Kernels>(2)}};
  }
  UseParams make(UseParams*) { return {kernel(), {{"block", 64}}}; }
  CancelJob make(CancelJob*) { return {s().jobs.empty() ? below(90) : s().jobs[below(s().jobs.size())]->id}; }
  SelectRun make(SelectRun*) { return {run()}; }
  RemoveRun make(RemoveRun*) { return {run()}; }
  ListRuns make(ListRuns*) {
    HistoryQuery q;
    q.text = of<std::string>({"", "csr", "zzz"});
    q.kernel = one_in(3) ? kernel() : "";
    return {one_in(2), q};
  }
  CompareRuns make(CompareRuns*) { return {{run(), run(), run()}}; }
  SetNote make(SetNote*) { return {run(), of<std::string>({"", "a note", "\xC3\xA4\n\"quoted\""})}; }
  RepeatRun make(RepeatRun*) { return {run()}; }
  ForgetRun make(ForgetRun*) { return {run()}; }
  SetCamera make(SetCamera*) {
    return {matrix(), Camera{one_in(3), number(), number(), std::abs(number()) + 0.01, std::abs(number()) + 0.01}};
  }
  SetHighlight make(SetHighlight*) {
    const auto lo = static_cast<index_t>(below(7)), hi = static_cast<index_t>(below(9));
    return one_in(2) ? SetHighlight{lo, hi, 0, 0} : SetHighlight{0, 0, lo, hi};
  }
  SelectPart make(SelectPart*) {
    return {of<std::string>({"", "x", "values"}), of<std::string>({"", "csr_vector.hpp:41"})};
  }
  CompareMatrices make(CompareMatrices*) { return {matrix(), matrix()}; }
  ShowTab make(ShowTab*) { return {view(Place::tab)}; }
  ShowDialog make(ShowDialog*) { return {one_in(2) ? "" : view(Place::overlay)}; }
  ShowExport make(ShowExport*) { return {figure_rows()[below(figure_rows().size())]->id}; }
  SetPanes make(SetPanes*) {
    Panes panes;
    panes.workspace = one_in(2), panes.controls = one_in(2);
    panes.left = kLeastPanel + static_cast<double>(below(300));
    panes.beside = one_in(2) ? "" : view(Place::tab);
    panes.cuts = {{kTabsCut, kLeastCut + 0.1 * static_cast<double>(below(7))}};
    return {panes};
  }
  MoveFocus make(MoveFocus*) { return {any<FocusTo>(6)}; }
  ExportFigure make(ExportFigure*) {
    return {.what = figure_rows()[below(figure_rows().size())]->id,
            .path = at(one_in(5) ? "no/where.svg" : "out.svg"),
            .page = page(),
            .overwrite = one_in(2)};
  }
  ExportAll make(ExportAll*) { return {at(one_in(4) ? "missing.mtx/no" : "all"), page(), one_in(2)}; }
  PreviewFigure make(PreviewFigure*) {
    return {.what = figure_rows()[below(figure_rows().size())]->id, .page = page()};
  }
  plot::Page page() {
    const auto presets = plot::page_presets();
    plot::Page p = plot::page_of(presets[below(presets.size())]);
    if (!p.on_paper()) p.width = 300, p.height = 200;
    return p;
  }
  CopyText make(CopyText*) { return {"text"}; }
  Notify make(Notify*) { return {{Message::Kind::warning, "something\nhappened", "do this", matrix()}}; }
  SaveSession make(SaveSession*) { return {at(one_in(4) ? "no/where.warpspy" : "saved.warpspy")}; }
  AddSlide make(AddSlide*) { return {at("talk.slides")}; }
  OpenLecture make(OpenLecture*) { return {at(one_in(4) ? "no/where.slides" : "talk.slides")}; }
  ShowSlide make(ShowSlide*) { return {below(4)}; }
  Project make(Project*) { return {one_in(2)}; }
  // Not often: much is refused while a lesson covers it.
  OpenLesson make(OpenLesson*) { return {one_in(4) ? lessons_.lesson() : at("missing.md")}; }
  BeginLesson make(BeginLesson*) { return {of<std::string>({"Ada", ""})}; }
  DraftAnswer make(DraftAnswer*) {
    return {of<std::string>({"", "5", "460", "16 17", "2 3 1", "many"}), of<std::string>({"", "so"})};
  }
  ShowLessonStep make(ShowLessonStep*) { return {below(8)}; }
  HandIn make(HandIn*) { return {at(one_in(4) ? "no/where.json" : "answers.json"), "Ada", one_in(2)}; }
  OpenSession make(OpenSession*) {
    return {at(one_in(3) ? "half.warpspy" : one_in(3) ? "missing.warpspy" : "saved.warpspy")};
  }
  SetSettings make(SetSettings*) {
    Settings settings;
    settings.scale = of<double>({0, 1, 1.5});
    settings.keep_desk = false;
    return {settings};
  }

  std::string view(Place place) {
    std::vector<std::string> ids;
    for (const ViewRow* row : view_rows())
      if (row->place == place) ids.emplace_back(row->id);
    return of(ids);
  }

  template <class... Kinds>
  Action make_one(std::size_t which, const AnyOf<Kinds...>*) {
    std::optional<Action> made;
    std::size_t kind = 0;
    ((kind++ == which ? void(made = make(static_cast<Kinds*>(nullptr))) : void()), ...);
    return made.value();
  }
  Action make_one(std::size_t which) { return make_one(which, static_cast<const Action*>(nullptr)); }
  Action action() { return make_one(below(Action::kinds)); }
  static std::string name_of(const Action& a) {
    return a.visit([](const auto& x) { return std::string(typeid(x).name()); });
  }

  std::string all_messages() const {
    std::string all = "messages:";
    for (const Message& m : s().messages) all += "\n" + m.text + " " + m.remedy;
    return all;
  }

  void check() {
    const AppState& st = s();
    ASSERT_EQ(st.selected == 0, st.matrices.empty());
    if (st.selected) {
      ASSERT_TRUE(st.current());
    }
    const auto open_or_0 = [&](MatrixId id) { return id == 0 || st.matrix(id); };
    ASSERT_TRUE(open_or_0(st.left) && open_or_0(st.right));
    ASSERT_TRUE(open_or_0(st.pattern.matrix));
    for (const MatrixId id : st.matrices_view.chosen) ASSERT_TRUE(st.matrix(id));
    for (const auto& [id, knobs] : st.knobs_of) ASSERT_TRUE(st.matrix(id));
    std::set<MatrixId> ids;
    for (const OpenMatrix& m : st.matrices) ASSERT_TRUE(ids.insert(m.id).second);
    ASSERT_TRUE(st.kernel() && st.device());
    ASSERT_NO_THROW(format_row(st.knobs.format));
    if (st.selected_run) {
      const auto run = st.run(st.selected_run);
      ASSERT_TRUE(run);
      const OpenMatrix* of_run = matrix_of(st, *run);
      ASSERT_TRUE(!of_run || of_run == st.current()) << "the selected run is of another matrix than the shown one";
    }
    ASSERT_NE(st.comparing.size(), 1u);
    ASSERT_LE(st.comparing.size(), kMostCompared);
    for (const std::uint64_t id : st.trail) ASSERT_TRUE(st.run(id));
    if (st.highlight && st.highlight->rows) {
      ASSERT_TRUE(st.has_matrix());
      ASSERT_EQ(st.highlight->rows->rows(), st.current()->matrix->csr->rows());
    }
    const auto known = [](const std::string& id) {
      return std::any_of(view_rows().begin(), view_rows().end(), [&](const ViewRow* row) { return id == row->id; });
    };
    ASSERT_TRUE(known(st.tab)) << st.tab;
    ASSERT_TRUE(st.dialog.empty() || known(st.dialog)) << st.dialog;
  }

  void check_desk() {
    const std::string text = to_json(desk_of(s()));
    const DeskRead read = desk_from_json(text);
    ASSERT_EQ(to_json(read.desk), text);
  }

  static std::string differences(const UndoState& a, const UndoState& b) {
    std::string names;
    const auto compare = [&](const char* name, auto member) {
      if (a.*member != b.*member) names += std::string(names.empty() ? "" : ", ") + name;
    };
    compare("matrices", &UndoState::matrices), compare("cameras", &UndoState::cameras);
    for (const auto* all : {&a.matrices, &b.matrices}) {
      names += " (";
      for (const auto& m : *all) names += " " + std::to_string(m.id) + ":" + m.name;
      names += " )";
    }
    compare("selected", &UndoState::selected), compare("marked", &UndoState::marked);
    compare("comparing", &UndoState::comparing), compare("kernel_params", &UndoState::kernel_params);
    compare("format_params", &UndoState::format_params), compare("analysis_params", &UndoState::analysis_params);
    for (const auto& [id, text] : a.choices)
      if (text != b.choices.at(id)) names += ", " + id + ": " + text + " / " + b.choices.at(id);
    return names;
  }

  // When nothing is under way: a step there, back, and there again.
  void check_undo() {
    h_->session.apply(choose("live", false));
    h_->session.apply(SteerSweep{SteerSweep::To::stop});
    h_->session.apply(SteerBest{SteerBest::To::stop});
    h_->settle();
    for (int tries = 0; tries < 30; ++tries) {
      const Action a = action();
      if (!undo_name(a, s())) continue;
      trace_ = name_of(a);
      h_->session.end_step();
      h_->session.next_frame();
      const UndoState before = undo_state(s());
      h_->session.apply(a);
      const UndoState at_once = undo_state(s());
      h_->settle();
      const UndoState after = undo_state(s());
      // What ended behind the step, such as a trace that shows its tab, is no part of it, and undo leaves it.
      if (before == at_once || after != at_once) continue;
      h_->session.apply(Undo{});
      h_->settle();
      ASSERT_TRUE(before == undo_state(s())) << "undo: " << differences(before, undo_state(s()));
      check();
      h_->session.apply(Redo{});
      h_->settle();
      ASSERT_TRUE(after == undo_state(s())) << "redo: " << differences(after, undo_state(s()));
      return;
    }
  }

  void step(int k) {
    h_->session.end_step();
    h_->session.next_frame();
    if (one_in(3)) {
      const Command& c = commands()[below(commands().size())];
      trace_ = c.id;
      perform(c.id, s(), sink_);
      for (const Action& a : sink_.take()) h_->session.apply(a);
    } else {
      const Action a = action();
      trace_ = name_of(a);
      h_->session.apply(a);
    }
    // Few of each, so that steps stay small.
    if (s().matrices.size() > 6) h_->session.apply(CloseMatrix{s().matrices[below(s().matrices.size())].id});
    if (s().runs.all().size() > 60) h_->session.apply(ClearRuns{});
    if (s().lecture.titles.size() > 6) {
      // A name of its own: the one before may be under way to its file.
      const std::string lecture = at(("short" + std::to_string(k) + ".slides").c_str());
      write_file(lecture, to_json(std::vector<Slide>{{"one", {}}, {"two", {}}}));
      h_->session.apply(OpenLecture{lecture});
    }
    if (k % 4)
      h_->session.update();
    else
      h_->frames(1);
  }

  const WorkingFolder working_{"random"};  // goes after the window
  const fs::path folder_ = working_.path;
  std::unique_ptr<Harness> h_;
  ActionSink sink_;
  std::mt19937 random_;
  const StudyFolder studies_;
  const LessonFolder lessons_;
  std::string trace_;
};

TEST_F(RandomSteps, KeepTheStateWhole) {
  const int seed = from_environment("WARPSPY_RANDOM_SEED", 14),
            steps = from_environment("WARPSPY_RANDOM_STEPS", kSteps);
  std::printf("%d steps, seed %d (WARPSPY_RANDOM_SEED, WARPSPY_RANDOM_STEPS)\n", steps, seed);
  random_.seed(static_cast<unsigned>(seed));
  SessionOptions options = Harness::quiet();
  options.collection.emplace().from = folder_.string();  // no step uses the network
  options.studies = studies_.at("studies");
  options.history = at("runs.sqlite");
  options.lessons = lessons_.at("lessons"), options.answers = lessons_.at("answers");
  h_ = std::make_unique<Harness>(900, 600, 1, options);
  for (int k = 0; k < steps; ++k) {
    step(k);
    check();
    if (k % 50 == 49) check_desk();
    if (k % 100 == 99) check_undo();
    ASSERT_FALSE(HasFatalFailure()) << "step " << k << ", " << trace_;
  }
  h_->settle();
  h_.reset();
}

// Each of them in an empty window, on a matrix, where much was done, where all is under way, and beside a desk of
// before.
TEST_F(RandomSteps, ReachEveryActionAndEveryCommand) {
  const auto begin = [this](bool fresh = false) {
    h_.reset();
    SessionOptions options = Harness::quiet();
    options.studies = studies_.at("studies");
    options.history = at("runs.sqlite");
    options.desk = at("desk");
    options.fresh = fresh;
    h_ = std::make_unique<Harness>(900, 600, 1, options);
    h_->settle();
    while (!fresh && !s().matrices.empty()) h_->session.apply(CloseMatrix{s().matrices[0].id});
    h_->session.apply(ClearRuns{});
  };
  const auto run_sweep = [this] {
    h_->session.apply(StartSweep{{s().matrices[0].id}, {"csr_scalar"}, {Precision::f32}, {"sim:toy"}});
    EXPECT_TRUE(s().sweep && s().sweep->phase == SweepRun::Phase::running) << all_messages();
  };
  const auto open = [&](bool fresh = false) {
    begin(fresh);
    h_->open("gen:laplace5?nx=12&ny=12");
  };
  const auto much = [&] {
    open();
    h_->open("gen:laplace5?nx=13&ny=13");
    for (const char* kernel : {"csr_scalar", "csr_vector"}) {
      h_->session.apply(SetKernel{kernel});
      h_->session.apply(StartRun{});
      h_->settle();
    }
    // Whatever the desk of before has left: lines need two values of a parameter, and some analyses other kernels.
    for (const double coop : {2, 4}) {
      h_->session.apply(SetParam{SetParam::Of::kernel, "coop", coop});
      h_->session.apply(StartRun{});
      h_->settle();
    }
    h_->session.apply(StartSolve{});
    h_->settle();
    h_->session.apply(SetHighlight{0, 5, 0, 0});
    h_->session.apply(SetAnalysis{});
    h_->session.apply(StartAnalysis{});
    h_->session.apply(StartTuning{});
    run_sweep();
    h_->settle();
    h_->session.apply(CompareRuns{{s().runs.all()[0]->id, s().runs.all()[1]->id}});
    h_->session.apply(BuildFormat{"ell"});
    h_->session.apply(choose("roofline zoom", "0.1 10 1 1000"));
    h_->session.end_step();
    h_->session.next_frame();
    h_->session.apply(SetParam{SetParam::Of::kernel, "coop", 16});
    h_->session.end_step();
    h_->session.next_frame();
    h_->session.apply(ShowTab{"runs"});
    h_->session.apply(Undo{});
    WarpWanted first_row;
    first_row.row = 0;
    h_->session.apply(ShowWarp{first_row});
    h_->settle();
  };
  const auto open_study = [this] {
    h_->session.apply(ShowTab{"studies"});
    h_->settle();
    h_->session.apply(choose("study", "made-up"));
    h_->settle();
  };
  const auto with_study = [&] {
    open(true);
    open_study();
    h_->session.apply(SteerStudy{});
    h_->settle();
    h_->session.apply(choose("study cell", std::uint64_t{3}));
  };
  // Without the desk of before: what it may have left must not decide whether all of these can begin.
  const auto under_way = [&] {
    open(true);
    open_study();
    h_->engine.waits = true;
    h_->session.apply(SteerStudy{});
    h_->session.apply(StartRun{});
    h_->session.apply(StartTuning{});
    run_sweep();
    h_->session.apply(SearchBest{});
    h_->frames(2);
    EXPECT_TRUE(s().sweep->phase == SweepRun::Phase::running) << all_messages();
  };
  const auto stopped = [&] {
    under_way();
    h_->session.apply(SteerSweep{SteerSweep::To::stop});
    h_->session.apply(SteerBest{SteerBest::To::stop});
    h_->session.apply(SetCamera{s().selected, Camera{false, 2, 2, 3, 3}});
  };
  const auto beside_another = [&] {
    open();
    begin(true);
  };
  const auto lecturing = [&] {
    open();
    for (int k = 0; k < 3; ++k) h_->session.apply(AddSlide{at("talk.slides")});
    h_->session.apply(ShowSlide{1});
    h_->settle();
    h_->session.apply(Project{true});
  };
  const auto learning = [&] {
    begin();
    begin_lesson(*h_, lessons_);
  };
  const auto over_parts = [&] {
    open();
    for (const std::uint64_t parts : {1, 2}) {
      h_->session.apply(choose("parts", parts));
      h_->session.apply(StartSolve{});
      h_->settle();
      h_->session.apply(StartRun{});
      h_->settle();
    }
    h_->session.apply(ShowTab{"parts"});
    h_->settle();
  };
  const auto on_a_cluster = [&] {
    begin(true);
    write_cluster_sweep(at("tasks.sweep"), h_->catalog, "");
    h_->session.apply(OpenSources{{at("tasks.sweep")}});
    h_->settle();
    h_->session.apply(SteerSweep{SteerSweep::To::stop});
  };
  std::set<std::string> performed;
  unsigned drawn = 0;
  const std::vector<std::function<void()>> desks = {
      [&] { begin(); }, [&] { open(); }, under_way, stopped,    beside_another, much,
      with_study,       lecturing,       learning,  over_parts, on_a_cluster};
  for (const auto& desk : desks) {
    desk();
    for (std::size_t k = 0; k < Action::kinds; ++k) {
      random_.seed(++drawn);  // how much was drawn before depends on what had ended by then
      const Action a = make_one(k);
      ASSERT_EQ(a.index(), k);
      h_->session.apply(a);
      h_->session.update();
      check();
      ASSERT_FALSE(HasFatalFailure()) << name_of(a);
    }
    desk();
    for (const Command& c : commands()) {
      if (performed.contains(c.id) || !why_not(s(), c).empty()) continue;
      perform(c.id, s(), sink_);
      performed.insert(c.id);
      for (const Action& a : sink_.take()) h_->session.apply(a);
      h_->frames(1);
      check();
      ASSERT_FALSE(HasFatalFailure()) << c.id;
      desk();
    }
  }
  performed.insert({"run.roofs", "export.roofs"});  // need a real GPU
  for (const Command& c : commands()) EXPECT_TRUE(performed.contains(c.id)) << c.id << " was possible nowhere";
  h_.reset();
}

}  // namespace
