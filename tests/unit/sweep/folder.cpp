// A sweep in a folder: what lies there, who may write it, and what of it counts.
#include "core/sweep/folder.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "core/base/target.hpp"
#include "core/run/history.hpp"
#include "core/run/run_name.hpp"
#include "core/sweep/folder_runs.hpp"
#include "core/sweep/matrices.hpp"
#include "core/sweep/stored.hpp"
#include "core/sweep/table.hpp"
#include "tests/unit/sweep/samples.hpp"

namespace warpspy {
namespace {

namespace fs = std::filesystem;

using samples::catalog, samples::here, samples::plan, samples::record_of;

class SweepFolders : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  void TearDown() override { fs::remove_all(root_); }
  std::string at(const std::string& name) const { return (root_ / name).string(); }
  // Runs all cells of the sweep, so to say.
  void run_all(SweepFolder& folder, const Sweep& sweep, const Maker& by = here) const {
    Progress progress;
    for (const SweepCell& c : sweep.cells()) folder.write({folder.id_of(c, progress), by, {}, 0.5, record_of(c)});
  }
  static std::string text_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  fs::path root_ = fs::path(testing::TempDir()) / ("warpspy_sweep_" + std::to_string(getpid()));
};

TEST(MatrixNames, AreThoseOfTheirRuns) {
  for (const auto& [source, name] : {std::pair{"/a/b/memplus.mtx.gz", "memplus"},
                                     {"memplus.mtx", "memplus"},
                                     {"list.txt?base=1", "list"},
                                     {"list.txt?unknown=1", "list.txt?unknown=1"},
                                     {"gen:laplace5?nx=3&ny=3", "laplace5?nx=3&ny=3"},
                                     {"plain", "plain"}})
    EXPECT_EQ(matrix_name(source), name);
}

// The same question to a folder and to the history has the same answer.
TEST_F(SweepFolders, AreAskedAsTheHistoryIs) {
  Sweep sweep(plan(), catalog());
  History history("");
  {
    SweepFolder folder(at("s"), SweepFolder::For::running);
    folder.write_plan(plan());
    run_all(folder, sweep);
    for (const SweepCell& c : sweep.cells()) {
      RunRecord r = record_of(c);
      history.add(r);
    }
  }
  const FolderRuns folder(at("s"));
  EXPECT_TRUE(folder.remarks().empty());
  const auto asked = [](const SavedRuns& kept, const HistoryQuery& q) {
    std::multiset<std::string> found;
    for (const SavedRun& k : kept.find(q).runs)
      found.insert(k.record->request.kernel + " " + std::to_string(k.record->time.value));
    EXPECT_EQ(kept.find(q).total, found.size());
    return found;
  };
  HistoryQuery all, kernel, none, trials;
  kernel.kernel = sweep.cells().front().request.kernel;
  none.matrix = "no such matrix";
  trials.trials = true;
  for (const HistoryQuery& q : {all, kernel, none, trials}) EXPECT_EQ(asked(folder, q), asked(history, q));
  EXPECT_EQ(folder.find(all).total, sweep.cells().size());
  all.limit = 1;
  EXPECT_EQ(folder.find(all).runs.size(), 1u);
  const auto one = folder.find(all).runs.front().record;
  EXPECT_EQ(folder.named(run_name(*one))->record->time.value, one->time.value);
  EXPECT_FALSE(folder.get(1));
  EXPECT_THROW(FolderRuns(at("nothing")), Error);
}

TEST_F(SweepFolders, WhatRanIsTakenInWhateverTheOrder) {
  SweepPlan asked = plan();
  {
    SweepFolder folder(at("s"), SweepFolder::For::running);
    folder.write_plan(asked);
    run_all(folder, Sweep(asked, catalog()));
  }
  std::reverse(asked.matrices.begin(), asked.matrices.end());
  std::reverse(asked.kernels.begin(), asked.kernels.end());
  asked.params[0].values = {"8", "4", "2"};
  Sweep again(asked, catalog());
  SweepFolder folder(at("s"), SweepFolder::For::reading);
  EXPECT_EQ(folder.plan(), plan());
  Progress progress;
  const StoredSweep stored = take_in(again, folder, progress);
  EXPECT_EQ(again.counts().done, 6u);
  EXPECT_EQ(again.counts().waiting, 2u) << "coop 8 is new";
  EXPECT_EQ(stored.others, 0u);
  for (std::size_t k = 0; k < again.cells().size(); ++k) {
    EXPECT_EQ(stored.records[k] != nullptr, again.cells()[k].state == CellState::done);
    if (stored.records[k]) {
      EXPECT_EQ(stored.records[k]->request.params, again.cells()[k].request.params);
      EXPECT_EQ(stored.records[k]->time.value, 12.5);
    }
  }
}

TEST_F(SweepFolders, WhatNobodyAskedForStays) {
  SweepFolder folder(at("s"), SweepFolder::For::running);
  run_all(folder, Sweep(plan(), catalog()));
  SweepPlan less = plan();
  less.matrices.pop_back();
  Sweep sweep(less, catalog());
  Progress progress;
  EXPECT_EQ(take_in(sweep, folder, progress).others, 3u);
  EXPECT_EQ(folder.ids().size(), 6u);
}

TEST_F(SweepFolders, ACellThatWasCutOrChangedRunsAgain) {
  SweepFolder folder(at("s"), SweepFolder::For::running);
  Sweep sweep(plan(), catalog());
  run_all(folder, sweep);
  Progress progress;
  const auto path = [&](std::size_t k) {
    return at("s") + "/cells/" + folder.id_of(sweep.cells()[k], progress) + ".json";
  };
  const std::string whole = text_of(path(0));
  std::ofstream(path(0)) << whole.substr(0, whole.size() / 2);
  std::ofstream(path(1)) << "";
  std::string edited = text_of(path(2));
  edited.replace(edited.find("12.5"), 4, "11.5");
  std::ofstream(path(2)) << edited;
  fs::copy_file(path(4), path(3), fs::copy_options::overwrite_existing);
  take_in(sweep, folder, progress);
  EXPECT_EQ(sweep.counts().done, 2u);
  EXPECT_EQ(folder.remarks().size(), 4u);
  EXPECT_TRUE(folder.remarks().empty()) << "told once";
}

// At every byte: a cut file never counts.
TEST_F(SweepFolders, NoCutIsTakenForAWhole) {
  const Sweep sweep(plan(), catalog());
  const std::string whole = to_json(StoredCell{"id", here, {}, 0.5, record_of(sweep.cells()[0])});
  EXPECT_EQ(stored_cell_from_json(whole).record.time.value, 12.5);
  for (std::size_t n = 0; n + 2 < whole.size(); ++n)
    EXPECT_THROW(stored_cell_from_json(whole.substr(0, n)), Error) << n;
}

TEST_F(SweepFolders, TwoDoNotRunOneSweep) {
  const SweepFolder first(at("s"), SweepFolder::For::running);
  try {
    SweepFolder second(at("s"), SweepFolder::For::running);
    ADD_FAILURE() << "both run it";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("process " + std::to_string(getpid())), std::string::npos) << e.what();
  }
  first.folder().write("sweep.json", to_json(plan()));
  SweepFolder reader(at("s"), SweepFolder::For::reading);  // looking is no running
}

