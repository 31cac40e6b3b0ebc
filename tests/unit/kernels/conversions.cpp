// Formats that are made on a GPU, in the emulator: byte for byte what the host builds, for every shape, precision and
// end of a parameter's range.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <iostream>
#include <random>
#include <set>

#include "core/formats/csr_compact.hpp"
#include "kernels/convert/conversion.hpp"
#include "kernels/simt/additions.hpp"
#include "tests/products.hpp"
#include "tests/shapes.hpp"

namespace warpspy {
namespace {

// The default, and every parameter at both ends of its range.
std::vector<ParamSet> sets_of(const std::vector<ParamSpec>& params) {
  std::vector<ParamSet> sets{{}};
  for (const ParamSpec& spec : params)
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

// Runs all launches, and compares what they made.
void expect_same(EmulatedConversion& conversion, const std::vector<MadeArray>& host, const std::string& what) {
  for (std::size_t launch = 0; launch < conversion.launches().size(); ++launch)
    for (std::int64_t block = 0; block < conversion.launches()[launch].grid; ++block)
      conversion.emulate_block(static_cast<int>(launch), block, nullptr);
  const std::vector<MadeArray> here = by_name(conversion.made()), there = by_name(host);
  EXPECT_EQ(here.size(), there.size()) << what;
  for (std::size_t k = 0; k < std::min(here.size(), there.size()); ++k) {
    EXPECT_EQ(here[k].name, there[k].name) << what;
    EXPECT_TRUE(here[k].bytes == there[k].bytes) << what << ": " << here[k].name << " differs";
  }
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
  const auto host = format_row(row.format).build(facts, precision, RealView::real_part, params, progress);
  expect_same(*conversion, built(*host), what);
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

// They are told apart from all others, which follow from the indices alone.
TEST_P(Conversions, LaunchesOfValuesAreThoseThatReadThem) {
  for (const testing::Shape& shape : testing::shapes()) {
    Progress progress;
    const FormatFacts facts(shape.matrix);
    if (shape.matrix.nnz() == 0 || (format_row(row.format).symmetric && !facts.symmetry().values)) continue;
    const auto csr = std::make_shared<const CsrFormat>(shape.matrix, Precision::f64, RealView::real_part, progress);
    // By default HYB-R puts nothing into the ELL part of so few rows.
    const ParamSet params = row.format == "hyb_r" ? ParamSet{{"rule", 0}} : ParamSet{};
    const auto conversion = row.emulate({csr, &facts, params});
    const auto reads_values = [&](int launch) {
      bool reads = false;
      for (std::int64_t block = 0; block < conversion->launches()[static_cast<std::size_t>(launch)].grid; ++block) {
        simt::BlockTrace trace;
        conversion->emulate_block(launch, block, &trace);
        for (const simt::WarpTrace& warp : trace.warps)
          for (const simt::Access& access : warp.accesses)
            reads |= conversion->arrays()[access.array].role == simt::Role::matrix;
      }
      return reads;
    };
    std::vector<int> read;
    for (int launch = 0; launch < static_cast<int>(conversion->launches().size()); ++launch)
      if (reads_values(launch)) read.push_back(launch);
    const std::vector<int>& told = conversion->launches_of_values();
    EXPECT_FALSE(told.empty()) << shape.name;
    EXPECT_TRUE(std::is_sorted(told.begin(), told.end())) << shape.name;
    // What values there are decides how compact CSR stores them, so it also reads what it found out about them.
    if (row.format == "csr_compact")
      EXPECT_TRUE(std::includes(told.begin(), told.end(), read.begin(), read.end())) << shape.name;
    else
      EXPECT_EQ(told, read) << shape.name;
  }
}

// Other values of the same entries: after these launches alone the format is what the host builds of them.
TEST_P(Conversions, LaunchesOfValuesAreEnoughForOtherValues) {
  if (row.counts_values) GTEST_SKIP() << "what values there are decides how " << row.format << " stores them";
  for (const testing::Shape& shape : testing::shapes()) {
    Progress progress;
    const FormatFacts facts(shape.matrix);
    if (format_row(row.format).symmetric && !facts.symmetry().values) continue;
    const Csr& a = shape.matrix;
    std::vector<double> doubled(a.values().begin(), a.values().end());
    for (double& value : doubled) value *= -2;
    const Csr other(a.rows(), a.cols(), {a.row_ptr().begin(), a.row_ptr().end()}, Indices(a.columns()), doubled);
    const auto csr = std::make_shared<const CsrFormat>(a, Precision::f64, RealView::real_part, progress);
    const auto conversion = row.emulate({csr, &facts, {}});
    const auto run = [&](int launch) {
      for (std::int64_t block = 0; block < conversion->launches()[static_cast<std::size_t>(launch)].grid; ++block)
        conversion->emulate_block(launch, block, nullptr);
    };
    for (int launch = 0; launch < static_cast<int>(conversion->launches().size()); ++launch) run(launch);
    // The conversion reads the values of this CSR where they lie.
    const auto values = csr->values().as<double>();
    std::copy(doubled.begin(), doubled.end(), const_cast<double*>(values.data()));
    for (const int launch : conversion->launches_of_values()) run(launch);
    const auto host =
        format_row(row.format).build(FormatFacts(other), Precision::f64, RealView::real_part, {}, progress);
    EXPECT_TRUE(by_name(conversion->made()) == by_name(built(*host))) << shape.name;
  }
}

// A matrix by lot. Some have all entries near the diagonal, and some a full row; all are symmetric where that is asked
// for.
Csr by_lot(std::mt19937& lot, bool symmetric) {
  const index_t rows = 1 + lot() % 700, cols = symmetric ? rows : 1 + lot() % 700, most = 1 + lot() % 40;
  const bool banded = lot() % 2 == 0;
  const index_t full = lot() % 4 == 0 ? lot() % rows : -1;
  std::vector<std::vector<index_t>> list(static_cast<std::size_t>(rows));
  for (index_t r = 0; r < rows; ++r)
    for (index_t k = 0, n = r == full ? cols : lot() % (most + 1); k < n; ++k) {
      const index_t c = r == full ? k : banded ? r - most / 2 + lot() % most : lot() % cols;
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
  for (const ParamSet& params : sets_of(format_row(row.format).info.params))
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
  for (int n = 0; n < (WARPSPY_SANITIZED ? 20 : 200); ++n) {
    const Csr a = by_lot(lot, format_row(row.format).symmetric);
    ASSERT_TRUE(expect_same(row, a, n % 2 ? Precision::f32 : Precision::f64, {}, "number " + std::to_string(n)));
  }
}

void expect_prepared(const PreparationRow& row, const Csr& a, Precision precision, const ParamSet& params,
                     const std::string& of) {
  std::string what = row.made.format + " of " + of + " " + std::string(name_of(precision));
  for (const auto& [id, value] : params) what += " " + id + "=" + std::to_string(value);
  Progress progress;
  const FormatFacts facts(a);
  const ConversionInputs in{std::make_shared<const CsrFormat>(a, precision, RealView::real_part, progress), &facts,
                            params};
  expect_same(*row.made.emulate(in), row.on_host(in), what);
}

TEST(Preparations, AreWhatTheHostPrepares) {
  const unsigned seed = std::random_device{}();
  std::cout << "seed " << seed << "\n";
  std::mt19937 lot(seed);
  for (const PreparationRow& row : preparations())
    for (const ParamSet& params : sets_of(row.params)) {
      for (const testing::Shape& shape : testing::shapes())
        for (const Precision precision : {Precision::f32, Precision::f64})
          expect_prepared(row, shape.matrix, precision, params, shape.name);
      for (int n = 0; n < (WARPSPY_SANITIZED ? 5 : 40); ++n)
        expect_prepared(row, by_lot(lot, false), n % 2 ? Precision::f32 : Precision::f64, params,
                        "number " + std::to_string(n));
    }
}

const PreparationRow& preparation(const std::string& id) {
  const auto& all = preparations();
  return *std::find_if(all.begin(), all.end(), [&](const PreparationRow& row) { return row.made.format == id; });
}

// Column c has count(c) entries, in the first rows.
Csr with_counts(index_t cols, const std::function<index_t(index_t)>& count) {
  std::vector<std::vector<index_t>> rows;
  for (index_t c = 0; c < cols; ++c) {
    rows.resize(std::max(rows.size(), static_cast<std::size_t>(count(c))));
    for (index_t r = 0; r < count(c); ++r) rows[static_cast<std::size_t>(r)].push_back(c);
  }
  return testing::from_rows(cols, rows, testing::some_value);
}

// More columns than room, columns with equally many entries, and with more than are counted.
TEST(Preparations, SlotsAreForTheColumnsThatTheHostChooses) {
  const std::vector<std::pair<std::string, Csr>> all{
      {"all the same", with_counts(300, [](index_t) { return 9; })},
      {"single ones", with_counts(5000, [](index_t) { return 1; })},
      {"one to ten", with_counts(1000, [](index_t c) { return 1 + c % 10; })},
      {"more than are counted", with_counts(40, [](index_t c) { return 200 + 5 * c; })},
      {"few and many", with_counts(900, [](index_t c) { return c % 90 == 0 ? index_t{400} : c % 3; })}};
  for (const auto& [name, a] : all)
    for (const int share_entries : {32, 500, 4096, 100000})
      for (const int room : {1, 2, 31, 64, 299, 300, 1000})
        expect_prepared(preparation("x_slots"), a, room % 2 ? Precision::f32 : Precision::f64,
                        {{"share_entries", share_entries}, {"room", room}}, name);
}

// Samples of several sizes, whose columns find room or not.
TEST(Preparations, SharesAreThoseThatTheHostChooses) {
  std::vector<std::vector<index_t>> near(3000);
  for (index_t r = 0; r < 3000; ++r)
    for (index_t k = 0; k < 12; ++k) near[static_cast<std::size_t>(r)].push_back((r + k * k) % 3000);
  const std::vector<std::pair<std::string, Csr>> all{
      {"random", testing::random_rows(
                     2000, 1500, [](index_t) { return 20; }, 11)},
      {"near the diagonal", testing::from_rows(3000, near, testing::some_value)},
      {"more than are counted", with_counts(60, [](index_t c) { return 200 + 10 * c; })}};
  for (const auto& [name, a] : all)
    for (const int tile : {64, 256})
      for (const int blocks : {1, 2, 5})
        for (const int room : {1, 50, 512})
          expect_prepared(preparation("x_slots_share"), a, room % 2 ? Precision::f32 : Precision::f64,
                          {{"tile", tile}, {"blocks", blocks}, {"room", room}}, name);
}

// A chain of tiles through many segments: its maps are joined several times. Its end may skip the last segment.
TEST(Preparations, TilesOfManyRows) {
  const std::function<index_t(index_t)> lengths[] = {
      [](index_t r) { return r % 7; }, [](index_t r) { return r % 5000 == 17 ? index_t{3000} : index_t{1}; },
      [](index_t r) { return r % 900 == 0 ? index_t{5} : index_t{0}; }};
  for (std::size_t k = 0; k < std::size(lengths); ++k)
    for (const index_t rows : {8192, 8200, 12000}) {
      const Csr a = testing::random_rows(rows, 4000, lengths[k], static_cast<unsigned>(k));
      for (const auto& [most, segment] : {std::pair{30, 32}, {1024, 4096}})
        expect_prepared(preparation("row_tiles"), a, Precision::f32,
                        {{"entries", 256}, {"rows", most}, {"segment", segment}},
                        "lengths " + std::to_string(k) + " of " + std::to_string(rows) + " rows");
    }
}

// Shares that are cut, in each of the host's parts: by single columns, by dense ones, by both, and not at all.
TEST(Preparations, ColumnSlotsOfSharesThatAreCut) {
  const auto mixed = [](index_t r, index_t k) { return k < 3 ? k : (r * 37 + k * k) % 6000; };
  std::vector<std::vector<index_t>> rows(1500);
  for (index_t r = 0; r < 1500; ++r)
    for (index_t k = 0; k < 14; ++k) rows[static_cast<std::size_t>(r)].push_back(mixed(r, k));
  const std::vector<std::pair<std::string, Csr>> all{
      {"random", testing::random_rows(
                     1000, 9000, [](index_t r) { return r % 40; }, 5)},
      {"dense and others", testing::from_rows(6000, rows, testing::some_value)},
      {"dense", testing::random_rows(400, 50, [](index_t) { return 45; }, 6)}};
  for (const auto& [name, a] : all)
    for (const int tiles : {1, 2, 4, 7, 40})
      for (const int room : {256, 300, 1000, 4096})
        expect_prepared(preparation("column_slots"), a, tiles % 2 ? Precision::f32 : Precision::f64,
                        {{"tiles_per_share", tiles}, {"room", room}}, name);
}

// Shares of blocks that find room, that are all made smaller, and of which a few are cut in halves several times.
TEST(Preparations, BlockSlotsOfSharesThatAreCut) {
  const auto banded_but = [](index_t from, index_t to) {
    std::vector<std::vector<index_t>> rows(4000);
    for (index_t r = 0; r < 4000; ++r)
      for (index_t k = 0; k < 16; ++k)
        rows[static_cast<std::size_t>(r)].push_back(from <= r && r < to ? (r * 37 + k * k * 101) % 4000
                                                                        : std::min<index_t>(r + k, 3999 - 16 + k));
    return testing::from_rows(4000, rows, testing::some_value);
  };
  for (const auto& [from, to] : {std::pair{0, 0}, {1000, 1060}, {500, 2500}, {0, 4000}}) {
    const Csr a = banded_but(from, to);
    for (const int shares : {1, 40})
      for (const int room : {64, 300, 512})
        expect_prepared(preparation("block_slots"), a, Precision::f32, {{"shares", shares}, {"room", room}},
                        "rows " + std::to_string(from) + " to " + std::to_string(to));
  }
}

// Keys of shares and columns need more than 32 bits.
TEST(Preparations, SlotsOfManyColumns) {
  const Csr a = testing::random_rows(40, 30'000'000, [](index_t) { return 150; }, 9);
  for (const int room : {7, 64})
    expect_prepared(preparation("x_slots"), a, Precision::f32, {{"share_entries", 32}, {"room", room}}, "wide");
}

// Rows of 7 entries, the k-th entry of the matrix with values[k].
Csr with_values(const std::vector<double>& values, index_t cols) {
  std::vector<index_t> row_ptr{0};
  std::vector<std::int32_t> columns;
  for (std::size_t k = 0; k < values.size(); ++k) {
    columns.push_back(static_cast<std::int32_t>(cols - 7 + static_cast<index_t>(k % 7)));
    if (k % 7 == 6 || k + 1 == values.size()) row_ptr.push_back(static_cast<index_t>(k + 1));
  }
  const auto rows = static_cast<index_t>(row_ptr.size()) - 1;
  return Csr(rows, cols, std::move(row_ptr), Indices(std::move(columns)), values);
}

std::vector<double> cycle(std::size_t count, std::size_t distinct, double first, double step) {
  std::vector<double> values(count);
  for (std::size_t k = 0; k < count; ++k) values[k] = first + step * static_cast<double>(k % distinct);
  return values;
}

TEST(ConversionToCompactCsr, FindsEveryFormOfValues) {
  const auto bits = [](std::uint64_t b) { return std::bit_cast<double>(b); };
  const auto with = [](std::vector<double> values, std::size_t at, const std::vector<double>& others) {
    std::copy(others.begin(), others.end(), values.begin() + static_cast<std::ptrdiff_t>(at));
    return values;
  };
  // Zeros, infinities, NaNs with other bits, and values below the normal ones of f32: all are f32 values.
  const std::vector<double> special{
      0.0,      -0.0,      bits(0x7ff0000000000000), bits(0xfff0000000000000), bits(0x7ff8000000000000),
      0x1p-149, -0x1p-140, bits(0x7ff8000020000000), bits(0xfff8000000000000), bits(0xffffffffe0000000)};
  const std::vector<double> exact = cycle(5000, 1000, -4, 0.25);
  // 256 values in several blocks, which do not have the same ones.
  std::vector<double> rising(70000);
  for (std::size_t k = 0; k < rising.size(); ++k) rising[k] = static_cast<double>(k * 256 / rising.size()) / 3;

  const std::vector<std::pair<std::string, std::vector<double>>> all{
      {"one", cycle(3000, 1, 0.1, 0)},
      {"few", cycle(3000, 5, 0.1, 0.3)},
      {"as many as a table holds", cycle(3000, 256, -7, 0.3)},
      {"one more", cycle(3000, 257, -7, 0.3)},
      {"many", cycle(5000, 5000, 0.1, 0.3)},
      {"a table that is too large", cycle(20, 20, 0.1, 0.3)},
      {"the same of f32 values", cycle(20, 20, 1, 0.25)},
      {"one in f32", cycle(500, 500, 1, 1e-12)},
      {"f32 values", exact},
      {"all but one are f32 values", with(exact, 4321, {0.1})},
      {"special", with(cycle(3000, 1, 1, 0), 100, special)},
      {"special and many", with(exact, 3000, special)},
      {"a NaN with a low bit", with(exact, 3000, {bits(0x7ff8000000000001)})},
      {"a signalling NaN", with(exact, 3000, {bits(0x7ff0000020000000)})},
      {"a table of several blocks", rising},
      {"no block has too many", with(rising, 69999, {100})}};
  std::set<ValueForm> forms;
  for (const auto& [name, values] : all)
    for (const Precision precision : {Precision::f32, Precision::f64}) {
      const Csr a = with_values(values, 1000);
      expect_same(*conversion_to("csr_compact"), a, precision, {}, name + " " + std::string(name_of(precision)));
      Progress progress;
      forms.insert(CsrCompactFormat(FormatFacts(a), precision, RealView::real_part, progress).form());
    }
  EXPECT_EQ(forms.size(), 4u);
}

TEST(ConversionToCompactCsr, ShortensColumnsUpTo65536) {
  for (const index_t cols : {65536, 65537, 70000})
    expect_same(*conversion_to("csr_compact"), with_values(cycle(100, 3, 1, 1), cols), Precision::f64, {},
                std::to_string(cols));
}

// As on the host, nothing is known of complex values.
TEST(ConversionToCompactCsr, KeepsComplexValuesWhole) {
  const Csr a(1, 2, {0, 2}, Indices(std::vector<std::int32_t>{0, 1}), {1, 1}, {0, 2});
  for (const Precision precision : {Precision::f32, Precision::f64})
    expect_same(*conversion_to("csr_compact"), a, precision, {}, "complex");
}

// With its default parameters HYB-R has one part of such small matrices.
TEST(ConversionTable, HybRWithManyPartsIsWhatTheHostBuilds) {
  const unsigned seed = std::random_device{}();
  std::cout << "seed " << seed << "\n";
  std::mt19937 lot(seed);
  int deep = 0;
  for (int n = 0; n < 60; ++n) {
    const Csr a = by_lot(lot, false);
    const ParamSet params{{"rule", lot() % 8}, {"k", lot() % 4},          {"stop_share", lot() % 3},
                          {"stop_rows", 1},    {"depth", 1 + lot() % 64}, {"alignment", 1 << lot() % 6}};
    const Precision precision = n % 2 ? Precision::f32 : Precision::f64;
    ASSERT_TRUE(expect_same(*conversion_to("hyb_r"), a, precision, params, "number " + std::to_string(n)));
    deep += format_row("hyb_r").estimate(FormatFacts(a), precision, params).fact("depth")->value > 1;
  }
  EXPECT_GE(deep, 10) << "rows are sorted where there are two parts or more";
}

// Rows of thousands of entries: lengths are many, and those that rows have are listed.
TEST(ConversionTable, HybOfLongRowsIsWhatTheHostBuilds) {
  const auto long_rows = [](index_t r) {
    return r == 7 ? index_t{9000} : r % 100 == 50 ? 4000 + 10 * r : r % 5;  // and empty ones
  };
  const auto no_row_is_empty = [](index_t r) { return r == 3 ? index_t{5000} : index_t{2}; };
  for (const Csr& a :
       {testing::random_rows(300, 12000, long_rows, 13), testing::random_rows(40, 60000, no_row_is_empty, 14)})
    for (const char* format : {"hyb", "hyb_r"})
      for (int rule = 0; rule < 8; ++rule) {
        const std::string what = std::string(format) + " by rule " + std::to_string(rule);
        ParamSet params{{"rule", rule}, {"k", 4500}};
        if (format == std::string("hyb_r")) params.insert({{"stop_rows", 1}, {"stop_share", 0}});
        EXPECT_GT(FormatFacts(a).lengths().longest, 4096);
        EXPECT_TRUE(expect_same(*conversion_to(format), a, Precision::f32, params, what));
      }
}

// More groups than one launch brings, with rows that wait for the next longer group.
TEST(ConversionTable, EvcHybOfManyGroupsIsWhatTheHostBuilds) {
  const Csr a = testing::random_rows(5000, 900, [](index_t r) { return r * 7919 % 5000 / 33; }, 15);
  for (const int boundary : {60, 128, 4096})
    EXPECT_TRUE(expect_same(*conversion_to("evc_hyb"), a, Precision::f64, {{"boundary", boundary}},
                            "boundary " + std::to_string(boundary)));
  EXPECT_GT(
      format_row("evc_hyb").estimate(FormatFacts(a), Precision::f64, {{"boundary", 4096}}).fact("split_row")->value,
      4900);
}

// Slices in which one, two or three rows go on when all others have ended.
TEST(ConversionTable, SymmetricBlocksOfLongRowsAreWhatTheHostBuilds) {
  std::vector<std::vector<index_t>> ends{{900}, {900, 700}, {900, 900}, {900, 890, 200}, {35, 33, 31}};
  std::vector<index_t>& whole_slice = ends.emplace_back();  // all rows of a slice have a second segment
  for (index_t k = 0; k < 40; ++k) whole_slice.push_back(640 - 3 * k);
  for (const std::vector<index_t>& of_rows : ends) {
    std::vector<std::vector<index_t>> rows(1000);
    for (index_t r = 0; r < 1000; ++r) rows[static_cast<std::size_t>(r)].push_back(r);
    for (std::size_t k = 0; k < of_rows.size(); ++k)
      for (index_t c = 0; c < of_rows[k]; ++c) {
        const index_t row = 999 - 8 * static_cast<index_t>(k);
        rows[static_cast<std::size_t>(row)].push_back(c);
        rows[static_cast<std::size_t>(c)].push_back(row);
      }
    const Csr a = testing::from_rows(
        1000, rows, [](index_t r, index_t c) { return testing::some_value(std::min(r, c), std::max(r, c)); });
    for (const Precision precision : {Precision::f32, Precision::f64})
      for (const int block_rows : {2, 3})
        EXPECT_TRUE(expect_same(*conversion_to("bsr_symmetric"), a, precision, {{"block_rows", block_rows}},
                                std::to_string(of_rows.size()) + " long rows"));
  }
}

// The model of a GPU tries blocks of a launch before those of earlier launches have run.
TEST_P(Conversions, LaterLaunchesCanBeTriedFirst) {
  if (row.sorts) GTEST_SKIP() << "is not modelled";
  Progress progress;
  for (const testing::Shape& shape : testing::shapes()) {
    const FormatFacts facts(shape.matrix);
    if (format_row(row.format).symmetric && !facts.symmetry().values) continue;
    const auto host = format_row(row.format).build(facts, Precision::f32, RealView::real_part, {}, progress);
    const auto csr = std::make_shared<const CsrFormat>(shape.matrix, Precision::f32, RealView::real_part, progress);
    const auto conversion = row.emulate({csr, &facts, {}, host.get()});
    for (std::size_t launch = conversion->launches().size(); launch-- > 0;)
      for (std::int64_t block = 0; block < conversion->launches()[launch].grid; ++block) {
        simt::Additions never = simt::Additions::dry_run();
        EXPECT_NO_THROW(conversion->emulate_block(static_cast<int>(launch), block, nullptr, &never)) << shape.name;
      }
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
