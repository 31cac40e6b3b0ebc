// Files that are whole or not there.
#include "core/base/target.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "core/base/types.hpp"

namespace warpspy {
namespace {

namespace fs = std::filesystem;

class Targets : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("warpspy_target_" + std::to_string(getpid()));
    fs::create_directories(folder_);
    path_ = (folder_ / "file").string();
  }
  void TearDown() override { fs::remove_all(folder_); }
  static std::string text_of(const fs::path& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(folder_), fs::directory_iterator()); }

  fs::path folder_;
  std::string path_;
};

TEST_F(Targets, ReplaceTheOldFileAtTheEnd) {
  write_file(path_, "old");
  Target target(path_);
  target.write("new");
  EXPECT_EQ(text_of(path_), "old");
  target.commit();
  EXPECT_EQ(text_of(path_), "new");
  EXPECT_EQ(files(), 1);
}

TEST_F(Targets, GivenUpLeaveTheOldFileAndNothingElse) {
  write_file(path_, "old");
  {
    Target target(path_);
    target.write("new");
  }
  EXPECT_EQ(text_of(path_), "old");
  EXPECT_EQ(files(), 1);
}

TEST_F(Targets, OfAProgramThatIsKilledLeaveNothing) {
  const int unnamed = ::open(folder_.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if (unnamed < 0) GTEST_SKIP() << "the file system of " << folder_ << " has no files without a name";
  ::close(unnamed);
  const pid_t child = ::fork();
  if (child == 0) {
    Target target(path_);
    target.write(std::string(100'000, 'x'));
    std::fflush(target.file());
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(files(), 0);
}

// What one that was killed in its last moment left behind is in nobody's way.
TEST_F(Targets, TakeTheNameOfWhatWasLeft) {
  std::ofstream(path_ + "." + std::to_string(getpid()) + ".part") << "left";
  write_file(path_, "new");
  EXPECT_EQ(text_of(path_), "new");
  EXPECT_EQ(files(), 1);
}

TEST_F(Targets, OfALinkAreWhatItLeadsTo) {
  write_file(path_, "old");
  const fs::path link = folder_ / "link";
  fs::create_symlink("file", link);
  write_file(link.string(), "new");
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(text_of(path_), "new");
  EXPECT_EQ(files(), 2);
}

TEST_F(Targets, ThatAreNoFilesAreWrittenDirectly) {
  write_file("/dev/null", "new");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(Targets, ThatCannotBeWrittenAreNamed) {
  const std::string path = (folder_ / "none" / "file").string();
  for (const std::string& bad : {path, folder_.string(), std::string("/dev/full")}) {
    if (!fs::exists("/dev/full") && bad == "/dev/full") continue;
    try {
      write_file(bad, "new");
      ADD_FAILURE() << bad;
    } catch (const Error& e) {
      EXPECT_EQ(e.where, bad);
      EXPECT_NE(e.reason, "");
    }
  }
  EXPECT_EQ(files(), 0);
}

}  // namespace
}  // namespace warpspy
