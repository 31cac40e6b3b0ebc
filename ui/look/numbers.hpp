// Writes numbers as the window shows them.
#pragma once

#include <string>

#include "core/base/types.hpp"

namespace warpspy::ui {

// "1,234,567"; "3.14" (significant digits, no trailing zeros); "1.5 GB"; "12.5 %".
std::string count_text(index_t n);
std::string real_text(double v, int digits = 4);
std::string bytes_text(double bytes);
inline constexpr const char* kDash = "\xE2\x80\x93";  // shown in place of a missing number
std::string percent_text(double share);               // 0..1
std::string seconds_text(double s);                   // "2 s left" makes sense after it

}  // namespace warpspy::ui
