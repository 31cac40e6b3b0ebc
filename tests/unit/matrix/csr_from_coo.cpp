// csr_from_coo against a std::map, on every index width, order and value type.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <complex>
#include <map>
#include <random>
#include <string>

#include "core/matrix/csr.hpp"

namespace warpspy {
namespace {

struct Item {
  index_t row, col;
  double re, im;
};

Coo coo_of(index_t rows, index_t cols, const std::vector<Item>& items, bool complex, bool wide_indices = false) {
  Coo coo;
  coo.rows = rows;
  coo.cols = cols;
  coo.row = Indices::sized(wide_indices ? INT64_MAX : rows, items.size());
  coo.col = Indices::sized(wide_indices ? INT64_MAX : cols, items.size());
  const auto fill = [&](Indices& to, auto get) {
    to.visit_mut([&](auto span) {
      using T = typename decltype(span)::value_type;
      for (std::size_t k = 0; k < span.size(); ++k) span[k] = static_cast<T>(get(items[k]));
    });
  };
  fill(coo.row, [](const Item& i) { return i.row; });
  fill(coo.col, [](const Item& i) { return i.col; });
  for (const Item& i : items) {
    coo.values.push_back(i.re);
    if (complex) coo.imag.push_back(i.im);
  }
  return coo;
}

// What differs from summing into a map in the order of the input, bit for bit; empty when nothing does.
std::string difference(const Csr& a, const std::vector<Item>& items, bool complex, index_t duplicates) {
  std::map<std::pair<index_t, index_t>, std::complex<double>> want;
  for (const Item& i : items) {
    const auto [at, fresh] = want.try_emplace({i.row, i.col}, i.re, i.im);
    if (!fresh) at->second += std::complex<double>(i.re, i.im);
  }
  if (a.nnz() != static_cast<index_t>(want.size())) return "nnz " + std::to_string(a.nnz());
  if (duplicates != static_cast<index_t>(items.size() - want.size())) return "count of duplicates";
  index_t k = 0;
  for (const auto& [at, value] : want) {
    const std::string entry = "entry " + std::to_string(k);
    if (k < a.row_ptr()[at.first] || k >= a.row_ptr()[at.first + 1]) return "row of " + entry;
    if (a.columns()[k] != at.second) return "column of " + entry;
    if (a.values()[k] != value.real() || (complex && a.imag()[k] != value.imag())) return "value of " + entry;
    ++k;
  }
  return "";
}

rc::Gen<std::vector<Item>> items_in(index_t rows, index_t cols) {
  return rc::gen::container<std::vector<Item>>(
      rc::gen::apply([](index_t r, index_t c, int re, int im) { return Item{r, c, re * 0.1, im * 0.3}; },
                     rc::gen::inRange<index_t>(0, rows), rc::gen::inRange<index_t>(0, cols), rc::gen::inRange(-9, 10),
                     rc::gen::inRange(-9, 10)));
}

TEST(CsrFromCoo, MatchesAMap) {
  EXPECT_TRUE(rc::check([] {
    const auto rows = *rc::gen::inRange<index_t>(1, 40), cols = *rc::gen::inRange<index_t>(1, 40);
    auto items = *items_in(rows, cols);
    const int order = *rc::gen::inRange(0, 3);
    const bool complex = *rc::gen::arbitrary<bool>() && !items.empty(), wide = *rc::gen::arbitrary<bool>();
    if (order == 1) std::stable_sort(items.begin(), items.end(), [](auto& x, auto& y) { return x.row < y.row; });
    if (order == 2) std::stable_sort(items.begin(), items.end(), [](auto& x, auto& y) { return x.col < y.col; });
    index_t duplicates = -1;
    const Csr a = csr_from_coo(coo_of(rows, cols, items, complex, wide), &duplicates);
    RC_ASSERT(a.is_complex() == complex);
    RC_ASSERT(a.columns().is32());
    RC_ASSERT(difference(a, items, complex, duplicates) == "");
  }));
}

// Enough entries for several blocks and groups; a few heavy rows. Indices of 32 and of 64 bits.
TEST(CsrFromCoo, LargeMatchesAMap) {
  for (const index_t cols : {index_t{50000}, index_t{300}, index_t{1} << 40}) {
    std::mt19937_64 random(7);
    const index_t rows = 30000;
    std::vector<Item> items;
    for (int k = 0; k < 300000; ++k) {
      // Row 17 is very long, the next hundred are of some hundred entries, the others short.
      const auto row = static_cast<index_t>(k % 10 == 0 ? 17 : k % 10 < 3 ? 18 + random() % 100 : random() % rows);
      items.push_back({row, static_cast<index_t>(random() % cols), 1.0 / (1.0 + k), 0.5 * k});
    }
    for (const bool complex : {false, true}) {
      index_t duplicates = -1;
      const Csr a = csr_from_coo(coo_of(rows, cols, items, complex), &duplicates);
      EXPECT_EQ(difference(a, items, complex, duplicates), "");
    }
  }
}

TEST(CsrFromCoo, SortedInputIsTakenOver) {
  Coo coo = coo_of(3, 4, {{0, 1, 1, 0}, {0, 3, 2, 0}, {2, 0, 3, 0}}, false);
  const double* before = coo.values.data();
  const Csr a = csr_from_coo(std::move(coo));
  EXPECT_EQ(a.values().data(), before) << "values of a sorted input need no copy";
  EXPECT_EQ(a.row_length(1), 0);
}

TEST(CsrFromCoo, WideColumnsStayWide) {
  const index_t cols = index_t{1} << 40;
  const Csr a = csr_from_coo(coo_of(2, cols, {{1, cols - 1, 1, 0}, {0, 5, 2, 0}, {1, 0, 3, 0}}, false));
  EXPECT_FALSE(a.columns().is32());
  EXPECT_EQ(a.columns()[2], cols - 1);
}

TEST(CsrFromCoo, EmptyShapes) {
  for (const auto& [rows, cols] : std::vector<std::pair<index_t, index_t>>{{0, 0}, {0, 5}, {5, 0}, {3, 3}}) {
    const Csr a = csr_from_coo(coo_of(rows, cols, {}, false));
    EXPECT_EQ(a.rows(), rows);
    EXPECT_EQ(a.cols(), cols);
    EXPECT_EQ(a.nnz(), 0);
  }
}

TEST(CsrFromCoo, RefusesWhatDoesNotFit) {
  EXPECT_THROW(csr_from_coo(coo_of(2, 2, {{0, 0, 1, 0}, {2, 0, 1, 0}}, false)), Error);
  EXPECT_THROW(csr_from_coo(coo_of(2, 2, {{0, -1, 1, 0}}, false)), Error);
  Coo uneven = coo_of(2, 2, {{0, 0, 1, 0}}, false);
  uneven.values.push_back(1);
  EXPECT_THROW(csr_from_coo(std::move(uneven)), Error);
}

TEST(Csr, RefusesBrokenInvariants) {
  const auto columns = [](std::vector<std::int32_t> v) { return Indices(std::move(v)); };
  EXPECT_THROW(Csr(2, 2, {0, 1}, columns({0}), {1}), Error) << "too few row pointers";
  EXPECT_THROW(Csr(1, 2, {0, 2}, columns({1, 0}), {1, 1}), Error) << "columns decrease";
  EXPECT_THROW(Csr(1, 2, {0, 2}, columns({1, 1}), {1, 1}), Error) << "a column twice";
  EXPECT_THROW(Csr(1, 2, {0, 1}, columns({2}), {1}), Error) << "column outside";
  EXPECT_THROW(Csr(1, 2, {0, 1}, columns({-1}), {1}), Error) << "negative column";
  EXPECT_THROW(Csr(2, 2, {0, 1, 0}, columns({0}), {1}), Error) << "row pointers decrease";
  EXPECT_THROW(Csr(1, 2, {0, 1}, columns({0}), {1}, {1, 2}), Error) << "too many imaginary parts";
  try {
    Csr(3, 3, {0, 1, 3, 4}, columns({0, 2, 1, 9}), {1, 1, 1, 1});
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(e.reason.find("row 1"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace warpspy
