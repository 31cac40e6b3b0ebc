// `warpspy engine` and what comes to it: it answers or says why not, and ends.
#include <csignal>
#include <cstdio>
#include <string>

#include "tests/cli/program.hpp"

namespace warpspy::testing {
namespace {

// Not with the address sanitizer, which takes address space of its own.
#if !defined(__SANITIZE_ADDRESS__)
TEST(EngineCommand, ABodyLargerThanItsMemoryEndsItWithAnAnswer) {
  std::signal(SIGPIPE, SIG_IGN);
  const std::string out = scratch("out"), err = scratch("err");
  const std::string line = "ulimit -v 700000; WARPSPY_RUNS=off timeout 60 '" + std::string(WARPSPY_PROGRAM) +
                           "' engine >'" + out + "' 2>'" + err + "'";
  std::FILE* const in = ::popen(line.c_str(), "w");
  ASSERT_NE(in, nullptr);
  constexpr std::size_t size = 900'000'000, piece = 1'000'000;
  // Of a reply of 900,000,000 bytes (profiling/remote/README.md).
  const std::string header("\xF5wse\3\0\x0E\0\1\0\0\0\0\0\0\0\x00\xE9\xA4\x35", 20), zeros(piece, '\0');
  std::fwrite(header.data(), 1, header.size(), in);
  for (std::size_t sent = 0; sent < size && std::fwrite(zeros.data(), 1, piece, in) == piece;) sent += piece;
  const int status = ::pclose(in);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1) << status;
  EXPECT_TRUE(has(content_of(out), "a message from the other end needs 900 MB of memory, ")) << content_of(err);
  EXPECT_TRUE(has(content_of(out), " are free")) << content_of(err);
  std::remove(out.c_str());
  std::remove(err.c_str());
}
#endif

}  // namespace
}  // namespace warpspy::testing
