// Rules about uneven work of lanes, warps, blocks and SMs.
#include <algorithm>

#include "core/diagnosis/rules.hpp"
#include "core/diagnosis/words.hpp"

namespace warpspy {
namespace {

double lanes(const Evidence& e) { return e.value("active_lanes"); }
bool long_rows(const Evidence& e) { return static_cast<double>(e.rows().max) > std::max(64.0, 12 * e.mean_length()); }
bool fills(const Evidence& e) { return e.value("blocks") >= e.gpu().sm_count; }

bool idle_lanes(const Evidence& e) { return lanes(e) < 24; }
bool lanes_do_not_matter(const Evidence& e) {
  return e.share(Cause::issue) + e.share(Cause::latency) + e.share(Cause::l1) + e.share(Cause::requests) < 0.25;
}
Sentences say_idle_lanes(const Evidence& e) {
  const bool short_rows = e.mean_length() < 32;
  return {short_rows
              ? "Lanes are idle, since rows are short for the threads that share them or end at different places."
              : "Lanes are idle, since rows of one warp end at different places.",
          count_text(lanes(e)) + " of 32 lanes work in a memory or warp-wide instruction; rows have " +
              count_text(e.mean_length()) + " entries in the mean, " + count_text(e.rows().median) +
              " in the median and " + count_text(static_cast<double>(e.rows().max), 7) + " at most.",
          "Give lanes equal work."};
}
double left_of_lanes(const Evidence& e) { return lanes(e) / 32; }

bool rows_uneven(const Evidence& e) { return e.rows_uneven(); }
bool grid_does_not_fill(const Evidence& e) { return !fills(e); }
std::string with_even_blocks(const Evidence& e) {
  return "with even blocks the product would take " + percent_of(e.even()) + " of its time (model).";
}
Sentences say_rows(const Evidence& e) {
  const std::string longest = count_text(static_cast<double>(e.rows().max), 7), mean = count_text(e.mean_length());
  // The COO part divides entries evenly, so long rows there delay nobody.
  if (const auto cut = e.find("row_cut"))
    return {"Work is uneven between warps: some have full rows of the ELL part, others next to nothing.",
            "Rows have " + mean + " entries in the mean; the ELL part holds up to " + count_text(*cut) +
                " of each, and what longer rows have beyond (the longest has " + longest +
                ") is shared out evenly in COO; " + with_even_blocks(e),
            "Share out what the long rows have."};
  return {"Work is uneven between warps: a few long rows are still computed when all others have ended.",
          "The longest row has " + longest + " entries, the mean " + mean + "; " + with_even_blocks(e),
          "Share out what the long rows have."};
}

bool blocks_uneven(const Evidence& e) { return !long_rows(e) && e.even() < 0.88 && e.value("waves") > 1; }
Sentences say_blocks(const Evidence& e) {
  return {"Work is uneven between SMs: at the end some have blocks left and others have none (the tail).",
          count_text(e.value("blocks"), 7) + " blocks are " + count_text(e.value("waves")) +
              " waves of what the GPU holds at a time; with even SMs the product would take " + percent_of(e.even()) +
              " of its time (model).",
          "Give every SM as much to do at the end."};
}

bool grid_small(const Evidence& e) { return !fills(e); }
bool mostly_launch(const Evidence& e) { return e.share(Cause::launch) > 0.7; }
Sentences say_grid(const Evidence& e) {
  return {"The grid is too small: SMs are left without a block.",
          count_text(e.value("blocks"), 7) + " blocks for " + std::to_string(e.gpu().sm_count) + " SMs; " +
              count_text(static_cast<double>(e.run().rows), 7) + " rows and " +
              count_text(static_cast<double>(e.run().nnz), 7) + " entries.",
          "Make more blocks, so that every SM has some."};
}

double left_of_even(const Evidence& e) { return e.even(); }

// The longer a row, the more threads.
constexpr Remedy threads_by_length = {.has = Tag::threads_per_row | Tag::reorders_rows,
                                      .words = "more threads for longer rows"};
constexpr Remedy warp_per_row = {
    .has = Tag::threads_per_row, .near = true, .id = "coop", .value = 32, .words = "a warp for each row"};

const std::vector<Cause> work = {Cause::issue, Cause::l1, Cause::latency, Cause::requests};

const RuleRow balance_rows[] = {
    {.id = "idle_lanes",
     .title = "Idle lanes",
     .needs = {"active_lanes"},
     .holds = idle_lanes,
     .unless = lanes_do_not_matter,
     .says = say_idle_lanes,
     .lessens = work,
     .left = left_of_lanes,
     .balances = true,
     .tries = {remedy::equal_shares, remedy::threads_per_row, remedy::sums_in_shared, remedy::sorted_rows,
               remedy::long_rows_apart}},
    {.id = "uneven_rows",
     .title = "Rows uneven between warps",
     .needs = {"bound_even", "blocks"},
     .holds = rows_uneven,
     .says = say_rows,
     .lessens = work,
     .left = left_of_even,
     .balances = true,
     .tries = {remedy::equal_shares, remedy::sums_in_shared, threads_by_length, remedy::long_rows_apart}},
    {.id = "tail",
     .title = "Blocks uneven between SMs",
     .needs = {"bound_even", "blocks", "waves"},
     .holds = blocks_uneven,
     .unless = grid_does_not_fill,
     .says = say_blocks,
     .lessens = work,
     .left = left_of_even,
     .balances = true,
     .tries = {remedy::same_kernel("block_size", 64, "smaller blocks"), remedy::equal_shares, remedy::sums_in_shared}},
    {.id = "small_grid",
     .title = "Grid too small",
     .needs = {"blocks"},
     .holds = grid_small,
     .unless = mostly_launch,
     .says = say_grid,
     .lessens = work,
     .balances = true,
     .tries = {warp_per_row, remedy::same_kernel("block_size", 32, "smaller blocks"), remedy::threads_per_row,
               remedy::equal_shares, remedy::sums_in_shared_near},
     .proven = false},
};

}  // namespace

std::span<const RuleRow> balance_rules() { return balance_rows; }

}  // namespace warpspy
