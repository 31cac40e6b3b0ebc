#include "core/session/desk_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "core/base/types.hpp"

namespace warpspy {

namespace fs = std::filesystem;

namespace {
constexpr int kMostPlaces = 16;
constexpr const char* kBefore = ".before.json";

// The name of a place, without an ending.
std::string place_name(const std::string& folder, int k) {
  return folder + "/desk" + (k == 1 ? "" : "-" + std::to_string(k));
}

// Locks a folder that no window uses, for a moment.
class FreeLock {
 public:
  explicit FreeLock(const std::string& file) : fd_(::open(file.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW)) {
    taken_ = fd_ >= 0 && ::flock(fd_, LOCK_EX | LOCK_NB) != 0;
  }
  ~FreeLock() {
    if (fd_ >= 0) ::close(fd_);
  }
  FreeLock(const FreeLock&) = delete;
  FreeLock& operator=(const FreeLock&) = delete;
  bool free() const { return !taken_; }  // true too if there is no such file
  bool crashed() const {
    struct stat info = {};
    return fd_ >= 0 && ::fstat(fd_, &info) == 0 && info.st_size > 0;
  }
  void mark(bool crashed) const {
    if (fd_ < 0 || ::ftruncate(fd_, 0) != 0) return;
    if (crashed && ::pwrite(fd_, "crashed\n", 8, 0) < 0) return;  // the desk is offered even if this write fails
  }

 private:
  int fd_;
  bool taken_ = false;
};

std::string lock_of(const std::string& file) { return file.substr(0, file.size() - 5) + ".lock"; }

}  // namespace

std::string desk_folder() {
  const auto set = [](const char* name) -> std::string {
    const char* v = std::getenv(name);
    return v ? v : "";
  };
  if (const std::string state = set("XDG_STATE_HOME"); state.starts_with('/')) return state + "/warpspy";
  const std::string home = set("HOME");
  return home.empty() ? "" : home + "/.local/state/warpspy";
}

DeskPlace::DeskPlace(const std::string& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  for (int k = 1; k <= kMostPlaces; ++k) {
    const std::string name = place_name(folder, k);
    file_ = name + ".json";
    if (take(name + ".lock")) return;
  }
  throw Error("the desk cannot be kept: too many windows are open", folder, "close some");
}

// Returns false if another program holds the lock.
bool DeskPlace::take(const std::string& lock) {
  fd_ = ::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd_ < 0)
    throw Error("the desk cannot be kept: it will not come back at the next start", fs::path(lock).parent_path(),
                "check the folder's permissions and the free space");
  if (::flock(fd_, LOCK_EX | LOCK_NB) != 0) {
    ::close(fd_);
    fd_ = -1;
    return false;
  }
  struct stat info = {};
  std::error_code failed;
  crashed_ = ::fstat(fd_, &info) == 0 && info.st_size > 0 && fs::exists(file_, failed);
  const std::string text = std::to_string(::getpid()) + "\n";
  if (::ftruncate(fd_, 0) != 0 || ::pwrite(fd_, text.data(), text.size(), 0) < 0) {
    // On a full disk a crash cannot be told from a normal exit. Writing the desk reports the full disk.
  }
  return true;
}

DeskPlace::~DeskPlace() {
  if (fd_ >= 0) ::close(fd_);
}

std::string DeskPlace::before() const { return file_.substr(0, file_.size() - 5) + kBefore; }

std::vector<LeftDesk> DeskPlace::left() const {
  const std::string folder = fs::path(file_).parent_path().string();
  std::vector<LeftDesk> found;
  const auto add = [&](LeftDesk d) {
    std::error_code failed;
    d.written = fs::last_write_time(d.file, failed);
    if (!failed) found.push_back(std::move(d));
  };
  for (int k = 1; k <= kMostPlaces; ++k) {
    const std::string name = place_name(folder, k);
    if (name + ".json" == file_) {
      add({before(), false, true});
      continue;
    }
    const FreeLock lock(name + ".lock");
    if (!lock.free()) continue;
    add({name + ".json", lock.crashed(), false});
    add({name + kBefore, false, true});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const LeftDesk& a, const LeftDesk& b) { return a.written > b.written; });
  return found;
}

bool DeskPlace::swap(const std::string& file, bool crashed) {
  const FreeLock lock(lock_of(file));
  if (!lock.free()) return false;
  std::error_code failed;
  const bool own = fs::exists(file_, failed);
  const std::string aside = file_ + ".aside";
  if (own) fs::rename(file_, aside, failed);
  if (!failed) fs::rename(file, file_, failed);
  if (failed) {
    if (own) fs::rename(aside, file_, failed);
    return false;
  }
  if (own) fs::rename(aside, file, failed);
  lock.mark(own && crashed);
  return true;
}

void DeskPlace::answered(const std::string& file) const {
  const FreeLock lock(lock_of(file));
  if (lock.free()) lock.mark(false);
}

void DeskPlace::set_aside() const {
  std::error_code failed;
  if (fs::exists(file_, failed)) fs::rename(file_, before(), failed);
}

void DeskPlace::leave() {
  if (fd_ >= 0 && ::ftruncate(fd_, 0) != 0) return;
}

}  // namespace warpspy
