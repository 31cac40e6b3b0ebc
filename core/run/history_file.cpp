#include "core/run/history_file.hpp"

#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <iterator>
#include <thread>

#include "core/base/regular_file.hpp"
#include "core/base/utc.hpp"

namespace warpspy {
namespace {

namespace fs = std::filesystem;
using SQLite::Database;
using SQLite::Transaction;

// The steps from each version of the file to the next. The file's user_version says how many steps it has seen. A
// release never changes a step, but adds new ones.
constexpr const char* kSteps[] = {
    "CREATE TABLE runs ("
    " id INTEGER PRIMARY KEY AUTOINCREMENT,"  // never given twice
    " session TEXT NOT NULL, started TEXT NOT NULL, source TEXT NOT NULL, matrix TEXT NOT NULL,"
    " kernel TEXT NOT NULL, kernel_label TEXT NOT NULL, format TEXT NOT NULL,"
    " device TEXT NOT NULL, device_name TEXT NOT NULL, precision TEXT NOT NULL, status TEXT NOT NULL,"
    " time_us REAL, gflops REAL, note TEXT NOT NULL DEFAULT '',"
    " record TEXT NOT NULL);"  // the whole record as JSON; it comes last, so that filters need not read it
    "CREATE INDEX runs_by_session ON runs(session);",
    "CREATE TABLE trials ("
    " id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " session TEXT NOT NULL, started TEXT NOT NULL, source TEXT NOT NULL, matrix TEXT NOT NULL,"
    " kernel TEXT NOT NULL, kernel_label TEXT NOT NULL, format TEXT NOT NULL,"
    " device TEXT NOT NULL, device_name TEXT NOT NULL, precision TEXT NOT NULL, status TEXT NOT NULL,"
    " time_us REAL, gflops REAL, note TEXT NOT NULL DEFAULT '',"
    " record TEXT NOT NULL);",
    "ALTER TABLE runs ADD COLUMN fingerprint TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE trials ADD COLUMN fingerprint TEXT NOT NULL DEFAULT '';"
    "CREATE INDEX runs_by_fingerprint ON runs(fingerprint);"
    "CREATE INDEX trials_by_fingerprint ON trials(fingerprint);"};
constexpr auto kVersion = static_cast<std::int64_t>(std::size(kSteps));

constexpr int kWaitMs = 5000;  // how long to wait for another program's write
constexpr int kHow = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX;

struct Newer {
  std::int64_t version;
};

std::int64_t version_of(Database& db) { return db.execAndGet("PRAGMA user_version").getInt64(); }

// Throws if a newer version or another program made the file. All is read in one transaction, since another Warpspy may
// be creating the file now.
void require_ours(Database& db, const std::string& path) {
  Transaction one_moment(db);
  const std::int64_t version = version_of(db);
  if (version > kVersion) throw Newer{version};
  const bool empty = db.execAndGet("SELECT COUNT(*) FROM sqlite_master").getInt64() == 0;
  if (version < 0 || (version == 0 && !empty))
    throw Error("this is a database of another program", path, "let WARPSPY_RUNS name another file");
  one_moment.commit();
}

// Only the user may read it. SQLite gives its other files the same permissions.
void make_file(const std::string& path) {
  if (const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600); fd >= 0) ::close(fd);
}

Database open_file(const std::string& path) {
  std::error_code unknown;
  if (fs::exists(path, unknown) && !fs::is_regular_file(path, unknown))
    throw Error("the history of runs is no plain file", path, "let WARPSPY_RUNS name another file");
  make_file(path);
  Database db(path, kHow, kWaitMs);
  require_ours(db, path);
  // Several programs may read while one writes. SQLite does not wait by itself if another program is doing this at the
  // same time.
  for (int tries = 50;; --tries) {
    try {
      db.exec("PRAGMA journal_mode = WAL");
      break;
    } catch (const SQLite::Exception& e) {
      const int code = e.getErrorCode() & 0xff;
      if ((code != SQLITE_BUSY && code != SQLITE_LOCKED) || tries == 0) throw;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
  db.exec("PRAGMA synchronous = NORMAL");  // survives a crash of the program, without a flush for every run
  Transaction upgrade(db, SQLite::TransactionBehavior::IMMEDIATE);  // also tells whether the file can be written
  for (std::int64_t step = version_of(db); step < kVersion; ++step) {
    db.exec(kSteps[step]);
    db.exec("PRAGMA user_version = " + std::to_string(step + 1));
  }
  // A truncated file lacks its end.
  SQLite::Statement(db, "SELECT record FROM runs ORDER BY id DESC LIMIT 1").executeStep();
  upgrade.commit();
  return db;
}

Database open_memory() {
  Database db(":memory:", kHow);
  for (const char* step : kSteps) db.exec(step);
  return db;
}

// Whether a damaged database was once the history: its first page shows it. A file with a name that the user gave may
// be anything, so it is not touched.
bool was_history(const std::string& path) {
  RegularFile file(path);
  std::string page(4096, '\0');
  page.resize(file.read(page.data(), page.size()));
  if (page.find_first_not_of('\0') == std::string::npos) return true;  // a file of zeros, as after a power failure
  if (!page.starts_with("SQLite format 3")) return false;
  return page.find("CREATE TABLE runs (") != std::string::npos || page.find("CREATE TABLE") == std::string::npos;
}

// Moves the database and SQLite's other files aside. Returns the new name.
std::string set_aside(const std::string& path) {
  const std::string base = path + ".damaged-" + utc_text("%Y%m%d-%H%M%S");
  std::string to = base;
  std::error_code failed;
  for (int k = 2; fs::exists(to, failed); ++k) to = base + "-" + std::to_string(k);
  fs::rename(path, to, failed);
  if (failed) throw Error("the damaged file cannot be set aside: " + failed.message(), path, "move it away by hand");
  for (const char* part : {"-wal", "-shm"}) {
    std::error_code none;  // the file may not exist
    fs::rename(path + part, to + part, none);
  }
  return to;
}

void make_folder(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  std::error_code failed;
  if (folder.empty()) return;
  if (fs::create_directories(folder, failed)) fs::permissions(folder, fs::perms::owner_all, failed);
  if (failed) throw Error("the folder cannot be made: " + failed.message(), folder.string());
}

// "runs-1.sqlite" beside "runs.sqlite".
std::string of_own_version(const std::string& path) {
  const fs::path p = path;
  return (p.parent_path() / (p.stem().string() + "-" + std::to_string(kVersion) + p.extension().string())).string();
}

}  // namespace

bool is_damaged(const SQLite::Exception& e) {
  const int code = e.getErrorCode() & 0xff;
  return code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
}

void HistoryFile::tell(const char* kind, const Error& e) {
  if (told_.insert(kind).second) problems.push_back(e);
}

void HistoryFile::open(const std::string& file) {
  path = file;
  if (path.empty()) return void(db = open_memory());
  try {
    make_folder(path);
    db = open_file(path);
  } catch (const Newer& n) {
    const std::string own = of_own_version(path);
    tell("newer", Error("the history of runs was written by a newer Warpspy (version " + std::to_string(n.version) +
                            " of the file, this program knows " + std::to_string(kVersion) + ")",
                        path, "it is left alone; runs go to " + own));
    path = own;
    open_own();
  } catch (const SQLite::Exception& e) {
    is_damaged(e) ? begin_anew() : unusable(e.what());
  } catch (const Error& e) {
    in_memory(e);
  }
}

void HistoryFile::open_own() {
  try {
    db = open_file(path);
  } catch (const Newer&) {
    unusable("it is of a newer version too");
  } catch (const SQLite::Exception& e) {
    is_damaged(e) ? begin_anew() : unusable(e.what());
  } catch (const Error& e) {
    in_memory(e);
  }
}

void HistoryFile::begin_anew() {
  db.reset();
  try {
    if (!was_history(path))
      throw Error("this file is no history of runs, and is left alone; runs are kept until the program ends", path,
                  "let WARPSPY_RUNS name another file, or move this one away");
    const std::string aside = set_aside(path);
    tell("damaged",
         Error("the history of runs is damaged", path, "it was set aside as " + aside + " and a new one begun"));
    db = open_file(path);
  } catch (const Newer&) {
    unusable("it was replaced by that of a newer version");
  } catch (const SQLite::Exception& e) {
    unusable(e.what());
  } catch (const Error& e) {
    in_memory(e);
  }
}

void HistoryFile::unusable(const std::string& why) {
  in_memory(Error("the history of runs cannot be opened: " + why + "; runs are kept until the program ends", path,
                  kHistoryRemedy));
}

void HistoryFile::in_memory(const Error& why) {
  tell("memory", why);
  path.clear();
  db = open_memory();
}

}  // namespace warpspy
