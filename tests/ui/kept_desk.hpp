// A folder with a matrix, a history and the place of a desk: for tests of what comes back.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "core/base/target.hpp"
#include "tests/ui/support.hpp"
#include "ui/services/desk/desk_state.hpp"

namespace warpspy::ui {

namespace fs = std::filesystem;

class KeptDesk : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("warpspy_ui_desk_" + std::to_string(getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    write_matrix("a.mtx", 5);
  }
  void TearDown() override {
    std::error_code ignored;
    fs::permissions(folder_ / "desk", fs::perms::owner_all, ignored);
    fs::remove_all(folder_);
  }
  std::string at(const std::string& name) const { return (folder_ / name).string(); }
  // A diagonal of n, of value 1.
  void write_matrix(const std::string& name, int n) const {
    std::string text = "%%MatrixMarket matrix coordinate real general\n" + std::to_string(n) + " " + std::to_string(n) +
                       " " + std::to_string(n) + "\n";
    for (int k = 1; k <= n; ++k) text += std::to_string(k) + " " + std::to_string(k) + " 1\n";
    write_file(at(name), text);
  }
  SessionOptions options(bool fresh = false) const {
    SessionOptions o = Harness::quiet();
    o.desk = at("desk");
    o.history = at("runs.sqlite");
    o.preferences = at("preferences.json");
    o.autosave_s = 0;
    o.fresh = fresh;
    return o;
  }
  static int warnings(const Harness& h) {
    return static_cast<int>(std::count_if(h.state().messages.begin(), h.state().messages.end(),
                                          [](const Message& m) { return m.kind != Message::Kind::note; }));
  }
  static bool says(const Harness& h, const std::string& words) {
    return std::any_of(h.state().messages.begin(), h.state().messages.end(),
                       [&](const Message& m) { return m.text.find(words) != std::string::npos; });
  }
  // Two matrices and one made of the second, two runs, and a view that is not the first one.
  static void arrange(Harness& h, const std::string& file) {
    h.settle();
    h.open(file);
    h.open("gen:laplace5?nx=20&ny=20");
    h.session.apply(Reorder{"rcm", {}, {}});
    h.settle();
    h.session.apply(SelectMatrix{h.state().matrices[1].id});
    h.session.apply(SetParam{SetParam::Of::kernel, "coop", 16});
    h.session.apply(choose("precision", Precision::f64));
    for (int k = 0; k < 2; ++k) {
      h.session.apply(StartRun{});
      h.settle();
    }
    h.session.apply(CompareRuns{{h.state().runs.all()[0]->id, h.state().runs.all()[1]->id}});
    h.session.apply(SetNote{h.state().runs.all()[0]->id, "the good one"});
    h.session.apply(SetCamera{h.state().selected, go_to(Camera{}, 7, 8, 20)});
    h.session.apply(SetHighlight{4, 6});
    h.session.apply(StartTuning{});
    h.settle();
    h.session.apply(StartAnalysis{});
    h.settle();
    h.session.apply(ShowTab{"runs"});
    h.settle();
  }
  fs::path folder_;
};

}  // namespace warpspy::ui
