// Source as pages: which lines count, in which order files come, and when a source is another one.
#include "core/run/source_page.hpp"

#include <gtest/gtest.h>

using namespace warpspy;

namespace {

Catalog catalog() {
  Catalog c;
  c.sources = {{"a.hpp", "one\ntwo\n\nfour"}, {"b.hpp", "only\n"}};
  return c;
}

TEST(SourcePage, LinesStandBesideTheirTraffic) {
  const Catalog c = catalog();
  const std::vector<Traffic> lines = {{"a.hpp:4", 1, 10}, {"a.hpp:2", 1, 5}, {"b.hpp:1", 1, 100}};
  const auto pages = source_pages(c, lines);
  ASSERT_EQ(pages.size(), 2u);
  EXPECT_EQ(pages[0].file, "b.hpp") << "it has the most sectors";
  ASSERT_EQ(pages[1].lines.size(), 4u);
  EXPECT_EQ(pages[1].first_counted, 2);
  EXPECT_EQ(pages[1].lines[2].text, "");
  EXPECT_EQ(pages[1].lines[0].traffic, nullptr);
  ASSERT_NE(pages[1].lines[3].traffic, nullptr);
  EXPECT_EQ(pages[1].lines[3].traffic->sectors, 10);
}

TEST(SourcePage, WhatTheProgramDoesNotHaveMakesNoPage) {
  const Catalog c = catalog();
  EXPECT_TRUE(source_pages(c, {}).empty());
  EXPECT_TRUE(source_pages(c, {{"c.hpp:1", 1, 1}, {"a.hpp", 1, 1}, {"a.hpp:x", 1, 1}}).empty());
  const std::vector<Traffic> beyond = {{"a.hpp:9", 1, 1}};
  const auto pages = source_pages(c, beyond);
  ASSERT_EQ(pages.size(), 1u);
  for (const SourceLine& l : pages[0].lines) EXPECT_EQ(l.traffic, nullptr);
}

TEST(SourcePage, AMarkIsOfTheFilesOfTheLines) {
  Catalog c = catalog();
  const std::vector<Traffic> lines = {{"a.hpp:4", 1, 10}};
  const std::string mark = source_mark(c.sources, lines);
  EXPECT_FALSE(mark.empty());
  c.sources[1].text += "more";
  EXPECT_EQ(source_mark(c.sources, lines), mark) << "another file changed";
  c.sources[0].text += "more";
  EXPECT_NE(source_mark(c.sources, lines), mark);
  EXPECT_EQ(source_mark(c.sources, {}), "");
  EXPECT_EQ(source_mark(c.sources, {{"c.hpp:1", 1, 1}}), "");
}

TEST(SourcePage, APlaceIsAFileAndALine) {
  EXPECT_EQ(source_place("a.hpp:41").line, 41);
  EXPECT_EQ(source_place("a.hpp:41").file, "a.hpp");
  EXPECT_EQ(source_place("a.hpp").line, 0);
  EXPECT_EQ(source_place("a.hpp:4x").line, 0);
}

}  // namespace
