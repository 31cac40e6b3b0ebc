// Products of one matrix that a search holds against each other: what an engine does with them beyond a run.
#pragma once

#include <cstdint>

namespace warpspy {

// A part of a search, on a real GPU. Formats of a search stay between its products, and on the device too. What is
// modelled is a function of its request alone: there a product of a search is a run like any other.
struct InSearch {
  enum class As : std::uint8_t {
    trial,     // only to be ranked: timed for its budget, or once where it takes longer than far_us; not checked
    finalist,  // checked, and timed in turn with those beside it
    final,     // the same with arrays of its own on the device, so that its preparation is told
  };
  As as = As::trial;
  // us. Of a final: where it takes longer it is timed once, too. 0: all are timed for their budget.
  double far_us = 0;
  // Of a trial's matrix on the device, with what its kernel makes beside it. 0: any.
  double most_bytes = 0;
  bool operator==(const InSearch&) const = default;
};

// Ids of details of records of run_in_turn().
inline constexpr char kSearchSpent[] = "search_spent";  // ms: of a trial, all that it took, its format among it
// Time of the last one in turn / this one's: median of the rounds' ratios, and their quartiles.
inline constexpr char kInTurnRatio[] = "in_turn", kInTurnLow[] = "in_turn_q1", kInTurnHigh[] = "in_turn_q3";

}  // namespace warpspy
