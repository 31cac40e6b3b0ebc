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
// What was measured so far.
using Known = std::map<Candidate, Measured>;

// Thrown where a strategy asks for what is not known yet: these have to be measured before it goes on.
struct Wanted {
  std::vector<Candidate> candidates;
};
// Thrown where it asks for more after the device was lost.
struct Ended {};

// Answers strategies from what is known, each candidate the same to all: noise included.
class Answers {
 public:
  explicit Answers(const Known& known);
  const Measured& of(const Candidate& c);
  // Whether more can come to be known.
  bool open() const { return !last_; }
  bool knows(const Candidate& c) const { return known_.contains(c); }
  const std::string& lost() const { return lost_; }  // why nothing more can be measured; "": it can

 private:
  const Known& known_;
  const std::string* last_ = nullptr;  // how the device was lost, by a product that is asked for sooner or later
  std::string lost_;
};

// A kernel that computes the same, and what its format must move at least.
struct Contender {
  KernelInfo kernel;
  double minimum_bytes = 0;
  bool rows_whole = false;  // as in Prospect (cost_model.hpp)
  bool converted = false;   // its format has to be made from the matrix as it is there
  double block_rows = 1;    // of its format's blocks
};

struct Problem {
  KernelInfo kernel;  // whose parameters are turned
  ParamSet held;
  index_t rows = 0, nnz = 0, cols = 0, longest_row = 0;
  double scattered_bytes = 0;  // as in Prospect
  double l2_bytes = 0;         // of the device; 0 where not known
  DeviceScale device = {};
  Precision precision = Precision::f32;
  bool cold = false;                         // as in Prospect
  int most_products = 600;                   // of the exhaustive search
  std::vector<Contender> alternatives = {};  // of the selector, the kernel itself among them
  std::vector<std::string> left_out = {};    // kernels that are not, each with the reason
};

// One strategy at work: every product that it asks for is counted once, told, and compared with the best so far. A
// strategy always asks the same given the same answers, so that it can be asked anew whenever more is known.
class Search {
 public:
  Search(std::string strategy, const Problem& problem, Answers& answers, std::function<void(const TuneStep&)> on_step);

  // Time of one product in microseconds; infinite when it failed. Asked for again, it is remembered, not counted.
  double operator()(const KernelInfo& kernel, const ParamSet& params);
  // All of these will be asked for, whatever they take: so that they can be measured in a row.
  void announce(const KernelInfo& kernel, const std::vector<ParamSet>& all) const;

  static constexpr double never = std::numeric_limits<double>::infinity();
  int products() const { return products_; }
  const Candidate& best() const { return best_; }
  double best_us() const { return best_us_; }
  void note(std::string sentence) { notes_.push_back(std::move(sentence)); }
  // What was found; what the default takes is judged later.
  TuneOutcome outcome() const;

 private:
  std::string strategy_;
  Answers& answers_;
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
