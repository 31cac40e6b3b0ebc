// Programs that this one starts: what is open in them, how they end, and that nothing of them stays.
#include "core/jobs/child_process.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <system_error>
#include <thread>

namespace warpspy {
namespace {

ChildStart shell(const std::string& script) { return {.program = "sh", .words = {"sh", "-c", script}}; }

// Also one whose end nobody has taken.
bool has_ended(pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/stat");
  std::string number, name, state;
  return !(status >> number >> name >> state) || state == "Z" || state == "X";
}

struct Ending {
  const char* script;
  int code, signal;
  const char* says;
};
TEST(ChildProcess, SaysHowItEndedAndAllThatItWrote) {
  for (const Ending& e :
       {Ending{"echo one; echo two", 0, 0, "one\ntwo\n"}, Ending{"exit 7", 7, 0, ""},
        Ending{"echo so far; kill -11 $$", 0, 11, "so far\n"},
        Ending{"read line || echo nothing to read", 0, 0, "nothing to read\n"}, Ending{"echo lost >&2", 0, 0, ""}}) {
    const ChildProcess child(shell(e.script));
    EXPECT_EQ(child.read_all(1000), e.says) << e.script;
    const ChildEnding ending = child.wait();
    EXPECT_EQ(ending.code, e.code) << e.script;
    EXPECT_EQ(ending.signal, e.signal) << e.script;
    EXPECT_FALSE(child.running());
    EXPECT_EQ(child.wait(0)->code, e.code) << "asked again";
  }
}

TEST(ChildProcess, OneThatIsNotThereIsSaid) {
  try {
    const ChildProcess child({.program = "/nowhere/program", .words = {"program"}});
    FAIL();
  } catch (const std::system_error& e) {
    EXPECT_EQ(e.code().message(), "No such file or directory");
  }
}

TEST(ChildProcess, ItsVariablesAreOursButForThoseThatItIsGiven) {
  ::setenv("WARPSPY_OURS", "kept", 1), ::setenv("WARPSPY_OTHER", "not this", 1);
  ChildStart start = shell("env | grep ^WARPSPY_O | sort");
  start.environment = {"WARPSPY_OTHER=replaced", "WARPSPY_ONE=new"};
  const ChildProcess child(start);
  ::unsetenv("WARPSPY_OURS"), ::unsetenv("WARPSPY_OTHER");
  EXPECT_EQ(child.read_all(1000), "WARPSPY_ONE=new\nWARPSPY_OTHER=replaced\nWARPSPY_OURS=kept\n");
}

TEST(ChildProcess, NoFileOfThisProgramIsOpenInIt) {
  const int open = ::open("/dev/null", O_RDONLY);  // not to be closed by exec
  ASSERT_GE(::fcntl(open, F_DUPFD, 57), 57);
  const ChildProcess child(shell("test -e /proc/self/fd/57 && echo open; test -e /proc/self/fd/1 && echo its own"));
  ::close(open), ::close(57);
  EXPECT_EQ(child.read_all(1000), "its own\n");
}

TEST(ChildProcess, ADeadlinePassesAndWhatFloodsIsKilled) {
  const ChildProcess waits(shell("sleep 1000"));
  EXPECT_FALSE(waits.wait(0));
  EXPECT_TRUE(waits.running());
  const ChildProcess floods(shell("while :; do echo more; done"));
  EXPECT_EQ(floods.read_all(1000).size(), 1000u);
  EXPECT_EQ(floods.wait().signal, SIGKILL);
}

TEST(ChildProcess, WhatItHasStartedEndsWithIt) {
  for (const char* script : {"sleep 1000 & echo $!; wait", "sleep 1000 >/dev/null & echo $!"}) {
    pid_t grandchild = 0;
    {
      const ChildProcess child(shell(script));
      char line[32] = {};
      ASSERT_GT(::read(child.out(), line, sizeof line - 1), 0);
      grandchild = std::stoi(line);
      EXPECT_FALSE(has_ended(grandchild));
    }
    while (!has_ended(grandchild)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

TEST(ChildProcess, ItsInputEndsWhenItIsClosed) {
  ChildStart start = shell("read line; echo got $line; read line || echo end");
  start.in = ChildFile::pipe;
  ChildProcess child(start);
  ASSERT_EQ(::write(child.in(), "word\n", 5), 5);
  child.close_in();
  EXPECT_EQ(child.read_all(1000), "got word\nend\n");
}

}  // namespace
}  // namespace warpspy
