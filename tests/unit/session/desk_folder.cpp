// Who owns which desk, and who crashed.
#include "core/session/desk_folder.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>

#include "core/base/target.hpp"
#include "core/base/types.hpp"

namespace warpspy {
namespace {

namespace fs = std::filesystem;

class Places : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("warpspy_places_" + std::to_string(getpid()));
    fs::remove_all(folder_);
  }
  void TearDown() override {
    std::error_code ignored;
    fs::permissions(folder_, fs::perms::owner_all, ignored);
    fs::remove_all(folder_);
  }
  std::string folder() const { return folder_.string(); }
  fs::path folder_;
};

TEST_F(Places, TheSecondWindowHasADeskOfItsOwn) {
  DeskPlace first(folder());
  DeskPlace second(folder());
  EXPECT_NE(first.file(), second.file());
  EXPECT_FALSE(second.crashed()) << "the first one runs: it did not crash";
  EXPECT_NE(first.before(), second.before());
}

TEST_F(Places, AfterAProperEndNothingCrashed) {
  std::string file;
  {
    DeskPlace place(folder());
    file = place.file();
    write_file(file, "{}");
    place.leave();
  }
  DeskPlace again(folder());
  EXPECT_EQ(again.file(), file);
  EXPECT_FALSE(again.crashed());
}

TEST_F(Places, AKilledProgramCrashed) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const DeskPlace place(folder());
    write_file(place.file(), "{}");
    _exit(9);  // as kill -9: no destructor
  }
  int status = 0;
  waitpid(child, &status, 0);
  const DeskPlace again(folder());
  EXPECT_TRUE(again.crashed());
}

TEST_F(Places, WithoutADeskThereIsNothingToOffer) {
  {
    const DeskPlace place(folder());
  }
  const DeskPlace again(folder());
  EXPECT_FALSE(again.crashed());
}

TEST_F(Places, ADeskMakesRoom) {
  DeskPlace place(folder());
  place.set_aside();  // there is none
  EXPECT_FALSE(fs::exists(place.before()));
  write_file(place.file(), "old");
  place.set_aside();
  EXPECT_FALSE(fs::exists(place.file()));
  EXPECT_TRUE(fs::exists(place.before()));
}

TEST_F(Places, WhereNothingCanBeWrittenItSaysSo) {
  write_file(folder(), "a file where the folder should be");
  try {
    const DeskPlace place(folder());
    ADD_FAILURE() << "taken: " << place.file();
  } catch (const Error& e) {
    EXPECT_EQ(e.where, folder());
    EXPECT_NE(e.remedy, "");
  }
}

TEST(DeskFolder, FollowsTheEnvironment) {
  const char* state = std::getenv("XDG_STATE_HOME");
  const std::string before = state ? state : "";
  setenv("XDG_STATE_HOME", "/tmp/states", 1);
  EXPECT_EQ(desk_folder(), "/tmp/states/warpspy");
  unsetenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  EXPECT_EQ(desk_folder(), home ? std::string(home) + "/.local/state/warpspy" : "");
  if (state) setenv("XDG_STATE_HOME", before.c_str(), 1);
}

}  // namespace
}  // namespace warpspy
