// A lecture: slides are added while one explores, shown in their order, and say what is missing.
#include <filesystem>

#include "core/session/slides.hpp"
#include "tests/ui/hands.hpp"
#include "tests/ui/kept_desk.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

class Lectures : public KeptDesk {
 protected:
  // Two slides: the rows of one matrix, the facts of another.
  void make(Harness& h) const {
    h.open(at("a.mtx"));
    h.session.apply(ShowTab{"rows"});
    h.session.apply(AddSlide{at("talk.slides")});
    h.open("gen:laplace3?nx=9");
    h.session.apply(ShowTab{"facts"});
    h.session.apply(AddSlide{});
    h.settle();
  }
};

TEST_F(Lectures, AreMadeByOneKeyAndShownInOrder) {
  {
    Harness h(1280, 800, 1, options());
    make(h);
    ASSERT_EQ(h.state().lecture.titles.size(), 2u);
    EXPECT_TRUE(h.state().lecture.titles[0].ends_with(": row lengths")) << h.state().lecture.titles[0];
    EXPECT_TRUE(h.state().lecture.titles[1].ends_with(": pattern")) << "each is of its tab";
    EXPECT_EQ(h.state().lecture.at, 1u);
    h.session.apply(ShowSlide{0});
    h.settle();
    EXPECT_EQ(h.state().tab, "rows");
    EXPECT_EQ(h.state().current()->source, at("a.mtx"));
    EXPECT_EQ(h.state().matrices.size(), 2u) << "what is open stays open";
    h.session.apply(ShowSlide{7});
    EXPECT_EQ(h.state().lecture.at, 0u) << "there is no such slide";
  }
  Harness h(1280, 800, 1, options(true));
  h.session.apply(OpenSource{at("talk.slides")});
  h.settle();
  EXPECT_EQ(h.state().lecture.titles.size(), 2u);
  EXPECT_EQ(h.state().tab, "rows");
  h.session.apply(ShowSlide{1});
  h.settle();
  EXPECT_EQ(h.state().tab, "facts");
  EXPECT_EQ(h.state().current()->source, "gen:laplace3?nx=9");
}

TEST_F(Lectures, ASlideShowsItsOwnRunsAlone) {
  Harness h(1280, 800, 1, options());
  h.open("gen:laplace3?nx=9");
  h.session.apply(AddSlide{at("talk.slides")});
  h.session.apply(StartRun{});
  h.settle();
  h.session.apply(ShowTab{"roofline"});
  h.session.apply(AddSlide{});
  h.settle();
  h.session.apply(ShowSlide{0});
  h.settle();
  EXPECT_TRUE(roofline_runs(h.state(), true).empty()) << "the run is the second slide's";
  EXPECT_EQ(h.state().runs.all().size(), 1u) << "and it is not lost";
  h.session.apply(ShowSlide{1});
  h.settle();
  EXPECT_EQ(roofline_runs(h.state(), true).size(), 1u);
  h.session.apply(ShowSlide{0});
  h.session.apply(StartRun{});
  h.settle();
  EXPECT_EQ(roofline_runs(h.state(), true).size(), 1u) << "what is run on a slide is seen there";
}

TEST_F(Lectures, TitlesAreOfWhatIsShown) {
  Harness h(1280, 800, 1, options());
  make(h);
  h.session.apply(Project{});
  h.settle();
  EXPECT_TRUE(h.shows(h.state().lecture.titles[1]));
  h.session.apply(ShowTab{"rows"});
  h.settle();
  EXPECT_FALSE(h.shows(h.state().lecture.titles[1]));
  EXPECT_TRUE(h.shows(": row lengths"));
}

TEST_F(Lectures, ASlideCanBeTakenOut) {
  Harness h(1280, 800, 1, options());
  make(h);
  h.session.apply(ShowSlide{0});
  h.session.apply(RemoveSlide{});
  h.settle();
  ASSERT_EQ(h.state().lecture.titles.size(), 1u);
  EXPECT_TRUE(h.state().lecture.titles[0].ends_with(": pattern"));
  EXPECT_EQ(load_slides(at("talk.slides")).slides.size(), 1u) << "in the file too";
  h.session.apply(RemoveSlide{});
  h.settle();
  EXPECT_EQ(h.state().lecture.titles.size(), 1u) << "the last one stays";
}

