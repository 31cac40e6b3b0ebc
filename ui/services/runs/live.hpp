// The run that follows the knobs: made again while they move, measured again or refined when they rest.
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

  void frame();   // starts what is due
  void settle();  // a trail is one of a kernel on a device
  bool due();
  bool may_refine();
  // Nothing is under way but what goes on and on: a live run on a real GPU is measured again and again while nothing
  // else is.
  bool at_rest() const;

 private:
  bool may_refresh();
  void refresh();
  void refine();

  Runs& runs_;
  std::optional<RunRequest> asked_;  // of the last run that followed the knobs
  JobPtr job_;                       // measures again and again, or refines
  JobPtr ended_;                     // the run that was seen to have ended, and may not have been read
  Follows<std::pair<std::string, std::string>> trail_of_;  // device and kernel
};

}  // namespace warpspy::ui
