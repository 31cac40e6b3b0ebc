// A stranger's folder that says it is a sweep: whatever is done with it, nothing outside changes. The next attack is a
// line of the table.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>

#include "core/sweep/folder.hpp"
#include "core/sweep/stored.hpp"
#include "tests/unit/sweep/samples.hpp"

namespace warpspy {
namespace {

namespace fs = std::filesystem;
using samples::catalog;
using samples::plan;

constexpr const char* kOfAnother = "0123456789abcdef0123456789abcdef";

void put(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }
std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// A sweep that has run lies at `sweep`; what must not change in `home`.
struct Attack {
  const char* name;
  void (*lay)(const fs::path& sweep, const fs::path& home);
  const char* reading;  // what looking at it is refused with; "": it is not
  const char* running;  // and going on with it
};
void in_place_of(const fs::path& name, const fs::path& target) {
  fs::remove_all(name);
  fs::create_symlink(target, name);
}
void pipe_at(const fs::path& name) {
  fs::remove_all(name);
  ASSERT_EQ(::mkfifo(name.c_str(), 0600), 0);
}
std::string a_cell(const fs::path& sweep) { return fs::directory_iterator(sweep / "cells")->path(); }

constexpr const char* kNone = "there is no sweep in this folder";
constexpr const char* kOthers = "other files in it";
constexpr const char* kLink = "no plain file";
const Attack kAttacks[] = {
    {"table.csv is a link", [](auto& s, auto& h) { in_place_of(s / "table.csv", h / "profile"); }, "", ""},
    {"table.csv is a link to nothing", [](auto& s, auto& h) { in_place_of(s / "table.csv", h / "new"); }, "", ""},
    {"table.csv is a folder",
     [](auto& s, auto&) { fs::remove(s / "table.csv"), fs::create_directory(s / "table.csv"); }, "", ""},
    {"table.csv is a pipe", [](auto& s, auto&) { pipe_at(s / "table.csv"); }, "", ""},
    {"what is renamed to table.csv is a link",
     [](auto& s, auto& h) { in_place_of(s / ("table.csv." + std::to_string(::getpid()) + ".part"), h / "profile"); },
     "", ""},
    {"lock is a link", [](auto& s, auto& h) { in_place_of(s / "lock", h / "number"); }, kLink, kLink},
    {"lock is a link to nothing", [](auto& s, auto& h) { in_place_of(s / "lock", h / "new"); }, kLink, kLink},
    {"lock is another name of a file",
     [](auto& s, auto& h) { fs::remove(s / "lock"), fs::create_hard_link(h / "number", s / "lock"); }, "", kLink},
    {"lock is a pipe", [](auto& s, auto&) { pipe_at(s / "lock"); }, kLink, kLink},
    {"lock has other words in it", [](auto& s, auto&) { put(s / "lock", "dear diary"); }, "", "no lock of a sweep"},
    {"matrices.json is a link", [](auto& s, auto& h) { in_place_of(s / "matrices.json", h / "profile"); }, kLink,
     kLink},
    {"matrices.json is a pipe", [](auto& s, auto&) { pipe_at(s / "matrices.json"); }, kLink, kLink},
    {"sweep.json is a link", [](auto& s, auto& h) { in_place_of(s / "sweep.json", h / "plan.json"); }, kNone, kOthers},
    {"sweep.json is a pipe", [](auto& s, auto&) { pipe_at(s / "sweep.json"); }, kNone, kOthers},
    {"sweep.json is no plan", [](auto& s, auto&) { put(s / "sweep.json", "[1]"); }, "", "sweep"},
    {"there is no sweep.json", [](auto& s, auto&) { fs::remove(s / "sweep.json"); }, kNone, kOthers},
    {"there is no cells", [](auto& s, auto&) { fs::remove_all(s / "cells"); }, kNone, kOthers},
    {"cells is a link", [](auto& s, auto& h) { in_place_of(s / "cells", h); }, kNone, kOthers},
    {"a cell is a link", [](auto& s, auto& h) { in_place_of(a_cell(s), h / "profile"); }, "", ""},
    {"a cell is a pipe", [](auto& s, auto&) { pipe_at(a_cell(s)); }, "", ""},
    {"a cell of another product is a link",
     [](auto& s, auto& h) { in_place_of(s / "cells" / (std::string(kOfAnother) + ".json"), h / "profile"); }, "", ""},
    {"what a killed program began is a link",
     [](auto& s, auto& h) { in_place_of(s / "cells" / (std::string(kOfAnother) + ".json.7.part"), h / "profile"); }, "",
     ""},
};

class StrangersSweeps : public testing::TestWithParam<Attack> {
 protected:
  void SetUp() override {
    fs::remove_all(root_);
    fs::create_directories(home_);
    put(home_ / "profile", "mine\n");
    put(home_ / "number", "42\n");
    put(home_ / "plan.json", to_json(plan()));
    put(home_ / (std::string(kOfAnother) + ".json.1.part"), "mine\n");
    SweepFolder folder(sweep_.string(), SweepFolder::For::running);
    folder.write_plan(plan());
    folder.folder().write("table.csv", "matrix\n");
    Progress progress;
    const Sweep sweep(plan(), catalog());
    for (const SweepCell& c : sweep.cells())
      folder.write({folder.id_of(c, progress), samples::here, {}, 0.5, samples::record_of(c)});
  }
  void TearDown() override { fs::remove_all(root_); }
  std::map<std::string, std::string> home() const {
    std::map<std::string, std::string> files;
    for (const auto& e : fs::recursive_directory_iterator(home_)) files[e.path()] = text_of(e.path());
    return files;
  }
  // All that a sweep does in its folder, a failure not hindering what comes after. What opening it was refused with.
  std::string do_all(SweepFolder::For use) const {
    const auto tried = [](const std::function<void()>& what) {
      try {
        what();
      } catch (const Error& e) {
        return std::string(e.what());
      }
      return std::string();
    };
    return tried([&] {
      SweepFolder folder(sweep_.string(), use);
      Sweep sweep(plan(), catalog());
      Progress progress;
      tried([&] { take_in(sweep, folder, progress); });
      tried([&] { folder.folder().write("table.csv", "matrix\n"); });
      if (use == SweepFolder::For::reading) return;
      tried([&] { folder.write_plan(plan()); });
      tried([&] { folder.keep_hashes(); });
      for (const SweepCell& c : sweep.cells())
        tried([&] { folder.write({folder.id_of(c, progress), samples::here, {}, 0.5, samples::record_of(c)}); });
    });
  }

