// Commands of formats, runs, searches, sweeps, the list of runs and analyses.
#include <iterator>

#include "ui/commands/choices.hpp"
#include "ui/commands/commands.hpp"
#include "ui/state/choice_rows.hpp"
#include "ui/state/parts.hpp"

namespace warpspy::ui {

namespace {

// Why the kernel cannot run on one GPU, or "".
std::string why_no_kernel(const AppState& s) { return s.has_matrix() ? s.why_not() : needs_matrix(s); }
bool has_runs(const AppState& s) { return !s.runs.all().empty(); }

// The newest good runs of the list, as many as one comparison can hold, oldest first.
std::vector<std::uint64_t> comparable(const AppState& s) {
  std::vector<std::uint64_t> ids;
  for (const auto& k : s.list.rows)
    if (k.record->status == RunStatus::ok && ids.size() < kMostCompared) ids.insert(ids.begin(), k.record->id);
  return ids;
}

// The next cell after the selected one whose verdict is "differs", from 1; 0: there is none.
std::size_t next_deviation(const AppState& s) {
  const OpenStudy* shown = s.studies.shown();
  if (!shown || !shown->report) return 0;
  const auto& cells = shown->report->modelled;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const std::size_t at = (s.studies.cell + k) % cells.size();
    if (cells[at].verdict == CellVerdict::differs) return at + 1;
  }
  return 0;
}

template <SweepRun::Phase P>
bool is_sweep(const AppState& s) {
  return s.sweep && s.sweep->phase == P;
}
template <SteerSweep::To T>
void steer_sweep(const AppState&, ActionSink& out) {
  out(SteerSweep{T});
}

const Command of_runs[] = {
    {.id = "format.build",
     .menu = "Run",
     .label = "Build the format",
     .keys = {key('B'), true, true},
     .help = "Converts the matrix to the format chosen in the table of formats, timed and compared entry by entry.",
     .why_not =
         [](const AppState& s) {
           return !s.has_matrix() ? needs_matrix(s) : s.current()->building.empty() ? "" : "A format is being built.";
         },
     .perform = [](const AppState& s, ActionSink& out) { out(BuildFormat{s.knobs.format}); },
     .line_above = true},
    {.id = "run.start",
     .menu = "Run",
     .label = "Run the kernel",
     .keys = {Key::f5},
     .help = "Runs the chosen kernel on the chosen device.",
     .why_not = why_no_run,
     .perform = [](const AppState&, ActionSink& out) { out(StartRun{}); },
     .of_desk = true},
    {.id = "run.solve",
     .menu = "Run",
     .label = "Solve",
     .help = "Solves A x = b by the chosen method, with the products of the chosen kernel on the chosen device.",
     .why_not = why_no_solve,
     .perform =
         [](const AppState&, ActionSink& out) {
           out(ShowTab{"solve"});
           out(StartSolve{});
         }},
    {.id = "run.roofs",
     .menu = "Run",
     .label = "Measure the roofs",
     .help = "What the chosen GPU reaches at most in DRAM, L2, L1 and arithmetic; kept for later sessions.",
     .why_not = only_if([](const AppState& s) { return s.device() && !s.device()->simulated && s.device()->available; },
                        "The chosen device is simulated: its roofs are those of its data sheet."),
     .perform = [](const AppState&, ActionSink& out) { out(MeasureRoofs{}); }},
    {.id = "run.live",
     .menu = "Run",
     .label = "Live",
     .keys = {key('L'), true},
     .help = "Runs again, briefly, while a parameter is dragged.",
     .perform = [](const AppState& s, ActionSink& out) { out(choose("live", !s.knobs.live)); },
     .checked = [](const AppState& s) { return s.knobs.live; }},
    {.id = "run.cancel",
     .menu = "Run",
     .label = "Cancel the run",
     .keys = {key('.'), true},
     .help = "Stops the run in progress.",
     .why_not = only_if([](const AppState& s) { return s.run_job != nullptr; }, "No kernel is running."),
     .perform = [](const AppState& s, ActionSink& out) { out(CancelJob{s.run_job->id}); }},
    {.id = "tune.start",
     .menu = "Run",
     .label = "Tune the kernel",
     .keys = {Key::f5, false, true},
     .help = "Searches for good parameters of the chosen kernel and shows how.",
     .why_not =
         [](const AppState& s) {
           return s.tuning && s.tuning->job ? std::string("A search is under way.") : why_no_kernel(s);
         },
     .perform =
         [](const AppState&, ActionSink& out) {
           out(ShowTab{"tune"});
           out(StartTuning{});
         },
     .of_desk = true},
    {.id = "tune.best",
     .menu = "Run",
     .label = "Best for this matrix",
     .keys = {key('T'), true},
     .help =
         "Tries the kernels predicted to be fastest on this matrix and device, and sets the fastest in the run panel.",
     .why_not =
         [](const AppState& s) {
           return s.tuning && s.tuning->job ? std::string("A search is under way.") : why_no_kernel(s);
         },
     .perform = [](const AppState&, ActionSink& out) { out(StartTuning{.best = true}); },
     .of_desk = true},
    {.id = "tune.cancel",
     .menu = "Run",
     .label = "Cancel the search",
     .help = "Stops tuning; what was found stays.",
     .why_not = only_if([](const AppState& s) { return s.tuning && s.tuning->job; }, "No search is under way."),
     .perform = [](const AppState& s, ActionSink& out) { out(CancelJob{s.tuning->job->id}); }},
    {.id = "sweep.pause",
     .menu = "Run",
     .label = "Pause the sweep",
     .help = "The product under way still ends.",
     .why_not = only_if(is_sweep<SweepRun::Phase::running>, "No sweep is running."),
     .perform = steer_sweep<SteerSweep::To::pause>},
    {.id = "sweep.resume",
     .menu = "Run",
     .label = "Resume the sweep",
     .help = "Goes on with what has not run yet.",
     .why_not = only_if(
         [](const AppState& s) {
           return is_sweep<SweepRun::Phase::paused>(s) || is_sweep<SweepRun::Phase::stopped>(s);
         },
         "No sweep was left undone."),
     .perform = steer_sweep<SteerSweep::To::resume>},
    {.id = "sweep.stop",
     .menu = "Run",
     .label = "Stop the sweep",
     .help = "Ends it now. What has run stays; the rest can be resumed.",
     .why_not = only_if(
         [](const AppState& s) {
           return is_sweep<SweepRun::Phase::running>(s) || is_sweep<SweepRun::Phase::paused>(s);
         },
         "No sweep is under way."),
     .perform = steer_sweep<SteerSweep::To::stop>},
    {.id = "sweep.watch",
     .menu = "Run",
     .label = "Watch the sweep's tasks",
     .help = "Looks from time to time what the tasks of a cluster have written, and collects it.",
     .why_not = only_if(
         [](const AppState& s) { return s.sweep && !s.sweep->tasks.empty() && !is_sweep<SweepRun::Phase::watched>(s); },
         "Open the folder of a sweep that was submitted to a cluster."),
     .perform = steer_sweep<SteerSweep::To::watch>},
    {.id = "best.search",
     .menu = "Run",
     .label = "Best of each matrix",
     .help = "Searches the fastest kernel of every open matrix, or of those chosen in the tab Matrices, on the device "
             "and with precision and caches of the run panel.",
     .why_not = [](const AppState& s) -> std::string {
       if (s.matrices.empty()) return needs_matrix(s);
       if (!s.device()) return "There is no device to run on.";
       if (!s.device()->available) return s.device()->name + ": " + s.device()->reason;
       return s.best_search && s.best_search->running ? "The best kernels are being searched." : "";
     },
     .perform =
         [](const AppState& s, ActionSink& out) {
           MatricesView next = s.matrices_view;
           next.face = MatricesFace::best;
           out(SetMatricesView{next});
           out(ShowTab{"matrices"});
           out(SearchBest{});
         },
     .line_above = true},
    {.id = "best.resume",
     .menu = "Run",
     .label = "Resume the search of each best",
     .help = "Goes on with the matrices that are left.",
     .why_not = only_if(
         [](const AppState& s) {
           const auto& b = s.best_search;
           return b && !b->running && !b->resumes && b->left() > 0;
         },
         "No search was left undone."),
     .perform = [](const AppState&, ActionSink& out) { out(SteerBest{SteerBest::To::resume}); }},
    {.id = "best.stop",
     .menu = "Run",
     .label = "Stop the search of each best",
     .help = "What was found stays; the rest can be resumed.",
     .why_not =
         only_if([](const AppState& s) { return s.best_search && s.best_search->running; }, "No search is under way."),
     .perform = [](const AppState&, ActionSink& out) { out(SteerBest{SteerBest::To::stop}); }},
    {.id = "runs.all",
     .menu = "Run",
     .label = "List all runs ever made",
     .help = "In the table of runs, instead of this session's.",
     .perform = [](const AppState& s, ActionSink& out) { out(ListRuns{!s.list.all, s.list.query}); },
     .checked = [](const AppState& s) { return s.list.all; },
     .line_above = true},
    {.id = "runs.compare",
     .menu = "Run",
     .label = "Compare the listed runs",
     .help = "The newest of them, against the oldest of these: arrows on the roofline, and a table of differences.",
     .why_not =
         only_if([](const AppState& s) { return comparable(s).size() > 1; }, "Two good runs are needed: run a kernel."),
     .perform = [](const AppState& s, ActionSink& out) { out(CompareRuns{comparable(s)}); }},
    {.id = "runs.stop",
     .menu = "Run",
     .label = "Stop comparing",
     .help = "The roofline shows all runs again.",
     .why_not = only_if([](const AppState& s) { return s.comparison != nullptr; }, "No runs are compared."),
     .perform = [](const AppState&, ActionSink& out) { out(CompareRuns{}); }},
    {.id = "run.repeat",
     .menu = "Run",
     .label = "Repeat the selected run",
     .keys = {Key::f5, true},
     .help = "Exactly what it was, on its own matrix and device; then the two are compared.",
     .why_not = only_if([](const AppState& s) { return s.run(s.selected_run) != nullptr; }, "No run is selected."),
     .perform = [](const AppState& s, ActionSink& out) { out(RepeatRun{s.selected_run}); },
     .of_desk = true},
    {.id = "study.run",
     .menu = "Run",
     .label = "Run the study",
     .help = "Makes the numbers of the paper's table again that is open in the tab Studies, within its time.",
     .why_not = [](const AppState& s) -> std::string {
       if (!s.studies.shown()) return "Open a study first, in the tab Studies.";
       return s.studies.running.empty() ? "" : "A study is under way: stop it first.";
     },
     .perform = [](const AppState&, ActionSink& out) { out(SteerStudy{SteerStudy::To::run}); },
     .line_above = true},
    {.id = "study.stop",
     .menu = "Run",
     .label = "Stop the study",
     .help = "Ends the study under way; what has run is kept, and it goes on there.",
     .why_not = only_if([](const AppState& s) { return !s.studies.running.empty(); }, "No study is under way."),
     .perform = [](const AppState&, ActionSink& out) { out(SteerStudy{SteerStudy::To::stop}); }},
    {.id = "study.deviation",
     .menu = "Run",
     .label = "Next deviation of the study",
     .help = "Goes to the next number of the study that differs from the printed one, the first after the last.",
     .why_not = only_if([](const AppState& s) { return next_deviation(s) > 0; }, "No number that was made differs."),
     .perform = [](const AppState& s,
                   ActionSink& out) { out(choose("study cell", std::uint64_t{next_deviation(s)})); }},
    {.id = "study.cell_run",
     .menu = "Run",
     .label = "The run of the study's cell",
     .help = "Opens the matrix of the cell that is looked at and selects the run that tells its number.",
     .why_not = only_if([](const AppState& s) { return s.studies.shown() && s.studies.cell > 0; },
                        "No cell of a study is looked at."),
     .perform = [](const AppState&, ActionSink& out) { out(FollowStudyCell{StudyWay::run}); }},
    {.id = "study.cell_warp",
     .menu = "Run",
     .label = "The warp of the study's cell",
     .help = "The same run's warp with the most sectors, step by step.",
     .why_not = only_if([](const AppState& s) { return s.studies.shown() && s.studies.cell > 0; },
                        "No cell of a study is looked at."),
     .perform = [](const AppState&, ActionSink& out) { out(FollowStudyCell{StudyWay::warp}); }},
    {.id = "analysis.start",
     .menu = "Run",
     .label = "Run the analysis",
     .help = "Executes the runs that the analysis chosen in its tab needs.",
     .why_not =
         [](const AppState& s) {
           return !s.has_matrix()                         ? needs_matrix(s)
                  : !s.device() || !s.device()->available ? "The chosen device is not available."
                                                          : "";
         },
     .perform =
         [](const AppState&, ActionSink& out) {
           out(ShowTab{"analyses"});
           out(StartAnalysis{});
         }},
    {.id = "run.clear",
     .menu = "Run",
     .label = "Clear all runs",
     .help = "Takes every run off the list and the roofline; they stay among all runs.",
     .why_not = only_if(has_runs, "There are no runs."),
     .perform = [](const AppState&, ActionSink& out) { out(ClearRuns{}); },
     .line_above = true},
};

}  // namespace

void add_run_commands(std::vector<Command>& all) {
  all.insert(all.end(), std::begin(of_runs), std::end(of_runs));
  std::vector<OneOf> methods;
  for (const SolverInfo& info : solvers())
    methods.push_back({std::string("solver.") + name_of(info.solver), std::string("Solve by ") + info.label, info.help,
                       name_of(info.solver)});
  add_choices(all, {.choice = "solver", .tab = "solve"}, methods);
  std::vector<OneOf> gpus, splits;
  for (const char* n : {"1", "2", "4", "8", "16"})
    gpus.push_back({std::string("parts.") + n, std::string("GPUs: ") + n,
                    "Over how many GPUs like the device the next run or solve goes.", n});
  for (const Split by : {Split::rows, Split::entries, Split::metis})
    splits.push_back({std::string("split.") + name_of(by), std::string("Rows divided by: ") + name_of(by),
                      "How the rows are divided among several GPUs.", name_of(by)});
  add_choices(all, {.choice = "parts", .why_not = why_no_parts}, gpus);
  add_choices(all, {.choice = "split", .why_not = why_no_parts}, splits);
}

}  // namespace warpspy::ui
