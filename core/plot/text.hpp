// Writes numbers as text, for titles, tooltips and tables.
#pragma once

#include <cstddef>
#include <string>

#include "core/base/numbers.hpp"

namespace warpspy::plot {

// "0.103 %", "12 %": two or three digits.
std::string percent(double share);
// `digits` significant digits, no exponent in everyday ranges: "0.161", "1240".
std::string significant(double v, int digits);
// The shortest text that reads back as v; empty for a number that is not finite.
std::string exact(double v);
// Shortens a long name to at most this many bytes and an ellipsis. The middle is cut out, since names differ at their
// ends.
std::string shortened(const std::string& name, std::size_t most);

// A text of a record as figures and the window show it: "1.3 us" becomes "1.3 µs". Files keep the "us".
std::string with_micro(const std::string& text);

}  // namespace warpspy::plot
