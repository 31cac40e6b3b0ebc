#include "core/base/target.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "core/base/types.hpp"

namespace warpspy {
namespace fs = std::filesystem;

Target::Target(const std::string& path) : path_(path), to_(path) {
  std::error_code failed;
  const bool direct = fs::exists(path, failed) && !fs::is_regular_file(path, failed);
  if (fs::is_symlink(path, failed))
    if (const fs::path real = fs::canonical(path, failed); !failed) to_ = real.string();
  // A name of its own: two programs may write at a time.
  if (!direct) part_ = to_ + "." + std::to_string(::getpid()) + ".part";
  file_.reset(std::fopen(direct ? path.c_str() : part_.c_str(), "wb"));
  if (!file_) fail();
}

Target::~Target() {
  if (!file_) return;
  file_.reset();
  if (!part_.empty()) std::remove(part_.c_str());
}

void Target::write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) fail();
}

void Target::commit() {
  if (std::fflush(file_.get()) != 0) fail();
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

void write_file(const std::string& path, std::string_view bytes) {
  Target target(path);
  target.write(bytes);
  target.commit();
}

}  // namespace warpspy
