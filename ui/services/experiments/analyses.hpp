// Runs the papers' analyses of a kernel on a matrix, and shows their results.
#pragma once

#include "ui/services/service.hpp"

namespace warpspy::ui {

class Analyses : public Service {
 public:
  explicit Analyses(const ServiceContext& c) : Service(c) {}

  void on(const StartAnalysis&);
  void on(const SetAnalysis&);
};

}  // namespace warpspy::ui
