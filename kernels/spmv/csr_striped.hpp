// Product with a matrix in CSR by stripes; a stripe is a range of neighbouring columns. It suits matrices with a few
// long rows and scattered columns, in which nearly every load of x would need a sector of its own. A thread block keeps
// one stripe of x in shared memory, and adds up the pieces of rows in this stripe. (The columns of a row are sorted, so
// a piece is a range of entries.) A second launch adds up the pieces of each row. This is the cache blocking of Im &
// Yelick 2001, with shared memory as the cache, as in PKT (Bell & Garland 2008, section 4.6). Rows are dealt out to
// warps: the longest row comes first, and each row goes to the warp with the fewest entries so far.
#pragma once

#include "kernels/spmv/csr_stripes.hpp"

namespace warpspy::inline SIMT_TARGET {

struct CsrStriped {
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
    simt::Array<T> parts;  // stripes x rows
    std::int64_t rows, cols;
    int stripes;
    int width;  // columns of a stripe
    Cached cached;

    // Unsigned, so that a step past the last of almost 2^31 entries does not overflow.
    using Position = std::make_unsigned_t<Ptr>;
    // One step of a warp through a piece.
    struct Step {
      Col column[unroll];
      T value[unroll];
    };
    SIMT_DEVICE Step load(Ptr begin, Ptr end, Col origin, int lane, simt::Where where = simt::Where::current()) const {
      Step step{};
      SIMT_UNROLL
      for (int u = 0; u < unroll; ++u) {
        const Position k = static_cast<Position>(begin) + lane + simt::warp_size * u;
        step.column[u] = -1;
        step.value[u] = 0;
        if (k < static_cast<Position>(end)) {
          // Column 0 of the constant policy is not in every stripe.
          step.column[u] = simt::is_constant(cached.columns) ? origin : simt::ld(cached.columns, columns, k, where);
          step.value[u] = simt::ld(cached.values, values, k, where);
        }
      }
      return step;
    }

    SIMT_DEVICE void operator()(simt::Thread t) const {
      const int stripe = static_cast<int>(t.block) % stripes, group = static_cast<int>(t.block) / stripes;
      const Col origin = static_cast<Col>(stripe) * width;
      const int lane = t.thread % simt::warp_size;
      SIMT_DYNAMIC_SHARED(T, near, 0, width);
      for (int i = t.thread; i < width && static_cast<std::int64_t>(origin) + i < cols; i += t.block_size)
        simt::st(near, i, simt::ld(cached.x, x, origin + i));
      simt::sync_block();
      const int bin = group * (t.block_size / simt::warp_size) + t.thread / simt::warp_size;
      const int last = simt::ld(bin_begin, bin + 1);
      // A warp processes 32 rows at a time. Each lane loads where the piece of one of these rows begins and ends.
      for (int first = simt::ld(bin_begin, bin); first < last; first += simt::warp_size) {
        const int count = last - first < simt::warp_size ? last - first : simt::warp_size;
        Ptr piece = 0, piece_end = 0;
        if (lane < count) {
          piece = simt::ld(cached.pointers, piece_begin, stripe * rows + first + lane);
          piece_end = simt::ld(cached.pointers, piece_begin, (stripe + 1) * rows + first + lane);
        }
        T sum = 0, own = 0;
        auto [begin, end] = simt::shfl_pair(piece, piece_end, 0);
        Step step = load(begin, end, origin, lane);
        for (int row = 0; row < count;) {
          // The next entries, of this piece or the next one, are loaded while these are added up.
          const bool more = end - begin > simt::warp_size * unroll;
          const int next_row = more ? row : row + 1;
          const int source = next_row < count ? next_row : row;
          const auto [from, to] = simt::shfl_pair(piece, piece_end, source);
          begin = more ? static_cast<Ptr>(begin + simt::warp_size * unroll) : from;
          end = next_row < count ? to : begin;
          const Step next = load(begin, end, origin, lane);
          SIMT_UNROLL
          for (int u = 0; u < unroll; ++u)
            if (step.column[u] >= 0) sum += step.value[u] * simt::ld(near, step.column[u] - origin);
          step = next;
          if (!more) {
            sum = simt::sum_xor(sum);
            if (lane == row) own = sum;
            sum = 0;
          }
          row = next_row;
        }
        if (lane < count) simt::st(parts, stripe * rows + simt::ld(cached.pointers, bin_rows, first + lane), own);
      }
    }
  };

  template <class T>
  struct AddParts {
    simt::Array<T> parts;
    simt::Array<T> y;
    std::int64_t rows, stripes;
    Scale<T> scale;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      const std::int64_t row = t.block * t.block_size + t.thread;
      if (row >= rows) return;
      T sum = 0;
      for (std::int64_t s = 0; s < stripes; ++s) sum += simt::ld(parts, s * rows + row);
      scale.store(y, row, sum);
    }
  };

  static Fields<Params> fields() {
    return {{&Params::stripe_kib,
             stripe_kib_spec("Stripe of x in KiB",
                             "Shared memory that a block fills with its stripe of x. Wider stripes make longer pieces "
                             "of rows, and leave room for fewer blocks.")},
            {&Params::groups, groups_spec()},
            {&Params::block_size, block_size_spec()}};
  }
  static constexpr Tags tags = Tag::vector_in_shared | Tag::stripes | Tag::several_launches;
  static constexpr Slowdown slowdown = {1, not_measured};
  static KernelInfo info() {
    return {"csr_striped", "CSR striped",
            "Blocks keep a stripe of x in shared memory: for few long rows with columns all over the place.",
            "after Im & Yelick 2001", "csr"};
  }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    const Stripes stripes = stripes_of(info(), a, p.stripe_kib, sizeof(T), "csr_stream");
    visit_all(
        [&]<class Ptr, class Col>(std::span<const Ptr> row_ptr, std::span<const Col> columns) {
          if constexpr (compiled_indices<Ptr, Col>) {
            const StripedRows<Ptr>& rows = layout.prepare(
                [&] { return striped_rows(row_ptr, columns, p.groups * p.block_size / simt::warp_size, stripes); });
            const auto parts = layout.template scratch<T>("parts", a.rows() * stripes.count);
            layout.with_caches([&]<class Cached>(const Cached& cached) {
              layout.launch(
                  {.grid = stripes.count * p.groups,
                   .block = p.block_size,
                   .shared_bytes = static_cast<int>(stripes.width * static_cast<index_t>(sizeof(T)))},
                  Code<T, Ptr, Col, Cached>{layout.made("bin_begin", Role::matrix_index, rows.bins.begin),
                                            layout.made("bin_rows", Role::matrix, rows.bins.rows),
                                            layout.made("piece_begin", Role::matrix_index, rows.pieces),
                                            layout.in("columns", Role::x_index, columns),
                                            layout.in("values", Role::matrix, a.values().template as<T>()), layout.x(),
                                            parts, a.rows(), a.cols(), static_cast<int>(stripes.count),
                                            static_cast<int>(stripes.width), cached});
            });
            constexpr int block_size = 128;
            layout.launch(row_grid(a.rows(), block_size, block_size),
                          AddParts<T>{parts, layout.y(), a.rows(), stripes.count, layout.scale()});
          }
        },
        a.row_ptr(), a.columns());
  }
};

}  // namespace warpspy::inline SIMT_TARGET
