// Rules about time that is not memory traffic: launches, instructions, atomics, latency.
#include <algorithm>

#include "core/diagnosis/rules.hpp"
#include "core/diagnosis/words.hpp"

namespace warpspy {
namespace {

double us(const Evidence& e, Cause c) { return e.causes().us(c); }

bool launch(const Evidence& e) { return e.share(Cause::launch) > 0.2; }
Sentences say_launch(const Evidence& e) {
  const double one = e.gpu().launch_us;
  const double launches = one > 0 ? e.causes().bound(Cause::launch) / one : 1;
  return {
      launches > 1.5 ? "Starting its kernels takes a good part of the product: it has several launches."
                     : "Starting the kernel takes a good part of the product: there is little to do in it.",
      count_text(std::max(1.0, launches)) + (launches > 1.5 ? " launches take " : " launch takes ") +
          us_text(us(e, Cause::launch)) + " of " + us_text(e.time()) + " for " +
          count_text(static_cast<double>(e.run().nnz), 7) + " entries.",
      launches > 1.5 ? "Launch less often." : "Do more in a launch (several products, a larger matrix), or hide it."};
}

bool issue(const Evidence& e) { return e.share(Cause::issue) > 0.3; }
Sentences say_issue(const Evidence& e) {
  return {"Instructions limit: the SMs issue more of them for each entry than the loads need.",
          count_text(32 * e.value("instructions") / std::max<double>(1, static_cast<double>(e.run().nnz))) +
              " thread instructions per entry; issuing takes " + percent_of(e.share(Cause::issue)) +
              " of the time, DRAM " + percent_of(e.share(Cause::dram)) + ".",
          "Spend fewer instructions on an entry."};
}

bool atomics(const Evidence& e) { return e.share(Cause::atomics) > 0.15; }
Sentences say_atomics(const Evidence& e) {
  return {"Atomics limit: sums of y meet at the same addresses and take turns in L2.",
          "Turns of atomics take " + us_text(us(e, Cause::atomics)) + " of " + us_text(e.time()) + " (" +
              percent_of(e.share(Cause::atomics)) + ", model).",
          "Add up a row first, so that it is added to y once."};
}

bool latency(const Evidence& e) { return e.share(Cause::latency) > 0.4; }
Sentences say_latency(const Evidence& e) {
  const double most = e.gpu().max_threads_per_sm / 32.0, warps = e.value("warps_per_sm");
  const bool few_warps = warps < 0.4 * most;
  std::string evidence = "Waiting takes " + percent_of(e.share(Cause::latency)) + " of the time, DRAM " +
                         percent_of(e.share(Cause::dram)) + "; " + count_text(warps) + " of " + count_text(most) +
                         " warps live on an SM";
  if (const auto dram = e.find("waits_dram"))
    evidence += "; of the waits " + percent_of(*dram / 100) + " are for DRAM and " +
                percent_of(e.value("waits_l2") / 100) + " for L2";
  return {few_warps ? "Latency limits: too few warps are there to hide what each waits for."
                    : "Latency limits: each warp has too few loads on their way before it waits.",
          evidence + ".",
          few_warps ? "Give the GPU more warps, or each of them more loads." : "Have more loads on their way."};
}
// Then the rule on grids says it.
bool grid_too_small(const Evidence& e) {
  const auto blocks = e.find("blocks");
  return blocks && *blocks < e.gpu().sm_count;
}

constexpr Remedy sums_in_one_launch = {.has = Tag::sums_in_shared,
                                       .without = Tag::several_launches,
                                       .words = "sums of rows in shared memory, in one launch"};
// The way through shared memory takes instructions.
constexpr Remedy wide_loads_in_registers = {.has = Tag::many_in_flight,
                                            .without = remedy::many_in_flight.without | Tag::sums_in_shared,
                                            .words = "several entries with one load"};
// No partial sums; several threads per row if the kernel has that parameter.
constexpr Remedy whole_rows = {.has = Tag::thread_per_row, .id = "coop", .words = "whole rows for a thread"};

const RuleRow waiting_rows[] = {
    {.id = "launch",
     .title = "Launches",
     .holds = launch,
     .says = say_launch,
     .lessens = {Cause::launch},
     .tries = {remedy::same_kernel("overlap", 1, "products that overlap at their ends"), sums_in_one_launch,
               remedy::threads_per_row, remedy::equal_shares},
     .proven = false},
    {.id = "issue",
     .title = "Instructions to issue",
     .needs = {"instructions"},
     .holds = issue,
     .says = say_issue,
     .lessens = {Cause::issue},
     .tries = {wide_loads_in_registers, remedy::threads_per_row, remedy::equal_shares, whole_rows}},
    {.id = "atomics",
     .title = "Atomics",
     .needs = {"bound_atomics"},
     .holds = atomics,
     .says = say_atomics,
     .lessens = {Cause::atomics},
     .tries = {remedy::threads_per_row, remedy::sums_in_shared, remedy::sorted_rows}},
    {.id = "latency",
     .title = "Latency",
     .needs = {"warps_per_sm"},
     .holds = latency,
     .unless = grid_too_small,
     .says = say_latency,
     .lessens = {Cause::latency},
     .tries = {remedy::many_in_flight, remedy::equal_shares, remedy::threads_per_row}},
};

}  // namespace

std::span<const RuleRow> waiting_rules() { return waiting_rows; }

}  // namespace warpspy
