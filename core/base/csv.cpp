#include "core/base/csv.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace warpspy::csv {
namespace {

// RFC 4180: quoted when it holds a separator, a quote or a line break; quotes doubled.
std::string quoted(const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string out = "\"";
  for (const char c : field) out.append(c == '"' ? 2 : 1, c);
  out += '"';
  return out;
}

}  // namespace

std::string number(double v) {
  if (std::isnan(v)) return "nan";
  if (std::isinf(v)) return v > 0 ? "inf" : "-inf";
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.17g", v);
  // The shortest text that reads back the same.
  for (int digits = 6; digits < 17; ++digits) {
    char shorter[40];
    std::snprintf(shorter, sizeof shorter, "%.*g", digits, v);
    if (std::strtod(shorter, nullptr) == v) return shorter;
  }
  return buffer;
}

void add_line(std::string& out, const std::vector<std::string>& fields, const char* end) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i) out += ',';
    out += quoted(fields[i]);
  }
  out += end;
}

}  // namespace warpspy::csv
