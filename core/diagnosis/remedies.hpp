// What a rule wants tried, without the name of any kernel: what kernels must be like, a parameter of the run's own one,
// or another order of rows.
#pragma once

#include "core/catalog/kernel_traits.hpp"

namespace warpspy {

struct Remedy {
  enum class What : std::uint8_t { kernels, same_kernel, reorder } what = What::kernels;
  // Of kernels: those with all of these tags and none of those, in the order of the catalog; of our own, on no compact
  // format, which holds only some matrices (FormatInfo::compact_of). `near`: only such as stay near_its_bytes.
  Tags has = {}, without = {};
  bool near = false;
  const char* id = nullptr;  // of a parameter, which a kernel must have; of an order of rows
  double value = by_default;
  const char* words = "";  // what it is, as an advice lists it

  static constexpr double by_default = -1;
  static constexpr double fit = -2;  // as many threads as a row of mean length has work for
};

// What several rules ask for.
namespace remedy {

// Equal shares of entries, and nothing to add to y by atomics. What gathers x first is asked for where that pays.
inline constexpr Remedy equal_shares = {.has = Tag::splits_rows,
                                        .without = Tag::atomics | Tag::vector_in_shared,
                                        .near = true,
                                        .words = "equal shares of entries"};
// Entries read side by side, whatever their rows.
inline constexpr Remedy sums_in_shared = {.has = Tag::sums_in_shared, .words = "sums of rows in shared memory"};
inline constexpr Remedy sums_in_shared_near = {
    .has = Tag::sums_in_shared, .near = true, .words = "sums of rows in shared memory"};
inline constexpr Remedy threads_per_row = {.has = Tag::threads_per_row,
                                           .near = true,
                                           .id = "coop",
                                           .value = Remedy::fit,
                                           .words = "threads for each row as it is long"};
// More loads on their way. Equal shares are asked for apart; diagonals are for their bytes.
inline constexpr Remedy many_in_flight = {.has = Tag::many_in_flight,
                                          .without = Tag::splits_rows | Tag::vector_in_shared | Tag::diagonals,
                                          .words = "a format or kernel with more loads on their way"};
// Rows by length, so that those of a slice are about as long.
inline constexpr Remedy sorted_rows = {.has = Tag::reorders_rows | Tag::many_in_flight,
                                       .words = "rows sorted by length"};
inline constexpr Remedy long_rows_apart = {.has = Tag::long_rows_apart,
                                           .without = Tag::several_launches | Tag::reorders_rows,
                                           .words = "long rows kept apart"};
// x gathered for a share of the entries, or a stripe of it at a time.
inline constexpr Remedy shares_with_x = {.has = Tag::vector_in_shared | Tag::splits_rows,
                                         .without = Tag::atomics,
                                         .words = "x gathered once for a share of the entries"};
inline constexpr Remedy stripes_of_x = {
    .has = Tag::vector_in_shared | Tag::stripes, .without = Tag::atomics, .words = "a stripe of x at a time"};
inline constexpr Remedy blocks = {.has = Tag::blocks, .near = true, .words = "an index for each block"};
inline constexpr Remedy diagonals = {.has = Tag::diagonals | Tag::many_in_flight,
                                     .words = "an offset for each diagonal"};

// The run's own kernel with this value of a parameter; an order of rows by its id.
constexpr Remedy same_kernel(const char* param, double value, const char* words) {
  return {.what = Remedy::What::same_kernel, .id = param, .value = value, .words = words};
}
constexpr Remedy reordered(const char* order) {
  return {.what = Remedy::What::reorder, .id = order, .words = "another order of rows and columns"};
}

}  // namespace remedy
}  // namespace warpspy
