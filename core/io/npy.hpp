// Reads and writes the header of NumPy's .npy files. Such a file has one array: a header (a Python dictionary as text),
// then the numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpspy {

struct NpyHeader {
  std::string dtype;  // "<f8"
  bool fortran_order = false;
  std::vector<std::int64_t> shape;  // empty: a single value
  std::size_t data_at = 0;          // bytes before the numbers
};

// Bytes of one element: 8 for "<f8", 12 for "<U3"; 0 when the type is not known.
std::size_t bytes_of_dtype(std::string_view dtype);
// Bytes of the numbers, or -1 when that does not fit.
std::int64_t data_bytes(const NpyHeader& h);

// Parses the header, from the magic bytes to data_at; `head` may be longer. Throws Error (`place`).
NpyHeader parse_npy_header(std::string_view head, const std::string& place);
// The header as numpy.save writes it, padded to a multiple of 64 bytes.
std::string npy_header(std::string_view dtype, const std::vector<std::int64_t>& shape);

}  // namespace warpspy
