// study: makes a paper's table again. Each printed value stands beside the modelled and measured ones, with a verdict.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "app/cli/command.hpp"
#include "app/cli/figure_options.hpp"
#include "app/cli/interruptible.hpp"
#include "app/cli/request_options.hpp"
#include "app/cli/run_output.hpp"
#include "app/cli/subcommands.hpp"
#include "app/cli/terminal.hpp"
#include "app/version.hpp"
#include "app/wiring.hpp"
#include "core/base/json_text.hpp"
#include "core/base/number_text.hpp"
#include "core/base/numbers.hpp"
#include "core/base/regular_file.hpp"
#include "core/io/io.hpp"
#include "core/run/request_options.hpp"
#include "core/run/sweep_axes.hpp"
#include "core/study/files.hpp"
#include "core/study/held.hpp"
#include "core/study/plan.hpp"
#include "core/study/report.hpp"
#include "core/sweep/stored.hpp"
#include "profiling/engine/search_plan.hpp"

namespace warpspy::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct StudyArguments {
  std::string what, device, budget, depth, out;
  std::vector<std::string> matrices, cells, engines;
  bool set_aside = false, latex = false, csv = false, json = false;
};

std::string studies_folder() { return assets_folder() + "/studies"; }

// A file, or a study that comes with the program.
std::string file_of(const std::string& what) {
  std::error_code failed;
  if (what.ends_with(".json") || fs::exists(what, failed)) return what;
  const std::string ours = studies_folder() + "/" + what + ".json";
  if (what.find('/') == std::string::npos && what != "lot" && what != "results" && fs::exists(ours, failed))
    return ours;
  throw Error("there is no study called " + what, {},
              "warpspy study list names them; a file of your own ends in .json");
}

// ---- list

int list(const StudyArguments& o) {
  const std::vector<Study> studies = read_studies(studies_folder());
  Json all = {{"schema", "warpspy-studies-1"}, {"studies", Json::array()}};
  std::size_t width = 0;
  for (const Study& s : studies) width = std::max(width, s.id.size());
  for (const Study& s : studies) {
    const auto recipes =
        std::count_if(s.cells.begin(), s.cells.end(), [](const StudyCell& c) { return c.has_recipe(); });
    all["studies"].push_back({{"id", s.id},
                              {"title", s.title},
                              {"paper", s.source.paper},
                              {"place", s.source.place},
                              {"set_aside", s.set_aside},
                              {"cells", s.cells.size()},
                              {"recipes", recipes}});
    if (!o.json)
      std::printf("%-*s  %4zu cells, %4zu to be made again%s  %s (%s)\n", static_cast<int>(width), s.id.c_str(),
                  s.cells.size(), static_cast<std::size_t>(recipes), s.set_aside ? ", set aside" : "", s.title.c_str(),
                  source_text(s).c_str());
  }
  if (o.json) std::cout << json_text(all) << "\n";
  return 0;
}

// ---- show

int show(const StudyArguments& o) {
  const std::string file = file_of(o.what);
  const Study study = read_study(file);  // An invalid file is refused before anything is printed.
  if (o.json) {
    std::cout << read_file(file, kMostStudyBytes, {"study"});
    return 0;
  }
  std::printf("%s: %s\n%s%s\n", study.id.c_str(), study.title.c_str(), source_text(study).c_str(),
              study.set_aside ? ", set aside" : "");
  for (const std::string& note : study.notes) std::printf("  %s\n", note.c_str());
  for (const auto& [name, m] : study.matrices)
    std::printf("  matrix %s: %s, %s%s%s\n", name.c_str(), m.source.empty() ? "not known" : m.source.c_str(),
                name_of(m.kind), m.other.empty() ? "" : "; ", m.other.c_str());
  for (const StudyCell& c : study.cells)
    std::printf("  %s: %s%s%s  (%s) %s\n", c.name().c_str(), c.printed.empty() ? "-" : c.printed.c_str(),
                c.unit.empty() || c.unit == "1" ? "" : " ", c.unit == "1" ? "" : c.unit.c_str(), name_of(c.claim),
                recipe_text(c).c_str());
  return 0;
}

// ---- run

// "10min", "90s", "2h", or seconds.
double seconds_of(const std::string& text) {
  constexpr std::pair<const char*, double> units[] = {{"min", 60}, {"s", 1}, {"h", 3600}};
  for (const auto& [unit, seconds] : units)
    if (text.ends_with(unit))
      if (const auto n = number_from<double>(text.substr(0, text.size() - std::string(unit).size())); n && *n > 0)
        return *n * seconds;
  if (const auto n = number_from<double>(text); n && *n > 0) return *n;
  throw Error("--budget " + text + " is no time", {}, "write 10min, 90s or 2h");
}

