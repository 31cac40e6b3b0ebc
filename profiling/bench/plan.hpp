// The benchmark of one matrix as a plan: for each precision and operation a search of the library's kernels, a search
// of our kernels, the best few of each again, and at last the two best in turn.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/experiment/script.hpp"
#include "kernels/product/row.hpp"
#include "profiling/bench/bench.hpp"

namespace warpspy {

class BenchRun;

class BenchPlan final : public Plan {
 public:
  // Seconds on a clock that never goes back. The time that the plan itself computes counts as search time.
  using Clock = std::function<double()>;

  // `report` names the device; `source` is the matrix's. All arguments must live longer than the plan. Searches begin
  // with runs of the options' history.
  BenchPlan(const Matrix& matrix, std::string source, BenchOptions options, const BenchReport& report,
            Clock clock = {});
  ~BenchPlan() override;

  std::string name() const override { return "bench"; }
  std::vector<Case> next(const Results& so_far) const override;
  std::size_t expected(const Results& so_far) const override;
  // The rows that are complete with these results.
  const std::vector<BenchRow>& rows(const Results& so_far) const;

 private:
  friend class BenchRun;
  // The result of an earlier search, from the history of runs.
  struct Remembered {
    std::shared_ptr<const RunRecord> run;
    std::string problem;  // why the history could not be read
  };
  void ask_history();
  // The kernels of one side; neighbours share a format, which is then built once.
  std::vector<const KernelRow*> kernels_of(Operation operation, bool library) const;
  BenchRun& at(const Results& so_far) const;

  const Matrix& matrix_;
  const std::string source_;
  const BenchOptions options_;
  const DeviceInfo device_;
  const Clock clock_;
  std::optional<Csr> sample_;
  std::map<Precision, double> gathered_bytes_;
  std::map<std::pair<Precision, Operation>, Remembered> remembered_;
  mutable std::unique_ptr<BenchRun> run_;  // the plan's progress; it only saves computing it again
  mutable std::vector<Case> next_;
};

}  // namespace warpspy
