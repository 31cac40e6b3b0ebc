#include "core/formats/pkt.hpp"

#include <algorithm>
#include <queue>

#include "core/formats/build.hpp"

namespace warpspy {
namespace {

index_t most_rows(const PktParams& p, Precision precision) {
  const index_t held = index_t{p.shared_kib} * 1024 / (2 * bytes_of(precision));  // x and y
  return std::min<index_t>({held, p.packet_rows == 0 ? held : p.packet_rows, 65535});
}

// How the rows of a packet are assigned to threads: the thread of every row, and its start there.
struct Packing {
  std::vector<index_t> lane, begin;
  index_t width = 0;
};

// Greedy: each row goes to the thread with the fewest entries so far, the first of several (figure 14).
void pack(std::span<const index_t> lengths, int threads, Packing& out) {
  using Load = std::pair<index_t, index_t>;  // entries, thread
  std::priority_queue<Load, std::vector<Load>, std::greater<>> least;
  for (index_t t = 0; t < threads; ++t) least.emplace(0, t);
  out.lane.clear();
  out.begin.clear();
  out.width = 0;
  for (const index_t length : lengths) {
    const auto [load, thread] = least.top();
    out.lane.push_back(thread);
    out.begin.push_back(load);
    if (length == 0) continue;
    least.pop();
    least.emplace(load + length, thread);
    out.width = std::max(out.width, load + length);
  }
}

struct PktPlan {
  std::shared_ptr<const FormatFacts::Partition> partition;
  std::vector<index_t> order;       // rows by part
  std::vector<index_t> place;       // thread of every row in `order`
  std::vector<index_t> row, begin;  // packets + 1: first place, first slot
  index_t slots = 0, inside = 0;

  index_t packets() const { return partition->parts; }
  bool same_part(index_t r, index_t c) const { return partition->part[r] == partition->part[c]; }
};

void require_symmetry(const FormatFacts& facts) {
  const Csr& a = facts.csr();
  if (a.rows() != a.cols())
    throw Error("format pkt is for symmetric patterns, and this matrix is " + std::to_string(a.rows()) + " x " +
                    std::to_string(a.cols()),
                {}, "use format hyb or sell");
  if (!facts.symmetric_pattern())
    throw Error("format pkt is for symmetric patterns, and this matrix has entries whose mirror is not stored", {},
                "use format hyb or sell");
}

std::vector<index_t> lengths_inside(const Csr& a, const PktPlan& plan, index_t packet) {
  std::vector<index_t> lengths;
  a.columns().visit([&](auto columns) {
    for (index_t i = plan.row[packet]; i < plan.row[packet + 1]; ++i) {
      const index_t r = plan.order[i];
      lengths.push_back(std::count_if(columns.begin() + a.row_ptr()[r], columns.begin() + a.row_ptr()[r + 1],
                                      [&](index_t c) { return plan.same_part(r, c); }));
    }
  });
  return lengths;
}

PktPlan plan_of(const FormatFacts& facts, Precision precision, const PktParams& p, Progress& progress) {
  require_symmetry(facts);
  const Csr& a = facts.csr();
  PktPlan plan;
  plan.partition = facts.partition(most_rows(p, precision));
  const auto parts = static_cast<std::size_t>(plan.packets());
  plan.row.assign(parts + 1, 0);
  for (const std::int32_t part : plan.partition->part) ++plan.row[part + 1];
  for (std::size_t k = 1; k <= parts; ++k) plan.row[k] += plan.row[k - 1];
  plan.order.resize(static_cast<std::size_t>(a.rows()));
  plan.place.resize(plan.order.size());
  std::vector<index_t> next = plan.row;
  for (index_t r = 0; r < a.rows(); ++r) {
    plan.place[r] = next[plan.partition->part[r]]++;
    plan.order[plan.place[r]] = r;
  }
  plan.begin.assign(parts + 1, 0);
  std::vector<index_t> inside(parts, 0);
  for_blocks(plan.packets(), 1, progress, [&](index_t packet, index_t) {
    const std::vector<index_t> lengths = lengths_inside(a, plan, packet);
    Packing packing;
    pack(lengths, p.threads, packing);
    for (const index_t n : lengths) inside[packet] += n;
    plan.begin[packet + 1] = packing.width * p.threads;
  });
  for (std::size_t k = 0; k < parts; ++k) {
    plan.begin[k + 1] += plan.begin[k];
    plan.inside += inside[k];
  }
  plan.slots = plan.begin.back();
  return plan;
}

std::vector<FormatFact> pkt_facts(index_t packets, index_t largest, index_t inside, index_t nnz) {
  const auto all = static_cast<double>(std::max<index_t>(nnz, 1));
  return {{"packets", static_cast<double>(packets)},
          {"largest_packet", static_cast<double>(largest)},
          {"packet_share", static_cast<double>(inside) / all},
          {"coo_share", static_cast<double>(nnz - inside) / all}};
}

index_t largest_of(auto&& row, index_t packets) {
  index_t largest = 0;
  for (index_t k = 0; k < packets; ++k) largest = std::max(largest, row[k + 1] - row[k]);
  return largest;
}

// METIS does not report its memory. This is an allowance for the graph at its levels of coarsening, not a measurement.
std::size_t scratch_of(const Csr& a) { return saturating_bytes(a.nnz(), 32) + saturating_bytes(a.rows(), 128); }

}  // namespace

Fields<PktParams> pkt_fields() {
  return {
      {&PktParams::shared_kib,
       {.id = "shared_kib",
        .label = "Shared memory (KiB)",
        .help = "Of a block: the parts of x and y that belong to a packet must fit. The paper's GPU had 16.",
        .type = ParamSpec::Type::integer,
        .min = 1,
        .max = 228}},
      {&PktParams::packet_rows,
       {.id = "packet_rows",
        .label = "Rows per packet",
        .help = "At most this many rows, and no more than the shared memory holds. 0: as many as it holds.",
        .type = ParamSpec::Type::integer,
        .min = 0,
        .max = 65535}},
      {&PktParams::threads,
       {.id = "threads",
        .label = "Threads per packet",
        .help = "Lanes that the rows of a packet are packed onto: the block size of its kernel. The paper takes 512.",
        .type = ParamSpec::Type::power_of_two,
        .min = 1,
        .max = 1024}}};
}

namespace {
// Padding ends a lane, so nothing after its first slot needs to be read.
std::size_t skippable_in_packets(index_t padding, Precision precision) {
  return saturating_bytes(padding, static_cast<std::size_t>(bytes_of(precision)) + 4);
}
}  // namespace

Estimate pkt_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params) {
  Progress progress;
  const PktPlan plan = plan_of(facts, precision, params_of(pkt_fields(), params), progress);
  const Csr& a = facts.csr();
  const index_t in_coo = a.nnz() - plan.inside;
  return {{values_size("packet_values", plan.slots, precision),
           {"packet_indices", Kind::indices, saturating_bytes(plan.slots, 4)},
           index_size("packet_begin", Kind::pointers, plan.packets() + 1, plan.slots),
           index_size("packet_row", Kind::pointers, plan.packets() + 1, a.rows()),
           index_size("permutation", Kind::pointers, a.rows(), a.rows()),
           values_size("coo_values", in_coo, precision),
           index_size("coo_rows", Kind::indices, in_coo, a.rows()),
           index_size("coo_columns", Kind::indices, in_coo, a.cols())},
          plan.slots + in_coo,
          plan.slots + in_coo - a.nnz(),
          pkt_facts(plan.packets(), largest_of(plan.row, plan.packets()), plan.inside, a.nnz()),
          scratch_of(a),
          skippable_in_packets(plan.slots - plan.inside, precision)};
}

