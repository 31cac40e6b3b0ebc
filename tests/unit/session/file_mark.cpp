// A file is known again, also where it was copied.
#include "core/session/file_mark.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <string>

#include "core/base/target.hpp"
#include "core/base/types.hpp"

namespace warpspy {
namespace {

namespace fs = std::filesystem;

class Marks : public testing::Test {
 protected:
  void SetUp() override {
    path_ = testing::TempDir() + "/warpspy_mark_" + std::to_string(getpid());
    write_file(path_, std::string(9'000'000, 'a'));
  }
  void TearDown() override { fs::remove(path_); }
  void touch() const { fs::last_write_time(path_, fs::last_write_time(path_) + std::chrono::seconds(10)); }
  std::string path_;
  Progress progress_;
};

TEST_F(Marks, UnreadAreTheSameByTheirState) {
  const FileMark before = *mark_of(path_);
  EXPECT_EQ(before.bytes, 9'000'000u);
  EXPECT_EQ(before.hash, "");
  EXPECT_FALSE(compare_with(before, path_, progress_).changed);
}

TEST_F(Marks, ATouchedFileHasTheSameContents) {
  const FileMark before = hashed_mark_of(path_, progress_);
  EXPECT_EQ(before.hash.size(), 32u);
  touch();
  const Compared c = compare_with(before, path_, progress_);
  EXPECT_FALSE(c.changed);
  EXPECT_FALSE(c.now.same_state(before));
  EXPECT_EQ(c.now.hash, before.hash);
}

TEST_F(Marks, OneOtherByteIsAChange) {
  const FileMark before = hashed_mark_of(path_, progress_);
  for (const std::size_t at : {std::size_t{0}, std::size_t{4 << 20}, std::size_t{8'999'999}}) {
    std::string text(9'000'000, 'a');
    text[at] = 'b';
    write_file(path_, text);
    touch();
    EXPECT_TRUE(compare_with(before, path_, progress_).changed) << at;
  }
}

TEST_F(Marks, BlocksInAnotherOrderAreAChange) {
  const std::string a(4 << 20, 'a'), b(4 << 20, 'b');
  write_file(path_, a + b);
  const FileMark before = hashed_mark_of(path_, progress_);
  write_file(path_, b + a);
  touch();
  EXPECT_TRUE(compare_with(before, path_, progress_).changed);
}

TEST_F(Marks, WithoutAHashAnotherTimeIsAChange) {
  const FileMark before = *mark_of(path_);
  touch();
  EXPECT_TRUE(compare_with(before, path_, progress_).changed);
}

TEST_F(Marks, WhatIsNotThereHasNone) {
  EXPECT_FALSE(mark_of(path_ + ".none"));
  EXPECT_FALSE(mark_of(testing::TempDir()));
  EXPECT_THROW((void)hashed_mark_of(path_ + ".none", progress_), Error);
  EXPECT_TRUE(compare_with(*mark_of(path_), path_ + ".none", progress_).changed);
  progress_.cancel();
  EXPECT_THROW((void)hashed_mark_of(path_, progress_), Cancelled);
}

}  // namespace
}  // namespace warpspy
