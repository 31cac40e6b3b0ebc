#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "core/io/io.hpp"
#include "core/io/matrix_market.hpp"

namespace warpspy::test {

inline Matrix open(const std::string& path, int threads = 0) {
  Progress progress;
  return open_matrix(path, progress, threads);
}

// Whether what a write puts beside `path` until it is done was left there.
inline bool part_left(const std::string& path) {
  namespace fs = std::filesystem;
  const std::string name = fs::path(path).filename().string();
  const fs::path folder = fs::path(path).parent_path();
  for (const auto& entry : fs::directory_iterator(folder.empty() ? fs::path(".") : folder))
    if (entry.path().extension() == ".part" && entry.path().filename().string().starts_with(name)) return true;
  return false;
}

// A source that holds its text, handed out in pieces of any size.
class TextSource final : public Source {
 public:
  explicit TextSource(std::string text, std::string name = "test.mtx")
      : Source(std::move(name)), text_(std::move(text)) {}
  std::size_t read(char* to, std::size_t most) override {
    const std::size_t n = text_.copy(to, most, at_);
    at_ += n;
    return n;
  }
  double fraction() const override { return 0; }

 private:
  std::string text_;
  std::size_t at_ = 0;
};

inline Matrix read_text(const std::string& text, std::uint64_t memory = UINT64_MAX) {
  TextSource source(text);
  Progress progress;
  return read_matrix_market(source, "test.mtx", {memory}, progress);
}

// Rows of a tab-separated file without its header; empty when there is no such file.
inline std::vector<std::vector<std::string>> table(const std::string& path) {
  std::vector<std::vector<std::string>> rows;
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::vector<std::string> row;
    std::stringstream cells(line);
    for (std::string cell; std::getline(cells, cell, '\t');) row.push_back(cell);
    if (!row.empty()) rows.push_back(row);
  }
  return rows;
}

inline void expect_same(const Csr& a, const Csr& b) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.cols(), b.cols());
  ASSERT_EQ(a.nnz(), b.nnz());
  EXPECT_TRUE(std::equal(a.row_ptr().begin(), a.row_ptr().end(), b.row_ptr().begin()));
  EXPECT_TRUE(std::equal(a.imag().begin(), a.imag().end(), b.imag().begin(), b.imag().end()));
  for (index_t k = 0; k < a.nnz(); ++k) {
    ASSERT_EQ(a.columns()[k], b.columns()[k]) << "entry " << k;
    ASSERT_EQ(a.values()[k], b.values()[k]) << "entry " << k;
  }
}

}  // namespace warpspy::test
