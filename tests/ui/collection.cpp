// Matrices of the collection by name: the list in the open dialog, fetching, the action search.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>

#include "core/collection/http.hpp"
#include "tests/ui/support.hpp"
#include "tests/unit/collection/server.hpp"
#include "ui/state/search.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

namespace fs = std::filesystem;

// What opens "collection:..." asks the environment where the files are.
class TheCollection : public ::testing::Test {
 protected:
  void SetUp() override {
    root = fs::path(::testing::TempDir()) / ("warpspy_ui_collection_" + std::to_string(getpid()));
    fs::remove_all(root);
    fs::create_directories(root / "mirror/MM/Williams");
    fs::create_directories(root / "mirror/files");
    ::setenv("XDG_CACHE_HOME", (root / "cache").c_str(), 1);
    for (const char* name : {"http_proxy", "all_proxy", "HTTP_PROXY", "ALL_PROXY"}) ::unsetenv(name);
  }
  void TearDown() override {
    h.reset();
    ::unsetenv("XDG_CACHE_HOME");
    ::unsetenv("WARPSPY_COLLECTION");
    fs::remove_all(root);
  }
  // A window whose collection is there.
  void begin(const std::string& from) {
    ::setenv("WARPSPY_COLLECTION", from.c_str(), 1);
    SessionOptions options = Harness::quiet();
    options.collection = collection_place();
    options.collection->stall_s = 600;
    h.emplace(1280, 800, 1, options);
    h->session.apply(ShowOpen{OpenWay::collection});
    h->settle();
  }
  void begin_with_folder() {
    std::ofstream(root / "mirror/files/ssstats.csv") << small_index();
    std::ofstream(root / "mirror/MM/Williams/cant.tar.gz", std::ios::binary) << packed_matrix("cant", 40);
    begin((root / "mirror").string());
  }
  void press(Chord c) {
    feed_chord(c, true);
    h->frames(2);
    feed_chord(c, false);
    h->settle();
  }
  void type(const std::string& words) {
    ImGui::GetIO().AddInputCharactersUTF8(words.c_str());
    h->settle();
  }
  const CollectionShown& shown() const { return h->state().collection; }

  fs::path root;
  std::optional<Harness> h;
};

TEST_F(TheCollection, AFolderIsListedAtOnceWithSizes) {
  begin_with_folder();
  ASSERT_TRUE(shown().index);
  for (const char* words :
       {"Williams/cant", "62 451 \xC3\x97 62 451", "4 007 383", "2D/3D problem", "5 matrices", "31-Oct-2023"})
    EXPECT_TRUE(h->shows(words)) << words;
}

TEST_F(TheCollection, ANameIsCompletedAndOpenedByKeyboard) {
  begin_with_folder();
  type("can");
  EXPECT_FALSE(h->shows("HB/1138_bus"));
  press({Key::enter});
  ASSERT_EQ(h->state().matrices.size(), 1u);
  const OpenMatrix& m = h->state().matrices[0];
  EXPECT_EQ(m.source, "collection:Williams/cant");
  EXPECT_EQ(m.name, "cant");
  ASSERT_EQ(m.status, OpenMatrix::Status::ready) << m.failure.one_line();
  EXPECT_EQ(m.matrix->csr->rows(), 40);
  EXPECT_EQ(h->state().recent.front(), "collection:Williams/cant");
  EXPECT_EQ(h->state().dialog, "");
}

TEST_F(TheCollection, WhatItDoesNotHaveFailsWithItsReason) {
  begin_with_folder();
  type("1138");
  press({Key::enter});
  ASSERT_EQ(h->state().matrices.size(), 1u);
  EXPECT_EQ(h->state().matrices[0].status, OpenMatrix::Status::failed);
  EXPECT_TRUE(h->state().matrices[0].failure.reason.ends_with("has no HB/1138_bus"));
}

TEST_F(TheCollection, ANearMissSaysWhatThereIs) {
  begin_with_folder();
  type("catn");
  EXPECT_TRUE(h->shows("The list has no such name"));
  press({Key::enter});
  EXPECT_TRUE(h->state().matrices.empty());
  EXPECT_EQ(h->state().dialog, "open");
  EXPECT_TRUE(h->shows("it has Williams/cant"));
}

TEST_F(TheCollection, TheActionSearchCompletesNames) {
  begin_with_folder();
  const auto found = search(h->state(), commands(), "cant");
  const auto hit = std::find_if(found.begin(), found.end(), [](const SearchHit& s) { return s.kind == "Collection"; });
  ASSERT_NE(hit, found.end());
  EXPECT_EQ(hit->title, "Williams/cant");
  EXPECT_NE(hit->note.find("62 451 \xC3\x97 62 451, 4 007 383 entries"), std::string::npos) << hit->note;
  ActionSink out;
  hit->perform(h->state(), out);
  for (const Action& a : out.take()) h->session.apply(a);
  h->settle();
  EXPECT_EQ(h->state().matrices.size(), 1u);
}

