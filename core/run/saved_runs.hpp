// Questions to whoever keeps runs: the history (history.hpp), or a folder of cells (core/sweep/folder_runs.hpp).
// Reports ask these, and do not know which of them answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/run/record.hpp"

namespace warpspy {

// A run as it is kept. record->id is its number, which is never given twice; record->request.matrix is an absolute path
// (or gen:...), so that the run can be repeated from any folder.
struct SavedRun {
  std::shared_ptr<const RunRecord> record;
  std::string note;     // the user's
  std::string session;  // of which start of the program
};

// What is asked for: every filter that is set has to hold.
struct HistoryQuery {
  std::string text;    // words; each in the matrix, kernel, format, device, precision, status or note
  std::string matrix;  // part of its name or source
  std::string kernel;  // id
  std::string device;  // id with or without "sim:", or part of the name
  std::optional<Precision> precision;
  std::string since;        // ISO 8601 or its beginning ("2026-11"): runs started then or later
  std::string session;      // only of this one
  bool trials = false;      // those of plans instead of what somebody wanted
  std::size_t limit = 100;  // the newest so many
  bool operator==(const HistoryQuery&) const = default;
};
// Whether a run answers the query (its limit and session aside): the same rule as the file's, for runs in memory.
bool matches(const HistoryQuery& q, const RunRecord& r, const std::string& note);

struct HistoryPage {
  std::vector<SavedRun> runs;  // newest first
  std::size_t total = 0;       // that match, shown or not
};

class SavedRuns {
 public:
  virtual ~SavedRuns() = default;
  // Where they lie; "": in memory.
  virtual std::string path() const = 0;
  // Throw Error when what is kept cannot be read.
  virtual HistoryPage find(const HistoryQuery& q) const = 0;
  virtual std::optional<SavedRun> get(std::uint64_t id) const = 0;           // nothing: no such run
  virtual std::optional<SavedRun> named(const std::string& name) const = 0;  // by run_name()
};

}  // namespace warpspy
