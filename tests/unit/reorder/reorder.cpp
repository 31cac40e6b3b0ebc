// Reorderings: every one gives a permutation, keeps every entry, and does what it is for.
#include "core/reorder/reorder.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <set>

#include "core/generate/generate.hpp"
#include "core/matrix/stats.hpp"
#include "tests/shapes.hpp"

namespace warpspy {
namespace {

Csr generated(const std::string& spec) {
  Progress progress;
  return *generate(spec, progress).csr;
}
Reordering computed(const Csr& a, const std::string& id, ReorderInput input = {}) {
  Progress progress;
  return reorder(a, id, input, progress);
}
Csr applied(const Csr& a, const Permutation& p) {
  Progress progress;
  return apply(a, p, progress);
}
std::vector<index_t> shuffled(index_t n, unsigned seed) {
  std::vector<index_t> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), index_t{0});
  std::shuffle(order.begin(), order.end(), std::mt19937(seed));
  return order;
}

using Entries = std::map<std::pair<index_t, index_t>, double>;
Entries entries_of(const Csr& a) {
  Entries e;
  for (index_t row = 0; row < a.rows(); ++row)
    for (index_t k = a.row_ptr()[row]; k < a.row_ptr()[row + 1]; ++k) e[{row, a.columns()[k]}] = a.values()[k];
  return e;
}
// Entry (i, j) of the result is entry (row[i], col[j]) of the original: nothing more, nothing less.
bool is_permuted(const Csr& original, const Csr& result, const Permutation& p) {
  Entries back;
  for (const auto& [at, value] : entries_of(result))
    back[{p.row.empty() ? at.first : p.row[at.first], p.col.empty() ? at.second : p.col[at.second]}] = value;
  return result.rows() == original.rows() && result.cols() == original.cols() && back == entries_of(original);
}

struct File {
  std::filesystem::path path;
  explicit File(const std::string& text) {
    static int number = 0;
    path = std::filesystem::temp_directory_path() /
           ("warpspy_permutation_" + std::to_string(::getpid()) + "_" + std::to_string(number++) + ".txt");
    std::ofstream(path) << text;
  }
  ~File() { std::filesystem::remove(path); }
};
std::string lines(const std::vector<index_t>& order, index_t base) {
  std::string text;
  for (const index_t v : order) text += std::to_string(v + base) + "\n";
  return text;
}

template <class F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "accepted";
}

TEST(Reorderings, EveryOneKeepsEveryEntryOfEveryShape) {
  for (const testing::Shape& shape : testing::shapes())
    for (const ReorderRow& row : reorderings()) {
      const Csr& a = shape.matrix;
      SCOPED_TRACE(shape.name + " " + row.info.id);
      std::optional<File> file;
      ReorderInput input;
      if (row.info.takes_file) {
        file.emplace(lines(shuffled(a.rows(), 3), 1));
        input.file = file->path;
      }
      if (row.info.square_only && a.rows() != a.cols()) {
        EXPECT_NE(error_of([&] { computed(a, row.info.id, input); }).find("needs a square matrix"), std::string::npos);
        continue;
      }
      const Reordering r = computed(a, row.info.id, input);
      EXPECT_EQ(r.permutation.row.size(), static_cast<std::size_t>(a.rows()));
      EXPECT_EQ(r.permutation.is_symmetric(), a.rows() == a.cols() || a.rows() == 0);
      EXPECT_TRUE(is_permuted(a, applied(a, r.permutation), r.permutation));
      EXPECT_EQ(computed(a, row.info.id, input).permutation, r.permutation) << "the same every time";
    }
}

TEST(Reorderings, SquareGraphsOfAllKinds) {
  for (const char* spec : {"laplace5?nx=9&ny=7", "arrow?n=50", "wheel?n=40", "diagonal?n=30", "empty?rows=20&cols=20",
                           "powerlaw?rows=200&mean=4", "single?n=10", "dense?rows=20&cols=20", "single?n=1"})
    for (const char* id : {"rcm", "amd", "metis", "length"}) {
      const Csr a = generated(spec);
      const Reordering r = computed(a, id);
      EXPECT_TRUE(is_permuted(a, applied(a, r.permutation), r.permutation)) << spec << " " << id;
    }
}

