// Numbers as text, for titles, cards and tables.
#pragma once

#include <string>

#include "core/base/numbers.hpp"

namespace warpspy::plot {

// "0.103 %", "12 %": two or three digits.
std::string percent(double share);
// `digits` significant digits, no exponent in everyday ranges: "0.161", "1240".
std::string significant(double v, int digits);
// The shortest text that reads back as v; empty for a number that is not finite.
std::string exact(double v);

}  // namespace warpspy::plot
