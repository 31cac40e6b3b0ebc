// SQLite as values that close themselves. For history.cpp; nothing of SQLite's own header shows here.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

struct sqlite3;
struct sqlite3_stmt;

namespace warpspy::sqlite {

class Failed : public std::runtime_error {
 public:
  Failed(int code, const std::string& what) : std::runtime_error(what), code_(code) {}
  // The file is no database, or its pages contradict each other.
  bool damaged() const;
  // Someone else holds the file.
  bool busy() const;

 private:
  int code_;
};

// A prepared statement. Values are bound in the order of the question marks; all throw Failed.
class Statement {
 public:
  Statement(sqlite3* db, const std::string& sql);
  Statement& bind(const std::string& text);
  Statement& bind(std::int64_t n);
  Statement& bind(const std::optional<double>& v);
  bool step();  // to the next row; false after the last
  void run();   // to the end
  std::string text(int column) const;
  std::int64_t number(int column) const;

 private:
  struct Close {
    void operator()(sqlite3_stmt* s) const;
  };
  sqlite3* db_;
  std::unique_ptr<sqlite3_stmt, Close> statement_;
  int bound_ = 0;
};

// An open file, or a database in memory (":memory:"). Throws Failed.
class Connection {
 public:
  Connection() = default;
  explicit Connection(const std::string& path);
  void execute(const char* sql);
  Statement prepare(const std::string& sql) const { return {db_.get(), sql}; }
  std::int64_t pragma(const char* name) const;  // a number: "user_version"
  std::int64_t last_id() const;

 private:
  struct Close {
    void operator()(sqlite3* db) const;
  };
  std::unique_ptr<sqlite3, Close> db_;
};

// Rolled back unless committed. Begins by taking the right to write.
class Transaction {
 public:
  explicit Transaction(Connection& db) : db_(db) { db_.execute("BEGIN IMMEDIATE"); }
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Connection& db_;
  bool open_ = true;
};

}  // namespace warpspy::sqlite
