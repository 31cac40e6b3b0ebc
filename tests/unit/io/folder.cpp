// Folders of matrices: what is listed, what is opened, what is refused.
#include "core/io/folder.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/base/types.hpp"
#include "core/io/io.hpp"

namespace warpspy {
namespace {

namespace fs = std::filesystem;

class Folder : public ::testing::Test {
 protected:
  void SetUp() override {
    root = fs::path(::testing::TempDir()) / ("warpspy_folder_" + std::to_string(getpid()));
    fs::create_directories(root / "inner");
    put("b.mtx", "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 2\n");
    put("a.mtx", "this is none");
    put("edges.txt", "0 1\n1 2\n2 0\n");
    put("readme.txt", "Matrices of our group.\nAsk before you use them.\n");
    put("notes.md", "0 1\n");
    put(".hidden.mtx", "");
  }
  void TearDown() override { fs::remove_all(root); }
  void put(const std::string& name, const std::string& text) const { std::ofstream(root / name) << text; }
  std::string path(const std::string& name) const { return (root / name).string(); }

  fs::path root;
};

TEST_F(Folder, ListsFoldersThenWhatIsCalledLikeAMatrix) {
  std::vector<std::string> names;
  for (const FolderEntry& e : list_folder(root)) names.push_back(e.name + (e.is_folder ? "/" : ""));
  EXPECT_EQ(names, (std::vector<std::string>{"inner/", "a.mtx", "b.mtx", "edges.txt", "readme.txt"}));
  EXPECT_EQ(list_folder(root)[1].bytes, 12u);
}

TEST_F(Folder, StandsForItsMatricesByName) {
  // A broken file is one that was meant: it is opened and says why not. A text without edges is none.
  EXPECT_EQ(sources_of(root), (std::vector<std::string>{path("a.mtx"), path("b.mtx"), path("edges.txt")}));
  EXPECT_EQ(sources_of(path("b.mtx")), (std::vector<std::string>{path("b.mtx")}));
  EXPECT_EQ(sources_of("gen:laplace5"), (std::vector<std::string>{"gen:laplace5"}));
  EXPECT_EQ(sources_of(path("nothing")), (std::vector<std::string>{path("nothing")})) << "opening it tells";
}

TEST_F(Folder, RefusesOneWithoutMatrices) {
  try {
    sources_of(path("inner"));
    FAIL() << "taken";
  } catch (const Error& e) {
    EXPECT_EQ(e.where, path("inner"));
    EXPECT_NE(e.remedy.find("Matrix Market"), std::string::npos);
  }
  EXPECT_THROW(list_folder(path("nothing")), Error);
}

TEST_F(Folder, KnowsTheHome) {
  const char* home = std::getenv("HOME");
  ASSERT_NE(home, nullptr);
  EXPECT_EQ(with_home("~/x"), std::string(home) + "/x");
  EXPECT_EQ(with_home("~"), home);
  EXPECT_EQ(with_home("~x"), "~x");
  EXPECT_EQ(with_home("/~"), "/~");
}

TEST(Patterns, AreThoseOfTheReaders) {
  const auto patterns = matrix_patterns();
  for (const char* each : {"*.mtx", "*.rb", "*.npz", "*.gz", "*.txt"})
    EXPECT_NE(std::find(patterns.begin(), patterns.end(), each), patterns.end()) << each;
  const std::vector<std::string> packed = {"*.gz", "*.bz2", "*.xz", "*.zst"};  // what is in them decides
  for (const std::string& each : patterns)
    EXPECT_NE(has_matrix_name("a" + each.substr(1)), std::count(packed.begin(), packed.end(), each) == 1) << each;
}

}  // namespace
}  // namespace warpspy
