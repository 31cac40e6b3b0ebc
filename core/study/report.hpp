// A study's results on their way out: text, CSV, JSON, LaTeX, and the list of what deviates.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/study/verdict.hpp"

namespace warpspy {

struct StudyReport {
  std::shared_ptr<const Study> study;
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
// All of it as a folder for who evaluates the paper: each file by its name. One command for each claim, with its
// tolerance and verdict (claims.csv), the study itself, the result in every form, the deviations. `study_file`: the
// text of the study.
std::vector<std::pair<std::string, std::string>> bundle_of(const StudyReport& report, const std::string& study_file);
// "12 agree, 3 order agrees, ...", for people.
std::string summary_text(const StudySummary& summary);
// "12 agrees, 3 differs": the verdicts alone, of all cells.
std::string verdicts_text(const std::vector<Judged>& judged);

// Parts of them, for a page. A number as printed, and as made again ("" where there is none, of a winner its name); the
// verdict with its sign for a stand-in; where the study stands in its paper.
std::string printed_text(const StudyCell& cell);
std::string value_text(const StudyCell& cell, const Judged& judged);
std::string verdict_text(const Judged& judged);
std::string source_text(const Study& study);
// How a cell's number is made again, in words; or why it is not.
std::string recipe_text(const StudyCell& cell);
// Why a cell that differs does: what is known, or that it is unexplained, also on a stand-in: that alone is no reason.
// "" for any other.
std::string explanation_of(const StudyCell& cell, const Judged& judged);
// Of which GPU its numbers are; "": of none.
std::string gpu_of(const Study& study, const StudyCell& cell);
// The study with the cells of these names alone, and those whose order their verdicts need. Throws Error for a name
// that is none.
Study only_cells(const Study& study, const std::vector<std::string>& cells);

}  // namespace warpspy
