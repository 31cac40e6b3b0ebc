// Code that all product kernels share: cache policies of loads, storing y, the shape of a launch, and checks of the
// inputs.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/catalog/fields.hpp"
#include "core/formats/format.hpp"
#include "core/formats/values.hpp"
#include "kernels/product/product.hpp"
#include "kernels/product/row.hpp"
#include "kernels/simt/simt.hpp"

namespace warpspy {

using simt::Role;

// The grid of a kernel's launch, and facts about it for the emulator. Block b computes rows b * rows_per_block to (b +
// 1) * rows_per_block - 1 of y. rows_per_block is 0 if the rows of a block are not neighbours.
struct LaunchSpec {
  std::int64_t grid = 0;
  int block = 0;
  int shared_bytes = 0;  // dynamic shared memory
  index_t rows_per_block = 0;
  // Tells how many loads of one array a warp has in flight, in the code that nvcc 13.0 makes of the inner loop for
  // sm_90. nvcc unrolls a loop of unknown length by four, unless a load or a branch depends on the previous load. The
  // source may unroll by more.
  int loads_in_flight = 4;
  // The loads in flight for arrays from which no index is computed (Role::matrix). They may be fewer if registers do
  // not suffice; the other loads then start after the first wait. 0: as many as loads_in_flight.
  int matrix_in_flight = 0;
  std::vector<LongestSegment> longest = {};  // see LaunchShape
  std::shared_ptr<const std::vector<double>> block_sizes = {};
  std::vector<std::int64_t> sections = {};
};

// Returns the longest of `segments`, then the longest with at most half as many entries (as a power of two), and so on.
// entries_of(i) is the length of segment i, block_of(i) its block.
template <class Entries, class Block>
std::vector<LongestSegment> longest_of(std::size_t segments, const Entries& entries_of, const Block& block_of) {
  constexpr std::size_t octaves = 64;
  std::array<LongestSegment, octaves> of_octave{};
  for (std::size_t i = 0; i < segments; ++i) {
    const auto entries = static_cast<std::int64_t>(entries_of(i));
    LongestSegment& longest = of_octave[static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(entries)))];
    if (entries > longest.entries) longest = {static_cast<std::int64_t>(block_of(i)), entries};
  }
  std::vector<LongestSegment> longest;
  for (std::size_t i = octaves; i-- > 0;)
    if (of_octave[i].entries > 0) longest.push_back(of_octave[i]);
  return longest;
}
// Segment i has the entries ptr[i] to ptr[i + 1] - 1. A block has `segments_per_block` segments, or a part of one.
template <class Ptr>
std::vector<LongestSegment> longest_of(std::span<const Ptr> ptr, double segments_per_block) {
  return longest_of(
      ptr.empty() ? 0 : ptr.size() - 1, [&](std::size_t i) { return ptr[i + 1] - ptr[i]; },
      [&](std::size_t i) { return static_cast<double>(i) / segments_per_block; });
}

// Sets what a sample of such blocks needs: the longest segments, and how many entries and segments each block has.
template <class Ptr>
void tell_lengths(LaunchSpec& spec, std::span<const Ptr> ptr, double segments_per_block) {
  spec.longest = longest_of(ptr, segments_per_block);
  const std::size_t segments = ptr.empty() ? 0 : ptr.size() - 1;
  const auto before = [&](std::int64_t block) {
    const double at = std::min(static_cast<double>(block) * segments_per_block, static_cast<double>(segments));
    const auto segment = static_cast<std::size_t>(at);
    const auto entries = static_cast<double>(ptr[segment]);
    const double part = at - static_cast<double>(segment);
    return at + entries + (part > 0 ? part * (static_cast<double>(ptr[segment + 1]) - entries) : 0);
  };
  std::vector<double> sizes;
  for (std::int64_t block = 0; segments > 0 && block < spec.grid; ++block)
    sizes.push_back(before(block + 1) - before(block));
  spec.block_sizes = std::make_shared<const std::vector<double>>(std::move(sizes));
}

