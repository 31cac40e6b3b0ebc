// Every file of tests/data: valid ones load to the recorded facts, invalid ones are refused with line and reason.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "open_helper.hpp"
#include "tests/paths.hpp"

namespace warpspy {
namespace {

using test::open;
using test::table;

const std::string kData = std::string(WARPSPY_SOURCE_DIR) + "/tests/data/";

// Every file of the folder is in the table: a forgotten row would test nothing.
void expect_complete(const std::string& folder, const std::vector<std::vector<std::string>>& rows) {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (name == "EXPECT.tsv") continue;
    EXPECT_TRUE(std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row[0] == name; }))
        << name << " is not in EXPECT.tsv";
  }
}

TEST(Data, ValidFilesHaveTheirFacts) {
  const auto rows = table(kData + "valid/EXPECT.tsv");
  ASSERT_FALSE(rows.empty());
  expect_complete(kData + "valid", rows);
  for (const auto& row : rows) {
    SCOPED_TRACE(row[0]);
    try {
      const Matrix m = open(kData + "valid/" + row[0]);
      const Csr& a = *m.csr;
      EXPECT_EQ(std::to_string(a.rows()), row.at(1));
      EXPECT_EQ(std::to_string(a.cols()), row.at(2));
      EXPECT_EQ(std::to_string(a.nnz()), row.at(3));
      EXPECT_EQ(std::to_string(m.source.entries_in_file), row.at(4));
      EXPECT_EQ(m.source.field, row.at(5));
      EXPECT_EQ(m.source.symmetry, row.at(6));
      EXPECT_EQ(std::to_string(m.source.duplicates), row.at(7));
      index_t zeros = 0;
      for (index_t k = 0; k < a.nnz(); ++k) zeros += a.values()[k] == 0 && (!a.is_complex() || a.imag()[k] == 0);
      EXPECT_EQ(std::to_string(zeros), row.at(8));
      std::string warnings;
      for (const auto& w : m.source.warnings) warnings += "\n" + w;
      EXPECT_EQ(std::to_string(m.source.warnings.size()), row.at(9)) << warnings;
      const double sum = std::accumulate(a.values().begin(), a.values().end(), 0.0) +
                         1000 * std::accumulate(a.imag().begin(), a.imag().end(), 0.0);
      EXPECT_DOUBLE_EQ(sum, std::strtod(row.at(10).c_str(), nullptr));
      EXPECT_EQ(m.source.name, stem_of(row[0]));
    } catch (const Error& e) {
      ADD_FAILURE() << e.what();
    }
  }
}

TEST(Data, InvalidFilesAreRefused) {
  const auto rows = table(kData + "invalid/EXPECT.tsv");
  ASSERT_FALSE(rows.empty());
  expect_complete(kData + "invalid", rows);
  for (const auto& row : rows) {
    SCOPED_TRACE(row[0]);
    const std::string path = kData + "invalid/" + row[0];
    try {
      open(path);
      ADD_FAILURE() << "was read";
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(row.at(2)), std::string::npos) << e.what();
      EXPECT_TRUE(e.where.starts_with(path)) << e.where;
      const std::string line = row.at(1) == "0" ? "" : ":" + row[1];
      EXPECT_TRUE(e.where.ends_with(line)) << e.where;
      EXPECT_FALSE(e.remedy.empty()) << "says what was expected: " << e.what();
      EXPECT_EQ(std::string(e.what()).find('\n'), std::string::npos) << "one line";
    }
  }
}

TEST(Data, MirroringFollowsTheSymmetry) {
  const auto value = [](const char* file, index_t i, index_t j) {
    const Matrix m = open(kData + "valid/" + file);
    const index_t k = m.csr->find(i, j);
    if (k < 0) return std::pair(NAN, NAN);
    return std::pair(static_cast<float>(m.csr->values()[k]),
                     m.csr->is_complex() ? static_cast<float>(m.csr->imag()[k]) : 0);
  };
  EXPECT_EQ(value("symmetric.mtx", 0, 1), std::pair(2.f, 0.f));
  EXPECT_EQ(value("symmetric_upper.mtx", 1, 0), std::pair(2.f, 0.f));
  EXPECT_EQ(value("symmetric_both_sides.mtx", 0, 1), std::pair(4.f, 0.f));
  EXPECT_EQ(value("symmetric_both_sides.mtx", 1, 0), std::pair(4.f, 0.f));
  EXPECT_EQ(value("skew.mtx", 0, 1), std::pair(-5.f, 0.f));
  EXPECT_EQ(value("skew_diagonal.mtx", 1, 1), std::pair(4.f, 0.f));
  EXPECT_EQ(value("hermitian.mtx", 0, 1), std::pair(1.f, -2.f));
  EXPECT_EQ(value("array_hermitian.mtx", 0, 1), std::pair(2.f, -3.f));
  EXPECT_EQ(value("array.mtx", 1, 0), std::pair(2.f, 0.f));
  EXPECT_EQ(value("array_symmetric.mtx", 1, 2), std::pair(5.f, 0.f));
  EXPECT_EQ(value("array_skew.mtx", 1, 2), std::pair(-3.f, 0.f));
}

TEST(Data, MissingFilesAndFolders) {
  for (const std::string& path : {kData + "nothing_here.mtx", kData, std::string()}) {
    try {
      open(path);
      ADD_FAILURE() << path;
    } catch (const Error& e) {
      EXPECT_NE(e.reason.find("cannot read"), std::string::npos) << e.what();
    }
  }
}

}  // namespace
}  // namespace warpspy
