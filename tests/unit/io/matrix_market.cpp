// Properties of the reader and the writer.
#include <rapidcheck.h>
#include <sys/stat.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <random>
#include <thread>
#include <type_traits>

#include "open_helper.hpp"
#include "tests/paths.hpp"

namespace warpspy {
namespace {

using test::read_text;
using test::TextSource;

const std::string kBanner = "%%MatrixMarket matrix coordinate real general\n";

std::string temporary(const std::string& name) {
  return ::testing::TempDir() + "warpspy_" + std::to_string(::getpid()) + "_" + name;
}

// Any double that is not NaN, by its bits: subnormals, huge and tiny ones alike.
rc::Gen<double> any_double() {
  return rc::gen::map(rc::gen::arbitrary<std::uint64_t>(), [](std::uint64_t bits) {
    const double v = std::bit_cast<double>(bits * 0x9E3779B97F4A7C15u);
    return std::isnan(v) ? 1.0 : v;
  });
}

Coo random_coo(bool complex) {
  Coo coo;
  coo.rows = *rc::gen::inRange<index_t>(1, 30);
  coo.cols = *rc::gen::inRange<index_t>(1, 30);
  const auto n = *rc::gen::inRange<std::size_t>(0, 80);
  coo.row = Indices::sized(coo.rows, n);
  coo.col = Indices::sized(coo.cols, n);
  const auto fill = [&](Indices& to, index_t limit) {
    to.visit_mut([&](auto span) {
      for (auto& x : span) x = static_cast<std::remove_reference_t<decltype(x)>>(*rc::gen::inRange<index_t>(0, limit));
    });
  };
  fill(coo.row, coo.rows);
  fill(coo.col, coo.cols);
  for (std::size_t k = 0; k < n; ++k) {
    coo.values.push_back(*any_double());
    if (complex) coo.imag.push_back(*any_double());
  }
  return coo;
}

bool same_bits(std::span<const double> a, std::span<const double> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y) || (std::isnan(x) && std::isnan(y));
  });
}

TEST(MatrixMarket, WriteThenReadIsTheSame) {
  const std::string path = temporary("round.mtx");
  EXPECT_TRUE(rc::check([&] {
    const Csr a = csr_from_coo(random_coo(*rc::gen::arbitrary<bool>()));
    write_matrix_market(a, path, {.comment = "two lines\nof comment"});
    const Matrix m = test::open(path);
    RC_ASSERT(m.csr->rows() == a.rows());
    RC_ASSERT(m.csr->cols() == a.cols());
    RC_ASSERT(m.csr->nnz() == a.nnz());
    RC_ASSERT(m.csr->is_complex() == (a.is_complex() && a.nnz() > 0));
    RC_ASSERT(same_bits(m.csr->values(), a.values()));
    RC_ASSERT(same_bits(m.csr->imag(), a.imag()));
    for (index_t k = 0; k < a.nnz(); ++k) RC_ASSERT(m.csr->columns()[k] == a.columns()[k]);
    RC_ASSERT(std::equal(a.row_ptr().begin(), a.row_ptr().end(), m.csr->row_ptr().begin()));
  }));
  std::remove(path.c_str());
}

// Field and symmetry stay where the values allow it, and the matrix is the same to the bit.
TEST(MatrixMarket, WritesBackWhatTheFileWas) {
  const std::string path = temporary("back.mtx"), folder = std::string(WARPSPY_SOURCE_DIR) + "/tests/data/valid/";
  int kept = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().filename() == "EXPECT.tsv") continue;
    SCOPED_TRACE(entry.path());
    const Matrix m = test::open(entry.path());
    const WriteOptions options = options_like(m);
    write_matrix_market(*m.csr, path, options);
    const Matrix again = test::open(path);
    ASSERT_EQ(again.csr->nnz(), m.csr->nnz());
    EXPECT_TRUE(same_bits(again.csr->values(), m.csr->values()));
    EXPECT_TRUE(same_bits(again.csr->imag(), m.csr->imag()));
    test::expect_same(*again.csr, *m.csr);
    EXPECT_EQ(again.source.field, options.field);
    EXPECT_EQ(again.source.symmetry, options.symmetry);
    const bool same = options.field == m.source.field && options.symmetry == m.source.symmetry;
    // Not: an empty complex matrix (no values say so), and integers beyond 64 bits with sign.
    EXPECT_TRUE(same || m.csr->nnz() == 0 || m.source.field != options.field) << options.field << options.symmetry;
    kept += same;
  }
  EXPECT_GT(kept, 60);
  std::remove(path.c_str());
}

TEST(MatrixMarket, SymmetryIsNotClaimedInVain) {
  Matrix m = read_text("%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 1\n1 2 3\n2 1 3\n");
  m.source.symmetry = "symmetric";
  EXPECT_EQ(options_like(m).symmetry, "symmetric");
  m.source.symmetry = "skew-symmetric";
  EXPECT_EQ(options_like(m).symmetry, "general");
  m = read_text("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n1 2 3\n");
  m.source.symmetry = "symmetric";
  m.source.field = "pattern";
  EXPECT_EQ(options_like(m).symmetry, "general") << "an entry without a mirror";
  EXPECT_EQ(options_like(m).field, "real") << "values other than 1";
  m = read_text("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 -0.0\n");
  m.source.field = "integer";
  EXPECT_EQ(options_like(m).field, "real") << "a negative zero";
}

