// The desk as JSON, and what has to be found again.
#include "core/session/desk.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <random>

#include "core/base/target.hpp"
#include "core/run/store.hpp"
#include "sample_desk.hpp"

namespace warpspy {
namespace {

namespace fs = std::filesystem;

class Folder : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("warpspy_desk_" + std::to_string(getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string at(const std::string& name) const { return (folder_ / name).string(); }
  fs::path folder_;
};
using DeskFile = Folder;
using FoundAgain = Folder;

std::string reason_of(const std::string& text) {
  try {
    (void)desk_from_json(text);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(DeskJson, GoesThroughUnchanged) {
  const Desk d = sample_desk();
  const std::string text = to_json(d);
  const DeskRead back = desk_from_json(text);
  EXPECT_TRUE(back.remarks.empty()) << back.remarks.front();
  EXPECT_EQ(to_json(back.desk), text);
  EXPECT_EQ(back.desk.matrices, d.matrices);
  EXPECT_EQ(back.desk.active, d.active);
  EXPECT_EQ(back.desk.choices, d.choices) << "also those that nobody knows";
  EXPECT_EQ(back.desk.kernel_params, d.kernel_params);
  EXPECT_EQ(back.desk.compared, d.compared);
  EXPECT_EQ(back.desk.marked_first, 1);
  EXPECT_EQ(back.desk.marked_past, 2);
  ASSERT_EQ(back.desk.runs.size(), 3u);
  EXPECT_EQ(back.desk.runs[0].note, "the good one");
  EXPECT_EQ(back.desk.runs[0].record, nullptr);
  ASSERT_NE(back.desk.runs[1].record, nullptr);
  EXPECT_EQ(back.desk.runs[1].record->request.kernel, "ell");
  EXPECT_FALSE(back.desk.runs[2].listed);
  ASSERT_TRUE(back.desk.sweep);
  EXPECT_EQ(back.desk.sweep->plan, d.sweep->plan);
  EXPECT_EQ(back.desk.sweep->folder, d.sweep->folder);
  ASSERT_EQ(back.desk.sweep->outcomes.size(), 2u);
  EXPECT_EQ(back.desk.sweep->outcomes[1].state, CellState::failed);
  EXPECT_EQ(back.desk.sweep->outcomes[1].reason, "too wide");
  ASSERT_TRUE(back.desk.tuning);
  EXPECT_EQ(back.desk.tuning->steps, d.tuning->steps);
  ASSERT_EQ(back.desk.analyses.size(), 1u);
  EXPECT_EQ(back.desk.analyses[0].subjects[0].runs[0].x, 2);
}

TEST(DeskJson, AnEmptyDeskToo) {
  const DeskRead back = desk_from_json(to_json(Desk{}));
  EXPECT_TRUE(back.desk.empty());
  EXPECT_EQ(back.desk.active, -1);
  EXPECT_TRUE(back.remarks.empty());
}

TEST(DeskJson, WhereverItIsCutItSaysSo) {
  const std::string text = to_json(sample_desk());
  const auto brace = text.rfind('}');
  for (std::size_t bytes = 30; bytes <= brace; bytes += 97) {
    const std::string reason = reason_of(text.substr(0, bytes));
    EXPECT_NE(reason.find("cut off"), std::string::npos) << bytes << ": " << reason;
  }
  EXPECT_NE(reason_of("").find("empty"), std::string::npos);
}

TEST(DeskJson, OfANewerProgramIsRefusedByItsVersion) {
  const std::string reason = reason_of(R"({"warpspy_session": 7, "matrices": []})");
  EXPECT_NE(reason.find("newer"), std::string::npos) << reason;
  EXPECT_NE(reason.find("version 7"), std::string::npos) << reason;
}

TEST(DeskJson, OtherTextIsRefused) {
  for (const char* text :
       {"{", "[]", "null", "{}", "{\"a\": 1}", "%%MatrixMarket matrix", "{\"warpspy_session\": \"1\"}",
        "{\"warpspy_session\": 1.5}", "{\"warpspy_session\": 0}", "{\"warpspy_session\": 1, }"})
    EXPECT_NE(reason_of(text), "") << text;
  EXPECT_NE(reason_of(std::string(5000, '[')), "");
}

TEST(DeskJson, WhatCannotBeReadIsLeftOutAndTold) {
  const DeskRead read = desk_from_json(R"({
    "warpspy_session": 1, "unknown": [1, {"x": 2}], "active": 2,
    "matrices": [{"source": "a.mtx"}, {"name": "no source"}, {"source": "b.mtx", "camera": {"row": 1}}, {"source": "c.mtx"}],
    "choices": {"tab": "runs", "bad": 3}, "runs": [{"id": 3}, {"id": -1}, {"id": 4, "record": {}}, 5],
    "kernel_params": {"csr": {"coop": 4, "x": "y"}, "ell": 3}, "marked": [5, 2], "tuning": {"a": 1}})");
  ASSERT_EQ(read.desk.matrices.size(), 2u);
  EXPECT_EQ(read.desk.matrices[0].recipe.source, "a.mtx");
  EXPECT_EQ(read.desk.matrices[1].recipe.source, "c.mtx");
  EXPECT_EQ(read.desk.active, -1) << "the active one could not be read";
  ASSERT_EQ(read.desk.runs.size(), 1u);
  EXPECT_EQ(read.desk.choices, (std::map<std::string, std::string>{{"tab", "runs"}}));
  EXPECT_EQ(read.desk.kernel_params, (std::map<std::string, ParamSet>{{"csr", {{"coop", 4}}}}));
  EXPECT_EQ(read.desk.marked_hi, 0);
  EXPECT_FALSE(read.desk.tuning);
  EXPECT_EQ(read.remarks.size(), 6u) << "2 matrices, 3 runs, the search";
}

TEST(DeskJson, DamagedTextIsRefusedOrReadInPart) {
  const std::string text = to_json(sample_desk());
  std::minstd_rand random(7);
  int refused = 0, read = 0;
  for (int k = 0; k < 1500; ++k) {
    std::string damaged = text;
    for (unsigned n = 0; n <= random() % 3; ++n) damaged[random() % damaged.size()] = "0\"{}[],:9e"[random() % 10];
    try {
      const Desk d = desk_from_json(damaged).desk;
      const std::string once = to_json(d);
      EXPECT_EQ(to_json(desk_from_json(once).desk), once) << k;
      ++read;
    } catch (const Error& e) {
      EXPECT_EQ(std::string(e.what()).find('\n'), std::string::npos);
      ++refused;
    }
  }
  EXPECT_GT(refused, 100);
  EXPECT_GT(read, 100);
  EXPECT_NE(reason_of(R"({"warpspy_session": 1e999})").find("damaged"), std::string::npos);
}

TEST(DeskJson, AViewThatIsNoViewShowsTheWholeMatrix) {
  const DeskRead read = desk_from_json(R"({"warpspy_session": 1, "matrices": [
    {"source": "a.mtx", "camera": {"row": 1, "col": 1, "row_px": 0, "col_px": 1}}]})");
  ASSERT_EQ(read.desk.matrices.size(), 1u);
  EXPECT_TRUE(read.desk.matrices[0].camera.fit);
}

TEST_F(DeskFile, IsWholeOrTheOldOne) {
  const std::string path = at("a.warpspy");
  save_desk(path, sample_desk());
  EXPECT_EQ(load_desk(path).desk.matrices, sample_desk().matrices);
  EXPECT_THROW(save_desk(at("no/such/folder/a.warpspy"), Desk{}), Error);
  EXPECT_THROW(save_desk("/dev/full", sample_desk()), Error);
  EXPECT_EQ(load_desk(path).desk.matrices.size(), 3u);
}

TEST_F(DeskFile, ThatIsNotOneSaysWhichAndWhy) {
  write_file(at("half.warpspy"), to_json(sample_desk()).substr(0, 300));
  for (const auto& name : {"half.warpspy", "none.warpspy", "."}) {
    try {
      (void)load_desk(at(name));
      ADD_FAILURE() << name;
    } catch (const Error& e) {
      EXPECT_EQ(e.where, at(name));
      EXPECT_NE(e.remedy, "");
    }
  }
}

TEST_F(FoundAgain, FilesWhereTheyLieNow) {
  fs::create_directories(folder_ / "new/sessions");
  fs::create_directories(folder_ / "new/matrices");
  write_file(at("new/matrices/a.mtx"), "a");
  write_file(at("new/sessions/b.mtx"), "b");
  write_file(at("here.mtx"), "c");
  const std::string now = at("new/sessions");
  EXPECT_EQ(found_source(at("here.mtx"), "/old/sessions", now), at("here.mtx"));
  EXPECT_EQ(found_source("/old/matrices/a.mtx", "/old/sessions", now), at("new/matrices/a.mtx")) << "the folder moved";
  EXPECT_EQ(found_source("/elsewhere/b.mtx", "/old/sessions", now), at("new/sessions/b.mtx")) << "beside the session";
  EXPECT_EQ(found_source("/elsewhere/b.mtx?base=1", "", now), at("new/sessions/b.mtx") + "?base=1");
  EXPECT_EQ(found_source("/elsewhere/c.mtx", "/old/sessions", now), "/elsewhere/c.mtx") << "nowhere";
  EXPECT_EQ(found_source("gen:laplace5?nx=3", "/old", now), "gen:laplace5?nx=3");
}

TEST_F(FoundAgain, RunsOfTheHistoryAndOfTheFile) {
  History history(at("runs.sqlite"));
  RunRecord own = sample_record(0, "csr_vector"), other = sample_record(0, "ell");
  history.add(own);
  history.add(other);
  history.set_note(own.id, "mine");
  Desk d;
  RunRecord foreign = sample_record(5, "hyb");
  foreign.id = other.id;  // the number means another run here
  d.runs = {{own.id, true, "", nullptr},
            {own.id, true, "old note", std::make_shared<const RunRecord>(own)},
            {foreign.id, true, "theirs", std::make_shared<const RunRecord>(foreign)},
            {other.id, true, "of the file", std::make_shared<const RunRecord>(other)},
            {4711, true, "", nullptr},
            {kUnsaved + 1, true, "", nullptr}};
  const DeskRunsFound found = find_runs(d, history);
  EXPECT_EQ(found.lost, 2u);
  ASSERT_EQ(found.runs.size(), 4u);
  EXPECT_EQ(found.runs[0].record->id, own.id);
  EXPECT_EQ(found.runs[0].note, "mine");
  EXPECT_EQ(found.runs[1].record->id, own.id);
  EXPECT_EQ(found.runs[2].record->id, 0u) << "it gets a number of its own";
  EXPECT_EQ(found.runs[2].record->request.kernel, "hyb");
  EXPECT_EQ(found.runs[2].note, "theirs");
  EXPECT_EQ(found.runs[3].record->id, other.id);
  EXPECT_EQ(found.runs[3].note, "of the file") << "the history has none";
}

TEST_F(FoundAgain, OfRunsThatAreKeptTheNumberIsEnough) {
  const auto record = std::make_shared<const RunRecord>(sample_record(3, "ell"));
  Desk d;
  d.runs = {{3, true, "note", record}, {kUnsaved, true, "", record}};
  Desk kept = d, forgotten = d;
  RunRecord first = sample_record(0, "csr_vector");
  History history(at("runs.sqlite")), none("");
  history.add(first);
  leave_to(history, kept);
  leave_to(none, forgotten);
  EXPECT_EQ(kept.runs[0].record, nullptr);
  EXPECT_EQ(kept.runs[0].note, "note");
  EXPECT_NE(kept.runs[1].record, nullptr) << "no history has it";
  EXPECT_NE(forgotten.runs[0].record, nullptr);
  d.runs.resize(kMostDeskRuns + 5, d.runs[0]);
  d.runs.back().id = 77;
  leave_to(history, d);
  ASSERT_EQ(d.runs.size(), kMostDeskRuns);
  EXPECT_EQ(d.runs.back().id, 77u) << "the newest stay";
}

TEST(DeskText, SaysWhatLiesOnIt) {
  EXPECT_EQ(contents_text(sample_desk()), "3 matrices and 2 runs");
  EXPECT_EQ(contents_text(Desk{}), "0 matrices and 0 runs");
}

TEST(Recipe, IsToldByItsText) {
  const MatrixRecipe r = sample_desk().matrices[2].recipe;
  EXPECT_EQ(r.text(), "gen:laplace5?nx=10&ny=10 | rcm | length descending=1 | file /data/p.txt");
  EXPECT_EQ(r.before().text(), "gen:laplace5?nx=10&ny=10 | rcm | length descending=1");
  EXPECT_EQ(MatrixRecipe({"a.mtx", {}}).before().text(), "a.mtx");
}

}  // namespace
}  // namespace warpspy
