// Rules about bytes: padding, indices, and the roofs of DRAM and L2.
#include <algorithm>

#include "core/catalog/alignment.hpp"
#include "core/diagnosis/rules.hpp"
#include "core/diagnosis/words.hpp"

namespace warpspy {
namespace {

double padding_share(const Evidence& e) {
  const ArrayTraffic m = e.of_matrix();
  return m.bytes_used > 0 ? m.bytes_padding / m.bytes_used : 0;
}
double bytes_cost(const Evidence& e) {
  return e.share(Cause::dram) + e.share(Cause::l2) + e.share(Cause::requests) + e.share(Cause::l1);
}
double gbs(const Evidence& e, const char* counter) { return e.value(counter) / e.time() * 1e-3; }
// The bandwidth of a long copy, which is what can be reached.
double dram_roof(const Evidence& e) {
  return e.gpu().dram_stream_gbs > 0 ? dram_copy_gbs(e.gpu()) : e.roof(Level::dram);
}
double dram_share(const Evidence& e) { return dram_roof(e) > 0 ? gbs(e, "dram_bytes") / dram_roof(e) : 0; }
double l2_share(const Evidence& e) { return e.roof(Level::l2) > 0 ? gbs(e, "l2_bytes") / e.roof(Level::l2) : 0; }
// The share of the minimum bytes that is not values: indices and pointers.
double index_share(const Evidence& e) {
  const double values = static_cast<double>(e.run().nnz) * bytes_of(e.run().request.precision);
  const double matrix = e.run().minimum_bytes.value - e.vector_bytes();
  return matrix > 0 ? std::max(0.0, 1 - values / matrix) : 0;
}
bool in_l2(const Evidence& e) { return e.value("dram_bytes") < 0.25 * e.value("l2_bytes") && e.gpu().l2_bytes > 0; }

// The advice that suits matrices with few rows and not those with long rows.
std::string below_the_last(const Evidence& e) {
  const FormatInfo* format = e.catalog().format(e.run().format);
  const std::string note = format ? alignment_note(*format, e.run().request.format_params, e.run().rows) : "";
  return note.empty() ? "" : "; " + note;
}

bool padded(const Evidence& e) { return padding_share(e) > 0.15; }
bool bytes_cost_little(const Evidence& e) {
  return bytes_cost(e) + e.share(Cause::issue) + e.share(Cause::latency) < 0.3;
}
Sentences say_padding(const Evidence& e) {
  return {"Padding is loaded: the format stores slots that hold no entry.",
          "Of what its lanes load of the matrix, " + percent_of(padding_share(e)) + " is padding; rows have " +
              count_text(e.mean_length()) + " entries in the mean and " +
              count_text(static_cast<double>(e.rows().max), 7) + " at most" + below_the_last(e) + ".",
          "Pad less."};
}
double left_of_padding(const Evidence& e) { return 1 - padding_share(e); }

bool indices(const Evidence& e) { return e.share(Cause::dram) > 0.4 && index_share(e) > 0.3; }
bool far_from_dram(const Evidence& e) { return in_l2(e) || dram_share(e) < 0.5; }
Sentences say_indices(const Evidence& e) {
  return {"A large part of the bytes are indices.",
          percent_of(index_share(e)) + " of the matrix's bytes are no values, and DRAM takes " +
              percent_of(e.share(Cause::dram)) + " of the time.",
          "Store fewer indices."};
}
double left_of_indices(const Evidence& e) { return 1 - 0.9 * index_share(e); }

bool at_dram(const Evidence& e) { return dram_share(e) > 0.72; }
Sentences say_dram(const Evidence& e) {
  return {"DRAM is at its roof: this format is finished, only fewer bytes help.",
          byte_words(e.value("dram_bytes")) + " at " + count_text(gbs(e, "dram_bytes"), 4) + " GB/s, " +
              percent_of(dram_share(e)) + " of the " + count_text(dram_roof(e), 4) + " GB/s that a long copy reaches.",
          index_share(e) > 0.3 ? "Move fewer bytes of indices."
                               : "Nothing but smaller values (f32 instead of f64) would move much less."};
}

bool at_l2(const Evidence& e) {
  return e.share(Cause::l2) + e.share(Cause::requests) > 0.4 &&
         e.share(Cause::requests) + e.share(Cause::l2) > e.share(Cause::dram);
}
Sentences say_l2(const Evidence& e) {
  return {"L2 limits: it brings more lines and bytes to the SMs than DRAM has to.",
          byte_words(e.value("l2_bytes")) + " from and to L2, " +
              count_text(e.value("l2_bytes") / std::max(1.0, e.run().minimum_bytes.value)) +
              " times every array once, at " + percent_of(l2_share(e)) + " of its roof; L2 takes " +
              percent_of(e.share(Cause::l2) + e.share(Cause::requests)) + " of the time, DRAM " +
              percent_of(e.share(Cause::dram)) + ".",
          "Ask L2 for fewer lines."};
}

Sentences say_in_l2(const Evidence& e) {
  return {"The product stays in L2: the DRAM roof is the wrong one to hold it against.",
          "DRAM moves " + byte_words(e.value("dram_bytes")) + " and L2 " + byte_words(e.value("l2_bytes")) +
              "; every array once is " + byte_words(e.run().minimum_bytes.value) + ", L2 holds " +
              byte_words(e.gpu().l2_bytes) + "; it runs at " + percent_of(l2_share(e)) + " of the L2 roof.",
          "Judge it by the L2 roof, or with cold caches where a program would not find it in L2."};
}

const RuleRow byte_rows[] = {
    {.id = "padding",
     .title = "Padding",
     .needs = {"arrays"},
     .holds = padded,
     .unless = bytes_cost_little,
     .says = say_padding,
     .lessens = {Cause::dram, Cause::l2, Cause::requests, Cause::l1, Cause::issue, Cause::latency, Cause::compute},
     .left = left_of_padding,
     .tries = {remedy::equal_shares, remedy::sorted_rows, remedy::long_rows_apart, remedy::sums_in_shared_near,
               remedy::threads_per_row}},
    {.id = "index_bytes",
     .title = "Index bytes",
     .needs = {"dram_bytes", "l2_bytes"},
     .holds = indices,
     .unless = far_from_dram,
     .says = say_indices,
     .lessens = {Cause::dram, Cause::l2, Cause::requests},
     .left = left_of_indices,
     .tries = {remedy::blocks, remedy::diagonals}},
    {.id = "dram_roof",
     .title = "DRAM at its roof",
     .kind = Finding::Kind::finished,
     .needs = {"dram_bytes"},
     .holds = at_dram,
     .says = say_dram,
     .lessens = {Cause::dram, Cause::l2, Cause::requests},
     .left = left_of_indices,
     .tries = {remedy::blocks, remedy::diagonals}},
    {.id = "l2_bandwidth",
     .title = "L2 bandwidth",
     .needs = {"l2_bytes"},
     .holds = at_l2,
     .says = say_l2,
     .lessens = {Cause::l2, Cause::requests},
     .tries = {remedy::equal_shares, remedy::many_in_flight}},
    {.id = "in_l2",
     .title = "The product stays in L2",
     .kind = Finding::Kind::note,
     .needs = {"dram_bytes", "l2_bytes"},
     .holds = in_l2,
     .says = say_in_l2},
};

}  // namespace

std::span<const RuleRow> byte_rules() { return byte_rows; }

}  // namespace warpspy
