// The file of all runs: what comes back, what is found, and what happens to a file that is damaged, newer or in the
// way.
#include "core/run/history.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <thread>
#include <utility>

#include "core/run/run_name.hpp"
#include "core/run/store.hpp"

namespace warpspy {
namespace {

namespace fs = std::filesystem;

// A folder of this test alone, gone at its end.
struct Folder {
  fs::path path = fs::path(::testing::TempDir()) / ("warpspy_runs_" + std::to_string(::getpid()) + "_" +
                                                    ::testing::UnitTest::GetInstance()->current_test_info()->name());
  Folder() {
    fs::remove_all(path);
    fs::create_directories(path);
  }
  ~Folder() {
    std::error_code ignored;
    fs::permissions(path, fs::perms::owner_all, ignored);
    fs::remove_all(path, ignored);
  }
  std::string file(const char* name = "runs.sqlite") const { return (path / name).string(); }
};

RunRecord run(const char* matrix, const char* kernel, Precision precision = Precision::f32, double us = 10,
              const char* device = "sim:h200") {
  RunRecord r;
  r.started = "2026-11-21T10:00:00Z";
  r.request.matrix = std::string("/data/") + matrix + ".mtx";
  r.request.kernel = kernel;
  r.request.params = {{"coop", 8}};
  r.request.precision = precision;
  r.request.device = "auto";
  r.status = RunStatus::ok;
  r.matrix_name = matrix;
  r.rows = r.cols = 100, r.nnz = 500;
  r.kernel_label = "a kernel";
  r.format = "csr";
  r.device = device, r.device_name = "NVIDIA H200";
  r.provenance = Provenance::modelled;
  r.time = {us, "us", Provenance::modelled};
  r.gflops = {1e-3 * 2 * 500 / us, "GFLOP/s", Provenance::modelled};
  r.counters = {{"dram_bytes", 4711.0, "B", Provenance::modelled, "", ""},
                {"l2_bytes", std::nullopt, "B", Provenance::modelled, "no L2", "none"}};
  return r;
}

std::vector<std::uint64_t> ids_of(const HistoryPage& page) {
  std::vector<std::uint64_t> ids;
  for (const SavedRun& k : page.runs) ids.push_back(k.record->id);
  return ids;
}

TEST(History, CountersMayComeAfterTheTime) {
  const Folder folder;
  History h(folder.file());
  RunRecord r = run("cant", "csr_vector");
  const std::vector<Counter> late = std::exchange(r.counters, {});
  ASSERT_NE(h.add(r), 0u);
  h.set_note(r.id, "kept");
  r.counters = late;
  h.replace(r);
  EXPECT_EQ(h.find({}).total, 1u);
  const auto back = h.get(r.id);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->note, "kept");
  ASSERT_TRUE(back->record->counter("dram_bytes"));
  EXPECT_EQ(back->record->counter("dram_bytes")->value, 4711.0);
  EXPECT_TRUE(h.problems().empty());
  // Another run in its place is found as what it is.
  RunRecord other = run("cant", "ell");
  other.id = r.id;
  EXPECT_TRUE(h.replace(other));
  const auto runs_of = [&](const char* kernel) {
    HistoryQuery q;
    q.kernel = kernel;
    return h.find(q).total;
  };
  EXPECT_EQ(runs_of("csr_vector"), 0u);
  EXPECT_EQ(runs_of("ell"), 1u);
  // Removed meanwhile: it does not come back.
  h.remove({r.id});
  EXPECT_FALSE(h.replace(r));
  EXPECT_EQ(h.find({}).total, 0u);
}

TEST(History, GivesBackWhatItTook) {
  const Folder folder;
  RunRecord r = run("cant", "csr_vector", Precision::f64);
  {
    History h(folder.file());
    EXPECT_EQ(h.add(r), 1u);
    EXPECT_EQ(r.id, 1u);
    h.set_note(1, "before the cache fix");
  }
  History again(folder.file());
  const auto kept = again.get(1);
  ASSERT_TRUE(kept);
  EXPECT_EQ(to_json(*kept->record), to_json(r));
  EXPECT_EQ(kept->note, "before the cache fix");
  EXPECT_NE(kept->session, again.session());
  EXPECT_FALSE(again.get(2));
  EXPECT_TRUE(again.problems().empty());
}

TEST(History, NumbersAreNeverGivenTwice) {
  const Folder folder;
  RunRecord r = run("a", "k");
  {
    History h(folder.file());
    for (int k = 0; k < 3; ++k) h.add(r);
    h.remove({3});
  }
  History h(folder.file());
  EXPECT_EQ(h.add(r), 4u);
  h.remove({1, 99});
  EXPECT_EQ(ids_of(h.find({})), (std::vector<std::uint64_t>{4, 2}));
  EXPECT_THROW(h.set_note(1, "gone"), Error);
}

TEST(History, KeepsFailuresAndRelativePathsAbsolute) {
  History h("");
  RunRecord r = run("cant", "csr_vector");
  r.request.matrix = "folder/../cant.mtx";
  r.status = RunStatus::failed;
  r.error = "too large";
  r.device.clear();
  h.add(r);
  EXPECT_EQ(r.request.matrix, "folder/../cant.mtx") << "the session's own record is left as it was";
  const auto kept = h.get(1);
  EXPECT_EQ(kept->record->request.matrix, (fs::current_path() / "cant.mtx").string());
  EXPECT_EQ(kept->record->error, "too large");
  EXPECT_EQ(absolute_source("gen:laplace5?nx=3"), "gen:laplace5?nx=3");
}

TEST(History, Filters) {
  History h("");
  RunRecord list[] = {run("cant", "csr_vector"), run("cant", "ell", Precision::f64), run("rail4284", "csr_vector"),
                      run("100%_sure", "coo", Precision::f32, 5, "cuda:0")};
  list[2].started = "2026-11-22T09:00:00Z";
  list[3].started = "2026-12-01T09:00:00Z";
  for (RunRecord& r : list) h.add(r);
  h.set_note(2, "Wide rows");
  struct Case {
    const char* what;
    HistoryQuery query;
    std::vector<std::uint64_t> ids;
  };
  const auto query = [](auto&& set) {
    HistoryQuery q;
    set(q);
    return q;
  };
  const Case cases[] = {
      {"everything", {}, {4, 3, 2, 1}},
      {"kernel", query([](auto& q) { q.kernel = "csr_vector"; }), {3, 1}},
      {"part of a kernel is none", query([](auto& q) { q.kernel = "csr"; }), {}},
      {"matrix", query([](auto& q) { q.matrix = "CANT"; }), {2, 1}},
      {"path", query([](auto& q) { q.matrix = "/data/rail"; }), {3}},
      {"device", query([](auto& q) { q.device = "h200"; }), {4, 3, 2, 1}},
      {"device id", query([](auto& q) { q.device = "cuda:0"; }), {4}},
      {"precision", query([](auto& q) { q.precision = Precision::f64; }), {2}},
      {"a word of a note", query([](auto& q) { q.text = "wide"; }), {2}},
      {"two words in any order", query([](auto& q) { q.text = "vector cant"; }), {1}},
      {"percent is no wildcard", query([](auto& q) { q.text = "0%_s"; }), {4}},
      {"nor is the underscore", query([](auto& q) { q.text = "csr_v"; }), {3, 1}},
      {"nothing", query([](auto& q) { q.text = "no_such"; }), {}},
      {"a quote is only a quote", query([](auto& q) { q.text = "' OR 1=1 --"; }), {}},
      {"since a month", query([](auto& q) { q.since = "2026-12"; }), {4}},
      {"since a day", query([](auto& q) { q.since = "2026-11-22"; }), {4, 3}},
      {"this session", query([&](auto& q) { q.session = h.session(); }), {4, 3, 2, 1}},
      {"another session", query([](auto& q) { q.session = "x"; }), {}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const HistoryPage page = h.find(c.query);
    EXPECT_EQ(ids_of(page), c.ids);
    EXPECT_EQ(page.total, c.ids.size());
    if (!c.query.session.empty()) continue;
    // The same filters on records in memory.
    for (const SavedRun& k : h.find({}).runs)
      EXPECT_EQ(matches(c.query, *k.record, k.note), std::count(c.ids.begin(), c.ids.end(), k.record->id) > 0)
          << k.record->id;
  }
  HistoryQuery two;
  two.limit = 2;
  EXPECT_EQ(ids_of(h.find(two)), (std::vector<std::uint64_t>{4, 3})) << "the newest";
  EXPECT_EQ(h.find(two).total, 4u);
  EXPECT_EQ(h.words().kernels, (std::vector<std::string>{"coo", "csr_vector", "ell"}));
  EXPECT_EQ(h.words().matrices, (std::vector<std::string>{"100%_sure", "cant", "rail4284"}));
}

RC_GTEST_PROP(History, AnyTextComesBack, (const std::string& text)) {
  History h("");
  RunRecord r = run("m", "k");
  h.add(r);
  std::string note = text;
  std::erase(note, '\0');
  h.set_note(1, note);
  RC_ASSERT(h.get(1)->note == note);
}

TEST(History, TwoProgramsWriteAtOnce) {
  const Folder folder;
  constexpr int each = 40;
  std::vector<std::uint64_t> ids[2];
  const auto work = [&](int who) {
    History h(folder.file());
    for (int k = 0; k < each; ++k) {
      RunRecord r = run("cant", who == 0 ? "first" : "second");
      ids[who].push_back(h.add(r));
      if (k % 10 == 0) h.find({});
    }
    EXPECT_TRUE(h.problems().empty());
  };
  std::thread a(work, 0), b(work, 1);
  a.join();
  b.join();
  std::set<std::uint64_t> all(ids[0].begin(), ids[0].end());
  all.insert(ids[1].begin(), ids[1].end());
  EXPECT_EQ(all.size(), 2u * each);
  EXPECT_EQ(all.count(0), 0u);
  History h(folder.file());
  HistoryQuery first;
  first.kernel = "first";
  EXPECT_EQ(h.find(first).total, static_cast<std::size_t>(each));
}

std::vector<std::string> set_aside(const Folder& folder) {
  std::vector<std::string> found;
  for (const auto& e : fs::directory_iterator(folder.path))
    if (e.path().filename().string().find(".damaged-") != std::string::npos) found.push_back(e.path().string());
  return found;
}

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(History, ADamagedFileIsSetAsideAndKept) {
  const Folder folder;
  const std::string text(1000, '\0');  // as a machine that lost power leaves it
  std::ofstream(folder.file()) << text;
  History h(folder.file());
  RunRecord r = run("cant", "k");
  EXPECT_EQ(h.add(r), 1u);
  const auto problems = h.problems();
  ASSERT_EQ(problems.size(), 1u);
  const auto aside = set_aside(folder);
  ASSERT_EQ(aside.size(), 1u);
  EXPECT_EQ(bytes_of(aside[0]), text);
  EXPECT_NE(problems[0].remedy.find(aside[0]), std::string::npos) << problems[0].what();
  EXPECT_TRUE(h.problems().empty()) << "told once";
  EXPECT_EQ(History(folder.file()).find({}).total, 1u) << "the new file works";
}

// WARPSPY_RUNS may name anything: what is not ours is told, and stays as it is.
TEST(History, AFileOfTheUsersIsLeftAlone) {
  struct Case {
    const char* name;
    std::string bytes;
  };
  const Case cases[] = {
      {"a text", "dear diary\n"},
      {"a long text", "as long as the header of a database: " + std::string(900, 'x')},
      {"another program's database, cut", std::string("SQLite format 3\0", 16) + "...CREATE TABLE mails (subject)"},
  };
  for (const Case& c : cases) {
    const Folder folder;
    std::ofstream(folder.file(), std::ios::binary) << c.bytes;
    History h(folder.file());
    RunRecord r = run("cant", "k");
    EXPECT_EQ(h.add(r), 1u) << c.name;
    const auto problems = h.problems();
    ASSERT_EQ(problems.size(), 1u) << c.name;
    EXPECT_NE(problems[0].reason.find("left alone"), std::string::npos) << problems[0].what();
    EXPECT_EQ(bytes_of(folder.file()), c.bytes) << c.name;
    EXPECT_TRUE(set_aside(folder).empty()) << c.name;
  }
}

TEST(History, IsForTheUsersEyesAlone) {
  const Folder folder;
  RunRecord r = run("cant", "k");
  History h(folder.file());
  h.add(r);
  for (const auto& e : fs::directory_iterator(folder.path))
    EXPECT_EQ(e.status().permissions() & (fs::perms::group_all | fs::perms::others_all), fs::perms::none) << e.path();
}

TEST(History, AFileThatWasCutShortIsSetAside) {
  const Folder folder;
  {
    History h(folder.file());
    for (int k = 0; k < 200; ++k) {
      RunRecord r = run("cant", "k");
      h.add(r);
    }
  }
  fs::resize_file(folder.file(), fs::file_size(folder.file()) / 3);
  History h(folder.file());
  RunRecord r = run("cant", "k");
  EXPECT_GT(h.add(r), 0u);
  EXPECT_EQ(h.find({}).total, 1u);
  EXPECT_EQ(h.problems().size(), 1u);
  EXPECT_EQ(set_aside(folder).size(), 1u);
}

void execute(const std::string& path, const char* sql) {
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &db), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(db, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
  sqlite3_close(db);
}

TEST(History, ANewerFileIsLeftAlone) {
  const Folder folder;
  RunRecord r = run("cant", "k");
  {
    History h(folder.file());
    h.add(r);
  }
  execute(folder.file(), "PRAGMA user_version = 999; ALTER TABLE runs RENAME TO other;");
  const std::string before = bytes_of(folder.file());
  {
    History h(folder.file());
    EXPECT_EQ(h.add(r), 1u) << "a file of its own";
    EXPECT_EQ(h.path(), folder.file("runs-3.sqlite"));
    const auto problems = h.problems();
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_NE(std::string(problems[0].what()).find("newer"), std::string::npos);
  }
  EXPECT_EQ(bytes_of(folder.file()), before);
  History again(folder.file());
  EXPECT_EQ(again.find({}).total, 1u) << "and found there the next time";
}

TEST(History, AVersionBelowZeroIsAnotherProgramsFile) {
  const Folder folder;
  RunRecord r = run("cant", "k");
  History(folder.file()).add(r);
  execute(folder.file(), "PRAGMA user_version = -3");
  const std::string before = bytes_of(folder.file());
  History h(folder.file());
  h.add(r);
  EXPECT_NE(h.path(), folder.file());
  EXPECT_EQ(h.problems().size(), 1u);
  EXPECT_EQ(bytes_of(folder.file()), before);
}

TEST(History, AnotherProgramsDatabaseIsNotTouched) {
  const Folder folder;
  execute(folder.file(), "CREATE TABLE bookmarks (url TEXT);");
  const std::string before = bytes_of(folder.file());
  History h(folder.file());
  RunRecord r = run("cant", "k");
  EXPECT_EQ(h.add(r), 1u) << "in memory";
  EXPECT_EQ(h.path(), "");
  EXPECT_EQ(h.problems().size(), 1u);
  EXPECT_EQ(bytes_of(folder.file()), before);
}

TEST(History, WithoutAPlaceToWriteItGoesOnInMemory) {
  const Folder folder;
  // A file where the folder should be: nobody can write there, not even root.
  std::ofstream(folder.file("taken")) << "x";
  History h(folder.file("taken") + "/warpspy/runs.sqlite");
  RunRecord r = run("cant", "k");
  EXPECT_EQ(h.add(r), 1u);
  EXPECT_EQ(h.find({}).total, 1u);
  EXPECT_EQ(h.path(), "");
  const auto problems = h.problems();
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_FALSE(problems[0].remedy.empty() && problems[0].reason.empty());
  h.add(r);
  EXPECT_TRUE(h.problems().empty()) << "said once";
}

TEST(History, AReadOnlyFolder) {
  const Folder folder;
  fs::permissions(folder.path,
                  fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read | fs::perms::others_exec);
  // Root may write everywhere: as nobody, then.
  const uid_t me = ::geteuid();
  if (me == 0) {
    ASSERT_EQ(::seteuid(65534), 0);
  }
  History h(folder.file());
  RunRecord r = run("cant", "k");
  EXPECT_EQ(h.add(r), 1u);
  EXPECT_EQ(h.path(), "");
  EXPECT_EQ(h.problems().size(), 1u);
  ASSERT_EQ(::seteuid(me), 0);
}

// Files that can grow no more: what a full disk does.
TEST(History, AFullDiskLosesNothingAndIsSaidOnce) {
  const Folder folder;
  History h(folder.file());
  RunRecord small = run("cant", "k");
  ASSERT_EQ(h.add(small), 1u);
  RunRecord large = run("cant", "k");
  large.notes = {std::string(1 << 20, 'n')};
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit before = {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit full = {1 << 18, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &full), 0);
  EXPECT_EQ(h.add(large), 0u);
  EXPECT_EQ(h.add(large), 0u);
  EXPECT_EQ(h.problems().size(), 1u);
  EXPECT_EQ(h.find({}).total, 1u) << "what was there can be read";
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_GT(h.add(large), 0u) << "room again: it goes on";
  EXPECT_EQ(h.find({}).total, 2u);
}

TEST(History, PathComesFromTheEnvironment) {
  const auto with = [](const char* runs, const char* data, const char* home) {
    const auto set = [](const char* name, const char* v) { v ? ::setenv(name, v, 1) : ::unsetenv(name); };
    set("WARPSPY_RUNS", runs), set("XDG_DATA_HOME", data), set("HOME", home);
    return history_path();
  };
  const char* home = std::getenv("HOME");
  const std::string real_home = home ? home : "";
  EXPECT_EQ(with("off", "/d", "/h"), "");
  EXPECT_EQ(with("/x/mine.sqlite", "/d", "/h"), "/x/mine.sqlite");
  EXPECT_EQ(with(nullptr, "/d", "/h"), "/d/warpspy/runs.sqlite");
  EXPECT_EQ(with(nullptr, "relative", "/h"), "/h/.local/share/warpspy/runs.sqlite");
  EXPECT_EQ(with(nullptr, nullptr, "/h"), "/h/.local/share/warpspy/runs.sqlite");
  EXPECT_EQ(with(nullptr, nullptr, nullptr), "");
  with("off", nullptr, real_home.empty() ? nullptr : real_home.c_str());
}

TEST(Repeat, SaysTheDeviceAndWhenTheMatrixIsAnother) {
  RunRecord r = run("cant", "k");
  EXPECT_EQ(repeat_request(r).device, "sim:h200") << "not auto, which may choose another";
  EXPECT_EQ(repeat_request(r).params, r.request.params);
  r.request.live = true;
  EXPECT_FALSE(repeat_request(r).live);
  EXPECT_EQ(why_not_the_same(r, 100, 100, 500), "");
  EXPECT_NE(why_not_the_same(r, 100, 100, 501).find("501 entries"), std::string::npos);
}

TEST(Store, NumbersOfAHistoryAreKept) {
  RunStore store(kUnsaved);
  RunRecord kept;
  kept.id = 17;
  EXPECT_EQ(store.add(kept)->id, 17u);
  EXPECT_EQ(store.add({})->id, kUnsaved);
}

TEST(RunName, StaysWhateverIsLearntLaterAndWhereverTheRunIs) {
  RunRecord r = run("cant", "csr_vector");
  r.started = "2026-11-27T10:00:00.123Z";
  const std::string name = run_name(r);
  EXPECT_EQ(name.size(), 7u);
  EXPECT_EQ(name, run_name(record_from_json(to_json(r))));
  RunRecord later = r;
  later.id = 99, later.time.value *= 2, later.request.depth = Depth::whole, later.request.live = true;
  later.request.matrix = "/elsewhere/cant.mtx", later.counters.clear();
  EXPECT_EQ(run_name(later), name);
  RunRecord other = r;
  other.request.params["coop"] = 16;
  EXPECT_NE(run_name(other), name);
  other = r, other.started = "2026-11-27T10:00:00.124Z";
  EXPECT_NE(run_name(other), name);
  r.id = 17;
  EXPECT_EQ(run_title(r), "17 " + name);
  EXPECT_EQ(run_number(r), "17");
  r.id = kUnsaved + 2;
  EXPECT_EQ(run_title(r), name) << "a number of this window alone says nothing to others";
  EXPECT_EQ(run_number(r), name);
}

TEST(History, FindsRunsByTheirNames) {
  const Folder folder;
  History h(folder.file());
  RunRecord a = run("cant", "csr_vector"), b = run("cant", "ell");
  h.add(a), h.add(b);
  ASSERT_TRUE(h.named(run_name(a)));
  EXPECT_EQ(h.named(run_name(a))->record->id, a.id);
  EXPECT_FALSE(h.named("zzzzzzz"));
  RunRecord from_elsewhere = b;
  from_elsewhere.id = 4711;
  ASSERT_TRUE(h.same(from_elsewhere));
  EXPECT_EQ(h.same(from_elsewhere)->record->id, b.id);
  EXPECT_FALSE(h.same(run("cant", "hyb")));
  // What is measured again of a run began when it began.
  RunRecord again = a;
  again.started = "2027-01-01T00:00:00Z";
  EXPECT_TRUE(h.replace(again));
  EXPECT_EQ(run_name(*h.get(a.id)->record), run_name(a));
}

TEST(History, ADroppedRunsNumberIsNeverGivenAgain) {
  const Folder folder;
  History h(folder.file());
  RunRecord a = run("cant", "csr_vector"), b = run("cant", "csr_vector");
  h.add(a);
  EXPECT_TRUE(h.drop(a.id));
  EXPECT_FALSE(h.drop(a.id));
  h.add(b);
  EXPECT_GT(b.id, a.id);
  h.set_note(b.id, "mine");
  EXPECT_FALSE(h.drop(b.id)) << "somebody wrote a note to it";
}

// What was taken over from choices.json has no source, and is all that is known of its matrices.
TEST(History, OfTrialsTheNewestStayAndWhatWasTakenOver) {
  History history("");
  RunRecord choice, trial;
  choice.purpose = trial.purpose = Purpose::trial;
  trial.request.matrix = "gen:a";
  const std::uint64_t taken_over = history.add(choice), first = history.add(trial);
  for (std::int64_t k = 0; k < kMostTrials; ++k) history.add(trial);
  EXPECT_TRUE(history.get(taken_over));
  EXPECT_FALSE(history.get(first));
  HistoryQuery q;
  q.trials = true, q.limit = 1;
  EXPECT_EQ(history.find(q).total, static_cast<std::size_t>(kMostTrials) + 1);
}

}  // namespace
}  // namespace warpspy
