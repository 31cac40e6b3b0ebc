#include "core/generate/bratu.hpp"

#include <array>

#include "core/generate/build.hpp"
#include "core/generate/generate.hpp"
#include "core/generate/makers.hpp"
#include "core/jobs/parallel.hpp"

namespace warpspy {
namespace {

constexpr std::size_t kParts = 64;
constexpr double kRowLength = 7;

// e^v to two units in the last place, by correctly rounded operations alone: e^v = 2^k e^r with |r| <= ln 2 / 2.
double exponential(double v) {
  constexpr double log2_e = 1.4426950408889634, ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;
  const double k = std::floor(v * log2_e + 0.5), r = (v - k * ln2_high) - k * ln2_low;
  double sum = 1;
  for (int term = 14; term >= 1; --term) sum = 1 + sum * (r / term);
  return std::ldexp(sum, static_cast<int>(std::clamp(k, -2000.0, 2000.0)));
}

// Calls what(i) for each unknown, several at a time.
template <class What>
void for_each_point(std::size_t count, const What& what) {
  in_parallel(kParts, [&](std::size_t part) {
    for (std::size_t i = part_begin(count, part, kParts); i < part_begin(count, part + 1, kParts); ++i) what(i);
  });
}

struct JacobianRows {
  const Bratu& problem;
  std::span<const double> u;
  index_t rows = 0, cols = 0;
  double h = 0;

  JacobianRows(const Bratu& p, std::span<const double> at)
      : problem(p), u(at), rows(p.n * p.n * p.n), cols(rows), h(1.0 / static_cast<double>(p.n - 1)) {}

  index_t length(index_t row) const { return problem.steps_to_boundary(row) == 0 ? 1 : 7; }
  template <class Column>
  void fill(index_t row, Column* columns, double* values) const {
    if (problem.steps_to_boundary(row) == 0) {
      *columns = static_cast<Column>(row);
      *values = 1;
      return;
    }
    const index_t line = problem.n, layer = line * line;
    for (const index_t step : std::array<index_t, 7>{-layer, -line, -1, 0, 1, line, layer}) {
      *columns++ = static_cast<Column>(row + step);
      *values++ = step == 0 ? 6 * h - h * h * h * problem.lambda * exponential(u[static_cast<std::size_t>(row)]) : -h;
    }
  }
};

}  // namespace

index_t Bratu::steps_to_boundary(index_t point) const {
  const index_t line = point / n;
  index_t least = n;
  for (const index_t at : {point % n, line % n, line / n}) least = std::min({least, at, n - 1 - at});
  return least;
}

std::vector<double> Bratu::start() const {
  std::vector<double> u(unknowns());
  const double h = 1.0 / static_cast<double>(n - 1), most = lambda / (lambda + 1);
  for_each_point(u.size(), [&](std::size_t i) {
    u[i] = most * std::sqrt(static_cast<double>(steps_to_boundary(static_cast<index_t>(i))) * h);
  });
  return u;
}

std::vector<double> Bratu::residual(std::span<const double> u) const {
  std::vector<double> f(u.size());
  const double h = 1.0 / static_cast<double>(n - 1);
  const auto line = static_cast<std::size_t>(n), layer = line * line;
  for_each_point(f.size(), [&](std::size_t i) {
    if (steps_to_boundary(static_cast<index_t>(i)) == 0) {
      f[i] = u[i];
      return;
    }
    const double along_x = 2 * u[i] - u[i - 1] - u[i + 1], along_y = 2 * u[i] - u[i - line] - u[i + line],
                 along_z = 2 * u[i] - u[i - layer] - u[i + layer];
    f[i] = h * (along_x + along_y + along_z) - h * h * h * lambda * exponential(u[i]);
  });
  return f;
}

Csr Bratu::jacobian(std::span<const double> u, Progress& progress) const {
  return generate_detail::build_rows(JacobianRows(*this, u), kRowLength * static_cast<double>(unknowns()), progress);
}

std::optional<Bratu> bratu_of(const std::string& source) {
  constexpr std::string_view name = "gen:bratu";
  if (!source.starts_with(name) ||
      (source.size() > name.size() && source[name.size()] != '?' && source[name.size()] != ' '))
    return std::nullopt;
  if (source.find(" | ") != source.npos)
    throw Error("Newton's method numbers the points of the cube along x, then y, then z", source,
                "leave the orders out, or solve the first linear system alone: --newton-steps 0");
  const ParamSet all = read_generator(source).params;
  if (all.at("spd") == 1) return std::nullopt;
  return Bratu{static_cast<index_t>(all.at("n")), all.at("lambda")};
}

namespace generate_detail {

Csr make_bratu(const ParamSet& p, Progress& progress) {
  const double n = p.at("n"), rows = n * n * n;
  // Checked in floating point before the product of the sizes could overflow.
  require_memory(csr_bytes(rows, rows, kRowLength * rows) + rows * sizeof(double), kMatrix, kSmaller);
  const Bratu problem{whole_number(p, "n"), p.at("lambda")};
  return problem.jacobian(problem.start(), progress);
}

}  // namespace generate_detail
}  // namespace warpspy
