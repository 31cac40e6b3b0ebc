#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/generate/generate.hpp"
#include "core/matrix/csr.hpp"

namespace warpspy {
namespace {

Matrix made(const std::string& spec) {
  Progress progress;
  return generate(spec, progress);
}
std::shared_ptr<const Csr> csr(const std::string& spec) { return made(spec).csr; }

bool same(const Csr& a, const Csr& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols() || a.nnz() != b.nnz()) return false;
  for (index_t k = 0; k < a.nnz(); ++k)
    if (a.columns()[k] != b.columns()[k]) return false;
  return std::equal(a.row_ptr().begin(), a.row_ptr().end(), b.row_ptr().begin()) &&
         std::equal(a.values().begin(), a.values().end(), b.values().begin());
}

// Small sizes of every generator, for tests that loop over the table.
std::string small_spec(const GeneratorInfo& g) {
  std::string spec = g.id;
  char mark = '?';
  for (const ParamSpec& p : g.params) {
    if (p.id == "seed" || p.id == "exponent" || p.id == "degree" || p.id == "spd" || p.type == ParamSpec::Type::choice)
      continue;
    const char* value = p.id == "nx" ? "7" : p.id == "ny" ? "5" : p.id == "nz" ? "4" : p.id == "cols" ? "70" : "40";
    if (p.id == "half" || p.id == "per_row" || p.id == "mean" || p.id == "lambda") value = "6";
    if (g.id == "bratu" && p.id == "n") value = "5";
    spec += mark + p.id + "=" + value;
    mark = '&';
  }
  return spec;
}

struct Table3 {
  const char* id;
  index_t nnz;
};
class Table3Sizes : public testing::TestWithParam<Table3> {};
TEST_P(Table3Sizes, AreExact) {
  const auto a = csr(GetParam().id);
  EXPECT_EQ(a->rows(), 1'000'000);
  EXPECT_EQ(a->cols(), 1'000'000);
  EXPECT_EQ(a->nnz(), GetParam().nnz);
}
INSTANTIATE_TEST_SUITE_P(BellGarland2008, Table3Sizes,
                         testing::Values(Table3{"laplace3", 2'999'998}, Table3{"laplace5", 4'996'000},
                                         Table3{"laplace7", 6'940'000}, Table3{"laplace9", 8'988'004},
                                         Table3{"laplace27", 26'463'592}),
                         [](const auto& each) { return each.param.id; });

TEST(Laplace, RowsAreTheStencil) {
  const auto a = csr("laplace5?nx=3&ny=2");
  // Grid   0 1 2   Row 1 touches 0, 2 and 4.
  //        3 4 5
  ASSERT_EQ(a->row_length(1), 4);
  const index_t k = a->row_ptr()[1];
  EXPECT_EQ(a->columns()[k], 0);
  EXPECT_EQ(a->columns()[k + 1], 1);
  EXPECT_EQ(a->columns()[k + 2], 2);
  EXPECT_EQ(a->columns()[k + 3], 4);
  EXPECT_EQ(a->values()[k + 1], 4.0);
  EXPECT_EQ(a->values()[k], -1.0);
  EXPECT_EQ(a->find(2, 3), -1) << "the end of a grid line has no neighbour in the next line";
}

TEST(Laplace, EntriesOfUnevenGrids) {
  const auto star = [](index_t x, index_t y, index_t z) {
    return x * y * z + 2 * ((x - 1) * y * z + x * (y - 1) * z + x * y * (z - 1));
  };
  const auto box = [](index_t x, index_t y, index_t z) { return (3 * x - 2) * (3 * y - 2) * (3 * z - 2); };
  EXPECT_EQ(csr("laplace7?nx=5&ny=1&nz=9")->nnz(), star(5, 1, 9));
  EXPECT_EQ(csr("laplace7?nx=2&ny=3&nz=4")->nnz(), star(2, 3, 4));
  EXPECT_EQ(csr("laplace27?nx=2&ny=3&nz=4")->nnz(), box(2, 3, 4));
  EXPECT_EQ(csr("laplace9?nx=1&ny=11")->nnz(), box(1, 11, 1));
  EXPECT_EQ(csr("laplace3?nx=1")->nnz(), 1);
}

TEST(Laplace, InnerRowsSumToZero) {
  for (const char* spec : {"laplace3?nx=9", "laplace5?nx=5&ny=5", "laplace7?nx=5&ny=5&nz=5", "laplace9?nx=5&ny=5",
                           "laplace27?nx=5&ny=5&nz=5"}) {
    const auto a = csr(spec);
    const index_t row = a->rows() / 2;
    double sum = 0;
    for (index_t k = a->row_ptr()[row]; k < a->row_ptr()[row + 1]; ++k) sum += a->values()[k];
    EXPECT_EQ(sum, 0) << spec;
  }
}

TEST(Generators, SymmetricOnesAreSymmetric) {
  int found = 0;
  for (const GeneratorInfo& g : generators()) {
    const Matrix m = made(small_spec(g));
    if (m.source.symmetry != "symmetric") continue;
    ++found;
    const Csr& a = *m.csr;
    ASSERT_EQ(a.rows(), a.cols());
    for (index_t row = 0; row < a.rows(); ++row)
      for (index_t k = a.row_ptr()[row]; k < a.row_ptr()[row + 1]; ++k) {
        const index_t mirror = a.find(a.columns()[k], row);
        ASSERT_GE(mirror, 0) << g.id << " " << row << " " << a.columns()[k];
        EXPECT_EQ(a.values()[mirror], a.values()[k]) << g.id;
      }
  }
  EXPECT_GE(found, 9);
}

TEST(Generators, BecomePositiveDefinite) {
  int found = 0;
  for (const GeneratorInfo& g : generators()) {
    const std::string spec = small_spec(g);
    const auto before = csr(spec);
    const std::string definite = spec + (spec.find('?') == std::string::npos ? "?" : "&") + "spd=1";
    if (before->rows() != before->cols()) {
      EXPECT_THROW(made(definite), Error) << definite;
      continue;
    }
    ++found;
    const Matrix m = made(definite);
    EXPECT_EQ(m.source.symmetry, "symmetric");
    const Csr& a = *m.csr;
    for (index_t row = 0; row < a.rows(); ++row) {
      double others = 0;
      for (index_t k = a.row_ptr()[row]; k < a.row_ptr()[row + 1]; ++k) {
        const index_t column = a.columns()[k], mirror = a.find(column, row);
        ASSERT_GE(mirror, 0) << definite << " " << row << " " << column;
        ASSERT_EQ(a.values()[mirror], a.values()[k]) << definite;
        ASSERT_EQ(a.values()[k], static_cast<float>(a.values()[k])) << definite;
        if (column != row) others += std::fabs(a.values()[k]);
      }
      ASSERT_GE(a.find(row, row), 0) << definite;
      ASSERT_GT(a.values()[a.find(row, row)], others) << definite << " " << row;
    }
    for (index_t row = 0; row < before->rows(); ++row)
      for (index_t k = before->row_ptr()[row]; k < before->row_ptr()[row + 1]; ++k)
        ASSERT_GE(a.find(row, before->columns()[k]), 0) << definite;
  }
  EXPECT_GE(found, 12);
}

TEST(Generators, SayWhereTheyCameFrom) {
  for (const GeneratorInfo& g : generators()) {
    const Matrix m = made("gen:" + small_spec(g));
    EXPECT_EQ(m.source.location, "gen:" + small_spec(g));
    EXPECT_EQ(m.source.name, small_spec(g));
    EXPECT_EQ(m.source.entries_in_file, m.csr->nnz());
    EXPECT_EQ(m.source.field, "real");
    EXPECT_FALSE(g.label.empty() || g.help.empty() || g.good_for.empty() || g.source.empty()) << g.id;
    for (const ParamSpec& p : g.params)
      EXPECT_TRUE(p.def >= p.min && p.def <= p.max && !p.help.empty()) << g.id << p.id;
  }
}

TEST(Generators, AnyNumberOfThreadsMakesTheSameMatrix) {
  for (const GeneratorInfo& g : generators()) {
    std::string spec = small_spec(g);
    if (g.id == "powerlaw" || g.id == "random") spec = g.id + "?rows=30000";
    std::shared_ptr<const Csr> one;
    {
      tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 1);
      one = csr(spec);
    }
    tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 7);
    EXPECT_TRUE(same(*one, *csr(spec))) << spec;
  }
}

