#include "core/base/utc.hpp"

#include <ctime>

namespace warpspy {

std::string utc_text(const char* format) {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[40];
  return {text, std::strftime(text, sizeof text, format, &parts)};
}

std::string utc_now() { return utc_text("%Y-%m-%dT%H:%M:%SZ"); }

}  // namespace warpspy
