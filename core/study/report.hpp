// Writes a study's results as text, CSV, JSON, LaTeX, and as the list of deviations.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/study/verdict.hpp"

namespace warpspy {

struct StudyReport {
  std::shared_ptr<const Study> study;
  std::vector<Judged> modelled;  // verdicts on the paper's own GPU, simulated
  std::vector<Judged> here;      // verdicts on the chosen device; empty: none was chosen
  std::string device;            // its name
  std::string made_by;           // "Warpspy 0.1.0 (f0ec16a8f2b6)"
};

std::string to_text(const StudyReport& report);
std::string to_csv(const StudyReport& report);
std::string to_json(const StudyReport& report);   // {"schema": "warpspy-study-result-1", ...}
std::string to_latex(const StudyReport& report);  // a longtable with the rules of booktabs
// Lists every cell that differs from the paper, and why, as Markdown.
std::string deviations_of(const StudyReport& report);
// Makes a folder with all results, for people who evaluate the paper; returns the files by name. It has one command for
// each claim, with its tolerance and verdict (claims.csv), the study itself, the results in every form, and the
// deviations. `study_file` is the text of the study.
std::vector<std::pair<std::string, std::string>> bundle_of(const StudyReport& report, const std::string& study_file);
// "12 agree, 3 order agrees, ...", for people.
std::string summary_text(const StudySummary& summary);
// "12 agrees, 3 differs": the verdicts alone, of all cells.
std::string verdicts_text(const std::vector<Judged>& judged);

// Parts of these texts, for the window's page. They are: a number as printed; the number made again ("" if there is
// none, for a winner its name); the verdict with a sign if the matrix is a stand-in; and where in its paper the study
// is.
std::string printed_text(const StudyCell& cell);
std::string value_text(const StudyCell& cell, const Judged& judged);
std::string verdict_text(const Judged& judged);
std::string source_text(const Study& study);
// Tells in words how a cell's number is made again, or why it is not.
std::string recipe_text(const StudyCell& cell);
// Tells why a cell differs from the paper: the known reason, or that it is unexplained. A stand-in for the matrix alone
// counts as no reason. "" for a cell that does not differ.
std::string explanation_of(const StudyCell& cell, const Judged& judged);
// The GPU of a cell's numbers; "" if they have none.
std::string gpu_of(const Study& study, const StudyCell& cell);
// Returns the study with only the cells of these names, and the cells with which their order is compared. Throws Error
// for an unknown name.
Study only_cells(const Study& study, const std::vector<std::string>& cells);

}  // namespace warpspy
