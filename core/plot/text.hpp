// Numbers as text, for titles, cards and tables.
#pragma once

#include <string>

#include "core/matrix/types.hpp"

namespace warpspy::plot {

// Thousands apart by a narrow space as plain ASCII space: "4 007 383".
std::string grouped(index_t n);
// "0.103 %", "12 %": two or three digits.
std::string percent(double share);
// `digits` significant digits, no exponent in everyday ranges: "0.161", "1240".
std::string significant(double v, int digits);
// The shortest text that reads back as v; empty for a number that is not finite.
std::string exact(double v);

}  // namespace warpspy::plot