TEST(MatrixMarket, WriterFailsCleanly) {
  const Csr a = csr_from_coo({.rows = 1, .cols = 1, .row = {}, .col = {}, .values = {}, .imag = {}});
  EXPECT_THROW(write_matrix_market(a, "/no/such/folder/a.mtx"), Error);
}

TEST(MatrixMarket, CancelledWriteLeavesTheOldFile) {
  const std::string path = temporary("kept.mtx");
  Progress progress;
  const Csr a = csr_from_coo({.rows = 1,
                              .cols = 1,
                              .row = Indices(std::vector<std::int32_t>{0}),
                              .col = Indices(std::vector<std::int32_t>{0}),
                              .values = {42},
                              .imag = {}});
  write_matrix_market(a, path, {}, &progress);
  EXPECT_EQ(progress.fraction(), 1);
  progress.cancel();
  EXPECT_THROW(write_matrix_market(a, path, {}, &progress), Cancelled);
  EXPECT_EQ(test::open(path).csr->values()[0], 42);
  EXPECT_FALSE(test::part_left(path));
  std::remove(path.c_str());
}

// A file of many chunks, with comments and blank lines between the entries.
std::string untidy_text(int entries, const std::string& symmetry = "general", int rows = 500) {
  std::mt19937 random(11);
  std::string text = "%%MatrixMarket matrix coordinate real " + symmetry + "\n% head\n\n" + std::to_string(rows) + " " +
                     std::to_string(rows) + " " + std::to_string(entries) + "\n";
  for (int k = 0; k < entries; ++k) {
    if (random() % 50 == 0) text += "  % between\n";
    if (random() % 50 == 0) text += " \t\r\n";
    const auto i = 1 + random() % static_cast<unsigned>(rows), j = 1 + random() % static_cast<unsigned>(rows);
    text += std::to_string(i) + " " + std::to_string(j) + " " + std::to_string(random()) + "e-" +
            std::to_string(random() % 12) + "\n";
  }
  return text;
}

MmEntries entries_of(const std::string& text, std::size_t chunk_bytes, int threads) {
  TextSource source(text);
  Progress progress;
  // More threads than the machine has cores, where a test asks for them.
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 8);
  return tbb::task_arena(threads).execute([&] {
    TextStream stream(source, chunk_bytes);
    const MmHeader header = read_mm_header(stream);
    return read_mm_entries(stream, header, {UINT64_MAX}, progress);
  });
}

TEST(MatrixMarket, ChunksAndThreadsDoNotShow) {
  for (const char* symmetry : {"general", "symmetric", "skew-symmetric"}) {
    const std::string text = untidy_text(5000, symmetry);
    const MmEntries whole = entries_of(text, text.size() + 1, 1);
    const Csr want = csr_from_coo(whole.coo);
    for (const std::size_t chunk : {7, 64, 1000, 65536}) {
      for (const int threads : {1, 2, 5}) {
        SCOPED_TRACE(std::to_string(chunk) + " bytes, " + std::to_string(threads) + " threads");
        MmEntries got = entries_of(text, chunk, threads);
        EXPECT_EQ(got.warnings, whole.warnings);
        EXPECT_TRUE(same_bits(got.coo.values, whole.coo.values));
        test::expect_same(csr_from_coo(std::move(got.coo)), want);
      }
    }
  }
}

// The first bad line is the one that is reported, whatever the chunks and whoever parses them first.
TEST(MatrixMarket, ErrorLinesAreRightInEveryChunk) {
  const std::string text = untidy_text(3000);
  EXPECT_TRUE(rc::check([&] {
    // Break one data line behind the size line, and one more somewhere behind it.
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    const auto data_line = [&](std::size_t from) {
      auto at = *rc::gen::inRange<std::size_t>(from, lines.size() - 1);
      while (at < lines.size() - 1 &&
             (lines[at].find('%') != std::string::npos || lines[at].find_first_not_of(" \t\r") == std::string::npos))
        ++at;
      return at;
    };
    const std::size_t first = data_line(4);
    lines[first] = "1 1 oops";
    lines[data_line(first + 1 < lines.size() - 1 ? first + 1 : first)] = "1 1 oops";
    std::string broken;
    for (const auto& line : lines) broken += line + "\n";
    const auto chunk = *rc::gen::element<std::size_t>(16, 100, 5000, 1 << 20);
    const auto threads = *rc::gen::inRange(1, 5);
    try {
      entries_of(broken, chunk, threads);
      RC_FAIL("was read");
    } catch (const Error& e) {
      RC_ASSERT(e.where == "test.mtx:" + std::to_string(first + 1));
      RC_ASSERT(e.reason == "value 'oops' is not a number");
    }
  }));
}