PktFormat::PktFormat(const FormatFacts& facts, Precision precision, RealView view, const PktParams& params,
                     Progress& progress)
    : Format(facts.csr()), threads_(params.threads) {
  progress.check();
  const PktPlan plan = plan_of(facts, precision, params, progress);
  const index_t in_coo = nnz() - plan.inside;
  permutation_ = IndexArray(rows(), rows());
  packet_row_ = IndexArray(rows(), plan.packets() + 1);
  packet_begin_ = IndexArray(plan.slots, plan.packets() + 1);
  packet_indices_ = Buffer<std::uint32_t>(static_cast<std::size_t>(plan.slots));
  packet_values_ = Values(precision, plan.slots);
  coo_rows_ = IndexArray(rows(), in_coo);
  coo_columns_ = IndexArray(cols(), in_coo);
  coo_values_ = Values(precision, in_coo);
  permutation_.visit_mut([&](auto out) { std::copy(plan.order.begin(), plan.order.end(), out.begin()); });
  packet_row_.visit_mut([&](auto out) { std::copy(plan.row.begin(), plan.row.end(), out.begin()); });
  packet_begin_.visit_mut([&](auto out) { std::copy(plan.begin.begin(), plan.begin.end(), out.begin()); });

  with_typed(facts.csr(), precision, view, [&]<class T, class C>(const TypedCsr<T, C>& s) {
    const std::span<std::uint32_t> indices = packet_indices_.span();
    const std::span<T> values = packet_values_.as_mut<T>();
    for_blocks(plan.packets(), 1, progress, [&](index_t packet, index_t) {
      Packing packing;
      pack(lengths_inside(s.a, plan, packet), threads_, packing);
      const index_t begin = plan.begin[packet], end = plan.begin[packet + 1], base = plan.row[packet];
      std::fill(indices.begin() + begin, indices.begin() + end, padding);
      std::fill(values.begin() + begin, values.begin() + end, T{0});
      for (index_t i = base; i < plan.row[packet + 1]; ++i) {
        const index_t r = plan.order[i];
        s.check_rows(r, r + 1);
        index_t at = begin + packing.begin[i - base] * threads_ + packing.lane[i - base];
        for (index_t k = s.ptr[r]; k < s.ptr[r + 1]; ++k) {
          if (!plan.same_part(r, s.columns[k])) continue;
          indices[at] = static_cast<std::uint32_t>((i - base) << 16 | (plan.place[s.columns[k]] - base));
          values[at] = s.value(k);
          at += threads_;
        }
      }
    });
    const auto count = [&](index_t first, index_t last) {
      index_t sum = 0;
      for (index_t r = first; r < last; ++r)
        for (index_t k = s.ptr[r]; k < s.ptr[r + 1]; ++k) sum += !plan.same_part(r, s.columns[k]);
      return sum;
    };
    const std::span<C> columns = coo_columns_.as_mut<C>();
    const std::span<T> coo_values = coo_values_.as_mut<T>();
    coo_rows_.visit_mut([&]<class R>(std::span<R> coo_rows) {
      for_blocks_placed(rows(), kRowBlock, progress, count, [&](index_t first, index_t last, index_t to) {
        for (index_t r = first; r < last; ++r)
          for (index_t k = s.ptr[r]; k < s.ptr[r + 1]; ++k) {
            if (plan.same_part(r, s.columns[k])) continue;
            coo_rows[to] = static_cast<R>(r);
            columns[to] = s.columns[k];
            coo_values[to++] = s.value(k);
          }
      });
    });
  });
}

