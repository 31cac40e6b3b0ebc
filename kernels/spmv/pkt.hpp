// Product with a matrix in PKT, with one thread block per packet (Bell & Garland 2008, section 4.6 and figure 26). A
// packet has the entries of some rows whose columns lie in a small part of x. The block copies this part of x into
// shared memory, multiplies with 16-bit indices into that copy, and writes its rows of y. A second launch multiplies
// the entries between packets and adds them by atomics. The paper adds every product to y in shared memory. Here a lane
// keeps the sum of a row in a register and adds it once, when the row ends: the rows of a lane come one after another.
#pragma once

#include "core/formats/pkt.hpp"
#include "kernels/spmv/spmv.hpp"

namespace warpspy::inline SIMT_TARGET {

struct Pkt {
  using Input = PktFormat;
  struct Params {
    int block_size = 256;
    bool operator==(const Params&) const = default;
  };

  template <class T, class Ptr, class Col, class Cached>
  struct Packets {
    simt::Array<const Col> permutation, packet_row;
    simt::Array<const Ptr> packet_begin;
    simt::Array<const std::uint32_t> packet_indices;
    simt::Array<const T> packet_values;
    simt::Array<const T> x;
    simt::Array<T> y;
    std::int64_t packets, largest;
    Scale<T> scale;
    Cached cached;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      if (t.block >= packets) return;  // only a matrix without rows has a block without a packet
      SIMT_DYNAMIC_SHARED(T, x_local, 0, largest);
      SIMT_DYNAMIC_SHARED(T, y_local, largest * static_cast<std::int64_t>(sizeof(T)), largest);
      const std::int64_t base = simt::ld(cached.pointers, packet_row, t.block);
      const std::int64_t rows = simt::ld(cached.pointers, packet_row, t.block + 1) - base;
      for (std::int64_t i = t.thread; i < rows; i += t.block_size) {
        simt::st(x_local, i, simt::ld(cached.x, x, simt::ld(cached.pointers, permutation, base + i)));
        simt::st(y_local, i, T{0});
      }
      simt::sync_block();
      process(t, x_local, y_local);
      simt::sync_block();
      for (std::int64_t i = t.thread; i < rows; i += t.block_size)
        scale.store(y, simt::ld(cached.pointers, permutation, base + i), simt::ld(y_local, i));
    }

    // The loop of figure 26. A packed index holds the positions in x and in y, so it is loaded even if x is constant.
    SIMT_DEVICE void process(simt::Thread t, const simt::SharedArray<T>& x_local,
                             const simt::SharedArray<T>& y_local) const {
      const std::int64_t begin = simt::ld(cached.pointers, packet_begin, t.block);
      const std::int64_t end = simt::ld(cached.pointers, packet_begin, t.block + 1);
      std::uint32_t row = PktFormat::padding;
      T sum = 0;
      for (std::int64_t k = begin + t.thread; k < end; k += t.block_size) {
        const std::uint32_t packed = simt::ld(cached.pointers, packet_indices, k);
        const T value = simt::ld(cached.values, packet_values, k);
        if (packed == PktFormat::padding) break;  // the entries of this lane have ended
        if (packed >> 16 != row) {
          if (row != PktFormat::padding) simt::st(y_local, row, sum);
          row = packed >> 16;
          sum = 0;
        }
        sum += value * simt::ld(x_local, packed & 0xffff);
      }
      if (row != PktFormat::padding) simt::st(y_local, row, sum);
    }
  };

  // Adds the entries between packets, one per thread.
  template <class T, class Col, class Cached>
  struct Rest {
    simt::Array<const Col> rows, columns;
    simt::Array<const T> values;
    simt::Array<const T> x;
    simt::Array<T> y;
    std::int64_t entries;
    Scale<T> scale;
    Cached cached;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      const std::int64_t k = t.block * t.block_size + t.thread;
      if (k >= entries) return;
      const Col row = simt::ld(cached.pointers, rows, k), column = simt::ld(cached.columns, columns, k);
      simt::atomic_add(y, row, scale.scaled(simt::ld(cached.values, values, k) * simt::ld(cached.x, x, column)));
    }
  };

  static Fields<Params> fields() {
    ParamSpec block_size = block_size_spec();
    block_size.label = "Block size (rest)";
    block_size.help =
        "Threads per block of the second launch, for the entries between packets. A packet's block has as "
        "many threads as the format packed it onto.";
    return {{&Params::block_size, block_size}};
  }
  static constexpr Tags tags = Tag::vector_in_shared | Tag::reorders_rows | Tag::several_launches;
  static constexpr Slowdown slowdown = {1, not_measured};
  static KernelInfo info() {
    return {"pkt", "PKT",
            "A block per packet, with its parts of x and y in shared memory; entries between packets are added by "
            "atomics.",
            "Bell & Garland 2008, section 4.6 and figure 26", "pkt"};
  }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    a.packet_begin().visit([&]<class Ptr>(std::span<const Ptr> packet_begin) {
      a.permutation().visit([&]<class Col>(std::span<const Col> permutation) {
        if constexpr (compiled_indices<Ptr, Col>)
          layout.with_caches([&]<class Cached>(const Cached& cached) {
            const auto x = layout.x();
            const auto y = layout.y();
            const index_t largest = a.largest_packet();
            const auto shared = 2 * largest * static_cast<index_t>(sizeof(T));
            layout.launch({.grid = std::max<index_t>(1, a.packets()),
                           .block = a.threads(),
                           .shared_bytes = static_cast<int>(shared),
                           .loads_in_flight = 1},
                          Packets<T, Ptr, Col, Cached>{
                              layout.in("permutation", Role::x_index, permutation),
                              layout.in("packet_row", Role::matrix_index, a.packet_row().template as<Col>()),
                              layout.in("packet_begin", Role::matrix_index, packet_begin),
                              layout.in("packet_indices", Role::matrix_index, a.packet_indices()),
                              layout.in("packet_values", Role::matrix, a.packet_values().template as<T>()), x, y,
                              a.packets(), largest, layout.scale(), cached});
            if (a.coo_entries() == 0) return;
            layout.launch(
                item_grid(a.coo_entries(), p.block_size),
                Rest<T, Col, Cached>{layout.in("coo_rows", Role::matrix, a.coo_rows().template as<Col>()),
                                     layout.in("coo_columns", Role::x_index, a.coo_columns().template as<Col>()),
                                     layout.in("coo_values", Role::matrix, a.coo_values().template as<T>()), x, y,
                                     a.coo_entries(), layout.scale(), cached});
          });
      });
    });
  }
};

}  // namespace warpspy::inline SIMT_TARGET
