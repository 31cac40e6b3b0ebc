// A sweep that is divided among the tasks of a cluster: what they write, and how it comes back.
#include "core/sweep/tasks.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <string>

#include "core/run/history.hpp"
#include "core/sweep/nodes.hpp"
#include "core/sweep/slurm.hpp"
#include "tests/unit/sweep/samples.hpp"

namespace warpspy {
namespace {

namespace fs = std::filesystem;

using samples::catalog, samples::here, samples::plan, samples::record_of;

std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& e) {
    return e.reason;
  }
  return "nothing";
}

class SweepTasks : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(root_);
    folder_.emplace(root_.string(), SweepFolder::For::running);
    folder_->write_plan(plan());
    stored_ = take_in(sweep_, *folder_, progress_);
    list_.program = here.program;
    add_tasks(list_, stored_.ids, 2);
    write_tasks(*folder_, list_);
  }
  void TearDown() override { fs::remove_all(root_); }

  StoredCell cell(std::size_t k, double us = 12.5) const {
    RunRecord r = record_of(sweep_.cells()[k], us);
    r.id = 0;
    return {stored_.ids[k], here, {}, 0.5, r};
  }
  StoredCell failed(std::size_t k) const {
    StoredCell c = cell(k);
    c.record.status = RunStatus::failed, c.record.error = "no luck";
    return c;
  }
  // An attempt of the task with these cells; its name.
  std::string attempt(std::size_t task, const std::vector<StoredCell>& cells, const char* end = "",
                      const std::string& program = here.program) {
    AttemptWriter writer(*folder_, list_, task, program);
    for (const StoredCell& c : cells) writer.add(c);
    if (end) writer.end(end);
    return writer.name();
  }
  std::string path(const std::string& name) const { return (root_ / name).string(); }
  std::string text(const std::string& name) const {
    std::ifstream in(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  const fs::path root_ = fs::path(testing::TempDir()) / ("warpspy_tasks_" + std::to_string(getpid()));
  Catalog catalog_ = catalog();
  Sweep sweep_ = Sweep(plan(), catalog_);  // two matrices, three products each
  std::optional<SweepFolder> folder_;
  StoredSweep stored_;
  TaskList list_;
  Progress progress_;
};

TEST(SlurmRanges, AreShort) {
  EXPECT_EQ(ranges_text({}), "");
  EXPECT_EQ(ranges_text({4}), "4");
  EXPECT_EQ(ranges_text({0, 1, 2, 3, 7, 9, 10}), "0-3,7,9-10");
}

TEST_F(SweepTasks, HaveEachCellOnceAndKeepThem) {
  ASSERT_EQ(list_.cells.size(), 3u);
  TaskList more = list_;
  std::vector<std::string> ids = stored_.ids;
  ids.insert(ids.begin(), std::string(32, 'a'));
  add_tasks(more, ids, 4);
  ASSERT_EQ(more.cells.size(), 4u);
  EXPECT_EQ(more.cells[3], std::vector<std::string>{std::string(32, 'a')});
  more.cells.pop_back();
  EXPECT_EQ(more, list_);
  EXPECT_EQ(tasks_of(*folder_), list_);
  std::vector<std::string> many(2001);
  for (std::size_t k = 0; k < many.size(); ++k) many[k] = std::to_string(k);
  EXPECT_EQ(usual_chunk(many.size()), 16u);
  EXPECT_EQ(usual_chunk(100'000), 100u);
  EXPECT_NE(refusal([&] { add_tasks(more, many, 2); }).find("1004 tasks"), std::string::npos);
}

TEST_F(SweepTasks, AListOfAStrangerIsNoPath) {
  for (const char* bad : {R"({"warpspy_tasks": 1, "program": "", "jobs": [], "tasks": [["../../x"]]})",
                          R"({"warpspy_tasks": 1, "program": "", "jobs": ["1;rm"], "tasks": []})",
                          R"({"warpspy_tasks": 2, "program": "", "jobs": [], "tasks": []})", "[", "{}"})
    EXPECT_THROW(task_list_from_json(bad, "x"), Error) << bad;
}

TEST_F(SweepTasks, WhatWasCutOffDoesNotCount) {
  const std::string name = attempt(0, {cell(0), cell(1)}, nullptr);
  const std::string whole = text(name);
  const std::size_t second = whole.find('\n', whole.find('\n') + 1) + 1;
  for (std::size_t size = 0; size < whole.size(); size += 97) {
    fs::resize_file(path(name), size);
    const Attempt a = attempts_of(*folder_, list_).at(0);
    EXPECT_EQ(a.cells.size(), size < second ? 0u : 1u) << size;
    EXPECT_FALSE(a.ended);
    const bool at_a_line = size == 0 || whole[size - 1] == '\n';
    EXPECT_EQ(a.remarks.empty(), at_a_line) << size;
    std::ofstream(path(name), std::ios::binary) << whole;
  }
  // A line that somebody changed.
  std::string changed = whole;
  changed.replace(changed.find("csr_scalar"), 10, "csr_vector");
  std::ofstream(path(name), std::ios::binary) << changed;
  const Attempt a = attempts_of(*folder_, list_).at(0);
  EXPECT_EQ(a.cells.size(), 1u);
  ASSERT_EQ(a.remarks.size(), 1u);
  EXPECT_NE(a.remarks[0].find("line 2 does not count: it was changed"), std::string::npos) << a.remarks[0];
}

TEST_F(SweepTasks, TheFirstGoodResultCounts) {
  attempt(0, {failed(0), cell(1, 10)});
  attempt(0, {cell(0, 20), cell(1, 20)});
  attempt(0, {cell(0, 30)});
  const Arrivals all = arrivals_of(attempts_of(*folder_, list_));
  EXPECT_EQ(all.again, 3u);
  EXPECT_EQ(all.cells.at(stored_.ids[0]).record.time.value, 20);
  EXPECT_EQ(all.cells.at(stored_.ids[1]).record.time.value, 10);
}

TEST_F(SweepTasks, ComeInOnceInTheOrderOfTheSweep) {
  attempt(2, {cell(4), cell(5)});
  attempt(0, {cell(0), failed(1)}, "the device was lost");
  History history("");
  const auto in = [&] {
    stored_ = take_in(sweep_, *folder_, progress_);
    return bring_in(arrivals_of(attempts_of(*folder_, list_)), sweep_, stored_, *folder_, &history, progress_);
  };
  EXPECT_EQ(in(), 4u);
  EXPECT_EQ(sweep_.cells()[0].run, 1u);
  EXPECT_EQ(sweep_.cells()[5].run, 4u);
  EXPECT_EQ(sweep_.counts().failed, 1u);
  EXPECT_EQ(in(), 0u);
  // A collection that was stopped after the history and before the file.
  fs::remove(root_ / "cells" / (stored_.ids[4] + ".json"));
  sweep_ = Sweep(plan(), catalog_);
  EXPECT_EQ(in(), 1u);
  EXPECT_EQ(sweep_.cells()[4].run, 3u);
  EXPECT_EQ(history.find({}).total, 4u);
  // A good result takes the place of a failed one, and never the other way round.
  attempt(0, {cell(1), failed(0)});
  EXPECT_EQ(in(), 1u);
  EXPECT_EQ(sweep_.counts().done, 4u);
}

TEST_F(SweepTasks, ThoseThatAreMissingAreNamed) {
  attempt(0, {cell(0), cell(1)});
  attempt(1, {cell(2)}, nullptr);
  const std::vector<Attempt> attempts = attempts_of(*folder_, list_);
  bring_in(arrivals_of(attempts), sweep_, stored_, *folder_, nullptr, progress_);
  const std::vector<std::size_t> missing = unfinished(list_, sweep_, stored_);
  EXPECT_EQ(missing, (std::vector<std::size_t>{1, 2}));
  const auto stands = [&](const std::optional<TaskQueue>& queue) {
    return stands_of(list_, sweep_, stored_, attempts, queue);
  };
  const std::string no_end = "without an end: killed, out of time, or still running";
  EXPECT_EQ(why_unfinished(stands({})), (std::vector<std::string>{"task 2: never began", "task 1: " + no_end}));
  EXPECT_EQ(why_unfinished(stands(TaskQueue{{1, 2}, {}})), (std::vector<std::string>{"tasks 1-2: in the queue"}));
  EXPECT_EQ(stands({}), (std::vector<TaskStand>{{0, TaskState::done, 2, 2, 0, ""},
                                                {1, TaskState::running, 2, 1, 0, no_end},
                                                {2, TaskState::waiting, 2, 0, 0, "never began"}}));
  const auto states = [&](const TaskQueue& queue) {
    std::vector<TaskState> all;
    for (const TaskStand& s : stands(queue)) all.push_back(s.state);
    return all;
  };
  using enum TaskState;
  EXPECT_EQ(states({{}, {}}), (std::vector<TaskState>{done, lacking, lacking}));
  EXPECT_EQ(states({{2}, {1}}), (std::vector<TaskState>{done, running, waiting}));
}

TEST_F(SweepTasks, TellWhichCellRunsAndWhyOthersWait) {
  attempt(0, {failed(0)}, nullptr);
  attempt(1, {cell(2)}, "the device was lost");
  OnNodes n{Sweep(plan(), catalog_)};
  n.list = list_;
  look(n, *folder_, here.program, false, progress_);
  EXPECT_EQ(n.sweep.counts().waiting, 6u) << "nothing came in yet";
  count_arrivals(n);
  const std::vector<TaskStand> stands = stands_of(n.list, n.sweep, n.stored, n.attempts, TaskQueue{{2}, {0}});
  tell_cells(n, stands);
  const auto state = [&](std::size_t k) { return n.sweep.cells()[k].state; };
  EXPECT_EQ(state(0), CellState::failed);
  EXPECT_EQ(state(1), CellState::running);
  EXPECT_EQ(state(2), CellState::done);
  EXPECT_EQ(n.sweep.cells()[3].reason, "task 1: the device was lost");
  EXPECT_EQ(state(4), CellState::waiting);
  EXPECT_EQ(n.sweep.cells()[4].reason, "");
  EXPECT_EQ(command_for(stands[0], "/a b"), "") << "it runs";
  EXPECT_EQ(command_for(stands[1], "/a b"), "warpspy sweep '/a b' --task 1");
  EXPECT_EQ(command_for(stands[2], "/a b"), "");
  EXPECT_EQ(command_for({0, TaskState::done, 2, 1, 1}, "/a"), "warpspy sweep /a --task 0 --retry");
  EXPECT_EQ(command_for({0, TaskState::done, 2, 2, 0}, "/a"), "");
}

TEST_F(SweepTasks, AMarkChangesWithWhatIsWritten) {
  const std::string tasks = path("tasks"), before = mark_of_files(tasks);
  EXPECT_EQ(mark_of_files(tasks), before);
  std::ofstream(path("tasks/3.log")) << "what a task printed";
  EXPECT_EQ(mark_of_files(tasks), before);
  AttemptWriter writer(*folder_, list_, 0, here.program);
  const std::string begun = mark_of_files(tasks);
  EXPECT_NE(begun, before);
  writer.add(cell(0));
  EXPECT_NE(mark_of_files(tasks), begun);
  EXPECT_EQ(mark_of_files(path("nowhere")), "");
}

TEST_F(SweepTasks, OfAnotherSweepOrVersionAreRefused) {
  const std::string name = attempt(0, {cell(0), cell(2)});  // cell 2 is of task 1
  EXPECT_EQ(refusal([&] { attempts_of(*folder_, list_); }), "this file has products of another sweep");
  fs::remove(path(name));
  fs::rename(path(attempt(1, {cell(2)})), path("tasks/0-other.jsonl"));
  EXPECT_EQ(refusal([&] { attempts_of(*folder_, list_); }), "this file is of another sweep");
  fs::remove(path("tasks/0-other.jsonl"));
  attempt(1, {cell(2)}, "", "0.0.1");
  const auto attempts = attempts_of(*folder_, list_);
  EXPECT_NE(refusal([&] { refuse_other_versions(attempts, here.program, "x"); }).find("another version"),
            std::string::npos);
  EXPECT_EQ(refusal([&] { refuse_other_versions(attempts, "0.0.1", "x"); }), "nothing");
}

TEST_F(SweepTasks, OfUnlikeDevicesAreRefused) {
  StoredCell other = cell(1);
  other.by.driver = "13.0";
  Arrivals all;
  all.cells = {{stored_.ids[0], cell(0)}};
  EXPECT_EQ(refusal([&] { refuse_unlike(stored_, all, "x"); }), "nothing");
  all.cells[stored_.ids[1]] = other;
  EXPECT_NE(refusal([&] { refuse_unlike(stored_, all, "x"); }).find("unlike devices"), std::string::npos);
}

TEST(SlurmScripts, AreWrittenAndRefuseWhatWouldBeAnotherOption) {
  JobArray a{"study", "/opt/it's/warpspy", "/data/a b.sweep", {0, 1, 2, 5}, {"--mix"}, "me", "", "gpu:1", "30"};
  EXPECT_EQ(script_of(a),
            "#!/bin/sh\n# A sweep of Warpspy as a job array (docs/sweeps.md).\n#SBATCH --job-name=study\n"
            "#SBATCH --array=0-2,5\n#SBATCH --output=\"/data/a b.sweep/tasks/%a.log\"\n#SBATCH --open-mode=append\n"
            "#SBATCH --account=me\n#SBATCH --gres=gpu:1\n#SBATCH --time=30\n"
            "exec '/opt/it'\\''s/warpspy' sweep '/data/a b.sweep' --task \"$SLURM_ARRAY_TASK_ID\" '--mix'\n");
  a.partition = "x\n#SBATCH --uid=0";
  EXPECT_NE(refusal([&] { script_of(a); }).find("cannot stand in a job script"), std::string::npos);
  a.partition = "";
  a.folder = "/data/\"x";
  EXPECT_NE(refusal([&] { script_of(a); }).find("the folder's name"), std::string::npos);
}

}  // namespace
}  // namespace warpspy
