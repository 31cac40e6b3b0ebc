// Products of one matrix that a search compares with each other: how an engine treats them differently from other runs.
#pragma once

#include <cstdint>

namespace warpspy {

// A part of a search, on a real GPU. The formats of a search are kept between its products, on the device too. A
// modelled run depends only on its request, so on a modelled GPU a product of a search is an ordinary run.
struct InSearch {
  enum class As : std::uint8_t {
    trial,     // only to be ranked: timed for its budget, or once where it takes longer than far_us; not checked
    finalist,  // checked, and timed in turn with other finalists
    final,     // the same with arrays of its own on the device, so that its preparation time is known
  };
  As as = As::trial;
  // In us: a product that takes longer is timed only once, a final too. 0: all are timed for their budget.
  double far_us = 0;
  // The most bytes that a trial's matrix may take on the device, with the arrays that its kernel makes. 0: any number.
  double most_bytes = 0;
  bool operator==(const InSearch&) const = default;
};

// Ids of details of records of run_in_turn().
inline constexpr char kSearchSpent[] = "search_spent";  // ms: the whole time of a trial, with building its format
// Time of the last product in turn / time of this one: median of the ratios of all rounds, and their quartiles.
inline constexpr char kInTurnRatio[] = "in_turn", kInTurnLow[] = "in_turn_q1", kInTurnHigh[] = "in_turn_q3";

}  // namespace warpspy
