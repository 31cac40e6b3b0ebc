// Copies of large matrices: found again, never trusted when anything differs, and out of each other's way.
#include "core/io/cache.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <iterator>
#include <random>
#include <thread>

#include "core/io/checksum.hpp"
#include "open_helper.hpp"
#include "tests/paths.hpp"

namespace warpspy {
namespace {

namespace fs = std::filesystem;

class Cache : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / ("warpspy_cache_" + std::to_string(::getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    ::setenv("XDG_CACHE_HOME", (folder_ / "home").c_str(), 1);
    ::setenv("WARPSPY_CACHE", "on", 1);
  }
  void TearDown() override {
    ::setenv("WARPSPY_CACHE", "off", 1);
    ::unsetenv("XDG_CACHE_HOME");
    ::unsetenv("WARPSPY_CACHE_BYTES");
    fs::permissions(folder_, fs::perms::owner_all);
    fs::remove_all(folder_);
  }

  // A file of a little more than 2 MB; symmetric, with warnings. `first` is the value at (1, 1).
  std::string file(const std::string& name, int first = 1, bool complex = false) {
    const std::string path = folder_ / name;
    std::mt19937 random(3);
    const int entries = complex ? 70'000 : 110'000;
    std::string text = std::string("%%MatrixMarket matrix coordinate ") + (complex ? "complex" : "real") +
                       " symmetric\n5000 5000 " + std::to_string(entries) + "\n";
    const std::string imaginary = complex ? " -0.12345678" : "";
    text += "1 1 " + std::to_string(first) + ".50000000" + imaginary + "\n";
    for (int k = 1; k < entries; ++k)
      text += std::to_string(1 + random() % 4999) + " " + std::to_string(2 + random() % 4999) + " " +
              std::to_string(1'000'000'000 + random() % 1'000'000'000) + "e-9" + imaginary + "\n";
    std::ofstream(path, std::ios::binary) << text;
    settle();
    return path;
  }
  // Past the tick of the file system's clock in which the file was written.
  static void settle() { std::this_thread::sleep_for(std::chrono::milliseconds(25)); }

  // Whether the copy was used, from what the user is told.
  static Matrix open(const std::string& path, bool& from_copy) {
    Progress progress;
    Matrix m = open_matrix(path, progress);
    from_copy = progress.stage().starts_with("loading");
    return m;
  }
  static void expect_copy(const std::string& path, bool expected, const Matrix& want) {
    bool from_copy = !expected;
    const Matrix m = open(path, from_copy);
    EXPECT_EQ(from_copy, expected);
    test::expect_same(*m.csr, *want.csr);
    EXPECT_EQ(m.source.name, want.source.name);
    EXPECT_EQ(m.source.location, path);
    EXPECT_EQ(m.source.field, want.source.field);
    EXPECT_EQ(m.source.symmetry, want.source.symmetry);
    EXPECT_EQ(m.source.entries_in_file, want.source.entries_in_file);
    EXPECT_EQ(m.source.duplicates, want.source.duplicates);
    EXPECT_EQ(m.source.warnings, want.source.warnings);
  }
  std::string only_copy() const {
    for (const auto& entry : fs::directory_iterator(cache_folder())) return entry.path();
    return {};
  }

  fs::path folder_;
};

TEST_F(Cache, SecondOpeningUsesTheCopy) {
  for (const bool complex : {false, true}) {
    const std::string path = file(complex ? "c.mtx" : "a.mtx", 1, complex);
    bool from_copy = true;
    const Matrix first = open(path, from_copy);
    EXPECT_FALSE(from_copy);
    EXPECT_EQ(first.csr->is_complex(), complex);
    EXPECT_GE(first.source.warnings.size(), 3u);
    expect_copy(path, true, first);
    expect_copy(path, true, first);
  }
  EXPECT_EQ(cache_usage().copies, 2u);
  EXPECT_GT(cache_usage().bytes, 4'000'000u);
  const CacheUsage removed = clear_cache();
  EXPECT_EQ(removed.copies, 2u);
  EXPECT_EQ(cache_usage().copies, 0u);
}

TEST_F(Cache, OtherNamesOfTheSameFile) {
  const std::string path = file("a.mtx"), link = folder_ / "link.mtx";
  const Matrix first = test::open(path);
  fs::create_symlink(path, link);
  bool from_copy = false;
  const Matrix m = open(link, from_copy);
  EXPECT_TRUE(from_copy);
  EXPECT_EQ(m.source.name, "link");
  EXPECT_EQ(m.source.location, link);
}

TEST_F(Cache, SmallFilesAndGeneratorsAreNotCopied) {
  test::open(std::string(WARPSPY_SOURCE_DIR) + "/tests/data/valid/general.mtx");
  test::open("gen:laplace5?nx=300&ny=300");
  EXPECT_FALSE(fs::exists(cache_folder()));
}

TEST_F(Cache, OffMeansOff) {
  const std::string path = file("a.mtx");
  ::setenv("WARPSPY_CACHE", "off", 1);
  test::open(path);
  EXPECT_FALSE(fs::exists(cache_folder()));
  ::setenv("WARPSPY_CACHE", "on", 1);
  const Matrix m = test::open(path);
  EXPECT_EQ(cache_usage().copies, 1u);
  ::setenv("WARPSPY_CACHE", "off", 1);
  expect_copy(path, false, m);
}

// Same path, same size, and even the same time of change of the contents.
TEST_F(Cache, AChangedFileIsReadAgain) {
  const std::string path = file("a.mtx", 1);
  struct stat before = {};
  ASSERT_EQ(::stat(path.c_str(), &before), 0);
  EXPECT_EQ(test::open(path).csr->values()[0], 1.5);
  file("a.mtx", 2);
  const timespec times[2] = {before.st_atim, before.st_mtim};
  ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
  settle();
  struct stat after = {};
  ASSERT_EQ(::stat(path.c_str(), &after), 0);
  ASSERT_EQ(after.st_size, before.st_size);
  ASSERT_EQ(after.st_mtim.tv_nsec, before.st_mtim.tv_nsec);
  bool from_copy = true;
  const Matrix m = open(path, from_copy);
  EXPECT_FALSE(from_copy);
  EXPECT_EQ(m.csr->values()[0], 2.5);
  expect_copy(path, true, m);
  EXPECT_EQ(cache_usage().copies, 1u) << "the new copy replaces the old one";
}

TEST_F(Cache, AFileChangedInThisTickIsNotCopied) {
  const std::string path = file("a.mtx");
  auto key = cache_key(path);
  ASSERT_TRUE(key);
  EXPECT_TRUE(key->settled);
  bool seen_unsettled = false;
  for (int round = 0; round < 200 && !seen_unsettled; ++round) {
    std::ofstream(path, std::ios::app) << "%\n";
    key = cache_key(path);
    seen_unsettled = key && !key->settled;
  }
  EXPECT_TRUE(seen_unsettled);
}

TEST_F(Cache, DamagedCopiesAreReplaced) {
  const std::string path = file("a.mtx");
  const Matrix want = test::open(path);
  const std::string copy = only_copy();
  std::ifstream in(copy, std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  ASSERT_GT(whole.size(), 2'000'000u);
  std::mt19937_64 random(1);
  Progress progress;
  const auto key = cache_key(path);
  ASSERT_TRUE(key);

  // The header, each array, cut and grown. Padding carries nothing; changes there do no harm.
  int refused = 0;
  for (int round = 0; round < 60; ++round) {
    std::string broken = whole;
    const std::size_t at = round < 20 ? static_cast<std::size_t>(round) * 4 : random() % whole.size();
    if (round % 10 == 8) broken.resize(at);
    if (round % 10 == 9) broken += "x";
    if (round % 10 < 8) broken[at] ^= static_cast<char>(1 + random() % 255);
    std::ofstream(copy, std::ios::binary) << broken;
    const auto loaded = load_cache(*key, progress);
    if (loaded) test::expect_same(*loaded->csr, *want.csr);
    refused += !loaded;
  }
  EXPECT_GE(refused, 55);

  std::ofstream(copy, std::ios::binary) << whole.substr(0, whole.size() / 2);
  expect_copy(path, false, want);
  expect_copy(path, true, want);
  std::ofstream(copy, std::ios::binary) << "";
  expect_copy(path, false, want);
  expect_copy(path, true, want);
}

// The copy of another file under this file's name, as a collision of names would make it.
TEST_F(Cache, ACopyOfAnotherFileIsNotTaken) {
  const std::string a = file("a.mtx", 1);
  test::open(a);
  const std::string copy_of_a = only_copy();
  const std::string b = file("b.mtx", 2);
  const Matrix want = test::open(b);
  for (const auto& entry : fs::directory_iterator(cache_folder()))
    if (entry.path() != copy_of_a) fs::copy_file(copy_of_a, entry.path(), fs::copy_options::overwrite_existing);
  expect_copy(b, false, want);
}

// Nobody waits for a pipe that stands in the place of a copy.
TEST_F(Cache, APipeIsNoCopy) {
  const std::string path = file("a.mtx");
  const Matrix want = test::open(path);
  const std::string copy = only_copy();
  fs::remove(copy);
  ASSERT_EQ(::mkfifo(copy.c_str(), 0600), 0);
  bool from_copy = true;
  test::expect_same(*open(path, from_copy).csr, *want.csr);
  EXPECT_FALSE(from_copy);
}

TEST_F(Cache, NoFolderIsANoteNotAFailure) {
  const std::string path = file("a.mtx");
  ::setenv("XDG_CACHE_HOME", "/proc/no_such_place", 1);
  const Matrix m = test::open(path);
  ASSERT_FALSE(m.source.warnings.empty());
  EXPECT_TRUE(m.source.warnings.back().starts_with("No copy was kept for the next opening: "))
      << m.source.warnings.back();
}

TEST_F(Cache, TheCopyUsedLongestAgoMakesRoom) {
  const std::string a = file("a.mtx"), b = file("b.mtx"), c = file("c.mtx");
  const Matrix want = test::open(a);
  const std::uint64_t one = cache_usage().bytes;
  ::setenv("WARPSPY_CACHE_BYTES", std::to_string(2 * one + one / 2).c_str(), 1);
  settle();
  test::open(b);
  settle();
  bool from_copy = false;
  open(a, from_copy);  // now b is the older one
  EXPECT_TRUE(from_copy);
  settle();
  test::open(c);
  EXPECT_EQ(cache_usage().copies, 2u);
  open(a, from_copy);
  EXPECT_TRUE(from_copy);
  open(c, from_copy);
  EXPECT_TRUE(from_copy);
  open(b, from_copy);
  EXPECT_FALSE(from_copy);

  clear_cache();
  ::setenv("WARPSPY_CACHE_BYTES", std::to_string(one / 2).c_str(), 1);
  const Matrix m = test::open(a);
  EXPECT_EQ(cache_usage().copies, 0u);
  EXPECT_NE(m.source.warnings.back().find("No copy was kept"), std::string::npos) << m.source.warnings.back();
}

// Readers, writers and one who clears, all at the same copies.
TEST_F(Cache, ManyAtOnceAreRight) {
  const std::string path = file("a.mtx");
  const Matrix want = test::open(path);
  std::vector<std::thread> all;
  std::atomic<int> right{0};
  for (int t = 0; t < 4; ++t) {
    all.emplace_back([&, t] {
      for (int round = 0; round < 8; ++round) {
        if (t == 0) clear_cache();
        const Matrix m = test::open(path, 1);
        right += m.csr->nnz() == want.csr->nnz() && std::ranges::equal(m.csr->values(), want.csr->values()) &&
                 m.source.warnings == want.source.warnings;
      }
    });
  }
  for (auto& t : all) t.join();
  EXPECT_EQ(right, 32);
  for (const auto& entry : fs::directory_iterator(cache_folder())) EXPECT_EQ(entry.path().extension(), ".matrix");
}

TEST_F(Cache, ACancelledSaveLeavesNothing) {
  const std::string path = file("a.mtx");
  const Matrix m = test::open(path);
  clear_cache();
  Progress progress;
  progress.cancel();
  EXPECT_THROW(save_cache(*cache_key(path), m, progress), Cancelled);
  EXPECT_TRUE(fs::is_empty(cache_folder()));
}

TEST(Checksum, EveryChangeShows) {
  std::mt19937_64 random(9);
  for (const std::size_t size : {1, 7, 8, 63, 64, 65, 1000}) {
    std::string text(size, '\0');
    for (char& c : text) c = static_cast<char>(random());
    const auto sum = checksum(text.data(), size);
    for (std::size_t k = 0; k < size * 8; ++k) {
      text[k / 8] ^= static_cast<char>(1 << k % 8);
      EXPECT_NE(checksum(text.data(), size), sum);
      text[k / 8] ^= static_cast<char>(1 << k % 8);
    }
    EXPECT_NE(checksum(text.data(), size - 1), sum);
  }
  EXPECT_EQ(checksum(nullptr, 0), checksum("", 0)) << "an array without elements may lie nowhere";
}

}  // namespace
}  // namespace warpspy
