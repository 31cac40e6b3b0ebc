// Formats that are made on a GPU, in the emulator: byte for byte what the host builds, for every shape, precision and
// end of a parameter's range.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <iostream>
#include <random>
#include <set>

#include "kernels/convert/conversion.hpp"
#include "tests/products.hpp"
#include "tests/shapes.hpp"

namespace warpspy {
namespace {

// The default, and every parameter at both ends of its range.
std::vector<ParamSet> sets_of(const FormatInfo& info) {
  std::vector<ParamSet> sets{{}};
  for (const ParamSpec& spec : info.params)
    for (const double end : {spec.min, spec.max}) sets.push_back({{spec.id, end}});
  return sets;
}

std::vector<MadeArray> built(const Format& f) {
  std::vector<MadeArray> all;
  for (const ArrayView& a : f.arrays()) {
    if (a.bytes() == 0) continue;
    all.push_back({a.name, std::vector<std::byte>(a.bytes())});
    std::memcpy(all.back().bytes.data(), a.data, a.bytes());
  }
  return all;
}

std::vector<MadeArray> by_name(std::vector<MadeArray> all) {
  std::sort(all.begin(), all.end(), [](const MadeArray& a, const MadeArray& b) { return a.name < b.name; });
  return all;
}

// Makes the format in the emulator; false if that is refused, which the host's format must not be.
bool expect_same(const ConversionRow& row, const Csr& a, Precision precision, const ParamSet& params,
                 const std::string& what) {
  Progress progress;
  const FormatFacts facts(a);
  const auto csr = std::make_shared<const CsrFormat>(a, precision, RealView::real_part, progress);
  std::unique_ptr<EmulatedConversion> conversion;
  try {
    conversion = row.emulate({csr, &facts, params});
  } catch (const Error& e) {
    EXPECT_NE(e.remedy, "") << what << ": " << e.reason;
    return false;
  }
  for (std::size_t launch = 0; launch < conversion->launches().size(); ++launch)
    for (std::int64_t block = 0; block < conversion->launches()[launch].grid; ++block)
      conversion->emulate_block(static_cast<int>(launch), block, nullptr);
  const auto host = format_row(row.format).build(facts, precision, RealView::real_part, params, progress);
  const std::vector<MadeArray> here = by_name(conversion->made()), there = by_name(built(*host));
  EXPECT_EQ(here.size(), there.size()) << what;
  for (std::size_t k = 0; k < std::min(here.size(), there.size()); ++k) {
    EXPECT_EQ(here[k].name, there[k].name) << what;
    EXPECT_TRUE(here[k].bytes == there[k].bytes) << what << ": " << here[k].name << " differs";
  }
  return true;
}

class Conversions : public ::testing::TestWithParam<std::string> {
 protected:
  const ConversionRow& row = *conversion_to(GetParam());
};
std::vector<std::string> formats_made() {
  std::vector<std::string> ids;
  for (const ConversionRow& row : conversions()) ids.push_back(row.format);
  return ids;
}
INSTANTIATE_TEST_SUITE_P(Formats, Conversions, ::testing::ValuesIn(formats_made()),
                         [](const auto& test) { return test.param; });

// A matrix by lot. Some have all entries near the diagonal; all are symmetric where that is asked for.
Csr by_lot(std::mt19937& lot, bool symmetric) {
  const index_t rows = 1 + lot() % 700, cols = symmetric ? rows : 1 + lot() % 700, most = 1 + lot() % 40;
  const bool banded = lot() % 2 == 0;
  std::vector<std::vector<index_t>> list(static_cast<std::size_t>(rows));
  for (index_t r = 0; r < rows; ++r)
    for (index_t k = 0, n = lot() % (most + 1); k < n; ++k) {
      const index_t c = banded ? r - most / 2 + lot() % most : lot() % cols;
      if (c < 0 || c >= cols) continue;
      list[static_cast<std::size_t>(r)].push_back(c);
      if (symmetric) list[static_cast<std::size_t>(c)].push_back(r);
    }
  return testing::from_rows(cols, list, [&](index_t r, index_t c) {
    return symmetric ? testing::some_value(std::min(r, c), std::max(r, c)) : testing::some_value(r, c);
  });
}

TEST_P(Conversions, MakeWhatTheHostBuilds) {
  int made = 0;
  for (const ParamSet& params : sets_of(format_row(row.format).info))
    for (const testing::Shape& shape : testing::shapes())
      for (const Precision precision : {Precision::f32, Precision::f64}) {
        std::string what = shape.name + " " + std::string(name_of(precision));
        for (const auto& [id, value] : params) what += " " + id + "=" + std::to_string(value);
        made += expect_same(row, shape.matrix, precision, params, what);
      }
  EXPECT_GE(made, 10) << "what is refused most is no test of what can be made";
}

TEST_P(Conversions, MakeWhatTheHostBuildsOfMatricesByLot) {
  const unsigned seed = std::random_device{}();
  std::cout << "seed " << seed << "\n";
  std::mt19937 lot(seed);
  for (int n = 0; n < 200; ++n) {
    const Csr a = by_lot(lot, format_row(row.format).symmetric);
    ASSERT_TRUE(expect_same(row, a, n % 2 ? Precision::f32 : Precision::f64, {}, "number " + std::to_string(n)));
  }
}

TEST(ConversionTable, HasFormatsOfTheTableOnceEach) {
  std::set<std::string> seen;
  for (const ConversionRow& row : conversions()) {
    EXPECT_NO_THROW(format_row(row.format));
    EXPECT_TRUE(seen.insert(row.format).second) << row.format;
  }
  EXPECT_EQ(conversion_to("csr"), nullptr) << "it is what all others are made from";
}

TEST(ConversionTable, AWindowThatNoBlockHoldsIsRefused) {
  Progress progress;
  const Csr a = testing::random_rows(20, 20, [](index_t) { return 3; }, 1);
  const FormatFacts facts(a);
  const auto csr = std::make_shared<const CsrFormat>(a, Precision::f32, RealView::real_part, progress);
  try {
    conversion_to("sell")->emulate({csr, &facts, {{"sort_window", 1 << 20}}});
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(e.remedy.find("at most 4096"), std::string::npos) << e.remedy;
  }
}

}  // namespace
}  // namespace warpspy
