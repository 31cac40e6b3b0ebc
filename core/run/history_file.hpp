// Opens the file of the history, whether it is usable, damaged, from another version, or missing. Only history.cpp uses
// this.
#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/types.hpp"

namespace warpspy {

inline constexpr const char* kHistoryRemedy =
    "check the folder's permissions and the free space, or let WARPSPY_RUNS name another file (or be off)";

// Whether the error means that the file is damaged: it is no database, or its pages contradict each other.
bool is_damaged(const SQLite::Exception& e);

struct HistoryFile {
  std::optional<SQLite::Database> db;
  std::string path;  // "" in memory
  std::vector<Error> problems;

  // Opens `file`; an empty name makes a database in memory. Whatever is wrong with the file, the result is a working
  // database, and `problems` lists what was wrong.
  void open(const std::string& file);
  // Sets the file aside under another name and opens a new one.
  void begin_anew();
  // Reports a problem; each kind only once.
  void tell(const char* kind, const Error& e);

 private:
  void open_own();
  void unusable(const std::string& why);
  void in_memory(const Error& why);
  std::set<std::string> told_;
};

}  // namespace warpspy
