#include "ui/services/experiments/studies.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/base/numbers.hpp"
#include "core/base/regular_file.hpp"
#include "core/base/target.hpp"
#include "core/experiment/executor.hpp"
#include "core/io/folder.hpp"
#include "core/io/io.hpp"
#include "core/study/files.hpp"
#include "core/study/plan.hpp"
#include "core/sweep/stored.hpp"

namespace warpspy::ui {

namespace {

// Sentences for the window: the text at the end of a report.
std::string study_sentences(const StudyReport& r) {
  std::string text = summary_text(summarise(*r.study, r.modelled));
  if (!r.here.empty()) text += "on " + r.device + "\n" + summary_text(summarise(*r.study, r.here));
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

// The kept results of a study, read without running anything.
struct KeptOfStudy {
  std::shared_ptr<const StudyReport> report;
  std::size_t products = 0, done = 0;
};
KeptOfStudy kept_of_study(const std::shared_ptr<const Study>& study, const Catalog& catalog, const std::string& path,
                          const std::string& version, Progress& p) {
  const StudyWork work = work_of(*study, catalog);
  KeptOfStudy kept{nullptr, work.expected(), 0};
  Readings readings = work.known;
  Results results;
  if (!path.empty() && SweepFolder::is_one(path)) {
    SweepFolder folder(path, SweepFolder::For::reading);
    results = kept_results(work, catalog, folder, p);
  }
  for (const CaseResult& r : results) kept.done += r.record != nullptr;
  read_results(work, results, catalog, readings);
  auto report = std::make_shared<StudyReport>();
  report->study = study;
  report->made_by = "Warpspy " + version;
  report->modelled = judge(*study, readings, true);
  kept.report = std::move(report);
  return kept;
}

}  // namespace

// Everything that a running study needs. Its jobs run one after another.
struct Studies::UnderWay {
  std::shared_ptr<const Study> study;
  std::string device, device_name;  // a device on which it also runs; "": none
  bool papers = false;              // that device is the paper's GPU
  StudyWork modelled, here;
  std::unique_ptr<StudySteps> steps, steps_here;
  std::shared_ptr<SweepFolder> folder;
  Maker maker;
  std::string made_by;
  Matrix matrix;
  bool stopped = false;  // only used by the window's thread
};

OpenStudy* Studies::find_study(const std::string& id) {
  for (OpenStudy& s : s_.studies.all)
    if (s.study->id == id) return &s;
  return nullptr;
}

void Studies::begin() {
  if (options_.studies.empty()) return;
  try {
    s_.studies.results = read_study_results(options_.studies);
  } catch (const Error& e) {
    say(Failure{e.reason, e.where, e.remedy});
  }
}

void Studies::read_list() {
  s_.studies.asked = true;
  s_.studies.job = workers_.submit(
      JobQueue::tiles, "Studies",
      [folder = options_.studies, catalog = s_.catalog](Progress& p) {
        std::vector<OpenStudy> all;
        for (Study& s : read_studies(folder)) {
          p.check();
          OpenStudy& open = all.emplace_back();
          open.products = work_of(s, *catalog).expected();
          open.path = folder + "/" + s.id + ".json";
          open.study = std::make_shared<const Study>(std::move(s));
        }
        return all;
      },
      [this](std::vector<OpenStudy> all) {
        s_.studies.job = nullptr;
        for (OpenStudy& own : s_.studies.all) {  // studies that the user opened from files meanwhile
          std::erase_if(all, [&](const OpenStudy& o) { return o.study->id == own.study->id; });
          all.push_back(std::move(own));
        }
        s_.studies.all = std::move(all);
      },
      [this](const Failure& f) {
        s_.studies.job = nullptr;
        s_.studies.problem = f.one_line();
      });
}

void Studies::on(const OpenStudyFile& a) {
  workers_.submit(
      JobQueue::tiles, "Study",
      [path = a.path, catalog = s_.catalog](Progress&) {
        OpenStudy open;
        Study s = read_study(path);
        open.products = work_of(s, *catalog).expected();
        open.path = path;
        open.study = std::make_shared<const Study>(std::move(s));
        return open;
      },
      [this](OpenStudy open) {
        const std::string id = open.study->id;
        if (s_.studies.running == id) return say(Message::Kind::note, "This study is under way: stop it first.");
        if (OpenStudy* old = find_study(id))
          *old = std::move(open);
        else
          s_.studies.all.push_back(std::move(open));
        act(SetChoice{"study", id});
        act(ShowTab{"studies"});
      },
      [this](const Failure& f) { say(f); });
}

void Studies::look_up(OpenStudy& s) {
  s.looked = true;
  const std::string path = kept_study_folder(options_.history, s_.version, s.study->id);
  workers_.submit(
      JobQueue::tiles, "Study " + s.study->id,
      [study = s.study, catalog = s_.catalog, path, version = s_.version](Progress& p) {
        return kept_of_study(study, *catalog, path, version, p);
      },
      [this, study = s.study](const KeptOfStudy& kept) {
        OpenStudy* now = find_study(study->id);
        if (!now || now->study != study || s_.studies.running == study->id) return;
        now->report = kept.report, now->products = kept.products, now->done = kept.done;
        now->verdicts = kept.done > 0 ? verdicts_text(kept.report->modelled) : "";
        now->summary = kept.done > 0 ? study_sentences(*kept.report) : "";
      },
      [this](const Failure& f) { say(f); });
}

void Studies::on(const SteerStudy& a) {
  StudiesShown& v = s_.studies;
  if (a.to == SteerStudy::To::stop) {
    if (!under_way_) return;
    under_way_->stopped = true;
    if (v.run_job) v.run_job->cancel();
    return;
  }
  if (under_way_) return say(Message::Kind::note, "A study is under way: stop it first.");
  if (v.shown()) start();
}

// A job locks the folder and makes the plan; then the products run one by one.
void Studies::start() {
  StudiesShown& v = s_.studies;
  const OpenStudy& shown = *v.shown();
  const DeviceInfo* device = v.here ? s_.device() : nullptr;
  auto run = std::make_shared<UnderWay>();
  run->study = shown.study;
  run->made_by = "Warpspy " + s_.version;
  run->maker = {s_.version, "", options_.driver};
  if (device && device->available) run->device = device->id, run->device_name = device->name;
  v.running = run->study->id, v.now = "looking for what has run", v.said.clear();
  v.done = v.of = 0, v.seconds = 0;
  under_way_ = run;
  const std::string path = kept_study_folder(options_.history, s_.version, run->study->id);
  const std::optional<double> budget =
      v.budget_s > 0 ? std::optional<double>(static_cast<double>(v.budget_s)) : std::nullopt;
  v.run_job = workers_.submit(
      JobQueue::load, "Study " + run->study->id,
      [run, path, budget, catalog = s_.catalog, make = options_.search](Progress&) {
        run->modelled = work_of(*run->study, *catalog);
        run->steps = std::make_unique<StudySteps>(*run->study, run->modelled, *catalog, budget, make);
        if (!run->device.empty()) {
          run->papers = is_papers_gpu(*run->study, catalog->device(run->device), *catalog);
          run->here = work_of(*run->study, *catalog, {.device = run->device});
          run->steps_here = std::make_unique<StudySteps>(*run->study, run->here, *catalog, budget, make);
        }
        if (path.empty() || run->modelled.expected() == 0) return 0;
        run->folder = std::make_shared<SweepFolder>(path, SweepFolder::For::running);
        refuse_mixing(*run->folder, run->maker, *catalog);
        run->folder->write_plan(sweep_plan_of(run->modelled));
        return 0;
      },
      [this, run](int) {
        s_.studies.run_job = nullptr;
        s_.studies.of = run->modelled.expected() + run->here.expected();
        if (run->stopped) end();
      },
      [this](const Failure& f) {
        say(f);
        s_.studies.said = f.one_line();
        s_.studies.run_job = nullptr;
        end();
      },
      [this] {
        s_.studies.run_job = nullptr;
        end();
      });
}

bool Studies::due() const {
  const StudiesShown& v = s_.studies;
  if (under_way_ && !v.run_job) return true;
  if (!s_.shows("studies") || options_.studies.empty()) return false;
  return !v.asked || (v.shown() && !v.shown()->looked);
}

void Studies::frame() {
  StudiesShown& v = s_.studies;
  if (s_.shows("studies") && !options_.studies.empty()) {
    if (!v.asked) read_list();
    if (OpenStudy* shown = find_study(v.open); shown && !shown->looked) look_up(*shown);
  }
  if (under_way_ && !v.run_job) step();
}

namespace {

// The study's state after another product.
struct Came {
  std::shared_ptr<const StudyReport> report;
  std::size_t done = 0, modelled = 0, left = 0;
  double seconds = 0;
  bool more = false;
  std::string verdicts, summary;
};

}  // namespace

// Products that are in the folder take no time, so they are added together with the next one that runs.
void Studies::step() {
  const auto run = under_way_;
  s_.studies.run_job = workers_.submit(
      JobQueue::gpu, "Study " + run->study->id,
      [this, run, catalog = s_.catalog](Progress& p) {
        Executor executor(engine_, *catalog,
                          {.history = &history_,
                           .folder = run->folder.get(),
                           .here = run->maker,
                           .look_first = run->folder != nullptr,
                           .limits = Diagnose::bounds});
        const MatrixOf opener = [&](const std::string& source, Progress& part) -> const Matrix& {
          run->matrix = {};
          return run->matrix = open_matrix(source, part);
        };
        bool ran = false;
        PlanEvents events;
        events.begins = [&](const Case& c) {
          mail_.post([this, run, now = c.label] {
            if (under_way_ == run) s_.studies.now = now;
          });
        };
        events.ended = [&](const CaseResult& r) { ran = !r.found; };
        Came came;
        const auto walk = [&](StudySteps* steps) {
          while (steps && !ran) {
            const bool went_on = steps->step(executor, opener, p, events);
            if (steps->cancelled()) throw Cancelled{};
            if (!went_on) return false;
          }
          return steps != nullptr;
        };
        came.more = walk(run->steps.get());
        if (!ran) came.more = walk(run->steps_here.get());
        tell_history_problems();
        auto report = std::make_shared<StudyReport>();
        report->study = run->study, report->made_by = run->made_by;
        const StudyRun modelled = run->steps->so_far();
        report->modelled = judge(*run->study, modelled.readings, true);
        came.done = came.modelled = modelled.products, came.left = modelled.left, came.seconds = modelled.seconds;
        if (run->steps_here) {
          const StudyRun here = run->steps_here->so_far();
          if (!came.more || here.products > 0) {
            report->device = run->device_name;
            report->here = judge(*run->study, here.readings, run->papers);
          }
          came.done += here.products, came.left += here.left, came.seconds += here.seconds;
        }
        if (run->folder) run->folder->keep_hashes();
        came.verdicts = verdicts_text(report->modelled), came.summary = study_sentences(*report);
        came.report = std::move(report);
        return came;
      },
      [this, run](const Came& came) {
        StudiesShown& v = s_.studies;
        v.run_job = nullptr, v.done = came.done, v.seconds = came.seconds;
        if (!came.more && came.left == 0) v.of = came.done;  // searches may need fewer products than were expected
        if (OpenStudy* shown = find_study(run->study->id); shown && shown->study == run->study) {
          shown->report = came.report, shown->done = came.modelled;
          if (!came.more && came.left == 0) shown->products = came.modelled;
          shown->verdicts = came.verdicts, shown->summary = came.summary;
        }
        if (came.more && !run->stopped) return;
        if (came.left > 0)
          v.said = counted(static_cast<index_t>(came.left), "product") +
                   " left: " + (run->stopped ? "it was stopped" : "its time is up, or the device was lost") +
                   ". Run goes on there.";
        end();
      },
      [this](const Failure& f) {
        s_.studies.run_job = nullptr;
        s_.studies.said = f.one_line();
        say(Failure{"the study stopped: " + f.reason, f.where, f.remedy});
        end();
      },
      [this] {
        s_.studies.run_job = nullptr;
        s_.studies.said = "It was stopped. What has run is kept, and Run goes on there.";
        end();
      });
}

void Studies::end() {
  under_way_.reset();  // the folder is left to others
  s_.studies.running.clear();
  s_.studies.now.clear();
}

void Studies::on(const GiveStudyFiles& a) {
  const OpenStudy* shown = s_.studies.shown();
  if (!shown) return say(Message::Kind::note, "Open a study first, then give it files.");
  if (s_.studies.running == shown->study->id)
    return say(Message::Kind::note, "This study is under way: stop it first, then give it files.");
  for (const std::string& path : a.paths)
    workers_.submit(
        JobQueue::load, "Reading " + std::filesystem::path(path).filename().string(),
        [path, study = shown->study](Progress& p) {
          const Matrix m = open_matrix(path, p);
          return matrix_of_file(*study, path, m);
        },
        [this, path, id = shown->study->id](const std::string& matrix) {
          OpenStudy* now = find_study(id);
          if (!now) return;
          Study with = *now->study;
          with.replace(matrix, path);
          now->study = std::make_shared<const Study>(std::move(with));
          now->files[matrix] = path;
          now->looked = false;  // its products have changed
          now->report.reset();
          say(Message::Kind::note, "The file " + path + " takes the place of the stand-in for " + matrix + ".");
        },
        [this](const Failure& f) { say(Failure{"not taken: " + f.reason, f.where, f.remedy}); });
}

void Studies::on(const SaveStudy& a) {
  const OpenStudy* shown = s_.studies.shown();
  if (!shown || !shown->report) return say(Message::Kind::note, "Open a study first.");
  workers_.submit(
      JobQueue::load, "Writing " + shown->study->id,
      [report = shown->report, file = shown->path, path = with_home(a.folder)](Progress&) {
        const std::string text = read_file(file, kMostStudyBytes, {"study"});
        const Folder folder = Folder::made(path);
        if (!folder.names().empty()) throw Error("this folder is not empty", path, "name a new one");
        for (const auto& [name, bytes] : bundle_of(*report, text)) folder.write(name, bytes);
        return path;
      },
      [this](const std::string& path) {
        say(Message::Kind::note, "The study is in " + path + ".", "Its README.md says what each file is.");
      },
      [this](const Failure& f) { say(f); });
}

}  // namespace warpspy::ui
