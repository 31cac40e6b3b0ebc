// Rules about how the matrix and x are loaded.
#include <algorithm>
#include <string>

#include "core/diagnosis/rules.hpp"
#include "core/diagnosis/words.hpp"

namespace warpspy {
namespace {

// What loads cost between SM and L2: throughput of L1, lines requested from L2, and latency.
double cost_of_loads(const Evidence& e) {
  return e.share(Cause::l1) + e.share(Cause::l2) + e.share(Cause::requests) + e.share(Cause::latency);
}

// Bytes of x that L2 delivered: the misses of L1 minus the matrix once and y.
double x_from_l2(const Evidence& e) {
  const double rest = e.run().minimum_bytes.value - e.vector_bytes();
  return std::max(0.0,
                  e.value("l2_bytes") - rest - static_cast<double>(e.run().rows) * bytes_of(e.run().request.precision));
}
double x_bytes(const Evidence& e) { return static_cast<double>(e.run().cols) * bytes_of(e.run().request.precision); }

bool uncoalesced(const Evidence& e) { return e.of_matrix().used() < 0.5 && cost_of_loads(e) > 0.25; }
// Half of each loaded sector is used, or the path from SM to L1 takes little time. Then lanes wait for something else.
bool few_sectors_of_matrix(const Evidence& e) {
  const double all = e.of_matrix().sectors + e.x().sectors;
  return e.of_matrix().sectors < 0.3 * all;
}
Sentences say_uncoalesced(const Evidence& e) {
  const ArrayTraffic m = e.of_matrix();
  return {"The loads of the matrix are not coalesced: lanes that stand side by side read bytes that lie far apart.",
          count_text(m.sectors_per_request()) + " sectors per request of the matrix's arrays, of whose bytes " +
              percent_of(m.used()) + " are used; L1 hits " + percent_of(e.value("l1_hit_rate") / 100) + ", and " +
              percent_of(cost_of_loads(e)) + " of the time goes to loads.",
          "Let neighbouring lanes read neighbouring entries."};
}
double left_of_uncoalesced(const Evidence& e) { return 0.5 * e.of_matrix().used(); }

bool x_misses_l1(const Evidence& e) {
  return x_from_l2(e) > 3 * x_bytes(e) && x_from_l2(e) > 0.25 * e.value("l2_bytes") && e.value("l1_hit_rate") < 60 &&
         e.x().sectors_per_request() > 8;
}
bool l2_costs_little(const Evidence& e) {
  return e.share(Cause::l2) + e.share(Cause::requests) + e.share(Cause::latency) < 0.2;
}
Sentences say_x_misses_l1(const Evidence& e) {
  return {"Gathers of x miss L1: the columns of neighbouring rows lie too far apart to share lines.",
          count_text(e.x().sectors_per_request()) + " sectors per request of x; L2 brings about " +
              byte_words(x_from_l2(e)) + " for an x of " + byte_words(x_bytes(e)) + "; L1 hits " +
              percent_of(e.value("l1_hit_rate") / 100) + ".",
          "Bring together what uses the same parts of x."};
}

bool x_misses_l2(const Evidence& e) {
  return e.value("dram_bytes") > 1.3 * e.run().minimum_bytes.value && e.share(Cause::dram) > 0.2 &&
         x_bytes(e) > 0.25 * e.gpu().l2_bytes;
}
bool padding_instead(const Evidence& e) {
  return e.of_matrix().bytes_padding > 0.5 * (e.value("dram_bytes") - e.run().minimum_bytes.value);
}
Sentences say_x_misses_l2(const Evidence& e) {
  const bool no_l2 = e.gpu().l2_bytes <= 0;
  return {no_l2 ? "Parts of x come from DRAM more than once: this GPU has no L2 cache."
                : "Gathers of x miss L2: parts of x come from DRAM more than once.",
          "DRAM moves " + byte_words(e.value("dram_bytes")) + ", every array once is " +
              byte_words(e.run().minimum_bytes.value) + "; x is " + byte_words(x_bytes(e)) +
              (no_l2 ? std::string(".") : ", L2 " + byte_words(e.gpu().l2_bytes) + "."),
          "Bring together what uses the same parts of x."};
}
double left_of_dram(const Evidence& e) { return e.run().minimum_bytes.value / e.value("dram_bytes"); }

// Processes short rows by columns, so that neighbouring rows request x at the same time; the rest of long rows comes
// later.
constexpr Remedy short_rows_first = {
    .has = Tag::long_rows_apart, .without = Tag::atomics | Tag::reorders_rows, .words = "short rows first"};

const RuleRow load_rows[] = {
    {.id = "uncoalesced",
     .title = "Uncoalesced loads of the matrix",
     .needs = {"arrays", "l1_hit_rate"},
     .holds = uncoalesced,
     .unless = few_sectors_of_matrix,
     .says = say_uncoalesced,
     .lessens = {Cause::l1, Cause::l2, Cause::requests, Cause::latency},
     .left = left_of_uncoalesced,
     .tries = {remedy::equal_shares, remedy::threads_per_row, remedy::many_in_flight}},
    {.id = "x_misses_l1",
     .title = "Gathers of x that miss L1",
     .needs = {"arrays", "l1_hit_rate", "l2_bytes"},
     .holds = x_misses_l1,
     .unless = l2_costs_little,
     .says = say_x_misses_l1,
     .lessens = {Cause::l2, Cause::requests, Cause::latency, Cause::l1},
     .tries = {remedy::reordered("rcm"), remedy::shares_with_x, remedy::equal_shares, remedy::sums_in_shared_near,
               remedy::stripes_of_x, short_rows_first}},
    {.id = "x_misses_l2",
     .title = "Gathers of x that miss L2",
     .needs = {"dram_bytes", "arrays"},
     .holds = x_misses_l2,
     .unless = padding_instead,
     .says = say_x_misses_l2,
     .lessens = {Cause::dram},
     .left = left_of_dram,
     .tries = {remedy::reordered("rcm"), remedy::stripes_of_x, remedy::shares_with_x, remedy::equal_shares,
               remedy::sorted_rows},
     .proven = false},
};

}  // namespace

std::span<const RuleRow> load_rules() { return load_rows; }

}  // namespace warpspy
