// What a session is begun with.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/collection/collection.hpp"
#include "core/experiment/best.hpp"
#include "core/experiment/search.hpp"

namespace warpspy::ui {

struct SessionOptions {
  std::string preferences;  // file; empty: nothing is remembered
  std::string history;      // file of all runs; empty: they are forgotten at the end
  std::string desk;         // folder of the desks; empty: none is kept
  std::string studies;      // folder of the papers' tables (assets/studies); empty: there are none
  std::string lessons;      // folder of the lessons that come with the program; empty: there are none
  std::string answers;      // folder of the answers to them; empty: they are not kept
  bool fresh = false;       // begins with an empty desk; the one that is kept can still be brought back
  double autosave_s = 2;    // from a change of the desk until it is written
  bool run_on_open = true;  // a fresh matrix gets one run, so that the roofline answers at once
  // Time on a real GPU of a run asked for, of one while a parameter is dragged, of one that follows it without a
  // change, of each product of a search for parameters, of one for the best kernel, and of each run of an analysis.
  double run_budget_s = 1, live_budget_s = 0.05, refresh_budget_s = 0.02, tune_budget_s = 0.1, best_budget_s = 0.02,
         analysis_budget_s = 0.3;
  double search_budget_s = 1;                 // of a search among all kernels, for each operation
  std::optional<CollectionPlace> collection;  // from where matrices are fetched by name; nothing: they are not
  int workers = 4;
  bool idle_jobs = false;      // they take only what processors the thread that draws leaves (take_idle_processors)
  std::function<void()> wake;  // called from any thread when there is something to take in
  std::function<void(const std::string&)> clipboard;  // takes copied text
  // Asks for files by the system's dialog, beginning in a folder: at once, and `answered` is called later, from any
  // thread, with paths (none: cancelled) or why it could not ask. False: it is open already. Empty: there is none.
  using Answered = std::function<void(std::vector<std::string> paths, std::string problem)>;
  std::function<bool(const std::string& folder, Answered answered)> ask_files;
  std::string system_dialog;         // its name
  std::vector<std::string> engines;  // commands of engines that are used beside those of the settings
  std::string version;               // of Warpspy
  std::string driver;                // of the CUDA devices here: "13.0", or ""
  MakeSearch search;                 // makes the plans of searches for parameters
  MakeBest best;                     // and those for the best kernel of a matrix
};

}  // namespace warpspy::ui
