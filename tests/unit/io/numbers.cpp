// Decimal numbers are what the C library's strtod makes of them, to the last bit.
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "core/io/fortran_format.hpp"
#include "core/io/mm_number.hpp"
#include "open_helper.hpp"

namespace warpspy {
namespace {

std::string digits(std::mt19937_64& random, int most) {
  std::string s;
  for (int n = static_cast<int>(random() % static_cast<unsigned>(most + 1)); n > 0; --n)
    s += static_cast<char>('0' + random() % 10);
  return s;
}

// Numbers of every size, with long mantissas, near the limits of a double and near halves of its last place.
std::string random_number(std::mt19937_64& random) {
  const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const std::string sign = pick(2) ? "-" : "";
  char text[1100];
  switch (pick(8)) {
    case 0: {  // any double, as it is printed with some digits
      const double v = std::bit_cast<double>(random());
      std::snprintf(text, sizeof text, "%.*e", pick(25), std::isfinite(v) ? v : 1.0);
      return text;
    }
    case 1: {  // half way between two doubles, and next to that
      const double v = std::bit_cast<double>(random() >> 2);
      const double w = std::nextafter(v, 1e308);
      std::snprintf(text, sizeof text, "%.40Le", (static_cast<long double>(v) + w) / 2);
      return sign + text;
    }
    case 2:  // subnormal, or too small
      return sign + "0." + digits(random, 30) + "1e-" + std::to_string(290 + pick(60));
    case 3:  // large, or too large
      return sign + std::to_string(1 + pick(9)) + digits(random, 20) + "e" + std::to_string(280 + pick(40));
    case 4:  // many digits before or behind the point
      return sign + digits(random, 400) + "1." + digits(random, 400);
    case 5:  // zeros that an exponent makes up for
      return sign + "0." + std::string(static_cast<std::size_t>(pick(700)), '0') + "1" + digits(random, 20) + "e+" +
             std::to_string(pick(700));
    case 6:
      return sign + "1" + digits(random, 10) + std::string(static_cast<std::size_t>(pick(600)), '0') + "e-" +
             std::to_string(pick(700));
    default:
      return sign + digits(random, 8) + "." + digits(random, 12) + "7e" + std::to_string(pick(60) - 30);
  }
}

// Returns what is wrong, or nothing.
std::string disagreement(const std::string& text) {
  const std::string line = text + "\n";
  double ours = 0;
  const char* stop = parse_real(line.data(), line.data() + line.size(), ours);
  const double theirs = std::strtod(text.c_str(), nullptr);
  if (std::isinf(theirs)) return stop ? "too large for a double, but read" : "";
  if (!stop) return "refused";
  if (stop != line.data() + text.size()) return "not read to its end";
  return std::bit_cast<std::uint64_t>(ours) == std::bit_cast<std::uint64_t>(theirs) ? "" : "another number";
}

TEST(Numbers, AgreeWithTheCLibrary) {
  const char* asked = std::getenv("WARPSPY_TEST_NUMBERS");  // how many; ten million take about a minute
  const long count = asked ? std::atol(asked) : 200'000;
  const char* seed_text = std::getenv("WARPSPY_TEST_SEED");
  const auto seed = seed_text ? std::strtoull(seed_text, nullptr, 10) : std::random_device{}();
  std::printf("%ld numbers, WARPSPY_TEST_SEED=%llu\n", count, static_cast<unsigned long long>(seed));
  std::mt19937_64 random(seed);
  int wrong = 0;
  for (long k = 0; k < count && wrong < 10; ++k) {
    const std::string text = random_number(random);
    const std::string why = disagreement(text);
    wrong += !why.empty();
    EXPECT_EQ(why, "") << text;
  }
}

TEST(Numbers, AtTheLimits) {
  for (const char* text : {"0.1e400",
                           "1e400",
                           "-0.001e312",
                           "10000e304",
                           "1.7976931348623158e308",
                           "1.7976931348623159e308",
                           "1e-400",
                           "-1e-400",
                           "0e999",
                           "-0e-999",
                           "0.0e99999999999999999999",
                           "1e99999999999999999999",
                           "1e-99999999999999999999",
                           "4.9e-324",
                           "2.4703282292062327e-324",
                           "2.4703282292062328e-324",
                           "2.2250738585072011e-308",
                           "100000e-330",
                           "0.00000000000000000000001e331",
                           "0.00000000000000000000001e332",
                           "12345678901234567890123456789e-350"})
    EXPECT_EQ(disagreement(text), "") << text;
  // A number that is small or large by its many digits.
  EXPECT_EQ(disagreement("0." + std::string(5000, '0') + "1e5000"), "");
  EXPECT_EQ(disagreement("0." + std::string(5000, '0') + "1"), "");
  EXPECT_EQ(disagreement("1" + std::string(5000, '0')), "");
  EXPECT_EQ(disagreement("1" + std::string(5000, '0') + "e-5000"), "");
}

TEST(Numbers, TooLargeOnesAreRefusedHoweverTheyAreWritten) {
  for (const char* value : {"1e400", "0.1e400", "1D+400", "0.001e320", "-0.1e400"}) {
    try {
      test::read_text("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 " + std::string(value) + "\n");
      ADD_FAILURE() << value;
    } catch (const Error& e) {
      EXPECT_NE(e.reason.find("does not fit in a double"), std::string::npos) << e.what();
      EXPECT_TRUE(e.where.ends_with(":3")) << e.where;
    }
  }
}

// (4096(4096(4096(1X)))) would be walked through for hours.
TEST(FortranFormats, NestedRepeatsAreBounded) {
  for (const char* text : {"(4096(4096(4096(1X))))", "(4096(4096(1P)))", "(4000(4000(4000( ))),I3)", "(99(99(I2)))"}) {
    try {
      parse_fortran_format(text);
      ADD_FAILURE() << text;
    } catch (const Error& e) {
      EXPECT_NE(e.reason.find("repeats more than a line can hold"), std::string::npos) << e.what();
    }
  }
  EXPECT_EQ(parse_fortran_format("(2(3(I2,1X),4X))").size(), 6u);
}

}  // namespace
}  // namespace warpspy
