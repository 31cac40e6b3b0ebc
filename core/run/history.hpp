// Every run that was ever made, in one file (SQLite) that all sessions of a user share: the window and the command
// line, several at a time. A run is written when it ends, so that it survives a crash of the program. Trials lie in a
// table of their own, with numbers of their own (kTrials, run_name.hpp): of them, only the newest stay.
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

// So many trials are kept, the newest, and what was taken over from choices.json (choices.hpp); each without its source
// lines, arrays and findings, which only the runs that somebody wanted need. Those runs stay until they are removed.
inline constexpr std::int64_t kMostTrials = 10'000;

// What there is to choose from, each sorted.
struct HistoryWords {
  std::vector<std::string> matrices, kernels, devices;
};

// WARPSPY_RUNS (a file; "off": ""), else $XDG_DATA_HOME/warpspy/runs.sqlite, else ~/.local/share/warpspy/runs.sqlite;
// "" where there is no home.
std::string history_path();

// The request that does the same again: on the device that "auto" chose then.
RunRequest repeat_request(const RunRecord& r);
// Why the matrix is not the one of the run any more, in one sentence; "" when size and entries agree.
std::string why_not_the_same(const RunRecord& r, index_t rows, index_t cols, index_t nnz);
// A path as it means the same from every folder; "gen:..." as it is.
std::string absolute_source(const std::string& source);

// The open file. Calls may come from any thread and wait for each other; none belongs on the thread that draws.
// A damaged file is set aside under another name and a new one begun; the file of a newer version is left alone, and
// runs go to another beside it. Where no file can be read or written, runs are kept in memory until the program ends.
// Each of these is told once, by problems().
class History final : public SavedRuns {
 public:
  // Opened at the first use. `path` empty: in memory from the start, and no problem.
  explicit History(const std::string& path);
  ~History() override;
  History(const History&) = delete;
  History& operator=(const History&) = delete;

  // The file that is written, or "" in memory.
  std::string path() const override;
  // This start of the program: "2026-11-21T19:30:00Z-4711".
  const std::string& session() const;

  // Writes the run, by its purpose among runs or trials, and gives the record its number; 0 when it could not be kept
  // (see problems()).
  std::uint64_t add(RunRecord& record);
  // Writes what is known by now of a run that is kept: its counters came after its time. When it began stays.
  // false: there is no such number (any more), or it could not be written (see problems()).
  bool replace(const RunRecord& record);
  // Throw Error when the file cannot be read or written, or has no run of that number.
  HistoryPage find(const HistoryQuery& q) const override;
  std::optional<SavedRun> get(std::uint64_t id) const override;
  std::optional<SavedRun> named(const std::string& name) const override;
  std::optional<SavedRun> same(const RunRecord& r) const;  // the run of that name, wherever the record comes from
  // Of the good runs on a matrix (absolute_source) the fastest ones, the fastest first.
  std::vector<std::shared_ptr<const RunRecord>> fastest(const std::string& source, std::size_t most) const;
  // The fastest good product that `counts`, trials too, on these numbers (fingerprint.hpp) and this device; nullptr:
  // none.
  std::shared_ptr<const RunRecord> best(const std::string& fingerprint, const std::string& device_name,
                                        const std::function<bool(const RunRecord&)>& counts) const;
  HistoryWords words() const;
  void set_note(std::uint64_t id, const std::string& note);
  void remove(const std::vector<std::uint64_t>& ids);  // those that are there
  // Removes a run that another one took the place of, unless somebody wrote a note to it. true: it is gone.
  bool drop(std::uint64_t id);

  // What went wrong since the last call and was not told before.
  std::vector<Error> problems();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace warpspy
