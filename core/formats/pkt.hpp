// PKT divides the rows of a matrix with symmetric pattern into parts (packets). Each is small enough that its x and y
// fit into shared memory (Bell & Garland 2008, section 3.6 and figures 12 to 14, 26).
#pragma once

#include "core/catalog/fields.hpp"
#include "core/formats/format.hpp"

namespace warpspy {

struct PktParams {
  int shared_kib = 16;  // shared memory of a block, which x and y of a packet share: 2048 rows in f32, 1024 in f64
  int packet_rows = 0;  // rows of a packet at most; 0: as many as the shared memory holds
  int threads = 512;    // threads that divide a packet's rows
  bool operator==(const PktParams&) const = default;
};
Fields<PktParams> pkt_fields();

// Rows (and columns) are ordered by part: permutation[i] is the row that comes i-th; packet p has those from
// packet_row[p] on. Its entries with both indices in the part stand in `threads` lanes of packet_begin[p + 1] -
// packet_begin[p] slots together, slot n of lane t at packet_begin[p] + n * threads + t. A word of packet_indices holds
// the row (upper half) and the column, counted from the packet's first: `padding` where there is no entry, which is no
// index since packets have at most 65535 rows. Rows go to the lane with the fewest entries so far, one after another.
// Entries between parts are in coo_rows, coo_columns, coo_values, in the numbers of the matrix, sorted by row.
class PktFormat final : public Format {
 public:
  static constexpr std::uint32_t padding = 0xffffffff;

  PktFormat(const FormatFacts& facts, Precision precision, RealView view, const PktParams& params, Progress& progress);

  std::string id() const override { return "pkt"; }
  std::vector<ArrayView> arrays() const override;
  std::vector<FormatFact> facts() const override;
  void for_each_slot(const SlotVisitor& visit) const override;
  std::vector<ArrayGrid> grids() const override;

  int threads() const { return threads_; }
  index_t packets() const { return static_cast<index_t>(packet_row_.size()) - 1; }
  index_t largest_packet() const;  // rows
  index_t coo_entries() const { return static_cast<index_t>(coo_values_.size()); }
  const IndexArray& permutation() const { return permutation_; }
  const IndexArray& packet_row() const { return packet_row_; }
  const IndexArray& packet_begin() const { return packet_begin_; }
  std::span<const std::uint32_t> packet_indices() const { return packet_indices_.span(); }
  const Values& packet_values() const { return packet_values_; }
  const IndexArray& coo_rows() const { return coo_rows_; }
  const IndexArray& coo_columns() const { return coo_columns_; }
  const Values& coo_values() const { return coo_values_; }

 private:
  std::size_t skippable_bytes() const override;
  int threads_;
  IndexArray permutation_, packet_row_, packet_begin_;
  Buffer<std::uint32_t> packet_indices_;
  Values packet_values_;
  IndexArray coo_rows_, coo_columns_;
  Values coo_values_;
};

Estimate pkt_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params);
std::shared_ptr<const Format> pkt_build(const FormatFacts& facts, Precision precision, RealView view,
                                        const ParamSet& params, Progress& progress);
FormatInfo pkt_info();

}  // namespace warpspy
