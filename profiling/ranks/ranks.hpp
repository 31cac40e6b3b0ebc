// The processes of a start by MPI (`mpirun -n 4 warpspy solve ...`). Each is a rank with one GPU and one part of the
// matrix. All do the same things in the same order, and what fails in one fails in all.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/types.hpp"
#include "core/partition/partition.hpp"
#include "core/solve/system.hpp"
#include "profiling/ranks/plugin.h"

namespace warpspy {

// What the launcher's environment tells a process. Known without MPI.
struct RankPlace {
  int rank = 0;
  int size = 1;
};
// Nothing if no MPI launcher started this process, or it started it alone.
std::optional<RankPlace> rank_place();

// A failure of which all ranks know.
struct RanksFailed : Error {
  using Error::Error;
};

class Ranks {
 public:
  explicit Ranks(const WarpspyRanks& plugin) : plugin_(plugin) {}
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const { return plugin_.rank; }
  int size() const { return plugin_.size; }
  std::string library() const { return plugin_.library; }

  // All of the following must be called by all ranks, in the same order. They throw RanksFailed if a rank failed.

  // Runs the work on every rank. If it throws in some, this throws in all: the first rank's Error, with the rank's name
  // unless all say the same. May be nested.
  void together(const std::function<void()>& work);
  // The bytes of each rank, by rank.
  std::vector<std::string> gather(const std::string& mine);
  // Throws RanksFailed naming the ranks whose text differs from rank 0's: "ranks 1-3 have another matrix than rank 0".
  void require_same(const std::string& text, const std::string& what, const std::string& remedy);
  // The sums over all ranks, added up in the order of ranks.
  void add_up(std::span<double> numbers);
  // What the part of this rank has of x and what it needs of others: the numbers of its halo.
  std::vector<double> halo(const Part& part, std::span<const double> own);

 private:
  enum class Step : int;
  void begin(Step step);
  [[noreturn]] void fail();
  const WarpspyRanks& plugin_;
  int depth_ = 0;              // calls of together() that run
  std::optional<Error> mine_;  // why this rank failed
  // A failure of a rank that had ended a work around this one: works that run are over up to that depth.
  std::optional<RanksFailed> over_;
  int over_depth_ = 0;
};

// The ranks of a start by MPI. `folders`: where the plugin may be. Throws Error if it is not there, or is for another
// MPI than the launcher's.
std::unique_ptr<Ranks> begin_ranks(const RankPlace& place, const std::vector<std::string>& folders);

// The part of this rank as one of a shared system.
class RankPeers final : public Peers {
 public:
  RankPeers(Ranks& ranks, const Part& part) : ranks_(ranks), part_(part) {}
  std::vector<double> halo(std::span<const double> own) override { return ranks_.halo(part_, own); }
  void add_up(std::span<double> sums) override { ranks_.add_up(sums); }

 private:
  Ranks& ranks_;
  const Part& part_;
};

}  // namespace warpspy
