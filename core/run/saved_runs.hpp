// The interface by which reports read saved runs: from the history (history.hpp) or from a sweep's folder
// (core/sweep/folder_runs.hpp). A report does not know which of the two it reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/run/record.hpp"

namespace warpspy {

// A saved run. record->id is its number, which no other run ever gets. record->request.matrix is an absolute path (or
// gen:...), so the run can be repeated from any folder.
struct SavedRun {
  std::shared_ptr<const RunRecord> record;
  std::string note;     // the user's
  std::string session;  // the start of the program that made it
};

// Filters for saved runs: a run must fit every filter that is set.
struct HistoryQuery {
  std::string text;    // words; each in the matrix, kernel, format, device, precision, status or note
  std::string matrix;  // part of its name or source
  std::string kernel;  // id
  std::string device;  // id with or without "sim:", or part of the name
  std::optional<Precision> precision;
  std::string since;        // ISO 8601 or its beginning ("2026-11"): runs started then or later
  std::string session;      // only runs of this session
  bool trials = false;      // trials, in place of other runs
  std::size_t limit = 100;  // at most this many runs, the newest ones
  bool operator==(const HistoryQuery&) const = default;
};
// Whether a run fits the query; the query's limit and session are ignored. Runs in memory are filtered by this
// function, by the same rules as runs in the history's file.
bool matches(const HistoryQuery& q, const RunRecord& r, const std::string& note);

struct HistoryPage {
  std::vector<SavedRun> runs;  // newest first
  std::size_t total = 0;       // how many runs fit, shown or not
};

class SavedRuns {
 public:
  virtual ~SavedRuns() = default;
  // The file or folder of the runs; "" if they are in memory.
  virtual std::string path() const = 0;
  // These throw Error if the saved runs cannot be read.
  virtual HistoryPage find(const HistoryQuery& q) const = 0;
  virtual std::optional<SavedRun> get(std::uint64_t id) const = 0;           // nothing if there is no such run
  virtual std::optional<SavedRun> named(const std::string& name) const = 0;  // by run_name()
};

}  // namespace warpspy
