// Words of our own are few: docs/glossary.md begins with them.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/paths.hpp"

TEST(Glossary, HasAtMostTwelveWordsOfOurOwn) {
  std::ifstream in(std::string(WARPSPY_SOURCE_DIR) + "/docs/glossary.md");
  bool ours = false;
  int words = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("## ")) ours = line == "## Words of our own";
    if (ours && line.starts_with("- **")) ++words;
  }
  EXPECT_GT(words, 0) << "the part of the glossary was not found";
  EXPECT_LE(words, 12) << "the field has a word for it";
}