TEST_F(SweepFolders, WhatAKilledProgramBeganIsCleared) {
  {
    SweepFolder folder(at("s"), SweepFolder::For::running);
  }
  write_file(at("s") + "/cells/0123456789abcdef0123456789abcdef.json.123.part", "half");
  write_file(at("s") + "/cells/song.part", "half");
  SweepFolder folder(at("s"), SweepFolder::For::running);
  EXPECT_FALSE(fs::exists(at("s") + "/cells/0123456789abcdef0123456789abcdef.json.123.part"));
  EXPECT_TRUE(fs::exists(at("s") + "/cells/song.part")) << "not of our making";
}

TEST_F(SweepFolders, OtherFoldersAreLeftAlone) {
  fs::create_directories(at("home"));
  write_file(at("home") + "/diary.txt", "dear");
  EXPECT_THROW(SweepFolder(at("home"), SweepFolder::For::running), Error);
  EXPECT_THROW(SweepFolder(at("home") + "/diary.txt", SweepFolder::For::running), Error);
  EXPECT_THROW(SweepFolder(at("none"), SweepFolder::For::reading), Error);
  EXPECT_FALSE(fs::exists(at("none")));
  EXPECT_FALSE(fs::exists(at("home") + "/cells"));
}

TEST_F(SweepFolders, BuildsAndDriversAreNotMixed) {
  SweepFolder folder(at("s"), SweepFolder::For::running);
  Sweep sweep(plan(), catalog());
  run_all(folder, sweep);
  Progress progress;
  const StoredSweep stored = take_in(sweep, folder, progress);
  EXPECT_NO_THROW(refuse_mixing(sweep, stored, {here.program, "", "13.0"}, catalog(), "s"))
      << "a model needs no driver";
  EXPECT_THROW(refuse_mixing(sweep, stored, {"0.1.0 (def)", "", ""}, catalog(), "s"), Error);
  Catalog other = catalog();
  other.devices[0].name = "Toy 2";
  EXPECT_THROW(refuse_mixing(sweep, stored, {here.program, "", ""}, other, "s"), Error);
  other = catalog();
  other.devices[0].spec.sm_count = 7, other.devices[0].spec.sources["sm_count"] = "by hand";
  EXPECT_THROW(refuse_mixing(sweep, stored, {here.program, "", ""}, other, "s"), Error) << "an edited GPU file";
  EXPECT_NO_THROW(refuse_mixing(folder, {here.program, "", ""}, other)) << "its products are run again";
  other.devices[0] = {"sim:toy", "Toy", false, true, "", "", {}};
  EXPECT_THROW(refuse_mixing(sweep, stored, {here.program, "", "13.0"}, other, "s"), Error) << "another driver";
}

