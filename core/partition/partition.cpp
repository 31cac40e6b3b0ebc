#include "core/partition/partition.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "core/matrix/memory_guard.hpp"
#include "core/reorder/graph_parts.hpp"

namespace warpspy {
namespace {

using Owners = std::vector<std::int32_t>;

// `size` things in `parts` blocks of equal size, as far as that goes.
std::int32_t block_of(index_t i, index_t size, std::uint64_t parts) {
  return static_cast<std::int32_t>(static_cast<std::uint64_t>(i) * parts / static_cast<std::uint64_t>(size));
}

Owners equal_blocks(index_t size, std::uint64_t parts) {
  Owners owners(static_cast<std::size_t>(size));
  for (index_t i = 0; i < size; ++i) owners[static_cast<std::size_t>(i)] = block_of(i, size, parts);
  return owners;
}

// A row goes to the block in which its middle entry lies.
Owners blocks_by_entries(const Csr& a, std::uint64_t parts) {
  if (a.nnz() == 0) return equal_blocks(a.rows(), parts);
  Owners owners(static_cast<std::size_t>(a.rows()));
  const double per_part = static_cast<double>(a.nnz()) / static_cast<double>(parts);
  for (index_t row = 0; row < a.rows(); ++row) {
    const double middle = 0.5 * static_cast<double>(a.row_ptr()[row] + a.row_ptr()[row + 1]);
    const auto part = static_cast<std::int32_t>(middle / per_part);
    owners[static_cast<std::size_t>(row)] = std::min(part, static_cast<std::int32_t>(parts - 1));
  }
  return owners;
}

Owners by_metis(const Csr& a, std::uint64_t parts, Progress& progress) {
  if (a.rows() != a.cols())
    throw Error("METIS divides the graph of a square matrix; this one is " + std::to_string(a.rows()) + " x " +
                    std::to_string(a.cols()),
                "split", "use --split rows or --split entries");
  constexpr index_t most = std::numeric_limits<std::int32_t>::max();
  std::vector<std::int32_t> weights(static_cast<std::size_t>(a.rows()));
  for (index_t row = 0; row < a.rows(); ++row)
    weights[static_cast<std::size_t>(row)] = static_cast<std::int32_t>(std::min(a.row_length(row), most));
  return graph_parts(a, static_cast<std::int32_t>(parts), weights, progress).of_row;
}

// The entries of some rows, with columns renumbered: what becomes of them is a Csr.
class Builder {
 public:
  Builder(const Csr& a, index_t rows, index_t cols, index_t entries)
      : a_(a), cols_(cols), columns_(Indices::sized(cols, static_cast<std::size_t>(entries))) {
    row_ptr_.reserve(static_cast<std::size_t>(rows) + 1);
    row_ptr_.push_back(0);
    values_.reserve(static_cast<std::size_t>(entries));
    if (a.is_complex()) imag_.reserve(static_cast<std::size_t>(entries));
  }
  // Entries of one row, as pairs of new column and place in `a`; their order is of no matter.
  void add_row(std::vector<std::pair<index_t, index_t>>& row) {
    std::sort(row.begin(), row.end());
    columns_.visit_mut([&](auto columns) {
      std::size_t at = values_.size();
      for (const auto& entry : row) {
        using Index = std::remove_reference_t<decltype(columns[0])>;
        columns[at++] = static_cast<Index>(entry.first);
      }
    });
    for (const auto& entry : row) {
      values_.push_back(a_.values()[static_cast<std::size_t>(entry.second)]);
      if (a_.is_complex()) imag_.push_back(a_.imag()[static_cast<std::size_t>(entry.second)]);
    }
    row_ptr_.push_back(static_cast<index_t>(values_.size()));
  }
  std::shared_ptr<const Csr> done() {
    const auto rows = static_cast<index_t>(row_ptr_.size()) - 1;
    return std::make_shared<const Csr>(rows, cols_, std::move(row_ptr_), std::move(columns_), std::move(values_),
                                       std::move(imag_));
  }

