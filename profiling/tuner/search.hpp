// The interface for strategies: the problem, and a way to measure that counts products.
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

// The result for one candidate: its time, or why there is none.
struct Measured {
  std::optional<double> us;
  std::string failure;
  std::string format = {};   // format that the kernel reads
  double conversion_us = 0;  // time of the conversion from CSR to this format
  bool device_lost = false;  // the device was lost, as `failure` says; nothing more can be measured
};
// All results so far.
using Known = std::map<Candidate, Measured>;

// Thrown when a strategy asks for a time that is not known yet: these candidates must be measured before it can go on.
struct Wanted {
  std::vector<Candidate> candidates;
};
// Thrown when a strategy asks for more after the device was lost.
struct Ended {};

// Answers strategies from the known results. All strategies get the same time for a candidate, with the same noise.
class Answers {
 public:
  explicit Answers(const Known& known);
  const Measured& of(const Candidate& c);
  // Whether more products can be measured; false after the device was lost.
  bool open() const { return !last_; }
  bool knows(const Candidate& c) const { return known_.contains(c); }
  const std::string& lost() const { return lost_; }  // why nothing more can be measured; "": it can

 private:
  const Known& known_;
  const std::string* last_ = nullptr;  // how the device was lost, by a product that is asked for sooner or later
  std::string lost_;
};

// An alternative kernel that computes the same, and the least bytes that its format must move.
struct Contender {
  KernelInfo kernel;
  double minimum_bytes = 0;
  bool rows_whole = false;  // see Prospect (cost_model.hpp)
  bool converted = false;   // its format must first be made from the matrix
  double block_rows = 1;    // rows of its format's blocks
};

struct Problem {
  KernelInfo kernel;  // the kernel whose parameters are searched
  ParamSet held;
  index_t rows = 0, nnz = 0, cols = 0, longest_row = 0;
  double scattered_bytes = 0;  // as in Prospect
  double l2_bytes = 0;         // size of the device's L2; 0: unknown
  DeviceScale device = {};
  Precision precision = Precision::f32;
  bool cold = false;                         // as in Prospect
  int most_products = 600;                   // products of the exhaustive search, at most
  std::vector<Contender> alternatives = {};  // kernels for the selector, with the kernel itself
  std::vector<std::string> left_out = {};    // kernels that are no alternatives, each with the reason
};

// The run of one strategy: every product that it asks for is counted once, reported, and compared with the best so far.
// With the same answers a strategy always asks the same, so it can start again whenever more is known.
class Search {
 public:
  Search(std::string strategy, const Problem& problem, Answers& answers, std::function<void(const TuneStep&)> on_step);

  // Time of one product in microseconds; infinite when it failed. Asked for again, it is remembered, not counted.
  double operator()(const KernelInfo& kernel, const ParamSet& params);
  // Announces that the strategy will ask for all of these parameter sets, whatever their times, so that they can be
  // measured in a row.
  void announce(const KernelInfo& kernel, const std::vector<ParamSet>& all) const;

  static constexpr double never = std::numeric_limits<double>::infinity();
  int products() const { return products_; }
  const Candidate& best() const { return best_; }
  double best_us() const { return best_us_; }
  void note(std::string sentence) { notes_.push_back(std::move(sentence)); }
  // Returns what the strategy found; it is compared with the default later.
  TuneOutcome outcome() const;

 private:
  std::string strategy_;
  Answers& answers_;
  std::function<void(const TuneStep&)> on_step_;
  std::set<std::string> formats_;  // formats that exist already
  std::map<Candidate, double> seen_;
  int products_ = 0;
  double cost_us_ = 0, best_us_ = never;
  Candidate best_;
  std::string first_failure_;
  std::vector<std::string> notes_;
};

}  // namespace warpspy
