// Whether a run's result was checked, for people and for JSON: correct, wrong, or not checked and why.
#pragma once

#include <string>

#include "core/run/record.hpp"

namespace warpspy {

// A note with this beginning says why no row of a run was checked.
inline constexpr char not_checked_note[] = "not checked: ";

// Whether a note says that no row was checked.
bool is_noted_unchecked(const RunRecord& r);
// Why no row was checked; "" if a row was checked, and for a run that failed.
std::string why_not_checked(const RunRecord& r);
// "correct", "WRONG", "not checked, because ..."; "" for a run that did not end well and was not checked.
std::string check_text(const RunRecord& r);

}  // namespace warpspy
