// A file being written beside its target and renamed at the end: a failed or cancelled write leaves the old file alone.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace warpspy {

class Target {
 public:
  explicit Target(const std::string& path);  // throws Error, as do all
  ~Target();
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;
  void write(std::string_view bytes);
  void commit();
  std::FILE* file() const { return file_.get(); }

 private:
  struct CloseFile {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };
  [[noreturn]] void fail() const;
  std::string path_, part_;
  std::unique_ptr<std::FILE, CloseFile> file_;
};

}  // namespace warpspy
