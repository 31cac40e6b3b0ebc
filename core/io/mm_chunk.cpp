#include "core/io/mm_chunk.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>

#include "core/io/mm_number.hpp"

namespace warpspy {

// The power of ten of the first nonzero digit decides.
bool beyond_the_largest(std::string_view token) {
  const auto e = std::min(token.find_first_of("eE"), token.size());
  std::string_view digits = token.substr(0, e), power = token.substr(std::min(e + 1, token.size()));
  const auto first = digits.find_first_of("123456789");
  if (first == std::string_view::npos) return false;
  const auto point = static_cast<std::int64_t>(std::min(digits.find('.'), digits.size()));
  const auto lead = static_cast<std::int64_t>(first);
  std::int64_t ten = first < static_cast<std::size_t>(point) ? point - lead - 1 : point - lead;
  const bool negative = power.starts_with('-');
  if (negative || power.starts_with('+')) power.remove_prefix(1);
  std::int64_t n = 0;
  // An exponent beyond 64 bits is larger than any mantissa that fits into memory can compensate.
  if (std::from_chars(power.data(), power.data() + power.size(), n).ec == std::errc::result_out_of_range)
    return !negative;
  ten = negative ? ten - n : n > INT64_MAX - std::max<std::int64_t>(ten, 0) ? INT64_MAX : ten + n;
  return ten > 0;
}

const char* parse_real_slowly(const char* p, double& value) {
  const char* stop = p;
  while (!ends_number(*stop)) ++stop;
  std::string token(p, stop);
  if (token.starts_with("+-")) return nullptr;
  if (token.starts_with('+')) token.erase(0, 1);
  for (char& c : token)
    if (c == 'd' || c == 'D') c = 'e';
  const char* end = token.data() + token.size();
  const auto [at, status] = std::from_chars(token.data(), end, value);
  if (at != end) return nullptr;
  if (status == std::errc()) return stop;
  if (status != std::errc::result_out_of_range) return nullptr;
  if (beyond_the_largest(token)) return nullptr;
  value = token.starts_with('-') ? -0.0 : 0.0;
  return stop;
}

namespace {

// The fewest bytes of a data line, to estimate a chunk's memory.
std::size_t shortest_line(const MmHeader& h) {
  const std::size_t numbers = h.field == MmField::complex ? 2 : h.field == MmField::pattern ? 0 : 1;
  return 2 * (numbers + (h.format == MmFormat::coordinate ? 2 : 0));
}

template <MmField kField, class I>
const char* parse_line(const char* p, const char* end, const MmHeader& h, bool coordinate, index_t n, I* row, I* col,
                       double* re, double* im, index_t& rounded) {
  if (coordinate) {
    p = parse_index(p, static_cast<std::uint64_t>(h.rows), row[n]);
    if (!p) return nullptr;
    p = parse_index(skip_blanks(p), static_cast<std::uint64_t>(h.cols), col[n]);
    if (!p) return nullptr;
    p = skip_blanks(p);
  }
  if constexpr (kField == MmField::pattern) re[n] = 1;
  if constexpr (kField == MmField::real || kField == MmField::complex) p = parse_real(p, end, re[n]);
  if constexpr (kField == MmField::integer) {
    if (h.field == MmField::unsigned_integer && *p == '-') return nullptr;
    p = parse_integer(p, re[n], rounded);
  }
  if constexpr (kField == MmField::complex) {
    if (!p) return nullptr;
    p = parse_real(skip_blanks(p), end, im[n]);
  }
  if (!p) return nullptr;
  p = skip_blanks(p);
  return *p == '\n' ? p + 1 : nullptr;
}

template <MmField kField, class I>
void parse_lines(const MmHeader& h, MmChunk<I>& chunk) {
  const std::size_t room = chunk.text.size() / shortest_line(h) + 1;
  const bool coordinate = h.format == MmFormat::coordinate;
  I* row = coordinate ? chunk.file.row.at_least(room) : nullptr;
  I* col = coordinate ? chunk.file.col.at_least(room) : nullptr;
  double* re = chunk.file.re.at_least(room);
  double* im = kField == MmField::complex ? chunk.file.im.at_least(room) : nullptr;

  const char* p = chunk.text.data();
  const char* const end = p + chunk.text.size();
  index_t n = 0, rounded = 0;
  while (p < end) {
    const char* start = p;
    p = skip_blanks(p);
    if (*p == '\n' || *p == '%') [[unlikely]] {
      p = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p))) + 1;
      ++chunk.skipped;
      continue;
    }
    p = parse_line<kField>(p, end, h, coordinate, n, row, col, re, im, rounded);
    if (!p) [[unlikely]] {
      const auto* stop = static_cast<const char*>(std::memchr(start, '\n', static_cast<std::size_t>(end - start)));
      const MmComplaint why = explain_line(h, {start, static_cast<std::size_t>(stop - start)});
      chunk.bad_line = n + chunk.skipped;
      chunk.reason = why.reason;
      chunk.expected = why.expected;
      break;
    }
    ++n;
  }
  chunk.entries = n;
  chunk.rounded = rounded;
  if constexpr (kField == MmField::real || kField == MmField::complex) {
    for (index_t k = 0; k < n; ++k) chunk.not_finite += !std::isfinite(re[k]);
    if constexpr (kField == MmField::complex)
      for (index_t k = 0; k < n; ++k) chunk.not_finite += std::isfinite(re[k]) && !std::isfinite(im[k]);
  }
}

