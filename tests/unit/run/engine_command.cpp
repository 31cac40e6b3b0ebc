// The command of an engine: its words, the name that its devices get, and what ssh is told.
#include "core/run/engine_command.hpp"

#include <gtest/gtest.h>

#include "core/base/types.hpp"

namespace warpspy {
namespace {

TEST(EngineCommand, IsNamedByTheMachine) {
  const struct {
    const char *text, *host;
  } cases[] = {{"ssh gpubox warpspy engine", "gpubox"},
               {"ssh -p 22 me@gpubox.example.org /opt/bin/warpspy engine", "gpubox.example.org"},
               {"docker exec -i cuda warpspy engine", "cuda"},
               {"/opt/other/warpspy engine", "warpspy"},
               {"/opt/bin/wrapper", "wrapper"}};
  for (const auto& c : cases) EXPECT_EQ(engine_command(c.text).host, c.host) << c.text;
}

TEST(EngineCommand, HasWordsAsInAShell) {
  const auto words = [](const std::string& text) { return engine_command(text).words; };
  EXPECT_EQ(words("  a 'b c'\t\"d 'e\" f\\ g '' "), (std::vector<std::string>{"a", "b c", "d 'e", "f g", ""}));
  EXPECT_THROW(words(""), Error);
  EXPECT_THROW(words("  "), Error);
  EXPECT_THROW(words("ssh 'gpubox"), Error);
}

TEST(EngineCommand, SshMayNotAsk) {
  const auto words = engine_command("/usr/bin/ssh gpubox warpspy engine").words;
  EXPECT_EQ(words[0], "/usr/bin/ssh");
  EXPECT_EQ(words[2], "BatchMode=yes");
  EXPECT_EQ(words[5], "gpubox");
}

}  // namespace
}  // namespace warpspy