TEST_F(SweepFolders, AMatrixIsKnownByItsContents) {
  write_file(at("a.mtx"), "one");
  write_file(at("b.mtx"), "two");
  fs::copy_file(at("a.mtx"), at("c.mtx"));
  MatrixHashes hashes;
  Progress progress;
  const std::string a = hashes.hash_of(at("a.mtx"), progress);
  EXPECT_NE(a, hashes.hash_of(at("b.mtx"), progress));
  EXPECT_EQ(a, hashes.hash_of(at("c.mtx"), progress));
  EXPECT_NE(hashes.hash_of("gen:a", progress), hashes.hash_of("gen:b", progress));
  EXPECT_NE(a, hashes.hash_of(at("a.mtx") + " | rcm", progress)) << "in another order it is another one";
  MatrixHashes again(hashes.text());
  EXPECT_FALSE(again.changed());
  EXPECT_EQ(again.hash_of(at("a.mtx"), progress), a);
  EXPECT_FALSE(again.changed()) << "not read again";
  write_file(at("a.mtx"), "other");
  EXPECT_NE(again.hash_of(at("a.mtx"), progress), a);
  fs::remove(at("b.mtx"));
  EXPECT_NO_THROW(again.hash_of(at("b.mtx"), progress)) << "its results can still be read";
  EXPECT_THROW(again.hash_of(at("never.mtx"), progress), Error);
  MatrixHashes damaged("{\"a\": 1");
  EXPECT_EQ(damaged.hash_of(at("c.mtx"), progress), a);
}

TEST_F(SweepFolders, FoldersPatternsAndRangesAreMatrices) {
  write_file(at("b.mtx"), "x");
  write_file(at("a.mtx"), "x");
  write_file(at("c.rb"), "x");
  const auto sources = [&](const std::string& asked) {
    std::vector<std::string> all;
    for (const SweepPlan::Of& m : matrices_meant({{asked, ""}}, root_.string())) all.push_back(m.name);
    return all;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(sources("."), (Names{"a", "b", "c"}));
  EXPECT_EQ(sources("*.mtx"), (Names{"a", "b"}));
  write_file(at("a.rb"), "x");
  EXPECT_EQ(sources("*.[mr]*"), (Names{"a", "a.rb", "b", "c"})) << "two of one name are told apart";
  fs::remove(at("a.rb"));
  EXPECT_EQ(sources("none.mtx"), (Names{"none"})) << "its cells say that it is not there";
  EXPECT_EQ(sources("gen:random?rows=10:30:10&seed=1:2"),
            (Names{"random?rows=10&seed=1", "random?rows=10&seed=2", "random?rows=20&seed=1", "random?rows=20&seed=2",
                   "random?rows=30&seed=1", "random?rows=30&seed=2"}));
  EXPECT_THROW(sources("*.zip"), Error);
  EXPECT_THROW(sources("gen:random?rows=30:10"), Error);
  EXPECT_THROW(sources(""), Error);
}

TEST_F(SweepFolders, TheTableHasARowForEachProduct) {
  Sweep sweep(plan(), catalog());
  StoredSweep stored;
  stored.ids.resize(6), stored.records.resize(6), stored.by.resize(6);
  stored.records[0] = std::make_shared<const RunRecord>(record_of(sweep.cells()[0]));
  sweep.finish(0, *stored.records[0], 0.25);
  sweep.fail(1, "too wide, sadly");
  const std::string text = table_of(sweep, stored, catalog());
  EXPECT_EQ(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')), 7u);
  EXPECT_NE(text.find("time [us],rate [GFLOP/s],minimum bytes [B]"), std::string::npos) << text;
  EXPECT_NE(text.find(",done,,12.5,"), std::string::npos) << text;
  EXPECT_NE(text.find(",failed,\"too wide, sadly\",,"), std::string::npos) << text;
  EXPECT_NE(text.find(",coop,"), std::string::npos) << text;
}

}  // namespace
}  // namespace warpspy
