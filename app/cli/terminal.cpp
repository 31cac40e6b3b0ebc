#include "app/cli/terminal.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <iostream>
#include <new>
#include <streambuf>
#include <string_view>

#include "app/cli/command.hpp"
#include "core/base/foreign_text.hpp"
#include "core/base/target.hpp"

namespace warpspy::cli {
namespace {

// A character may arrive in two pieces: its first bytes wait for the rest.
struct Out {
  int fd;
  std::string begun = {};
  int error = 0;  // errno of the first write that failed

  bool take(std::string_view bytes) {
    try {
      return take_whole(bytes);
    } catch (const std::bad_alloc&) {
      return take_plain(bytes);  // the message that memory ran out
    }
  }
  // Without memory only plain letters are printed; all other bytes are left out.
  bool take_plain(std::string_view bytes) {
    for (const char c : bytes)
      if (!write_all(fd, std::string_view((c >= ' ' && c <= '~') || c == '\n' ? &c : "?", 1))) return false;
    return true;
  }
  bool take_whole(std::string_view bytes) {
    begun += bytes;
    // "\r
    // " ends a line of CSV. A single "\r" would overwrite the line.
    std::size_t whole = whole_characters(begun);
    if (whole > 0 && begun[whole - 1] == '\r') --whole;
    const std::string text = spelled(std::string_view(begun).substr(0, whole));
    begun.erase(0, whole);
    return write(text);
  }
  bool finish() {
    const std::string text = spelled(begun);
    begun.clear();
    return write(text);
  }
  bool write(const std::string& text) {
    if (write_all(fd, text)) return true;
    if (error == 0) error = errno;
    return false;
  }
  static std::string spelled(std::string_view text) {
    std::string out;
    for (std::size_t end; (end = text.find("\r\n")) != std::string_view::npos; text.remove_prefix(end + 2))
      out.append(harmless(text.substr(0, end))).append("\r\n");
    return out + harmless(text);
  }
};

// These are never destroyed, since code that ends the program may still print.
Out outs[] = {{STDOUT_FILENO}, {STDERR_FILENO}};

ssize_t take(void* out, const char* bytes, std::size_t n) {
  return static_cast<Out*>(out)->take({bytes, n}) ? static_cast<ssize_t>(n) : 0;
}

std::FILE* stream_to(Out& out, int buffering) {
  std::FILE* file = fopencookie(&out, "w", {nullptr, take, nullptr, nullptr});
  if (file) std::setvbuf(file, nullptr, buffering, BUFSIZ);
  return file;
}

// C++ streams write to stdio, so that all output keeps its order.
class ToStdio final : public std::streambuf {
 public:
  explicit ToStdio(std::FILE* file) : file_(file) {}

 protected:
  int overflow(int c) override { return c == EOF ? 0 : std::fputc(c, file_); }
  std::streamsize xsputn(const char* bytes, std::streamsize n) override {
    return static_cast<std::streamsize>(std::fwrite(bytes, 1, static_cast<std::size_t>(n), file_));
  }
  int sync() override { return std::fflush(file_); }

 private:
  std::FILE* file_;
};

void redirect(std::FILE*& file, std::FILE* to, std::initializer_list<std::ostream*> streams) {
  if (!to) return;  // if there is no memory for this stream, only an error message will be printed
  file = to;
  auto* buffer = new (std::nothrow) ToStdio(to);  // never deleted, since streams use it until the end
  if (!buffer) return;
  for (std::ostream* stream : streams) stream->rdbuf(buffer);
}

}  // namespace

void make_output_harmless(bool data) {
  const bool terminal = ::isatty(STDOUT_FILENO) != 0;
  if (!data || terminal) redirect(stdout, stream_to(outs[0], terminal ? _IOLBF : _IOFBF), {&std::cout});
  redirect(stderr, stream_to(outs[1], _IONBF), {&std::cerr, &std::clog});
}

int told(int code, bool json) {
  errno = 0;
  std::cout.flush();
  const bool arrived = std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout && outs[0].finish();
  const int error = outs[0].error != 0 ? outs[0].error : errno;
  const std::string why = error != 0 ? std::strerror(error) : "it was cut off";
  // A reader that closes the pipe early, such as head, has all that it wanted.
  pollfd out = {STDOUT_FILENO, POLLOUT, 0};
  const bool left = !arrived && ::poll(&out, 1, 0) > 0 && (out.revents & POLLERR) != 0;
  if (!arrived && !left)
    report("what is printed could not be written: " + why, "standard output",
           "check the free space, and where the output goes", json, 1);
  outs[1].finish();
  return arrived || code != 0 ? code : 1;
}

void show_progress(const std::string& line) { write_all(STDERR_FILENO, "\r" + harmless(line) + "\033[K"); }
void clear_progress() { write_all(STDERR_FILENO, "\r\033[K"); }

}  // namespace warpspy::cli
