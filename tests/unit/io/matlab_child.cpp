// MATLAB 7.3 files are read by a program of its own. Here another one plays its part and misbehaves in every way that a
// library may: whatever it does is a refusal that names the file.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>
#include <zlib.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/io/child.hpp"
#include "core/io/matlab.hpp"
#include "core/io/packed.hpp"
#include "open_helper.hpp"

namespace warpspy {
namespace {

namespace fs = std::filesystem;

// The folder of the readers, put back afterwards.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    ::setenv(name, value.c_str(), 1);
  }
  ~Environment() { before_ ? ::setenv(name_, before_->c_str(), 1) : ::unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

class MatlabChild : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / ("warpspy_child_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  // A file that asks the other program for this role.
  std::string file(const std::string& role) const {
    std::string header = "MATLAB 7.3 MAT-file";
    header.resize(124, ' ');
    const std::string path = folder_ / (role + ".mat");
    std::ofstream(path, std::ios::binary) << header << std::string("\0\2IM", 4) << std::string(1000, 'x');
    return path;
  }
  // What is said of it.
  std::string refusal(const std::string& role) const {
    const std::string path = file(role);
    try {
      test::open(path);
      ADD_FAILURE() << role << " was read";
      return "";
    } catch (const Error& e) {
      EXPECT_EQ(e.where, path);
      EXPECT_FALSE(e.remedy.empty());
      for (const char c : e.reason) EXPECT_TRUE(c >= ' ' && c <= '~') << role << ": " << e.reason;
      return e.reason;
    }
  }
  // How a program of that role ends under these bounds.
  std::string ending(const std::string& role, const ChildBounds& bounds) const {
    Child child(std::string(WARPSPY_MISBEHAVING) + "/warpspy-read-matlab", file(role), role, bounds, [](auto) {});
    std::vector<char> to(100000);
    while (child.read(to.data(), to.size()) == to.size()) {
    }
    return child.ending();
  }
  fs::path folder_;
  Environment readers_{"WARPSPY_READERS", WARPSPY_MISBEHAVING};
};

TEST_F(MatlabChild, AnHonestAnswerIsTaken) {
  const Matrix m = test::open(file("honest"));
  EXPECT_EQ(m.csr->rows(), 3);
  EXPECT_EQ(m.csr->cols(), 2);
  ASSERT_EQ(m.csr->nnz(), 2);
  EXPECT_GE(m.csr->find(0, 0), 0);
  EXPECT_GE(m.csr->find(2, 1), 0);
  EXPECT_EQ(m.csr->values()[1], 1.5);
}

TEST_F(MatlabChild, AKernelWithoutAFilterOfCallsIsTold) {
  EXPECT_TRUE(test::open(file("honest")).source.warnings.empty());
  const std::vector<std::string> told = test::open(file("open")).source.warnings;
  ASSERT_EQ(told.size(), 1u);
  EXPECT_NE(told[0].find("cannot close off the program that reads MATLAB 7.3 files"), std::string::npos) << told[0];
}

TEST_F(MatlabChild, ACrashIsARefusal) {
  EXPECT_NE(refusal("crash").find("crashed (signal 11)"), std::string::npos);
  EXPECT_NE(refusal("crash_late").find("crashed (signal 11)"), std::string::npos);
  EXPECT_NE(refusal("abort").find("crashed (signal 6)"), std::string::npos);
}

TEST_F(MatlabChild, AnswersThatLieAreRefused) {
  for (const char* role : {"nothing", "noise", "unknown_kind", "many_entries", "many_rows", "many_columns",
                           "more_than_memory", "long_text", "row_out_of_range", "first_pointer", "pointers_decrease",
                           "pointers_beyond", "pointers_before", "no_values"}) {
    SCOPED_TRACE(role);
    EXPECT_FALSE(refusal(role).empty());
  }
  EXPECT_EQ(refusal("not_text"), "a???");
}

TEST_F(MatlabChild, WhatDoesNotFitIsRefusedBeforeItIsTaken) {
  const std::string path = file("more_than_memory");
  const auto source = open_source(path);
  Progress progress;
  try {
    read_matlab(*source, path, {.memory = std::uint64_t{1} << 30}, progress);
    ADD_FAILURE() << "was read";
  } catch (const Error& e) {
    EXPECT_TRUE(e.reason.starts_with("a matrix of 3 rows and 4294967295 entries needs 137 GB of memory")) << e.reason;
  }
}

TEST_F(MatlabChild, NothingOfItIsSeenOnStandardError) {
  ::testing::internal::CaptureStderr();
  refusal("chatter");
  refusal("noise");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST_F(MatlabChild, BoundsOfTimeMemoryAndFiles) {
  EXPECT_EQ(ending("hang", {.seconds = 1}), "took longer than 1 s and was stopped");
  EXPECT_EQ(ending("hang_late", {.seconds = 1}), "took longer than 1 s and was stopped");
  EXPECT_EQ(ending("hang_closed", {.seconds = 60}), "ended without an answer");
  EXPECT_EQ(ending("spin", {.seconds = 1}), "took longer than 1 s and was stopped");
  EXPECT_EQ(ending("grow", {.memory = 96'000'000}), "took more than 96.0 MB of memory and was stopped");
  EXPECT_EQ(ending("fill_disk", {.written = 1'000'000}), "wrote more than 1.0 MB and was stopped");
  EXPECT_LE(fs::file_size(folder_ / "fill_disk.mat.filled"), 1'000'000u);
}

constexpr bool kSanitized = WARPSPY_SANITIZED;

TEST_F(MatlabChild, MemoryThatIsOnlyAskedForIsBoundedToo) {
  if (kSanitized) GTEST_SKIP() << "the address sanitizer needs terabytes of addresses";
  EXPECT_EQ(ending("grab", {.memory = 96'000'000}), "crashed (signal 6)");
}

TEST_F(MatlabChild, CancelEndsIt) {
  for (const char* role : {"hang", "hang_late"}) {
    const std::string path = file(role), note = path + ".pid";
    Progress progress;
    std::thread user([&] {
      while (!fs::exists(note)) std::this_thread::yield();
      progress.cancel();
    });
    EXPECT_THROW(open_matrix(path, progress), Cancelled);
    user.join();
    int pid = 0;
    std::ifstream(note) >> pid;
    ASSERT_GT(pid, 0);
    EXPECT_NE(::kill(pid, 0), 0) << "it still runs";
  }
}

TEST_F(MatlabChild, AMissingProgramIsNamed) {
  const Environment elsewhere("WARPSPY_READERS", folder_);
  EXPECT_NE(refusal("honest").find((folder_ / "warpspy-read-matlab").string()), std::string::npos);
  // There, but no program.
  const fs::path program = folder_ / "warpspy-read-matlab";
  std::ofstream(program) << "\x01\x02\x03";
  fs::permissions(program, fs::perms::owner_all);
  EXPECT_NE(refusal("honest").find("cannot be started"), std::string::npos);
}

// The program gets a temporary file, which is gone afterwards, whatever happened.
TEST_F(MatlabChild, APackedFileIsUnpackedAside) {
  const fs::path aside = folder_ / "aside";
  fs::create_directory(aside);
  const Environment temporary("TMPDIR", aside);
  const std::string plain = file("any"), packed = plain + ".gz";
  const std::string bytes = [&] {
    std::ifstream in(plain, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  }();
  gzFile to = ::gzopen(packed.c_str(), "wb");
  ::gzwrite(to, bytes.data(), static_cast<unsigned>(bytes.size()));
  ::gzclose(to);
  try {
    test::open(packed);
    ADD_FAILURE() << "was read";
  } catch (const Error& e) {
    EXPECT_TRUE(e.where.starts_with(packed)) << e.where;
    EXPECT_NE(e.reason.find("ended without an answer"), std::string::npos) << e.reason;
  }
  EXPECT_TRUE(fs::is_empty(aside));
}

}  // namespace
}  // namespace warpspy
