// The base of all services. Each service has the state, the jobs, the history and the engine, and can hand actions and
// events to other services.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/jobs/jobs.hpp"
#include "core/run/engine.hpp"
#include "core/run/history.hpp"
#include "ui/services/events.hpp"
#include "ui/services/options.hpp"
#include "ui/state/actions.hpp"

namespace warpspy::ui {

// Owned by the session, which outlives its services.
struct ServiceContext {
  Engine& engine;
  const SessionOptions& options;
  AppState& state;
  History& history;
  Mailbox& mail;
  Workers& workers;
  std::function<void(const Action&)> act;   // hands an action to its service, at once
  std::function<void(const Event&)> event;  // reports an event to all services that handle it
};

// A service lives on the UI thread and never waits. Its constructor submits no job, since the workers start last.
class Service {
 public:
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

 protected:
  explicit Service(const ServiceContext& c);
  ~Service() = default;

  // Hands an action to another service as a part of the user's action, so that undo sees one step.
  void act(const Action& a) const { context_.act(a); }
  void tell(const Event& e) const { context_.event(e); }

  void say(Message::Kind kind, std::string text, std::string remedy = {}, MatrixId about = 0) const;
  void say(const Failure& f, MatrixId about = 0) const;
  void tell_history_problems() const;  // may be called from any thread

  OpenMatrix* find(MatrixId id) const;
  // A matrix at the start of a job. If the matrix is closed and opened again meanwhile, the job's result does not
  // belong to it.
  struct Opening {
    MatrixId id;
    std::uint64_t number;
  };
  static Opening opening_of(const OpenMatrix& m) { return {m.id, m.opening}; }
  OpenMatrix* find(const Opening& o) const;

  std::string kernel_label(const std::string& id) const;

  Engine& engine_;
  const SessionOptions& options_;
  AppState& s_;
  History& history_;
  Mailbox& mail_;
  Workers& workers_;

 private:
  const ServiceContext& context_;
};

}  // namespace warpspy::ui
