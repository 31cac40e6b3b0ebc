#include "core/collection/index.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/collection/server.hpp"

using namespace warpspy;

namespace {

CollectionIndex small() { return parse_index(small_index(), "ssstats.csv"); }

// What an Error says, with its place and remedy.
template <class F>
std::string said(F&& work) {
  try {
    work();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(CollectionIndex, IsReadAsItIsPublished) {
  const CollectionIndex index = small();
  EXPECT_EQ(index.dated, "31-Oct-2023 18:12:37");
  ASSERT_EQ(index.entries.size(), 5u);
  EXPECT_EQ(
      index.entries[0],
      (CollectionEntry{
          .group = "Williams", .name = "cant", .rows = 62451, .cols = 62451, .nnz = 4007383, .kind = "2D/3D problem"}));
}

TEST(CollectionIndex, CutAnywhereItIsRefused) {
  const std::string whole = small_index();
  // Behind the last comma stands a number that nobody reads.
  for (std::size_t n = 0; n <= whole.rfind(','); ++n)
    EXPECT_THROW(parse_index(whole.substr(0, n), "ssstats.csv"), Error) << n << " bytes of it";
  EXPECT_NO_THROW(parse_index(whole.substr(0, whole.size() - 1), "ssstats.csv"));  // without the last end of line
  const std::string half = said([&] { parse_index(whole.substr(0, whole.find("Twin")), "ssstats.csv"); });
  EXPECT_EQ(half.find("ssstats.csv: the index of the collection is cut: it has 3 of 5 matrices; fetch it again"), 0u)
      << half;
}

TEST(CollectionIndex, ALineThatMakesNoSenseIsNamed) {
  const std::string text = "1\ndate\n../..,etc,1,1,1,1,0,0,0,1,1,kind,1\n";
  EXPECT_NE(said([&] { parse_index(text, "i.csv"); }).find("i.csv:3"), std::string::npos);
  EXPECT_THROW(parse_index("<html>no</html>\n", "i.csv"), Error);
}

TEST(CollectionIndex, FindsByNameAlone) {
  const CollectionIndex index = small();
  EXPECT_EQ(find_entry(index, "cant").full(), "Williams/cant");
  EXPECT_EQ(find_entry(index, "CANT").full(), "Williams/cant");
  EXPECT_EQ(find_entry(index, "hb/1138_BUS").full(), "HB/1138_bus");
  EXPECT_EQ(find_entry(index, "Other/same").rows, 20);
}

TEST(CollectionIndex, ANameOfSeveralNamesThem) {
  const CollectionIndex index = small();
  const std::string text = said([&] { find_entry(index, "same"); });
  EXPECT_NE(text.find("2 matrices of this name; say which: Twin/same, Other/same"), std::string::npos) << text;
}

TEST(CollectionIndex, ANearMissIsSuggested) {
  const CollectionIndex index = small();
  EXPECT_NE(said([&] { find_entry(index, "catn"); }).find("it has Williams/cant"), std::string::npos);
  EXPECT_NE(said([&] { find_entry(index, "Wiliams/cant"); }).find("it has Williams/cant"), std::string::npos);
  EXPECT_NE(said([&] { find_entry(index, "1138_bsu"); }).find("it has HB/1138_bus"), std::string::npos);
  EXPECT_NE(said([&] { find_entry(index, "zzzzzzzzzz"); }).find("warpspy fetch --list"), std::string::npos);
}

TEST(CollectionIndex, CompletesNames) {
  const CollectionIndex index = small();
  const auto found = matching(index, "SA", 10);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0]->full(), "Twin/same");
  EXPECT_EQ(matching(index, "", 3).size(), 3u);
  // What begins with it comes before what has it inside.
  ASSERT_EQ(matching(index, "w", 10).size(), 3u);
  EXPECT_EQ(matching(index, "w", 10)[0]->full(), "Williams/cant");
}

TEST(CollectionIndex, ANameIsNoWayOutOfAFolder) {
  for (const char* bad : {"", "..", ".hidden", "a/b", "a b", "a?b", "a%2e", "a\n"})
    EXPECT_FALSE(is_collection_name(bad));
  for (const char* good : {"cant", "GL7d12", "ch7-9-b3", "lp_d2q06c", "c-73b", "s3dkt3m2"})
    EXPECT_TRUE(is_collection_name(good));
}

}  // namespace
