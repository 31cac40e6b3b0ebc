// The worked examples of the papers, slot by slot.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "core/formats/coo.hpp"
#include "core/formats/csr.hpp"
#include "core/formats/dia.hpp"
#include "core/formats/ell.hpp"
#include "core/formats/evc_hyb.hpp"
#include "core/formats/hyb.hpp"
#include "core/formats/hyb_r.hpp"
#include "core/formats/layout.hpp"
#include "core/formats/pkt.hpp"
#include "core/formats/sell.hpp"
#include "entries.hpp"

namespace warpspy {
namespace {

using testing::built_as;

// Bell & Garland 2008, figure 5.
Csr four_by_four() {
  return Csr(4, 4, {0, 2, 4, 7, 9}, Indices(std::vector<std::int32_t>{0, 1, 1, 2, 0, 2, 3, 1, 3}),
             {1, 7, 2, 8, 5, 3, 9, 6, 4});
}

std::vector<double> list(const auto& array) {
  std::vector<double> all;
  for (std::size_t k = 0; k < array.size(); ++k) all.push_back(static_cast<double>(array[k]));
  return all;
}

// One line per printed row: "* 1 7".
std::string printed(const std::vector<LayoutArray>& layout, const std::string& name) {
  for (const LayoutArray& a : layout) {
    if (a.name != name) continue;
    std::string text;
    for (index_t r = 0; r < a.rows; ++r)
      for (index_t c = 0; c < a.cols; ++c)
        text += a.cells[r * a.cols + c].text + (c + 1 < a.cols ? " " : r + 1 < a.rows ? "\n" : "");
    return text;
  }
  return "no array " + name;
}

using List = std::vector<double>;

TEST(Papers, DiaOfFigure5) {
  const auto dia = built_as<DiaFormat>("dia", four_by_four(), Precision::f64, {{"alignment", 4}});
  EXPECT_EQ(list(dia->offsets()), (List{-2, 0, 1}));
  // Figure 16, with 0 where it has *.
  EXPECT_EQ(list(dia->values()), (List{0, 0, 5, 6, 1, 2, 3, 4, 7, 8, 9, 0}));
  const auto layout = layout_of(*dia);
  EXPECT_EQ(printed(layout, "values"), "* 1 7\n* 2 8\n5 3 9\n6 4 *");
  EXPECT_EQ(printed(layout, "offsets"), "-2 0 1");
}

TEST(Papers, EllOfFigure7) {
  const auto ell = built_as<EllFormat>("ell", four_by_four(), Precision::f64, {{"alignment", 4}, {"row_lengths", 1}});
  EXPECT_EQ(ell->width(), 3);
  // Figure 18, with 0 and -1 where it has *.
  EXPECT_EQ(list(ell->values()), (List{1, 2, 5, 6, 7, 8, 3, 4, 0, 0, 9, 0}));
  EXPECT_EQ(list(ell->columns()), (List{0, 1, 0, 1, 1, 2, 2, 3, -1, -1, 3, -1}));
  EXPECT_EQ(list(ell->row_lengths()), (List{2, 2, 3, 2}));
  const auto layout = layout_of(*ell);
  EXPECT_EQ(printed(layout, "values"), "1 7 *\n2 8 *\n5 3 9\n6 4 *");
  EXPECT_EQ(printed(layout, "columns"), "0 1 *\n1 2 *\n0 2 3\n1 3 *");
}

TEST(Papers, CooOfFigure10) {
  const auto layout = layout_of(*built_as<CooFormat>("coo", four_by_four(), Precision::f32));
  EXPECT_EQ(printed(layout, "rows"), "0 0 1 1 2 2 2 3 3");
  EXPECT_EQ(printed(layout, "columns"), "0 1 1 2 0 2 3 1 3");
  EXPECT_EQ(printed(layout, "values"), "1 7 2 8 5 3 9 6 4");
}

TEST(Papers, CsrOfFigure11) {
  const auto layout = layout_of(*built_as<CsrFormat>("csr", four_by_four(), Precision::f32));
  EXPECT_EQ(printed(layout, "row_ptr"), "0 2 4 7 9");
  EXPECT_EQ(printed(layout, "columns"), "0 1 1 2 0 2 3 1 3");
  EXPECT_EQ(printed(layout, "values"), "1 7 2 8 5 3 9 6 4");
}

TEST(Papers, HybOfTheSameMatrix) {
  // One row of four has a third entry, fewer than a third of the rows: K = 2, and 9 goes to COO.
  const auto hyb = built_as<HybFormat>("hyb", four_by_four(), Precision::f64, {{"alignment", 4}});
  EXPECT_EQ(hyb->width(), 2);
  EXPECT_EQ(list(hyb->ell_values()), (List{1, 2, 5, 6, 7, 8, 3, 4}));
  EXPECT_EQ(list(hyb->coo_rows()), (List{2}));
  EXPECT_EQ(list(hyb->coo_columns()), (List{3}));
  EXPECT_EQ(list(hyb->coo_values()), (List{9}));
  EXPECT_DOUBLE_EQ(hyb->size().fact("coo_share")->value, 1.0 / 9);
}

// Figure 12 is lost in the text; this is the mesh that figures 13 and 14 speak of. Its two parts are given, since METIS
// may find others of the same cut.
TEST(Papers, PacketsOfFigure14) {
  const std::vector<std::vector<index_t>> part0{{0, 1, 3, 4}, {0, 1, 2, 4, 5}, {1, 2, 5},
                                                {0, 3, 4},    {0, 1, 3, 4, 5}, {1, 2, 4, 5}};
  const std::vector<std::vector<index_t>> part1{{0, 1, 3}, {0, 1, 2, 3, 4}, {1, 2, 4}, {0, 1, 3, 4}, {1, 2, 3, 4}};
  // Each part by itself is a matrix of one packet.
  const auto packet = [](const std::vector<std::vector<index_t>>& rows) {
    const Csr a = testing::from_rows(static_cast<index_t>(rows.size()), rows, testing::some_value);
    return layout_of(*built_as<PktFormat>("pkt", a, Precision::f32, {{"threads", 4}}));
  };
  EXPECT_EQ(printed(packet(part0), "pkt0"),
            "(0, 0) (0, 1) (0, 3) (0, 4) * * * *\n"
            "(1, 0) (1, 1) (1, 2) (1, 4) (1, 5) * * *\n"
            "(2, 1) (2, 2) (2, 5) (4, 0) (4, 1) (4, 3) (4, 4) (4, 5)\n"
            "(3, 0) (3, 3) (3, 4) (5, 1) (5, 2) (5, 4) (5, 5) *");
  EXPECT_EQ(printed(packet(part1), "pkt0"),
            "(0, 0) (0, 1) (0, 3) (4, 1) (4, 2) (4, 3) (4, 4)\n"
            "(1, 0) (1, 1) (1, 2) (1, 3) (1, 4) * *\n"
            "(2, 1) (2, 2) (2, 4) * * * *\n"
            "(3, 0) (3, 1) (3, 3) (3, 4) * * *");
  // Both in one matrix, with an edge between them: two packets of at most six rows, and the edge in COO.
  std::vector<std::vector<index_t>> both = part0;
  for (const auto& row : part1) {
    both.emplace_back();
    for (const index_t c : row) both.back().push_back(c + 6);
  }
  both[5].push_back(6);
  both[6].push_back(5);
  const Csr a = testing::from_rows(11, both, testing::some_value);
  const auto pkt = built_as<PktFormat>("pkt", a, Precision::f32, {{"threads", 4}, {"packet_rows", 6}});
  EXPECT_EQ(pkt->packets(), 2);
  EXPECT_EQ(pkt->coo_entries(), 2);
  EXPECT_EQ(pkt->largest_packet(), 6);
}

TEST(Papers, PacketsFitTheSharedMemory) {
  // At most 2,000 rows in f32 and 1,000 in f64 (footnote 6): what x and y of 16 KiB have room for.
  std::vector<std::vector<index_t>> grid(5000);
  for (index_t r = 0; r < 5000; ++r)
    for (const index_t c : {r - 50, r - (r % 50 != 0), r, r + (r % 50 != 49), r + 50})
      if (c >= 0 && c < 5000) grid[r].push_back(c);
  const Csr a = testing::from_rows(5000, grid, testing::some_value);
  for (const auto& [precision, most] : {std::pair{Precision::f32, 2048}, {Precision::f64, 1024}}) {
    const auto pkt = built_as<PktFormat>("pkt", a, precision);
    EXPECT_LE(pkt->largest_packet(), most);
    EXPECT_LE(pkt->packets(), 5000 / most + 2);
    EXPECT_GT(pkt->size().fact("packet_share")->value, 0.9);
  }
}

// HYB-R paper, section II.D and IV.C: the three methods on lengths that tell them apart.
TEST(Papers, RulesForK) {
  // 9 rows of lengths 1 1 1 1 2 2 6 6 7: 27 entries, mean 3.
  const std::vector<index_t> lengths{1, 1, 1, 1, 2, 2, 6, 6, 7};
  const Csr a = testing::random_rows(9, 100000, [&](index_t r) { return lengths[r]; }, 5);
  ASSERT_EQ(a.nnz(), 27);
  const auto k = [&](HybRule rule, double by_hand = 0) {
    const Estimate e = format_row("hyb").estimate(
        a, Precision::f32, {{"rule", static_cast<double>(rule)}, {"k", by_hand}, {"alignment", 1}});
    return e.fact("k")->value;
  };
  EXPECT_EQ(k(HybRule::third), 6);      // three of nine rows have six entries or more, one has seven
  EXPECT_EQ(k(HybRule::third4096), 0);  // never 4096 rows
  EXPECT_EQ(k(HybRule::mean), 3);
  EXPECT_EQ(k(HybRule::mean_below), 3);
  EXPECT_EQ(k(HybRule::mean_above), 3);
  const Csr b = testing::random_rows(9, 100000, [&](index_t r) { return lengths[r] + (r > 4); }, 5);  // mean 31 / 9
  const auto k_of_b = [&](HybRule rule) {
    return format_row("hyb")
        .estimate(b, Precision::f32, {{"rule", static_cast<double>(rule)}, {"alignment", 1}})
        .fact("k")
        ->value;
  };
  EXPECT_EQ(k_of_b(HybRule::mean), 3);
  EXPECT_EQ(k_of_b(HybRule::mean_below), 3);
  EXPECT_EQ(k_of_b(HybRule::mean_above), 4);
  EXPECT_EQ(k(HybRule::filled), 7);  // 27 / 63 > 1/3
  EXPECT_EQ(k(HybRule::by_hand, 4), 4);
  EXPECT_EQ(k(HybRule::by_hand, 4000), 7);
  // Bytes: 8 * 9 K + 12 * (what is left): K = 1: 72 + 216; 2: 144 + 156 (5 more); 3: 216 + 120; ...
  EXPECT_EQ(k(HybRule::search), 1);
}

TEST(Papers, SearchFindsTheFewestBytesOfAllK) {
  for (const testing::Shape& shape : testing::format_shapes()) {
    const FormatFacts facts(shape.matrix);
    const auto bytes = [&](double rule, index_t k) {
      return format_row("hyb").estimate(facts, Precision::f64, {{"rule", rule}, {"k", static_cast<double>(k)}}).bytes();
    };
    const std::size_t found = bytes(static_cast<double>(HybRule::search), 0);
    std::size_t best = SIZE_MAX;
    for (index_t k = 0; k <= facts.lengths().longest; ++k)
      best = std::min(best, bytes(static_cast<double>(HybRule::by_hand), k));
    EXPECT_EQ(found, best) << shape.name;
  }
}

// HYB-R paper, section IV.B and figure 2: lengths chosen so that every step is seen.
TEST(Papers, HybRSplitsTheRestAgain) {
  // Rows 3, 8 and 11 are long, as in figure 2 (a).
  const auto length = [](index_t r) {
    return r == 11 ? index_t{9} : r == 8 ? index_t{6} : r == 3 ? index_t{5} : index_t{2};
  };
  std::vector<std::vector<index_t>> rows(12);
  for (index_t r = 0; r < 12; ++r)
    for (index_t k = 0; k < length(r); ++k) rows[r].push_back((7 * r + k) % 40);
  const Csr a = testing::from_rows(40, rows, testing::some_value);
  const ParamSet params{
      {"rule", static_cast<double>(HybRule::third)}, {"stop_rows", 1}, {"alignment", 1}, {"depth", 2}};
  const auto hyb_r = built_as<HybRFormat>("hyb_r", a, Precision::f64, params);
  // Three of twelve rows are longer than 2, so K1 = 2. Of the three rows left, of 7, 4 and 3 entries, one has seven and
  // one is a third of them: K2 = 7, and nothing is left.
  ASSERT_EQ(hyb_r->parts().size(), 2u);
  EXPECT_EQ(hyb_r->parts()[0], (HybRPart{12, 12, 2, 0, 0, 24}));
  EXPECT_EQ(hyb_r->parts()[1], (HybRPart{3, 3, 7, 2, 24, 14}));
  EXPECT_EQ(hyb_r->coo_entries(), 0);
  EXPECT_EQ(list(hyb_r->permutation()), (List{11, 8, 3, 0, 1, 2, 4, 5, 6, 7, 9, 10}));

  const auto shares = [&](ParamSet p) {
    p.insert(params.begin(), params.end());
    return format_row("hyb_r").estimate(a, Precision::f64, p);
  };
  // By hand with K = 2: 24, then 6, then 5 (7, 4, 3 -> 5, 2, 1 -> 3, 0, 0), then 2, then 1.
  const Estimate deep =
      shares({{"rule", static_cast<double>(HybRule::by_hand)}, {"k", 2}, {"depth", 64}, {"stop_share", 0}});
  EXPECT_EQ(deep.fact("depth")->value, 5);
  EXPECT_DOUBLE_EQ(deep.fact("ell1_share")->value, 24.0 / 38);
  EXPECT_DOUBLE_EQ(deep.fact("ell3_share")->value, 5.0 / 38);
  EXPECT_DOUBLE_EQ(deep.fact("ell5_share")->value, 1.0 / 38);
  EXPECT_EQ(deep.fact("coo_share")->value, 0);
  // Fewer rows left than asked for, or less left than X %: one part, no reordering.
  for (const ParamSet& stop : {ParamSet{{"stop_rows", 4}}, ParamSet{{"stop_share", 40}}}) {
    const Estimate e = shares(stop);
    EXPECT_EQ(e.fact("depth")->value, 1);
    EXPECT_DOUBLE_EQ(e.fact("coo_share")->value, 14.0 / 38);
  }
  EXPECT_EQ(shares({{"stop_rows", 3}}).fact("depth")->value, 2);
  EXPECT_EQ(shares({{"stop_share", 36}}).fact("depth")->value, 2);
}

// EVC-HYB paper, section 2.1, on lengths counted by hand.
TEST(Papers, EvcHybMergesRemaindersUpward) {
  // 40 rows of length 1, 10 of length 2, 30 of length 3, 5 of length 200.
  const auto length = [](index_t r) {
    return r < 40 ? index_t{1} : r < 50 ? index_t{2} : r < 80 ? index_t{3} : index_t{200};
  };
  std::vector<std::vector<index_t>> rows(85);
  for (index_t r = 0; r < 85; ++r)
    for (index_t k = 0; k < length(r); ++k) rows[r].push_back((1000 - 11 * r) % 500 + k);
  const Csr a = testing::from_rows(800, rows, testing::some_value);
  const auto evc = built_as<EvcHybFormat>("evc_hyb", a, Precision::f64);
  // Length 1: 40 = 32 + 8. Length 2: 8 + 10 = 18 wait. Length 3: 18 + 30 = 48 = 32 + 16. Those 16, of length 3, and the
  // five long rows go to CSR: 16 * 32 + 5 * 224 slots.
  ASSERT_EQ(evc->groups().size(), 2u);
  EXPECT_EQ(evc->groups()[0].width, 1);
  EXPECT_EQ(evc->groups()[1].width, 3);
  EXPECT_EQ(evc->groups()[1].rows, 32);
  const Estimate e = evc->size();
  EXPECT_EQ(e.fact("split_row")->value, 64);
  EXPECT_EQ(e.fact("nnz_ell")->value, 32 + 96);
  EXPECT_EQ(e.fact("nnz_csr")->value, 16 * 32 + 5 * 224);
  EXPECT_EQ(e.fact("nnz_added")->value, 32 + 96 + 16 * 32 + 5 * 224 - a.nnz());
  // Sorted by length, then by first column.
  for (index_t i = 1; i < a.rows(); ++i) {
    const index_t before = evc->permutation()[i - 1], row = evc->permutation()[i];
    const auto key = [&](index_t r) { return std::tuple(a.row_length(r), a.columns()[a.row_ptr()[r]], r); };
    EXPECT_LT(key(before), key(row));
  }
}

// Row lengths of pwtk and shipsec1 are not here, but the arithmetic of EVC-HYB's table 3 is: what is added is the sum
// of both parts less nnz, and shares are of that sum.
TEST(Papers, EvcHybCountsAsTable3Does) {
  for (const testing::Shape& shape : testing::format_shapes()) {
    const Estimate e = format_row("evc_hyb").estimate(shape.matrix, Precision::f64, {});
    const double ell = e.fact("nnz_ell")->value, csr = e.fact("nnz_csr")->value;
    EXPECT_EQ(e.fact("nnz_added")->value, ell + csr - static_cast<double>(shape.matrix.nnz()));
    EXPECT_EQ(static_cast<index_t>(e.fact("split_row")->value) % 32, 0);
    EXPECT_DOUBLE_EQ(e.fact("ell_share")->value, ell / std::max(ell + csr, 1.0));
  }
}

TEST(Papers, SellSortsWithinItsWindows) {
  // Lengths 1 3 2 2 | 1 1 4 1 with C = 2, sigma = 4.
  const std::vector<index_t> lengths{1, 3, 2, 2, 1, 1, 4, 1};
  std::vector<std::vector<index_t>> rows(8);
  for (index_t r = 0; r < 8; ++r)
    for (index_t k = 0; k < lengths[r]; ++k) rows[r].push_back(k);
  const Csr a = testing::from_rows(8, rows, testing::some_value);
  const auto sell = built_as<SellFormat>("sell", a, Precision::f64, {{"slice_rows", 2}, {"sort_window", 4}});
  EXPECT_EQ(list(sell->permutation()), (List{1, 2, 3, 0, 6, 4, 5, 7}));
  EXPECT_EQ(list(sell->slice_ptr()), (List{0, 6, 10, 18, 20}));
  const auto unsorted = built_as<SellFormat>("sell", a, Precision::f64, {{"slice_rows", 2}, {"sort_window", 1}});
  EXPECT_EQ(list(unsorted->slice_ptr()), (List{0, 6, 10, 12, 20}));
  EXPECT_FALSE(unsorted->permuted());
}

TEST(Papers, LayoutOfTooLargeAMatrixIsRefused) {
  EXPECT_THROW(layout_of(*built_as<CsrFormat>("csr", four_by_four(), Precision::f32), 20), Error);
}

TEST(Papers, LayoutsShowEverySlotOnce) {
  for (const testing::Shape& shape : testing::format_shapes()) {
    if (shape.matrix.nnz() > 400 || shape.matrix.rows() > 100) continue;
    const FormatFacts facts(shape.matrix);
    for (const FormatRow& row : formats()) {
      if (!testing::can_hold(row, facts)) continue;
      const auto format = testing::built(row, facts, Precision::f32);
      std::size_t elements = 0, cells = 0, padding = 0;
      for (const ArrayView& a : format->arrays()) elements += a.size();
      for (const LayoutArray& a : layout_of(*format)) {
        cells += a.cells.size();
        EXPECT_EQ(a.cells.size(), static_cast<std::size_t>(a.rows * a.cols)) << row.info.id;
        if (a.name.find("olumns") == std::string::npos && a.name.find("pkt") != 0)
          for (const LayoutCell& c : a.cells) padding += c.padding;
      }
      EXPECT_EQ(cells, elements) << row.info.id << " " << shape.name;
      EXPECT_EQ(padding, static_cast<std::size_t>(format->size().padding)) << row.info.id << " " << shape.name;
    }
  }
}

TEST(Papers, Table1OfBellAndGarland) {
  const std::map<std::string, std::pair<double, double>> table = {{"dia", {4, 8}},  {"ell", {6, 10}}, {"csr", {6, 10}},
                                                                  {"coo", {8, 12}}, {"hyb", {6, 10}}, {"pkt", {4, 6}}};
  for (const FormatRow& row : formats()) {
    const auto at = table.find(row.info.id);
    EXPECT_EQ(row.info.table1_f32, at == table.end() ? 0 : at->second.first) << row.info.id;
    EXPECT_EQ(row.info.table1_f64, at == table.end() ? 0 : at->second.second) << row.info.id;
  }
}

// What a row says of its own facts and parameters exists.
TEST(Papers, CutsAndNamesAreOfFactsThatThereAre) {
  for (const testing::Shape& shape : testing::format_shapes()) {
    const FormatFacts facts(shape.matrix);
    for (const FormatRow& row : formats()) {
      if (shape.matrix.nnz() == 0 || !testing::can_hold(row, facts)) continue;
      const Estimate e = row.estimate(facts, Precision::f32, {});
      for (const auto& name : row.info.fact_names) EXPECT_TRUE(e.fact(name.id)) << row.info.id << " " << name.id;
      const std::string& cut = row.info.cut.id;
      const auto& params = row.info.params;
      EXPECT_TRUE(cut.empty() || e.fact(cut) ||
                  std::any_of(params.begin(), params.end(), [&](const ParamSpec& p) { return p.id == cut; }))
          << row.info.id << " " << cut;
    }
  }
}

}  // namespace
}  // namespace warpspy
