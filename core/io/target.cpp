#include "core/io/target.hpp"

#include <cerrno>
#include <cstring>

#include "core/matrix/types.hpp"

namespace warpspy {

Target::Target(const std::string& path) : path_(path), part_(path + ".part"), file_(std::fopen(part_.c_str(), "wb")) {
  if (!file_) fail();
}

Target::~Target() {
  if (!file_) return;
  file_.reset();
  std::remove(part_.c_str());
}

void Target::write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) fail();
}

void Target::commit() {
  if (std::fflush(file_.get()) != 0) fail();
  if (std::fclose(file_.release()) != 0 || std::rename(part_.c_str(), path_.c_str()) != 0) {
    const int error = errno;
    std::remove(part_.c_str());
    errno = error;
    fail();
  }
}

void Target::fail() const {
  throw Error("cannot write the file: " + std::string(std::strerror(errno)), path_,
              "check the folder and the free space");
}

}  // namespace warpspy
