#include "core/run/history.hpp"

#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>
#include <SQLiteCpp/VariadicBind.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <random>
#include <sstream>
#include <utility>

#include "core/base/source_name.hpp"
#include "core/base/utc.hpp"
#include "core/run/history_file.hpp"
#include "core/run/run_name.hpp"

namespace warpspy {
namespace {

namespace fs = std::filesystem;
using SQLite::Database;
using SQLite::Statement;

// The file of a run, and its number there.
struct Place {
  bool trial = false;
  std::uint64_t row = 0;
  explicit Place(std::uint64_t id) : trial(id > kTrials), row(trial ? id - kTrials : id) {}
  static const char* table(bool trial) { return trial ? "trials" : "runs"; }
  const char* table() const { return table(trial); }
  std::int64_t bound() const { return static_cast<std::int64_t>(row); }
};
std::uint64_t number_of(bool trial, std::int64_t row) {
  return (trial ? kTrials : 0) + static_cast<std::uint64_t>(row);
}

constexpr const char* kColumns =
    "id, session, note, source, started, matrix, kernel, kernel_label, format, device, device_name, record";
// The columns in which words of a query are searched; haystack() does the same in memory.
constexpr const char* kHaystack =
    "(matrix || ' ' || source || ' ' || kernel || ' ' || kernel_label || ' ' || format || ' ' || device || ' ' || "
    "device_name || ' ' || precision || ' ' || status || ' ' || note)";

std::string lower(std::string s) {
  // ASCII only, as SQLite's LIKE does.
  for (char& c : s)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return s;
}
bool contains(const std::string& text, const std::string& part) {
  return lower(text).find(lower(part)) != std::string::npos;
}
std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}
const std::string& device_of(const RunRecord& r) { return r.device.empty() ? r.request.device : r.device; }

// "%part%" for LIKE ... ESCAPE '\'.
std::string like(const std::string& part) {
  std::string pattern = "%";
  for (const char c : part) {
    if (c == '%' || c == '_' || c == '\\') pattern += '\\';
    pattern += c;
  }
  return pattern + "%";
}

// The filters of a query as SQL, and the values of its question marks.
struct Where {
  std::string sql = " WHERE 1";
  std::vector<std::string> values;

  explicit Where(const HistoryQuery& q) {
    for (const std::string& word : words_of(q.text)) add(std::string(kHaystack) + " LIKE ? ESCAPE '\\'", {like(word)});
    if (!q.matrix.empty())
      add("(matrix LIKE ? ESCAPE '\\' OR source LIKE ? ESCAPE '\\')", {like(q.matrix), like(q.matrix)});
    if (!q.kernel.empty()) add("kernel = ?", {q.kernel});
    if (!q.device.empty())
      add("(device = ? OR device = ? OR device_name LIKE ? ESCAPE '\\')",
          {q.device, "sim:" + q.device, like(q.device)});
    if (q.precision) add("precision = ?", {name_of(*q.precision)});
    if (!q.since.empty()) add("started >= ?", {q.since});
    if (!q.session.empty()) add("session = ?", {q.session});
  }
  Statement prepare(const Database& db, const std::string& before, const std::string& after) const {
    Statement s(db, before + sql + after);
    for (std::size_t k = 0; k < values.size(); ++k) s.bind(static_cast<int>(k) + 1, values[k]);
    return s;
  }

