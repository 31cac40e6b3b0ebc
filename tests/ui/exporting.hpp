// A folder to export to, and a window with a run to export.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/ui/hands.hpp"

namespace warpspy::ui {

namespace fs = std::filesystem;

class ExportFolder {
 public:
  ExportFolder() : path_(fs::temp_directory_path() / ("warpspy_export_" + std::to_string(::getpid()))) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~ExportFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  fs::path file(const std::string& name) const { return path_ / name; }
  std::string name() const { return path_.string(); }

 private:
  fs::path path_;
};

inline std::string text_of(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void with_run(Harness& h) {
  h.open("gen:laplace5?nx=20&ny=20");
  h.session.apply(StartRun{});
  h.settle();
}

}  // namespace warpspy::ui
