// Files that are whole or not there: written beside their target and renamed at the end. A failed or cancelled write
// leaves the old file alone. Until the end they have no name, where the file system can do that (O_TMPFILE): a program
// that is killed leaves nothing behind.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace warpspy {

class Target {
 public:
  // What is no regular file, such as /dev/stdout or a pipe, is written directly; where a link leads, that is replaced.
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
  void open();
  bool name_it() const;
  std::string path_, to_, part_;  // as given; what is replaced; what is written, "" when written directly
  bool unnamed_ = false;          // what is written gets the name part_ at the end
  std::unique_ptr<std::FILE, CloseFile> file_;
};

void write_file(const std::string& path, std::string_view bytes);

}  // namespace warpspy
