// Tells with how many printed and measured numbers each simulated GPU was compared, and the results of all studies.
// They are kept with the program (assets/studies/results.json, made by scripts/studies).
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>

#include "core/study/verdict.hpp"

namespace warpspy {

// Tells how well one simulated GPU was tested: by numbers of papers that used such a GPU, and by products that were
// measured on one.
struct HeldGpu {
  int numbers = 0;  // printed rates, ratios, orders and winners
  int right = 0;    // how many of these agree with the paper in size or order
  int rates = 0;
  std::optional<double> median_factor;  // of rates: the larger of ours over the printed and its inverse
  std::string measured;                 // "412 measured products: ..."; "": none
  std::string source;                   // the page with the numbers: "docs/studies.md"
};

struct KeptStudy {
  double seconds = 0;  // time of its products
  std::array<int, kVerdicts> verdicts = {};
};

struct StudyResults {
  std::string made_by, date, machine;
  std::map<std::string, HeldGpu> gpus = {};       // by id
  std::map<std::string, KeptStudy> studies = {};  // by id
};

StudyResults study_results_from_json(const std::string& text, const std::string& where = {});  // throws Error
// Reads the results of a folder of studies; empty if it has none. Throws Error.
StudyResults read_study_results(const std::string& folder);

// A sentence for people: "held against 61 printed numbers: size or order right for 54, rates within 1.3 times (median
// of 40)".
std::string held_text(const StudyResults& results, const std::string& gpu);
// The text of held_text() for a tooltip, with the page that has the numbers, and who made them.
std::string held_help(const StudyResults& results, const std::string& gpu);

// A duration in words: "about 3 min", "less than a second".
std::string duration_text(double seconds);
// Returns how long a study will take: the time that it took when the kept results were made; without one, how many
// products it has.
std::string cost_text(const StudyResults& results, const std::string& study, std::size_t products);

}  // namespace warpspy
