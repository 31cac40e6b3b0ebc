// Fetching, against a server on the loopback.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <string>
#include <thread>

#include "core/collection/collection.hpp"
#include "core/collection/downloads.hpp"
#include "core/collection/http.hpp"
#include "core/io/io.hpp"
#include "tests/unit/collection/server.hpp"

using namespace warpspy;

namespace {

namespace fs = std::filesystem;

class Fetching : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_http()) GTEST_SKIP() << "built without libcurl";
    for (const char* name : {"http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"})
      ::unsetenv(name);
    root = fs::path(::testing::TempDir()) / ("warpspy_fetch_" + std::to_string(getpid()));
    fs::remove_all(root);
    fs::create_directories(root);
    place.from = server.url();
    place.folder = (root / "warpspy/collection").string();
    place.stall_s = 1;
    server.put("/files/ssstats.csv", {.body = small_index()});
    server.put("/MM/Williams/cant.tar.gz", {.body = cant});
  }
  void TearDown() override { fs::remove_all(root); }

  FetchedMatrix fetch(const std::string& name) {
    Progress progress;
    return fetch_matrix(place, name, progress);
  }
  std::string refused(const std::string& name) {
    try {
      fetch(name);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  }
  static std::string bytes_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::string kept(const std::string& name) const { return downloads::path_of(place, name); }
  bool has(const std::string& text, const std::string& part) const { return text.find(part) != std::string::npos; }

  const std::string cant = packed_matrix("cant", 4000);
  fs::path root;
  LoopbackServer server;
  CollectionPlace place;
};

TEST_F(Fetching, ByGroupAndName) {
  const FetchedMatrix got = fetch("Williams/cant");
  EXPECT_EQ(got.full_name, "Williams/cant");
  EXPECT_FALSE(got.was_here);
  EXPECT_EQ(got.bytes, cant.size());
  EXPECT_EQ(bytes_of(got.path), cant);
  EXPECT_EQ(server.asked(), std::vector<std::string>{"GET /MM/Williams/cant.tar.gz"});  // the index is not needed
  Progress progress;
  const Matrix m = open_matrix(got.path, progress);
  EXPECT_EQ(m.csr->rows(), 4000);
  EXPECT_EQ(m.source.name, "cant");
}

TEST_F(Fetching, ByNameAloneAsksTheIndexOnce) {
  EXPECT_EQ(fetch("cant").full_name, "Williams/cant");
  server.put("/MM/HB/1138_bus.tar.gz", {.body = packed_matrix("1138_bus", 5)});
  EXPECT_EQ(fetch("1138_BUS").full_name, "HB/1138_bus");
  const auto asked = server.asked();
  EXPECT_EQ(std::count(asked.begin(), asked.end(), "GET /files/ssstats.csv"), 1);
}

TEST_F(Fetching, TheSecondTimeNothingIsFetched) {
  fetch("Williams/cant");
  const std::size_t before = server.asked().size();
  EXPECT_TRUE(fetch("Williams/cant").was_here);
  EXPECT_EQ(server.asked().size(), before);
}

TEST_F(Fetching, OpensUnderItsName) {
  ::setenv("WARPSPY_COLLECTION", server.url().c_str(), 1);
  ::setenv("XDG_CACHE_HOME", root.c_str(), 1);
  Progress progress;
  try {
    open_matrix("collection:Williams/cant", progress);
    ADD_FAILURE() << "it was fetched without being asked for";
  } catch (const Error& e) {
    EXPECT_TRUE(has(e.what(), "not on this machine; fetch it: warpspy fetch Williams/cant")) << e.what();
  }
  EXPECT_TRUE(server.asked().empty());
  fetch("Williams/cant");
  const Matrix m = open_matrix("collection:Williams/cant", progress);
  EXPECT_EQ(m.csr->rows(), 4000);
  EXPECT_EQ(m.source.location, "collection:Williams/cant");
  EXPECT_THROW(open_matrix("collection:../../etc/passwd", progress), Error);
  ::unsetenv("WARPSPY_COLLECTION");
  ::unsetenv("XDG_CACHE_HOME");
}

