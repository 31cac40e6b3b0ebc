// Compares the printed numbers of a study with the numbers made again, cell by cell and in total. All are pure
// functions.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/study/quantity.hpp"
#include "core/study/study.hpp"

namespace warpspy {

enum class CellVerdict : std::uint8_t { agrees, order_agrees, differs, not_comparable, missing };
const char* name_of(CellVerdict verdict);
inline constexpr int kVerdicts = 5;

// Two printed numbers that are closer than this are a tie, and have no order.
inline constexpr double kTie = 0.05;
// The tolerances of cells that state none: factors for rates and ratios, and points for ratios in per cent.
inline constexpr double kRateWithin = 1.3, kRatioWithin = 1.1, kRatioPoints = 5;

struct Judged {
  CellVerdict verdict = CellVerdict::missing;
  std::string reason;              // a sentence without its full stop
  Reading here = {};               // what was made again; of an order the ratio, of a winner the largest
  std::string winner;              // for a winner: the one found here
  bool stand_in = false;           // a matrix of it is not the paper's
  int pairs = 0, pairs_right = 0;  // of its order among the other numbers of its matrix, ties left out
};

// Computes the number of a cell by its recipe. If the number is missing, the reading tells why.
Reading value_of(const StudyCell& cell, const Readings& readings);

// Returns a verdict for each cell, in their order. `papers_gpu` tells that the numbers are from the paper's own GPU;
// only then are rates compared.
std::vector<Judged> judge(const Study& study, const Readings& readings, bool papers_gpu);

// The tolerance within which a number agrees with a cell, as the study states it beforehand: "to a factor of 1.3".
std::string tolerance_text(const StudyCell& cell);
// Numbers with the same group name are compared by their order; "": this number is in no group.
std::string order_group_of(const StudyCell& cell);

// Counts for one kind of matrix: the paper's own, or stand-ins.
struct StudyCounts {
  std::array<int, kVerdicts> verdicts = {};
  int pairs = 0, pairs_right = 0;  // each pair once
};
struct StudySummary {
  StudyCounts own, stand_ins;
  std::vector<double> factors;  // of rates: the larger of value / printed and its inverse; sorted
  std::optional<double> tau;    // Kendall's, within a matrix, mean over them; nothing: nothing was to be ordered
  std::optional<double> median_factor() const;
  std::optional<double> share_within(double factor) const;
};
StudySummary summarise(const Study& study, const std::vector<Judged>& judged);

}  // namespace warpspy
