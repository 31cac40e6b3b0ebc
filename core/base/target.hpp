// Files that are whole or not there: written beside their target and renamed at the end. A failed or cancelled write
// leaves the old file alone. Until the end they have no name, where the file system can do that (O_TMPFILE): a program
// that is killed leaves nothing behind.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace warpspy {

// Who may read the file: as the user's mask says, or, where it says what the user did, nobody else.
enum class Readers : std::uint8_t { as_masked, owner };

class Target {
 public:
  // What is no regular file, such as /dev/stdout or a pipe, is written directly; where a link leads, that is replaced.
  explicit Target(const std::string& path, Readers readers = Readers::as_masked);  // throws Error, as do all
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
  void open(unsigned mode);
  bool name_it() const;
  std::string path_, to_, part_;  // as given; what is replaced; what is written, "" when written directly
  bool unnamed_ = false;          // what is written gets the name part_ at the end
  std::unique_ptr<std::FILE, CloseFile> file_;
};

// Into what is open already, such as a terminal. False: not all of it, and errno says why.
bool write_all(int fd, std::string_view bytes);

void write_file(const std::string& path, std::string_view bytes, Readers readers = Readers::as_masked);

}  // namespace warpspy
