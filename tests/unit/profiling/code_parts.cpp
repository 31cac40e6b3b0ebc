// Machine code of 9.0 in parts: written by hand as nvcc writes it.
#include "profiling/cupti/code_parts.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

#include "core/base/types.hpp"
#include "profiling/cupti/elf.hpp"
#include "tests/paths.hpp"

namespace warpspy {
namespace {

constexpr unsigned ldg = 0x981, stg = 0x986, lds = 0x984, shfl = 0x589, fadd = 0x221, bra = 0x947, brx = 0x949,
                   leave = 0x94d, nop = 0x918;
constexpr std::uint64_t always = 7, sometimes = 0;

class Written {
 public:
  Written& add(unsigned does, std::uint64_t guard = always) { return word(does | guard << 12, std::uint64_t{7} << 23); }
  // `mode` 2: where lanes have parted.
  Written& branch(std::int64_t to, std::uint64_t guard = always, std::uint64_t mode = 0) {
    const std::int64_t steps = 4 * (to - static_cast<std::int64_t>(bytes_.size() / 16) - 1);
    const auto upper = static_cast<std::uint64_t>(steps >> 8);
    return word(bra | guard << 12 | static_cast<std::uint64_t>(steps & 0xFF) << 16 | mode << 32 | upper << 34,
                (upper >> 30 & 0x3FFFF) | std::uint64_t{7} << 23);
  }
  std::vector<CodePart> parts() const { return code_parts(bytes_); }

 private:
  Written& word(std::uint64_t low, std::uint64_t high) {
    for (const std::uint64_t half : {low, high})
      for (int i = 0; i < 8; ++i) bytes_.push_back(static_cast<std::uint8_t>(half >> 8 * i));
    return *this;
  }
  std::vector<std::uint8_t> bytes_;
};

using Parts = std::vector<CodePart>;

TEST(CodeParts, ALoopIsWhatABranchBackLeadsRoundIn) {
  Written code;
  code.add(ldg).branch(5, sometimes);            // 0, 1: past the loop
  code.add(lds).add(shfl).branch(2, sometimes);  // 2 to 4
  code.add(stg).add(leave).branch(7).add(nop);   // 5, 6; then what fills up
  EXPECT_EQ(code.parts(), (Parts{{7, 2, 1, 1}, {3, 0, 1, 1}}));
}

TEST(CodeParts, WhatIsInsideAnInnerLoopIsNotCountedTwice) {
  Written code;
  code.add(fadd).add(ldg).add(lds).branch(2, sometimes);  // 1: the outer one, 2: the inner one
  code.add(fadd).branch(1, sometimes).add(leave);
  EXPECT_EQ(code.parts(), (Parts{{7, 1, 1, 0}, {3, 1, 0, 0}, {2, 0, 1, 0}}));
}

TEST(CodeParts, TwoBranchesBackToOnePlaceAreOneLoop) {
  Written code;
  code.add(ldg).branch(0, sometimes).add(ldg).branch(0, sometimes).add(leave);
  EXPECT_EQ(code.parts(), (Parts{{5, 2, 0, 0}, {4, 2, 0, 0}}));
}

TEST(CodeParts, LanesThatPartedAndWhatNobodyReachesDoNotCount) {
  Written code;
  code.add(ldg).branch(4, always, 2).add(leave).add(stg);  // 3: nobody comes here
  code.add(shfl).branch(1);                                // 4: of lanes that parted
  EXPECT_EQ(code.parts(), (Parts{{3, 1, 0, 0}}));
}

TEST(CodeParts, ABranchByATableLeadsToWhatNothingElseLeadsTo) {
  Written code;
  code.branch(5, always, 2).add(brx).add(ldg).add(leave);  // 2: an entry of the table
  code.add(lds).add(leave).branch(6);                      // 4: another one; 5: of lanes that parted
  EXPECT_EQ(code.parts().at(0), (CodePart{6, 1, 1, 0}));
  EXPECT_EQ(code.parts().size(), 1u);
}

TEST(CodeParts, WhatIsNoCodeIsRefused) {
  EXPECT_THROW(code_parts({}), Error);
  const std::vector<std::uint8_t> half(24, 0);
  EXPECT_THROW(code_parts(half), Error);
  EXPECT_THROW(Written().branch(9).parts(), Error);
}

TEST(CodeParts, OfWhatNvccMade) {
  std::ifstream in(WARPSPY_SOURCE_DIR "/tests/data/cubin/lines.cubin", std::ios::binary);
  const std::vector<std::uint8_t> cubin((std::istreambuf_iterator<char>(in)), {});
  const auto sections = elf_sections(cubin);
  EXPECT_EQ(code_parts(section_of(sections, ".text.copy")->bytes), (Parts{{10, 2, 0, 0}}));
  EXPECT_EQ(code_parts(section_of(sections, ".text.derive")->bytes), (Parts{{15, 3, 0, 0}}));
}

}  // namespace
}  // namespace warpspy
