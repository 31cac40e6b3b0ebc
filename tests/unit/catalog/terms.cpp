// The words that the window uses are explained.
#include "core/catalog/terms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

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

// What a view asks to be explained: explain(l, "ID").
TEST(Terms, ThatViewsExplainAreThere) {
  int asked = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(WARPSPY_SOURCE_DIR "/ui")) {
    if (entry.path().extension() != ".cpp") continue;
    std::ifstream file(entry.path());
    const std::string source{std::istreambuf_iterator<char>(file), {}};
    const std::string call = "explain(l, \"";
    for (auto at = source.find(call); at != std::string::npos; at = source.find(call, at + 1)) {
      const auto from = at + call.size();
      const std::string id = source.substr(from, source.find('"', from) - from);
      EXPECT_NE(term(id), nullptr) << id << " in " << entry.path();
      ++asked;
    }
  }
  EXPECT_GT(asked, 0);
}

// The field's words in what views say: each is in the list.
TEST(Terms, CoverTheFieldsWords) {
  for (const char* word : {"warp",  "lane", "sector",  "request", "occupancy", "divergence", "coalesced", "latency",
                           "block", "grid", "padding", "roof",    "bandwidth", "atomics",    "SM",        "L1",
                           "L2",    "DRAM", "gather",  "tail",    "wave",      "launch"})
    EXPECT_FALSE(terms_in(word).empty()) << word;
}

}  // namespace
}  // namespace warpspy
