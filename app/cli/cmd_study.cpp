// study: a paper's table, made again: printed beside modelled and measured, with a verdict for each cell.
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
#include "core/gpu/gpu_match.hpp"
#include "core/io/io.hpp"
#include "core/run/request_options.hpp"
#include "core/run/sweep_axes.hpp"
#include "core/study/plan.hpp"
#include "core/study/report.hpp"
#include "core/sweep/stored.hpp"

namespace warpspy::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct StudyArguments {
  std::string what, device, budget, depth, out;
  std::vector<std::string> matrices, engines;
  bool set_aside = false, latex = false, csv = false, json = false;
};

std::string studies_folder() { return assets_folder() + "/studies"; }

// A file, or one of those that come with the program.
std::string file_of(const std::string& what) {
  std::error_code failed;
  if (what.ends_with(".json") || fs::exists(what, failed)) return what;
  const std::string ours = studies_folder() + "/" + what + ".json";
  if (what.find('/') == std::string::npos && what != "lot" && fs::exists(ours, failed)) return ours;
  throw Error("there is no study called " + what, {},
              "warpspy study list names them; a file of your own ends in .json");
}

std::string source_text(const Study& s) { return s.source.paper + ", " + s.source.place; }

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

// How a cell's number is made again, in words.
std::string recipe_text(const StudyCell& c) {
  if (!c.has_recipe()) return c.gap + c.not_comparable + c.missing;
  const auto joined = [](const std::vector<std::string>& words) {
    std::string all;
    for (const std::string& w : words) all += (all.empty() ? "" : ", ") + w;
    return all;
  };
  std::string text = c.quantity + (c.per.empty() ? "" : " per " + c.per);
  if (!c.side.setups.empty()) text += " of " + joined(c.side.setups);
  if (!c.among.empty()) text += " among " + joined(c.among);
  if (c.over)
    text += ", over " + joined(c.over->setups) + (c.over->matrix == c.side.matrix ? "" : " on " + c.over->matrix);
  if (!c.side.matrix.empty() && c.matrices.empty()) text += " on " + c.side.matrix;
  if (!c.matrices.empty()) text += " over " + counted(static_cast<index_t>(c.matrices.size()), "matrix", "matrices");
  return text;
}

int show(const StudyArguments& o) {
  const std::string file = file_of(o.what);
  const Study study = read_study(file);  // a file that is none is refused before it is printed
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

Study asked_study(const StudyArguments& o) {
  Study study = read_study(file_of(o.what));
  if (study.set_aside && !o.set_aside)
    throw Error(study.id + " is set aside: it is looked at when the model is done, so that it can say something", {},
                "add --set-aside to look at it all the same, or take another study");
  for (const std::string& text : o.matrices) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      throw Error("--matrix " + text + " is not understood", {}, "write NAME=FILE, NAME as the study calls the matrix");
    study.replace(text.substr(0, equals), text.substr(equals + 1));
  }
  return study;
}

// The folder is one of a sweep too: its products can be looked at and drawn.
SweepPlan plan_of(const StudyWork& work) {
  SweepPlan plan;
  std::set<std::string> matrices, kernels;
  for (const Case& c : work.cases) {
    if (matrices.insert(c.request.matrix).second) plan.matrices.push_back({c.request.matrix, ""});
    if (kernels.insert(c.request.kernel).second) plan.kernels.push_back(c.request.kernel);
  }
  return plan;
}

class StudyRunner {
 public:
  StudyRunner(const StudyArguments& o, Study study)
      : study_(std::move(study)), services_(make_services(o.engines)), history_(open_history()) {
    if (!o.budget.empty()) budget_s_ = seconds_of(o.budget);
    if (!o.depth.empty()) {
      RunRequest r;
      set_text(request_option("depth"), r, o.depth);
      options_.depth = r.depth;
    }
    if (!o.device.empty()) device_ = device_meant(o.device, services_.catalog);
    if (!o.out.empty()) keep_in(o.out);
  }

  StudyReport report() {
    StudyReport r;
    r.study = &study_;
    r.made_by = "Warpspy " + short_version();
    r.modelled = judge(study_, readings("", r), true);
    if (device_.empty() || stopped_early()) return r;
    const DeviceInfo* device = services_.catalog.device(device_);
    r.device = device ? device->name : device_;
    r.here = judge(study_, readings(device_, r), is_the_papers(device));
    return r;
  }

  std::size_t left() const { return left_; }
  bool stopped_early() const { return progress_.cancelled(); }

