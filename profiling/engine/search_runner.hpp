// Products of a search on a CUDA device (core/run/in_turn.hpp): trials that are only ranked, and products that take
// turns. Arrays of formats stay on the device between them.
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
  // So many formats of a search are kept.
  static constexpr std::size_t kept_formats = 4;

  SearchRunner(const EngineParts& parts, Preparation& preparation) : parts_(parts), preparation_(preparation) {}

  // Before the products of a call: what they have no use for is freed. `rival`: the one that the others of the call,
  // and of the next ones, are held against; nullptr: none.
  void begin(const std::string& device, const RunRequest* rival, const std::shared_ptr<const Csr>& matrix);
  // Of a run that was just prepared, as below. Fills the record of a trial but for its status. Throws Error, DeviceLost
  // and Cancelled.
  void trial(const PreparedRun& run, const InSearch& search, RunRecord& r, const Progress& progress);
  // One that takes turns: made, run once and checked. Throws likewise.
  void make_ready(const PreparedRun& run, const InSearch& search, bool rival, RunRecord& r, const Progress& progress);
  // Those that were made ready, timed in turn for budget_s in all. `ready`: of each, in that order. Throws likewise.
  void time_in_turn(const std::vector<std::pair<const PreparedRun*, RunRecord*>>& ready, const InSearch& search,
                    double budget_s, const Progress& progress);
  // Frees what is on the device.
  void let_go();

 private:
  std::shared_ptr<DeviceArrays> arrays_of(const PreparedRun& run);
  Rotation rotation_of(const PreparedRun& run, bool own_arrays, const Progress& progress);

  // What others are held against, one after another.
  struct Rival {
    RunRequest request;  // as it was asked for
    std::shared_ptr<const Csr> matrix;
    std::shared_ptr<const Rotation> rotation;
    ErrorCheck check;
  };
  const EngineParts& parts_;
  Preparation& preparation_;
  std::string device_;
  RunRequest asked_rival_;  // of the call
  std::vector<std::shared_ptr<const Rotation>> ready_;
  std::optional<Rival> rival_;
};

}  // namespace warpspy
