// fetch: out of a folder that plays the collection, so that no network is needed.
#include <filesystem>
#include <fstream>
#include <string>

#include "core/collection/http.hpp"
#include "program.hpp"
#include "tests/unit/collection/server.hpp"

namespace warpspy {
namespace {

namespace fs = std::filesystem;
using testing::has;
using testing::Ran;
using testing::scratch;
using testing::warpspy;

class FetchCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(root + "/MM/Williams");
    fs::create_directories(root + "/files");
    std::ofstream(root + "/files/ssstats.csv") << small_index();
    std::ofstream(root + "/MM/Williams/cant.tar.gz", std::ios::binary) << packed_matrix("cant", 12);
  }
  void TearDown() override { fs::remove_all(root); }
  // WARPSPY_COLLECTION is the folder, unless `from` says otherwise; what is fetched goes below it.
  Ran fetch(const std::string& args, const std::string& from = "") const {
    return warpspy(args, "WARPSPY_RUNS=off http_proxy= all_proxy= XDG_CACHE_HOME='" + root +
                             "/cache' WARPSPY_COLLECTION='" + (from.empty() ? root : from) + "'");
  }
  const std::string root = scratch("collection");
};

TEST_F(FetchCommand, SaysWhereTheFileIs) {
  const Ran r = fetch("fetch cant");
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(r.out, root + "/MM/Williams/cant.tar.gz\n");
  EXPECT_TRUE(has(fetch("info collection:Williams/cant").out, "12"));
  EXPECT_TRUE(has(fetch("fetch cant --json").out, "\"name\": \"Williams/cant\""));
}

TEST_F(FetchCommand, ListsWithSizes) {
  const Ran r = fetch("fetch --list bus");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(has(r.out, "HB/1138_bus")) << r.out;
  EXPECT_TRUE(has(r.out, "4 054")) << r.out;
  EXPECT_FALSE(has(r.out, "cant"));
  EXPECT_TRUE(has(fetch("fetch --list").out, "Williams/cant"));
}

TEST_F(FetchCommand, RefusesWithCandidates) {
  EXPECT_TRUE(has(fetch("fetch same").err, "say which: Twin/same, Other/same"));
  EXPECT_TRUE(has(fetch("fetch catn").err, "it has Williams/cant"));
  EXPECT_TRUE(has(fetch("fetch HB/1138_bus").err, "has no HB/1138_bus"));
  EXPECT_TRUE(has(fetch("fetch").err, "no matrix is named"));
  EXPECT_TRUE(has(fetch("fetch ../../etc").err, "no name of the collection"));
}

TEST_F(FetchCommand, OverHttpIntoTheCache) {
  if (!has_http()) GTEST_SKIP() << "built without libcurl";
  LoopbackServer server;
  server.put("/MM/Williams/cant.tar.gz", {.body = packed_matrix("cant", 300), .cut_after = 1000, .cuts = 1});
  Ran r = fetch("info collection:Williams/cant", server.url());
  EXPECT_EQ(r.code, 1);
  EXPECT_TRUE(has(r.err, "warpspy fetch Williams/cant")) << r.err;
  EXPECT_TRUE(server.asked().empty()) << "opening fetches nothing";
  r = fetch("fetch Williams/cant", server.url());
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(r.out, root + "/cache/warpspy/collection/MM/Williams/cant.tar.gz\n");
  r = fetch("info collection:Williams/cant", server.url());
  EXPECT_TRUE(has(r.out, "300")) << r.err;
  EXPECT_TRUE(has(fetch("cache").out, "1 of the collection"));
  EXPECT_TRUE(has(fetch("cache --clear-collection").out, "removed"));
  EXPECT_FALSE(fs::exists(root + "/cache/warpspy/collection/MM/Williams/cant.tar.gz"));
}

TEST_F(FetchCommand, WithoutAServerItSaysSo) {
  if (!has_http()) GTEST_SKIP() << "built without libcurl";
  std::string gone;
  {
    const LoopbackServer server;
    gone = server.url();
  }
  const Ran r = fetch("fetch Williams/cant", gone);
  EXPECT_EQ(r.code, 1);
  EXPECT_TRUE(has(r.err, "there is no connection to 127.0.0.1")) << r.err;
}

TEST(ReportCommand, MakesAFolderOrAnArchive) {
  const std::string folder = scratch("report");
  fs::create_directories(folder);
  const std::string args = "report 'gen:laplace5?nx=12&ny=12' -o '" + folder + "' --preset column";
  Ran r = warpspy(args);
  if (has(r.err, "this build has no window")) GTEST_SKIP() << r.err;
  ASSERT_EQ(r.code, 0) << r.err;
  for (const char* file : {"spy.svg", "histogram.pdf", "runs.csv", "report.html", "README.md"})
    EXPECT_TRUE(fs::exists(folder + "/warpspy-figures/" + file)) << file;
  r = warpspy(args + " --zip");
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(fs::exists(folder + "/warpspy-figures.zip"));
  // A name needs no folder, and stands wherever it was typed.
  const std::string named = folder + "/mine.zip", of = "report --preset column 'gen:laplace5?nx=12&ny=12' ";
  for (int k = 0; k < 2; ++k) {  // the second takes the place of the first
    r = warpspy(of + "--zip '" + named + "'");
    ASSERT_EQ(r.code, 0) << r.err;
    EXPECT_TRUE(has(r.out, named)) << r.out;
    EXPECT_TRUE(fs::exists(named));
  }
  r = warpspy("report --preset column -o '" + folder + "' --zip 'gen:laplace5?nx=12&ny=12'");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(fs::exists(folder + "/warpspy-figures-2.zip")) << "what is no archive's name is what it is of";
  EXPECT_EQ(warpspy(of).code, 2) << "nothing says where";
  EXPECT_EQ(warpspy(of + "-o '" + folder + "' --zip '" + named + "'").code, 2) << "two places";
  EXPECT_EQ(warpspy("report --zip '" + named + "'").code, 2) << "of nothing";
  r = warpspy("report /nowhere.mtx -o '" + folder + "'");
  EXPECT_EQ(r.code, 1);
  EXPECT_TRUE(has(r.err, "/nowhere.mtx")) << r.err;
  fs::remove_all(folder);
}

}  // namespace
}  // namespace warpspy
