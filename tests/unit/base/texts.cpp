// Numbers, times and tables as text.
#include <gtest/gtest.h>

#include <string>

#include "core/base/csv.hpp"
#include "core/base/numbers.hpp"
#include "core/base/splitmix.hpp"
#include "core/base/utc.hpp"

namespace warpspy {
namespace {

TEST(Numbers, Thousands) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(-999, ','), "-999");
  EXPECT_EQ(grouped(4007383), "4 007 383");
  EXPECT_EQ(grouped(-1234567, ','), "-1,234,567");
}

TEST(Numbers, Bytes) {
  EXPECT_EQ(byte_text(0), "0 B");
  EXPECT_EQ(byte_text(999), "999 B");
  EXPECT_EQ(byte_text(999.6), "1.0 kB");
  EXPECT_EQ(byte_text(3.21e9), "3.2 GB");
  EXPECT_EQ(byte_text(512e6), "512 MB");
  EXPECT_EQ(byte_text(3.21e9, 3), "3.21 GB");
  EXPECT_EQ(byte_text(3e9, 3), "3 GB");
  EXPECT_EQ(byte_text(-3.21e3, 3), "-3.21 kB");
  EXPECT_EQ(byte_text(12.3, 3), "12 B");
}

TEST(Csv, IsQuotedWhereItMustBe) {
  std::string line;
  csv::add_line(line, {"a", "b,c", "say \"x\"", "two\nlines", ""});
  EXPECT_EQ(line, "a,\"b,c\",\"say \"\"x\"\"\",\"two\nlines\",\r\n");
}

TEST(Utc, IsIso8601) {
  const std::string now = utc_now();
  ASSERT_EQ(now.size(), 20u);
  EXPECT_EQ(now[10], 'T');
  EXPECT_EQ(now.back(), 'Z');
}

TEST(Splitmix, IsThePublishedSequence) {
  // The first numbers after the seed 0, of the authors' program.
  EXPECT_EQ(splitmix::after(0), 0xe220a8397b1dcdafu);
  EXPECT_EQ(splitmix::after(splitmix::kGolden), 0x6e789e6aa1b965f4u);
}

}  // namespace
}  // namespace warpspy
