#include "core/catalog/kernel_traits.hpp"

#include <cstdio>
#include <string>

#include "core/catalog/catalog.hpp"

namespace warpspy {
namespace {

constexpr TagRow tag_table[] = {
    {Tag::thread_per_row, "thread_per_row", "thread per row",
     "One thread, or one lane of each warp that shares a slice, has all entries of a row: the longest row decides."},
    {Tag::threads_per_row, "threads_per_row", "threads per row",
     "Several threads share a row and read it side by side."},
    {Tag::splits_rows, "splits_rows", "splits rows",
     "Threads have equally many entries, whatever the rows: long ones are split."},
    {Tag::sums_in_shared, "sums_in_shared", "sums in shared memory",
     "Entries are read side by side, whatever their rows, and their products are added up by way of shared memory."},
    {Tag::many_in_flight, "many_in_flight", "many loads in flight",
     "A thread asks for several entries before it needs the first: by wide loads, or several steps at once."},
    {Tag::vector_in_shared, "vector_in_shared", "vector in shared memory",
     "What columns point into (x, or y of a transposed product) is kept in shared memory, a part at a time."},
    {Tag::stripes, "stripes", "stripes of columns", "Columns are cut into stripes, and each block works on one."},
    {Tag::atomics, "atomics", "atomics",
     "All of y is added up by atomics, and scaled before: the order of additions may differ from run to run."},
    {Tag::reorders_rows, "reorders_rows", "reorders rows", "Rows are taken in another order than the matrix has them."},
    {Tag::long_rows_apart, "long_rows_apart", "long rows apart",
     "What long rows have beyond others is stored and computed apart from them."},
    {Tag::blocks, "blocks", "blocks", "One column index for a block of entries; threads share a row of blocks."},
    {Tag::diagonals, "diagonals", "diagonals",
     "One offset for a whole diagonal, no column indices, and no row is longer than another."},
    {Tag::several_launches, "several_launches", "several launches",
     "A product takes several launches, one after another, beside one that scales y."}};

}  // namespace

std::span<const TagRow> tag_rows() { return tag_table; }

std::string description(const KernelInfo& kernel) {
  std::string text = kernel.help;
  if (!kernel.source.empty()) text += "\n" + kernel.source;
  for (const TagRow& row : tag_table)
    if (kernel.tags.has_all(row.tag)) text += "\n" + std::string(row.label) + ": " + row.help;
  if (kernel.slowdown.factor == 1) return text;
  char factor[16];
  std::snprintf(factor, sizeof factor, "%.3g", kernel.slowdown.factor);
  return text + "\nFor as many bytes it takes about " + factor +
         " times as long as CSR even: " + kernel.slowdown.source + ".";
}

}  // namespace warpspy