TEST_F(Lectures, SayWhichMatrixIsGone) {
  {
    Harness h(1280, 800, 1, options());
    make(h);
  }
  std::filesystem::remove(at("a.mtx"));
  Harness h(1280, 800, 1, options(true));
  h.session.apply(OpenSource{at("talk.slides")});
  h.settle();
  EXPECT_NE(h.state().lecture.missing.find("The matrix of this slide is gone: a"), std::string::npos)
      << h.state().lecture.missing;
  h.session.apply(Project{true});
  h.frames(3);
  EXPECT_TRUE(h.shows(h.state().lecture.missing));
  h.session.apply(ShowSlide{1});
  h.settle();
  EXPECT_EQ(h.state().lecture.missing, "");
}

TEST_F(Lectures, AreProjectedAndSteeredByPresentersKeys) {
  Harness h(1024, 768, 1, options());
  make(h);
  h.session.apply(ShowSlide{0});
  h.session.apply(Project{true});
  h.settle();
  EXPECT_TRUE(h.shows("1 / 2"));
  EXPECT_TRUE(h.shows("row lengths")) << "the tab's figure";
  EXPECT_TRUE(h.shows("The median row has")) << "its sentence";
  EXPECT_TRUE(h.shows("per row")) << "and its number";
  EXPECT_TRUE(h.items("Compare").empty()) << "the window's own names are gone";
  press(h, {Key::page_down});
  h.settle();
  EXPECT_EQ(h.state().lecture.at, 1u);
  press(h, {Key::page_down});
  EXPECT_EQ(h.state().lecture.at, 1u) << "it is the last";
  press(h, {Key::page_up});
  h.settle();
  EXPECT_EQ(h.state().lecture.at, 0u);
  press(h, {Key::escape});
  EXPECT_FALSE(h.state().lecture.projects);
  press(h, {Key::page_down});
  EXPECT_EQ(h.state().lecture.at, 0u) << "without the projector it scrolls";
}

// As twenty presses of F8: the file ends with all of them, whichever job came last.
TEST_F(Lectures, AddedInARushAreAllKept) {
  for (int times = 0; times < 5; ++times) {
    const std::string path = at(("rush" + std::to_string(times) + ".slides").c_str());
    Harness h(1280, 800, 1, options());
    h.open(at("a.mtx"));
    for (int k = 0; k < 20; ++k) h.session.apply(AddSlide{path});
    h.settle();
    EXPECT_EQ(load_slides(path).slides.size(), 20u);
    for (const Message& m : h.state().messages) EXPECT_NE(m.kind, Message::Kind::error) << m.text;
  }
}

// Nothing that comes in a lecture decides where anything is written.
TEST_F(Lectures, OfAStrangerNameNoFileToWriteTo) {
  {
    Harness h(1280, 800, 1, options());
    make(h);
  }
  SlidesRead read = load_slides(at("talk.slides"));
  for (Slide& slide : read.slides) slide.desk.choices["session file"] = at("mine.warpspy");
  write_file(at("mine.warpspy"), "{}");
  write_file(at("theirs.slides"), to_json(read.slides));
  Harness h(1280, 800, 1, options());
  h.session.apply(OpenSource{at("theirs.slides")});
  h.settle();
  EXPECT_EQ(h.state().lecture.titles.size(), 2u);
  EXPECT_EQ(h.state().session, "");
}

TEST_F(Lectures, NeverWriteOverAFileThatIsThere) {
  write_file(at("talk.slides"), "mine");
  Harness h(1280, 800, 1, options());
  h.open(at("a.mtx"));
  h.session.apply(AddSlide{at("talk.slides")});
  h.settle();
  EXPECT_EQ(h.state().lecture.path, at("talk-2.slides"));
  EXPECT_TRUE(std::filesystem::exists(at("talk-2.slides")));
}

}  // namespace
