// The data of a run that the pattern shows: which thread reads which entry. A job finds them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/jobs/jobs.hpp"
#include "core/plot/pattern_shades.hpp"
#include "core/run/entry_trace.hpp"
#include "core/run/record.hpp"
#include "ui/state/camera.hpp"

namespace warpspy::ui {

struct PatternTrace {
  std::uint64_t matrix = 0;  // 0: none
  std::string of;            // "run 12", "the next run"
  JobPtr job;                // while it is being found out
  std::string problem;       // why there is none
  std::shared_ptr<const EntryTrace> trace;
  RunRequest request;                                       // the request to which it belongs
  std::map<std::string, std::vector<plot::ShadeKey>> keys;  // legends, by shading
};

// The rows whose entries are traced: all rows, or, if these are too many, rows around the middle of the view. They
// change in large steps, so that panning seldom starts a new job.
struct RowSpan {
  index_t begin = 0, end = 0;
  bool operator==(const RowSpan&) const = default;
};
RowSpan traced_rows(const Csr& a, const Camera& camera);

}  // namespace warpspy::ui
