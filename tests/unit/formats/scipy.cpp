// Cross-check with SciPy's own conversions of the same matrices. Skipped where Python or SciPy is absent.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/formats/dia.hpp"
#include "entries.hpp"

namespace warpspy {
namespace {

std::string python_with_scipy() {
  for (const char* python : {"python3", "/usr/bin/python3"})
    if (std::system((std::string(python) + " -c 'import scipy.sparse' 2>/dev/null").c_str()) == 0) return python;
  return {};
}

// Reads matrices of triplets, converts, prints every array as a line "name v v v".
constexpr const char* kScript = R"(
import sys, warnings
warnings.simplefilter('ignore')
import numpy as np, scipy.sparse as sp
def put(name, array):
    print(name, *[repr(float(v)) for v in np.asarray(array).ravel()])
for line in open(sys.argv[1]):
    words = line.split()
    rows, cols = int(words[0]), int(words[1])
    n = int(words[2])
    r = np.array(words[3:3 + n], int); c = np.array(words[3 + n:3 + 2 * n], int); v = np.array(words[3 + 2 * n:], float)
    a = sp.csr_matrix((v, (r, c)), shape=(rows, cols))
    m = a.tocoo(); put('coo.rows', m.row); put('coo.columns', m.col); put('coo.values', m.data)
    m = a.tocsc(); m.sort_indices()
    put('csc.col_ptr', m.indptr); put('csc.rows', m.indices); put('csc.values', m.data)
    m = a.todia(); put('dia.offsets', m.offsets)
    # SciPy's data has a place for every column, ours for every row.
    data = np.zeros((len(m.offsets), rows))
    for d, offset in enumerate(m.offsets):
        first, last = max(offset, 0), min(m.data.shape[1], cols, rows + offset)
        data[d, first - offset:last - offset] = m.data[d, first:last]
    put('dia.values', data)
    for r_, c_ in ((2, 2), (3, 1)):
        if rows % r_ or cols % c_: continue
        m = a.tobsr((r_, c_)); m.sort_indices(); k = 'bsr%d%d.' % (r_, c_)
        put(k + 'block_ptr', m.indptr); put(k + 'block_columns', m.indices); put(k + 'values', m.data)
    print('end')
)";

using Lines = std::vector<std::string>;

std::string line_of(const std::string& name, const std::vector<double>& values) {
  std::ostringstream line;
  line << name;
  for (double v : values) line << ' ' << v;
  return line.str();
}

// Numbers through one formatter, so that 1.0 and 1 are the same.
std::string normal(const std::string& line) {
  std::istringstream in(line);
  std::string name, word;
  in >> name;
  std::vector<double> values;
  while (in >> word) values.push_back(std::stod(word));
  return line_of(name, values);
}

void append_arrays(Lines& lines, const std::string& prefix, const Format& format, const Lines& names) {
  for (const std::string& name : names)
    for (const ArrayView& a : format.arrays())
      if (a.name == name) {
        std::vector<double> values;
        for (std::size_t k = 0; k < a.size(); ++k) values.push_back(a[k]);
        lines.push_back(line_of(prefix + name, values));
      }
}

Lines ours(const Csr& a) {
  Lines lines;
  const FormatFacts facts(a);
  const auto add = [&](const char* id, const std::string& prefix, const ParamSet& params, const Lines& names) {
    append_arrays(lines, prefix, *testing::built(format_row(id), facts, Precision::f64, params), names);
  };
  add("coo", "coo.", {}, {"rows", "columns", "values"});
  add("csc", "csc.", {}, {"col_ptr", "rows", "values"});
  add("dia", "dia.", {{"alignment", 1}}, {"offsets", "values"});
  for (const auto& [r, c] : {std::pair{2, 2}, {3, 1}})
    if (a.rows() % r == 0 && a.cols() % c == 0)
      add("bsr", "bsr" + std::to_string(r) + std::to_string(c) + ".", {{"block_rows", r}, {"block_cols", c}},
          {"block_ptr", "block_columns", "values"});
  return lines;
}

TEST(SciPy, ArraysAreTheSame) {
  const std::string python = python_with_scipy();
  if (python.empty()) GTEST_SKIP() << "no SciPy";
  const auto base = std::filesystem::temp_directory_path() / ("warpspy_scipy_" + std::to_string(::getpid()));
  std::filesystem::create_directory(base);
  std::vector<testing::Shape> shapes;
  for (testing::Shape& s : testing::format_shapes())
    if (s.matrix.rows() > 0 && s.matrix.cols() > 0 && s.matrix.nnz() > 0 && s.name != "wide" && s.name != "tall" &&
        s.name != "one_dense_row")
      shapes.push_back(std::move(s));
  {
    std::ofstream in(base / "matrices"), script(base / "script.py");
    script << kScript;
    for (const testing::Shape& s : shapes) {
      in << s.matrix.rows() << ' ' << s.matrix.cols() << ' ' << s.matrix.nnz();
      const auto entries = testing::entries_of(s.matrix);
      for (const auto& e : entries) in << ' ' << std::get<0>(e);
      for (const auto& e : entries) in << ' ' << std::get<1>(e);
      in.precision(17);
      for (const auto& e : entries) in << ' ' << std::get<2>(e);
      in << '\n';
    }
  }
  const std::string command = python + " " + (base / "script.py").string() + " " + (base / "matrices").string() +
                              " > " + (base / "out").string();
  ASSERT_EQ(std::system(command.c_str()), 0);
  std::ifstream out(base / "out");
  for (const testing::Shape& s : shapes) {
    Lines theirs;
    std::string line;
    while (std::getline(out, line) && line != "end") theirs.push_back(normal(line));
    const Lines mine = ours(s.matrix);
    ASSERT_EQ(theirs.size(), mine.size()) << s.name;
    for (std::size_t i = 0; i < mine.size(); ++i)
      EXPECT_TRUE(mine[i] == theirs[i]) << s.name << ": " << mine[i].substr(0, 80) << " / " << theirs[i].substr(0, 80);
  }
  std::filesystem::remove_all(base);
}

}  // namespace
}  // namespace warpspy
