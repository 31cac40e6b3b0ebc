// Stand-ins for matrices that cannot be shipped. They have the size, row lengths and symmetry of the real matrix;
// entries are placed as is usual in its family. Values are 1 if the real matrix has only ones, else random.
//
// The lengths come from RowLengths. The symmetric part of the pattern is a Graph whose degrees are (nearly) the
// lengths. Entries that a row still lacks are drawn near the diagonal or far from it, never opposite to another entry.
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

#include <optional>

#include "core/generate/build.hpp"
#include "core/generate/like_graph.hpp"
#include "core/generate/makers.hpp"
#include "core/generate/printed_table.hpp"
#include "core/generate/row_lengths.hpp"
#include "core/matrix/pages.hpp"

namespace warpspy::generate_detail {
namespace {

using Vertex = Graph::Vertex;

// Columns of a power law; the most frequent column gets `share` of all draws. Level t has the first n / 2^t columns (of
// a shuffled order), and the next level is reached with probability `ratio`.
class SkewedColumns {
 public:
  SkewedColumns(index_t cols, double share, std::uint64_t seed) : cols_(cols), shuffle_(cols, seed) {
    for (index_t n = cols; n > 0; n /= 2) ++levels_;
    double low = 0, high = 1;
    for (int k = 0; k < 50; ++k) {
      ratio_ = (low + high) / 2;
      // For the most frequent column: it belongs to every level, and the last level has only this column.
      double top = 0, reached = 1;
      for (int t = 0; t + 1 < levels_; ++t, reached *= ratio_)
        top += reached * (1 - ratio_) / static_cast<double>(cols >> t);
      (top + reached < share ? low : high) = ratio_;
    }
  }
  index_t draw(Random& random) const {
    int level = 0;
    while (level + 1 < levels_ && random.uniform() < ratio_) ++level;
    const index_t below = std::max<index_t>(1, cols_ >> level);
    return shuffle_(static_cast<index_t>(scaled(random.next(), static_cast<std::uint64_t>(below))));
  }

 private:
  index_t cols_;
  Shuffle shuffle_;
  int levels_ = 0;
  double ratio_ = 0;
};

// For two opposite places: chooses at random the one that may hold an entry without a mirror.
bool one_sided(index_t row, index_t col, std::uint64_t seed) {
  const bool bit = Random(seed ^ mixed(static_cast<std::uint64_t>(std::max(row, col))), std::min(row, col)).next() & 1;
  return bit == (row < col);
}

class StandIn {
 public:
  StandIn(const CollectionFacts& facts, std::span<const RowCut> cuts, std::uint64_t seed)
      : facts_(facts),
        locality_(locality_of(facts.family)),
        seed_(seed),
        lengths_(facts, cuts),
        order_(facts.rows, locality_.run, seed) {}

  Csr build(Progress& progress);

 private:
  using Row = index_t;
  template <class Body>
  void for_rows(Progress& progress, double from, double to, const Body& body) const {
    for_row_blocks(facts_.rows, facts_.nnz, progress, from, to, [&](Row first, Row last) {
      for (Row row = first; row < last; ++row) body(row);
    });
  }
  index_t length(Row row) const { return row_ptr_[row + 1] - row_ptr_[row]; }
  bool symmetric() const { return facts_.pattern_symmetry == 1; }
  double value(Row row, index_t col) const;
  void choose_diagonals();
  // Whether one row is connected to most others (a supply line) and not every entry has a mirror.
  bool one_hub() const { return !symmetric() && facts_.row_max > facts_.rows / 2; }
  // If a row has one entry, it is the one of the hub. As a diagonal entry it would be missing there.
  bool has_diagonal(Row row) const {
    return locality_.diagonal && length(row) > (one_hub() ? 1 : 0) && row != without_diagonal_;
  }
  Vertex degree(Row row, double share) const;
  std::vector<Vertex> degrees(Progress& progress) const;
  std::optional<Graph> mirrored_part(Progress& progress) const;
  void draw_rest(Row row, Vertex* columns, index_t have, std::vector<Vertex>& taken) const;

