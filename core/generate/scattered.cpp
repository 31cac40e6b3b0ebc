// Matrices without structure: uniform, heavy-tailed, and a few very long rows.
#include "core/generate/build.hpp"
#include "core/generate/makers.hpp"

namespace warpspy::generate_detail {
namespace {

// u^a for 0 <= a <= 1 and 0 < u <= 1, as a product of repeated square roots, one per binary digit of a. std::pow
// differs between C libraries in the last digit; square roots and products are rounded correctly everywhere.
double power(double u, double a) {
  if (a >= 1) return u;
  double result = 1;
  for (int digit = 0; digit < 24 && a > 0; ++digit) {
    u = std::sqrt(u);
    a *= 2;
    if (a >= 1) {
      result *= u;
      a -= 1;
    }
  }
  return result;
}

// Rounds up or down at random; the mean does not change.
index_t rounded(double x, Random& random, index_t most) {
  return static_cast<index_t>(std::min(x + random.uniform(), static_cast<double>(most)));
}

struct Base {
  index_t rows = 0, cols = 0;
  std::uint64_t seed = 1;
  // Lengths and columns have separate random streams. So fill() need not repeat the draws of length().
  Random length_stream(index_t row) const { return Random(2 * seed, row); }

  // Draws `length` distinct columns. It draws with repetition from cols - length + 1 numbers; then each drawn column
  // shifts the later ones up by one. draw(random, n) returns a number in [0, n).
  template <class Column, class Draw>
  void scatter(index_t row, index_t length, Column* columns, double* values, const Draw& draw) const {
    Random random(2 * seed + 1, row);
    const auto places = static_cast<std::uint64_t>(cols - length + 1);
    for (index_t k = 0; k < length; ++k) columns[k] = static_cast<Column>(draw(random, places));
    std::sort(columns, columns + length);
    for (index_t k = 0; k < length; ++k) {
      columns[k] += static_cast<Column>(k);
      values[k] = value_at(seed, row, columns[k]);
    }
  }
};

std::uint64_t uniform_column(Random& random, std::uint64_t n) { return scaled(random.next(), n); }

// The cube of a uniform number: column c has a density proportional to c^(-2/3). So column degrees have a tail of
// exponent 2.5, and the first columns are the hubs.
std::uint64_t skewed_column(Random& random, std::uint64_t n) {
  const std::uint64_t r = random.next();
  return scaled(scaled(scaled(r, r), r), n);
}

struct Uniform : Base {
  index_t per_row = 0;
  index_t length(index_t) const { return std::min(per_row, cols); }
  template <class Column>
  void fill(index_t row, Column* columns, double* values) const {
    scatter(row, length(row), columns, values, uniform_column);
  }
};

// Any length from the shortest to the longest, all with the same probability.
struct Uneven : Base {
  index_t shortest = 0, longest = 0;
  index_t length(index_t row) const {
    const auto lengths = static_cast<std::uint64_t>(longest - shortest + 1);
    return std::min(cols, shortest + static_cast<index_t>(scaled(length_stream(row).next(), lengths)));
  }
  template <class Column>
  void fill(index_t row, Column* columns, double* values) const {
    scatter(row, length(row), columns, values, uniform_column);
  }
};

// Row lengths of a Pareto distribution: P(length > l) = (shortest / l)^(exponent - 1). The mean is shortest * (exponent
// - 1) / (exponent - 2); lengths are limited to the number of columns.
struct PowerLaw : Base {
  double mean = 0, exponent = 0;
  index_t length(index_t row) const {
    Random random = length_stream(row);
    const double shortest = mean * (exponent - 2) / (exponent - 1);
    return rounded(shortest / power(random.uniform(), 1 / (exponent - 1)), random, cols);
  }
  template <class Column>
  void fill(index_t row, Column* columns, double* values) const {
    scatter(row, length(row), columns, values, skewed_column);
  }
};

// Row lengths like those of rail4284, with mean 2634, median 1159 and maximum 56182. They are mean * 1.8 * u^2 / v^0.4
// with uniform u and v; the factors' expectations are 1/3 and 1/0.6.
struct LinearProgram : Base {
  double mean = 0;
  index_t length(index_t row) const {
    Random random = length_stream(row);
    const double u = random.uniform();
    return rounded(1.8 * mean * u * u / power(random.uniform(), 0.4), random, cols);
  }
  template <class Column>
  void fill(index_t row, Column* columns, double* values) const {
    scatter(row, length(row), columns, values, uniform_column);
  }
};

Base base_of(const ParamSet& p) {
  return {whole_number(p, "rows"), whole_number(p, "cols"), static_cast<std::uint64_t>(p.at("seed"))};
}

}  // namespace

Csr make_random(const ParamSet& p, Progress& progress) {
  const Uniform g{base_of(p), whole_number(p, "per_row")};
  return build_rows(g, p.at("rows") * std::min(p.at("per_row"), p.at("cols")), progress);
}

Csr make_uneven(const ParamSet& p, Progress& progress) {
  const Uneven g{base_of(p), whole_number(p, "shortest"), whole_number(p, "longest")};
  if (g.shortest > g.longest)
    throw Error("the shortest row is longer than the longest", {}, "give shortest at most longest");
  return build_rows(g, p.at("rows") * std::min((p.at("shortest") + p.at("longest")) / 2, p.at("cols")), progress);
}

Csr make_powerlaw(const ParamSet& p, Progress& progress) {
  const auto rows = whole_number(p, "rows");
  const Base base{rows, rows, static_cast<std::uint64_t>(p.at("seed"))};
  return build_rows(PowerLaw{base, p.at("mean"), p.at("exponent")}, p.at("rows") * p.at("mean"), progress);
}

Csr make_lp(const ParamSet& p, Progress& progress) {
  return build_rows(LinearProgram{base_of(p), p.at("mean")}, p.at("rows") * p.at("mean"), progress);
}

}  // namespace warpspy::generate_detail
