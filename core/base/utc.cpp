#include "core/base/utc.hpp"

#include <chrono>
#include <cstdio>
#include <ctime>

namespace warpspy {

namespace {

std::string text_of(std::time_t now, const char* format) {
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[40];
  return {text, std::strftime(text, sizeof text, format, &parts)};
}

}  // namespace

std::string utc_text(const char* format) { return text_of(std::time(nullptr), format); }

std::string utc_now() { return utc_text("%Y-%m-%dT%H:%M:%SZ"); }

std::string utc_now_ms() {
  using namespace std::chrono;
  const auto now = duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
  char rest[16];
  std::snprintf(rest, sizeof rest, ".%03dZ", static_cast<int>(now % 1000));
  return text_of(static_cast<std::time_t>(now / 1000), "%Y-%m-%dT%H:%M:%S") + rest;
}

}  // namespace warpspy