TEST(Generators, ValuesAreFiniteAndNotZero) {
  for (const GeneratorInfo& g : generators()) {
    const auto a = csr(small_spec(g));
    const bool with_zeros = g.id == "fem_quad";  // of boundary values that are zero
    for (const double v : a->values()) ASSERT_TRUE(std::isfinite(v) && (v != 0 || with_zeros)) << g.id;
  }
}

// Pinned: the same text gives the same matrix on any machine.
TEST(Generators, ArePinned) {
  const auto digest = [](const Csr& a) {
    std::uint64_t h = 1469598103934665603u;
    const auto mix = [&](std::uint64_t v) { h = (h ^ v) * 1099511628211u; };
    for (const index_t p : a.row_ptr()) mix(static_cast<std::uint64_t>(p));
    for (index_t k = 0; k < a.nnz(); ++k) {
      std::uint64_t bits;
      std::memcpy(&bits, &a.values()[k], sizeof bits);
      mix(static_cast<std::uint64_t>(a.columns()[k]));
      mix(bits);
    }
    return h;
  };
  EXPECT_EQ(digest(*csr("random?rows=100&cols=300&per_row=7")), 16882715876373391709u);
  EXPECT_EQ(digest(*csr("powerlaw?rows=1000&mean=5")), 10136018892424369889u);
  EXPECT_EQ(digest(*csr("lp?rows=20&cols=3000&mean=100")), 7819278712488093750u);
  EXPECT_EQ(digest(*csr("band?rows=50&half=3")), 4322103637249773191u);
  EXPECT_EQ(digest(*csr("fem_quad?nx=6&ny=4&degree=3")), 12466850414551496482u);
  EXPECT_EQ(digest(*csr("bratu?n=7")), 18325193576378238733u);
  EXPECT_EQ(digest(*csr("like?name=bcsstk18")), 3305910449619926469u);
  EXPECT_EQ(digest(*csr("like?name=memplus")), 15049301964702869195u);
  EXPECT_EQ(digest(*csr("like?name=mac_econ_fwd500")), 14360588194242614122u);
}