 private:
  const Csr& a_;
  index_t cols_;
  std::vector<index_t> row_ptr_;
  Indices columns_;
  std::vector<double> values_, imag_;
};

class Divider {
 public:
  Divider(const Csr& a, const Owners& row_owner, std::uint64_t parts, Progress& progress)
      : a_(a), row_owner_(row_owner), square_(a.rows() == a.cols()), progress_(progress) {
    result_.rows = a.rows(), result_.cols = a.cols();
    result_.parts.resize(parts);
    if (!square_) column_owner_ = equal_blocks(a.cols(), parts);
    place_.resize(static_cast<std::size_t>(a.cols()));
    halo_entries_.resize(parts);
  }
  Partition divided() {
    divide_rows();
    divide_columns();
    for (std::size_t p = 0; p < result_.parts.size(); ++p) {
      gather_halo(p);
      build(p);
    }
    for (std::size_t p = 0; p < result_.parts.size(); ++p) tell_givers(p);
    return std::move(result_);
  }

 private:
  std::int32_t owner(index_t column) const {
    return (square_ ? row_owner_ : column_owner_)[static_cast<std::size_t>(column)];
  }
  void check(index_t row) const {
    if (row % 4096 == 0) progress_.check();
  }
  template <class Use>
  void for_entries(index_t row, const Use& use) const {
    for (index_t k = a_.row_ptr()[row]; k < a_.row_ptr()[row + 1]; ++k)
      use(k, a_.columns()[static_cast<std::size_t>(k)]);
  }

  void divide_rows() {
    std::vector<std::vector<index_t>> boundary(result_.parts.size());
    for (index_t row = 0; row < a_.rows(); ++row) {
      check(row);
      const auto p = static_cast<std::size_t>(row_owner_[static_cast<std::size_t>(row)]);
      index_t beyond = 0;
      for_entries(row, [&](index_t, index_t column) { beyond += owner(column) != static_cast<std::int32_t>(p); });
      halo_entries_[p] += beyond;
      (beyond > 0 ? boundary[p] : result_.parts[p].rows).push_back(row);
    }
    for (std::size_t p = 0; p < boundary.size(); ++p) {
      Part& part = result_.parts[p];
      part.boundary = static_cast<index_t>(part.rows.size());
      part.rows.insert(part.rows.end(), boundary[p].begin(), boundary[p].end());
    }
  }

  void divide_columns() {
    if (!square_)
      for (index_t column = 0; column < a_.cols(); ++column)
        result_.parts[static_cast<std::size_t>(owner(column))].columns.push_back(column);
    for (Part& part : result_.parts) {
      if (square_) part.columns = part.rows;
      for (std::size_t k = 0; k < part.columns.size(); ++k)
        place_[static_cast<std::size_t>(part.columns[k])] = static_cast<index_t>(k);
    }
  }

  void gather_halo(std::size_t p) {
    Part& part = result_.parts[p];
    std::vector<index_t>& halo = part.halo_columns;
    for (std::size_t k = static_cast<std::size_t>(part.boundary); k < part.rows.size(); ++k)
      for_entries(part.rows[k], [&](index_t, index_t column) {
        if (owner(column) != static_cast<std::int32_t>(p)) halo.push_back(column);
      });
    const auto by_giver = [&](index_t column) {
      return std::pair(owner(column), place_[static_cast<std::size_t>(column)]);
    };
    std::sort(halo.begin(), halo.end(), [&](index_t u, index_t v) { return by_giver(u) < by_giver(v); });
    halo.erase(std::unique(halo.begin(), halo.end()), halo.end());
    halo.shrink_to_fit();
    for (std::size_t k = 0; k < halo.size(); ++k) {
      if (part.in.empty() || part.in.back().from != owner(halo[k]))
        part.in.push_back({owner(halo[k]), static_cast<index_t>(k), 0});
      ++part.in.back().count;
    }
  }

