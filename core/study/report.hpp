// A study's results on their way out: text, CSV, JSON, LaTeX, and the list of what deviates.
#pragma once

#include <string>
#include <vector>

#include "core/study/verdict.hpp"

namespace warpspy {

struct StudyReport {
  const Study* study = nullptr;
  std::vector<Judged> modelled;  // on the paper's own GPU, simulated
  std::vector<Judged> here;      // on the device that was asked for; empty: none was
  std::string device;            // its name
  std::string made_by;           // "Warpspy 0.1.0 (f0ec16a8f2b6)"
};

std::string to_text(const StudyReport& report);
std::string to_csv(const StudyReport& report);
std::string to_json(const StudyReport& report);   // {"schema": "warpspy-study-result-1", ...}
std::string to_latex(const StudyReport& report);  // a longtable with the rules of booktabs
// Every cell that differs, and why, as Markdown.
std::string deviations_of(const StudyReport& report);
// "12 agree, 3 order agrees, ...", for people.
std::string summary_text(const StudySummary& summary);

}  // namespace warpspy
