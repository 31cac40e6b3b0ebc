#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "core/io/io.hpp"
#include "core/io/npz.hpp"
#include "core/io/packed.hpp"
#include "core/io/reader.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace warpspy::fuzz {
namespace {

bool same_bits(std::span<const double> a, std::span<const double> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  });
}

void require_same(const Csr& a, const Csr& b, const std::string& how) {
  require(a.rows() == b.rows() && a.cols() == b.cols() && a.nnz() == b.nnz(), how + ": another size");
  require(std::equal(a.row_ptr().begin(), a.row_ptr().end(), b.row_ptr().begin()), how + ": other row pointers");
  for (index_t k = 0; k < a.nnz(); ++k) require(a.columns()[k] == b.columns()[k], how + ": another column");
  require(same_bits(a.values(), b.values()) && same_bits(a.imag(), b.imag()), how + ": other values");
}

// Said here once more, in other words than the constructor's.
void check_csr(const Csr& a) {
  require(a.rows() >= 0 && a.cols() >= 0, "negative size");
  require(a.row_ptr().size() == static_cast<std::size_t>(a.rows()) + 1 && a.row_ptr()[0] == 0, "row pointers");
  const auto nnz = static_cast<std::size_t>(a.nnz());
  require(a.columns().size() == nnz && a.values().size() == nnz, "sizes of the arrays");
  require(!a.is_complex() || a.imag().size() == nnz, "size of the imaginary parts");
  for (index_t i = 0; i < a.rows(); ++i) {
    require(a.row_ptr()[i] <= a.row_ptr()[i + 1] && a.row_ptr()[i + 1] <= a.nnz(), "a row pointer");
    for (index_t k = a.row_ptr()[i]; k < a.row_ptr()[i + 1]; ++k) {
      require(a.columns()[k] >= 0 && a.columns()[k] < a.cols(), "a column");
      require(k == a.row_ptr()[i] || a.columns()[k - 1] < a.columns()[k], "the order of columns");
    }
  }
}

Csr read_back(const std::string& path) {
  Progress progress;
  const auto file = open_source(path);
  Peeked source(*file, kHeadBytes);
  const MatrixReader* reader = recognise(source.head(), source.name());
  require(reader != nullptr, "what was written is not recognised");
  try {
    return *reader->read(source, path, {UINT64_MAX}, progress).csr;
  } catch (const Error& e) {
    require(false, std::string("what was written is refused: ") + e.what());
    throw;
  }
}

bool finite(const Csr& a) {
  const auto ok = [](double v) { return std::isfinite(v); };
  return std::all_of(a.values().begin(), a.values().end(), ok) && std::all_of(a.imag().begin(), a.imag().end(), ok);
}

}  // namespace

void require(bool ok, std::string_view what) {
  if (ok) return;
  std::fprintf(stderr, "not as it should be: %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

void check_matrix(const Matrix& m) {
  const Csr& a = *m.csr;
  check_csr(a);
  require(m.source.duplicates >= 0 && m.source.entries_in_file >= 0, "counts of the file");
  constexpr index_t large = 200000;  // such sizes have been written and read often enough
  if (a.rows() > large || a.nnz() > large) return;
  const std::string mtx = folder() + "/back.mtx", npz = folder() + "/back.npz";
  if (finite(a)) {  // Matrix Market has no others
    write_matrix_market(a, mtx, options_like(m));
    require_same(a, read_back(mtx), ".mtx as the source was");
  }
  write_scipy_npz(a, npz);
  require_same(a, read_back(npz), ".npz");
}

}  // namespace warpspy::fuzz
