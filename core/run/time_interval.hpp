// How sure a modelled time is: an interval that should hold 90 % of the times that the GPU would show. The model makes
// it from products that were measured on this GPU (profiling/simulated/interval.hpp). A record has it as details.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/run/record.hpp"

namespace warpspy {

struct TimeInterval {
  double lower_us = 0, upper_us = 0;
  std::size_t samples = 0;  // measured products that it comes from
  std::string like;         // what they have in common with the run: "CSR vector, f32, cold"
};

// Writes the interval into the details of a record; or the reason why there is none.
void tell_interval(RunRecord& r, const TimeInterval& interval);
void tell_no_interval(RunRecord& r, const std::string& reason);

// The interval of a record; nothing if it has none: why_no_interval() says why.
std::optional<TimeInterval> interval_of(const RunRecord& r);
std::string why_no_interval(const RunRecord& r);

// "10.1 to 12.3 us, from 50 measured products (CSR vector, f32, cold)", or "unavailable: " and the reason. "" for a
// run whose time is measured.
std::string interval_text(const RunRecord& r);

// Why the model does not tell which of two runs is faster: their intervals overlap; a measured time is no interval.
// Begins with a verb: "may take 10.1 to 12.3 µs, and CSR vector may take 11 to 13 µs: ...". "" if they do not overlap,
// a modelled run has no interval, or both are measured.
std::string why_not_told_apart(const RunRecord& one, const RunRecord& other);

// A detail of the interval, which interval_text() puts into words.
bool is_of_interval(const Detail& d);

}  // namespace warpspy
