#include "core/base/folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

#include "core/base/regular_file.hpp"
#include "core/base/target.hpp"
#include "core/base/types.hpp"

namespace warpspy {
namespace {

namespace fs = std::filesystem;

constexpr int kFolderFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }
  bool close() { return fd_ < 0 || ::close(release()) == 0; }

 private:
  int fd_;
};

bool is_plain(int fd, struct stat& info) { return ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode); }

[[noreturn]] void no_plain_file(const std::string& path) {
  throw Error("this is no plain file of its own but a link or a device", path, "remove it, or take another folder");
}

struct CloseListing {
  void operator()(DIR* d) const { ::closedir(d); }
};

}  // namespace

std::optional<Folder> Folder::at(const std::string& path) {
  const int fd = ::open(path.c_str(), kFolderFlags);
  if (fd < 0) return std::nullopt;
  return Folder(path, fd);
}

Folder Folder::made(const std::string& path) {
  std::error_code failed;
  fs::create_directories(path, failed);
  const int fd = failed ? -1 : ::open(path.c_str(), kFolderFlags);
  if (fd < 0)
    throw Error("the folder cannot be made: " + (failed ? failed.message() : std::string(std::strerror(errno))), path,
                "check its permissions and the free space, or name another one");
  return Folder(path, fd);
}

std::optional<Folder> Folder::in(const std::string& name) const {
  const int fd = ::openat(fd_, name.c_str(), kFolderFlags | O_NOFOLLOW);
  if (fd >= 0) return Folder(path_of(name), fd);
  if (errno == ENOENT) return std::nullopt;
  throw Error(errno == ELOOP || errno == ENOTDIR ? "this is no folder but a link or a file"
                                                 : "the folder cannot be opened: " + std::string(std::strerror(errno)),
              path_of(name), "remove it, or take another folder");
}

Folder Folder::made_in(const std::string& name) const {
  if (::mkdirat(fd_, name.c_str(), 0777) != 0 && errno != EEXIST) refuse(name, errno);
  auto made = in(name);
  if (!made) refuse(name, ENOENT);
  return std::move(*made);
}

Folder& Folder::operator=(Folder&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(fd_, other.fd_);
  return *this;
}

Folder::~Folder() {
  if (fd_ >= 0) ::close(fd_);
}

Folder::Lies Folder::what(const std::string& name) const {
  struct stat info = {};
  if (::fstatat(fd_, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0)
    return errno == ENOENT ? Lies::nothing : Lies::other;
  return S_ISREG(info.st_mode) ? Lies::file : S_ISDIR(info.st_mode) ? Lies::folder : Lies::other;
}

std::vector<std::string> Folder::names() const {
  std::vector<std::string> all;
  // Opened again: a copy of the descriptor would share its position.
  Descriptor again(::openat(fd_, ".", kFolderFlags));
  const std::unique_ptr<DIR, CloseListing> listing(again.get() < 0 ? nullptr : ::fdopendir(again.get()));
  if (!listing) return all;
  again.release();
  while (const dirent* entry = ::readdir(listing.get()))
    if (const std::string name = entry->d_name; name != "." && name != "..") all.push_back(name);
  std::sort(all.begin(), all.end());
  return all;
}

std::optional<std::string> Folder::read(const std::string& name, std::size_t most) const {
  const int file = ::openat(fd_, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0 && errno == ENOENT) return std::nullopt;
  struct stat info = {};
  if (file < 0 ? errno == ELOOP || errno == ENXIO : !is_plain(file, info)) {
    if (file >= 0) ::close(file);
    no_plain_file(path_of(name));
  }
  return RegularFile(file, path_of(name), {"file", "check its permissions; none that is written here is so large"})
      .whole(most);
}

void Folder::write(const std::string& name, std::string_view bytes) const {
  // Each process uses a name of its own, since two programs may write at the same time. An existing file of this name
  // is left over from a process that has ended.
  const std::string part = name + "." + std::to_string(::getpid()) + ".part";
  ::unlinkat(fd_, part.c_str(), 0);
  Descriptor file(::openat(fd_, part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (file.get() < 0) refuse(name, errno);
  if (write_all(file.get(), bytes) && file.close() && ::renameat(fd_, part.c_str(), fd_, name.c_str()) == 0) return;
  const int error = errno;
  ::unlinkat(fd_, part.c_str(), 0);
  refuse(name, error);
}

void Folder::remove(const std::string& name) const {
  if (what(name) == Lies::file) ::unlinkat(fd_, name.c_str(), 0);
}

int Folder::opened(const std::string& name) const {
  Descriptor file(::openat(fd_, name.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666));
  struct stat info = {};
  if (file.get() < 0 ? errno == ELOOP : !is_plain(file.get(), info) || info.st_nlink > 1) no_plain_file(path_of(name));
  if (file.get() < 0) refuse(name, errno);
  return file.release();
}

void Folder::refuse(const std::string& name, int error) const {
  throw Error("cannot write the file: " + std::string(std::strerror(error)), path_of(name),
              "check the folder and the free space");
}

}  // namespace warpspy