  const CollectionFacts& facts_;
  const Locality& locality_;
  std::uint64_t seed_;
  RowLengths lengths_;
  RowOrder order_;
  std::vector<index_t> row_ptr_;
  Row without_diagonal_ = -1;
  std::optional<SkewedColumns> skewed_;
  std::optional<Shuffle> evenly_;
};

// The number of edge ends must be even. If the lengths without the diagonal add up to an odd number, one row gets no
// diagonal.
void StandIn::choose_diagonals() {
  if (!symmetric() || !locality_.diagonal) return;
  index_t ends = facts_.nnz;
  for (Row row = 0; row < facts_.rows; ++row) ends -= length(row) > 0;
  if (ends % 2 == 0) return;
  without_diagonal_ = 0;
  while (length(without_diagonal_) == 0) ++without_diagonal_;
}

// How many entries of a row have a mirror if `share` of them should.
Vertex StandIn::degree(Row row, double share) const {
  const index_t others = length(row) - has_diagonal(row);
  if (symmetric()) return static_cast<Vertex>(others);
  const index_t most = std::min({others, facts_.col_max, facts_.row_max});
  // If one row is connected to most others, few of its entries lack a mirror.
  const index_t least = std::min<index_t>(most, one_hub());
  Random random(seed_ + 1, row);
  const auto wanted = static_cast<index_t>(share * static_cast<double>(others) + random.uniform());
  return static_cast<Vertex>(std::clamp(wanted, least, most));
}

std::vector<Vertex> StandIn::degrees(Progress& progress) const {
  std::vector<Vertex> d(static_cast<std::size_t>(facts_.rows));
  // Degrees are limited by the longest column, so the share of the other rows is raised until the sum is right.
  double low = 0, high = symmetric() ? 0 : 1;
  const auto sum_at = [&](double share) {
    for_rows(progress, 0.1, 0.1, [&](Row row) { d[row] = degree(row, share); });
    double sum = 0, others = 0;
    for (Row row = 0; row < facts_.rows; ++row) {
      sum += d[row];
      others += static_cast<double>(length(row) - has_diagonal(row));
    }
    return sum / others;
  };
  if (symmetric() || sum_at(1) < facts_.pattern_symmetry) {
    sum_at(1);
    return d;
  }
  for (int k = 0; k < 10; ++k) (sum_at((low + high) / 2) < facts_.pattern_symmetry ? low : high) = (low + high) / 2;
  sum_at(high);
  return d;
}

std::optional<Graph> StandIn::mirrored_part(Progress& progress) const {
  if (facts_.rows != facts_.cols || facts_.pattern_symmetry == 0) return std::nullopt;
  const auto hub = static_cast<Vertex>(4 * facts_.row_q3 + 64);
  Graph graph(degrees(progress), locality_, hub, seed_, LengthDraw(lengths_, order_), progress);
  if (!graph.repair(progress) && symmetric())
    throw Error("no symmetric pattern with these row lengths was found", {}, "try another seed");
  return graph;
}

// Fills up a row that has `have` entries. `taken` marks columns, and belongs to this thread.
void StandIn::draw_rest(Row row, Vertex* columns, index_t have, std::vector<Vertex>& taken) const {
  const index_t all = length(row);
  if (evenly_) {
    for (index_t k = have; k < all; ++k)
      columns[k] = static_cast<Vertex>((*evenly_)((row_ptr_[row] + k) % facts_.cols));
    return;
  }
  const auto stamp = static_cast<Vertex>(row + 1);
  if (taken.empty()) taken.assign(static_cast<std::size_t>(facts_.cols), 0);
  for (index_t k = 0; k < have; ++k) taken[columns[k]] = stamp;
  const bool square = facts_.rows == facts_.cols;
  const auto take = [&](index_t col, bool any_side) {
    if (taken[col] == stamp || (square && (col == row || (!any_side && !one_sided(row, col, seed_))))) return;
    taken[col] = stamp;
    columns[have++] = static_cast<Vertex>(col);
  };
  Random random(seed_ + 2, row);
  const index_t window = std::min(facts_.cols, 4 * all + 32);
  const auto here = static_cast<index_t>(static_cast<double>(row) / static_cast<double>(facts_.rows) *
                                         static_cast<double>(facts_.cols));
  const index_t first = std::clamp<index_t>(here - window / 2, 0, facts_.cols - window);
  for (index_t tries = 8 * (all - have) + 64; tries > 0 && have < all; --tries) {
    if (random.uniform() > locality_.far) {
      take(first + static_cast<index_t>(scaled(random.next(), static_cast<std::uint64_t>(window))), false);
    } else {
      take(skewed_->draw(random), false);
    }
  }
  for (const bool any_side : {false, true})
    for (index_t k = 0; k < facts_.cols && have < all; ++k) take((here + k) % facts_.cols, any_side);
  // The diagonal itself, if nothing else is left.
  if (have < all) columns[have++] = static_cast<Vertex>(row);
}

// 1 if the real matrix has only ones; else random. As many pairs of mirrored entries are equal as in the real matrix.
double StandIn::value(Row row, index_t col) const {
  if (facts_.contents == Contents::ones) return 1;
  const double equal = facts_.numeric_symmetry == 0 ? 0 : facts_.numeric_symmetry / facts_.pattern_symmetry;
  if (equal >= 1) return symmetric_value_at(seed_, row, col);
  Random of_pair((seed_ + 3) ^ mixed(static_cast<std::uint64_t>(std::max(row, col))), std::min(row, col));
  return of_pair.uniform() <= equal ? symmetric_value_at(seed_, row, col) : value_at(seed_, row, col);
}

Csr StandIn::build(Progress& progress) {
  const index_t rows = facts_.rows;
  const auto nnz = static_cast<double>(facts_.nnz);
  // The arrays and the graph: three numbers per row, one per edge.
  const MemoryReservation reservation(
      nnz * 12 + 2 * nnz + 32 * static_cast<double>(rows) + 4.0 * static_cast<double>(facts_.cols), kMatrix, kSmaller);
  row_ptr_ = zeroed<index_t>(static_cast<std::size_t>(rows) + 1);
  for_rows(progress, 0, 0.1, [&](Row row) { row_ptr_[row + 1] = lengths_.at_rank(order_.rank_of(row)); });
  for (Row row = 0; row < rows; ++row) row_ptr_[row + 1] += row_ptr_[row];
  choose_diagonals();
  // The longest column gets its share of the entries far from the diagonal.
  const double far_draws = nnz * (1 - facts_.pattern_symmetry) * locality_.far;
  const bool power_law = locality_.hubs == Locality::Hubs::by_degree && far_draws > 0;
  skewed_.emplace(facts_.cols, power_law ? static_cast<double>(facts_.col_max) / far_draws : 0, seed_);
  if (facts_.family == Family::program) evenly_.emplace(facts_.cols, seed_);

  std::optional<Graph> graph = mirrored_part(progress);
  std::vector<Vertex> columns = zeroed<Vertex>(static_cast<std::size_t>(facts_.nnz));
  std::vector<Vertex> have = zeroed<Vertex>(static_cast<std::size_t>(rows));
  const auto put = [&](Row row, Vertex col) { columns[row_ptr_[row] + have[row]++] = col; };
  if (graph) {
    progress.check();
    graph->for_each_edge([&](Vertex u, Vertex v) {
      put(u, v);
      put(v, u);
    });
    graph.reset();
  }
  progress.set(0.8);

  std::vector<double> values = zeroed<double>(static_cast<std::size_t>(facts_.nnz));
  tbb::enumerable_thread_specific<std::vector<Vertex>> stamps;
  for_rows(progress, 0.8, 1, [&](Row row) {
    if (facts_.rows == facts_.cols && has_diagonal(row)) put(row, static_cast<Vertex>(row));
    Vertex* first = columns.data() + row_ptr_[row];
    if (have[row] < length(row)) draw_rest(row, first, have[row], stamps.local());
    if (!std::is_sorted(first, first + length(row))) std::sort(first, first + length(row));
    for (index_t k = row_ptr_[row]; k < row_ptr_[row + 1]; ++k) values[k] = value(row, columns[k]);
  });
  return Csr(rows, facts_.cols, std::move(row_ptr_), Indices(std::move(columns)), std::move(values));
}

}  // namespace

std::vector<std::string> like_names() {
  std::vector<std::string> names;
  for (const KnownMatrix& known : known_matrices()) names.emplace_back(known.name);
  for (const CollectionFacts& facts : collection_table()) names.emplace_back(facts.name);
  return names;
}

Matrix make_like(const ParamSet& p, Progress& progress) {
  auto number = static_cast<std::size_t>(p.at("name"));
  const auto seed = static_cast<std::uint64_t>(p.at("seed"));
  const bool papers = p.at("facts") == 1;
  const auto refuse = [](std::string_view name) {
    throw Error("the papers print no more row lengths of " + std::string(name) + " than the collection", {},
                "leave out facts=papers; it is for " + printed_names());
  };
  Matrix m;
  const auto known = known_matrices();
  if (number < known.size()) {
    if (papers) refuse(known[number].name);
    m.csr = std::make_shared<const Csr>(known[number].make(seed, progress));
    m.source.symmetry = known[number].symmetry;
    return m;
  }
  const CollectionFacts& collection = collection_table()[number - known.size()];
  const auto printed = papers ? as_printed(collection) : PrintedFacts{collection, {}};
  if (!printed) refuse(collection.name);
  const CollectionFacts& facts = printed->facts;
  m.csr = std::make_shared<const Csr>(StandIn(facts, printed->cuts, seed).build(progress));
  m.source.symmetry = facts.pattern_symmetry == 1 && facts.numeric_symmetry == 1 ? "symmetric" : "general";
  const std::string whose = std::string(facts.name) + (papers ? ", as the papers count it" : "");
  m.source.warnings.push_back(
      facts.contents == Contents::ones
          ? "a stand-in: sizes, row lengths, symmetry and values (all of them 1) are those of " + whose +
                ", the places of its entries are not"
          : "a stand-in: sizes, row lengths and symmetry are those of " + whose + ", the entries are not");
  return m;
}

}  // namespace warpspy::generate_detail
