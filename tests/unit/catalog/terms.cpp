// The words that the window uses are explained.
#include "core/catalog/terms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "tests/paths.hpp"

namespace warpspy {
namespace {

TEST(Terms, HaveTwoSentencesAndAPicture) {
  std::set<std::string> ids;
  for (const Term& t : terms()) {
    SCOPED_TRACE(t.id);
    EXPECT_TRUE(ids.insert(t.id).second);
    const std::string text = t.text, picture = t.picture;
    std::ptrdiff_t sentences = text.back() == '.';
    for (std::size_t k = 0; k + 2 < text.size(); ++k)
      sentences += text[k] == '.' && text[k + 1] == ' ' && std::isupper(static_cast<unsigned char>(text[k + 2]));
    EXPECT_EQ(sentences, 2) << text;
    EXPECT_FALSE(picture.empty());
    EXPECT_EQ(picture.find_first_not_of("#o.x /"), std::string::npos) << picture;
    EXPECT_EQ(term(t.id), &t);
  }
  EXPECT_EQ(term("no such word"), nullptr);
}

TEST(Terms, AreFoundAsWholeWords) {
  const auto ids = [](const std::string& text) {
    std::string all;
    for (const Term* t : terms_in(text)) all += std::string(all.empty() ? "" : " ") + t->id;
    return all;
  };
  EXPECT_EQ(ids("27 sectors per request"), "sector request");
  EXPECT_EQ(ids("Lanes are idle"), "lane");
  EXPECT_EQ(ids("planes, swarps, vectors"), "");
  EXPECT_EQ(ids("an L2 of 50 MB"), "l2");
  EXPECT_EQ(ids("l2"), "");
}

// The field's words as the window writes them. What a view says of the field in its headings, columns and findings uses
// these; a word that is new there joins both lists.
const std::set<std::string> field = {
    "COO",        "CSR",      "DIA",          "ELL",           "ELLPACK",  "HYB",       "SELL",
    "atomic",     "atomics",  "bandwidth",    "block",         "blocks",   "coalesced", "coalescing",
    "divergence", "DRAM",     "gather",       "gathers",       "grid",     "L1",        "L2",
    "lane",       "lanes",    "latency",      "launch",        "launches", "occupancy", "padding",
    "request",    "requests", "roof",         "roofline",      "roofs",    "sector",    "sectors",
    "SM",         "SMs",      "tail",         "uncoalesced",   "warp",     "warps",     "wave",
    "waves",      "halo",     "slowest part", "boundary rows", "link",     "speed-up",  "parallel efficiency",
    "imbalance",  "METIS",    "pipelined CG"};

TEST(Terms, CoverTheFieldsWords) {
  for (const std::string& word : field) EXPECT_FALSE(terms_in(word).empty()) << word;
}

// No term stands in Help that the window never uses.
TEST(Terms, AreUsedByTheWindowOrTheDiagnosis) {
  std::string sources;
  for (const char* folder : {"/ui/views", "/core/diagnosis", "/core/formats", "/profiling/metrics"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(std::string(WARPSPY_SOURCE_DIR) + folder)) {
      if (entry.path().extension() != ".cpp") continue;
      std::ifstream file(entry.path());
      sources.append(std::istreambuf_iterator<char>(file), {});
    }
  const auto used = terms_in(sources);
  for (const Term& t : terms()) EXPECT_NE(std::find(used.begin(), used.end(), &t), used.end()) << t.id;
}

}  // namespace
}  // namespace warpspy