std::vector<ArrayView> PktFormat::arrays() const {
  const auto slots = static_cast<index_t>(packet_values_.size());
  return {view_of("packet_values", packet_values_, {slots}, 0),
          {"packet_indices", Kind::indices, ArrayView::Type::pair16, packet_indices_.span().data(), {slots}, 0},
          view_of("packet_begin", Kind::pointers, packet_begin_, {packets() + 1}),
          view_of("packet_row", Kind::pointers, packet_row_, {packets() + 1}),
          view_of("permutation", Kind::pointers, permutation_, {rows()}),
          view_of("coo_values", coo_values_, {coo_entries()}, 1),
          view_of("coo_rows", Kind::indices, coo_rows_, {coo_entries()}, 1),
          view_of("coo_columns", Kind::indices, coo_columns_, {coo_entries()}, 1)};
}

index_t PktFormat::largest_packet() const { return largest_of(packet_row_, packets()); }

std::size_t PktFormat::skippable_bytes() const { return skippable_in_packets(padding_of(0), precision()); }

std::vector<FormatFact> PktFormat::facts() const {
  return pkt_facts(packets(), largest_packet(), nnz() - coo_entries(), nnz());
}

void PktFormat::for_each_slot(const SlotVisitor& visit) const {
  for (index_t p = 0; p < packets(); ++p)
    for (index_t at = packet_begin_[p]; at < packet_begin_[p + 1]; ++at) {
      const std::uint32_t word = packet_indices_.span()[at];
      visit(word == padding ? Slot{0, at}
                            : Slot{0, at, permutation_[packet_row_[p] + (word >> 16)],
                                   permutation_[packet_row_[p] + (word & 0xffff)], packet_values_[at]});
    }
  for (index_t k = 0; k < coo_entries(); ++k) visit({1, k, coo_rows_[k], coo_columns_[k], coo_values_[k]});
}

// As in figure 14: a packet's row in the picture is a thread.
std::vector<ArrayGrid> PktFormat::grids() const {
  std::vector<ArrayGrid> grids;
  for (std::size_t array : {1, 0})
    for (index_t p = 0; p < packets(); ++p)
      grids.push_back({(array == 1 ? "pkt" : "values of pkt") + std::to_string(p), array,
                       static_cast<std::size_t>(packet_begin_[p]), threads_,
                       (packet_begin_[p + 1] - packet_begin_[p]) / threads_, 1, static_cast<std::size_t>(threads_)});
  const std::vector<ArrayGrid> rest = Format::grids();
  grids.insert(grids.end(), rest.begin() + 2, rest.end());
  return grids;
}

std::shared_ptr<const Format> pkt_build(const FormatFacts& facts, Precision precision, RealView view,
                                        const ParamSet& params, Progress& progress) {
  progress.check();
  require_memory("pkt", pkt_estimate(facts, precision, params), facts, precision);
  return std::make_shared<PktFormat>(facts, precision, view, params_of(pkt_fields(), params), progress);
}

FormatInfo pkt_info() {
  return {.id = "pkt",
          .label = "PKT",
          .help =
              "Symmetric meshes cut into packets whose parts of x and y fit into shared memory, with 16-bit indices "
              "inside; "
              "entries between packets in COO.",
          .source = "Bell & Garland 2008, section 3.6",
          .params = specs_of(pkt_fields()),
          .padding_index = FormatInfo::PaddingIndex::pair16,
          .fact_names = {{"coo_share", "nnz in COO"}},
          .table1_f32 = 4,
          .table1_f64 = 6};
}

}  // namespace warpspy
