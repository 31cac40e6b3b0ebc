// Names that lead to no file, wherever a command reads one: an answer at once, in one line, whatever would come out of
// it for ever or never.
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "program.hpp"

namespace warpspy::testing {
namespace {

namespace fs = std::filesystem;

// {} is where the name goes.
constexpr const char* kCommands[] = {
    "figure {}",
    "sweep {}",
    "study show {}",
    "study run {}",
    "validate --measured {} --device sim:h200",
    "validate --findings --measured {} --device sim:h200",
    "profile --bench {} --csv",
    "info {}",
    "run {} --kernel csr_scalar --device sim:h200",
    "convert {} --to csr -o /dev/null",
    "report {}.warpspy -o /dev/null",
};

// The address sanitizer takes address space of its own.
#if WARPSPY_SANITIZED
constexpr const char* kBounded = "WARPSPY_RUNS=off timeout 30";
#else
constexpr const char* kBounded = "WARPSPY_RUNS=off timeout 30 prlimit --as=4000000000";
#endif

class NoFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = scratch("no_files");
    fs::create_directories(folder_);
    ASSERT_EQ(::mkfifo((folder_ + "/pipe").c_str(), 0600), 0);
    fs::create_symlink("pipe", folder_ + "/pipe.warpspy");
    fs::create_symlink("/dev/zero", folder_ + "/zero");
    fs::create_symlink("/dev/zero", folder_ + "/zero.warpspy");
  }
  void TearDown() override { fs::remove_all(folder_); }
  static void expect_refused(const std::string& command) {
    const Ran r = warpspy(command, kBounded);
    EXPECT_TRUE(r.code == 1 || r.code == 2) << command << ": " << r.code << " " << r.err;
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << command << ": " << r.err;
  }
  std::string folder_;
};

TEST_F(NoFiles, AreRefusedByEveryCommand) {
  for (const std::string command : kCommands)
    for (const char* name : {"/pipe", "/zero"}) {
      std::string line = command;
      line.replace(line.find("{}"), 2, "'" + folder_ + name + "'");
      expect_refused(line);
    }
}

}  // namespace
}  // namespace warpspy::testing
