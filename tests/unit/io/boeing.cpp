// Harwell-Boeing and Rutherford-Boeing: Fortran formats, and the same matrices in other formats.
#include "core/io/boeing.hpp"

#include <rapidcheck.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iterator>

#include "core/io/fortran_format.hpp"
#include "open_helper.hpp"
#include "tests/paths.hpp"
#include "tests/shared.hpp"

namespace warpspy {
namespace {

std::string described(std::string_view format) {
  std::string text;
  for (const auto& f : parse_fortran_format(format))
    text += std::to_string(f.at) + "+" + std::to_string(f.width) +
            (f.integer ? "i" : "." + std::to_string(f.decimals)) + (f.scale ? "p" + std::to_string(f.scale) : "") + " ";
  return text;
}

TEST(FortranFormat, CutsLines) {
  EXPECT_EQ(described("(3I3)"), "0+3i 3+3i 6+3i ");
  EXPECT_EQ(described("( 2I5 )"), "0+5i 5+5i ");
  EXPECT_EQ(described("(I10)"), "0+10i ");
  EXPECT_EQ(described("(2I6.6)"), "0+6i 6+6i ");
  EXPECT_EQ(described("(1P,2D20.13)"), "0+20.13p1 20+20.13p1 ");
  EXPECT_EQ(described("(1p2e16.8)"), "0+16.8p1 16+16.8p1 ");
  EXPECT_EQ(described("(-2P,F7.1)"), "0+7.1p-2 ");
  EXPECT_EQ(described("(2E25.17E3)"), "0+25.17 25+25.17 ");
  EXPECT_EQ(described("(1ES12.4)"), "0+12.4 ");
  EXPECT_EQ(described("(2(1X,I3),2X,F5.0)"), "1+3i 5+3i 10+5.0 ");
  EXPECT_EQ(described("(G12.5)"), "0+12.5 ");
}

TEST(FortranFormat, RefusesOthers) {
  for (const char* text : {"",       "(",         ")",        "()",        "(I)",
                           "(3)",    "(A4)",      "(I3",      "I3)",       "(I3))",
                           "(0I3)",  "(I0)",      "(3I3,/)",  "(99999I9)", "(((((((I3)))))))",
                           "(-3I3)", "(4096I99)", "(I99999)", "(P,I3)",    "(2(3I3)"}) {
    SCOPED_TRACE(text);
    EXPECT_THROW(parse_fortran_format(text), Error);
  }
}

double real_of(std::string_view text, int decimals = 0, int scale = 0) {
  double value = NAN;
  bool implied = false;
  FortranField f;
  f.decimals = decimals;
  f.scale = scale;
  return parse_fortran_real(text, f, value, implied) ? value : NAN;
}

TEST(FortranFormat, ReadsNumbers) {
  EXPECT_EQ(real_of(" 1.5"), 1.5);
  EXPECT_EQ(real_of("-1.5D+02"), -150);
  EXPECT_EQ(real_of("1.5d2 "), 150);
  EXPECT_EQ(real_of("1.5E 02"), 150);
  EXPECT_EQ(real_of("1.5+102"), 1.5e102);
  EXPECT_EQ(real_of("1.5-102"), 1.5e-102);
  EXPECT_EQ(real_of("+.5"), 0.5);
  EXPECT_EQ(real_of("5."), 5);
  EXPECT_EQ(real_of("0.1", 0), 0.1);
  EXPECT_EQ(real_of("123", 2), 1.23) << "the point is where the format says";
  EXPECT_EQ(real_of("123E1", 2), 12.3);
  EXPECT_EQ(real_of("1.23", 5), 1.23) << "a written point overrules it";
  EXPECT_EQ(real_of("1.23", 0, 1), 0.123) << "scale, without exponent";
  EXPECT_EQ(real_of("1.23E0", 0, 1), 1.23) << "no scale with an exponent";
  EXPECT_TRUE(std::isinf(real_of("Infinity")));
  for (const char* text : {"", "  ", "x", "1.2.3", "****", "1E", "E5", "1.0E999", "--1", "1-", "+"})
    EXPECT_TRUE(std::isnan(real_of(text))) << text;
}

TEST(FortranFormat, WrittenNumbersReadBack) {
  EXPECT_TRUE(rc::check([](std::int64_t mantissa, std::int8_t power) {
    const double v = static_cast<double>(mantissa) * std::pow(10.0, power);
    char text[64];
    std::snprintf(text, sizeof text, "%26.16E", v);
    RC_ASSERT(real_of(text) == v);
    for (char& c : text) c = c == 'E' ? 'D' : c;
    RC_ASSERT(real_of(text) == v);
  }));
}

const std::string& kMatrices = test::kSharedMatrices;

// The same matrix in two formats; values may have fewer digits in one of them.
TEST(Boeing, EqualsTheMatrixMarketFile) {
  struct Pair {
    const char *boeing, *other;
  };
  constexpr Pair pairs[] = {{"bcsstk01.rb", "bcsstk01.mtx"},
                            {"bcsstk01.rsa", "bcsstk01.rb"},
                            {"west0479.rb", "west0479.rua"},
                            {"west0067.tar.gz", "west0067.rua"},
                            {"qc324.tar.gz", "qc324.cua.gz"}};
  if (!std::filesystem::exists(kMatrices)) GTEST_SKIP() << test::needs_shared(kMatrices);
  for (const auto& [one, other] : pairs) {
    SCOPED_TRACE(one);
    const Matrix a = test::open(kMatrices + one), b = test::open(kMatrices + other);
    ASSERT_EQ(a.csr->nnz(), b.csr->nnz());
    ASSERT_EQ(a.csr->is_complex(), b.csr->is_complex());
    EXPECT_TRUE(std::ranges::equal(a.csr->row_ptr(), b.csr->row_ptr()));
    const auto near = [](double x, double y) { return std::abs(x - y) <= 1e-6 * std::abs(y) + 1e-12; };
    for (index_t k = 0; k < a.csr->nnz(); ++k) {
      ASSERT_EQ(a.csr->columns()[k], b.csr->columns()[k]);
      ASSERT_TRUE(near(a.csr->values()[k], b.csr->values()[k])) << k;
      ASSERT_TRUE(!a.csr->is_complex() || near(a.csr->imag()[k], b.csr->imag()[k])) << k;
    }
  }
}

// Whatever the bytes, the reader answers or refuses.
TEST(Boeing, SurvivesMutations) {
  std::vector<std::string> texts;
  for (const char* name : {"boeing_real.rua", "boeing_old_header.rsa", "boeing_hermitian.cha", "boeing_pattern.psa"}) {
    std::ifstream in(std::string(WARPSPY_SOURCE_DIR) + "/tests/data/valid/" + name);
    texts.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  EXPECT_TRUE(rc::check([&] {
    std::string mutant = *rc::gen::elementOf(texts);
    const auto changes = *rc::gen::inRange(1, 6);
    for (int k = 0; k < changes && !mutant.empty(); ++k) {
      const auto at = *rc::gen::inRange<std::size_t>(80, mutant.size());
      const auto what = *rc::gen::inRange(0, 3);
      if (what == 0) mutant[at] = *rc::gen::element(' ', '0', '1', '9', '-', '(', ')', '\n', 'E', 'x');
      if (what == 1) mutant.erase(at, *rc::gen::inRange<std::size_t>(1, 30));
      if (what == 2) mutant.insert(at, *rc::gen::element<std::string>("\n", " ", "0", "9999999999", "(", "E"));
      if (mutant.size() < 100) break;
    }
    test::TextSource source(mutant, "mutant.rb");
    Progress progress;
    try {
      const Matrix m = read_boeing(source, "mutant.rb", {1 << 20}, progress);
      RC_ASSERT(m.csr->nnz() <= m.source.entries_in_file * 2);
    } catch (const Error& e) {
      RC_ASSERT(!e.reason.empty());
      RC_ASSERT(!e.remedy.empty());
    }
  }));
}

TEST(Boeing, CanBeCancelled) {
  std::ifstream in(std::string(WARPSPY_SOURCE_DIR) + "/tests/data/valid/boeing_real.rua");
  test::TextSource source({std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()}, "a.rua");
  Progress progress;
  progress.cancel();
  EXPECT_THROW(read_boeing(source, "a.rua", {UINT64_MAX}, progress), Cancelled);
}

TEST(Boeing, WhatStandsBehindTheBytesOfAnArchiveIsNone) {
  const std::string lines = "A small matrix\n 2 1 1 0\npsa 3 3 3 0\n(26I3) (26I3)\n";
  EXPECT_TRUE(looks_boeing(lines));
  EXPECT_FALSE(looks_boeing(std::string("PK\x03\x04\x14\0\0\0", 8) + lines));
}

}  // namespace
}  // namespace warpspy
