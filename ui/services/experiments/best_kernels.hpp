// The fastest kernel of each of several matrices: for each the plan that the command line runs, one after another.
#pragma once

#include "ui/services/runs/runs.hpp"
#include "ui/services/service.hpp"

namespace warpspy::ui {

class BestKernels : public Service {
 public:
  BestKernels(const ServiceContext& c, Runs& runs) : Service(c), runs_(runs) {}

  void on(const SearchBest&);
  void on(const SteerBest&);

  void frame();  // searches the next matrix when none is searched
  bool due() const;
  void forget();

 private:
  void search(std::size_t item, const OpenMatrix& m);
  void take(const CaseResult& finals);

  Runs& runs_;
  Generation asked_;  // what ends of a search before is not of this one
};

}  // namespace warpspy::ui
