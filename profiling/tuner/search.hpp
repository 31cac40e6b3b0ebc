// What a strategy is given: the problem, and a way to measure that counts.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/run/tune.hpp"

namespace warpspy {

struct Candidate {
  std::string kernel;
  ParamSet params;  // complete
  auto operator<=>(const Candidate&) const = default;
};

// One product of a candidate: its time, or why there is none.
struct Measured {
  std::optional<double> us;
  std::string failure;
  std::string format = {};   // that the kernel reads
  double conversion_us = 0;  // from CSR to it
  bool device_lost = false;  // `failure` says how; nothing more can be measured
};
// Measures one product. Throws Cancelled. Implemented by the engine; tests use one with a known optimum.
using Measure = std::function<Measured(const Candidate&)>;

// A kernel that computes the same, and what its format must move at least.
struct Contender {
  KernelInfo kernel;
  double minimum_bytes = 0;
  bool rows_whole = false;  // as in Prospect (promise.hpp)
  bool converted = false;   // its format has to be made from the matrix as it is there
  double block_rows = 1;    // of its format's blocks
};

struct Problem {
  KernelInfo kernel;  // whose parameters are turned
  ParamSet held;
  index_t rows = 0, nnz = 0, cols = 0, longest_row = 0;
  double scattered_bytes = 0;             // as in Prospect
  double l2_bytes = 0, shared_bytes = 0;  // of the device, and that a block of it can have; 0 where not known
  Precision precision = Precision::f32;
  bool cold = false;                         // as in Prospect
  int most_products = 600;                   // of the exhaustive search
  std::vector<Contender> alternatives = {};  // of the selector, the kernel itself among them
  std::vector<std::string> left_out = {};    // kernels that are not, each with the reason
};

// One strategy at work: every product that it asks for is counted once, told, and compared with the best so far.
class Search {
 public:
  Search(std::string strategy, const Problem& problem, const Measure& measure,
         std::function<void(const TuneStep&)> on_step);

  // Time of one product in microseconds; infinite when it failed. Asked for again, it is remembered, not counted.
  double operator()(const KernelInfo& kernel, const ParamSet& params);

  static constexpr double never = std::numeric_limits<double>::infinity();
  int products() const { return products_; }
  const Candidate& best() const { return best_; }
  double best_us() const { return best_us_; }
  void note(std::string sentence) { notes_.push_back(std::move(sentence)); }
  // What was found; what the default takes is judged later.
  TuneOutcome outcome() const;

 private:
  std::string strategy_;
  const Measure& measure_;
  std::function<void(const TuneStep&)> on_step_;
  std::set<std::string> formats_;  // that are there already
  std::map<Candidate, double> seen_;
  int products_ = 0;
  double cost_us_ = 0, best_us_ = never;
  Candidate best_;
  std::string first_failure_;
  std::vector<std::string> notes_;
};

}  // namespace warpspy
