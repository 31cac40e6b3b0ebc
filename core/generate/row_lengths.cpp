#include "core/generate/row_lengths.hpp"

#include <array>
#include <bit>
#include <map>
#include <optional>

namespace warpspy::generate_detail {
namespace {

// e^x for x <= 0, from correctly rounded operations only. So it is the same on every machine; std::exp is not.
double exponential(double x) {
  if (x < -700) return 0;
  const double y = x / 1024;
  double sum = 1;
  for (int k = 8; k >= 1; --k) sum = 1 + y / k * sum;
  for (int k = 0; k < 10; ++k) sum *= sum;
  return sum;
}

// The rows with ranks between two quartiles (or an extreme). Their lengths are between lo and hi.
struct Segment {
  index_t lo = 0, hi = 0, rows = 0;
  std::vector<index_t> lengths;  // support of the distribution
  std::vector<double> prior;
  std::map<index_t, index_t> count;  // length -> rows
};

// Chooses the possible lengths: all of a short segment; of a long one some hundreds, with growing distances.
void place_support(Segment& s, bool tail) {
  constexpr index_t dense = 64;
  index_t step = 1;
  for (index_t l = s.lo; l <= s.hi; l += step) {
    s.lengths.push_back(l);
    if (l - s.lo >= dense * step) step += step / 2 + 1;
  }
  if (s.lengths.back() != s.hi) s.lengths.push_back(s.hi);
  for (std::size_t k = 0; k < s.lengths.size(); ++k) {
    const double width =
        static_cast<double>(s.lengths[std::min(k + 1, s.lengths.size() - 1)] - s.lengths[k > 0 ? k - 1 : 0] + 1);
    const auto x = static_cast<double>(s.lengths[k] - s.lo + 1);
    s.prior.push_back(tail ? width / (x * std::sqrt(x)) : width);
  }
}

// The share of a segment's rows for each length x: prior * exp(a x + b x^2), x scaled, normalised.
std::vector<double> tilted(const Segment& s, double a, double b, double scale) {
  std::vector<double> p(s.lengths.size());
  double most = -1e300, sum = 0;
  for (std::size_t k = 0; k < p.size(); ++k) {
    const double x = static_cast<double>(s.lengths[k]) / scale;
    p[k] = (a + b * x) * x;
    most = std::max(most, p[k]);
  }
  for (std::size_t k = 0; k < p.size(); ++k) sum += p[k] = s.prior[k] * exponential(p[k] - most);
  for (double& share : p) share /= sum;
  return p;
}

struct Moments {
  std::array<double, 4> m{};      // sums of x and x^2 minus their targets
  double aa = 0, ab = 0, bb = 0;  // their derivatives: covariances of (x, x^2)
};

// Segments with a given sum of lengths, and maybe of their squares.
struct Part {
  std::vector<Segment> segments;
  index_t sum = 0;
  std::optional<double> squares;
};

Moments moments(const Part& part, double a, double b, double scale) {
  Moments total;
  for (const Segment& s : part.segments) {
    const std::vector<double> p = tilted(s, a, b, scale);
    std::array<double, 5> e{};
    for (std::size_t k = 0; k < p.size(); ++k) {
      const double x = static_cast<double>(s.lengths[k]) / scale;
      double term = p[k];
      for (double& moment : e) {
        moment += term;
        term *= x;
      }
    }
    const auto rows = static_cast<double>(s.rows);
    total.m[0] += rows * e[1];
    total.m[1] += rows * e[2];
    total.aa += rows * (e[2] - e[1] * e[1]);
    total.ab += rows * (e[3] - e[1] * e[2]);
    total.bb += rows * (e[4] - e[2] * e[2]);
  }
  total.m[0] = total.m[0] * scale / static_cast<double>(part.sum) - 1;
  if (part.squares)
    total.m[1] = total.m[1] * scale * scale / *part.squares - 1;
  else
    total.m[1] = total.ab = 0;  // b stays 0
  return total;
}

double size_of(const Moments& m) { return std::max(std::abs(m.m[0]), std::abs(m.m[1])); }

// Newton's method on the convex dual of the entropy problem. Steps that do not help are halved.
std::array<double, 2> solve_tilt(const Part& part, double scale) {
  const auto sum = static_cast<double>(part.sum);
  const double squares = part.squares.value_or(0);
  double a = 0, b = 0;
  Moments now = moments(part, a, b, scale);
  for (int step = 0; step < 200 && size_of(now) > 1e-9; ++step) {
    const double ga = now.m[0] * sum / scale, gb = now.m[1] * squares / scale / scale;
    const double aa = now.aa * (1 + 1e-9) + 1e-12, bb = now.bb * (1 + 1e-9) + 1e-12;
    const double det = aa * bb - now.ab * now.ab;
    if (!(det > 0)) break;
    const double da = (ga * bb - gb * now.ab) / det, db = (gb * aa - ga * now.ab) / det;
    double share = 1;
    Moments next;
    do {
      next = moments(part, a - share * da, b - share * db, scale);
      if (size_of(next) < size_of(now)) break;
      share /= 2;
    } while (share > 1e-9);
    if (!(size_of(next) < size_of(now))) break;
    a -= share * da;
    b -= share * db;
    now = next;
  }
  return {a, b};
}

// Whole rows: rounded cumulative shares.
void round_counts(Segment& s, double a, double b, double scale) {
  const std::vector<double> p = tilted(s, a, b, scale);
  double share = 0;
  index_t given = 0;
  for (std::size_t k = 0; k < p.size(); ++k) {
    share += p[k];
    const bool last = k + 1 == p.size();
    const index_t upto =
        last ? s.rows : std::min(s.rows, static_cast<index_t>(share * static_cast<double>(s.rows) + 0.5));
    if (upto > given) s.count[s.lengths[k]] += upto - given;
    given = std::max(given, upto);
  }
}

struct Totals {
  index_t sum = 0;
  double squares = 0;
};
Totals totals(const std::vector<Segment>& segments) {
  Totals t;
  for (const Segment& s : segments)
    for (const auto& [length, rows] : s.count) {
      t.sum += length * rows;
      t.squares += static_cast<double>(length) * static_cast<double>(length) * static_cast<double>(rows);
    }
  return t;
}

void move(Segment& s, index_t from, index_t to, index_t rows) {
  s.count[to] += rows;
  if ((s.count[from] -= rows) == 0) s.count.erase(from);
}

// Changes the sum of lengths by `missing`, one entry per row, short rows first. That changes the sum of squares least.
void repair_sum(std::vector<Segment>& segments, index_t missing) {
  const index_t step = missing > 0 ? 1 : -1;
  for (bool moved = true; moved && missing != 0;) {
    moved = false;
    for (Segment& s : segments) {
      const std::vector<std::pair<index_t, index_t>> before(s.count.begin(), s.count.end());
      for (std::size_t k = 0; k < before.size() && missing != 0; ++k) {
        const auto [length, rows] = before[step > 0 ? before.size() - 1 - k : k];
        if (length + step < s.lo || length + step > s.hi) continue;
        const index_t n = std::min(rows, std::abs(missing));
        move(s, length, length + step, n);
        missing -= step * n;
        moved = true;
      }
    }
  }
  if (missing != 0) throw Error("no row lengths have these statistics");
}

// Corrects the sum of squares through the longest rows: a few of them change it a lot.
void repair_squares(Segment& tail, double missing) {
  constexpr std::size_t most = 64;
  std::vector<index_t> longest;
  for (auto at = tail.count.rbegin(); at != tail.count.rend() && longest.size() < most; ++at)
    for (index_t k = 0; k < at->second && longest.size() < most; ++k) longest.push_back(at->first);
  for (const index_t length : longest) {
    const auto square = static_cast<double>(length) * static_cast<double>(length);
    const auto wanted = static_cast<index_t>(std::sqrt(std::max(0.0, square + missing)) + 0.5);
    const index_t to = std::clamp(wanted, tail.lo, tail.hi);
    if (to == length) continue;
    move(tail, length, to, 1);
    missing -= static_cast<double>(to) * static_cast<double>(to) - square;
  }
}

// Gives every row of the part its length. The sum is exact; the squares are, to `close_enough`, if they are asked for.
void fill(Part& part, double scale, double close_enough) {
  const auto [a, b] = solve_tilt(part, scale);
  for (Segment& s : part.segments) round_counts(s, a, b, scale);
  for (int round = 0; part.squares && round < 20; ++round) {
    repair_sum(part.segments, part.sum - totals(part.segments).sum);
    const double missing = *part.squares - totals(part.segments).squares;
    if (std::abs(missing) <= close_enough) break;
    repair_squares(part.segments.back(), missing);
  }
  repair_sum(part.segments, part.sum - totals(part.segments).sum);
}

struct Given {
  index_t rank, length;
};

// Ranks whose length is given: the extremes, the two neighbours of each quartile, and the cuts.
std::vector<Given> given_lengths(const CollectionFacts& facts, std::span<const RowCut> cuts) {
  std::vector<Given> given{{0, facts.row_min}};
  const double quartiles[] = {facts.row_q1, facts.row_median, facts.row_q3};
  for (int q = 0; q < 3; ++q) {
    const index_t below = (facts.rows - 1) * (q + 1) / 4;
    given.push_back({below, static_cast<index_t>(std::floor(quartiles[q]))});
    given.push_back({below + 1, static_cast<index_t>(std::ceil(quartiles[q]))});
  }
  given.push_back({facts.rows - 1, facts.row_max});
  for (const RowCut& cut : cuts) given.push_back({facts.rows - cut.rows, cut.k});
  std::sort(given.begin(), given.end(), [](const Given& a, const Given& b) { return a.rank < b.rank; });
  return given;
}

struct PartEnd {
  index_t rank, entries;  // entries of all ranks before this one
};

// Where the sum of all shorter rows is known: at cuts with a share, and at the end.
std::vector<PartEnd> part_ends(const CollectionFacts& facts, std::span<const RowCut> cuts) {
  std::vector<PartEnd> ends;
  for (const RowCut& cut : cuts) {
    if (cut.ell_share == 0) continue;
    const auto in_ell = static_cast<index_t>(cut.ell_share * static_cast<double>(facts.nnz) + 0.5);
    ends.push_back({facts.rows - cut.rows, in_ell - cut.k * cut.rows});
  }
  ends.push_back({facts.rows, facts.nnz});
  return ends;
}

}  // namespace

Shuffle::Shuffle(index_t n, std::uint64_t seed) : n_(static_cast<std::uint64_t>(n)) {
  half_ = (std::bit_width(n_ - (n_ > 0)) + 1) / 2;
  mask_ = (std::uint64_t{1} << half_) - 1;
  for (std::uint64_t k = 0; k < 4; ++k) keys_[k] = mixed(seed * kGolden + k + 1);
}

index_t Shuffle::operator()(index_t x) const {
  auto v = static_cast<std::uint64_t>(x);
  do {
    std::uint64_t left = v >> half_, right = v & mask_;
    for (const std::uint64_t key : keys_) {
      const std::uint64_t next = left ^ (((right + key) * kGolden >> 32) & mask_);
      left = right;
      right = next;
    }
    v = left << half_ | right;
  } while (v >= n_);
  return static_cast<index_t>(v);
}

index_t Shuffle::inverse(index_t y) const {
  auto v = static_cast<std::uint64_t>(y);
  do {
    std::uint64_t left = v >> half_, right = v & mask_;
    for (int k = 3; k >= 0; --k) {
      const std::uint64_t before = right ^ (((left + keys_[k]) * kGolden >> 32) & mask_);
      right = left;
      left = before;
    }
    v = left << half_ | right;
  } while (v >= n_);
  return static_cast<index_t>(v);
}

RowLengths::RowLengths(const CollectionFacts& facts, std::span<const RowCut> cuts) : rows_(facts.rows) {
  const std::vector<Given> given = given_lengths(facts, cuts);
  const auto square = [](index_t length) { return static_cast<double>(length) * static_cast<double>(length); };
  const auto rows = static_cast<double>(rows_), nnz = static_cast<double>(facts.nnz);
  double squares = facts.row_variance * rows + nnz * nnz / rows;
  std::map<index_t, index_t> count;
  for (const Given& g : given) {
    ++count[g.length];
    squares -= square(g.length);
  }
  const auto scale = static_cast<double>(std::max<index_t>(facts.row_max, 1));
  PartEnd begin{0, 0};
  for (const PartEnd& end : part_ends(facts, cuts)) {
    Part part{.segments = {}, .sum = end.entries - begin.entries, .squares = {}};
    for (std::size_t k = 0; k < given.size(); ++k) {
      if (given[k].rank < begin.rank || given[k].rank >= end.rank) continue;
      part.sum -= given[k].length;
      const index_t between = k + 1 < given.size() ? given[k + 1].rank - given[k].rank - 1 : 0;
      if (between <= 0) continue;
      Segment s;
      s.lo = given[k].length;
      s.hi = given[k + 1].length;
      s.rows = between;
      place_support(s, given[k + 1].rank == rows_ - 1);
      part.segments.push_back(std::move(s));
    }
    if (end.rank == rows_) part.squares = squares;
    fill(part, scale, 1e-4 * facts.row_variance * rows);
    for (const Segment& s : part.segments)
      for (const auto& [length, n] : s.count) {
        count[length] += n;
        squares -= square(length) * static_cast<double>(n);
      }
    begin = end;
  }
  index_t rank = 0;
  for (const auto& [length, n] : count) {
    runs_.push_back({length, rank});
    rank += n;
  }
}

index_t RowLengths::at_rank(index_t rank) const {
  const auto after =
      std::upper_bound(runs_.begin(), runs_.end(), rank, [](index_t r, const Run& run) { return r < run.first_rank; });
  return (after - 1)->length;
}

double RowLengths::variance() const {
  double sum = 0, squares = 0;
  for (std::size_t k = 0; k < runs_.size(); ++k) {
    const auto n = static_cast<double>((k + 1 < runs_.size() ? runs_[k + 1].first_rank : rows_) - runs_[k].first_rank);
    const auto l = static_cast<double>(runs_[k].length);
    sum += n * l;
    squares += n * l * l;
  }
  const auto rows = static_cast<double>(rows_);
  return squares / rows - sum / rows * (sum / rows);
}

LengthDraw::LengthDraw(const RowLengths& lengths, const RowOrder& order)
    : order_(order), runs_(lengths.runs()), entries_(runs_.size() + 1, 0) {
  for (std::size_t k = 0; k < runs_.size(); ++k) {
    const index_t next = k + 1 < runs_.size() ? runs_[k + 1].first_rank : lengths.rows();
    entries_[k + 1] = entries_[k] + runs_[k].length * (next - runs_[k].first_rank);
  }
}

index_t LengthDraw::entries_below(index_t row) const {
  const index_t rank = order_.rank_of(row);
  const auto k = std::upper_bound(runs_.begin(), runs_.end(), rank,
                                  [](index_t r, const RowLengths::Run& run) { return r < run.first_rank; }) -
                 runs_.begin() - 1;
  return entries_[k] + (rank - runs_[k].first_rank) * runs_[k].length;
}

index_t LengthDraw::draw(Random& random, index_t limit) const {
  const auto entry = static_cast<index_t>(scaled(random.next(), static_cast<std::uint64_t>(limit)));
  const auto k = std::upper_bound(entries_.begin(), entries_.end(), entry) - entries_.begin() - 1;
  return order_.row_of(runs_[k].first_rank + (entry - entries_[k]) / runs_[k].length);
}

}  // namespace warpspy::generate_detail
