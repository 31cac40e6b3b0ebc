#include "core/sweep/folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/base/hash.hpp"
#include "core/base/json_depth.hpp"
#include "core/base/json_text.hpp"

namespace warpspy {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kVersionKey = "warpspy_cell";
constexpr int kVersion = 1;
// The last member of a file: the hash of everything before it. A file that has it is complete.
constexpr const char* kMarker = "whole";

constexpr const char* kPlan = "sweep.json";
constexpr const char* kHashes = "matrices.json";
constexpr const char* kLock = "lock";
constexpr const char* kCells = "cells";

bool has_plan_and_cells(const Folder& folder) {
  return folder.what(kPlan) == Folder::Lies::file && folder.what(kCells) == Folder::Lies::folder;
}

// Whether the folder only has the files with which a sweep begins, as after a program that was killed at once. Without
// a lock file, a list of matrices may be the user's own.
bool only_begun(const Folder& folder) {
  const bool locked = folder.what(kLock) != Folder::Lies::nothing;
  const std::vector<std::string> names = folder.names();
  return std::all_of(names.begin(), names.end(), [&](const std::string& n) {
    return n == kPlan || n == kLock || n == kCells || (locked && n == kHashes);
  });
}

Folder folder_for(const std::string& path, SweepFolder::For use) {
  auto folder = Folder::at(path);
  if (use == SweepFolder::For::reading) {
    if (!folder || !has_plan_and_cells(*folder))
      throw Error("there is no sweep in this folder", path, "name one that warpspy sweep made");
    return std::move(*folder);
  }
  if (folder && !has_plan_and_cells(*folder) && !only_begun(*folder))
    throw Error("this folder has other files in it, and is no sweep", path, "name another one with -o");
  std::error_code failed;
  if (!folder && fs::exists(path, failed))
    throw Error("this is a file, and a sweep is a folder", path, "name another one with -o");
  return folder ? std::move(*folder) : Folder::made(path);
}

bool is_hash(const std::string& name) {
  return name.size() == 32 && name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// HASH.json.NUMBER.part
bool is_begun_cell(const std::string& name) {
  constexpr std::string_view ending = ".part", middle = ".json.";
  if (name.size() <= 32 + middle.size() + ending.size() || !name.ends_with(ending)) return false;
  const std::string number = name.substr(32 + middle.size(), name.size() - 32 - middle.size() - ending.size());
  return is_hash(name.substr(0, 32)) && name.compare(32, middle.size(), middle) == 0 &&
         number.find_first_not_of("0123456789") == std::string::npos;
}

// The content of a lock file: the number of the process that holds it, and a newline. Nothing if it is the user's own
// file.
std::optional<std::string> number_in(int lock) {
  char text[32] = {};
  const ssize_t n = ::pread(lock, text, sizeof text, 0);
  const std::string said(text, static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
  const std::size_t digits = std::min(said.find_first_not_of("0123456789"), said.size());
  const std::string rest = said.substr(digits);
  if (!rest.empty() && rest != "\n") return std::nullopt;
  return said.substr(0, digits);
}

std::string normal(const std::string& path) {
  std::error_code failed;
  const fs::path absolute = fs::absolute(path, failed).lexically_normal();
  std::string text = (failed ? fs::path(path) : absolute).string();
  while (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

}  // namespace

std::string Maker::text() const {
  std::string text = "Warpspy " + program;
  if (!device.empty()) text += ", " + device;
  if (!driver.empty()) text += ", CUDA " + driver + " driver";
  if (!figures.empty()) text += " with figures " + figures;
  return text;
}

std::string to_json(const StoredCell& cell) {
  Json j = {{kVersionKey, kVersion},
            {"id", cell.id},
            {"program", cell.by.program},
            {"driver", cell.by.driver},
            {"figures", cell.by.figures},
            {"state", name_of(cell.end.state)},
            {"reason", cell.end.reason},
            {"seconds", cell.seconds},
            {"record", Json::parse(to_json(cell.record))}};
  for (const RunRecord& r : cell.beside) j["beside"].push_back(Json::parse(to_json(r)));
  const std::string hash = hash_of_text(json_text(j, -1));
  j[kMarker] = hash;
  return json_text(j, 1) + "\n";
}

StoredCell stored_cell_from_json(const std::string& text) {
  if (nested_deeply(text)) throw Error("it is nested too deeply");
  try {
    Json j = Json::parse(text);
    if (whole_of<int>(j.at(kVersionKey)) > kVersion) throw Error("it was written by a newer Warpspy");
    if (!j.contains(kMarker)) throw Error("it was never written to its end");
    const auto marker = j.at(kMarker).get<std::string>();
    j.erase(kMarker);
    if (marker != hash_of_text(json_text(j, -1))) throw Error("it was changed after it was written");
    StoredCell cell;
    cell.id = j.at("id").get<std::string>();
    cell.seconds = j.at("seconds").get<double>();
    cell.record = record_from_json(json_text(j.at("record"), -1));
    if (j.contains("beside"))
      for (const Json& r : j.at("beside")) cell.beside.push_back(record_from_json(json_text(r, -1)));
    cell.by = {j.at("program").get<std::string>(), cell.record.device_name, j.at("driver").get<std::string>(),
               j.value("figures", std::string())};
    cell.end = end_of(cell.record);
    return cell;
  } catch (const nlohmann::json::exception&) {
    throw Error("it was cut off, or is no cell");
  }
}

SweepFolder::SweepFolder(const std::string& path, For use)
    : folder_(folder_for(normal(path), use)),
      cells_(use == For::running ? folder_.made_in(kCells) : std::move(*folder_.in(kCells))) {
  for (const char* name : {kLock, kHashes})
    if (const Folder::Lies lies = folder_.what(name); lies != Folder::Lies::file && lies != Folder::Lies::nothing)
      throw Error("this is no plain file but a link or a device, and no sweep has such", folder_.path_of(name),
                  "remove it, or take another folder");
  if (const auto text = folder_.read(kHashes)) hashes_ = MatrixHashes(*text);
  if (use == For::reading) return;
  if (has_plan()) plan();  // a file that is no plan of a sweep is not overwritten
  lock();
}

SweepFolder::~SweepFolder() {
  if (lock_ >= 0) ::close(lock_);
}

void SweepFolder::lock() {
  lock_ = folder_.opened(kLock);
  const auto number = number_in(lock_);
  const bool held = ::flock(lock_, LOCK_EX | LOCK_NB) == 0;
  if (!held || !number) {
    ::close(lock_);
    lock_ = -1;
    if (!number) throw Error("this file is no lock of a sweep", folder_.path_of(kLock), "name another folder with -o");
    throw SweepHeld(number->empty() ? "another program runs this sweep"
                                    : "another program (process " + *number + ") runs this sweep",
                    path(), "wait for it, stop it, or name another folder with -o");
  }
  const std::string text = std::to_string(::getpid()) + "\n";
  if (::ftruncate(lock_, 0) != 0 || ::pwrite(lock_, text.data(), text.size(), 0) < 0) {
    // On a full disk only the number is missing; the lock is still held.
  }
  // Removes files that a killed program had begun to write.
  for (const std::string& name : cells_.names())
    if (is_begun_cell(name)) cells_.remove(name);
}

bool SweepFolder::is_one(const std::string& path) {
  const auto folder = Folder::at(path);
  return folder && has_plan_and_cells(*folder);
}

bool SweepFolder::has_plan() const { return folder_.what(kPlan) != Folder::Lies::nothing; }

SweepPlan SweepFolder::plan() const {
  const auto text = folder_.read(kPlan);
  if (!text)
    throw Error("the sweep does not say what was asked for", folder_.path_of(kPlan), "run it again with its own file");
  return sweep_plan_from_json(*text, folder_.path_of(kPlan));
}

void SweepFolder::write_plan(const SweepPlan& plan) { folder_.write(kPlan, to_json(plan)); }

std::string SweepFolder::id_of(const SweepCell& cell, Progress& progress) {
  return hash_of_text(hashes_.hash_of(cell.request.matrix, progress) + "\n" + cell.key);
}

std::optional<StoredCell> SweepFolder::find(const std::string& id) {
  try {
    const auto text = cells_.read(id + ".json");
    if (!text) return std::nullopt;
    StoredCell cell = stored_cell_from_json(*text);
    if (cell.id == id) return cell;
    remarks_.push_back("cells/" + id + ".json is of another product, and does not count.");
  } catch (const Error& e) {
    remarks_.push_back("cells/" + id + ".json does not count: " + e.reason + ".");
  }
  return std::nullopt;
}

void SweepFolder::write(const StoredCell& cell) { cells_.write(cell.id + ".json", to_json(cell)); }

std::vector<std::string> SweepFolder::ids() const {
  std::vector<std::string> ids;
  for (const std::string& name : cells_.names())
    if (name.size() == 37 && name.ends_with(".json") && is_hash(name.substr(0, 32))) ids.push_back(name.substr(0, 32));
  return ids;
}

void SweepFolder::keep_hashes() {
  if (hashes_.changed()) folder_.write(kHashes, hashes_.text());
}

std::vector<std::string> SweepFolder::remarks() { return std::exchange(remarks_, {}); }

}  // namespace warpspy
