#include "core/base/target.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "core/base/types.hpp"

namespace warpspy {
namespace fs = std::filesystem;

namespace {

std::string place_of(int fd) { return "/proc/self/fd/" + std::to_string(fd); }

}  // namespace

Target::Target(const std::string& path, Readers readers) : path_(path), to_(path) {
  std::error_code failed;
  const bool direct = fs::exists(path, failed) && !fs::is_regular_file(path, failed);
  if (fs::is_symlink(path, failed))
    if (const fs::path real = fs::canonical(path, failed); !failed) to_ = real.string();
  // A name of its own, since two programs may write at the same time.
  if (!direct) part_ = to_ + "." + std::to_string(::getpid()) + ".part";
  if (direct)
    file_.reset(std::fopen(path.c_str(), "wb"));
  else
    open(readers == Readers::owner ? 0600 : 0666);
  if (!file_) fail();
}

void Target::open(unsigned mode) {
  const std::string folder = fs::path(part_).parent_path().string();
  const int fd = ::open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
  // Without /proc it could not get a name.
  unnamed_ = fd >= 0 && ::access(place_of(fd).c_str(), F_OK) == 0;
  if (fd >= 0 && !unnamed_) ::close(fd);
  const int to = unnamed_ ? fd : ::open(part_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
  if (to >= 0) file_.reset(::fdopen(to, "wb"));
}

bool Target::name_it() const {
  const std::string from = place_of(::fileno(file_.get()));
  const auto link = [&] { return ::linkat(AT_FDCWD, from.c_str(), AT_FDCWD, part_.c_str(), AT_SYMLINK_FOLLOW) == 0; };
  if (link()) return true;
  // The file is left over from a killed process that had the same number.
  return errno == EEXIST && std::remove(part_.c_str()) == 0 && link();
}

Target::~Target() {
  if (!file_) return;
  file_.reset();
  if (!part_.empty() && !unnamed_) std::remove(part_.c_str());
}

void Target::write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) fail();
}

void Target::commit() {
  if (std::fflush(file_.get()) != 0 || (unnamed_ && !name_it())) fail();
  if (std::fclose(file_.release()) == 0 && (part_.empty() || std::rename(part_.c_str(), to_.c_str()) == 0)) return;
  const int error = errno;
  if (!part_.empty()) std::remove(part_.c_str());
  errno = error;
  fail();
}

void Target::fail() const {
  throw Error("cannot write the file: " + std::string(std::strerror(errno)), path_,
              "check the folder and the free space");
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

void write_file(const std::string& path, std::string_view bytes, Readers readers) {
  Target target(path, readers);
  target.write(bytes);
  target.commit();
}

}  // namespace warpspy
