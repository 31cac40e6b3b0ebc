// Makes live runs, which follow the parameters. A live run starts whenever they change. When they rest, it is measured
// again, or refined (run with more work) on a modelled GPU.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "ui/services/follows.hpp"
#include "ui/services/runs/runs.hpp"
#include "ui/services/service.hpp"

namespace warpspy::ui {

class Live : public Service {
 public:
  Live(const ServiceContext& c, Runs& runs) : Service(c), runs_(runs) {}

  void frame();   // starts the next live run if one is due
  void settle();  // a trail belongs to one kernel on one device
  bool due();
  bool may_refine();
  // Whether no job runs except the repeated one: a live run on a real GPU is measured again and again while no other
  // job runs.
  bool at_rest() const;

 private:
  bool may_refresh();
  void refresh();
  void refine();

  Runs& runs_;
  std::optional<RunRequest> asked_;  // the request of the last live run
  JobPtr job_;                       // measures again and again, or refines
  JobPtr ended_;                     // a run that has ended, and whose result may not have been taken in
  Follows<std::pair<std::string, std::string>> trail_of_;  // device and kernel
};

}  // namespace warpspy::ui