// The study, and the text of its file.
std::pair<Study, std::string> asked_study(const StudyArguments& o) {
  const std::string path = file_of(o.what);
  std::string text = read_file(path, kMostStudyBytes, {"study", "warpspy study list names those that there are"});
  Study study = study_from_json(text, path);
  if (study.set_aside && !o.set_aside)
    throw Error(study.id + " is set aside: it is looked at when the model is done, so that it can say something", {},
                "add --set-aside to look at it all the same, or take another study");
  for (const std::string& each : o.matrices) {
    const auto equals = each.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == each.size())
      throw Error("--matrix " + each + " is not understood", {}, "write NAME=FILE, NAME as the study calls the matrix");
    study.replace(each.substr(0, equals), each.substr(equals + 1));
  }
  if (!o.cells.empty()) study = only_cells(study, o.cells);
  return {std::move(study), std::move(text)};
}

class StudyRunner {
 public:
  StudyRunner(const StudyArguments& o, std::pair<Study, std::string> asked)
      : study_(std::make_shared<const Study>(std::move(asked.first))),
        file_(std::move(asked.second)),
        services_(make_services(o.engines)),
        history_(open_history()) {
    if (!o.budget.empty()) budget_s_ = seconds_of(o.budget);
    if (!o.depth.empty()) {
      RunRequest r;
      set_text(request_option("depth"), r, o.depth);
      options_.depth = r.depth;
    }
    if (!o.device.empty()) device_ = device_meant(o.device, services_.catalog);
    writes_ = !o.out.empty();
    const std::string kept = kept_study_folder(history_ ? history_->path() : "", short_version(), study_->id);
    if (writes_ || !kept.empty()) keep_in(writes_ ? o.out : kept);
  }

  StudyReport report() {
    StudyReport r;
    r.study = study_;
    r.made_by = "Warpspy " + short_version();
    r.modelled = judge(*study_, readings("", r), true);
    if (device_.empty() || stopped_early()) return r;
    const DeviceInfo* device = services_.catalog.device(device_);
    r.device = device ? device->name : device_;
    r.here = judge(*study_, readings(device_, r), is_papers_gpu(*study_, device, services_.catalog));
    return r;
  }

  std::size_t left() const { return left_; }
  bool stopped_early() const { return progress_.cancelled(); }

  void write(const StudyReport& r) {
    if (folder_) {
      folder_->keep_hashes();
      for (const std::string& remark : folder_->remarks()) std::cerr << "warpspy: " << remark << "\n";
    }
    if (!writes_) return;
    const Folder& to = folder_ ? folder_->folder() : *plain_;
    for (const auto& [name, text] : bundle_of(r, file_)) to.write(name, text);
  }

 private:
  void keep_in(const std::string& path) {
    const StudyWork work = work_of(*study_, services_.catalog, options_);
    if (work.expected() == 0) {
      if (writes_) plain_.emplace(Folder::made(path));
      return;
    }
    folder_.emplace(path, SweepFolder::For::running);
    here_ = maker_here();
    refuse_mixing(*folder_, here_, services_.catalog);
    folder_->write_plan(sweep_plan_of(work));
  }

  // Printed before the study begins if it takes long.
  void tell_cost(const StudyWork& work) const {
    const StudyResults kept = read_study_results(studies_folder());
    const auto at = kept.studies.find(study_->id);
    if (at == kept.studies.end() || at->second.seconds < 60) return;
    std::cerr << "warpspy: " << study_->id << ": " << cost_text(kept, study_->id, work.expected()) << "\n";
  }

  Readings readings(const std::string& device, const StudyReport& r) {
    options_.device = device;
    const StudyWork work = work_of(*study_, services_.catalog, options_);
    tell_cost(work);
    Executor executor(*services_.engine, services_.catalog,
                      {.history = history_.get(),
                       .folder = folder_ ? &*folder_ : nullptr,
                       .here = here_,
                       .look_first = folder_.has_value()});
    PlanEvents events;
    std::size_t done = 0;
    const bool meter = isatty(STDERR_FILENO) != 0;
    events.begins = [&](const Case& c) {
      if (meter)
        show_progress(study_->id + (device.empty() ? "" : " on " + r.device) + ": " + std::to_string(done) + " of " +
                      (work.searches.empty() ? "" : "at most ") + std::to_string(work.expected()) + " products; " +
                      c.label);
    };
    events.ended = [&](const CaseResult&) {
      ++done;
      if (history_) tell_problems(*history_);
    };
    Matrix matrix;
    const MatrixOf opener = [&](const std::string& source, Progress& part) -> const Matrix& {
      matrix = {};
      return matrix = open_matrix(source, part);
    };
    StudyRun run =
        run_study(*study_, work, services_.catalog, executor, opener, progress_, budget_s_, events, search_maker());
    if (meter) clear_progress();
    left_ += run.left;
    if (run.left > 0)
      std::cerr << "warpspy: " << counted(static_cast<index_t>(run.left), "product") << " of "
                << run.products + run.left
                << " were not run: " << (stopped_early() ? "stopped" : "the time of --budget is up")
                << (folder_ ? "; the same command goes on" : "; with -o DIR the same command would go on") << "\n";
    return std::move(run.readings);
  }

