// A lecture in one file: what it holds comes back, and what is none is refused with its reason.
#include "core/session/slides.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

namespace warpspy {
namespace {

Slide slide(const std::string& title, const std::string& source, const std::string& tab) {
  Slide s;
  s.title = title;
  DeskMatrix m;
  m.recipe.source = source, m.name = "m";
  s.desk.matrices = {m}, s.desk.active = 0;
  s.desk.choices = {{"tab", tab}, {"warp", "worst sectors step 4"}};
  return s;
}

std::string refusal(const std::string& text) {
  try {
    slides_from_json(text);
  } catch (const Error& e) {
    return e.reason;
  }
  return "accepted";
}

TEST(Slides, ComeBackInTheirOrder) {
  const std::vector<Slide> all = {slide("One thread per row", "gen:arrow?n=10", "warp"),
                                  slide("\xC3\x84 \"quoted\", with a comma", "gen:laplace3?nx=9", "roofline")};
  const SlidesRead read = slides_from_json(to_json(all));
  EXPECT_TRUE(read.remarks.empty());
  ASSERT_EQ(read.slides.size(), 2u);
  for (std::size_t k = 0; k < all.size(); ++k) {
    EXPECT_EQ(read.slides[k].title, all[k].title);
    EXPECT_EQ(read.slides[k].desk.matrices, all[k].desk.matrices);
    EXPECT_EQ(read.slides[k].desk.choices, all[k].desk.choices);
    EXPECT_EQ(read.slides[k].desk.active, 0);
  }
  EXPECT_TRUE(slides_from_json(to_json(std::vector<Slide>{})).slides.empty());
}

TEST(Slides, AreWrittenToAFileAndRead) {
  const std::string path = testing::TempDir() + "/warpspy_" + std::to_string(getpid()) + slides_ending;
  write_file(path, to_json(std::vector<Slide>{slide("a", "gen:arrow?n=10", "warp")}));
  EXPECT_EQ(load_slides(path).slides.size(), 1u);
  std::filesystem::remove(path);
  EXPECT_TRUE(is_slides_name(path));
  EXPECT_THROW(load_slides(path), Error);
}

TEST(Slides, WhatIsNoneIsRefused) {
  const std::string whole = to_json(std::vector<Slide>{slide("a", "gen:arrow?n=10", "warp")});
  EXPECT_NE(refusal(whole.substr(0, whole.size() / 2)).find("cut off"), std::string::npos);
  EXPECT_EQ(refusal("{}"), "it is no lecture");
  EXPECT_EQ(refusal("[1]"), "it is no lecture");
  EXPECT_EQ(refusal(R"({"warpspy_session": 1})"), "it is no lecture");
  EXPECT_EQ(refusal(R"({"warpspy_slides": 99})"), "it comes from a newer Warpspy");
  EXPECT_NE(refusal(std::string(5000, '[')).find("nested"), std::string::npos);
}

TEST(Slides, ABadOneIsLeftOutAndSaid) {
  const SlidesRead read = slides_from_json(
      R"({"warpspy_slides": 1, "slides": [5, {"title": "x"}, {"title": "y", "desk": {"warpspy_session": 1}}]})");
  ASSERT_EQ(read.slides.size(), 1u);
  EXPECT_EQ(read.slides[0].title, "y");
  ASSERT_EQ(read.remarks.size(), 2u);
  EXPECT_TRUE(read.remarks[0].starts_with("Slide 1 is left out: "));
  EXPECT_TRUE(read.remarks[1].starts_with("Slide 2 is left out: "));
}

}  // namespace
}  // namespace warpspy
