// Product by the local matrix approach (one small matrix for each finite element) without atomics. Elements that share
// a node have different colours, and each colour has a launch of its own, so no two threads add to the same element of
// y. (Reguly & Giles 2012, section 8.2, use it since GPUs then had no atomic addition in f64.) The colours are computed
// once, before the first product. The elements' matrices keep their order in memory, so neighbouring lanes read
// elements that are not neighbours. That is the cost, besides the additional launches.
#pragma once

#include <bit>

#include "kernels/spmv/lma.hpp"

namespace warpspy {

// The elements sorted by colour; elements of one colour keep their order.
struct Colouring {
  std::vector<std::int32_t> elements;
  std::vector<index_t> begin{0};  // colours + 1 numbers: where each colour begins in `elements`
};

// Colours the elements greedily: each element takes the first colour that no earlier element at its nodes has. A pass
// knows 64 colours, one bit each in a word per node. Elements for which all 64 are taken wait for the next pass.
inline Colouring colour_elements(const LmaFormat& a) {
  Colouring all;
  std::vector<std::int32_t> left(static_cast<std::size_t>(a.elements())), waiting;
  for (std::size_t e = 0; e < left.size(); ++e) left[e] = static_cast<std::int32_t>(e);
  a.nodes().visit([&](auto nodes) {
    std::vector<std::uint64_t> used(static_cast<std::size_t>(a.rows()));
    while (!left.empty()) {
      std::fill(used.begin(), used.end(), 0);
      std::vector<std::vector<std::int32_t>> colours(64);
      waiting.clear();
      for (const std::int32_t e : left) {
        std::uint64_t taken = 0;
        const auto node = [&](index_t k) { return static_cast<std::size_t>(nodes[k * a.pitch() + e]); };
        for (index_t k = 0; k < a.nodes_per_element(); ++k) taken |= used[node(k)];
        const int colour = std::countr_one(taken);
        if (colour == 64) {
          waiting.push_back(e);
          continue;
        }
        colours[static_cast<std::size_t>(colour)].push_back(e);
        for (index_t k = 0; k < a.nodes_per_element(); ++k) used[node(k)] |= std::uint64_t{1} << colour;
      }
      for (const auto& colour : colours) {
        if (colour.empty()) break;
        all.elements.insert(all.elements.end(), colour.begin(), colour.end());
        all.begin.push_back(static_cast<index_t>(all.elements.size()));
      }
      left.swap(waiting);
    }
  });
  return all;
}

inline namespace SIMT_TARGET {

struct LmaColoured {
  using Input = LmaFormat;
  struct Params {
    int block_size = 128;
    bool operator==(const Params&) const = default;
  };

  template <class T, class Product>
  struct Code {
    Product product;
    simt::Array<const std::int32_t> coloured;
    simt::Array<T> y;
    std::int64_t begin, end;  // the range of this colour in `coloured`
    Scale<T> scale;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      const std::int64_t i = begin + t.block * t.block_size + t.thread;
      if (i >= end) return;
      const std::int64_t e = simt::ld(product.cached.pointers, coloured, i);
      product(e, [this](std::int64_t node, T sum) { simt::st(y, node, simt::ld(y, node) + scale.scaled(sum)); });
    }
  };

  static Fields<Params> fields() { return {{&Params::block_size, warps_spec()}}; }
  static constexpr Tags tags = Tag::several_launches;
  static constexpr Slowdown slowdown = {1, not_measured};
  static KernelInfo info() {
    return {"lma_coloured", "LMA coloured",
            "One thread per finite element and one launch per colour: elements of a colour share no node, so nothing "
            "is added by atomics.",
            "Reguly & Giles 2012, section 8.2", "lma"};
  }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    if (a.elements() > INT32_MAX)
      throw Error(
          "kernel lma_coloured numbers at most 2147483647 elements, and there are " + std::to_string(a.elements()), {},
          "use kernel lma");
    with_elements(a, layout, [&]<class Product>(const Product& product) {
      const Colouring& colouring = layout.prepare([&] { return colour_elements(a); });
      const std::vector<index_t>& begin = colouring.begin;
      const auto coloured = layout.made("coloured", Role::matrix_index, colouring.elements);
      layout.launch(item_grid(a.rows(), p.block_size), ScaleY<T>{layout.y(), layout.scale().beta, a.rows()});
      for (std::size_t c = 0; c + 1 < begin.size(); ++c)
        layout.launch(Product::grid(begin[c + 1] - begin[c], p.block_size),
                      Code<T, Product>{product, coloured, layout.y(), begin[c], begin[c + 1], layout.scale()});
    });
  }
};

}  // namespace SIMT_TARGET
}  // namespace warpspy
