// A search compares many products of one matrix with each other. This header says how an engine treats such products
// differently from other runs.
#pragma once

#include <cstdint>

namespace warpspy {

// Tells which part of a search a product belongs to, on a real GPU. The engine keeps a search's formats between its
// products, on the device too. A modelled run depends only on its request, so on a modelled GPU a product of a search
// is an ordinary run.
struct InSearch {
  enum class As : std::uint8_t {
    trial,     // only to be ranked: timed for its budget, or once where it takes longer than far_us; not checked
    finalist,  // checked, and timed in turn with other finalists
    final,     // the same with arrays of its own on the device, so that its preparation time is known
  };
  As as = As::trial;
  // A product that takes longer than this many microseconds is timed only once, even a final. 0: every product is timed
  // for its whole budget.
  double far_us = 0;
  // The most bytes that a trial's matrix may take on the device, with the arrays that its kernel makes. 0: any number.
  double most_bytes = 0;
  bool operator==(const InSearch&) const = default;
};

// Ids of details of records of run_in_turn().
inline constexpr char kSearchSpent[] = "search_spent";  // ms: the whole time of a trial, with building its format
// The products of a search take turns in rounds. These ids name the ratio (time of the round's last product) / (time of
// this product): the median over all rounds, and the lower and upper quartile.
inline constexpr char kInTurnRatio[] = "in_turn", kInTurnLow[] = "in_turn_q1", kInTurnHigh[] = "in_turn_q3";

}  // namespace warpspy
