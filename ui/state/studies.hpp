// A study is a paper's table that is made again. This is the state of the tab Studies: all studies, their results, and
// the shown one.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/jobs/jobs.hpp"
#include "core/plot/plot.hpp"
#include "core/study/held.hpp"
#include "core/study/report.hpp"

namespace warpspy::ui {

struct OpenStudy {
  std::shared_ptr<const Study> study;         // with the user's files in place of stand-ins
  std::string path;                           // of its file
  std::map<std::string, std::string> files;   // the user's files by matrix
  std::size_t products = 0;                   // number of products on the paper's GPU
  bool looked = false;                        // whether kept results were searched for
  std::shared_ptr<const StudyReport> report;  // the results so far; nullptr: they were not read yet
  std::size_t done = 0;                       // how many of its products have run
  std::string verdicts;                       // "12 agrees, 3 differs"; "": nothing has been made
  std::string summary;                        // sentences on all of them
};

struct StudiesShown {
  bool asked = false;  // the list was asked for
  JobPtr job;          // that reads it
  std::string problem;
  std::vector<OpenStudy> all;  // paper by paper
  StudyResults results;        // results that come with the program

  std::string open;              // id of the shown study; "": the list is shown
  bool here = false;             // run it on the chosen device too
  std::uint64_t budget_s = 600;  // for products that have not run before; 0: as long as it takes
  std::size_t cell = 0;          // the selected cell of the open study, from 1; 0: none

  // The one under way.
  std::string running;  // id of the running study; "": none
  JobPtr run_job;
  std::string now;               // what runs
  std::size_t done = 0, of = 0;  // products, of both devices
  double seconds = 0;            // seconds that the products took
  std::string said;              // how the last run of a study ended: whether products are left, and why

  std::shared_ptr<const plot::Plot> figure;  // figure of the open study; nullptr: there is no number yet

  const OpenStudy* shown() const { return find(open); }
  const OpenStudy* find(const std::string& id) const {
    for (const OpenStudy& s : all)
      if (!id.empty() && s.study->id == id) return &s;
    return nullptr;
  }
};

// Tells what a cell can open: its run, its warp, or what limits it.
enum class StudyWay : std::uint8_t { run, warp, why };

}  // namespace warpspy::ui