 private:
  void add(const std::string& condition, const std::vector<std::string>& bound) {
    sql += " AND " + condition;
    values.insert(values.end(), bound.begin(), bound.end());
  }
};

// The run in the statement's current row (kColumns).
SavedRun run_of(const Statement& s, bool trial = false) {
  SavedRun kept;
  kept.session = s.getColumn(1).getString();
  kept.note = s.getColumn(2).getString();
  RunRecord r;
  try {
    r = record_from_json(s.getColumn(11).getString());
  } catch (const Error& e) {
    // The run is still listed, with the values of its columns.
    r.status = RunStatus::failed;
    r.error = "the record cannot be read: " + e.reason;
    r.started = s.getColumn(4).getString(), r.matrix_name = s.getColumn(5).getString();
    r.request.kernel = s.getColumn(6).getString(), r.kernel_label = s.getColumn(7).getString(),
    r.format = s.getColumn(8).getString();
    r.device = s.getColumn(9).getString(), r.device_name = s.getColumn(10).getString();
  }
  r.id = number_of(trial, s.getColumn(0).getInt64());
  r.started = s.getColumn(4).getString();
  r.request.matrix = s.getColumn(3).getString();
  kept.record = std::make_shared<const RunRecord>(std::move(r));
  return kept;
}

// Binds the columns of a run: session, started, source, matrix, kernel, kernel_label, format, device, device_name,
// precision, status, time_us, gflops, record, fingerprint.
void bind_run(Statement& s, const std::string& session, const RunRecord& r) {
  RunRecord kept = r;
  kept.request.matrix = absolute_source(r.request.matrix);
  if (r.purpose == Purpose::trial) kept.arrays.clear(), kept.lines.clear(), kept.findings.clear();
  SQLite::bind(s, session, r.started, kept.request.matrix, r.matrix_name, r.request.kernel, r.kernel_label, r.format,
               device_of(r), r.device_name, name_of(r.request.precision), name_of(r.status));
  if (r.status == RunStatus::ok) s.bind(12, r.time.value), s.bind(13, r.gflops.value);  // failed runs have no time
  s.bind(14, to_json(kept)), s.bind(15, r.fingerprint);
}

// Deletes trials up to this number, except those from choices.json. These have no source, and nothing else is known of
// their matrices. Each new trial deletes one old trial.
void thin(const Database& db, std::int64_t last) {
  constexpr std::int64_t looked_at = 100;
  if (last <= 0) return;
  Statement s(db, "DELETE FROM trials WHERE id > ? AND id <= ? AND source <> ''");
  SQLite::bind(s, last - looked_at, last);
  s.exec();
}

}  // namespace

std::string history_path() {
  const auto set = [](const char* name) -> std::string {
    const char* v = std::getenv(name);
    return v ? v : "";
  };
  const std::string chosen = set("WARPSPY_RUNS");
  if (chosen == "off") return {};
  if (!chosen.empty()) return chosen;
  if (const std::string data = set("XDG_DATA_HOME"); data.starts_with('/')) return data + "/warpspy/runs.sqlite";
  const std::string home = set("HOME");
  return home.empty() ? "" : home + "/.local/share/warpspy/runs.sqlite";
}

std::string absolute_source(const std::string& source) {
  if (source.empty() || !is_path(source)) return source;
  std::error_code failed;
  const fs::path path = fs::absolute(source, failed);
  return failed ? source : path.lexically_normal().string();
}

RunRequest repeat_request(const RunRecord& r) {
  RunRequest request = r.request;
  if (!r.device.empty()) request.device = r.device;
  request.live = false;  // No slider will move now, so the engine need not keep the product.
  return request;
}

std::string why_not_the_same(const RunRecord& r, index_t rows, index_t cols, index_t nnz) {
  if (r.rows == rows && r.cols == cols && r.nnz == nnz) return {};
  const auto text = [](index_t m, index_t n, index_t entries) {
    return std::to_string(m) + " x " + std::to_string(n) + " with " + std::to_string(entries) + " entries";
  };
  return "the matrix is now " + text(rows, cols, nnz) + ", the run had " + text(r.rows, r.cols, r.nnz);
}

bool matches(const HistoryQuery& q, const RunRecord& r, const std::string& note) {
  const std::string& device = device_of(r);
  const std::string haystack = r.matrix_name + ' ' + r.request.matrix + ' ' + r.request.kernel + ' ' + r.kernel_label +
                               ' ' + r.format + ' ' + device + ' ' + r.device_name + ' ' +
                               name_of(r.request.precision) + ' ' + name_of(r.status) + ' ' + note;
  for (const std::string& word : words_of(q.text))
    if (!contains(haystack, word)) return false;
  if (!q.matrix.empty() && !contains(r.matrix_name, q.matrix) && !contains(r.request.matrix, q.matrix)) return false;
  if (!q.kernel.empty() && r.request.kernel != q.kernel) return false;
  if (!q.device.empty() && device != q.device && device != "sim:" + q.device && !contains(r.device_name, q.device))
    return false;
  if (q.precision && r.request.precision != *q.precision) return false;
  return q.since.empty() || r.started >= q.since;
}

struct History::Impl {
  std::mutex mutex;
  HistoryFile file;
  bool opened = false;
  std::string wanted, session;

