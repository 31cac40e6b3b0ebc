// What a kernel file and a layout must offer: all of ours do, and whoever misses one thing misses that.
#include "kernels/spmv/contract.hpp"

#include <gtest/gtest.h>

#include <tuple>

#include "kernels/spmv/emulated_product.hpp"
#include "kernels/table/list.hpp"

namespace warpspy {
namespace {

using OfFloats = EmulatedLayout<float>;

static_assert(Layout<EmulatedLayout<float>> && Layout<EmulatedLayout<double>>);

template <class... Kernel>
constexpr bool complete(const std::tuple<Kernel...>*) {
  return (ProductKernel<Kernel, EmulatedLayout<float>> && ...) &&
         (ProductKernel<Kernel, EmulatedLayout<double>> && ...);
}
static_assert(complete(static_cast<KernelList*>(nullptr)));

// A kernel, and the same without each of the things that it must have.
struct WithInput {
  using Input = NoFormat;
};
struct WithParams {
  struct Params {
    int block_size = 128;
    bool operator==(const Params&) const = default;
  };
};
struct WithFields {
  static Fields<WithParams::Params> fields();
};
struct WithInfo {
  static KernelInfo info();
};
struct WithTags {
  static constexpr Tags tags = Tag::atomics;
};
struct WithSlowdown {
  static constexpr Slowdown slowdown = {1, "made up"};
};
struct WithLayout {
  template <class P>
  static void lay_out(const NoFormat&, const WithParams::Params&, P&);
};
template <class... Part>
struct Of : Part... {};

using Whole = Of<WithInput, WithParams, WithFields, WithInfo, WithTags, WithSlowdown, WithLayout>;
static_assert(ProductKernel<Whole, OfFloats>);
using NoInput = Of<WithParams, WithFields, WithInfo, WithTags, WithSlowdown, WithLayout>;
static_assert(!NamesItsInput<NoInput> && !ProductKernel<NoInput, OfFloats>);
using NoParams = Of<WithInput, WithFields, WithInfo, WithTags, WithSlowdown, WithLayout>;
static_assert(!HasParams<NoParams> && !ProductKernel<NoParams, OfFloats>);
using NoFields = Of<WithInput, WithParams, WithInfo, WithTags, WithSlowdown, WithLayout>;
static_assert(!ListsItsFields<NoFields> && !ProductKernel<NoFields, OfFloats>);
using NoInfo = Of<WithInput, WithParams, WithFields, WithTags, WithSlowdown, WithLayout>;
static_assert(!SaysWhatItIs<NoInfo> && !ProductKernel<NoInfo, OfFloats>);
using NoTags = Of<WithInput, WithParams, WithFields, WithInfo, WithSlowdown, WithLayout>;
static_assert(!SaysWhatItIsLike<NoTags> && !ProductKernel<NoTags, OfFloats>);
using NoSlowdown = Of<WithInput, WithParams, WithFields, WithInfo, WithTags, WithLayout>;
static_assert(!SaysHowFarFromItsBytes<NoSlowdown> && !ProductKernel<NoSlowdown, OfFloats>);
using NoLayout = Of<WithInput, WithParams, WithFields, WithInfo, WithTags, WithSlowdown>;
static_assert(!LaysOutAProduct<NoLayout, OfFloats> && !ProductKernel<NoLayout, OfFloats>);
// No tag at all is enough for what reads no matrix alone; a factor needs its source.
struct WithEmptyTags {
  static constexpr Tags tags = {};
};
struct WithMatrix {
  using Input = CsrFormat;
};
static_assert(SaysWhatItIsLike<Of<WithInput, WithEmptyTags>> && !SaysWhatItIsLike<Of<WithMatrix, WithEmptyTags>>);
struct WithBareFactor {
  static constexpr Slowdown slowdown = {2};
};
static_assert(!SaysHowFarFromItsBytes<WithBareFactor>);
// Parameters that cannot be compared, and fields of other parameters than its own.
struct WithOddParams {
  struct Params {
    int block_size = 128;
  };
};
static_assert(!HasParams<WithOddParams>);
static_assert(!ListsItsFields<Of<WithOddParams, WithFields>>);

// Layouts that miss one thing.
struct WithoutScratch : OfFloats {
  template <class E>
  simt::Array<E> scratch(const char*, index_t) = delete;
};
static_assert(!Layout<WithoutScratch>);
struct WithoutRoles : OfFloats {
  template <class E>
  simt::Array<E> in(const char*, std::span<E>);
};
static_assert(!Layout<WithoutRoles>);

TEST(Contract, IsHeldByTheCompiler) { require_kernel<Whole, OfFloats>(); }

// The loads that the constant policy leaves out, and what they yield, for all ways to name a policy.
static_assert(simt::is_constant(simt::CachePolicy::constant) && !simt::is_constant(simt::CachePolicy::plain));
static_assert(simt::is_constant(simt::Fixed<simt::CachePolicy::constant>{}));
static_assert(!simt::is_constant(simt::Fixed<simt::CachePolicy::streaming>{}) && !simt::is_constant(simt::EvictLast{}));
static_assert(simt::constant_pack<float, 4>().v[3] == 1 && simt::constant_pack<std::int32_t, 2>().v[1] == 0);

}  // namespace
}  // namespace warpspy
