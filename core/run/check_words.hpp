// This header puts the check of a run's result into words, for people and for JSON. A result is correct, wrong, or not
// checked for a reason.
#pragma once

#include <string>

#include "core/run/record.hpp"

namespace warpspy {

// A note with this beginning says why no row of a run was checked.
inline constexpr char not_checked_note[] = "not checked: ";

// Whether a note says that no row was checked.
bool is_noted_unchecked(const RunRecord& r);
// Returns why no row was checked; "" if a row was checked, and for a run that failed.
std::string why_not_checked(const RunRecord& r);
// Returns "correct", "WRONG" or "not checked, because ...". Returns "" for a run that ended before its check.
std::string check_text(const RunRecord& r);

}  // namespace warpspy