// A grid of blocks that each compute `rows_per_block` rows. A matrix without rows gets one block, since a grid needs at
// least one.
inline LaunchSpec row_grid(index_t rows, index_t rows_per_block, int block_size) {
  return {.grid = std::max<index_t>(1, (rows + rows_per_block - 1) / rows_per_block),
          .block = block_size,
          .rows_per_block = rows_per_block};
}
// A grid with one thread for each of `items`, and at least one block.
inline LaunchSpec item_grid(index_t items, int block_size) {
  return {.grid = std::max<index_t>(1, (items + block_size - 1) / block_size), .block = block_size};
}

// Returns n for 2^n. Kernels get the threads per row as an exponent, since a shift is one instruction and a division
// twenty.
constexpr int exponent_of(int power_of_two) {
  int n = 0;
  while (1 << n < power_of_two) ++n;
  return n;
}

// Throws Error if a grid has more than 2^31 - 1 blocks or a block more than 1024 threads.
inline void require_launchable(const std::string& kernel, const LaunchSpec& launch) {
  if (launch.grid > INT32_MAX)
    throw Error("kernel " + kernel + " would need " + std::to_string(launch.grid) +
                    " blocks, and a grid has at most 2147483647",
                {}, "let each block compute more rows (larger block size or repeat, smaller coop)");
  if (launch.block > 1024)
    throw Error("kernel " + kernel + " would need blocks of " + std::to_string(launch.block) +
                    " threads, and a block has at most 1024",
                {}, "use a smaller block size");
}

inline ParamSpec block_size_spec() {
  return {.id = "block_size",
          .label = "Block size",
          .help = "Threads per block. Larger blocks keep fewer of them resident; smaller ones cost more scheduling.",
          .type = ParamSpec::Type::power_of_two,
          .min = 32,
          .max = 1024,
          .tried = {128, 256, 512}};
}

// The block size for kernels that work with any multiple of the warp (Reguly & Giles sweep it, sections 5.3 and 6).
inline ParamSpec warps_spec() {
  ParamSpec spec = block_size_spec();
  spec.help =
      "Threads per block, a multiple of the warp. Larger blocks keep fewer of them resident; smaller ones cost "
      "more scheduling.";
  spec.type = ParamSpec::Type::multiple;
  return spec;
}

// The fields of CommonParams (kernels/product/row.hpp) with their descriptions.
inline Fields<CommonParams> common_fields() {
  const std::vector<std::string> choices{"plain",    "read-only", "streaming", "no L1",     "constant", "keep 1/8",
                                         "keep 1/4", "keep 1/2",  "keep 1/16", "keep 3/16", "keep 3/8", "keep 5/8"};
  return {
      {&CommonParams::x_cache,
       {.id = "x_cache",
        .label = "Loads of x",
        .help = "How loads of x ask the caches. Constant: neither x nor the column indices are read, which leaves "
                "T_A + T_Y of the time; the result is then not the product (EVC-HYB, section 3.3).",
        .type = ParamSpec::Type::choice,
        .min = 0,
        .max = 11,
        .choices = choices}},
      {&CommonParams::matrix_cache,
       {.id = "matrix_cache",
        .label = "Loads of the matrix",
        .help = "How loads of the matrix ask the caches. Streaming tells them that it comes by once. Keep: L2 holds "
                "on to that share of a matrix that does not fit and lets the rest stream by, so that the next "
                "product finds it there. Constant: the values are not read, which leaves T_X + T_Y of the time; "
                "the result is then not the product (EVC-HYB, section 3.3).",
        .type = ParamSpec::Type::choice,
        .min = 0,
        .max = 11,
        .choices = choices,
        .tried = {0, 2, 8, 5, 9, 6, 10, 7, 11}}},
      {&CommonParams::overlap,
       {.id = "overlap",
        .label = "Next product",
        .help = "Overlapping: its blocks take places as they become free at the end of this one, load their part of "
                "the matrix and wait there; x and y they touch only when this one has ended (programmatic dependent "
                "launch, compute capability 9.0 and later).",
        .type = ParamSpec::Type::choice,
        .min = 0,
        .max = 1,
        .choices = {"afterwards", "overlapping"},
        .tried = {0, 1}}}};
}

