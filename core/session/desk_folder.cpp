#include "core/session/desk_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "core/base/types.hpp"

namespace warpspy {

namespace fs = std::filesystem;

namespace {
constexpr int kMostPlaces = 16;
}

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
    const std::string name = folder + "/desk" + (k == 1 ? "" : "-" + std::to_string(k));
    file_ = name + ".json";
    if (take(name + ".lock")) return;
  }
  throw Error("the desk cannot be kept: too many windows are open", folder, "close some");
}

// False where another program holds it.
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
    // On a full disk a crash will not be told from a proper end; the desk itself says whether it can be written.
  }
  return true;
}

DeskPlace::~DeskPlace() {
  if (fd_ >= 0) ::close(fd_);
}

std::string DeskPlace::before() const { return file_.substr(0, file_.size() - 5) + ".before.json"; }

void DeskPlace::set_aside() const {
  std::error_code failed;
  if (fs::exists(file_, failed)) fs::rename(file_, before(), failed);
}

void DeskPlace::leave() {
  if (fd_ >= 0 && ::ftruncate(fd_, 0) != 0) return;
}

}  // namespace warpspy
