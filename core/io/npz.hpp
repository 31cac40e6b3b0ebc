// NumPy's .npz file is a zip archive of arrays. This reads sparse matrices that SciPy wrote (scipy.sparse.save_npz). It
// writes any arrays, so that other tools can read them with numpy.load.
#pragma once

#include <complex>
#include <cstdint>
#include <type_traits>

#include "core/io/reader.hpp"

namespace warpspy {

bool looks_npz(std::string_view head);
Matrix read_scipy_npz(Source& source, const std::string& location, const ReadLimits& limits, Progress& progress);

// An array to write: C order, little endian. The data are not copied and must outlive the call.
struct NamedArray {
  std::string name;                 // "values": the array's key in numpy.load(...)
  std::string dtype;                // type in NumPy's form: "<f8", "<i4", "|b1", "<c16", "|S3"
  std::vector<std::int64_t> shape;  // empty: a single value
  const void* data = nullptr;
};

template <class T>
constexpr const char* numpy_dtype() {
  if constexpr (std::is_same_v<T, bool>) return "|b1";
  if constexpr (std::is_same_v<T, float>) return "<f4";
  if constexpr (std::is_same_v<T, double>) return "<f8";
  if constexpr (std::is_same_v<T, std::complex<float>>) return "<c8";
  if constexpr (std::is_same_v<T, std::complex<double>>) return "<c16";
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    constexpr bool s = std::is_signed_v<T>;
    return sizeof(T) == 1   ? (s ? "|i1" : "|u1")
           : sizeof(T) == 2 ? (s ? "<i2" : "<u2")
           : sizeof(T) == 4 ? (s ? "<i4" : "<u4")
                            : (s ? "<i8" : "<u8");
  }
}
// Makes an array to write from a vector, or from a matrix of the given shape.
template <class T>
NamedArray array_of(std::string name, std::span<const T> data, std::vector<std::int64_t> shape = {}) {
  if (shape.empty()) shape = {static_cast<std::int64_t>(data.size())};
  return {std::move(name), numpy_dtype<T>(), std::move(shape), data.data()};
}
// Makes an array to write from a single value, or from a single text (bytes to NumPy), which must outlive the call.
template <class T>
NamedArray value_of(std::string name, const T& value) {
  return {std::move(name), numpy_dtype<T>(), {}, &value};
}
NamedArray text_of(std::string name, const std::string& text);

struct NpzOptions {
  bool compress = false;  // true: compressed (numpy.savez_compressed); false: stored
};
// The file is written under another name and renamed at the end. Throws Error and Cancelled; the old file then stays.
void write_npz(const std::string& path, std::span<const NamedArray> arrays, const NpzOptions& options = {},
               Progress* progress = nullptr);
// Writes a matrix as scipy.sparse.save_npz writes a csr_matrix, so that scipy.sparse.load_npz reads it.
void write_scipy_npz(const Csr& a, const std::string& path, const NpzOptions& options = {},
                     Progress* progress = nullptr);

}  // namespace warpspy