  void write(const StudyReport& r) {
    if (!folder_ && !plain_) return;
    const Folder& to = folder_ ? folder_->folder() : *plain_;
    to.write("study.txt", to_text(r));
    to.write("study.csv", to_csv(r));
    to.write("study.result.json", to_json(r));
    to.write("study.tex", to_latex(r));
    to.write("deviations.md", deviations_of(r));
    if (!folder_) return;
    folder_->keep_hashes();
    for (const std::string& remark : folder_->remarks()) std::cerr << "warpspy: " << remark << "\n";
  }

 private:
  void keep_in(const std::string& path) {
    const StudyWork work = work_of(study_, services_.catalog, options_);
    if (work.cases.empty()) {
      plain_.emplace(Folder::made(path));
      return;
    }
    folder_.emplace(path, SweepFolder::For::running);
    here_ = maker_here();
    refuse_mixing(*folder_, here_, services_.catalog);
    folder_->write_plan(plan_of(work));
  }

  // Rates of the paper count there.
  bool is_the_papers(const DeviceInfo* device) const {
    if (!device) return false;
    std::vector<GpuSpec> specs;
    for (const DeviceInfo& d : services_.catalog.devices)
      if (d.simulated) specs.push_back(d.spec);
    const GpuSpec* twin = spec_of_device(device->name, device->spec.compute_capability, specs);
    const std::string is = device->simulated ? device->spec.id : twin ? twin->id : "";
    return !is.empty() && std::all_of(study_.setups.begin(), study_.setups.end(), [&](const auto& s) {
      const auto id = s.second.options.find("device");
      return id == s.second.options.end() || id->second == is;
    });
  }

  Readings readings(const std::string& device, const StudyReport& r) {
    options_.device = device;
    const StudyWork work = work_of(study_, services_.catalog, options_);
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
        show_progress(study_.id + (device.empty() ? "" : " on " + r.device) + ": " + std::to_string(done) + " of " +
                      std::to_string(work.cases.size()) + " products; " + c.label);
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
    StudyRun run = run_study(study_, work, services_.catalog, executor, opener, progress_, budget_s_, events);
    if (meter) clear_progress();
    left_ += run.left;
    if (run.left > 0)
      std::cerr << "warpspy: " << counted(static_cast<index_t>(run.left), "product") << " of " << work.cases.size()
                << " were not run: " << (stopped_early() ? "stopped" : "the time of --budget is up")
                << (folder_ ? "; the same command goes on" : "; with -o DIR the same command would go on") << "\n";
    return std::move(run.readings);
  }

  Study study_;
  Services services_;
  std::unique_ptr<History> history_;
  StudyRunOptions options_;
  std::string device_;
  std::optional<double> budget_s_;
  std::optional<SweepFolder> folder_;
  std::optional<Folder> plain_;
  Maker here_;
  std::size_t left_ = 0;
  Progress progress_;
  const Interruptible interruptible_{progress_};
};

int run_one(const StudyArguments& o) {
  StudyRunner runner(o, asked_study(o));
  const StudyReport report = runner.report();
  runner.write(report);
  std::cout << (o.json ? to_json(report) : o.csv ? to_csv(report) : o.latex ? to_latex(report) : to_text(report));
  return runner.stopped_early() ? stopped : runner.left() > 0 ? 3 : 0;
}

// ---- the command

void add_what(CLI::App& app, StudyArguments& o) {
  app.add_option("STUDY", o.what, "A study by its name (warpspy study list), or a file of one (docs/studies-format.md)")
      ->required();
}
void add_json(CLI::App& app, StudyArguments& o, const char* help) { app.add_flag("--json", o.json, help); }

void add_run(CLI::App& app, StudyArguments& o) {
  add_what(app, o);
  app.add_option("--device", o.device, "Run it on this device too, such as cuda:0 or sim:h200");
  app.add_option("--budget", o.budget,
                 "Begin no product once they have taken so long, such as 10min; ends with 3 when some are left");
  app.add_option("--depth", o.depth, "Of the emulator, in the place of what the study says")
      ->check(CLI::IsMember({"quick", "medium", "full", "whole"}));
  app.add_option("--matrix", o.matrices, "NAME=FILE: this file in the place of a stand-in; may be repeated")
      ->allow_extra_args(false);
  app.add_option(
      "-o,--output", o.out,
      "Folder for products and results (text, CSV, JSON, LaTeX, deviations); the same command goes on there");
  app.add_flag("--set-aside", o.set_aside, "Look at a study that is set aside");
  add_engines(app, o.engines);
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
