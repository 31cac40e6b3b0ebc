// The session: the state, the services that change it, and the code that hands actions to services. It lives on the UI
// thread and never waits.
#pragma once

#include <cstddef>
#include <optional>
#include <tuple>

#include "ui/services/desk/desk_keeper.hpp"
#include "ui/services/desk/exports.hpp"
#include "ui/services/desk/lectures.hpp"
#include "ui/services/desk/preferences_keeper.hpp"
#include "ui/services/desk/screen.hpp"
#include "ui/services/desk/undo_redo.hpp"
#include "ui/services/experiments/analyses.hpp"
#include "ui/services/experiments/best_kernels.hpp"
#include "ui/services/experiments/parameter_search.hpp"
#include "ui/services/experiments/studies.hpp"
#include "ui/services/experiments/sweeps.hpp"
#include "ui/services/following.hpp"
#include "ui/services/lessons/lessons.hpp"
#include "ui/services/runs/live.hpp"
#include "ui/services/runs/next_run.hpp"
#include "ui/services/runs/pattern.hpp"
#include "ui/services/runs/runs.hpp"
#include "ui/services/runs/warps.hpp"
#include "ui/services/workspace/files.hpp"
#include "ui/services/workspace/workspace.hpp"

namespace warpspy::ui {

class Session {
 public:
  Session(const Catalog& catalog, Engine& engine, SessionOptions options);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const AppState& state() const { return s_; }
  Workers& workers() { return workers_; }
  void apply(const Action& a);
  void tell_scale(double scale) { s_.scale = scale; }
  // Called once per frame: takes in results, starts work that is due, and makes results that follow from the state
  // again.
  void update();
  // Whether no job is queued or running, and no result waits.
  bool idle();
  // Seconds until update() must be called although no event or result arrives; nothing: never.
  std::optional<double> due_in_s() const;
  void next_frame() { undo_.next_frame(); }
  void end_step() { undo_.end_step(); }

 private:
  // The one list of services that handle actions and events, in the order in which an event reaches them.
  auto services() {
    return std::tie(workspace_, files_, next_run_, runs_, warps_, sweeps_, best_, search_, analyses_, studies_, screen_,
                    undo_, desk_, exports_, lectures_, lessons_);
  }
  void handle(const Action& a);
  void tell(const Event& e);
  void settle();
  std::size_t take_mail();  // takes in results of jobs; returns how many

  const SessionOptions options_;
  AppState s_;
  History history_;
  Mailbox mail_;
  const ServiceContext context_;

  Workspace workspace_{context_};
  Files files_{context_, workspace_};
  NextRun next_run_{context_};
  Runs runs_{context_};
  Live live_{context_, runs_};
  Pattern pattern_{context_};
  Warps warps_{context_};
  Sweeps sweeps_{context_, workspace_, runs_};
  BestKernels best_{context_, runs_};
  ParameterSearch search_{context_, runs_};
  Analyses analyses_{context_};
  Studies studies_{context_, workspace_};
  Screen screen_{context_};
  PreferencesKeeper preferences_{context_};
  UndoRedo undo_{context_, workspace_, runs_};
  DeskKeeper desk_{context_, {workspace_, runs_, next_run_, warps_, sweeps_, best_, search_, undo_}};
  Exports exports_{context_, desk_};
  Lectures lectures_{context_, desk_, workspace_, warps_};
  Lessons lessons_{context_, workspace_};
  Following following_;

  bool touched_ = true;  // whether there was an action since the last update
  struct Hearing {       // listens for lost devices until no job runs any more
    Engine& engine;
    ~Hearing() { engine.on_device_lost({}), engine.on_devices({}); }
  } hearing_;
  Workers workers_;  // the last member: its jobs end before the data that they use is destroyed
};

}  // namespace warpspy::ui
