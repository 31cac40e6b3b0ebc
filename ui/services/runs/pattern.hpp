// What the pattern shows of a run: asked of the engine, in a job, for what is looked at.
#pragma once

#include <chrono>
#include <optional>

#include "ui/services/service.hpp"

namespace warpspy::ui {

class Pattern : public Service {
 public:
  explicit Pattern(const ServiceContext& c) : Service(c) {}

  void frame();  // the selected run of the shown matrix, else what the knobs say
  bool waits() const;
  std::optional<double> due_in_s() const;

 private:
  void start();

  // What the pattern is to show: since when, and what was asked for last.
  struct Asked {
    MatrixId matrix = 0;
    RunRequest request;
    RowSpan rows;
    bool operator==(const Asked&) const = default;
  };
  Asked wanted_, asked_;
  std::chrono::steady_clock::time_point since_;
  Generation ticket_;
};

}  // namespace warpspy::ui
