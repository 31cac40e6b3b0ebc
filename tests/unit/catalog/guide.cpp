// The guide for newcomers: the window's words and those of docs/guide.md are the same.
#include "core/catalog/guide.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>

#include "core/catalog/alignment.hpp"
#include "tests/paths.hpp"

namespace warpspy {
namespace {

// With a space between words, however lines are broken.
std::string words_of(const std::string& text) {
  std::istringstream in(text);
  std::string all;
  for (std::string word; in >> word;) all += (all.empty() ? "" : " ") + word;
  return all;
}

TEST(Guide, StandsInTheDocsWordForWord) {
  std::ifstream file(WARPSPY_SOURCE_DIR "/docs/guide.md");
  const std::string page = words_of({std::istreambuf_iterator<char>(file), {}});
  std::set<std::string> ids;
  for (const Chapter& c : chapters()) {
    SCOPED_TRACE(c.id);
    EXPECT_TRUE(ids.insert(c.id).second);
    EXPECT_NE(page.find(words_of(c.title)), std::string::npos);
    std::istringstream paragraphs(c.text);
    for (std::string paragraph; std::getline(paragraphs, paragraph);)
      EXPECT_NE(page.find(words_of(paragraph)), std::string::npos) << paragraph;
    EXPECT_EQ(std::string(c.picture).find_first_not_of("#o.x /"), std::string::npos);
    EXPECT_EQ(*c.picture == 0, *c.caption == 0);
  }
}

TEST(Alignment, OfFewRowsIsSaid) {
  FormatInfo ell;
  ell.params = {{.id = "alignment",
                 .label = "Row alignment",
                 .help = "",
                 .type = ParamSpec::Type::power_of_two,
                 .min = 1,
                 .max = 1024,
                 .def = 32}};
  EXPECT_EQ(alignment_note(ell, {}, 8),
            "8 rows are stored as 32 (row alignment): 75 % of the slots lie below the last row");
  EXPECT_EQ(alignment_note(ell, {{"alignment", 1}}, 8), "");
  EXPECT_EQ(alignment_note(ell, {}, 100'000), "");
  EXPECT_EQ(alignment_note(ell, {}, 0), "");
  EXPECT_EQ(alignment_note(FormatInfo{}, {}, 8), "");
}

}  // namespace
}  // namespace warpspy
