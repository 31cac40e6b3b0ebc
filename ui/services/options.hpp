// The options of a session.
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
  std::string preferences;  // file; empty: preferences are not kept
  std::string history;      // file of all runs; empty: runs are not kept
  std::string desk;         // folder of the desks; empty: none is kept
  std::string studies;      // folder of the papers' tables (assets/studies); empty: there are none
  std::string lessons;      // folder of the lessons that come with the program; empty: there are none
  std::string answers;      // folder of the answers to them; empty: they are not kept
  bool fresh = false;       // begins with an empty desk; the kept desk can still be restored
  double autosave_s = 2;    // seconds from a change of the desk until it is written
  bool run_on_open = true;  // a matrix that was just opened gets one run, so that the roofline shows a point at once
  // Tells how long timing on a real GPU may take: for a run that the user asks for, a run during a drag, a repeated
  // live run, a product of a search for parameters, a product of the search for the best kernel, and a run of an
  // analysis.
  double run_budget_s = 1, live_budget_s = 0.05, refresh_budget_s = 0.02, tune_budget_s = 0.1, best_budget_s = 0.02,
         analysis_budget_s = 0.3;
  double watch_s = 3;                         // seconds between two looks at a sweep whose tasks run elsewhere
  double search_budget_s = 1;                 // seconds of a search among all kernels, for each operation
  std::optional<CollectionPlace> collection;  // from where matrices are downloaded by name; nothing: they are not
  int workers = 4;
  bool idle_jobs = false;      // jobs run only on processors that the thread that draws leaves idle
                               // (take_idle_processors)
  std::function<void()> wake;  // called from any thread when a result has arrived
  std::function<void(const std::string&)> clipboard;  // takes copied text
  // Opens the system's file dialog in a folder, and returns at once. Later `answered` is called, from any thread, with
  // paths (none: cancelled) or with the reason why there was no dialog. Returns false if a dialog is open already. An
  // empty function: there is no such dialog.
  using Answered = std::function<void(std::vector<std::string> paths, std::string problem)>;
  std::function<bool(const std::string& folder, Answered answered)> ask_files;
  std::string system_dialog;         // its name
  std::vector<std::string> engines;  // commands of engines, in addition to those of the settings
  std::string version;               // of Warpspy
  std::string driver;                // driver of the CUDA devices here: "13.0", or ""
  MakeSearch search;                 // makes the plans of searches for parameters
  MakeBest best;                     // and those for the best kernel of a matrix
};

}  // namespace warpspy::ui