  void build(std::size_t p) {
    Part& part = result_.parts[p];
    index_t entries = 0;
    for (const index_t row : part.rows) entries += a_.row_length(row);
    const auto rows = static_cast<index_t>(part.rows.size());
    Builder local(a_, rows, static_cast<index_t>(part.columns.size()), entries - halo_entries_[p]),
        halo(a_, rows - part.boundary, static_cast<index_t>(part.halo_columns.size()), halo_entries_[p]);
    const auto halo_place = [&](index_t column) {
      const auto giver = std::lower_bound(part.in.begin(), part.in.end(), owner(column),
                                          [](const HaloIn& in, std::int32_t from) { return in.from < from; });
      const auto first = part.halo_columns.begin() + giver->first;
      const auto at = std::lower_bound(first, first + giver->count, column, [&](index_t u, index_t v) {
        return place_[static_cast<std::size_t>(u)] < place_[static_cast<std::size_t>(v)];
      });
      return static_cast<index_t>(at - part.halo_columns.begin());
    };
    std::vector<std::pair<index_t, index_t>> near, far;
    for (index_t k = 0; k < rows; ++k) {
      check(k);
      near.clear(), far.clear();
      for_entries(part.rows[static_cast<std::size_t>(k)], [&](index_t entry, index_t column) {
        if (owner(column) == static_cast<std::int32_t>(p))
          near.emplace_back(place_[static_cast<std::size_t>(column)], entry);
        else
          far.emplace_back(halo_place(column), entry);
      });
      local.add_row(near);
      if (k >= part.boundary) halo.add_row(far);
    }
    part.local = local.done();
    part.halo = halo.done();
  }

  void tell_givers(std::size_t p) {
    for (const HaloIn& in : result_.parts[p].in) {
      HaloOut out;
      out.to = static_cast<std::int32_t>(p);
      for (index_t k = in.first; k < in.first + in.count; ++k)
        out.places.push_back(
            place_[static_cast<std::size_t>(result_.parts[p].halo_columns[static_cast<std::size_t>(k)])]);
      result_.parts[static_cast<std::size_t>(in.from)].out.push_back(std::move(out));
    }
  }

  const Csr& a_;
  const Owners& row_owner_;
  bool square_;
  Progress& progress_;
  Owners column_owner_;         // of a matrix that is not square
  std::vector<index_t> place_;  // of each column, in its owner's x
  std::vector<index_t> halo_entries_;
  Partition result_;
};

}  // namespace

std::vector<std::int32_t> row_parts(const Csr& a, std::uint64_t parts, Split split, Progress& progress) {
  if (parts == 0) throw Error("a matrix is run in one part or more, and not in 0", "parts", "use --parts 1 or more");
  if (parts > static_cast<std::uint64_t>(a.rows()))
    throw Error(std::to_string(parts) + " parts are more than the " + std::to_string(a.rows()) + " rows of the matrix",
                "parts", "use at most as many parts as rows");
  if (parts > static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max()))
    throw Error(std::to_string(parts) + " parts are more than can be counted", "parts", "use fewer parts");
  progress.stage("dividing the rows");
  progress.check();
  if (split == Split::metis) return by_metis(a, parts, progress);
  return split == Split::entries ? blocks_by_entries(a, parts) : equal_blocks(a.rows(), parts);
}

Partition partition_of(const Csr& a, const std::vector<std::int32_t>& row_parts, std::uint64_t parts,
                       Progress& progress) {
  progress.stage("making the parts");
  // Every entry once more; for each row and column its owner and its place; and a halo before duplicates are dropped.
  const MemoryReservation reservation(static_cast<double>(a.bytes()) +
                                          8.0 * static_cast<double>(a.nnz()) / static_cast<double>(parts) +
                                          32.0 * (static_cast<double>(a.rows()) + static_cast<double>(a.cols())),
                                      "the parts of the matrix", "use a smaller matrix, or run it in one part");
  return Divider(a, row_parts, parts, progress).divided();
}

std::vector<PartResult> counts_of(const Partition& p) {
  std::vector<PartResult> all;
  for (const Part& part : p.parts) {
    PartResult& r = all.emplace_back();
    r.rows = static_cast<index_t>(part.rows.size());
    r.entries = part.entries();
    r.boundary_rows = r.rows - part.boundary;
    r.halo_in = static_cast<index_t>(part.halo_columns.size());
    for (const HaloOut& out : part.out) r.halo_out += static_cast<index_t>(out.places.size());
    r.messages = static_cast<index_t>(part.in.size());
    r.sent = static_cast<index_t>(part.out.size());
  }
  return all;
}

double imbalance_of(const Partition& p) {
  index_t most = 0, all = 0;
  for (const Part& part : p.parts) {
    most = std::max(most, part.entries());
    all += part.entries();
  }
  return all > 0 ? static_cast<double>(most) * static_cast<double>(p.parts.size()) / static_cast<double>(all) : 1;
}

}  // namespace warpspy