TEST_F(TheCollection, NothingIsFetchedUntilItIsAskedFor) {
  if (!has_http()) GTEST_SKIP() << "built without libcurl";
  const LoopbackServer server;
  begin(server.url());
  EXPECT_TRUE(server.asked().empty());
  EXPECT_TRUE(h->shows("Get the list"));
  EXPECT_TRUE(h->shows("never by themselves"));
  // Nor by what comes back: a desk, a recent file.
  h->open("collection:Williams/cant");
  EXPECT_TRUE(server.asked().empty());
  ASSERT_EQ(h->state().matrices.size(), 1u);
  EXPECT_NE(h->state().matrices[0].failure.remedy.find("warpspy fetch Williams/cant"), std::string::npos);
}

TEST_F(TheCollection, TheListAndAMatrixAreFetched) {
  if (!has_http()) GTEST_SKIP() << "built without libcurl";
  LoopbackServer server;
  server.put("/files/ssstats.csv", {.body = small_index()});
  server.put("/MM/Williams/cant.tar.gz", {.body = packed_matrix("cant", 50)});
  begin(server.url());
  click_at(h->find("Get the list"), [&] { h->frames(1); });
  h->settle();
  ASSERT_TRUE(shown().index);
  EXPECT_TRUE(h->shows("Williams/cant"));
  press({Key::enter});  // the first
  ASSERT_EQ(h->state().matrices.size(), 1u);
  EXPECT_EQ(h->state().matrices[0].status, OpenMatrix::Status::ready) << h->state().matrices[0].failure.one_line();
  EXPECT_TRUE(shown().here.contains("Williams/cant"));
  h->session.apply(ShowOpen{OpenWay::collection});
  h->settle();
  EXPECT_TRUE(h->shows("is on this machine"));
}

TEST_F(TheCollection, AListThatIsCutIsSaidAndMayBeAskedForAgain) {
  if (!has_http()) GTEST_SKIP() << "built without libcurl";
  LoopbackServer server;
  const std::string whole = small_index();
  server.put("/files/ssstats.csv", {.body = whole.substr(0, whole.size() / 2)});
  begin(server.url());
  h->session.apply(AskCollection{true});
  h->settle();
  EXPECT_TRUE(h->shows("the index of the collection is cut"));
  server.put("/files/ssstats.csv", {.body = whole});
  click_at(h->find("Get the list"), [&] { h->frames(1); });
  h->settle();
  EXPECT_TRUE(shown().index);
  EXPECT_FALSE(h->shows("is cut"));
}

TEST_F(TheCollection, AFetchIsShownAndCancelled) {
  if (!has_http()) GTEST_SKIP() << "built without libcurl";
  LoopbackServer server;
  server.put("/MM/Williams/cant.tar.gz",
             {.body = packed_matrix("cant", 4000), .cut_after = 20000, .cuts = 9, .stalls = true});
  begin(server.url());
  h->session.apply(FetchMatrix{"Williams/cant"});
  ASSERT_EQ(h->state().matrices.size(), 1u);
  const JobPtr job = h->state().matrices[0].job;
  while (job->progress.fraction() < 0.1) {
    h->frames(1);
    std::this_thread::yield();
  }
  EXPECT_EQ(job->progress.stage().find("fetching, "), 0u) << job->progress.stage();
  EXPECT_TRUE(h->shows("cant"));
  h->session.apply(CancelJob{job->id});
  h->settle();
  EXPECT_TRUE(h->state().matrices.empty());
}

TEST_F(TheCollection, ANewerMatrixThanTheListIsAskedOfTheServer) {
  if (!has_http()) GTEST_SKIP() << "built without libcurl";
  LoopbackServer server;
  server.put("/files/ssstats.csv", {.body = small_index()});
  server.put("/MM/New/one.tar.gz", {.body = packed_matrix("one", 9)});
  begin(server.url());
  h->session.apply(AskCollection{true});
  h->settle();
  h->session.apply(FetchMatrix{"New/one"});
  h->settle();
  ASSERT_EQ(h->state().matrices.size(), 1u);
  EXPECT_EQ(h->state().matrices[0].status, OpenMatrix::Status::ready);
  h->session.apply(FetchMatrix{"Williams/catn"});
  h->settle();
  EXPECT_NE(h->state().matrices.back().failure.remedy.find("it has Williams/cant"), std::string::npos);
}

}  // namespace
