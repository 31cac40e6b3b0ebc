// Returns the present time in UTC, as text.
#pragma once

#include <string>

namespace warpspy {

std::string utc_text(const char* format);  // the present time; `format` as for strftime
std::string utc_now();                     // ISO 8601: "2026-11-20T10:00:00Z"
std::string utc_now_ms();                  // "2026-11-20T10:00:00.123Z"

}  // namespace warpspy