  const fs::path root_ = fs::path(testing::TempDir()) / ("warpspy_attacks_" + std::to_string(::getpid()));
  const fs::path sweep_ = root_ / "sweep", home_ = root_ / "home";
};

TEST_P(StrangersSweeps, ChangeNothingElse) {
  GetParam().lay(sweep_, home_);
  const auto before = home();
  const auto expect = [](const std::string& refused, const std::string& says) {
    EXPECT_EQ(refused.empty(), says.empty()) << refused;
    EXPECT_NE(refused.find(says), std::string::npos) << refused;
  };
  expect(do_all(SweepFolder::For::reading), GetParam().reading);
  EXPECT_EQ(home(), before);
  expect(do_all(SweepFolder::For::running), GetParam().running);
  EXPECT_EQ(home(), before);
}

INSTANTIATE_TEST_SUITE_P(All, StrangersSweeps, testing::ValuesIn(kAttacks), [](const auto& tested) {
  std::string name = tested.param.name;
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
});

// A folder with something of the user's in it becomes no sweep, and what lies there stays.
TEST(FoldersOfUsers, BecomeNoSweeps) {
  const fs::path root = fs::path(testing::TempDir()) / ("warpspy_users_" + std::to_string(::getpid()));
  const std::vector<std::string> each[] = {
      {"table.csv", "cells/"}, {"table.csv", "sweep.json"}, {"matrices.json"}, {"cells/", "matrices.json"}, {"lock"},
  };
  for (const auto& names : each) {
    fs::remove_all(root);
    fs::create_directories(root);
    for (const std::string& n : names) {
      if (n.ends_with('/'))
        fs::create_directory(root / n);
      else
        put(root / n, n == "sweep.json" ? to_json(plan()) : "mine");
    }
    EXPECT_THROW(SweepFolder(root.string(), SweepFolder::For::running), Error) << names.front();
    EXPECT_THROW(SweepFolder(root.string(), SweepFolder::For::reading), Error) << names.front();
    for (const std::string& n : names)
      if (!n.ends_with('/') && n != "sweep.json") {
        EXPECT_EQ(text_of(root / n), "mine") << n;
      }
  }
  fs::remove_all(root);
}

// What was killed before it had run anything goes on.
TEST(FoldersOfUsers, WhatOnlyBeganGoesOn) {
  const fs::path root = fs::path(testing::TempDir()) / ("warpspy_begun_" + std::to_string(::getpid()));
  fs::remove_all(root);
  {
    const SweepFolder folder(root.string(), SweepFolder::For::running);
  }
  SweepFolder folder(root.string(), SweepFolder::For::running);
  folder.write_plan(plan());
  EXPECT_EQ(folder.plan(), plan());
  fs::remove_all(root);
}

}  // namespace
}  // namespace warpspy
