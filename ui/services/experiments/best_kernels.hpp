// Searches the fastest kernel of each of several matrices, one after another, by the same plan as the command line.
#pragma once

#include "ui/services/runs/runs.hpp"
#include "ui/services/service.hpp"

namespace warpspy::ui {

class BestKernels : public Service {
 public:
  BestKernels(const ServiceContext& c, Runs& runs) : Service(c), runs_(runs) {}

  void on(const SearchBest&);
  void on(const SteerBest&);

  void frame();  // starts the search of the next matrix when none is running
  bool due() const;
  void forget();

 private:
  void search(std::size_t item, const OpenMatrix& m);
  void take(const CaseResult& finals);

  Runs& runs_;
  Generation asked_;  // results of an earlier search are dropped
};

}  // namespace warpspy::ui
