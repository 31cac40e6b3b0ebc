// Searches good parameters of a kernel, or the best kernel and its parameters.
#pragma once

#include "core/run/tune.hpp"
#include "ui/services/runs/runs.hpp"
#include "ui/services/service.hpp"

namespace warpspy::ui {

class ParameterSearch : public Service {
 public:
  ParameterSearch(const ServiceContext& c, Runs& runs) : Service(c), runs_(runs) {}

  void on(const StartTuning&);

  void forget();

 private:
  void take(const TuneStep& step, RunRecord run);
  void take(TuneRecord whole);
  void use_best();

  Runs& runs_;
  Generation asked_;
};

}  // namespace warpspy::ui
