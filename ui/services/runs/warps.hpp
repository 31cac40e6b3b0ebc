// The warp that is stepped through: asked of the engine in a job; a step is a figure made anew.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>

#include "ui/services/service.hpp"

namespace warpspy::ui {

class Warps : public Service {
 public:
  explicit Warps(const ServiceContext& c) : Service(c) {}

  void on(const ShowWarp&);
  void on(const SetWarpStep&);
  void on(const SetWarpStride&);
  void on(const StepWarp&);
  void on(const PlayWarp&);
  void on(const SetWarpView&);
  void on(const GoToLine&);

  void on(const MatrixShown&);
  void on(const MatrixOpened&);

  void frame();
  std::optional<double> due_in_s() const;
  // A desk, or a figure, that was left at a warp.
  void show_when_read(const std::map<std::string, std::string>& choices);

 private:
  void follow_run();

  std::optional<ShowWarp> waits_;  // for the shown matrix
  Generation asked_;
  std::chrono::steady_clock::time_point moved_;  // while it plays
};

}  // namespace warpspy::ui
