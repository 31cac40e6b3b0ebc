// A plan decides which products to run next, from the results so far. It runs nothing itself and never waits; the
// executor (executor.hpp) runs every plan.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/run/in_turn.hpp"
#include "core/run/record.hpp"

namespace warpspy {

// A product that a plan asks for.
struct Case {
  RunRequest request;
  std::string label = {};  // shown while the product runs: "CSR vector, constant X"
  Purpose purpose = Purpose::asked;
  int repetition = 1;  // counts from 1 if the same request runs several times
  // For a product of a search: which part of the search it belongs to, and other products that are timed in turn with
  // it (core/run/in_turn.hpp).
  std::optional<InSearch> search = {};
  std::vector<RunRequest> beside = {};
};

std::vector<Case> cases_of(const std::vector<RunRequest>& requests, Purpose purpose);

// The result of a case. A failed case has a record that says why.
struct CaseResult {
  Case asked;
  std::shared_ptr<const RunRecord> record;
  double seconds = 0;                                         // how long the product took
  bool found = false;                                         // the result was in the folder already, and the product
                                                              // was not run again
  bool opened = true;                                         // false: its matrix could not be opened, and nothing ran
  std::vector<std::shared_ptr<const RunRecord>> beside = {};  // records of the products that took turns with it, in
                                                              // their order
  bool ended() const { return record && record->status != RunStatus::cancelled; }
};
using Results = std::vector<CaseResult>;

class Plan {
 public:
  virtual ~Plan() = default;
  // The plan's name in its records: "sweep", "tune csr_vector".
  virtual std::string name() const = 0;
  // The cases to run next, in order. `so_far` has the results of all cases so far, in the order of the cases. Returns
  // nothing at the end of the plan. The same results always give the same cases, so a stopped plan can continue.
  virtual std::vector<Case> next(const Results& so_far) const = 0;
  // Returns how many cases the plan will have in all, as far as is known now; only for progress.
  virtual std::size_t expected(const Results& so_far) const = 0;
};

// Cases that are all known from the start.
class ListPlan final : public Plan {
 public:
  ListPlan(std::string name, std::vector<Case> cases) : name_(std::move(name)), cases_(std::move(cases)) {}
  std::string name() const override { return name_; }
  std::vector<Case> next(const Results& so_far) const override {
    if (so_far.size() >= cases_.size()) return {};
    return {cases_.begin() + static_cast<std::ptrdiff_t>(so_far.size()), cases_.end()};
  }
  std::size_t expected(const Results&) const override { return cases_.size(); }

 private:
  std::string name_;
  std::vector<Case> cases_;
};

}  // namespace warpspy