  void open() {
    if (!std::exchange(opened, true)) file.open(wanted);
  }

  // Calls work(connection) with the lock held. A damaged file is moved aside, and the work is done on a new file.
  template <class Work>
  auto with(const char* what, Work&& work) {
    const std::lock_guard lock(mutex);
    open();
    for (bool again = true;; again = false) {
      try {
        return work(*file.db);
      } catch (const SQLite::Exception& e) {
        if (!is_damaged(e) || !again || file.path.empty())
          throw Error(std::string(what) + ": " + e.what(), file.path, kHistoryRemedy);
      }
      file.begin_anew();
    }
  }
};

History::History(const std::string& path) : impl_(std::make_unique<Impl>()) {
  // Two sessions that start in the same second, on two machines with one home folder, still differ.
  char tail[24];
  std::snprintf(tail, sizeof tail, "-%d-%04x", static_cast<int>(::getpid()), std::random_device{}() & 0xffffu);
  impl_->session = utc_now() + tail;
  impl_->wanted = path;
}
History::~History() = default;

std::string History::path() const {
  const std::lock_guard lock(impl_->mutex);
  impl_->open();
  return impl_->file.path;
}
const std::string& History::session() const { return impl_->session; }

std::uint64_t History::add(RunRecord& r) {
  try {
    r.id = impl_->with("the run could not be written to the history", [&](Database& db) {
      const bool trial = r.purpose == Purpose::trial;
      Statement s(db, std::string("INSERT INTO ") + Place::table(trial) +
                          " (session, started, source, matrix, kernel, kernel_label, format, device, device_name, "
                          "precision, status, time_us, gflops, record, fingerprint) "
                          "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
      bind_run(s, impl_->session, r);
      s.exec();
      const std::int64_t row = db.getLastInsertRowid();
      if (trial) thin(db, row - kMostTrials);
      return number_of(trial, row);
    });
  } catch (const Error& e) {
    const std::lock_guard lock(impl_->mutex);
    impl_->file.tell("write", e);
    r.id = 0;
  }
  return r.id;
}

bool History::replace(const RunRecord& r) {
  try {
    return impl_->with("the run could not be written to the history", [&](Database& db) {
      const Place at(r.id);
      Statement s(
          db,
          std::string("UPDATE ") + at.table() +
              " SET session = ?, started = IFNULL(started, ?), source = ?, matrix = ?, kernel = ?, kernel_label = ?, "
              "format = ?, device = ?, device_name = ?, precision = ?, status = ?, time_us = ?, gflops = ?, record = "
              "?, "
              "fingerprint = ? WHERE id = ?");
      bind_run(s, impl_->session, r);
      s.bind(16, at.bound());
      return s.exec() > 0;
    });
  } catch (const Error& e) {
    const std::lock_guard lock(impl_->mutex);
    impl_->file.tell("write", e);
    return false;
  }
}

HistoryPage History::find(const HistoryQuery& q) const {
  return impl_->with("the history of runs could not be read", [&](Database& db) {
    const Where where(q);
    HistoryPage page;
    const std::string table = Place::table(q.trials);
    Statement count = where.prepare(db, "SELECT COUNT(*) FROM " + table, "");
    if (count.executeStep()) page.total = static_cast<std::size_t>(count.getColumn(0).getInt64());
    Statement rows = where.prepare(db, std::string("SELECT ") + kColumns + " FROM " + table,
                                   " ORDER BY id DESC LIMIT " + std::to_string(q.limit));
    while (rows.executeStep()) page.runs.push_back(run_of(rows, q.trials));
    return page;
  });
}

std::optional<SavedRun> History::get(std::uint64_t id) const {
  return impl_->with("the history of runs could not be read", [&](Database& db) -> std::optional<SavedRun> {
    const Place at(id);
    Statement s(db, std::string("SELECT ") + kColumns + " FROM " + at.table() + " WHERE id = ?");
    s.bind(1, at.bound());
    return s.executeStep() ? std::optional(run_of(s, at.trial)) : std::nullopt;
  });
}

std::optional<SavedRun> History::named(const std::string& name) const {
  return impl_->with("the history of runs could not be read", [&](Database& db) -> std::optional<SavedRun> {
    Statement s(db, std::string("SELECT ") + kColumns + " FROM runs ORDER BY id DESC");
    while (s.executeStep())
      if (SavedRun kept = run_of(s); run_name(*kept.record) == name) return kept;
    return std::nullopt;
  });
}

std::optional<SavedRun> History::same(const RunRecord& r) const {
  return impl_->with("the history of runs could not be read", [&](Database& db) -> std::optional<SavedRun> {
    Statement s(db, std::string("SELECT ") + kColumns + " FROM runs WHERE started = ? ORDER BY id");
    s.bind(1, r.started);
    while (s.executeStep())
      if (SavedRun kept = run_of(s); run_name(*kept.record) == run_name(r)) return kept;
    return std::nullopt;
  });
}

std::vector<std::shared_ptr<const RunRecord>> History::fastest(const std::string& source, std::size_t most) const {
  return impl_->with("the history of runs could not be read", [&](Database& db) {
    std::vector<std::shared_ptr<const RunRecord>> found;
    Statement s(db, std::string("SELECT ") + kColumns +
                        " FROM runs WHERE source = ? AND status = 'ok' ORDER BY gflops DESC LIMIT " +
                        std::to_string(most));
    s.bind(1, source);
    while (s.executeStep())
      if (auto run = run_of(s).record; !run->solve && run->parts.empty()) found.push_back(std::move(run));
    return found;
  });
}

std::shared_ptr<const RunRecord> History::best(const std::string& fingerprint, const std::string& device_name,
                                               const std::function<bool(const RunRecord&)>& counts) const {
  if (fingerprint.empty()) return nullptr;
  return impl_->with("the history of runs could not be read", [&](Database& db) {
    std::shared_ptr<const RunRecord> best;
    for (const bool trial : {false, true}) {
      Statement s(db, std::string("SELECT ") + kColumns + " FROM " + Place::table(trial) +
                          " WHERE fingerprint = ? AND device_name = ? AND status = 'ok' ORDER BY time_us, id");
      SQLite::bind(s, fingerprint, device_name);
      while (s.executeStep()) {
        std::shared_ptr<const RunRecord> r = run_of(s, trial).record;
        if (best && best->time.value <= r->time.value) break;
        if (r->status == RunStatus::ok && !r->solve && r->parts.empty() && counts(*r)) {
          best = std::move(r);
          break;
        }
      }
    }
    return best;
  });
}

HistoryWords History::words() const {
  return impl_->with("the history of runs could not be read", [&](Database& db) {
    const auto list = [&](const char* column) {
      std::vector<std::string> found;
      Statement s(db, std::string("SELECT DISTINCT ") + column + " FROM runs WHERE " + column + " <> '' ORDER BY 1");
      while (s.executeStep()) found.push_back(s.getColumn(0).getString());
      return found;
    };
    return HistoryWords{list("matrix"), list("kernel"), list("device")};
  });
}

void History::set_note(std::uint64_t id, const std::string& note) {
  const Place at(id);
  const bool there = impl_->with("the note could not be written", [&](Database& db) {
    Statement s(db, std::string("UPDATE ") + at.table() + " SET note = ? WHERE id = ?");
    SQLite::bind(s, note, at.bound());
    return s.exec() > 0;
  });
  if (!there)
    throw Error(at.trial ? "there is no trial t" + std::to_string(at.row) : "there is no run " + std::to_string(id), {},
                "see warpspy runs");
}

void History::remove(const std::vector<std::uint64_t>& ids) {
  impl_->with("the run could not be removed", [&](Database& db) {
    SQLite::Transaction all(db, SQLite::TransactionBehavior::IMMEDIATE);
    for (const std::uint64_t id : ids) {
      const Place at(id);
      Statement s(db, std::string("DELETE FROM ") + at.table() + " WHERE id = ?");
      s.bind(1, at.bound());
      s.exec();
    }
    all.commit();
  });
}

bool History::drop(std::uint64_t id) {
  return impl_->with("the run could not be removed", [&](Database& db) {
    Statement s(db, "DELETE FROM runs WHERE id = ? AND note = ''");
    s.bind(1, static_cast<std::int64_t>(id));
    return s.exec() > 0;
  });
}

std::vector<Error> History::problems() {
  const std::lock_guard lock(impl_->mutex);
  return std::exchange(impl_->file.problems, {});
}

}  // namespace warpspy