TEST(Apply, PropertyAnyPermutationIsUndoneByItsInverse) {
  EXPECT_TRUE(rc::check([] {
    const auto rows = *rc::gen::inRange<index_t>(1, 40), cols = *rc::gen::inRange<index_t>(1, 40);
    const auto seed = *rc::gen::arbitrary<unsigned>();
    const Csr a = testing::random_rows(
        rows, cols, [&](index_t r) { return (r * 7 + static_cast<index_t>(seed % 11)) % 9; }, seed);
    Permutation p;
    if (*rc::gen::arbitrary<bool>()) p.row = shuffled(rows, seed + 1);
    if (*rc::gen::arbitrary<bool>()) p.col = shuffled(cols, seed + 2);
    const Csr b = applied(a, p);
    RC_ASSERT(is_permuted(a, b, p));
    RC_ASSERT(entries_of(applied(b, inverse(p))) == entries_of(a));
  }));
}

TEST(Apply, KeepsComplexValuesAndWideColumns) {
  const std::vector<index_t> ptr{0, 2, 3};
  const Csr complex(2, 2, ptr, Indices(std::vector<std::int32_t>{0, 1, 1}), {1, 2, 3}, {4, 5, 6});
  const Csr turned = applied(complex, Permutation::symmetric({1, 0}));
  EXPECT_EQ(std::vector<double>(turned.values().begin(), turned.values().end()), (std::vector<double>{3, 2, 1}));
  EXPECT_EQ(std::vector<double>(turned.imag().begin(), turned.imag().end()), (std::vector<double>{6, 5, 4}));

  const Csr wide = generated("random?rows=40&cols=5e12&per_row=3");
  const Permutation p = Permutation::rows_only(shuffled(40, 1));
  EXPECT_TRUE(is_permuted(wide, applied(wide, p), p));
}

TEST(Apply, RefusesWhatIsNoPermutation) {
  const Csr a = generated("laplace3?nx=4");
  const auto refused = [&](std::vector<index_t> order, const char* reason) {
    EXPECT_NE(error_of([&] { applied(a, Permutation::symmetric(order)); }).find(reason), std::string::npos) << reason;
  };
  refused({0, 1, 2}, "has 3 rows, the matrix 4");
  refused({0, 1, 2, 2}, "names row 2 (counted from 0) twice");
  refused({0, 1, 2, 4}, "row 4 (counted from 0), which");
  refused({0, 1, 2, -1}, "row -1");
}

TEST(Apply, CanBeCancelled) {
  Progress progress;
  progress.cancel();
  const Csr a = generated("laplace5?nx=30&ny=30");
  EXPECT_THROW(apply(a, Permutation::symmetric(shuffled(900, 1)), progress), Cancelled);
  for (const char* id : {"rcm", "amd", "metis", "length"}) EXPECT_THROW(reorder(a, id, {}, progress), Cancelled) << id;
}

TEST(EnvelopeOf, IsCountedByHand) {
  // x . . x    Rows begin in columns 0, 1, 1 and 0 when the mirror of (0,3) counts.
  // . x . .
  // . x x .
  // . . . x
  const Csr a = testing::from_rows(4, {{0, 3}, {1}, {1, 2}, {3}}, testing::some_value);
  EXPECT_EQ(envelope_of(a), (Envelope{3, 0 + 0 + 1 + 3}));
  EXPECT_EQ(envelope_of(generated("laplace5?nx=10&ny=4")).bandwidth, 10);
  EXPECT_EQ(envelope_of(generated("band?rows=50&half=3")).profile, 1 + 2 + 47 * 3);
  EXPECT_EQ(envelope_of(testing::from_rows(0, {}, testing::some_value)), Envelope{});
  EXPECT_NE(error_of([] { envelope_of(generated("dense?rows=2&cols=3")); }).find("2 x 3"), std::string::npos);
}

