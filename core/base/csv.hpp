// Writes lines of CSV (RFC 4180).
#pragma once

#include <string>
#include <vector>

namespace warpspy::csv {

// Appends one line; a field is quoted where CSV needs it.
void add_line(std::string& out, const std::vector<std::string>& fields, const char* end = "\r\n");
// The shortest text that gives the same number when read; "nan", "inf", "-inf".
std::string number(double v);

}  // namespace warpspy::csv
