// Writes numbers as text, so that all parts of the program write them in the same way.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/types.hpp"

namespace warpspy {

// Writes a number with a gap between thousands: "4 007 383".
std::string grouped(index_t n, char between = ' ');

// A number with its noun: "1 request", "4 007 requests". `plural` is for a noun whose plural is more than an added s.
std::string counted(index_t n, const std::string& word, const std::string& plural = {});

// "4GiB", "1.5 GB", "512MB", "1e9": a number above 0, then B, kB to EB or KiB to EiB (in any case), else bytes. Throws
// Error that names `what`.
std::uint64_t bytes_from_text(const std::string& text, const std::string& what);

// Writes a number of bytes as a text that bytes_from_text() reads as the same number: "4GiB", "1500MB", "1234567".
std::string exact_bytes_text(std::uint64_t bytes);

// A number of bytes in the decimal unit in which it has at most three digits before the point.
struct ScaledBytes {
  double value;
  const char* unit;
};
ScaledBytes scaled_bytes(double bytes);
// "3.2 GB", "512 MB": at most one digit after the point.
std::string byte_text(double bytes);
// Writes bytes with this many significant digits, without zeros at the end: "3.21 GB".
std::string byte_text(double bytes, int digits);

}  // namespace warpspy
