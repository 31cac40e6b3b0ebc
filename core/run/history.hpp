// Every run that was ever made, in one file (SQLite) that all sessions of a user share: the window and the command
// line, several at a time. A run is written when it ends, so that it survives a crash of the program. Trials are the
// many short runs of a search. They lie in a table of their own, with their own numbers (kTrials, run_name.hpp). Only
// the newest trials are kept.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/run/record.hpp"
#include "core/run/saved_runs.hpp"

namespace warpspy {

// Tells how many trials are kept: the newest, and those from choices.json (choices.hpp). A trial is kept without its
// source lines, arrays and findings. Other runs are kept whole, until a user removes them.
inline constexpr std::int64_t kMostTrials = 10'000;

// All words that occur in saved runs, sorted: the choices of the filters.
struct HistoryWords {
  std::vector<std::string> matrices, kernels, devices;
};

// The history's file: the value of WARPSPY_RUNS if it is set (its value "off" gives ""). Otherwise it is
// $XDG_DATA_HOME/warpspy/runs.sqlite, or ~/.local/share/warpspy/runs.sqlite. "" if the user has no home folder.
std::string history_path();

// The request that repeats a run, on the device that "auto" chose for it.
RunRequest repeat_request(const RunRecord& r);
// Returns why the matrix differs from the run's matrix, in one sentence; "" if size and entries agree.
std::string why_not_the_same(const RunRecord& r, index_t rows, index_t cols, index_t nnz);
// The absolute path of a file; "gen:..." is unchanged.
std::string absolute_source(const std::string& source);

// The history of runs in its open file. Calls may come from any thread and wait for each other, so the thread that
// draws must not call them. A damaged file is renamed, and a new one begun. A file that a newer version of Warpspy
// wrote is not changed; runs then go to another file beside it. If no file can be read or written, runs are kept in
// memory until the program ends. problems() reports each of these once.
class History final : public SavedRuns {
 public:
  // The file is opened at the first use. If `path` is empty, the history is in memory, which counts as no problem.
  explicit History(const std::string& path);
  ~History() override;
  History(const History&) = delete;
  History& operator=(const History&) = delete;

  // The file that is written, or "" in memory.
  std::string path() const override;
  // A text that identifies this start of the program: "2026-11-21T19:30:00Z-4711".
  const std::string& session() const;

  // Writes the run among the runs or the trials, as its purpose says, and gives the record its number. Returns 0 when
  // the run could not be kept (see problems()).
  std::uint64_t add(RunRecord& record);
  // Replaces a saved run's record by this one, for example because its counters came after its time. The saved start
  // time stays. Returns false if no run has this number any more, or if writing failed (see problems()).
  bool replace(const RunRecord& record);
  // Throw Error when the file cannot be read or written, or has no run of that number.
  HistoryPage find(const HistoryQuery& q) const override;
  std::optional<SavedRun> get(std::uint64_t id) const override;
  std::optional<SavedRun> named(const std::string& name) const override;
  std::optional<SavedRun> same(const RunRecord& r) const;  // the run of that name, wherever the record comes from
  // The fastest successful products on a matrix, the fastest first and at most `most` of them. `source` is the matrix's
  // absolute_source(). Solves are left out.
  std::vector<std::shared_ptr<const RunRecord>> fastest(const std::string& source, std::size_t most) const;
  // The fastest successful product, or trial, on the matrix with this fingerprint and on this device. Only records for
  // which `counts` returns true are considered. nullptr: there is none.
  std::shared_ptr<const RunRecord> best(const std::string& fingerprint, const std::string& device_name,
                                        const std::function<bool(const RunRecord&)>& counts) const;
  HistoryWords words() const;
  void set_note(std::uint64_t id, const std::string& note);
  void remove(const std::vector<std::uint64_t>& ids);  // ignores runs that do not exist
  // Removes a run that another run has replaced, unless a user wrote a note to it. Returns true if the run is gone.
  bool drop(std::uint64_t id);

  // The problems that no earlier call has returned.
  std::vector<Error> problems();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace warpspy