TEST(Random, RowsHaveTheAskedLength) {
  const auto a = csr("random?rows=500&cols=40&per_row=13");
  for (index_t row = 0; row < a->rows(); ++row) ASSERT_EQ(a->row_length(row), 13);
  EXPECT_EQ(csr("random?rows=5&cols=8&per_row=100")->nnz(), 40) << "at most the number of columns";
  EXPECT_FALSE(same(*a, *csr("random?rows=500&cols=40&per_row=13&seed=2")));
}

// EVC-HYB, section 3.4: 5000 rows of 1 to 5 % of the columns have 0.61 million entries.
TEST(Uneven, LengthsAreUniformBetweenTheirBounds) {
  const auto a = csr("uneven?rows=5000&cols=5000&shortest=1&longest=250");
  std::vector<int> seen(251);
  for (index_t row = 0; row < a->rows(); ++row) {
    ASSERT_GE(a->row_length(row), 1);
    ASSERT_LE(a->row_length(row), 250);
    ++seen[static_cast<std::size_t>(a->row_length(row))];
  }
  EXPECT_GT(seen[1], 0);
  EXPECT_GT(seen[250], 0);
  EXPECT_NEAR(static_cast<double>(a->nnz()), 5000 * 125.5, 5 * 72 * std::sqrt(5000.0));  // five standard deviations
  EXPECT_EQ(csr("uneven?rows=3&cols=8&shortest=20&longest=20")->nnz(), 24) << "at most the number of columns";
  EXPECT_THROW(csr("uneven?rows=3&cols=8&shortest=5&longest=4"), Error);
  EXPECT_FALSE(same(*a, *csr("uneven?rows=5000&cols=5000&shortest=1&longest=250&seed=2")));
}

TEST(Random, ColumnsAreUniform) {
  const auto a = csr("random?rows=20000&cols=10000&per_row=20");
  std::vector<double> bins(10);
  for (index_t k = 0; k < a->nnz(); ++k) bins[a->columns()[k] / 1000] += 1;
  for (const double b : bins) EXPECT_NEAR(b, 40000, 1000);  // five standard deviations
}

