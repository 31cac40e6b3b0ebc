// Archives that were cut: every one is refused, or its matrix has a warning.
#include "core/io/zip_end.hpp"

#include <unistd.h>

#include <algorithm>
#include <string>

#include "core/base/regular_file.hpp"
#include "core/io/npz.hpp"
#include "open_helper.hpp"
#include "tests/paths.hpp"

namespace warpspy {
namespace {

namespace fs = std::filesystem;

std::string little(std::uint64_t n, int bytes) {
  std::string text;
  for (; bytes > 0; --bytes, n >>= 8) text += static_cast<char>(n & 255);
  return text;
}
std::string last_record(std::uint64_t size, std::uint64_t at, const std::string& comment = "") {
  return "PK\x05\x06" + std::string(6, '\0') + little(1, 2) + little(size, 4) + little(at, 4) +
         little(comment.size(), 2) + comment;
}
bool ends(const std::string& archive) {
  const std::size_t n = std::min(archive.size(), kZipEndBytes);
  return zip_end_remark(std::string_view(archive).substr(archive.size() - n), archive.size()).empty();
}

TEST(ZipEnd, WhereTheDirectoryEndsTheLastRecordBegins) {
  const std::string members(100'000, 'm'), directory(50, 'd');
  const std::string before = members + directory;
  EXPECT_TRUE(ends(before + last_record(50, 100'000)));
  EXPECT_TRUE(ends(before + last_record(50, 100'000, "a comment with PK\x05\x06 in it")));
  EXPECT_TRUE(ends(before + last_record(50, 100'000, std::string(65535, 'c'))));
  EXPECT_FALSE(ends(before + last_record(51, 100'000)));
  EXPECT_FALSE(ends(before + last_record(50, 100'000) + "x"));
  EXPECT_FALSE(ends(before));
  EXPECT_FALSE(ends(""));
  // A whole archive that is the last member of another one, which was cut there.
  EXPECT_FALSE(ends("outer" + before + last_record(50, 100'000)));
}

TEST(ZipEnd, OfLargeArchivesToo) {
  const std::string before(1000, 'm');
  const std::string wide =
      std::string("PK\x06\x06") + little(44, 8) + std::string(28, '\0') + little(50, 8) + little(950, 8);
  const auto locator = [](std::uint64_t at) {
    return std::string("PK\x06\x07") + little(0, 4) + little(at, 8) + little(1, 4);
  };
  const std::string last = last_record(0xffffffff, 0xffffffff);
  EXPECT_TRUE(ends(before + wide + locator(1000) + last));
  for (const std::uint64_t at :
       {std::uint64_t{0}, std::uint64_t{999}, std::uint64_t{1001}, UINT64_MAX, UINT64_MAX - 55})
    EXPECT_FALSE(ends(before + wide + locator(at) + last)) << at;
  EXPECT_FALSE(ends(before + locator(1000) + last));
  EXPECT_FALSE(ends(last));
}

// What is said of the file cut at each of its bytes; how many cuts were taken, with a warning.
int expect_every_cut_told(const std::string& file) {
  const std::string whole = read_file(file, 1 << 20);
  int taken = 0;
  // By its own name: of several members it tells which one is meant.
  const fs::path folder = ::testing::TempDir() + "warpspy_cut_" + std::to_string(::getpid());
  fs::create_directories(folder);
  const std::string path = folder / fs::path(file).filename();
  // In steps, and in small ones near the end, where the directory is.
  const std::size_t step = std::max<std::size_t>(3, whole.size() / 12);
  for (std::size_t n = 4; n < whole.size(); n += n + 400 < whole.size() ? step : 23) {
    std::ofstream(path, std::ios::binary) << whole.substr(0, n);
    try {
      EXPECT_FALSE(test::open(path).source.warnings.empty()) << file << " cut at " << n << " of " << whole.size();
      ++taken;
    } catch (const Error&) {
    }
  }
  fs::remove_all(folder);
  return taken;
}

TEST(ZipEnd, EveryCutIsTold) {
  int files = 0, taken = 0;
  for (const auto& entry : fs::directory_iterator(std::string(WARPSPY_SOURCE_DIR) + "/tests/data/valid")) {
    const std::string ending = entry.path().extension();
    if (ending != ".zip" && ending != ".npz") continue;
    ++files;
    taken += expect_every_cut_told(entry.path());
  }
  EXPECT_GE(files, 6);
  EXPECT_GE(taken, 10);  // whole matrices in archives that lack their ends
}

TEST(ZipEnd, WhatWeWriteEndsAsItShould) {
  const std::string path = ::testing::TempDir() + "warpspy_end_" + std::to_string(::getpid()) + ".npz";
  for (const bool compress : {false, true}) {
    write_scipy_npz(*test::read_text("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 3\n").csr, path,
                    {compress});
    EXPECT_TRUE(test::open(path).source.warnings.empty());
    expect_every_cut_told(path);
  }
  fs::remove(path);
}

}  // namespace
}  // namespace warpspy
