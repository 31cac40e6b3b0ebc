// Real matrices with their facts, and two peers' own reader tests. Skipped where the folder is absent.
#include <algorithm>
#include <cctype>
#include <map>

#include "open_helper.hpp"
#include "tests/shared.hpp"

namespace warpspy {
namespace {

using test::open;
using test::table;

const std::string& kMatrices = test::kSharedMatrices;

// The value of (i, j), 0 where nothing is stored.
std::pair<double, double> at(const Csr& a, index_t i, index_t j) {
  const index_t k = a.find(i, j);
  if (k < 0) return {0, 0};
  return {a.values()[k], a.is_complex() ? a.imag()[k] : 0};
}

// "rua", the type of a Boeing file, in the words of Matrix Market: "real general"; empty for unassembled elements.
std::string kind_of(std::string type) {
  if (type.size() != 3) return type;
  std::transform(type.begin(), type.end(), type.begin(), [](unsigned char c) { return std::tolower(c); });
  const std::map<char, std::string> fields = {{'r', "real"}, {'c', "complex"}, {'i', "integer"}, {'p', "pattern"}};
  const std::map<char, std::string> symmetries = {
      {'u', "general"}, {'r', "general"}, {'s', "symmetric"}, {'h', "hermitian"}, {'z', "skew-symmetric"}};
  return type[2] == 'e' ? "" : fields.at(type[0]) + " " + symmetries.at(type[1]);
}

TEST(SharedMatrices, HaveTheirFacts) {
  const auto facts = table(kMatrices + "FACTS.tsv");
  if (facts.empty()) GTEST_SKIP() << test::needs_shared(kMatrices);
  int read = 0, refused = 0;
  for (const auto& row : facts) {
    const std::string& file = row.at(0);
    SCOPED_TRACE(file);
    const std::string kind = kind_of(row.at(4));
    if (kind.empty()) {
      try {
        open(kMatrices + file);
        ADD_FAILURE() << "was not refused";
      } catch (const Error& e) {
        EXPECT_NE(e.reason.find("unassembled finite-element matrices"), std::string::npos) << e.what();
        EXPECT_TRUE(e.where.ends_with(":3")) << e.where;
        ++refused;
      }
      continue;
    }
    try {
      const Matrix m = open(kMatrices + file);
      EXPECT_EQ(std::to_string(m.csr->rows()), row.at(1));
      EXPECT_EQ(std::to_string(m.csr->cols()), row.at(2));
      EXPECT_EQ(std::to_string(m.source.entries_in_file), row.at(3));
      const bool array = kind.starts_with("array ");
      EXPECT_EQ((array ? "array " : "") + m.source.field + " " + m.source.symmetry, kind);
      EXPECT_EQ(m.csr->is_complex(), m.source.field == "complex");
      if (m.source.symmetry == "general") {
        EXPECT_EQ(m.csr->nnz() + m.source.duplicates, m.source.entries_in_file);
      }
      if (row.size() > 6 && row[6].starts_with("upper entries ")) {
        EXPECT_TRUE(std::any_of(m.source.warnings.begin(), m.source.warnings.end(), [&](const std::string& w) {
          return w.starts_with(row[6].substr(14) + " entries") && w.find("above the diagonal") != std::string::npos;
        }));
      }
      ++read;
    } catch (const Error& e) {
      ADD_FAILURE() << e.what();
    }
  }
  EXPECT_GT(read, 230);
  EXPECT_EQ(refused, 1);
}

// Where this reader and a peer differ, and why.
struct Difference {
  const char* part;  // of the path
  bool accepted;
  const char* why;
};
constexpr Difference kDifferences[] = {
    {"/long_double/", false, "values are doubles here: 1E310 does not fit, and infinity would be wrong"},
    {"/vector_", false, "a vector is no matrix: the issue asks to refuse it"},
    // 2^40 rows with 3 entries: a list of triplets holds it, but row pointers take 8.8 TB. Refused for memory.
    {"/dim_over_32_bit", false, "needs 8.8 TB of row pointers"},
    // "Rejected when the target type is too small": our indices and integers have 64 bits, so these two fit.
    {"overflow_index_gt_int8", true, "300 fits in 64 bits"},
    {"overflow_value_gt_int32", true, "8589934592 fits in 64 bits and in a double"},
};

TEST(SharedMatrices, AgreeWithThePeers) {
  const auto expect = table(kMatrices + "peer-tests/EXPECT.tsv");
  if (expect.empty()) GTEST_SKIP() << test::needs_shared(kMatrices + "peer-tests");
  for (const auto& row : expect) {
    SCOPED_TRACE(row[0]);
    bool accepted = row.at(1).starts_with("accept") || row.at(1).starts_with("peer accepts");
    for (const auto& d : kDifferences)
      if (row[0].find(d.part) != std::string::npos) accepted = d.accepted;
    try {
      open(kMatrices + "peer-tests/" + row[0]);
      EXPECT_TRUE(accepted) << "was read, but " << row.at(2);
    } catch (const Error& e) {
      EXPECT_FALSE(accepted) << e.what();
      EXPECT_NE(e.where, "");
      EXPECT_NE(e.remedy, "") << e.what();
    }
  }
}

// Files that were damaged, or that harmed a reader once: the answer is the one that the table says, and it is one line.
TEST(SharedMatrices, DamagedFilesHaveTheirAnswer) {
  const auto expect = table(kMatrices + "damaged/EXPECT.tsv");
  if (expect.empty()) GTEST_SKIP() << test::needs_shared(kMatrices + "damaged");
  for (const auto& row : expect) {
    if (row[0].ends_with(".mat")) continue;  // matlab.cpp
    SCOPED_TRACE(row[0]);
    try {
      open(kMatrices + "damaged/" + row[0]);
      EXPECT_EQ(row.at(1), "accept") << "was read, but " << row.at(2);
    } catch (const Error& e) {
      EXPECT_EQ(row.at(1), "reject") << e.what();
      EXPECT_EQ(std::string(e.what()).find('\n'), std::string::npos) << "one line";
    }
  }
}

// A peer ships symmetric files beside the same matrix written in full.
TEST(SharedMatrices, MirroringEqualsTheFullMatrix) {
  const std::string folder = kMatrices + "peer-tests/alugowski__fast_matrix_market/";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << test::needs_shared(folder);
  int pairs = 0;
  for (const char* sub : {"symmetry", "symmetry_array"}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder + sub)) {
      const std::string path = entry.path();
      const std::string full = path.substr(0, path.size() - 4) + "_general.mtx";
      if (!std::filesystem::exists(full)) continue;  // this is the full one itself
      SCOPED_TRACE(path);
      const Matrix a = open(path), b = open(full);
      ASSERT_EQ(a.csr->rows(), b.csr->rows());
      ASSERT_EQ(a.csr->cols(), b.csr->cols());
      // By value, not by what is stored: the full array also stores the zero diagonal of a skew-symmetric matrix.
      for (index_t i = 0; i < a.csr->rows(); ++i)
        for (index_t j = 0; j < a.csr->cols(); ++j) EXPECT_EQ(at(*a.csr, i, j), at(*b.csr, i, j)) << i << ", " << j;
      ++pairs;
    }
  }
  EXPECT_GE(pairs, 8);
}

}  // namespace
}  // namespace warpspy
