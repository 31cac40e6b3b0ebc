// A sweep whose tasks run elsewhere: looks at its folder from time to time, and collects what has come.
#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/sweep/slurm.hpp"
#include "ui/services/experiments/sweeps.hpp"

namespace warpspy::ui {

namespace {

using Phase = SweepRun::Phase;
using Seconds = std::chrono::duration<double>;

// A queue has many users, so it is not asked at every look.
constexpr Seconds kQueue{30};
// A look at a large sweep takes long. Then the looks take at most a tenth of one processor.
constexpr double kRest = 9;

// The folder for collecting; nothing if another program holds it. Throws Error.
std::shared_ptr<SweepFolder> folder_to_collect(const std::string& path) {
  try {
    return std::make_shared<SweepFolder>(path, SweepFolder::For::running);
  } catch (const SweepHeld&) {
    return nullptr;
  }
}

}  // namespace

struct Sweeps::Asked {
  std::string path, program, seen;
  const Catalog* catalog = nullptr;
  History* history = nullptr;
  std::optional<TaskQueue> queue;
  bool ask_queue = true;
};

struct Sweeps::Looked {
  std::optional<OnNodes> nodes = {};  // nothing: all is as it was
  std::vector<TaskStand> tasks = {};
  std::string seen = {};
  std::optional<TaskQueue> queue = {};
  bool asked_queue = false, held_by_other = false;
  std::size_t came = 0;
  std::vector<std::string> remarks = {};
  Seconds took = {};
};

// On a worker. Marks are taken so that nothing is missed that is written meanwhile: those of the tasks' files before
// these are read, and those of the folder's own files while it is locked.
Sweeps::Looked Sweeps::looked(Asked asked, Progress& progress) {
  const Clock::time_point began = Clock::now();
  Looked found;
  const std::string tasks = mark_of_files(asked.path + "/tasks");
  const auto own = [&] { return mark_of_files(asked.path) + mark_of_files(asked.path + "/cells"); };
  found.seen = tasks + own();
  found.queue = asked.queue;
  if (asked.ask_queue || found.seen != asked.seen) {
    const SweepFolder folder(asked.path, SweepFolder::For::reading);
    if (const auto list = tasks_of(folder)) found.queue = queued(list->jobs), found.asked_queue = true;
  }
  found.took = Clock::now() - began;
  if (found.seen == asked.seen && found.queue == asked.queue) return found;
  std::shared_ptr<SweepFolder> folder = folder_to_collect(asked.path);
  found.held_by_other = !folder;
  if (!folder) folder = std::make_shared<SweepFolder>(asked.path, SweepFolder::For::reading);
  const auto list = tasks_of(*folder);
  if (!list) throw Error("this sweep has no tasks any more", asked.path, "open its folder again");
  OnNodes n{Sweep(folder->plan(), *asked.catalog)};
  n.list = *list;
  await_nodes(n.sweep, *asked.catalog);
  warpspy::look(n, *folder, asked.program, false, progress);
  if (found.held_by_other) {
    count_arrivals(n);
    found.seen.clear();  // what is there is collected later
  } else {
    found.came = bring_in(n.arrivals, n.sweep, n.stored, *folder, asked.history, progress);
    folder->keep_hashes();
    found.seen = tasks + own();
  }
  found.tasks = stands_of(n.list, n.sweep, n.stored, n.attempts, found.queue);
  tell_cells(n, found.tasks);
  found.remarks = folder->remarks();
  // A file that is still being written may end within a line.
  for (const Attempt& a : n.attempts)
    if (a.ended) std::copy(a.remarks.begin(), a.remarks.end(), std::back_inserter(found.remarks));
  found.nodes = std::move(n);
  found.took = Clock::now() - began;
  return found;
}

void Sweeps::watch_if_divided() {
  const auto mine = [this, ticket = asked_.next()] { return asked_.is_current(ticket); };
  workers_.submit(
      JobQueue::tiles, "Sweep",
      [path = s_.sweep->path](Progress&) {
        return SweepFolder::is_one(path) && tasks_of(SweepFolder(path, SweepFolder::For::reading)).has_value();
      },
      [this, mine](bool divided) {
        if (divided && mine() && s_.sweep->phase == Phase::stopped) begin_watch();
      });
}

void Sweeps::begin_watch() {
  s_.sweep->phase = Phase::watched;
  seen_.clear(), remarked_.clear();
  queue_.reset(), queue_asked_ = {};
  look_at_nodes();
}

void Sweeps::look_at_nodes() {
  SweepRun& b = *s_.sweep;
  const auto mine = [this, ticket = asked_.next()] { return asked_.is_current(ticket); };
  Asked asked{.path = b.path,
              .program = s_.version,
              .seen = seen_,
              .catalog = s_.catalog,
              .history = &history_,
              .queue = queue_,
              .ask_queue = Clock::now() - queue_asked_ >= kQueue};
  // Among the short jobs, which the list of jobs does not show: it would flicker.
  b.job = workers_.submit(
      JobQueue::tiles, "Sweep: " + b.path,
      [this, asked](Progress& p) {
        Looked found = looked(asked, p);
        tell_history_problems();
        return found;
      },
      [this, mine](Looked found) {
        if (mine()) take_look(std::move(found));
      },
      [this, mine](const Failure& f) {
        if (mine()) stop_watch(f);
      },
      [this, mine] {
        if (mine()) s_.sweep->job = nullptr;
      });
}

void Sweeps::take_look(Looked found) {
  SweepRun& b = *s_.sweep;
  b.job = nullptr;
  const Seconds pause = std::max(Seconds(options_.watch_s), kRest * found.took);
  next_look_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(pause);
  seen_ = std::move(found.seen), queue_ = std::move(found.queue);
  if (found.asked_queue) queue_asked_ = Clock::now();
  if (!found.nodes) return void(++vain_looks_);
  b.sweep = std::move(found.nodes->sweep);
  b.tasks = std::move(found.tasks);
  b.held_by_other = found.held_by_other;
  put_stored(std::move(found.nodes->stored));
  for (const std::string& remark : found.remarks)
    if (remarked_.insert(remark).second) say(Message::Kind::warning, remark);
  const SweepCounts n = b.sweep.counts();
  if (b.phase != Phase::watched || n.left() > 0 || b.held_by_other) return;
  b.phase = Phase::finished;
  say(n.failed > 0 ? Message::Kind::warning : Message::Kind::note, "Sweep: " + progress_text(n) + ".",
      n.failed > 0 ? "The tab Matrices names its tasks, under Sweep." : "");
}

void Sweeps::stop_watch(const Failure& why) {
  s_.sweep->job = nullptr;
  end(Phase::stopped);
  say(Failure{"the sweep is not watched any more: " + why.reason, why.where, why.remedy});
}

std::optional<double> Sweeps::due_in_s() const {
  if (!s_.sweep || s_.sweep->phase != Phase::watched || s_.sweep->job) return std::nullopt;
  return std::max(0.0, Seconds(next_look_ - Clock::now()).count());
}

}  // namespace warpspy::ui
