#include "app/cli/sweep_cluster.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <set>
#include <utility>

#include "app/cli/interruptible.hpp"
#include "app/cli/run_output.hpp"
#include "app/cli/sweep_cells.hpp"
#include "app/cli/sweep_output.hpp"
#include "core/base/hash.hpp"
#include "core/base/numbers.hpp"
#include "core/base/target.hpp"
#include "core/sweep/nodes.hpp"
#include "core/sweep/slots.hpp"
#include "core/sweep/slurm.hpp"
#include "core/sweep/tasks.hpp"

namespace warpspy::cli {
namespace {

namespace fs = std::filesystem;

std::string products(std::size_t n) { return counted(static_cast<index_t>(n), "product"); }

TaskList submitted(const SweepFolder& folder) {
  auto list = tasks_of(folder);
  if (!list) throw Error("this sweep was never submitted to a cluster", folder.path(), "submit it with --slurm");
  return std::move(*list);
}

// Brings in what the tasks have written, and tells what came.
void gather(OnNodes& n, SweepFolder& folder, Progress& progress) {
  const std::unique_ptr<History> history = open_history();
  std::vector<std::string> remarks = folder.remarks();
  for (const Attempt& a : n.attempts) remarks.insert(remarks.end(), a.remarks.begin(), a.remarks.end());
  tell_lines(remarks);
  const std::size_t came = bring_in(n.arrivals, n.sweep, n.stored, folder, history.get(), progress);
  if (history) tell_problems(*history);
  std::cerr << "warpspy: " << counted(static_cast<index_t>(came), "result") << " came in\n";
  if (n.arrivals.again > 0)
    std::cerr << "warpspy: " << products(n.arrivals.again) << " ran twice; the first good result counts\n";
}

// Collects what the tasks of the list have written, prints how the sweep stands, and returns the exit code.
int collected(TaskList list, SweepFolder& folder, const ClusterWork& work, const Services& services,
              Progress& progress) {
  OnNodes n{Sweep(work.plan, services.catalog)};
  n.list = std::move(list);
  await_nodes(n.sweep, services.catalog);
  look(n, folder, maker_here().program, work.mix, progress);
  gather(n, folder, progress);
  folder.keep_hashes();
  const bool all = unfinished(n.list, n.sweep, n.stored).empty();
  tell_lines(
      why_unfinished(stands_of(n.list, n.sweep, n.stored, n.attempts, all ? std::nullopt : queued(n.list.jobs))));
  print_end(n.sweep, folder.path(), work.write(n.sweep, n.stored, folder.folder()), work.json);
  return code_of(n.sweep.counts());
}

int collect(const ClusterWork& work, const Services& services) {
  SweepFolder folder(work.folder, SweepFolder::For::running);
  Progress progress;
  const Interruptible interruptible(progress);
  return collected(submitted(folder), folder, work, services, progress);
}

// Adds tasks for the cells that wait, and names matrices whose cells cannot be submitted. `chunk_of` says how many of
// these cells a task gets.
void share_out(OnNodes& n, const std::function<std::size_t(std::size_t cells)>& chunk_of) {
  std::vector<std::string> ids;
  std::set<std::string> unreadable;
  for (std::size_t k = 0; k < n.sweep.cells().size(); ++k) {
    const SweepCell& c = n.sweep.cells()[k];
    if (c.state != CellState::waiting) continue;
    if (n.stored.ids[k].empty())
      unreadable.insert(c.request.matrix);
    else
      ids.push_back(n.stored.ids[k]);
  }
  for (const std::string& matrix : unreadable)
    std::cerr << "warpspy: " << matrix << " cannot be read; its products are not submitted\n";
  add_tasks(n.list, ids, chunk_of(ids.size()));
}

// The tasks that lack products, without those in the queue, which are named.
std::vector<std::size_t> tasks_to_run(const OnNodes& n) {
  std::vector<std::size_t> tasks = unfinished(n.list, n.sweep, n.stored);
  const TaskQueue queue = queued(n.list.jobs).value_or(TaskQueue{});
  std::vector<std::size_t> there;
  std::copy_if(tasks.begin(), tasks.end(), std::back_inserter(there), [&](std::size_t t) { return queue.has(t); });
  std::erase_if(tasks, [&](std::size_t t) { return queue.has(t); });
  if (!there.empty()) std::cerr << "warpspy: in the queue, and not submitted again: " << ranges_text(there) << "\n";
  return tasks;
}

// An absolute path without a '/' at its end.
std::string whole_path(const std::string& folder) {
  const fs::path path = fs::absolute(folder).lexically_normal();
  return (path.has_filename() ? path : path.parent_path()).string();
}

std::string this_program() { return fs::read_symlink("/proc/self/exe").string(); }

// The options that each task gets.
std::vector<std::string> options_of_task(const ClusterWork& work) {
  std::vector<std::string> words;
  if (work.mix) words.emplace_back("--mix");
  if (work.retry) words.emplace_back("--retry");
  return words;
}

JobArray array_of(const ClusterOptions& o, const ClusterWork& work, std::vector<std::size_t> tasks) {
  const std::string folder = whole_path(work.folder);
  JobArray a{"warpspy-" + fs::path(folder).stem().string(),
             this_program(),
             folder,
             std::move(tasks),
             options_of_task(work),
             o.account,
             o.partition,
             o.gres,
             o.time};
  for (char& c : a.name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.') c = '-';
  return a;
}

int submit_array(const ClusterOptions& o, const ClusterWork& work, const Services& services) {
  if (!o.dry_run && !has_sbatch())
    throw Error("there is no sbatch on this machine", "PATH",
                "submit from a machine of the cluster, or look with --dry-run");
  const Maker here = maker_here();
  std::optional<SweepFolder> folder;
  if (!o.dry_run)
    folder.emplace(work.folder, SweepFolder::For::running);
  else if (SweepFolder::is_one(work.folder))
    folder.emplace(work.folder, SweepFolder::For::reading);
  Progress progress;
  std::optional<Interruptible> interruptible(std::in_place, progress);
  OnNodes n{Sweep(work.plan, services.catalog)};
  await_nodes(n.sweep, services.catalog);
  if (folder) {
    if (auto list = tasks_of(*folder)) n.list = std::move(*list);
    look(n, *folder, here.program, work.mix, progress);
    if (!o.dry_run && !n.attempts.empty()) gather(n, *folder, progress);
    if (o.dry_run) count_arrivals(n);
  } else {
    // Nothing is known by its contents yet, and only the number of products matters.
    for (const SweepCell& c : n.sweep.cells()) n.stored.ids.push_back(hash_of_text(c.request.matrix + "\n" + c.key));
  }
  tell_lines(reasons_of(n.sweep, CellState::skipped));
  if (work.retry) n.sweep.retry();
  share_out(n, [&](std::size_t cells) { return o.chunk > 0 ? o.chunk : usual_chunk(cells); });
  std::vector<std::size_t> tasks = tasks_to_run(n);
  if (tasks.empty()) {
    std::cout << "nothing to submit: " << progress_text(n.sweep.counts()) << "\n";
    return 0;
  }
  const std::string name = ranges_text(tasks);
  const JobArray array = array_of(o, work, std::move(tasks));
  const std::string text = script_of(array), script = array.folder + ".sbatch";
  if (o.dry_run) {
    std::cout << text;
    std::cerr << "warpspy: this would be " << script << "; nothing was written or submitted\n";
    return 0;
  }
  n.list.program = here.program;
  folder->write_plan(work.plan);
  folder->keep_hashes();
  write_tasks(*folder, n.list);  // first: a task may begin at once
  write_file(script, text);
  interruptible.reset();  // Ctrl+C need not wait for the queue
  const std::string job = submit(script);
  n.list.jobs.push_back(job);
  write_tasks(*folder, n.list);
  std::cout << "job " << job << ": " << counted(static_cast<index_t>(array.tasks.size()), "task") << " (" << name
            << "), script " << script << "\n";
  return 0;
}

// A GPU that brings nothing in two tasks, one after the other, takes no more: it may be broken.
constexpr int kMostVain = 2;

std::string ending_text(const SlotEnd& end) {
  const std::string task = "task " + std::to_string(end.task);
  if (end.how.signal != 0) return task + " was killed (signal " + std::to_string(end.how.signal) + ")";
  if (end.said.empty()) return task + " ended with exit code " + std::to_string(end.how.code);
  return end.said.starts_with(task) ? end.said : task + ": " + end.said;
}

// Runs the tasks, each on one of the GPUs.
void run_on_gpus(const std::vector<TaskSlot>& gpus, std::vector<std::size_t> tasks, const OnNodes& n,
                 const SweepFolder& folder, const ClusterWork& work, const Progress& progress) {
  std::set<std::string> before;  // attempts of earlier commands
  for (const Attempt& a : n.attempts) before.insert(a.name);
  const auto brought = [&](std::size_t task) {
    for (const Attempt& a : attempts_of(folder, n.list, task))
      if (!before.contains(a.name) && !a.cells.empty()) return true;
    return false;
  };
  std::vector<int> vain(gpus.size(), 0);
  const std::size_t all = tasks.size();
  std::size_t ended = 0;
  SlotWork slots{gpus, std::move(tasks), {}, {}};
  slots.start = [&](std::size_t task) {
    ChildStart start{this_program(), {"warpspy", "sweep", whole_path(work.folder), "--task", std::to_string(task)}};
    const std::vector<std::string> more = options_of_task(work);
    start.words.insert(start.words.end(), more.begin(), more.end());
    return start;
  };
  slots.ended = [&](const SlotEnd& end) {
    const std::string& gpu = gpus[end.slot].name;
    std::cerr << "warpspy: " << ++ended << " of " << all << ", " << gpu << ": " << ending_text(end) << "\n";
    vain[end.slot] = brought(end.task) ? 0 : vain[end.slot] + 1;
    if (vain[end.slot] < kMostVain) return true;
    if (!progress.cancelled())
      std::cerr << "warpspy: " << gpu << " brought no results in " << kMostVain << " tasks, and takes no more\n";
    return false;
  };
  run_on_slots(slots, progress);
}

int on_all_gpus(const ClusterWork& work, const Services& services) {
  const std::vector<TaskSlot> gpus = gpu_slots(services.catalog.devices, std::getenv("CUDA_VISIBLE_DEVICES"), work.mix);
  const Maker here = maker_here();
  SweepFolder folder(work.folder, SweepFolder::For::running);
  Progress progress;
  std::optional<Interruptible> interruptible(std::in_place, progress);
  OnNodes n{Sweep(work.plan, services.catalog)};
  if (auto list = tasks_of(folder)) n.list = std::move(*list);
  look(n, folder, here.program, work.mix, progress);
  if (!n.attempts.empty()) gather(n, folder, progress);
  tell_lines(reasons_of(n.sweep, CellState::skipped));
  if (work.retry) n.sweep.retry();
  share_out(n, [&](std::size_t cells) { return slot_chunk(cells, gpus.size()); });
  std::vector<std::size_t> tasks = tasks_to_run(n);
  n.list.program = here.program;
  folder.write_plan(work.plan);
  folder.keep_hashes();
  write_tasks(folder, n.list);
  std::cerr << "warpspy: " << counted(static_cast<index_t>(tasks.size()), "task") << " on "
            << counted(static_cast<index_t>(gpus.size()), "GPU") << "\n";
  run_on_gpus(gpus, std::move(tasks), n, folder, work, progress);
  // What was done counts, also after Ctrl+C.
  Progress rest;
  interruptible.reset();
  interruptible.emplace(rest);
  const int code = collected(n.list, folder, work, services, rest);
  if (!progress.cancelled()) return code;
  std::cerr << "warpspy: stopped; the same command goes on\n";
  return stopped;
}

// The cells of one task, by their numbers in the sweep.
struct Share {
  std::vector<std::size_t> cells = {};
  std::string lacks = {};  // why some of the task's cells are not among them
};

// All other cells are skipped. Cells of the task with a result are brought back.
Share share_of(std::size_t task, const TaskList& list, Sweep& sweep, StoredSweep& stored, SweepFolder& folder,
               Progress& progress) {
  Share share;
  std::set<std::string> mine(list.cells[task].begin(), list.cells[task].end());
  const Arrivals before = arrivals_of(attempts_of(folder, list, task));
  const std::size_t all = sweep.cells().size();
  stored.ids.resize(all), stored.records.resize(all), stored.by.resize(all);
  std::string unread;
  for (std::size_t k = 0; k < all; ++k) {
    progress.check();
    try {
      Progress reading(&progress);
      stored.ids[k] = folder.id_of(sweep.cells()[k], reading);
    } catch (const Error& e) {
      unread = e.what();
    }
    if (mine.erase(stored.ids[k]) == 0) {
      sweep.skip(k, "");
      continue;
    }
    share.cells.push_back(k);
    const auto at = before.cells.find(stored.ids[k]);
    std::optional<StoredCell> had = folder.find(stored.ids[k]);
    if (at != before.cells.end() && !(had && had->end.state == CellState::done)) had = at->second;
    if (had) sweep.bring_back(k, had->end, had->record.id, had->seconds);
  }
  if (!mine.empty()) share.lacks = products(mine.size()) + " cannot be found" + (unread.empty() ? "" : ": " + unread);
  return share;
}

int run_task(std::size_t task, const ClusterWork& work, const Services& services) {
  const Maker here = maker_here();
  SweepFolder folder(work.folder, SweepFolder::For::reading);
  const TaskList list = submitted(folder);
  if (task >= list.cells.size())
    throw Error("this sweep has no task " + std::to_string(task), folder.path(),
                "it has 0 to " + std::to_string(list.cells.size() - 1));
  if (list.program != here.program && !work.mix)
    throw Error("another version of Warpspy submitted this sweep (" + list.program + "; here: " + here.program + ")",
                folder.path(), "use one version on all machines, or submit again with --mix");
  Progress whole;
  const Interruptible interruptible(whole);
  Sweep sweep(work.plan, services.catalog);
  StoredSweep stored;
  const Share share = share_of(task, list, sweep, stored, folder, whole);
  if (work.retry) sweep.retry();
  const auto states = [&](CellState s) {
    return static_cast<std::size_t>(std::count_if(share.cells.begin(), share.cells.end(),
                                                  [&](std::size_t k) { return sweep.cells()[k].state == s; }));
  };
  std::string how = share.lacks;
  // A product that cannot run here, or whose matrix cannot be opened, has no result: another node may have one.
  const auto why_none = [&] {
    for (const std::size_t k : share.cells)
      if (const SweepCell& c = sweep.cells()[k];
          c.state == CellState::skipped ||
          (c.state == CellState::failed && !stored.records[k] && c.run == 0 && c.seconds == 0))
        return c.reason;
    return std::string();
  };
  AttemptWriter writer(folder, list, task, here.program);
  const auto keep = [&](std::size_t k, const CaseResult& r) {
    if (device_was_lost(*r.record)) return;  // it says nothing about the product
    writer.add({stored.ids[k], stored.by[k], end_of(*r.record), r.seconds, *r.record});
  };
  try {
    run_cells(sweep, stored, services, {.here = here, .limits = Diagnose::bounds}, whole, keep);
  } catch (const Error& e) {
    writer.end(e.reason);
    throw;
  }
  if (how.empty()) how = whole.cancelled() ? "it was stopped, or its time was over" : why_none();
  writer.end(how);
  std::cout << "task " << task << ": " << states(CellState::done) << " of " << list.cells[task].size()
            << " products done" << (how.empty() ? "" : "; " + how) << "\n";
  if (whole.cancelled()) return stopped;
  return how.empty() && states(CellState::failed) == 0 ? 0 : 1;
}

}  // namespace

void ClusterOptions::add(CLI::App& app) {
  auto* s = app.add_flag("--slurm", slurm,
                         "Submit the products as a job array of SLURM; again: those that are missing (docs/sweeps.md)");
  app.add_option("--slurm-account", account, "The account of the job")->needs(s);
  app.add_option("--slurm-partition", partition, "The partition, which has the nodes")->needs(s);
  app.add_option("--gres", gres, "What each task gets of a node, such as gpu:1")->needs(s);
  app.add_option("--time", time, "How long a task may take, such as 30 (minutes) or 2:00:00")->needs(s);
  app.add_option("--chunk", chunk, "How many products a task has (default: 16, or more if there are over 1000 tasks)")
      ->check(CLI::Range(1, 100'000))
      ->needs(s);
  app.add_flag("--dry-run", dry_run, "Print the script of the job array, and write and submit nothing")->needs(s);
  auto* t = app.add_option("--task", task, "Run the products of one task; the job array does this");
  auto* c = app.add_flag("--collect", collect, "Bring in what the tasks have written, and name those that are missing");
  auto* g = app.add_flag("--all-gpus", all_gpus,
                         "Run the products on all GPUs of this machine, each on one of them; the device is cuda:0");
  for (auto* one : {s, t, c, g}) {
    for (auto* other : {s, t, c, g})
      if (one != other) one->excludes(other);
    for (const char* other : {"--status", "--draw", "--save", "--engine-command"}) one->excludes(app.get_option(other));
  }
  for (auto* one : {s, t}) one->excludes(app.get_option("--json"));
}

int on_cluster(const ClusterOptions& o, const ClusterWork& work, const Services& services) {
  if (o.task) return run_task(*o.task, work, services);
  if (o.all_gpus) return on_all_gpus(work, services);
  return o.collect ? collect(work, services) : submit_array(o, work, services);
}

}  // namespace warpspy::cli
