// A remedy is what a rule suggests to make a run faster. It names no kernel, but tags that a kernel must have, a
// parameter of the run's own kernel, or another order of rows.
#pragma once

#include "core/catalog/kernel_traits.hpp"

namespace warpspy {

struct Remedy {
  enum class What : std::uint8_t { kernels, same_kernel, reorder } what = What::kernels;
  // Kernels that have all tags of `has` and no tag of `without`, in the catalog's order. Only our own kernels count,
  // and none on a compact format, which can store only some matrices (FormatInfo::compact_of). `near`: only kernels
  // with at most the slowdown near_its_bytes.
  Tags has = {}, without = {};
  bool near = false;
  const char* id = nullptr;  // id of a parameter that a kernel must have, or of an order of rows
  double value = by_default;
  const char* words = "";  // the remedy's words in a list of advice

  static constexpr double by_default = -1;
  static constexpr double fit = -2;  // a value: as many threads as a row of mean length has work for
};

// Remedies that several rules use.
namespace remedy {

// Suggests kernels whose thread blocks have equal numbers of entries, and that add nothing to y by atomics. Kernels
// that gather x first are a remedy of their own.
inline constexpr Remedy equal_shares = {.has = Tag::splits_rows,
                                        .without = Tag::atomics | Tag::vector_in_shared,
                                        .near = true,
                                        .words = "equal shares of entries"};
// Suggests kernels whose lanes read neighbouring entries, whatever the lengths of the rows.
inline constexpr Remedy sums_in_shared = {.has = Tag::sums_in_shared, .words = "sums of rows in shared memory"};
inline constexpr Remedy sums_in_shared_near = {
    .has = Tag::sums_in_shared, .near = true, .words = "sums of rows in shared memory"};
inline constexpr Remedy threads_per_row = {.has = Tag::threads_per_row,
                                           .near = true,
                                           .id = "coop",
                                           .value = Remedy::fit,
                                           .words = "threads for each row as it is long"};
// Suggests kernels with more loads in flight. Kernels with equal shares of entries are a remedy of their own; diagonals
// are suggested for their bytes.
inline constexpr Remedy many_in_flight = {.has = Tag::many_in_flight,
                                          .without = Tag::splits_rows | Tag::vector_in_shared | Tag::diagonals,
                                          .words = "a format or kernel with more loads on their way"};
// Suggests kernels that sort rows by length, so that the rows of a slice have similar lengths.
inline constexpr Remedy sorted_rows = {.has = Tag::reorders_rows | Tag::many_in_flight,
                                       .words = "rows sorted by length"};
inline constexpr Remedy long_rows_apart = {.has = Tag::long_rows_apart,
                                           .without = Tag::several_launches | Tag::reorders_rows,
                                           .words = "long rows kept apart"};
// Suggests kernels that copy the needed elements of x to shared memory, for some of the entries or for a stripe of
// columns at a time.
inline constexpr Remedy shares_with_x = {.has = Tag::vector_in_shared | Tag::splits_rows,
                                         .without = Tag::atomics,
                                         .words = "x gathered once for a share of the entries"};
inline constexpr Remedy stripes_of_x = {
    .has = Tag::vector_in_shared | Tag::stripes, .without = Tag::atomics, .words = "a stripe of x at a time"};
inline constexpr Remedy blocks = {.has = Tag::blocks, .near = true, .words = "an index for each block"};
inline constexpr Remedy diagonals = {.has = Tag::diagonals | Tag::many_in_flight,
                                     .words = "an offset for each diagonal"};

// same_kernel: the run's own kernel with this value of a parameter. reordered: an order of rows, by its id.
constexpr Remedy same_kernel(const char* param, double value, const char* words) {
  return {.what = Remedy::What::same_kernel, .id = param, .value = value, .words = words};
}
constexpr Remedy reordered(const char* order) {
  return {.what = Remedy::What::reorder, .id = order, .words = "another order of rows and columns"};
}

}  // namespace remedy
}  // namespace warpspy
