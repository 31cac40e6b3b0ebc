#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/fuzz/fuzz.hpp"

namespace warpspy::fuzz {

namespace fs = std::filesystem;

InputFile::InputFile(Bytes bytes) : fd_(::memfd_create("input", 0)) {
  require(fd_ >= 0 && ::write(fd_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()), "no input file");
  // By the number of the process: a child that reads it finds it too.
  path_ = "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(fd_);
}

InputFile::~InputFile() { ::close(fd_); }

const std::string& folder() {
  struct Folder {
    std::string path;
    Folder() {
      std::string name = fs::temp_directory_path().string() + "/fuzz-XXXXXX";
      require(::mkdtemp(name.data()) != nullptr, "no folder " + name);
      path = name;
    }
    ~Folder() {
      std::error_code ignored;
      fs::remove_all(path, ignored);
    }
  };
  static const Folder own;
  return own.path;
}

std::string contents(const std::string& path) {
  std::error_code failed;
  if (fs::file_size(path, failed) > kLargestSeed || failed) return {};
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_file(const std::string& path, Bytes bytes) { std::ofstream(path, std::ios::binary) << bytes; }

}  // namespace warpspy::fuzz
