// Compact CSR: values come back with their bits, whatever form they take; how few there are decides it, and columns
// have 16 bits as long as these reach.
#include "core/formats/csr_compact.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "entries.hpp"

namespace warpspy {
namespace {

// Rows of 7 entries, the k-th entry of the matrix with values[k].
Csr with_values(const std::vector<double>& values, index_t cols = 1000) {
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

// "" when every value comes back with its bits, and the estimate is what is built.
std::string bits_fault(const Csr& a, Precision precision) {
  const FormatFacts facts(a);
  const auto format = testing::built(format_row("csr_compact"), facts, precision);
  if (format->precision() != precision) return "precision";
  const Estimate e = format_row("csr_compact").estimate(facts, precision, {});
  if (e.arrays != format->size().arrays || e.facts != format->facts()) return "estimate";
  if (e.bytes() > format_row("csr").estimate(facts, precision, {}).bytes()) return "larger than CSR";
  std::size_t k = 0;
  std::string fault;
  format->for_each_slot([&](const Slot& s) {
    const double v = a.values()[k++];
    const bool same = precision == Precision::f64
                          ? std::bit_cast<std::uint64_t>(s.value) == std::bit_cast<std::uint64_t>(v)
                          : std::bit_cast<std::uint32_t>(static_cast<float>(s.value)) ==
                                std::bit_cast<std::uint32_t>(static_cast<float>(v));
    if (!same) fault = "value " + std::to_string(k - 1) + " has other bits";
  });
  return fault;
}

ValueForm form_of(const Csr& a, Precision precision) {
  return testing::built_as<CsrCompactFormat>("csr_compact", a, precision)->form();
}

TEST(CsrCompact, FormsFollowWhatThereIs) {
  const Csr ones = with_values(cycle(2000, 1, 1, 0)), few = with_values(cycle(5000, 256, 0.1, 0.3)),
            many = with_values(cycle(5000, 257, 0.1, 0.3)), exact = with_values(cycle(5000, 1000, -4, 0.25));
  for (const Precision p : {Precision::f32, Precision::f64}) {
    EXPECT_EQ(form_of(ones, p), ValueForm::one);
    EXPECT_EQ(form_of(few, p), ValueForm::indexed);
    EXPECT_EQ(form_of(many, p), ValueForm::whole);
    for (const Csr* a : {&ones, &few, &many, &exact}) EXPECT_EQ(bits_fault(*a, p), "");
  }
  EXPECT_EQ(form_of(exact, Precision::f32), ValueForm::whole);
  EXPECT_EQ(form_of(exact, Precision::f64), ValueForm::narrow);
  EXPECT_EQ(form_of(with_values(cycle(20, 20, 0.1, 0.3)), Precision::f64), ValueForm::whole) << "the table is larger";
  // Bytes by hand: 2000 columns of 2, 287 row pointers of 4, one value of 8.
  EXPECT_EQ(format_row("csr_compact").estimate(ones, Precision::f64, {}).bytes(), 2000u * 2 + 287 * 4 + 8);
}

// Values that are equal in f32 are one there.
TEST(CsrCompact, F32SeesItsOwnValues) {
  std::vector<double> values(500, 1);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] += static_cast<double>(k) * 1e-12;
  const Csr a = with_values(values);
  EXPECT_EQ(form_of(a, Precision::f32), ValueForm::one);
  EXPECT_EQ(form_of(a, Precision::f64), ValueForm::whole);
  EXPECT_EQ(bits_fault(a, Precision::f32), "");
}

TEST(CsrCompact, ColumnsAreShortUpTo65536) {
  for (const index_t cols : {65535, 65536, 65537}) {
    const Csr a = with_values(cycle(100, 3, 1, 1), cols);
    const auto format = testing::built_as<CsrCompactFormat>("csr_compact", a, Precision::f32);
    EXPECT_EQ(format->has_short_columns(), cols <= 65536);
    for (const Precision p : {Precision::f32, Precision::f64})
      EXPECT_EQ(testing::fault_of(format_row("csr_compact"), a, p, {}), "") << cols;
  }
}

TEST(CsrCompact, SpecialValuesKeepTheirBits) {
  const double inf = std::numeric_limits<double>::infinity();
  const auto nan = [](std::uint64_t payload) { return std::bit_cast<double>(0x7ff8000000000000u | payload); };
  const std::vector<double> of_f32{0.0,      -0.0,      inf,     -inf, nan(0x20000000), nan(0x40000000),
                                   0x1p-149, -0x1p-140, 0x1p-126};
  const std::vector<double> of_f64{nan(1), nan(2), -nan(1), 5e-324, -5e-324, 0x1p-1022};
  for (const bool wide : {false, true})
    for (const std::size_t repeats : {1, 40, 3000}) {
      std::vector<double> values;
      for (std::size_t k = 0; k < repeats; ++k) {
        values.insert(values.end(), of_f32.begin(), of_f32.end());
        if (wide) values.insert(values.end(), of_f64.begin(), of_f64.end());
        values.push_back(repeats == 3000 ? static_cast<double>(k) : 1.0);  // too many for a table
      }
      const Csr a = with_values(values);
      EXPECT_EQ(bits_fault(a, Precision::f64), "") << repeats << wide;
      if (repeats == 3000) {
        EXPECT_EQ(form_of(a, Precision::f64), wide ? ValueForm::whole : ValueForm::narrow);
      }
      if (!wide) {
        EXPECT_EQ(bits_fault(a, Precision::f32), "") << repeats;
      }
    }
  EXPECT_EQ(form_of(with_values({0.0, -0.0, 0.0, -0.0, 0.0, 0.0, 0.0, 0.0, 0.0}), Precision::f32), ValueForm::indexed)
      << "two zeros are two values";
}

// Two numbers to an entry, which may be read in two ways: nothing is said of them.
TEST(CsrCompact, ComplexValuesStayAsTheyAre) {
  const Csr a(2, 2, {0, 1, 2}, Indices(std::vector<std::int32_t>{0, 1}), {3, 3}, {4, 0});
  EXPECT_EQ(form_of(a, Precision::f64), ValueForm::whole);
}

RC_GTEST_PROP(CsrCompact, AnyBitsComeBack, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(1, 3000), distinct = *rc::gen::inRange<std::size_t>(1, 300);
  const bool exact = *rc::gen::arbitrary<bool>();
  auto state = *rc::gen::arbitrary<std::uint64_t>();
  std::vector<double> pool(distinct), values(count);
  const auto next = [&] { return state = state * 6364136223846793005u + 1442695040888963407u; };
  for (double& v : pool) {
    v = exact ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(next() >> 32)))
              : std::bit_cast<double>(next());
  }
  for (double& v : values) v = pool[(next() >> 20) % distinct];
  const Csr a = with_values(values, *rc::gen::element<index_t>(7, 65536, 65537));
  const std::string fault = bits_fault(a, Precision::f64);
  if (!fault.empty()) RC_FAIL(fault);
}

}  // namespace
}  // namespace warpspy
