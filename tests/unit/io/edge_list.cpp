// Lists of edges: what is found out, what is told, what the user says; and the same edges in any number of chunks.
#include "core/io/edge_list.hpp"

#include <rapidcheck.h>
#include <unistd.h>

#include "open_helper.hpp"

namespace warpspy {
namespace {

Matrix read(const std::string& text, const ReadOptions& options = {}, std::uint64_t memory = UINT64_MAX) {
  test::TextSource source(text, "list.el");
  Progress progress;
  return read_edges(source, "list.el", {memory, options}, progress);
}

bool tells(const Matrix& m, const std::string& part) {
  return std::any_of(m.source.warnings.begin(), m.source.warnings.end(),
                     [&](const std::string& w) { return w.find(part) != std::string::npos; });
}

TEST(EdgeLists, TellWhatWasFoundOut) {
  const Matrix zero = read("0 1\n2 0\n"), one = read("1,2,0.5\n2,3,1\n");
  EXPECT_TRUE(tells(zero, "counted from 0, because vertex 0 occurs"));
  EXPECT_TRUE(tells(zero, "separated by blanks"));
  EXPECT_TRUE(tells(zero, "each line is one entry"));
  EXPECT_TRUE(tells(one, "counted from 1, because no vertex 0 occurs"));
  EXPECT_TRUE(tells(one, "separated by commas"));
  EXPECT_TRUE(tells(one, "with weights"));
  EXPECT_EQ(one.csr->rows(), 3);
  EXPECT_EQ(one.csr->values()[one.csr->find(0, 1)], 0.5);
  EXPECT_TRUE(tells(read("# Nodes: 3 Edges: 3\n0 1\n1 2\n"), "promise 3 edges, but there are 2"));
  EXPECT_TRUE(tells(read("# Directed graph\n0 1\n"), "; directed"));
}

TEST(EdgeLists, TheUserMaySay) {
  const std::string text = "1 2 7\n2 3 8\n";
  ReadOptions o;
  o.base = 0;
  EXPECT_EQ(read(text, o).csr->rows(), 4);
  o = {};
  o.undirected = true;
  const Matrix both = read(text, o);
  EXPECT_EQ(both.csr->nnz(), 4);
  EXPECT_EQ(both.csr->values()[both.csr->find(2, 1)], 8);
  EXPECT_EQ(both.source.symmetry, "symmetric");
  o = {};
  o.weights = false;
  EXPECT_EQ(read(text, o).csr->values()[0], 1);
  o = {};
  o.bipartite = true;
  EXPECT_EQ(read(text, o).csr->cols(), 3);
  EXPECT_EQ(read(text, o).csr->rows(), 2);
  o = {};
  o.undirected = false;
  EXPECT_EQ(read("# Undirected graph\n0 1\n", o).csr->nnz(), 1) << "the user knows better than the comments";
  o = {};
  o.base = 1;
  EXPECT_THROW(read("0 1\n", o), Error);
  o = {};
  o.weights = true;
  EXPECT_THROW(read("0 1\n", o), Error);
}

// An edge that stands both ways is not doubled.
TEST(EdgeLists, MirroringLeavesPairsAlone) {
  const Matrix all = read("# Undirected graph\n0 1\n1 0\n2 2\n"), some = read("# Undirected graph\n0 1\n1 0\n0 2\n");
  EXPECT_EQ(all.csr->nnz(), 3);
  EXPECT_TRUE(tells(all, "stands both ways already"));
  EXPECT_EQ(some.csr->nnz(), 4);
  for (const double v : some.csr->values()) EXPECT_EQ(v, 1);
}

TEST(EdgeLists, WhatDoesNotFitIsRefused) {
  EXPECT_THROW(read("0 1\n0 123456789012\n", {}, std::uint64_t{1} << 39), Error) << "row pointers of 1 TB";
  std::string many;
  for (int k = 0; k < 100000; ++k) many += std::to_string(k % 100) + " " + std::to_string(k % 77) + "\n";
  try {
    read(many, {}, 100000);
    ADD_FAILURE() << "was read";
  } catch (const Error& e) {
    EXPECT_NE(e.reason.find("of memory"), std::string::npos) << e.what();
  }
}

// Against the edges themselves: separators, comments, blank lines, weights, more than one chunk.
TEST(EdgeLists, ReadBackWhatWasWritten) {
  rc::check("edges survive", [] {
    const int n = *rc::gen::inRange(2, 60), count = *rc::gen::inRange(1, 400), base = *rc::gen::inRange(0, 2);
    const bool weights = *rc::gen::arbitrary<bool>();
    const std::string separator = *rc::gen::element<std::string>(" ", "\t", ",", " ; ", ", ");
    Coo coo;
    coo.rows = coo.cols = n;
    std::vector<std::int32_t> row, col;
    std::string text;
    const auto add = [&](int i, int j, double v) {
      row.push_back(i), col.push_back(j), coo.values.push_back(v);
      text += std::to_string(i + base) + separator + std::to_string(j + base);
      if (weights) text += separator + std::to_string(v);
      text += "\n";
    };
    add(0, n - 1, 1);  // so that the base and the size show
    for (int k = 1; k < count; ++k) {
      if (*rc::gen::inRange(0, 10) == 0) text += *rc::gen::element<std::string>("# c\n", "% c\n", "\n", "  \n");
      add(*rc::gen::inRange(0, n), *rc::gen::inRange(0, n), weights ? *rc::gen::inRange(-9, 9) / 4.0 : 1);
    }
    coo.row = Indices(row), coo.col = Indices(col);
    test::expect_same(*read(text).csr, csr_from_coo(coo));
  });
}

// More text than one chunk holds, and the line of an error in the last.
TEST(EdgeLists, ManyChunks) {
  std::string text;
  for (int k = 0; k < 200000; ++k) text += std::to_string(k) + "\t" + std::to_string((k * 7919LL) % 200000) + "\n";
  const Matrix m = read(text);
  EXPECT_EQ(m.csr->nnz(), 200000);
  EXPECT_EQ(m.csr->rows(), 200000);
  EXPECT_GE(m.csr->find(199999, (199999 * 7919LL) % 200000), 0);
  try {
    read(text + "1 2 3\n");
    ADD_FAILURE();
  } catch (const Error& e) {
    EXPECT_EQ(e.where, "list.el:200001");
  }
}

TEST(EdgeLists, ByNameAndByWord) {
  const std::string path = ::testing::TempDir() + "warpspy_list_" + std::to_string(::getpid()) + ".dat";
  std::ofstream(path) << "0 1\n1 2\n";
  EXPECT_THROW(test::open(path), Error) << "numbers alone could be anything";
  const Matrix m = test::open(path + "?format=edges&undirected=1");
  EXPECT_EQ(m.csr->nnz(), 4);
  EXPECT_EQ(m.source.location, path + "?format=edges&undirected=1") << "a run can be repeated";
  EXPECT_EQ(m.source.name, stem_of(path));
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace warpspy
