// Names and numbers of runs.
#pragma once

#include <cstdint>
#include <string>

#include "core/run/record.hpp"

namespace warpspy {

// Returns a run's name, such as "k7m2p4x". It is made from the run's start time and request, which never change. So a
// run has the same name on every machine, in every file and in every version.
std::string run_name(const RunRecord& r);

// Runs without a number in a history get numbers from here on, so that no two runs of a window share a number.
inline constexpr std::uint64_t kUnsaved = std::uint64_t{1} << 40;
// Trials of a history have their own numbers, from here on, so that the numbers of other runs have no gaps.
inline constexpr std::uint64_t kTrials = std::uint64_t{1} << 41;

// A short text for narrow columns: the run's number ("17"), or its name if the history has no number for it.
std::string run_number(const RunRecord& r);
// Number and name, such as "17 k7m2p4x".
std::string run_title(const RunRecord& r);

// The beginning of a note for a complex matrix; "real parts" or "moduli" follows.
inline constexpr const char* kComplexNote = "complex matrix: the product ran on the ";
// Returns which real matrix a run made of a complex one: "real parts" or "moduli". "" for a real matrix.
std::string real_view_of(const RunRecord& r);

}  // namespace warpspy