// The cache policies of a kernel's loads: `x`, `values`, `columns` (all indices of x), and `pointers` (all arrays that
// say how long a row is). Each a CachePolicy, or Fixed<...> where one version of the kernel is compiled for it.
template <class X, class Values, class Columns, class Pointers>
struct Caches {
  X x;
  Values values;
  Columns columns;
  Pointers pointers;
};
using DynamicCaches = Caches<simt::CachePolicy, simt::CachePolicy, simt::CachePolicy, simt::CachePolicy>;

// Constant x means that neither x nor its index array is loaded; a constant matrix means that its values are not loaded
// (EVC-HYB, section 3.3). Row lengths are always read, since a kernel needs them. They are few, so they have a plain
// policy when L2 is asked to keep a share.
inline DynamicCaches caches_of(const CommonParams& p) {
  const auto plain = simt::CachePolicy::plain, matrix = simt::is_constant(p.matrix()) ? plain : p.matrix();
  return {p.x(), p.matrix(), simt::is_constant(p.x()) ? p.x() : matrix, simt::is_evict_last(matrix) ? plain : matrix};
}

inline namespace SIMT_TARGET {

// y = alpha * dot + beta * y. With beta = 0 y is not read, so that its old contents, even NaN, do not matter.
template <class T>
struct Scale {
  T alpha, beta;

  SIMT_DEVICE T scaled(T dot) const { return alpha * dot; }
  SIMT_DEVICE void store(const simt::Array<T>& y, std::int64_t row, T dot,
                         simt::Where where = simt::Where::current()) const {
    const T before = beta == T{0} ? T{0} : beta * simt::ld(y, row, where);
    simt::st(y, row, alpha * dot + before, where);
  }
};

// y = beta * y: this launch comes before a kernel that adds to y by atomics.
template <class T>
struct ScaleY {
  simt::Array<T> y;
  T beta;
  std::int64_t rows;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t row = t.block * t.block_size + t.thread;
    if (row >= rows) return;
    const T before = beta == T{0} ? T{0} : beta * simt::ld(y, row);
    simt::st(y, row, before);
  }
};

}  // namespace SIMT_TARGET

// Makes the result from a kernel's y: element i of y is element order[i] of the result; an empty order changes nothing.
template <class T>
std::vector<double> in_result_order(const std::vector<T>& y, const std::vector<index_t>& order) {
  std::vector<double> result(y.begin(), y.end());
  for (std::size_t i = 0; i < order.size(); ++i) result[static_cast<std::size_t>(order[i])] = y[i];
  return result;
}

// The format of a kernel that needs no matrix.
struct NoFormat {};

// Returns the format as the type that the kernel reads. Throws Error if it is another format or has another precision.
template <class Input>
const Input& input_of(const KernelInfo& kernel, const ProductInputs& in) {
  if constexpr (std::is_same_v<Input, NoFormat>) {
    static const NoFormat none;
    return none;
  } else {
    if (!in.format) throw Error("kernel " + kernel.id + " reads format " + kernel.format + ", and none is given");
    const auto* input = dynamic_cast<const Input*>(in.format.get());
    if (!input) throw Error("kernel " + kernel.id + " reads format " + kernel.format + ", not " + in.format->id());
    if (input->precision() != in.precision)
      throw Error(std::string("the format holds ") + name_of(input->precision()) + " values, not " +
                  name_of(in.precision));
    return *input;
  }
}

// Throws Error if x or y do not have the sizes of this operation. Returns the size of y.
inline index_t require_vectors(const KernelInfo& kernel, const ProductInputs& in) {
  const auto given = static_cast<index_t>(in.x.size());
  const index_t rows = in.format ? in.format->rows() : given, cols = in.format ? in.format->cols() : given;
  const index_t wanted = input_size(kernel.operation, rows, cols), out = output_size(kernel.operation, rows, cols);
  if (given != wanted)
    throw Error("x has " + std::to_string(given) + " entries, and kernel " + kernel.id + " wants " +
                std::to_string(wanted));
  if (in.beta != 0 && static_cast<index_t>(in.y.size()) != out)
    throw Error("y has " + std::to_string(in.y.size()) + " entries, and kernel " + kernel.id + " wants " +
                std::to_string(out));
  return out;
}

