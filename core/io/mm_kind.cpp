// The field and symmetry with which a matrix can be written so that it is read back exactly.
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <bit>
#include <cmath>

#include "core/io/io.hpp"
#include "core/io/matrix_market.hpp"

namespace warpspy {
namespace {

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

// Whether every row is as `ok(row)` wants it.
template <class F>
bool all_rows(const Csr& a, F&& ok) {
  return tbb::parallel_reduce(
      tbb::blocked_range<index_t>(0, a.rows(), 1024), true,
      [&](const auto& range, bool good) {
        for (index_t i = range.begin(); good && i < range.end(); ++i) good = ok(i);
        return good;
      },
      [](bool x, bool y) { return x && y; });
}

bool has_field(const Csr& a, MmField field) {
  if ((field == MmField::complex) != a.is_complex()) return false;
  if (field == MmField::real || field == MmField::complex) return true;
  return all_rows(a, [&](index_t i) {
    for (index_t k = a.row_ptr()[i]; k < a.row_ptr()[i + 1]; ++k) {
      const double v = a.values()[k];
      if (field == MmField::pattern && v != 1) return false;
      // Text has no negative zero among the integers.
      if (!(std::abs(v) < 0x1p63) || std::trunc(v) != v || (v == 0 && std::signbit(v))) return false;
    }
    return true;
  });
}

// Whether every entry off the diagonal has its mirror, with the value that the reader would give it.
bool has_symmetry(const Csr& a, MmSymmetry symmetry) {
  if (symmetry == MmSymmetry::general) return true;
  if (a.rows() != a.cols()) return false;
  const double re_sign = symmetry == MmSymmetry::skew_symmetric ? -1 : 1;
  const double im_sign = symmetry == MmSymmetry::symmetric ? 1 : -1;
  return all_rows(a, [&](index_t i) {
    for (index_t k = a.row_ptr()[i]; k < a.row_ptr()[i + 1]; ++k) {
      const index_t j = a.columns()[static_cast<std::size_t>(k)];
      if (i == j) continue;
      const index_t lower = i > j ? k : a.find(j, i), upper = i > j ? a.find(j, i) : k;
      if (lower < 0 || upper < 0 || !same_bits(a.values()[upper], re_sign * a.values()[lower])) return false;
      if (a.is_complex() && !same_bits(a.imag()[upper], im_sign * a.imag()[lower])) return false;
    }
    return true;
  });
}

}  // namespace

WriteOptions options_like(const Matrix& m) {
  const Csr& a = *m.csr;
  WriteOptions o;
  o.field = a.is_complex() ? "complex" : "real";
  for (const MmField f : {MmField::integer, MmField::pattern})
    if (m.source.field == name_of(f) && has_field(a, f)) o.field = name_of(f);
  for (const MmSymmetry s : {MmSymmetry::symmetric, MmSymmetry::skew_symmetric, MmSymmetry::hermitian}) {
    // A pattern has no signs to turn.
    const bool allowed = o.field != "pattern" || s == MmSymmetry::symmetric;
    if (m.source.symmetry == name_of(s) && allowed && has_symmetry(a, s)) o.symmetry = name_of(s);
  }
  return o;
}

}  // namespace warpspy
