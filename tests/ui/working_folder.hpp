// A folder of a test's own that the program works in meanwhile: what is saved without a path (a lecture) goes with it.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>

namespace warpspy::ui {

class WorkingFolder {
 public:
  explicit WorkingFolder(const std::string& name)
      : path(std::filesystem::temp_directory_path() / ("warpspy_" + name + "_" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(path);
    std::filesystem::create_directories(path);
    std::filesystem::current_path(path);
  }
  ~WorkingFolder() {
    std::error_code ignored;
    std::filesystem::current_path(before_, ignored);
    std::filesystem::remove_all(path, ignored);
  }
  WorkingFolder(const WorkingFolder&) = delete;
  WorkingFolder& operator=(const WorkingFolder&) = delete;

  const std::filesystem::path path;

 private:
  const std::filesystem::path before_ = std::filesystem::current_path();
};

}  // namespace warpspy::ui
