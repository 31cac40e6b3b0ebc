#include "core/sweep/folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/hash.hpp"
#include "core/base/json_depth.hpp"
#include "core/base/json_text.hpp"
#include "core/base/target.hpp"

namespace warpspy {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kVersionKey = "warpspy_cell";
constexpr int kVersion = 1;
// The last member: the hash of everything before it. What has it is whole.
constexpr const char* kMarker = "whole";

std::optional<std::string> content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(in), {});
}

// Who holds the lock, as it says.
std::string holder_of(int lock) {
  char text[32] = {};
  const ssize_t n = ::pread(lock, text, sizeof text - 1, 0);
  std::string number;
  for (ssize_t k = 0; k < n && text[k] >= '0' && text[k] <= '9'; ++k) number += text[k];
  return number.empty() ? "another program" : "another program (process " + number + ")";
}

}  // namespace

std::string Maker::text() const {
  std::string text = "Warpspy " + program;
  if (!device.empty()) text += ", " + device;
  if (!driver.empty()) text += ", CUDA " + driver + " driver";
  return text;
}

std::string to_json(const StoredCell& cell) {
  Json j = {{kVersionKey, kVersion},
            {"id", cell.id},
            {"program", cell.by.program},
            {"driver", cell.by.driver},
            {"state", name_of(cell.end.state)},
            {"reason", cell.end.reason},
            {"seconds", cell.seconds},
            {"record", Json::parse(to_json(cell.record))}};
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
    cell.by = {j.at("program").get<std::string>(), cell.record.device_name, j.at("driver").get<std::string>()};
    cell.end = end_of(cell.record);
    return cell;
  } catch (const nlohmann::json::exception&) {
    throw Error("it was cut off, or is no cell");
  }
}

SweepFolder::SweepFolder(const std::string& path, For use) {
  std::error_code failed;
  const fs::path absolute = fs::absolute(path, failed).lexically_normal();
  path_ = (failed ? fs::path(path) : absolute).string();
  while (path_.size() > 1 && path_.ends_with('/')) path_.pop_back();
  if (use == For::reading) {
    if (!is_one(path_)) throw Error("there is no sweep in this folder", path_, "name one that warpspy sweep made");
  } else {
    if (fs::exists(path_, failed) && !is_one(path_) && !fs::is_empty(path_, failed))
      throw Error(fs::is_directory(path_, failed) ? "this folder has other files in it, and is no sweep"
                                                  : "this is a file, and a sweep is a folder",
                  path_, "name another one with -o");
    fs::create_directories(path_ + "/cells", failed);
    if (failed)
      throw Error("the folder of the sweep cannot be made: " + failed.message(), path_,
                  "check its permissions and the free space, or name another one with -o");
    lock();
  }
  if (const auto text = content_of(file("matrices.json"))) hashes_ = MatrixHashes(*text);
}

SweepFolder::~SweepFolder() {
  if (lock_ >= 0) ::close(lock_);
}

void SweepFolder::lock() {
  lock_ = ::open(file("lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock_ < 0)
    throw Error("the folder of the sweep cannot be written", path_,
                "check its permissions and the free space, or name another one with -o");
  if (::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    const std::string holder = holder_of(lock_);
    ::close(lock_);
    lock_ = -1;
    throw Error(holder + " runs this sweep", path_, "wait for it, stop it, or name another folder with -o");
  }
  const std::string text = std::to_string(::getpid()) + "\n";
  if (::ftruncate(lock_, 0) != 0 || ::pwrite(lock_, text.data(), text.size(), 0) < 0) {
    // On a full disk the number alone is missing; the lock holds.
  }
  // What a program that was killed had begun to write.
  std::error_code failed;
  for (fs::directory_iterator it(path_ + "/cells", failed), end; !failed && it != end; it.increment(failed))
    if (std::error_code kept; it->path().extension() == ".part") fs::remove(it->path(), kept);
}

bool SweepFolder::is_one(const std::string& path) {
  std::error_code failed;
  return fs::is_regular_file(path + "/sweep.json", failed) || fs::is_directory(path + "/cells", failed);
}

SweepPlan SweepFolder::plan() const {
  const auto text = content_of(file("sweep.json"));
  if (!text)
    throw Error("the sweep does not say what was asked for", file("sweep.json"), "run it again with its own file");
  return sweep_plan_from_json(*text, file("sweep.json"));
}

void SweepFolder::write_plan(const SweepPlan& plan) { write_file(file("sweep.json"), to_json(plan)); }

std::string SweepFolder::id_of(const SweepCell& cell, Progress& progress) {
  return hash_of_text(hashes_.hash_of(cell.request.matrix, progress) + "\n" + cell.key);
}

std::optional<StoredCell> SweepFolder::find(const std::string& id) {
  const auto text = content_of(cell_path(id));
  if (!text) return std::nullopt;
  try {
    StoredCell cell = stored_cell_from_json(*text);
    if (cell.id == id) return cell;
    remarks_.push_back("cells/" + id + ".json is of another product, and does not count.");
  } catch (const Error& e) {
    remarks_.push_back("cells/" + id + ".json does not count: " + e.reason + ".");
  }
  return std::nullopt;
}

void SweepFolder::write(const StoredCell& cell) { write_file(cell_path(cell.id), to_json(cell)); }

std::vector<std::string> SweepFolder::ids() const {
  std::vector<std::string> ids;
  std::error_code failed;
  for (fs::directory_iterator it(path_ + "/cells", failed), end; !failed && it != end; it.increment(failed))
    if (it->path().extension() == ".json") ids.push_back(it->path().stem().string());
  std::sort(ids.begin(), ids.end());
  return ids;
}

void SweepFolder::keep_hashes() {
  if (hashes_.changed()) write_file(file("matrices.json"), hashes_.text());
}

std::vector<std::string> SweepFolder::remarks() { return std::exchange(remarks_, {}); }

}  // namespace warpspy
