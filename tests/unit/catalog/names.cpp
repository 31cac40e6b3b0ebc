// One name for each parameter.
#include "core/catalog/names.hpp"

#include <gtest/gtest.h>

using namespace warpspy;

namespace {

ParamSpec spec(const char* id, const char* label) {
  ParamSpec p;
  p.id = id, p.label = label;
  return p;
}

TEST(Names, ThePapersNameStandsInBrackets) {
  EXPECT_EQ(full_label(spec("coop", "Threads per row")), "Threads per row (coop)");
  EXPECT_EQ(full_label(spec("repeat", "Rows per group")), "Rows per group (repeat)");
  EXPECT_EQ(full_label(spec("block_size", "Block size")), "Block size");
  EXPECT_EQ(full_label(spec("coop", "coop")), "coop");
}

TEST(Names, InASentenceCapitalsStay) {
  EXPECT_EQ(label_in_sentence(spec("coop", "Threads per row")), "threads per row");
  EXPECT_EQ(label_in_sentence(spec("k", "K")), "K");
  EXPECT_EQ(label_in_sentence(spec("coo_warps", "COO warps at most")), "COO warps at most");
  EXPECT_EQ(label_in_sentence(spec("x", "")), "");
}

}  // namespace
