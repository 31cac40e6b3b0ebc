// The export dialog: a preview, wrong names, files that are there already, the last folder, a full disk.
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/ui/exporting.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

// Into the field of the path, in the place of what stands there.
void type_path(Harness& h, const std::string& words) {
  for (int k = 0; k < 40 && !ImGui::GetIO().WantTextInput; ++k) press(h, {Key::tab});
  ASSERT_TRUE(ImGui::GetIO().WantTextInput);
  press(h, {key('A'), true});
  type(h, words);
}

TEST(Export, AWrongEndingKeepsTheDialogOpenAndSaysSo) {
  const ExportFolder folder;
  Harness h;
  with_run(h);
  h.session.apply(ShowExport{"runs"});
  h.frames(3);
  const std::string svg = folder.file("runs.svg").string();
  type_path(h, svg);
  EXPECT_TRUE(h.shows("Nothing is written as .svg")) << "before anything is pressed";
  press(h, {Key::enter});
  h.settle();
  EXPECT_EQ(h.state().dialog, "export");
  EXPECT_FALSE(fs::exists(svg));
  EXPECT_TRUE(h.shows("use one of .csv, .json"));
  // Mended where it was typed.
  type_path(h, folder.file("runs.csv").string());
  press(h, {Key::enter});
  h.settle();
  EXPECT_EQ(h.state().dialog, "");
  EXPECT_TRUE(fs::exists(folder.file("runs.csv")));
}

TEST(Export, AFolderThatIsNotThereKeepsTheDialogOpen) {
  const ExportFolder folder;
  Harness h;
  h.session.apply(ShowExport{"roofline"});
  h.frames(3);
  h.session.apply(ExportFigure{.what = "roofline", .path = folder.file("no/r.svg").string()});
  h.settle();
  EXPECT_EQ(h.state().dialog, "export");
  EXPECT_NE(h.state().exporting.problem, "");
  EXPECT_TRUE(h.shows("no/r.svg"));
}

TEST(Export, NothingIsWrittenOverUnasked) {
  const ExportFolder folder;
  const fs::path file = folder.file("roofline.svg");
  std::ofstream(file) << "mine";
  Harness h;
  h.session.apply(ShowExport{"roofline"});
  h.frames(3);
  type_path(h, file.string());
  press(h, {Key::enter});
  h.settle();
  EXPECT_EQ(text_of(file), "mine");
  ASSERT_EQ(h.state().dialog, "export");
  EXPECT_TRUE(h.shows("This file exists already."));
  click_on(h, "Write over it");
  h.settle();
  EXPECT_EQ(h.state().dialog, "");
  EXPECT_NE(text_of(file).find("<svg"), std::string::npos);
}

TEST(Export, TheLastFolderIsKept) {
  const ExportFolder folder;
  SessionOptions options = Harness::quiet();
  options.preferences = folder.file("preferences.json").string();
  {
    Harness h(1280, 800, 1, options);
    h.session.apply(ExportFigure{.what = "roofline", .path = folder.file("a.svg").string()});
    h.settle();
    EXPECT_EQ(h.state().exporting.folder, folder.name());
  }
  Harness again(1280, 800, 1, options);
  EXPECT_EQ(again.state().exporting.folder, folder.name());
  again.session.apply(ShowExport{"roofline"});
  again.frames(3);
  press(again, {Key::enter});
  again.settle();
  EXPECT_TRUE(fs::exists(folder.file("roofline.svg")));
}

TEST(Export, ThePreviewIsTheFigureOnItsPage) {
  Harness h;
  with_run(h);
  h.session.apply(ShowExport{"roofline"});
  h.settle();
  ASSERT_TRUE(h.state().exporting.preview);
  EXPECT_EQ(h.state().exporting.preview->width, 900);
  click_on(h, "one column");
  h.settle();
  ASSERT_TRUE(h.state().exporting.preview);
  EXPECT_EQ(h.state().exporting.preview->width, 321) << "85 mm at 96 pixels to an inch";
  EXPECT_TRUE(h.shows("texts of 8 pt"));
  const auto with_title = h.state().exporting.preview->rgba;
  click_on(h, "title");
  h.settle();
  EXPECT_NE(h.state().exporting.preview->rgba, with_title);
}

TEST(Export, APreviewOfWhatFailsSaysWhy) {
  Harness h;
  h.session.apply(PreviewFigure{.what = "histogram"});
  h.settle();
  EXPECT_FALSE(h.state().exporting.preview);
  EXPECT_NE(h.state().exporting.no_preview, "");
}

// While it lives no file grows beyond so many bytes: a full disk.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    ::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit full = {bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &full);
  }
  ~FullDisk() { ::setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_ = {};
};

TEST(Export, AFullDiskKeepsTheDialogOpenAndTheOldFile) {
  const ExportFolder folder;
  const fs::path file = folder.file("roofline.svg");
  std::ofstream(file) << "mine";
  Harness h;
  with_run(h);
  h.session.apply(ShowExport{"roofline"});
  h.settle();
  {
    const FullDisk full(2000);
    h.session.apply(ExportFigure{.what = "roofline", .path = file.string(), .overwrite = true});
    h.settle();
  }
  EXPECT_EQ(h.state().dialog, "export");
  EXPECT_TRUE(h.shows("check the folder and the free space"));
  EXPECT_EQ(text_of(file), "mine");
  for (const bool zip : {false, true}) {
    {
      const FullDisk full(2000);
      h.session.apply(ExportAll{folder.name(), plot::page_of(*plot::page_preset("columns")), zip});
      h.settle();
    }
    EXPECT_EQ(h.state().dialog, "export");
    EXPECT_NE(h.state().exporting.problem.find("cannot write"), std::string::npos) << h.state().exporting.problem;
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.file("")), fs::directory_iterator()), 1)
        << "a part of them is worse than none";
  }
}

TEST(Export, AFolderThatCannotBeWrittenKeepsTheDialogOpen) {
  Harness h;
  with_run(h);
  h.session.apply(ShowExport{"roofline"});
  h.settle();
  // No file can be made there, whoever asks.
  for (const char* path : {"/proc/roofline.svg", "/proc/self/roofline.svg"}) {
    h.session.apply(ExportFigure{.what = "roofline", .path = path});
    h.settle();
    EXPECT_EQ(h.state().dialog, "export");
    EXPECT_TRUE(h.shows("cannot write the file"));
  }
  h.session.apply(ExportAll{"/proc", {}, false});
  h.settle();
  EXPECT_EQ(h.state().dialog, "export");
  EXPECT_TRUE(h.shows("the folder could not be made"));
}

}  // namespace