TEST(PowerLaw, HasTheMeanAndATail) {
  const auto a = csr("powerlaw?rows=200000&mean=8&exponent=2.5");
  index_t longest = 0, in_first_half = 0;
  for (index_t row = 0; row < a->rows(); ++row) longest = std::max(longest, a->row_length(row));
  for (index_t k = 0; k < a->nnz(); ++k) in_first_half += a->columns()[k] < a->cols() / 8;
  EXPECT_NEAR(static_cast<double>(a->nnz()) / 200000, 8, 0.8);
  EXPECT_GT(longest, 800);
  // P(u^3 < 1/8) = 1/2.
  EXPECT_NEAR(static_cast<double>(in_first_half) / static_cast<double>(a->nnz()), 0.5, 0.03);
}

TEST(Lp, IsWideWithLongRows) {
  const auto a = csr("lp?rows=400&cols=100000&mean=2000");
  index_t longest = 0;
  for (index_t row = 0; row < a->rows(); ++row) longest = std::max(longest, a->row_length(row));
  EXPECT_NEAR(static_cast<double>(a->nnz()) / 400, 2000, 500);
  EXPECT_GT(longest, 6000);
}

TEST(Shapes, HaveTheirEntries) {
  EXPECT_EQ(csr("arrow?n=50")->nnz(), 3 * 50 - 2);
  EXPECT_EQ(csr("arrow?n=1")->nnz(), 1);
  EXPECT_EQ(csr("wheel?n=50")->nnz(), 4 * 49);
  EXPECT_EQ(csr("wheel?n=4")->nnz(), 12);
  EXPECT_EQ(csr("diagonal?n=50")->nnz(), 50);
  EXPECT_EQ(csr("band?rows=10&half=2")->nnz(), 50 - 6);
  EXPECT_EQ(csr("band?rows=4&half=9")->nnz(), 16);
  EXPECT_EQ(csr("dense?rows=3&cols=5")->nnz(), 15);
  EXPECT_EQ(csr("empty?rows=0&cols=5")->nnz(), 0);
  EXPECT_EQ(csr("single")->nnz(), 1);
  EXPECT_EQ(csr("single")->rows(), 1'000'000);
  EXPECT_EQ(csr("single?n=1")->nnz(), 1);
}

TEST(Shapes, WideOnesUse64BitColumns) {
  const auto a = csr("random?rows=100&cols=5e12&per_row=20");
  EXPECT_FALSE(a->columns().is32());
  EXPECT_EQ(a->nnz(), 2000);
}

std::string error_of(const std::string& spec) {
  try {
    made(spec);
  } catch (const Error& e) {
    return e.what();
  }
  return "accepted";
}
TEST(BadSpecs, AreRefusedWithTheRemedy) {
  const auto contains = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), text.npos) << text;
  };
  contains(error_of("laplace4"), "known: laplace3, laplace5");
  contains(error_of(""), "unknown generator ''");
  contains(error_of("laplace5?nw=3"), "known: nx, ny");
  contains(error_of("laplace5?nx=many"), "'many' is not a value of nx");
  contains(error_of("like?name=1138_bus"), "'1138_bus' is not a value of name");
  contains(error_of("gen:laplace5?nx=0"), "gen:laplace5?nx=0: parameter nx = 0 is out of range");
  contains(error_of("laplace5?nx=1.5"), "not a whole number");
  for (const char* spec : {"laplace5?nx", "laplace5?nx=", "laplace5?=3", "laplace5?nx=3x", "laplace5?nx=3&&ny=2",
                           "laplace5?nx=nan", "laplace5?nx=inf", "laplace5?nx=-4", "laplace5?nx=1e999"})
    EXPECT_NE(error_of(spec), "accepted") << spec;
  contains(error_of("laplace5?nx=3&nx=4"), "given twice");
  contains(error_of("laplace5?nx=3\n&ny=2"), "signs that no generator has");
  contains(error_of("dense?rows=1e7&cols=1e7"), "of memory");
  contains(error_of("laplace27?nx=9e15&ny=9e15&nz=9e15"), "of memory");
  contains(error_of("powerlaw?rows=9e15"), "of memory");
}

TEST(Generators, CanBeCancelled) {
  Progress progress;
  progress.cancel();
  EXPECT_THROW(generate("laplace5", progress), Cancelled);
}

}  // namespace
}  // namespace warpspy
