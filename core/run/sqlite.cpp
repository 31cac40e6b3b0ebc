#include "core/run/sqlite.hpp"

#include <sqlite3.h>

namespace warpspy::sqlite {
namespace {

constexpr int kWaitMs = 5000;  // for another program's write

[[noreturn]] void fail(sqlite3* db, int code) { throw Failed(code, db ? sqlite3_errmsg(db) : sqlite3_errstr(code)); }
void check(sqlite3* db, int code) {
  if (code != SQLITE_OK) fail(db, code);
}

}  // namespace

bool Failed::damaged() const { return (code_ & 0xff) == SQLITE_CORRUPT || (code_ & 0xff) == SQLITE_NOTADB; }
bool Failed::busy() const { return (code_ & 0xff) == SQLITE_BUSY || (code_ & 0xff) == SQLITE_LOCKED; }

Statement::Statement(sqlite3* db, const std::string& sql) : db_(db) {
  sqlite3_stmt* s = nullptr;
  check(db, sqlite3_prepare_v2(db, sql.c_str(), -1, &s, nullptr));
  statement_.reset(s);
}
void Statement::Close::operator()(sqlite3_stmt* s) const { sqlite3_finalize(s); }

Statement& Statement::bind(const std::string& text) {
  check(db_, sqlite3_bind_text64(statement_.get(), ++bound_, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
  return *this;
}
Statement& Statement::bind(std::int64_t n) {
  check(db_, sqlite3_bind_int64(statement_.get(), ++bound_, n));
  return *this;
}
Statement& Statement::bind(const std::optional<double>& v) {
  ++bound_;
  check(db_, v ? sqlite3_bind_double(statement_.get(), bound_, *v) : sqlite3_bind_null(statement_.get(), bound_));
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code != SQLITE_ROW && code != SQLITE_DONE) fail(db_, code);
  return code == SQLITE_ROW;
}
void Statement::run() {
  while (step()) {
  }
}

std::string Statement::text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  return bytes ? std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))) : "";
}
std::int64_t Statement::number(int column) const { return sqlite3_column_int64(statement_.get(), column); }

Connection::Connection(const std::string& path) {
  sqlite3* db = nullptr;
  const int code =
      sqlite3_open_v2(path.c_str(), &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX, nullptr);
  db_.reset(db);  // even a failed opening leaves a handle to be closed
  check(db, code);
  check(db, sqlite3_extended_result_codes(db, 1));
  check(db, sqlite3_busy_timeout(db, kWaitMs));
}
void Connection::Close::operator()(sqlite3* db) const { sqlite3_close_v2(db); }

void Connection::execute(const char* sql) { check(db_.get(), sqlite3_exec(db_.get(), sql, nullptr, nullptr, nullptr)); }

std::int64_t Connection::pragma(const char* name) const {
  Statement s = prepare(std::string("PRAGMA ") + name);
  return s.step() ? s.number(0) : 0;
}
std::int64_t Connection::last_id() const { return sqlite3_last_insert_rowid(db_.get()); }

Transaction::~Transaction() {
  if (!open_) return;
  try {
    db_.execute("ROLLBACK");
  } catch (const Failed&) {
    // SQLite has rolled back by itself (full disk): there is nothing left to undo.
  }
}
void Transaction::commit() {
  db_.execute("COMMIT");
  open_ = false;
}

}  // namespace warpspy::sqlite