TEST_F(Fetching, ABrokenDownloadIsGoneOnWithAtOnce) {
  server.put("/MM/Williams/cant.tar.gz", {.body = cant, .cut_after = 10000, .cuts = 2});
  EXPECT_EQ(bytes_of(fetch("Williams/cant").path), cant);
  const auto asked = server.asked();
  ASSERT_EQ(asked.size(), 3u);
  EXPECT_EQ(asked[1], "GET /MM/Williams/cant.tar.gz bytes=10000-");
  EXPECT_EQ(asked[2], "GET /MM/Williams/cant.tar.gz bytes=20000-");
}

TEST_F(Fetching, ABrokenDownloadIsGoneOnWithLater) {
  server.put("/MM/Williams/cant.tar.gz", {.body = cant, .cut_after = 10000, .cuts = 1, .stalls = true});
  Progress progress;
  auto job = std::async(std::launch::async, [&] { fetch_matrix(place, "Williams/cant", progress); });
  while (!fs::exists(kept("Williams/cant") + ".part") || fs::file_size(kept("Williams/cant") + ".part") < 10000)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  progress.cancel();
  EXPECT_THROW(job.get(), Cancelled);
  EXPECT_FALSE(fs::exists(kept("Williams/cant")));
  EXPECT_EQ(bytes_of(fetch("Williams/cant").path), cant);
  EXPECT_EQ(server.asked().back(), "GET /MM/Williams/cant.tar.gz bytes=10000-");
  EXPECT_FALSE(fs::exists(kept("Williams/cant") + ".part"));
}

TEST_F(Fetching, WhatChangedMeanwhileIsFetchedAnew) {
  server.put("/MM/Williams/cant.tar.gz",
             {.body = packed_matrix("cant", 3000), .cut_after = 9000, .cuts = 1, .stalls = true});
  Progress progress;
  auto job = std::async(std::launch::async, [&] { fetch_matrix(place, "Williams/cant", progress); });
  while (!fs::exists(kept("Williams/cant") + ".part") || fs::file_size(kept("Williams/cant") + ".part") < 9000)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  progress.cancel();
  EXPECT_THROW(job.get(), Cancelled);
  server.put("/MM/Williams/cant.tar.gz", {.body = cant, .tag = "\"2\""});
  EXPECT_EQ(bytes_of(fetch("Williams/cant").path), cant);
}

TEST_F(Fetching, AServerWithoutRangesSendsAllOfIt) {
  server.put("/MM/Williams/cant.tar.gz", {.body = cant, .ranges = false, .cut_after = 10000, .cuts = 1});
  EXPECT_EQ(bytes_of(fetch("Williams/cant").path), cant);
}

TEST_F(Fetching, ADamagedFileIsRefusedAndNotKept) {
  std::string damaged = cant;
  damaged[damaged.size() / 2] ^= 1;
  server.put("/MM/Williams/cant.tar.gz", {.body = damaged});
  EXPECT_TRUE(has(refused("Williams/cant"), "damaged")) << refused("Williams/cant");
  EXPECT_FALSE(fs::exists(kept("Williams/cant")));
  EXPECT_FALSE(fs::exists(kept("Williams/cant") + ".part"));
  server.put("/MM/Williams/cant.tar.gz", {.body = "<html>sign in</html>"});
  EXPECT_TRUE(has(refused("Williams/cant"), "what came is no packed matrix"));
  std::string cut = cant.substr(0, cant.size() - 9);
  server.put("/MM/Williams/cant.tar.gz", {.body = cut});
  EXPECT_TRUE(has(refused("Williams/cant"), "damaged"));
}

TEST_F(Fetching, WhatWasDamagedOnTheDiskIsFetchedAgain) {
  const std::string path = fetch("Williams/cant").path;
  std::string damaged = cant;
  damaged[100] ^= 1;
  std::ofstream(path, std::ios::binary) << damaged;
  const FetchedMatrix again = fetch("Williams/cant");
  EXPECT_TRUE(has(again.remark, "was damaged on the disk"));
  EXPECT_EQ(bytes_of(path), cant);
}