TEST(Rcm, FindsTheBandOfAShuffledGridAgain) {
  struct Case {
    const char* spec;
    index_t natural;
  };
  for (const Case& c :
       {Case{"laplace3?nx=500", 1}, Case{"laplace5?nx=40&ny=60", 40}, Case{"laplace7?nx=9&ny=10&nz=30", 90}}) {
    const Csr a = generated(c.spec);
    const Csr mixed = applied(a, Permutation::symmetric(shuffled(a.rows(), 5)));
    const Envelope natural = envelope_of(a), before = envelope_of(mixed);
    const Envelope after = envelope_of(applied(mixed, computed(mixed, "rcm").permutation));
    EXPECT_EQ(natural.bandwidth, c.natural);
    EXPECT_GT(before.bandwidth, a.rows() / 2);
    EXPECT_LE(after.bandwidth, c.natural * 2) << c.spec;
    EXPECT_LE(after.profile, natural.profile * 11 / 10) << c.spec;
  }
}

TEST(Rcm, WorksOnThePatternOfBothTriangles) {
  // A path, each edge stored on one side only.
  std::vector<std::vector<index_t>> rows(200);
  for (index_t v = 0; v + 1 < 200; ++v) v % 2 ? rows[v].push_back(v + 1) : rows[v + 1].push_back(v);
  const Csr path = testing::from_rows(200, rows, testing::some_value);
  const Csr mixed = applied(path, Permutation::symmetric(shuffled(200, 9)));
  EXPECT_EQ(envelope_of(applied(mixed, computed(mixed, "rcm").permutation)).bandwidth, 1);
}

TEST(Rcm, KeepsComponentsApart) {
  // Three paths and two lonely vertices, mixed.
  std::vector<std::vector<index_t>> rows(62);
  for (index_t v = 0; v < 60; ++v)
    if (v % 20 != 19) rows[v].push_back(v + 1), rows[v + 1].push_back(v);
  const Csr a = testing::from_rows(62, rows, testing::some_value);
  const Csr mixed = applied(a, Permutation::symmetric(shuffled(62, 2)));
  const Reordering r = computed(mixed, "rcm");
  EXPECT_EQ(r.note, "5 components");
  EXPECT_EQ(envelope_of(applied(mixed, r.permutation)).bandwidth, 1);
}

TEST(Amd, MakesLessFillThanTheNaturalOrder) {
  // Cholesky by hand: what the factor of a pattern holds.
  const auto factor_entries = [](const Csr& a) {
    std::vector<std::set<index_t>> below(static_cast<std::size_t>(a.rows()));
    for (const auto& [at, value] : entries_of(a))
      if (at.first > at.second) below[at.second].insert(at.first);
    index_t total = a.rows();
    for (auto& column : below) {
      total += static_cast<index_t>(column.size());
      if (column.empty()) continue;
      const index_t parent = *column.begin();
      for (const index_t row : column)
        if (row != parent) below[parent].insert(row);
    }
    return total;
  };
  const Csr a = generated("laplace5?nx=20&ny=20");
  const Reordering r = computed(a, "amd");
  const index_t filled = factor_entries(applied(a, r.permutation));
  EXPECT_LT(filled, factor_entries(a) * 3 / 4);
  EXPECT_NE(r.note.find(std::to_string(filled)), std::string::npos) << r.note << ", counted " << filled;
}

TEST(Metis, PutsPartsTogether) {
  const Csr a = generated("laplace5?nx=32&ny=32");
  const Reordering r = computed(a, "metis", {{{"parts", 4}}});
  EXPECT_EQ(r.note.substr(0, 9), "4 parts, ");
  const Csr b = applied(a, r.permutation);
  index_t cut = 0;
  for (index_t row = 0; row < b.rows(); ++row)
    for (index_t k = b.row_ptr()[row]; k < b.row_ptr()[row + 1]; ++k) cut += b.columns()[k] / 256 != row / 256;
  EXPECT_LT(cut, 2 * 200) << "four square parts have 64 edges between them, off by what balance allows";
  EXPECT_EQ(computed(generated("laplace3?nx=5"), "metis").note.substr(0, 7), "5 parts");
}

TEST(ByLength, IsSortedAndStable) {
  const Csr a = generated("powerlaw?rows=300&mean=5");
  for (const int order : {0, 1}) {
    const ReorderInput input{{{"order", order}, {"columns", 1}}};
    const Permutation p = computed(a, "length", input).permutation;
    EXPECT_TRUE(p.col.empty());
    const Csr b = applied(a, p);
    for (index_t row = 1; row < b.rows(); ++row) {
      const index_t before = b.row_length(row - 1), here = b.row_length(row);
      ASSERT_TRUE(order == 0 ? before >= here : before <= here);
      if (before == here) {
        ASSERT_LT(p.row[row - 1], p.row[row]);
      }
    }
  }
  const Csr wide = generated("random?rows=5&cols=9&per_row=2");
  EXPECT_EQ(computed(wide, "length").note, "columns keep their order");
}

