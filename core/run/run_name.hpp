// What a run is called, wherever it is.
#pragma once

#include <cstdint>
#include <string>

#include "core/run/record.hpp"

namespace warpspy {

// "k7m2p4x": of when it began and what it was, which no later answer changes. So it is the same for ever and on every
// machine, in any file that has the run, whichever version wrote it.
std::string run_name(const RunRecord& r);

// Runs that no history has numbered are numbered from here, so that no two runs of a window share a number.
inline constexpr std::uint64_t kUnsaved = std::uint64_t{1} << 40;
// Trials of a history are numbered by themselves, from here, so that the runs that people speak of stay in a row.
inline constexpr std::uint64_t kTrials = std::uint64_t{1} << 41;

// Where room is short: "17"; its name, where this history has not numbered it.
std::string run_number(const RunRecord& r);
// Where there is room: "17 k7m2p4x", number and name.
std::string run_title(const RunRecord& r);

// What stands in a run's notes where its matrix is complex; "real parts" or "moduli" follows.
inline constexpr const char* kComplexNote = "complex matrix: the product ran on the ";
// "real parts" or "moduli"; "" of a real matrix.
std::string real_view_of(const RunRecord& r);

}  // namespace warpspy