// Whatever the bytes, the reader answers or refuses: it neither crashes nor hangs.
TEST(MatrixMarket, SurvivesMutations) {
  const std::string text = untidy_text(40, "symmetric", 9);
  const std::string array = "%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n2 3\n4 0\n";
  EXPECT_TRUE(rc::check([&] {
    std::string mutant = *rc::gen::element(text, array);
    const auto changes = *rc::gen::inRange(1, 8);
    for (int k = 0; k < changes; ++k) {
      const auto at = *rc::gen::inRange<std::size_t>(0, mutant.size());
      const auto what = *rc::gen::inRange(0, 3);
      if (what == 0) mutant[at] = *rc::gen::arbitrary<char>();
      if (what == 1) mutant.erase(at, *rc::gen::inRange<std::size_t>(1, 30));
      if (what == 2)
        mutant.insert(at, *rc::gen::element<std::string>("\n", " ", "0", "-", "%", "9999999999", "\r", "e"));
      if (mutant.empty()) mutant = "%";
    }
    try {
      const Matrix m = read_text(mutant, 1 << 20);
      RC_ASSERT(m.csr->nnz() >= 0);
    } catch (const Error& e) {
      RC_ASSERT(!e.reason.empty());
    }
  }));
}

TEST(MatrixMarket, MemoryIsCheckedFirst) {
  // 1e6 entries: 16 bytes, held twice, and 11 row pointers.
  const std::string header = kBanner + "10 10 1000000\n1 1 1\n";
  try {
    read_text(header, 32 * 1000000 + 87);
    FAIL() << "was not refused";
  } catch (const Error& e) {
    EXPECT_EQ(e.where, "test.mtx:2");
    EXPECT_NE(e.reason.find("needs 32.0 MB of memory, but 32.0 MB are free"), std::string::npos) << e.what();
  }
  try {
    read_text(header, 32 * 1000000 + 88);
    FAIL() << "was not refused";
  } catch (const Error& e) {
    EXPECT_NE(e.reason.find("ends after 1 of 1000000"), std::string::npos) << e.what();
  }
}

// The estimate may be wrong: an allocation that fails is an error like any other.
TEST(MatrixMarket, FailedAllocationIsAnError) {
#if WARPSPY_SANITIZED
  GTEST_SKIP() << "the sanitizer's allocator aborts instead of failing";
#endif
  try {
    read_text(kBanner + "10 10 100000000000000000\n1 1 1\n", UINT64_MAX);
    FAIL() << "was not refused";
  } catch (const Error& e) {
    EXPECT_NE(e.reason.find("memory ran out"), std::string::npos) << e.what();
  }
}

TEST(MatrixMarket, CanBeCancelled) {
  TextSource source(untidy_text(1000));
  Progress progress;
  progress.cancel();
  EXPECT_THROW(read_matrix_market(source, "test.mtx", {UINT64_MAX}, progress), Cancelled);
}

// Cancelled from elsewhere while the pipeline runs.
TEST(MatrixMarket, CanBeCancelledUnderWay) {
  class Endless final : public Source {
   public:
    explicit Endless(Progress& progress) : Source("endless.mtx"), progress_(progress) {}
    std::size_t read(char* to, std::size_t most) override {
      if (++calls_ == 5) progress_.cancel();
      static const std::string head = kBanner + "10 10 100000000\n", line = "1 1 1\n";
      for (std::size_t k = 0; k < most; ++k, ++at_)
        to[k] = at_ < head.size() ? head[at_] : line[(at_ - head.size()) % line.size()];
      return most;
    }
    double fraction() const override { return 0.5; }

   private:
    Progress& progress_;
    std::size_t at_ = 0;
    int calls_ = 0;
  };
  Progress progress;
  Endless source(progress);
  EXPECT_THROW(read_matrix_market(source, "endless.mtx", {UINT64_MAX}, progress), Cancelled);
  EXPECT_EQ(progress.fraction(), 0.5);
}

TEST(MatrixMarket, ReportsProgress) {
  const std::string path = temporary("progress.mtx");
  std::ofstream(path) << untidy_text(1000);
  Progress progress;
  open_matrix(path, progress);
  EXPECT_EQ(progress.fraction(), 1);
  EXPECT_NE(progress.stage(), "");
  std::remove(path.c_str());
}

TEST(MatrixMarket, ReadsFromAPipe) {
  const std::string path = temporary("pipe.mtx");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(path) << kBanner << "1 1 1\n1 1 5\n"; });
  const Matrix m = test::open(path);
  writer.join();
  EXPECT_EQ(m.csr->values()[0], 5);
  std::remove(path.c_str());
}

TEST(MatrixMarket, LinesWithoutEndAreRefused) {
  const std::string text = kBanner + "1 1 1\n" + std::string(20 << 20, '1');
  EXPECT_THROW(read_text(text), Error);
}

TEST(OpenMatrix, TakesGeneratorsToo) {
  const Matrix m = test::open("gen:laplace5?nx=10&ny=10");
  EXPECT_EQ(m.csr->rows(), 100);
}

}  // namespace
}  // namespace warpspy
