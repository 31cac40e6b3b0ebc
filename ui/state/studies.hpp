// The papers' tables in the window: which studies there are, what came of each, and which is looked at.
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
  std::shared_ptr<const Study> study;         // with files in the place of stand-ins
  std::string path;                           // of its file
  std::map<std::string, std::string> files;   // those, by matrix
  std::size_t products = 0;                   // on the paper's GPU
  bool looked = false;                        // for what is kept of it
  std::shared_ptr<const StudyReport> report;  // as far as it has been made; none: nobody looked
  std::size_t done = 0;                       // of its products, that have run
  std::string verdicts;                       // "12 agrees, 3 differs"; "": nothing has been made
  std::string summary;                        // sentences on all of them
};

struct StudiesShown {
  bool asked = false;  // for the list
  JobPtr job;          // that reads it
  std::string problem;
  std::vector<OpenStudy> all;  // paper by paper
  StudyResults results;        // that come with the program

  std::string open;              // id of the one that is looked at; "": the list
  bool here = false;             // run it on the chosen device too
  std::uint64_t budget_s = 600;  // for products that have not run before; 0: as long as it takes
  std::size_t cell = 0;          // that is looked at, of the open one, from 1; 0: none

  // The one under way.
  std::string running;  // its id; "": none
  JobPtr run_job;
  std::string now;               // what runs
  std::size_t done = 0, of = 0;  // products, of both devices
  double seconds = 0;            // that they took
  std::string said;              // how the last one ended: that some are left, and why

  std::shared_ptr<const plot::Plot> figure;  // of the open one; none: no number has been made

  const OpenStudy* shown() const { return find(open); }
  const OpenStudy* find(const std::string& id) const {
    for (const OpenStudy& s : all)
      if (!id.empty() && s.study->id == id) return &s;
    return nullptr;
  }
};

// Where a cell leads.
enum class StudyWay : std::uint8_t { run, warp, why };

}  // namespace warpspy::ui