TEST(PermutationFile, CountsFromZeroOrOne) {
  const Csr a = generated("laplace3?nx=5");
  const std::vector<index_t> order{3, 0, 4, 2, 1};
  for (const index_t base : {0, 1}) {
    const File file("# a comment\n\n" + lines(order, base) + "% another\n");
    const Reordering r = computed(a, "file", {{}, file.path});
    EXPECT_EQ(r.permutation.row, order);
    EXPECT_TRUE(r.permutation.is_symmetric());
    EXPECT_EQ(r.note, "rows are counted from " + std::to_string(base));
  }
  const File crlf("2\r\n 1 \r\n\t3\r\n");
  EXPECT_EQ(computed(generated("dense?rows=3&cols=7"), "file", {{}, crlf.path}).permutation,
            Permutation::rows_only({1, 0, 2}));
}

TEST(PermutationFile, BadOnesAreRefusedWithTheLine) {
  const Csr a = generated("laplace3?nx=4");
  const auto refused = [&](const std::string& text, const std::string& reason) {
    const File file(text);
    const std::string error = error_of([&] { computed(a, "file", {{}, file.path}); });
    EXPECT_NE(error.find(reason), std::string::npos) << error;
  };
  refused("0\n1\n2\n", "has 3 rows, the matrix has 4");
  refused("0\n1\n2\n3\n4\n", "more than 4 rows");
  refused("", "has 0 rows");
  refused("0\n1\nx\n3\n", ":3: 'x' is not a row number");
  refused("0\n1\n2.5\n3\n", ":3: '2.5'");
  refused("0 1 2 3\n", ":1:");
  refused("0\n1\n99999999999999999999\n3\n", ":3:");
  refused("0\n1\n1\n3\n", ":3: row 1 was given before, in line 2");
  refused("0\n1\n2\n4\n", ":4: row 4 is outside a matrix of 4 rows, counted from 0");
  refused("1\n2\n3\n5\n", ":4: row 5 is outside a matrix of 4 rows, counted from 1");
  refused("-1\n1\n2\n3\n", ":1: row -1 is outside");
  refused("1\n-9223372036854775808\n2\n3\n", ":2: row -9223372036854775808 is outside");
  EXPECT_NE(error_of([&] { computed(a, "file", {{}, "/no/such/file"}); }).find("No such file"), std::string::npos);
  EXPECT_NE(error_of([&] { computed(a, "file", {{}, std::filesystem::temp_directory_path()}); }), "accepted");
  EXPECT_NE(error_of([&] { computed(a, "file"); }).find("needs a file"), std::string::npos);
}

TEST(Reorderings, AreDescribed) {
  for (const ReorderRow& row : reorderings()) {
    EXPECT_FALSE(row.info.label.empty() || row.info.help.empty() || row.info.source.empty()) << row.info.id;
    for (const ParamSpec& p : row.info.params) EXPECT_TRUE(p.def >= p.min && p.def <= p.max && !p.help.empty());
  }
  EXPECT_NE(error_of([] { reorder_row("sloan"); }).find("known: rcm, amd"), std::string::npos);
  EXPECT_NE(error_of([] { computed(generated("laplace3?nx=4"), "metis", {{{"parts", 0}}}); }).find("out of range"),
            std::string::npos);
}

TEST(Shuffle, IsGivenByItsSeed) {
  const Csr a = generated("laplace3?nx=200");
  const auto order = [&](double seed) { return computed(a, "shuffle", {{{"seed", seed}}}).permutation; };
  EXPECT_EQ(order(1), order(1));
  EXPECT_NE(order(1), order(2));
  EXPECT_GT(envelope_of(apply(a, order(1), *std::make_unique<Progress>())).bandwidth, 100)
      << "of a band of 1: neighbours are anywhere";
  const Csr wide = generated("dense?rows=9&cols=7");
  EXPECT_EQ(computed(wide, "shuffle").note, "columns keep their order");
}

}  // namespace
}  // namespace warpspy
