#include "core/io/vector_file.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/base/csv.hpp"
#include "core/base/regular_file.hpp"
#include "core/base/target.hpp"
#include "core/io/io.hpp"
#include "core/io/npy.hpp"

namespace warpspy {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{64} << 30;

template <class T>
std::vector<double> numbers_of(std::string_view bytes) {
  std::vector<double> v(bytes.size() / sizeof(T));
  for (std::size_t i = 0; i < v.size(); ++i) {
    T one;
    std::memcpy(&one, bytes.data() + i * sizeof(T), sizeof(T));
    v[i] = static_cast<double>(one);
  }
  return v;
}

std::vector<double> numbers_of_npy(const std::string& path) {
  const std::string file = warpspy::read_file(path, most_bytes, {.what = "vector"});
  const NpyHeader h = parse_npy_header(file, path);
  std::size_t elements = 1, longest = 1;
  for (const std::int64_t extent : h.shape) {
    elements *= static_cast<std::size_t>(extent);
    longest = std::max(longest, static_cast<std::size_t>(extent));
  }
  if (elements != longest && elements != 0)
    throw Error("the array has more than one dimension, and a vector has one", path, "save the vector alone");
  const std::string_view bytes = std::string_view(file).substr(std::min(h.data_at, file.size()));
  const std::int64_t wanted = data_bytes(h);
  if (wanted < 0 || bytes.size() < static_cast<std::size_t>(wanted))
    throw Error("the file ends before its numbers do", path, "write it anew");
  const std::string_view data = bytes.substr(0, static_cast<std::size_t>(wanted));
  static_assert(std::endian::native == std::endian::little);
  if (h.dtype == "<f8") return numbers_of<double>(data);
  if (h.dtype == "<f4") return numbers_of<float>(data);
  if (h.dtype == "<i8") return numbers_of<std::int64_t>(data);
  if (h.dtype == "<i4") return numbers_of<std::int32_t>(data);
  throw Error("its numbers have type " + h.dtype + ", and a vector's are <f8, <f4, <i8 or <i4", path,
              "save it as numpy.save(FILE, v.astype(float))");
}

}  // namespace

std::vector<double> read_vector(const std::string& path, Progress& progress) {
  if (path.ends_with(".npy")) return numbers_of_npy(path);
  const Matrix m = open_matrix(path, progress);
  if (m.csr->cols() != 1 || m.csr->is_complex())
    throw Error("it is no vector: it has " + std::to_string(m.csr->cols()) +
                    (m.csr->is_complex() ? " columns of complex numbers" : " columns"),
                path, "give a file with one column of real numbers");
  std::vector<double> v(static_cast<std::size_t>(m.csr->rows()));
  for (index_t row = 0; row < m.csr->rows(); ++row)
    if (m.csr->row_length(row) > 0)
      v[static_cast<std::size_t>(row)] = m.csr->values()[static_cast<std::size_t>(m.csr->row_ptr()[row])];
  return v;
}

void write_vector(const std::string& path, std::span<const double> v) {
  Target to(path);
  if (path.ends_with(".npy")) {
    to.write(npy_header("<f8", {static_cast<std::int64_t>(v.size())}));
    to.write({reinterpret_cast<const char*>(v.data()), v.size_bytes()});
  } else {
    to.write("%%MatrixMarket matrix array real general\n" + std::to_string(v.size()) + " 1\n");
    for (const double each : v) to.write(csv::number(each) + "\n");
  }
  to.commit();
}

}  // namespace warpspy