TEST_F(Fetching, WhatWasUsedLongestAgoMakesRoom) {
  const std::string a = packed_matrix("a", 2000), b = packed_matrix("b", 2000);
  server.put("/MM/G/a.tar.gz", {.body = a});
  server.put("/MM/G/b.tar.gz", {.body = b});
  place.most_bytes = cant.size() + a.size() + 100;
  fetch("Williams/cant");
  fetch("G/a");
  const auto hour = std::chrono::hours(1);
  for (const char* name : {"Williams/cant", "G/a"}) {
    const std::string sum = downloads::sum_path(kept(name));
    fs::last_write_time(sum, fs::last_write_time(sum) - hour);
  }
  mark_used(place, "Williams/cant");
  const FetchedMatrix got = fetch("G/b");
  EXPECT_EQ(got.removed, std::vector<std::string>{"G/a"});
  EXPECT_EQ(downloaded_matrices(place).size(), 2u);
  EXPECT_FALSE(fs::exists(kept("G/a")));
  EXPECT_LE(collection_usage(place).bytes, place.most_bytes);
  EXPECT_EQ(clear_collection(place).files, 2u);
  EXPECT_EQ(collection_usage(place).files, 0u);
}

TEST_F(Fetching, WhatNeverHasRoomIsRefusedBeforeItComes) {
  place.most_bytes = 1000;
  const std::string why = refused("Williams/cant");
  EXPECT_TRUE(has(why, "but all that is fetched may take 1.0 kB; let WARPSPY_COLLECTION_BYTES say more")) << why;
  EXPECT_EQ(fs::file_size(kept("Williams/cant") + ".part"), 0u);
}

TEST_F(Fetching, AnUnknownNameSuggestsNearOnes) {
  EXPECT_TRUE(has(refused("catn"), "it has Williams/cant"));
  EXPECT_TRUE(has(refused("Williams/catn"), "the server has no such matrix; it has Williams/cant"));
  EXPECT_TRUE(has(refused("HB/1138_bus"), "its list has it, so try again later"));
  EXPECT_TRUE(has(refused("same"), "say which: Twin/same, Other/same"));
  EXPECT_TRUE(has(refused("../cant"), "this is no name of the collection"));
  EXPECT_TRUE(has(refused("a/b/c"), "this is no name of the collection"));
}

TEST_F(Fetching, AServerInTroubleSaysItsNumber) {
  server.put("/MM/Williams/cant.tar.gz", {.body = "", .status = 503});
  EXPECT_TRUE(has(refused("Williams/cant"), "the server answers 503"));
}

TEST_F(Fetching, ASilentServerIsGivenUpAndWhatCameIsKept) {
  server.put("/MM/Williams/cant.tar.gz", {.body = cant, .cut_after = 5000, .cuts = 99, .stalls = true});
  const std::string why = refused("Williams/cant");
  EXPECT_TRUE(has(why, "says nothing")) << why;
  EXPECT_EQ(fs::file_size(kept("Williams/cant") + ".part"), 5000u);
}

TEST_F(Fetching, WhileAServerIsSilentItCanBeCancelled) {
  place.stall_s = 600;
  server.put("/MM/Williams/cant.tar.gz", {.body = cant, .cut_after = 0, .cuts = 99, .stalls = true});
  Progress progress;
  auto job = std::async(std::launch::async, [&] { fetch_matrix(place, "Williams/cant", progress); });
  while (server.asked().empty()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  progress.cancel();
  EXPECT_THROW(job.get(), Cancelled);
}

TEST_F(Fetching, WithoutANetworkItSaysSo) {
  // A port that nobody listens at: one that was just given back.
  {
    const LoopbackServer gone;
    place.from = gone.url();
  }
  const std::string why = refused("Williams/cant");
  EXPECT_TRUE(has(why, "there is no connection to 127.0.0.1")) << why;
  EXPECT_TRUE(has(why, "WARPSPY_COLLECTION")) << why;
}

TEST_F(Fetching, WithoutANetworkAnOldIndexIsBetterThanNone) {
  Progress progress;
  EXPECT_EQ(fetch_index(place, progress).index.entries.size(), 5u);
  const auto file = fs::directory_iterator(place.folder)->path();
  fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(24 * 40));
  server.put("/files/ssstats.csv", {.body = "", .status = 500});
  const FetchedIndex old = fetch_index(place, progress);
  EXPECT_EQ(old.index.entries.size(), 5u);
  EXPECT_TRUE(has(old.remark, "more than a month old")) << old.remark;
  EXPECT_THROW(fetch_index(place, progress, true), Error);
}

