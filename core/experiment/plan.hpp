// What is to be run, as data: a plan says what comes next from what came before. It runs nothing and waits for nothing;
// the executor (executor.hpp) runs every plan.
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
  std::string label = {};  // what is told while it runs: "CSR vector, constant X"
  Purpose purpose = Purpose::asked;
  int repetition = 1;  // the same request once more is another result
  // As a product of a search; then with others that take turns with it (core/run/in_turn.hpp).
  std::optional<InSearch> search = {};
  std::vector<RunRequest> beside = {};
};

std::vector<Case> cases_of(const std::vector<RunRequest>& requests, Purpose purpose);

// What came of it. A case that failed has a record that says why.
struct CaseResult {
  Case asked;
  std::shared_ptr<const RunRecord> record;
  double seconds = 0;                                         // that it took
  bool found = false;                                         // it had been run before, and was not run again
  bool opened = true;                                         // false: its matrix could not be had, and nothing ran
  std::vector<std::shared_ptr<const RunRecord>> beside = {};  // of those that took turns with it, in their order
  bool ended() const { return record && record->status != RunStatus::cancelled; }
};
using Results = std::vector<CaseResult>;

class Plan {
 public:
  virtual ~Plan() = default;
  // What its records name: "sweep", "tune csr_vector".
  virtual std::string name() const = 0;
  // What to run next, in order, from the results of all that was asked for so far, in the order in which it was asked
  // for; nothing: the plan is at its end. The same results always give the same cases: so what was stopped goes on.
  virtual std::vector<Case> next(const Results& so_far) const = 0;
  // How many cases it will have had, as far as that is known by now; only for progress.
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
