// In place of `warpspy engine`: does what its first argument says. For what an engine, or what stands between it and
// the window, may do. "honest" is one that serves.
#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include "profiling/engine/engine.hpp"
#include "profiling/remote/frame.hpp"
#include "profiling/remote/messages.hpp"
#include "profiling/remote/server.hpp"
#include "profiling/wire/archive.hpp"
#include "tests/paths.hpp"

namespace {

using warpspy::wire::Frame;
using warpspy::wire::Kind;

void print(const std::string& bytes) {
  if (::write(STDOUT_FILENO, bytes.data(), bytes.size()) < 0) std::exit(0);
}
void say(Kind kind, std::uint64_t call = 0, const std::string& body = {}) { print(bytes_of(Frame{kind, call, body})); }
void hello() {
  warpspy::DeviceInfo gpu;
  gpu.id = "cuda:0", gpu.name = "Toy GPU", gpu.spec.sm_count = 1;
  say(Kind::hello, 0, pack(warpspy::wire::Hello{"9.9.9 (far)", "far", {gpu}}));
}

// The next call, its pings answered.
Frame next_call() {
  static warpspy::wire::FrameReader reader;
  for (;;) {
    while (auto f = reader.next()) {
      if (f->kind == Kind::ping) say(Kind::pong);
      if (f->kind < Kind::cancel) return *f;
    }
    char piece[4096];
    const ssize_t n = ::read(STDIN_FILENO, piece, sizeof piece);
    if (n <= 0) std::exit(0);
    reader.add({piece, static_cast<std::size_t>(n)});
  }
}
[[noreturn]] void hang() {
  for (;;) ::pause();
}
[[noreturn]] void crash() {
  std::signal(SIGSEGV, SIG_DFL);
  std::raise(SIGSEGV);
  std::abort();
}
std::uint64_t begun() {
  hello();
  const std::uint64_t call = next_call().call;
  say(Kind::begun, call);
  return call;
}

void serve() {
  std::signal(SIGPIPE, SIG_IGN);
  const std::string assets = WARPSPY_SOURCE_DIR "/assets";
  const auto engine = warpspy::make_engine(assets);
  warpspy::serve_engine(*engine, {"0.0.0 (test)", "far", warpspy::make_catalog(assets).devices}, STDIN_FILENO,
                        STDOUT_FILENO);
}

struct Role {
  const char* name;
  void (*play)();
};
constexpr Role kRoles[] = {
    {"honest", serve},
    {"nothing", [] {}},
    {"refuses", [] { std::fputs("Permission denied (publickey,password).\n", stderr), std::exit(255); }},
    {"hangs", [] { hang(); }},
    {"asks",
     [] {
       // There must be no terminal on which anybody could be asked.
       const int terminal = ::open("/dev/tty", O_RDWR);
       std::fputs(terminal < 0 ? "no terminal to ask on\n" : "asked on the terminal\n", stderr);
       std::exit(1);
     }},
    {"prints for ever",
     [] {
       for (;;) print("You have mail. ");
     }},
    {"is newer",
     [] {
       std::string bytes = bytes_of(Frame{Kind::hello, 0, warpspy::wire::pack(std::string("10.0.0 (new)"))});
       bytes[4] = 99;
       print(bytes), hang();
     }},
    {"dies when called", [] { hello(), next_call(), crash(); }},
    {"dies in the call", [] { begun(), std::fputs("an illegal address\n", stderr), crash(); }},
    {"exits in the call", [] { begun(), std::exit(3); }},
    {"half a message",
     [] {
       const std::string answer = bytes_of(Frame{Kind::reply, begun(), std::string(1000, 'x')});
       print(answer.substr(0, 500));
     }},
    {"garbage", [] { begun(), print("Connection reset by peer\n"), hang(); }},
    {"damaged answer",
     [] {
       for (std::uint64_t call = begun();; call = next_call().call) say(Kind::reply, call, "this is no record");
     }},
    {"floods",
     [] {
       for (const std::uint64_t other = begun() + 1;;) say(Kind::progress, other, std::string(1 << 16, 'x'));
     }},
    {"tells for ever",
     [] {
       for (const std::uint64_t call = begun();;) say(Kind::timed, call);
     }},
    {"tells much",
     [] {
       const std::uint64_t call = begun();
       for (int k = 0; k < 400; ++k) say(Kind::timed, call, std::string(1 << 16, static_cast<char>(k)));
       hang();
     }},
    {"announces much",
     [] {
       const std::string answer = warpspy::wire::header_of(Kind::reply, begun(), warpspy::wire::most_body);
       print(answer), hang();
     }},
    {"hangs when called", [] { hello(), next_call(), hang(); }},
    {"hangs in the call", [] { begun(), hang(); }},
    {"works for ever",
     [] {
       // Alive, and never done: what a kernel that hangs looks like from outside.
       const std::uint64_t call = begun();
       const std::jthread pings([] { next_call(); });
       for (double quiet = 0;; quiet += 0.1) {
         say(Kind::progress, call, warpspy::wire::pack(0.5, std::string("running"), quiet));
         std::this_thread::sleep_for(std::chrono::milliseconds(100));
       }
     }},
};

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_DFL);
  for (const Role& role : kRoles)
    if (argc > 1 && argv[1] == std::string(role.name)) role.play();
  return 0;
}