// Puts every entry off the diagonal next to its mirror.
template <class I>
void mirror(const MmHeader& h, MmChunk<I>& chunk) {
  const auto n = static_cast<std::size_t>(chunk.entries);
  const bool complex = h.field == MmField::complex;
  const double re_sign = h.symmetry == MmSymmetry::skew_symmetric ? -1 : 1;
  const double im_sign = h.symmetry == MmSymmetry::symmetric ? 1 : -1;
  const I* row = chunk.file.row.data.get();
  const I* col = chunk.file.col.data.get();
  const double* re = chunk.file.re.data.get();
  const double* im = chunk.file.im.data.get();
  I* to_row = chunk.mirrored.row.at_least(2 * n);
  I* to_col = chunk.mirrored.col.at_least(2 * n);
  double* to_re = chunk.mirrored.re.at_least(2 * n);
  double* to_im = complex ? chunk.mirrored.im.at_least(2 * n) : nullptr;
  const auto put = [&](std::size_t at, I i, I j, double v, double w) {
    to_row[at] = i;
    to_col[at] = j;
    to_re[at] = v;
    if (complex) to_im[at] = w;
  };

  std::size_t out = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const I i = row[k], j = col[k];
    const double v = re[k], w = complex ? im[k] : 0;
    put(out++, i, j, v, w);
    if (i != j) {
      put(out++, j, i, re_sign * v, im_sign * w);
      ++(i < j ? chunk.above : chunk.below);
      continue;
    }
    chunk.odd_diagonal += is_odd_diagonal(h, v, w);
  }
  chunk.stored = static_cast<index_t>(out);
}

}  // namespace

template <class I>
void parse_chunk(const MmHeader& h, MmChunk<I>& chunk) {
  chunk.entries = chunk.skipped = chunk.above = chunk.below = 0;
  chunk.rounded = chunk.not_finite = chunk.odd_diagonal = 0;
  chunk.bad_line = -1;
  switch (h.field) {
    case MmField::real:
      parse_lines<MmField::real>(h, chunk);
      break;
    case MmField::integer:
    case MmField::unsigned_integer:
      parse_lines<MmField::integer>(h, chunk);
      break;
    case MmField::complex:
      parse_lines<MmField::complex>(h, chunk);
      break;
    case MmField::pattern:
      parse_lines<MmField::pattern>(h, chunk);
      break;
  }
  chunk.stored = chunk.entries;
  // In an array, the place of a number depends on how many came before, so the reader mirrors these.
  if (h.symmetry != MmSymmetry::general && h.format == MmFormat::coordinate) mirror(h, chunk);
}

template void parse_chunk(const MmHeader&, MmChunk<std::int32_t>&);
template void parse_chunk(const MmHeader&, MmChunk<std::int64_t>&);

index_t line_of_entry(const std::vector<char>& text, index_t t) {
  const char* p = text.data();
  const char* const end = p + text.size();
  for (index_t line = 0; p < end; ++line) {
    const char* q = skip_blanks(p);
    const bool data = *q != '\n' && *q != '%';
    if (data && t-- == 0) return line;
    p = static_cast<const char*>(std::memchr(q, '\n', static_cast<std::size_t>(end - q))) + 1;
  }
  return 0;
}

}  // namespace warpspy
