// Computes y = A^T x from a matrix in CSR by stripes; a stripe is a range of neighbouring columns, and so of y. It
// suits matrices with a few long rows and scattered columns. There csr_transposed would need an atomic in global memory
// for every entry. Here a thread block adds up one stripe of y in shared memory, from the pieces of its rows in that
// stripe. Then it adds the stripe to y, with one coalesced atomic for each column. If a stripe has only one block, no
// atomics are needed. It is the counterpart of csr_striped (after Im & Yelick 2001); the atomics of Steinberger et al.
// 2016, section IV, are in shared memory.
#pragma once

#include "kernels/spmv/csr_stripes.hpp"

namespace warpspy::inline SIMT_TARGET {

struct CsrStripedTransposed {
  using Input = CsrFormat;
  struct Params {
    int stripe_kib = 200;
    int groups = 6;
    int block_size = 1024;
    bool operator==(const Params&) const = default;
  };
  static constexpr int unroll = 4;

  template <class T, class Ptr, class Col, class Cached>
  struct Code {
    simt::Array<const std::int32_t> bin_begin, bin_rows;
    simt::Array<const Ptr> piece_begin;  // (stripes + 1) x rows, in the order of bin_rows
    simt::Array<const Col> columns;
    simt::Array<const T> values;
    simt::Array<const T> x;
    simt::Array<T> y;
    std::int64_t rows, cols;
    int stripes;
    int width;        // columns of a stripe
    bool only_block;  // whether its stripe has no other block
    Scale<T> scale;
    Cached cached;

    // Unsigned, so that a step past the last of almost 2^31 entries does not overflow.
    using Position = std::make_unsigned_t<Ptr>;
    // One step of a warp through a piece. Columns are indices of y, so they are read even if x is not.
    struct Step {
      Col column[unroll];
      T value[unroll];
    };
    SIMT_DEVICE Step load(Position begin, Position end, int lane, simt::Where where = simt::Where::current()) const {
      Step step{};
      SIMT_UNROLL
      for (int u = 0; u < unroll; ++u) {
        const Position k = begin + lane + simt::warp_size * u;
        step.column[u] = -1;
        if (k >= end) continue;
        step.column[u] = simt::ld(cached.pointers, columns, k, where);
        step.value[u] = simt::ld(cached.values, values, k, where);
      }
      return step;
    }

    SIMT_DEVICE void operator()(simt::Thread t) const {
      const int stripe = static_cast<int>(t.block) % stripes, group = static_cast<int>(t.block) / stripes;
      const Col origin = static_cast<Col>(stripe) * width;
      const std::int64_t left = cols - origin;
      const int here = left < width ? static_cast<int>(left) : width;
      const int lane = t.thread % simt::warp_size;
      SIMT_DYNAMIC_SHARED(T, sums, 0, width);
      for (int i = t.thread; i < here; i += t.block_size) simt::st(sums, i, T{0});
      simt::sync_block();
      const int bin = group * (t.block_size / simt::warp_size) + t.thread / simt::warp_size;
      const int last = simt::ld(bin_begin, bin + 1);
      // A warp processes 32 rows at a time. Each lane loads where the piece of one of these rows begins and ends, and
      // the row's element of x.
      for (int first = simt::ld(bin_begin, bin); first < last; first += simt::warp_size) {
        const int count = last - first < simt::warp_size ? last - first : simt::warp_size;
        Position piece = 0, piece_end = 0;
        T own = 0;
        if (lane < count) {
          piece = static_cast<Position>(simt::ld(cached.pointers, piece_begin, stripe * rows + first + lane));
          piece_end = static_cast<Position>(simt::ld(cached.pointers, piece_begin, (stripe + 1) * rows + first + lane));
          own = scale.scaled(simt::ld(cached.x, x, simt::ld(cached.pointers, bin_rows, first + lane)));
        }
        auto [begin, end] = simt::shfl_pair(piece, piece_end, 0);
        Step step = load(begin, end, lane);
        for (int row = 0; row < count;) {
          // The next entries, of this piece or the next one, are loaded while these are added.
          constexpr int stride = simt::warp_size * unroll;
          const bool more = begin < end && end - begin > stride;
          const int next_row = more ? row : row + 1;
          const int source = next_row < count ? next_row : row;
          const auto [from, to] = simt::shfl_pair(piece, piece_end, source);
          const T factor = simt::shfl(own, row);
          begin = more ? begin + stride : from;
          end = next_row < count ? to : begin;
          const Step next = load(begin, end, lane);
          SIMT_UNROLL
          for (int u = 0; u < unroll; ++u)
            if (step.column[u] >= 0)
              simt::atomic_add(sums, static_cast<int>(step.column[u] - origin), step.value[u] * factor);
          step = next;
          row = next_row;
        }
      }
      simt::sync_block();
      for (int i = t.thread; i < here; i += t.block_size) {
        const T sum = simt::ld(sums, i);
        if (only_block)
          Scale<T>{1, scale.beta}.store(y, origin + i, sum);
        else if (sum != T{0})
          simt::atomic_add(y, origin + i, sum);
      }
    }
  };

  static Fields<Params> fields() {
    return {{&Params::stripe_kib,
             stripe_kib_spec("Stripe of y in KiB",
                             "Shared memory in which a block adds up its stripe of y. Wider stripes make longer pieces "
                             "of rows, and leave room for fewer blocks.")},
            {&Params::groups, groups_spec()},
            {&Params::block_size, block_size_spec()}};
  }
  static constexpr Tags tags = Tag::vector_in_shared | Tag::stripes | Tag::atomics;
  static constexpr Slowdown slowdown = {1, not_measured};
  static KernelInfo info() {
    KernelInfo info{"csr_striped_transposed", "CSR striped transposed",
                    "y = A^T x from the CSR of A: blocks add up a stripe of y in shared memory, for few long rows with "
                    "columns all over the place.",
                    "after Im & Yelick 2001 and Steinberger et al. 2016", "csr"};
    info.operation = Operation::transposed_product;
    return info;
  }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    const Stripes stripes = stripes_of(info(), a, p.stripe_kib, sizeof(T), "csr_transposed");
    visit_all(
        [&]<class Ptr, class Col>(std::span<const Ptr> row_ptr, std::span<const Col> columns) {
          if constexpr (compiled_indices<Ptr, Col>) {
            const StripedRows<Ptr>& rows = layout.prepare(
                [&] { return striped_rows(row_ptr, columns, p.groups * p.block_size / simt::warp_size, stripes); });
            const bool only_block = p.groups == 1;
            if (!only_block) scale_y_first(layout, a.cols());
            layout.with_caches([&]<class Cached>(const Cached& cached) {
              layout.launch(
                  {.grid = stripes.count * p.groups,
                   .block = p.block_size,
                   .shared_bytes = static_cast<int>(stripes.width * static_cast<index_t>(sizeof(T)))},
                  Code<T, Ptr, Col, Cached>{layout.made("bin_begin", Role::matrix_index, rows.bins.begin),
                                            layout.made("bin_rows", Role::x_index, rows.bins.rows),
                                            layout.made("piece_begin", Role::matrix_index, rows.pieces),
                                            layout.in("columns", Role::matrix, columns),
                                            layout.in("values", Role::matrix, a.values().template as<T>()), layout.x(),
                                            layout.y(), a.rows(), a.cols(), static_cast<int>(stripes.count),
                                            static_cast<int>(stripes.width), only_block, layout.scale(), cached});
            });
          }
        },
        a.row_ptr(), a.columns());
  }
};

}  // namespace warpspy::inline SIMT_TARGET
