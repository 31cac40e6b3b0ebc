// What convert writes is read back: by info, and by SciPy where it is installed.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/formats/format.hpp"
#include "program.hpp"

namespace warpspy::testing {
namespace {

using nlohmann::json;

// 8 x 8, symmetric in pattern and values, so that every format takes it; blocks of 2 and 4 divide it.
constexpr const char* kMatrix = "'gen:laplace5?nx=4&ny=2'";

std::string python_with_scipy() {
  for (const char* python : {"python3", "/usr/bin/python3"})
    if (std::system((std::string(python) + " -c 'import scipy.sparse' 2>/dev/null").c_str()) == 0) return python;
  return {};
}

struct Written {
  std::string format, path;
};

class Convert : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = scratch("convert");
    written_.clear();
    std::filesystem::create_directories(folder_);
    // csr first: the others are compared with it.
    std::vector<std::string> ids = {"csr"};
    for (const FormatRow& row : formats())
      if (row.info.id != "csr" && !row.from_elements) ids.push_back(row.info.id);
    for (const std::string& id : ids) {
      const std::string path = folder_ + "/" + id + ".npz";
      const Ran r = warpspy(std::string("convert ") + kMatrix + " --precision f64 --to " + id + " -o '" + path + "'");
      EXPECT_EQ(r.code, 0) << id << ": " << r.err;
      if (r.code == 0) written_.push_back({id, path});
    }
    ASSERT_GT(written_.size(), 10u);
  }
  static void TearDownTestSuite() { std::filesystem::remove_all(folder_); }
  static inline std::string folder_;
  static inline std::vector<Written> written_;
};

TEST_F(Convert, EveryFormatIsReadBack) {
  const json matrix = json::parse(warpspy(std::string("info ") + kMatrix + " --json").out);
  for (const Written& w : written_) {
    const Ran r = warpspy("info '" + w.path + "' --json");
    ASSERT_EQ(r.code, 0) << w.format << ": " << r.err;
    const json back = json::parse(r.out);
    EXPECT_EQ(back.at("rows"), matrix.at("rows")) << w.format;
    EXPECT_EQ(back.at("cols"), matrix.at("cols")) << w.format;
    // SciPy has no way to say which zeros of a block are padding.
    if (w.format == "bsr")
      EXPECT_GE(back.at("nnz"), matrix.at("nnz"));
    else
      EXPECT_EQ(back.at("nnz"), matrix.at("nnz")) << w.format;
  }
}

constexpr const char* kScript = R"(
import sys
import numpy as np, scipy.sparse as sp
first = None
for path in sys.argv[1:]:
    a = sp.load_npz(path)
    first = a.toarray() if first is None else first
    name = path.split('/')[-1][:-4]
    assert np.array_equal(a.toarray(), first), path
    print(name, a.format, *sorted(np.load(path).files))
)";

TEST_F(Convert, EveryFormatIsReadBySciPy) {
  const std::string python = python_with_scipy();
  if (python.empty()) GTEST_SKIP() << "no SciPy";
  std::string command = python + " '" + folder_ + "/script.py'", out = folder_ + "/out";
  std::ofstream(folder_ + "/script.py") << kScript;
  for (const Written& w : written_) command += " '" + w.path + "'";
  ASSERT_EQ(std::system((command + " >'" + out + "' 2>&1").c_str()), 0) << content_of(out);
  const std::string said = content_of(out);
  for (const char* line : {"csr csr data format indices indptr shape\n", "csc csc data format indices indptr shape\n",
                           "coo coo col data format row shape\n", "bsr bsr data format indices indptr shape\n",
                           "dia dia data format offsets shape\n"})
    EXPECT_TRUE(has("\n" + said, std::string("\n") + line)) << said;
  EXPECT_TRUE(has(said, "ell csr columns data format indices indptr shape storage values\n")) << said;
}

// Blocks that stand out of the matrix are nothing that SciPy knows; a wide and a tall matrix have other diagonals.
TEST_F(Convert, ShapesThatDoNotDivideAreReadBackToo) {
  const std::string script = folder_ + "/odd.py", python = python_with_scipy();
  std::ofstream(script) << kScript;
  for (const char* size :
       {"5 9 5\n1 1 1\n1 9 2\n3 2 3\n5 1 4\n5 5 5\n", "9 5 5\n1 1 1\n9 1 2\n2 3 3\n1 5 4\n5 5 5\n"}) {
    const std::string matrix = folder_ + "/a.mtx";
    std::ofstream(matrix) << "%%MatrixMarket matrix coordinate real general\n" << size;
    std::string all;
    for (const char* id : {"csr", "bsr", "dia", "csc", "coo", "hyb"}) {
      const std::string path = folder_ + "/odd_" + id + ".npz";
      const Ran r = warpspy("convert '" + matrix + "' --to " + id + " -o '" + path + "'");
      ASSERT_EQ(r.code, 0) << r.err;
      EXPECT_EQ(json::parse(warpspy("info '" + path + "' --json").out).at("nnz"), 5) << id;
      all += " '" + path + "'";
    }
    if (python.empty()) continue;
    EXPECT_EQ(std::system((python + " '" + script + "'" + all + " >/dev/null").c_str()), 0);
  }
}

TEST_F(Convert, MuchPaddingIsSaid) {
  const std::string matrix = folder_ + "/arrow.mtx";
  std::ofstream file(matrix);
  file << "%%MatrixMarket matrix coordinate real symmetric\n300 300 599\n";
  for (int k = 1; k <= 300; ++k) file << k << " " << k << " 4\n";
  for (int k = 2; k <= 300; ++k) file << k << " 1 1\n";
  file.close();
  const Ran r = warpspy("convert '" + matrix + "' --to dia -o /dev/null");
  EXPECT_EQ(r.code, 0);
  EXPECT_TRUE(has(r.err, "warpspy: dia takes ")) << r.err;
  EXPECT_TRUE(has(r.err, "% is padding: ")) << r.err;
  EXPECT_FALSE(has(warpspy("convert '" + matrix + "' --to csr -o /dev/null").err, "padding"));
}

}  // namespace
}  // namespace warpspy::testing