  std::shared_ptr<const Study> study_;
  std::string file_;
  Services services_;
  std::unique_ptr<History> history_;
  StudyRunOptions options_;
  std::string device_;
  bool writes_ = false;  // also writes the results into the given folder
  std::optional<double> budget_s_;
  std::optional<SweepFolder> folder_;
  std::optional<Folder> plain_;
  Maker here_;
  std::size_t left_ = 0;
  Progress progress_;
  const Interruptible interruptible_{progress_};
};

// For the cells that were asked for by name: 4 if one of them does not hold.
int verdict_of(const StudyArguments& o, const StudyReport& r) {
  const std::set<std::string> asked(o.cells.begin(), o.cells.end());
  for (std::size_t k = 0; k < r.modelled.size(); ++k)
    if (asked.contains(r.study->cells[k].name()) &&
        (r.modelled[k].verdict == CellVerdict::differs || r.modelled[k].verdict == CellVerdict::missing))
      return 4;
  return 0;
}

int run_one(const StudyArguments& o) {
  StudyRunner runner(o, asked_study(o));
  const StudyReport report = runner.report();
  runner.write(report);
  std::cout << (o.json ? to_json(report) : o.csv ? to_csv(report) : o.latex ? to_latex(report) : to_text(report));
  return runner.stopped_early() ? stopped : runner.left() > 0 ? 3 : verdict_of(o, report);
}

// ---- the command

void add_what(CLI::App& app, StudyArguments& o) {
  app.add_option("STUDY", o.what, "A study by its name (warpspy study list), or a file of one (docs/studies-format.md)")
      ->required();
}
void add_json(CLI::App& app, StudyArguments& o, const char* help) { app.add_flag("--json", o.json, help); }

// The folder, the time limit and the device.
void add_how(CLI::App& app, StudyArguments& o) {
  app.add_option("--device", o.device, "Run it on this device too, such as cuda:0 or sim:h200");
  app.add_option("--budget", o.budget,
                 "Begin no product once they have taken so long, such as 10min; ends with 3 when some are left");
  app.add_option("--depth", o.depth, "Of the emulator, in the place of what the study says")
      ->check(CLI::IsMember({"quick", "medium", "full", "whole"}));
  app.add_option("--matrix", o.matrices, "NAME=FILE: this file in the place of a stand-in; may be repeated")
      ->allow_extra_args(false);
  app.add_flag("--set-aside", o.set_aside, "Look at a study that is set aside");
  add_engines(app, o.engines);
}

void add_run(CLI::App& app, StudyArguments& o) {
  add_what(app, o);
  add_how(app, o);
  app.add_option(
      "-o,--output", o.out,
      "Folder for products and results: text, CSV, JSON, LaTeX, deviations, a command for each claim; the same command "
      "goes on there");
  app.add_option("--cell", o.cells,
                 "This cell alone, as warpspy study show names it; ends with 4 where it does not hold; may be repeated")
      ->allow_extra_args(false);
  auto* json = app.add_flag("--json", o.json, "Print JSON: every cell with its verdicts, and what they come to");
  auto* csv = app.add_flag("--csv", o.csv, "Print CSV")->excludes(json);
  app.add_flag("--latex", o.latex, "Print a table for LaTeX (booktabs, longtable)")->excludes(json)->excludes(csv);
}

constexpr Subcommand<StudyArguments> kStudyCommands[] = {
    {"list", "Every study that there is",
     [](CLI::App& app, StudyArguments& o) { add_json(app, o, "Print JSON: names, papers, how many cells"); }, list},
    {"show", "What a paper prints, and how each number is made again",
     [](CLI::App& app, StudyArguments& o) { add_what(app, o), add_json(app, o, "Print the file of the study"); }, show},
    {"run", "Make the numbers again: printed, modelled on the paper's GPU, here; a verdict for each", add_run,
     run_one}};

}  // namespace

// Draws the study from its kept products, or runs it first.
int draw_study(CLI::App& app, std::vector<std::string> args) {
  const figure::Row& row = *figure::row("study");
  FigureOptions figure;
  figure.add(app);
  figure.add_fields(app, row);
  StudyArguments o;
  add_what(app, o);
  add_how(app, o);
  app.parse(std::move(args));
  figure.page();
  StudyRunner runner(o, asked_study(o));
  figure::Subject subject;
  subject.study = std::make_shared<const StudyReport>(runner.report());
  if (runner.stopped_early()) return stopped;
  figure.write(row, subject);
  return runner.left() > 0 ? 3 : 0;
}

int study(CLI::App& app, std::vector<std::string> args) {
  StudyArguments o;
  app.require_subcommand(1);
  for (const auto& s : kStudyCommands) s.add(*app.add_subcommand(s.name, s.help), o);
  app.parse(std::move(args));
  for (const auto& s : kStudyCommands)
    if (app.got_subcommand(s.name)) return s.run(o);
  return 0;
}

}  // namespace warpspy::cli