// Whether a kernel has the parameter `overlap`: it loads much of the matrix before it first accesses x and y.
template <class Kernel>
constexpr bool may_overlap = requires { Kernel::overlaps; };

// The common parameters of a kernel; a kernel without a matrix has no cache policies.
template <class Kernel>
Fields<CommonParams> common_fields_of() {
  Fields<CommonParams> fields = common_fields();
  const auto without = [&](int CommonParams::* member) {
    std::erase_if(fields, [&](const auto& f) { return f.member == member; });
  };
  if (std::is_same_v<typename Kernel::Input, NoFormat>) without(&CommonParams::matrix_cache);
  if (!may_overlap<Kernel>) without(&CommonParams::overlap);
  return fields;
}

// Makes the description of a kernel: its info, the common parameters and the other properties that its file states.
template <class Kernel>
KernelInfo kernel_info() {
  KernelInfo info = Kernel::info();
  info.tags = Kernel::tags;
  info.slowdown = Kernel::slowdown;
  if constexpr (requires { Kernel::starts(); }) info.starts = Kernel::starts();
  if constexpr (requires { Kernel::validated(); }) info.validated = Kernel::validated();
  info.params = specs_of(Kernel::fields());
  for (ParamSpec& spec : specs_of(common_fields_of<Kernel>())) info.params.push_back(std::move(spec));
  return info;
}

// Reads a kernel's own and the common parameters. Throws Error as checked_params does.
template <class Kernel>
std::pair<typename Kernel::Params, CommonParams> split_params(const ParamSet& given) {
  const ParamSet all = checked_params(kernel_info<Kernel>().params, given);
  const auto own = Kernel::fields();
  const CommonParams common = read_fields(common_fields_of<Kernel>(), all);
  // ld.global.nc is only valid if nobody writes the data while the kernel runs. With overlap the kernel starts before
  // the previous product has ended, and the y of that product may be this x.
  if (common.overlap && common.x() == simt::CachePolicy::read_only)
    throw Error("x cannot be read-only where products overlap: the one before may still write it", "x_cache, overlap",
                "set x_cache to plain, or overlap to afterwards");
  return {read_fields(own, all), common};
}

// The index types for which kernels are compiled, for a GPU and for the emulator: offsets of both widths, since
// matrices with more than 2^31 entries fit into the memory of a GPU; columns and rows of 32 bits, since a vector for
// wider ones takes 16 GiB alone, and each type more doubles the compiler's work.
template <class Offset, class Index>
inline constexpr bool compiled_indices = sizeof(Index) == 4;

// For a kernel that has laid out no launch. Throws Error.
inline void refuse_wide_indices(const std::string& kernel) {
  throw Error("kernel " + kernel + " has no code for 64-bit row and column indices", {},
              "use a matrix with fewer than 2^31 rows and columns");
}

// y = beta * y, for kernels that add to y. With beta = 1, as in the papers' y = A x + y, there is nothing to do.
template <class Layout>
void scale_y_first(Layout& layout, index_t rows) {
  const auto scale = layout.scale();
  if (scale.beta == 1) return;
  constexpr int block_size = 256;
  layout.launch(row_grid(rows, block_size, block_size), ScaleY<typename Layout::Value>{layout.y(), scale.beta, rows});
}

// Calls f(spans...) with each index array in its own integer type: IndexArray::visit for several arrays.
template <class F, class... More>
void visit_all(F&& f, const IndexArray& first, const More&... more) {
  first.visit([&](auto span) {
    if constexpr (sizeof...(More) == 0)
      f(span);
    else
      visit_all([&](auto... spans) { f(span, spans...); }, more...);
  });
}

// Calls f<v>() for the v of `values` that equals `value`: this turns a run-time parameter into a template argument.
template <int... values, class F>
void with_value(int value, F&& f) {
  ((value == values ? f.template operator()<values>() : void()), ...);
}

}  // namespace warpspy
