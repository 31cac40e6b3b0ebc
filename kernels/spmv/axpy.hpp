// y = alpha x + y with a stride between the elements, one per thread (Bell & Garland 2008, figures 1 to 3): the first
// kernel for beginners, with only two loads and a store. A stride larger than 1 destroys its coalescing.
#pragma once

#include "kernels/spmv/spmv.hpp"

namespace warpspy::inline SIMT_TARGET {

struct Axpy {
  using Input = NoFormat;
  struct Params {
    int stride = 1;
    int block_size = 256;
    bool operator==(const Params&) const = default;
  };

  template <class T, class Policy>
  struct Code {
    simt::Array<const T> x;
    simt::Array<T> y;
    std::int64_t count;  // number of elements that are used
    int stride;
    Scale<T> scale;
    Policy x_policy;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      const std::int64_t i = t.block * t.block_size + t.thread;
      if (i >= count) return;
      scale.store(y, i * stride, simt::ld(x_policy, x, i * stride));
    }
  };

  static Fields<Params> fields() {
    return {{&Params::stride,
             {.id = "stride",
              .label = "Stride",
              .help = "Distance between the elements that neighbouring threads take. With 1 a warp touches whole "
                      "sectors; with 32 every lane touches one of its own. The vectors are as long as the matrix is "
                      "wide; elements between are left as they are.",
              .type = ParamSpec::Type::integer,
              .min = 1,
              .max = 64}},
            {&Params::block_size, warps_spec()}};
  }
  static index_t stride(const Params& p) { return p.stride; }
  static constexpr Tags tags = {};  // reads no matrix
  static constexpr Slowdown slowdown = {1, not_measured};
  static KernelInfo info() {
    KernelInfo info{"axpy", "axpy (saxpy, daxpy)",
                    "y = alpha x + y with a stride: no matrix is read, only its number of columns counts. Shows what "
                    "coalescing is worth.",
                    "Bell & Garland 2008, figures 1 to 3", ""};
    info.operation = Operation::axpy;
    return info;
  }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input&, const Params& p, Layout& layout) {
    const auto x = layout.x();
    const index_t count = (x.size + p.stride - 1) / p.stride;
    layout.with_caches([&](const auto& cached) {
      using Policy = std::remove_cvref_t<decltype(cached.x)>;
      layout.launch(item_grid(count, p.block_size),
                    Code<T, Policy>{x, layout.y(), count, p.stride, layout.scale(), cached.x});
    });
  }
};

}  // namespace warpspy::inline SIMT_TARGET
