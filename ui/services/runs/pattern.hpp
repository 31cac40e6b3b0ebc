// Shows a run's data in the pattern of the matrix, such as which thread reads which entry. A job asks the engine for
// the rows that are shown.
#pragma once

#include <chrono>
#include <optional>

#include "ui/services/service.hpp"

namespace warpspy::ui {

class Pattern : public Service {
 public:
  explicit Pattern(const ServiceContext& c) : Service(c) {}

  void frame();  // uses the selected run of the shown matrix, else the choices for the next run
  bool waits() const;
  std::optional<double> due_in_s() const;

 private:
  void start();

  // The run that the pattern shall show, since when, and the last request to the engine.
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