TEST_F(Fetching, AnIndexThatIsCutIsRefusedAndNotKept) {
  const std::string whole = small_index();
  server.put("/files/ssstats.csv", {.body = whole.substr(0, whole.size() / 2)});
  Progress progress;
  EXPECT_THROW(fetch_index(place, progress), Error);
  EXPECT_FALSE(downloaded_index(place).has_value());
  // One that was cut on the disk is fetched again.
  server.put("/files/ssstats.csv", {.body = whole});
  fetch_index(place, progress);
  const auto file = fs::directory_iterator(place.folder)->path();
  fs::resize_file(file, whole.size() / 2);
  EXPECT_EQ(fetch_index(place, progress).index.entries.size(), 5u);
}

TEST_F(Fetching, FollowsWhereAMatrixHasMoved) {
  server.put("/MM/Williams/cant.tar.gz", {.body = "", .moved_to = server.url() + "/elsewhere"});
  server.put("/elsewhere", {.body = cant, .cut_after = 5000, .cuts = 1});
  EXPECT_EQ(bytes_of(fetch("Williams/cant").path), cant);
}

TEST_F(Fetching, GoesThroughAProxy) {
  ::setenv("http_proxy", server.url().c_str(), 1);
  place.from = "http://collection.invalid";
  server.put("http://collection.invalid/MM/Williams/cant.tar.gz", {.body = cant});
  EXPECT_EQ(bytes_of(fetch("Williams/cant").path), cant);
  ::unsetenv("http_proxy");
}

TEST_F(Fetching, OneAtATime) {
  server.put("/MM/Williams/cant.tar.gz", {.body = cant, .cut_after = 100, .cuts = 1, .stalls = true});
  Progress progress;
  auto job = std::async(std::launch::async, [&] { fetch_matrix(place, "Williams/cant", progress); });
  while (server.asked().empty()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_TRUE(has(refused("Williams/cant"), "another Warpspy is fetching it"));
  progress.cancel();
  EXPECT_THROW(job.get(), Cancelled);
}

TEST_F(Fetching, TellsHowFarItIs) {
  server.put("/MM/Williams/cant.tar.gz", {.body = cant, .cut_after = cant.size() / 2, .cuts = 1, .stalls = true});
  Progress progress;
  auto job = std::async(std::launch::async, [&] { fetch_matrix(place, "Williams/cant", progress); });
  while (progress.fraction() < 0.45) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_TRUE(has(progress.stage(), "fetching, ")) << progress.stage();
  progress.cancel();
  EXPECT_THROW(job.get(), Cancelled);
}

TEST_F(Fetching, AFolderThatCannotBeWrittenIsSaid) {
  place.folder = "/proc/warpspy";  // not even root writes there
  EXPECT_TRUE(has(refused("Williams/cant"), "the folder cannot be made"));
}

// A folder needs neither server nor libcurl.
TEST(CollectionFolder, IsUsedWhereItLies) {
  const fs::path root = fs::path(::testing::TempDir()) / ("warpspy_folder_" + std::to_string(getpid()));
  fs::create_directories(root / "MM/Williams");
  fs::create_directories(root / "files");
  fs::create_directories(root / "Bai");
  std::ofstream(root / "files/ssstats.csv") << small_index();
  std::ofstream(root / "MM/Williams/cant.tar.gz", std::ios::binary) << packed_matrix("cant", 7);
  std::ofstream(root / "Bai/dw2048.mtx") << "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n";
  CollectionPlace place;
  place.from = root.string();
  Progress progress;
  const FetchedMatrix got = fetch_matrix(place, "cant", progress);
  EXPECT_TRUE(got.was_here);
  EXPECT_EQ(got.path, (root / "MM/Williams/cant.tar.gz").string());
  EXPECT_EQ(open_matrix(got.path, progress).csr->rows(), 7);
  EXPECT_EQ(fetch_matrix(place, "Bai/dw2048", progress).path, (root / "Bai/dw2048.mtx").string());
  EXPECT_THROW(fetch_matrix(place, "1138_bus", progress), Error);
  fs::remove_all(root);
}

}  // namespace
