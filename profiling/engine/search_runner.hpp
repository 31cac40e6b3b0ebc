// Runs the products of a search on a CUDA device (core/run/in_turn.hpp). Trials are only timed to be ranked; the best
// products are timed in turn. Arrays of formats stay on the device between them.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/run/in_turn.hpp"
#include "profiling/engine/engine.hpp"
#include "profiling/engine/prepared_run.hpp"

namespace warpspy {

class SearchRunner {
 public:
  // Tells how many formats of a search are kept.
  static constexpr std::size_t kept_formats = 4;

  explicit SearchRunner(const EngineParts& parts) : parts_(parts) {}

  // Call this before the products of a call: it frees data that they do not use. `rival`: the product with which the
  // products of this and later calls are compared; nullptr: none.
  void begin(const std::string& device, const RunRequest* rival, const std::shared_ptr<const Csr>& matrix);
  // Runs a trial that was just prepared. Fills its record except for the status. Throws Error, DeviceLost and
  // Cancelled.
  void trial(const PreparedRun& run, const InSearch& search, RunRecord& r, const Progress& progress);
  // Prepares a product that takes turns: makes it, runs it once and checks it. Throws as trial() does.
  void make_ready(const PreparedRun& run, const InSearch& search, bool rival, RunRecord& r, const Progress& progress);
  // Times the prepared products in turn, for budget_s in all. `ready` has each product with its record, in their order.
  // Throws as trial() does.
  void time_in_turn(const std::vector<std::pair<const PreparedRun*, RunRecord*>>& ready, const InSearch& search,
                    double budget_s, const Progress& progress);
  // Frees all products on the device.
  void let_go();

 private:
  Rotation rotation_of(const PreparedRun& run, bool prepares, const Progress& progress);

  // The product with which other products are compared, one after another.
  struct Rival {
    RunRequest request;  // the request as it was made
    std::shared_ptr<const Csr> matrix;
    std::shared_ptr<const Rotation> rotation;
    ErrorCheck check;
  };
  const EngineParts& parts_;
  std::string device_;
  RunRequest asked_rival_;  // of the call
  std::vector<std::shared_ptr<const Rotation>> ready_;
  std::optional<Rival> rival_;
};

}  // namespace warpspy
