// Of what each thing that follows from the state is made: structs that compare themselves, a function that gathers
// each, and one that makes the thing of it alone.
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

// The runs that are listed. Of all that were ever made only which are here matters: the history knows the others.
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

// Points of every run that is known, wherever it is shown.
struct PointReads {
  std::vector<RunPtr> runs;
  // What all are placed by.
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
  std::shared_ptr<const Matrix> matrix;  // which the facts look at
  Precision precision = Precision::f32;
  bool operator==(const SmallestReads&) const = default;
};
std::optional<SmallestFormat> smallest_of(const SmallestReads& of, Progress& progress);

// What formats would take of a matrix, and what there is for them: what is free on this machine is asked when it is
// made, and other formats that are built there leave less.
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

// Estimates that take long, of a slider that rests.
struct SlowReads {
  SmallestReads of;
  std::map<std::string, ParamSet> params;
  Budget budget;
  bool operator==(const SlowReads&) const = default;
};
SlowReads slow_reads(const OpenMatrix& m);
std::vector<FormatCost> slow_costs_of(const SlowReads& of, Progress& progress);

// What a slow estimate is doing: cancelling it takes effect afterwards.
inline constexpr const char* kUninterrupted = "estimate: cannot be interrupted";

}  // namespace warpspy::ui
