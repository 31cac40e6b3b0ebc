#include "core/run/check_words.hpp"

#include <algorithm>

namespace warpspy {

bool is_noted_unchecked(const RunRecord& r) {
  return std::any_of(r.notes.begin(), r.notes.end(),
                     [](const std::string& note) { return note.starts_with(not_checked_note); });
}

std::string why_not_checked(const RunRecord& r) {
  if (r.check && r.check->rows_checked > 0) return {};
  if (!r.check && r.status != RunStatus::ok) return {};
  if (r.solve) return "a solve is judged by its true residual";
  const std::string prefix = not_checked_note;
  for (const std::string& note : r.notes)
    if (note.starts_with(prefix)) return note.substr(prefix.size());
  if (r.check && r.check->rows_left_out > 0)
    return std::string("its sums hold infinities or NaN, or may be beyond ") + name_of(r.request.precision);
  if (r.rows == 0 || r.cols == 0) return "the matrix has no rows or no columns";
  // Samples of older versions did not record the reason: none of their blocks completes a row.
  if (r.sampled_share < 1) return "no row is complete in the blocks that ran";
  return "the run did not record why";
}

std::string check_text(const RunRecord& r) {
  if (r.check && !r.check->passed) return verdict_of(*r.check);
  if (const std::string why = why_not_checked(r); !why.empty()) return "not checked, because " + why;
  return r.check ? verdict_of(*r.check) : "";
}

}  // namespace warpspy
