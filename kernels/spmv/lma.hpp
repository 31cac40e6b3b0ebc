// Product by the local matrix approach, which stores one small matrix for each finite element instead of A. Each
// element gets one thread (Reguly & Giles 2012, section 8.2, equation 12). A thread multiplies the matrix of its
// element by the element's nodes of x and adds the result to its nodes of y by atomics.
#pragma once

#include "core/formats/lma.hpp"
#include "kernels/spmv/spmv.hpp"

namespace warpspy::inline SIMT_TARGET {

// Multiplies row `a` of the matrix of element e by x. If the compiler knows the number of nodes (`compiled`), x is read
// once into registers. If not (0), x is read again for every row: registers cannot be indexed by a variable.
template <class T, class Col, int compiled, class Cached>
struct ElementProduct {
  simt::Array<const Col> nodes;
  simt::Array<const T> matrices;
  simt::Array<const T> x;
  std::int64_t pitch;
  int nodes_per_element;
  Cached cached;

  // Calls add(node, sum) for every node of the element. It loads the node of x and the node of y separately, since
  // their cache policies may differ.
  template <class Add>
  SIMT_DEVICE void operator()(std::int64_t e, Add&& add) const {
    if constexpr (compiled > 0) {
      T x_local[compiled];
      SIMT_UNROLL
      for (int b = 0; b < compiled; ++b) x_local[b] = x_of(e, b);
      SIMT_UNROLL
      for (int a = 0; a < compiled; ++a) {
        T sum = 0;
        SIMT_UNROLL
        for (int b = 0; b < compiled; ++b) sum += matrix(e, a * compiled + b) * x_local[b];
        add(simt::ld(cached.pointers, nodes, a * pitch + e), sum);
      }
    } else {
      for (int a = 0; a < nodes_per_element; ++a) {
        T sum = 0;
        for (int b = 0; b < nodes_per_element; ++b) sum += matrix(e, a * nodes_per_element + b) * x_of(e, b);
        add(simt::ld(cached.pointers, nodes, a * pitch + e), sum);
      }
    }
  }

  // If the loops are unrolled, a row of the element's matrix is in flight: each load takes the place of one whose value
  // has been used. Read in the machine code of nvcc 13.0 for sm_90, for 4, 9, 16 and 25 nodes.
  static LaunchSpec grid(std::int64_t elements, int block_size) {
    LaunchSpec spec = item_grid(elements, block_size);
    if constexpr (compiled > 0) spec.loads_in_flight = compiled;
    return spec;
  }

  SIMT_DEVICE T x_of(std::int64_t e, int b) const {
    return simt::ld(cached.x, x, simt::ld(cached.columns, nodes, b * pitch + e));
  }
  SIMT_DEVICE T matrix(std::int64_t e, int k) const { return simt::ld(cached.values, matrices, k * pitch + e); }
};

// Calls use(ElementProduct) with the type that fits the format's arrays.
template <class Layout, class Use>
void with_elements(const LmaFormat& a, Layout& layout, Use&& use) {
  using T = typename Layout::Value;
  a.nodes().visit([&]<class Col>(std::span<const Col> nodes) {
    if constexpr (compiled_indices<Col, Col>)
      layout.with_caches([&]<class Cached>(const Cached& cached) {
        const int m = static_cast<int>(a.nodes_per_element());
        const auto compiled_for = [&]<int compiled>() {
          use(ElementProduct<T, Col, compiled, Cached>{layout.in("nodes", Role::x_index, nodes),
                                                       layout.in("matrices", Role::matrix, a.values().template as<T>()),
                                                       layout.x(), a.pitch(), m, cached});
        };
        if constexpr (Layout::template unrolled<Cached>) {
          const bool known = m == 4 || m == 9 || m == 16 || m == 25;  // nodes of quadrilaterals of degree 1 to 4
          with_value<0, 4, 9, 16, 25>(known ? m : 0, compiled_for);
        } else {
          compiled_for.template operator()<0>();
        }
      });
  });
}

struct Lma {
  using Input = LmaFormat;
  struct Params {
    int block_size = 128;
    bool operator==(const Params&) const = default;
  };

  template <class T, class Product>
  struct Code {
    Product product;
    simt::Array<T> y;
    std::int64_t elements;
    Scale<T> scale;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      const std::int64_t e = t.block * t.block_size + t.thread;
      if (e >= elements) return;
      product(e, [this](std::int64_t node, T sum) { simt::atomic_add(y, node, scale.scaled(sum)); });
    }
  };

  static Fields<Params> fields() { return {{&Params::block_size, warps_spec()}}; }
  static constexpr Tags tags = Tag::atomics;
  static constexpr Slowdown slowdown = {1, not_measured};
  static KernelInfo info() {
    return {"lma", "LMA", "One thread per finite element, whose results are added to y by atomics.",
            "Reguly & Giles 2012, section 8.2", "lma"};
  }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    with_elements(a, layout, [&]<class Product>(const Product& product) {
      layout.launch(item_grid(a.rows(), p.block_size), ScaleY<T>{layout.y(), layout.scale().beta, a.rows()});
      layout.launch(Product::grid(a.elements(), p.block_size),
                    Code<T, Product>{product, layout.y(), a.elements(), layout.scale()});
    });
  }
};

}  // namespace warpspy::inline SIMT_TARGET
