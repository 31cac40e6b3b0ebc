// Some results follow from the state, such as figures and lists. For each there is a struct with all the values that it
// reads, a function that gathers them from the state, and a function that makes the result from them alone.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/jobs/progress.hpp"
#include "core/run/history.hpp"
#include "ui/state/state.hpp"

namespace warpspy::ui {

using RunPtr = std::shared_ptr<const RunRecord>;

// The listed runs. Only runs of this session matter; the history knows the others.
struct ListReads {
  bool all = false;
  HistoryQuery query = {};
  std::shared_ptr<const std::vector<RunPtr>> runs = {};  // of this session
  std::vector<std::uint64_t> ids = {}, trail = {};
  std::map<std::uint64_t, std::string> notes = {};
  std::uint64_t edits = 0;
  bool operator==(const ListReads&) const = default;
};
ListReads list_reads(const AppState& s);
RunList listed(const ListReads& of);

struct ComparisonReads {
  std::vector<RunPtr> runs;
  const Catalog* catalog = nullptr;
  bool operator==(const ComparisonReads&) const = default;
};
std::shared_ptr<const RunComparison> compared(const ComparisonReads& of);

// From when on the format of the told solve pays.
struct SolveBreakEvenReads {
  RunPtr solve;                                     // nullptr: none is told
  std::shared_ptr<const std::vector<RunPtr>> runs;  // of this session
  Shared<std::vector<RunPtr>> saved;
  const Catalog* catalog = nullptr;
  bool operator==(const SolveBreakEvenReads&) const = default;
};
SolveBreakEvenReads solve_break_even_reads(const AppState& s);
SolveBreakEven solve_break_even_of(const SolveBreakEvenReads& of);

// The runs from which speed-ups over several GPUs are told.
struct SpeedUpReads {
  std::vector<RunPtr> runs;
  const Catalog* catalog = nullptr;
  bool operator==(const SpeedUpReads&) const = default;
};
SpeedUps speed_ups_of(const SpeedUpReads& of);

// Whose each row is.
struct OwnerReads {
  std::shared_ptr<const Csr> matrix;
  std::uint64_t parts = 1;
  Split split = Split::rows;
  bool operator==(const OwnerReads&) const = default;
};
// Of the next run if that is over several GPUs, else of the told run; nothing if neither is.
std::optional<OwnerReads> owner_reads(const AppState& s);
std::shared_ptr<const RowOwners> owners_of(const OwnerReads& of, Progress& progress);

// The values from which the roofline points of all known runs are computed.
struct PointReads {
  std::vector<RunPtr> runs;
  // Holds what determines the position of all points.
  struct Under {
    const Catalog* catalog = nullptr;
    std::map<std::string, MeasuredRoofs> measured;
    FlopCount flops = FlopCount::useful;
    bool operator==(const Under&) const = default;
  } under;
  bool operator==(const PointReads&) const = default;
};
PointReads point_reads(const AppState& s);
std::vector<RooflinePoint> points_of(const RunRecord& run, const PointReads::Under& under);

struct ManyFigures {
  std::shared_ptr<const plot::Plot> heat_map, profile, line_chart;
  std::vector<std::string> turned;
  std::vector<warpspy::BestRun> best;
};
ManyFigures many_figures(const std::pair<ManyReads, ThemeId>& of);

struct ThumbnailReads {
  std::shared_ptr<const Pyramid> pyramid;
  Colormap map = Colormap::cividis;
  ThemeId theme = ThemeId::paper;
  bool operator==(const ThumbnailReads&) const = default;
};
std::shared_ptr<const Thumbnail> thumbnail_of(const ThumbnailReads& of, Progress& progress);

struct SmallestReads {
  std::shared_ptr<const FormatFacts> facts;
  std::shared_ptr<const Matrix> matrix;  // the matrix to which the facts refer
  Precision precision = Precision::f32;
  bool operator==(const SmallestReads&) const = default;
};
std::optional<SmallestFormat> smallest_of(const SmallestReads& of, Progress& progress);

// The size of each format of a matrix, and the memory for it. The free memory of this machine is read when this is
// made; formats that are built meanwhile leave less.
struct CostReads {
  SmallestReads of;
  std::map<std::string, ParamSet> params;  // by format, complete
  MemoryBudget memory;
  double device_bytes = 0;  // 0: not known
  std::string device;       // its name
  std::vector<const Format*> built;
  bool operator==(const CostReads&) const = default;
};
CostReads cost_reads(const AppState& s, const OpenMatrix& m);
Budget budget_of(const CostReads& of);
std::shared_ptr<FormatCosts> costs_of(const CostReads& of, Progress& progress);

// The values for estimates that take long; these are made when the slider rests.
struct SlowReads {
  SmallestReads of;
  std::map<std::string, ParamSet> params;
  Budget budget;
  bool operator==(const SlowReads&) const = default;
};
SlowReads slow_reads(const OpenMatrix& m);
std::vector<FormatCost> slow_costs_of(const SlowReads& of, Progress& progress);

// The stage of a slow estimate that cannot be interrupted: a cancel takes effect after it.
inline constexpr const char* kUninterrupted = "estimate: cannot be interrupted";

}  // namespace warpspy::ui
