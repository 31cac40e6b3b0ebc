// Files that are written completely or not at all: a file is written under another name and renamed at the end. A
// failed or cancelled write leaves the old file alone. If the file system can do that, the new file has no name until
// the end (O_TMPFILE), so a killed program leaves nothing behind.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace warpspy {

// Who may read the file: whoever the user's mask allows, or only the owner, for files that show what the user did.
enum class Readers : std::uint8_t { as_masked, owner };

class Target {
 public:
  // /dev/stdout, a pipe, or anything else that is no regular file is written directly. If the path is a link, the file
  // behind the link is replaced.
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
  bool unnamed_ = false;          // the new file gets the name part_ only at the end
  std::unique_ptr<std::FILE, CloseFile> file_;
};

// Writes to a descriptor that is open already, such as a terminal. Returns false if not all bytes were written; errno
// says why.
bool write_all(int fd, std::string_view bytes);

void write_file(const std::string& path, std::string_view bytes, Readers readers = Readers::as_masked);

}  // namespace warpspy
