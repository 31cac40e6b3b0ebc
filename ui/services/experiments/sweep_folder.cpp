// Sweeps in files and folders.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/target.hpp"
#include "core/io/folder.hpp"
#include "core/run/store.hpp"
#include "core/sweep/matrices.hpp"
#include "core/sweep/stored.hpp"
#include "ui/services/experiments/sweeps.hpp"
#include "ui/state/sweep.hpp"

namespace warpspy::ui {

namespace {

namespace fs = std::filesystem;
using Phase = SweepRun::Phase;

// The window's number of a run from a folder: the history's, if the history has the same run.
std::uint64_t number_of(const RunRecord& r, const History& history) {
  try {
    const auto kept = r.id != 0 && r.id < kUnsaved ? history.get(r.id) : std::nullopt;
    return kept && kept->record->started == r.started && kept->record->request.kernel == r.request.kernel ? r.id : 0;
  } catch (const Error&) {
    return 0;  // the history reports its problems itself
  }
}

// What was found: a sweep's file, or its folder.
struct SweepFound {
  SweepPlan plan;
  std::string folder;
  bool has_tasks = false;  // it was divided among tasks, which run elsewhere
};
SweepFound found_at(const std::string& path) {
  const fs::path file = fs::absolute(path).lexically_normal();
  if (fs::is_directory(file)) {
    const SweepFolder folder(file, SweepFolder::For::reading);
    return {folder.plan(), folder.path(), tasks_of(folder).has_value()};
  }
  SweepFound found{read_sweep_plan(path), (file.parent_path() / file.stem()).string() + ".sweep"};
  found.plan.matrices = matrices_meant(found.plan.matrices, file.parent_path(), found.plan.orders);
  found.plan.orders.clear();
  return found;
}

}  // namespace

void Sweeps::on(const SaveSweep& a) {
  const SweepPlan plan = sweep_plan(s_, a.sweep);
  workers_.submit(
      JobQueue::tiles, "Sweep file",
      [plan, path = with_home(a.path)](Progress&) {
        if (fs::exists(path)) throw Error("there is such a file already", path, "name another one, or remove it");
        write_file(path, to_json(plan));
        return path;
      },
      [this](const std::string& path) {
        say(Message::Kind::note, "The sweep is in " + path + ".", "warpspy sweep runs it without a window.");
      },
      [this](const Failure& f) { say(f); });
}

// Opens its matrices, and adds the results of its folder.
void Sweeps::on(const OpenSweep& a) {
  if (s_.sweep && s_.sweep->phase != Phase::watched && (s_.sweep->job || s_.sweep->phase == Phase::running))
    return say(Message::Kind::note, "A sweep is under way: stop it first.");
  workers_.submit(
      JobQueue::tiles, "Sweep", [path = with_home(a.path)](Progress&) { return found_at(path); },
      [this](const SweepFound& found) {
        try {
          check(found.plan, *s_.catalog);
          Sweep sweep(found.plan, *s_.catalog);
          forget();
          s_.sweep = SweepRun{Phase::stopped, std::move(sweep), nullptr, 0, found.folder};
          if (found.has_tasks) await_nodes(s_.sweep->sweep, *s_.catalog);
        } catch (const Error& e) {
          return say(Failure{e.reason, e.where.empty() ? found.folder : e.where, e.remedy});
        }
        std::vector<std::string> sources;
        for (const SweepPlan::Of& m : found.plan.matrices)
          if (std::none_of(s_.matrices.begin(), s_.matrices.end(),
                           [&](const OpenMatrix& open) { return open.source == m.source; }))
            sources.push_back(m.source);
        if (!sources.empty()) workspace_.open_all(sources);
        s_.dialog.clear();
        MatricesView view = s_.matrices_view;
        view.face = MatricesFace::sweep;
        act(SetMatricesView{view});
        act(ShowTab{"matrices"});
        if (found.has_tasks) return begin_watch();
        read_folder(Phase::stopped);
      },
      [this](const Failure& f) { say(f); });
}

// Adds the results of the folder, then continues as requested. A sweep that does not run releases the folder.
void Sweeps::read_folder(Phase then, bool retry) {
  SweepRun& b = *s_.sweep;
  const bool runs = then == Phase::running;
  if (!runs && !SweepFolder::is_one(b.path)) return;
  struct Read {
    std::shared_ptr<SweepFolder> folder;
    Sweep sweep;
    StoredSweep stored;
    std::vector<std::string> remarks;
  };
  const auto mine = [this, ticket = asked_.next()] { return asked_.is_current(ticket); };
  b.phase = Phase::stopped;
  b.job = workers_.submit(
      JobQueue::load, "Sweep: " + b.path,
      [this, runs, retry, path = b.path, sweep = b.sweep, catalog = s_.catalog,
       here = Maker{s_.version, "", options_.driver}](Progress& p) {
        Read read{std::make_shared<SweepFolder>(path, runs ? SweepFolder::For::running : SweepFolder::For::reading),
                  sweep,
                  {},
                  {}};
        read.stored = take_in(read.sweep, *read.folder, p);
        read.remarks = read.folder->remarks();
        if (runs) {
          refuse_mixing(read.sweep, read.stored, here, *catalog, path);
          read.folder->write_plan(read.sweep.plan());
          read.folder->keep_hashes();
        }
        for (std::size_t k = 0; k < read.stored.records.size(); ++k) {
          const auto& record = read.stored.records[k];
          if (!record) continue;
          RunRecord numbered = *record;
          numbered.id = number_of(numbered, history_);
          read.stored.records[k] = std::make_shared<const RunRecord>(std::move(numbered));
        }
        if (retry) read.sweep.retry();
        return read;
      },
      [this, mine, then, runs](Read read) {
        if (!mine()) return;
        SweepRun& now = *s_.sweep;
        now.job = nullptr;
        now.sweep = std::move(read.sweep);
        if (runs) now.folder = std::move(read.folder);
        for (const std::string& remark : read.remarks) say(Message::Kind::warning, remark);
        put_stored(std::move(read.stored));
        now.phase = then;
        if (!runs) end(then);
      },
      [this, mine](const Failure& f) {
        if (!mine()) return;
        s_.sweep->job = nullptr;
        say(f);
      },
      [this, mine] {
        if (mine()) s_.sweep->job = nullptr;
      });
}

// The folder's runs become runs of this window.
void Sweeps::put_stored(StoredSweep stored) {
  SweepRun& b = *s_.sweep;
  for (std::size_t k = 0; k < stored.records.size(); ++k) {
    if (!stored.records[k]) continue;
    const SweepCell cell = b.sweep.cells()[k];
    std::uint64_t& known = known_[stored.ids[k] + " " + stored.records[k]->started];
    auto run = known != 0 ? s_.run(known) : nullptr;
    if (!run && stored.records[k]->id != 0) run = s_.run(stored.records[k]->id);
    if (!run) run = s_.runs.add(*stored.records[k]);
    if (known != run->id) runs_.find_saved_roofs(*run);
    known = run->id;
    if (cell.state == CellState::done || cell.state == CellState::failed)
      b.sweep.bring_back(k, {cell.state, cell.reason}, run->id, cell.seconds);
  }
  b.ids = std::move(stored.ids);
}

}  // namespace warpspy::ui
