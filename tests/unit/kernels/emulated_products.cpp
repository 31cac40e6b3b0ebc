// Every kernel of the table in the emulator, on every shape, against the long-double reference.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <map>

#include "kernels/spmv/adaptive.hpp"
#include "kernels/spmv/csr_merge.hpp"
#include "kernels/spmv/csr_scalar.hpp"
#include "kernels/spmv/csr_transposed.hpp"
#include "kernels/spmv/csr_vector.hpp"
#include "kernels/spmv/ell.hpp"
#include "kernels/spmv/emulated_product.hpp"
#include "kernels/spmv/lma_coloured.hpp"
#include "kernels/spmv/y_order.hpp"
#include "kernels/table/table.hpp"
#include "tests/products.hpp"

namespace warpspy {
namespace {

std::string text_of(const ParamSet& params) {
  std::string text;
  for (const auto& [id, value] : params) text += " " + id + "=" + std::to_string(static_cast<long long>(value));
  return text;
}

// What is wrong with a product in the emulator, or "".
std::string verdict(const KernelRow& kernel, const testing::Product& p, bool traced = false) try {
  const auto product = kernel.emulate(p.inputs);
  return testing::first_wrong_row(p.expected, testing::emulated(*product, traced));
} catch (const Error& e) {
  return e.what();
}

class EveryKernel : public ::testing::TestWithParam<std::string> {
 protected:
  const KernelRow& kernel = kernel_row(GetParam());
};

std::vector<std::string> emulated_kernels() {
  std::vector<std::string> ids;
  for (const KernelRow& row : kernels())
    if (row.emulate) ids.push_back(row.info.id);
  return ids;
}
INSTANTIATE_TEST_SUITE_P(EmulatedProducts, EveryKernel, ::testing::ValuesIn(emulated_kernels()),
                         [](const auto& test) { return test.param; });

TEST_P(EveryKernel, AgreesWithTheReferenceOnEveryShape) {
  int shapes = 0;
  for (const auto& [name, matrix] : testing::product_matrices()) {
    bool held = false;
    for (Precision precision : {Precision::f32, Precision::f64})
      for (const ParamSet& params : testing::kernel_corners(kernel.info)) {
        const auto p = testing::product_of(kernel, matrix, precision, params);
        if (!p) continue;
        held = true;
        EXPECT_EQ(verdict(kernel, *p), "") << name << " " << name_of(precision) << text_of(params);
      }
    shapes += held;
  }
  EXPECT_GE(shapes, 1);
}

TEST_P(EveryKernel, AgreesAtTheCornersOfItsFormat) {
  for (const auto& [name, matrix] : testing::product_matrices())
    for (const ParamSet& format_params : testing::format_corners(kernel.info)) {
      const auto p = testing::product_of(kernel, matrix, Precision::f64, {}, {}, format_params);
      if (!p) continue;
      EXPECT_EQ(verdict(kernel, *p), "") << name << text_of(format_params);
    }
}

TEST_P(EveryKernel, ScalesAndAdds) {
  for (const auto& [name, matrix] : testing::product_matrices())
    for (Precision precision : {Precision::f32, Precision::f64})
      for (const testing::Scaling scaling : {testing::Scaling{-1.5, 0}, {1, 1}, {0.75, -2}, {0, 1}}) {
        const auto p = testing::product_of(kernel, matrix, precision, {}, scaling);
        if (!p) continue;
        EXPECT_EQ(verdict(kernel, *p), "") << name << " alpha " << scaling.alpha << " beta " << scaling.beta;
      }
}

TEST_P(EveryKernel, IsTheSameWithAndWithoutATrace) {
  for (const auto& [name, matrix] : testing::product_matrices()) {
    const auto p = testing::product_of(kernel, matrix, Precision::f32, {});
    if (!p) continue;
    EXPECT_EQ(testing::emulated(*kernel.emulate(p->inputs), true), testing::emulated(*kernel.emulate(p->inputs), false))
        << name;
  }
}

TEST_P(EveryKernel, BlocksSayWhichRowsTheyComplete) {
  for (const auto& [name, matrix] : testing::product_matrices()) {
    const auto p = testing::product_of(kernel, matrix, Precision::f32, {});
    if (!p) continue;
    const auto product = kernel.emulate(p->inputs);
    if (product->launches().size() != 1 || !product->rows_of_block(0)) continue;
    index_t covered = 0;
    for (std::int64_t block = 0; block < product->launches()[0].grid; ++block) {
      product->emulate_block(0, block, nullptr);
      const auto [first, last] = *product->rows_of_block(block);
      EXPECT_EQ(first, covered) << name;
      covered = last;
      const std::vector<double> y = product->y();
      for (index_t row = first; row < last; ++row) EXPECT_FALSE(std::isnan(y[row])) << name << " row " << row;
    }
    EXPECT_EQ(covered, static_cast<index_t>(p->expected.y.size())) << name;
  }
}

// Constant loads read neither x (nor its index) nor the values, and leave no index out of bounds. The columns of
// a product that is transposed lead to y.
TEST_P(EveryKernel, ConstantLoadsReadNothing) {
  if (kernel.info.operation == Operation::axpy) GTEST_SKIP() << "reads no matrix";
  const bool transposed = kernel.info.operation == Operation::transposed_product;
  for (const auto& [name, matrix] : testing::product_matrices()) {
    const auto p = testing::product_of(kernel, matrix, Precision::f64, {{"x_cache", 4}, {"matrix_cache", 4}});
    if (!p) continue;
    const auto product = kernel.emulate(p->inputs);
    for (std::size_t launch = 0; launch < product->launches().size(); ++launch)
      for (std::int64_t block = 0; block < product->launches()[launch].grid; ++block) {
        simt::BlockTrace trace;
        product->emulate_block(static_cast<int>(launch), block, &trace);
        for (const simt::WarpTrace& warp : trace.warps)
          for (const simt::Access& a : warp.accesses) {
            const std::string& array = product->arrays()[a.array].name;
            EXPECT_TRUE(array != "x" && !array.ends_with("values") && array != "matrices") << name << array;
            EXPECT_TRUE(transposed || !array.ends_with("columns")) << name << array;
          }
      }
  }
}

// A sample inside a block counts what its warps do.
TEST_P(EveryKernel, PartsOfABlockDoWhatTheirWarpsDoInIt) {
  for (const auto& [name, matrix] : testing::product_matrices()) {
    const auto p = testing::product_of(kernel, matrix, Precision::f32, {});
    if (!p) continue;
    const auto product = kernel.emulate(p->inputs);
    simt::Additions never = simt::Additions::dry_run();
    for (std::size_t launch = 0; launch < product->launches().size(); ++launch) {
      const int number = static_cast<int>(launch);
      simt::BlockTrace whole;
      product->emulate_block(number, 0, &whole, &never);
      for (std::size_t w = 0; w < whole.warps.size(); ++w) {
        simt::BlockTrace part;
        if (!product->emulate_warps(number, 0, {static_cast<int>(w), 1}, &part, &never)) break;
        EXPECT_EQ(part.warps[w].addresses, whole.warps[w].addresses) << name << " launch " << launch << " warp " << w;
        EXPECT_EQ(part.warps[w].warp_steps, whole.warps[w].warp_steps) << name << " launch " << launch << " warp " << w;
      }
      for (std::int64_t block = 0; block < product->launches()[launch].grid; ++block)
        product->emulate_block(number, block, nullptr);
    }
    EXPECT_EQ(testing::first_wrong_row(p->expected, product->y()), "") << name;
  }
}

// Sums must not depend on which block is done first.
TEST_P(EveryKernel, IsTheSameInAnyOrderOfBlocks) {
  for (const auto& [name, matrix] : testing::product_matrices()) {
    const auto p = testing::product_of(kernel, matrix, Precision::f32, {});
    if (!p) continue;
    const auto forwards = kernel.emulate(p->inputs), backwards = kernel.emulate(p->inputs);
    for (std::size_t launch = 0; launch < forwards->launches().size(); ++launch) {
      const std::int64_t grid = forwards->launches()[launch].grid;
      std::vector<simt::Additions> later(static_cast<std::size_t>(grid));
      for (std::int64_t block = grid; block-- > 0;)
        backwards->emulate_block(static_cast<int>(launch), block, nullptr, &later[static_cast<std::size_t>(block)]);
      for (simt::Additions& additions : later) additions.apply();
      for (std::int64_t block = 0; block < grid; ++block) {
        simt::Additions own;
        forwards->emulate_block(static_cast<int>(launch), block, nullptr, &own);
        own.apply();
      }
    }
    EXPECT_EQ(testing::first_wrong_row(p->expected, forwards->y()), "") << name;
    EXPECT_EQ(forwards->y(), backwards->y()) << name;
  }
}

RC_GTEST_PROP(EmulatedProducts, AgreeWithTheReferenceOnRandomMatrices, ()) {
  const auto rows = *rc::gen::inRange<index_t>(0, 200), cols = *rc::gen::inRange<index_t>(1, 200);
  const auto longest = *rc::gen::inRange<index_t>(1, 100);
  const auto seed = *rc::gen::arbitrary<unsigned>();
  Matrix m;
  m.csr = std::make_shared<const Csr>(
      testing::random_rows(rows, cols, [&](index_t r) { return (r * 37 + seed % 91) % longest; }, seed));
  const auto precision = *rc::gen::element(Precision::f32, Precision::f64);
  for (const KernelRow& kernel : kernels()) {
    if (!kernel.emulate) continue;
    ParamSet params;
    for (const ParamSpec& spec : kernel.info.params) {
      if (spec.id.ends_with("_cache"))
        params[spec.id] = *rc::gen::inRange(0, 4);
      else if (spec.type == ParamSpec::Type::multiple)
        params[spec.id] = spec.min * *rc::gen::inRange(1, 1 + static_cast<int>(spec.max / spec.min));
      else if (spec.type == ParamSpec::Type::power_of_two)
        params[spec.id] =
            spec.min * static_cast<double>(1 << *rc::gen::inRange(0, 1 + std::ilogb(spec.max / spec.min)));
      else
        params[spec.id] = *rc::gen::inRange(static_cast<int>(spec.min), static_cast<int>(spec.max) + 1);
    }
    if (params.contains("overlap") && params["overlap"] == 1 && params["x_cache"] == 1)
      params["x_cache"] = 0;  // refused
    if (const auto p = testing::product_of(kernel, m, precision, params)) RC_ASSERT(verdict(kernel, *p, true) == "");
  }
}

// A plan over arrays of the test's own: 64-bit indices that no format would choose, or ones that promise too much.
template <class Code, class Index, class T>
struct ByHand {
  simt::Launch launch;
  std::vector<Index> row_ptr, columns;
  std::vector<T> values, x, y;

  template <class E>
  simt::Array<E> array(const char* name, std::span<E> data) {
    const std::uint64_t base = 0x1000000 * (launch.arrays.size() + 1);
    launch.arrays.push_back({name, base, data.size_bytes()});
    return {data.data(), static_cast<std::int64_t>(data.size()), base,
            static_cast<std::uint16_t>(launch.arrays.size() - 1)};
  }
  // Blocks of 64 threads that compute `rows_per_block` rows each.
  template <class... More>
  std::vector<double> run(index_t rows_per_block, More... more) {
    launch.kernel = "csr_scalar";
    const Code code{array("row_ptr", std::span<const Index>(row_ptr)),
                    array("columns", std::span<const Index>(columns)),
                    array("values", std::span<const T>(values)),
                    array("x", std::span<const T>(x)),
                    array("y", std::span<T>(y)),
                    static_cast<std::int64_t>(y.size()),
                    more...};
    for (index_t b = 0; b * rows_per_block < static_cast<index_t>(y.size()); ++b)
      simt::run_block(launch, {b, 64}, code, nullptr);
    return {y.begin(), y.end()};
  }
};

TEST(EmulatedProducts, WorkWith64BitIndices) {
  for (const testing::Shape& shape : testing::shapes()) {
    const Csr& a = shape.matrix;
    const auto x = testing::some_vector(a.cols());
    const auto ref = testing::reference(a, x, Precision::f64);
    const auto fill = [&](auto& by_hand) {
      by_hand.row_ptr.assign(a.row_ptr().begin(), a.row_ptr().end());
      for (index_t k = 0; k < a.nnz(); ++k) by_hand.columns.push_back(a.columns()[k]);
      by_hand.values.assign(a.values().begin(), a.values().end());
      by_hand.x = x;
      by_hand.y.assign(static_cast<std::size_t>(a.rows()), std::nan(""));
    };
    const Scale<double> scale{1, 0};
    const DynamicCaches plain{};
    ByHand<CsrScalar::Code<double, std::int64_t, std::int64_t, DynamicCaches>, std::int64_t, double> scalar;
    fill(scalar);
    EXPECT_EQ(testing::first_wrong_row(ref, scalar.run(64, scale, plain)), "") << shape.name;
    ByHand<CsrVector::Code<double, std::int64_t, std::int64_t, 8, DynamicCaches>, std::int64_t, double> vector;
    fill(vector);
    EXPECT_EQ(testing::first_wrong_row(ref, vector.run(16, 2, scale, plain)), "") << shape.name;
  }
}

// Row pointers that promise more entries than there are: what a bug in a format would look like.
TEST(EmulatedProducts, ABrokenFormatIsCaughtWhereItIsRead) {
  ByHand<CsrScalar::Code<float, std::int32_t, std::int32_t, DynamicCaches>, std::int32_t, float> broken;
  broken.row_ptr = {0, 2, 5}, broken.columns = {0, 1, 0};
  broken.values.assign(3, 1.f), broken.x.assign(2, 1.f), broken.y.assign(2, 0.f);
  try {
    broken.run(64, Scale<float>{1, 0}, DynamicCaches{});
    FAIL() << "not caught";
  } catch (const Error& e) {
    EXPECT_EQ(e.reason, "kernel csr_scalar reads columns[3], outside its 3 elements (block 0, thread 1)");
    EXPECT_EQ(e.where.substr(0, 15), "csr_scalar.hpp:");
  }
}

Matrix three_per_row(index_t n) {
  Matrix m;
  m.csr = std::make_shared<const Csr>(testing::random_rows(n, n, [](index_t) { return 3; }, 1));
  return m;
}

TEST(EmulatedProducts, YStaysPoisonedWhereNoBlockRan) {
  const KernelRow& kernel = kernel_row("csr_scalar");
  const auto p = testing::product_of(kernel, three_per_row(100), Precision::f32, {{"block_size", 32}});
  const auto product = kernel.emulate(p->inputs);
  product->emulate_block(0, 1, nullptr);
  const auto y = product->y();
  for (index_t row = 0; row < 100; ++row) EXPECT_EQ(std::isnan(y[row]), row < 32 || row >= 64) << row;
}

TEST(EmulatedProducts, ADryRunChangesNothing) {
  const KernelRow& kernel = kernel_row("csr_scalar");
  const auto p = testing::product_of(kernel, three_per_row(100), Precision::f32, {}, {1, 0.5});
  const auto product = kernel.emulate(p->inputs);
  simt::Additions dry = simt::Additions::dry_run();
  product->emulate_block(0, 0, nullptr, &dry);
  EXPECT_EQ(testing::first_wrong_row(p->expected, testing::emulated(*product)), "");
}

TEST(EmulatedProducts, ArraysDoNotOverlapAndAreAligned) {
  for (const KernelRow& kernel : kernels()) {
    if (!kernel.emulate) continue;
    for (const auto& [name, matrix] : testing::product_matrices()) {
      const auto p = testing::product_of(kernel, matrix, Precision::f64, {});
      if (!p) continue;
      std::uint64_t end = 1;
      const auto product = kernel.emulate(p->inputs);
      for (const simt::ArrayInfo& array : product->arrays()) {
        EXPECT_GE(array.base, end) << kernel.info.id;
        EXPECT_EQ(array.base % 256, 0u);
        end = array.base + array.bytes;
      }
    }
  }
}

TEST(EmulatedProducts, RefuseWhatDoesNotBelongTogether) {
  const KernelRow& scalar = kernel_row("csr_scalar");
  const auto p = testing::product_of(scalar, three_per_row(10), Precision::f32, {});
  const auto refused = [&](const char* kernel, auto&& change) {
    ProductInputs in = p->inputs;
    change(in);
    EXPECT_THROW(kernel_row(kernel).emulate(in), Error);
  };
  const std::vector<double> short_vector(9);
  refused("ell", [](ProductInputs&) {});
  refused("csr_scalar", [](ProductInputs& in) { in.precision = Precision::f64; });
  refused("csr_scalar", [&](ProductInputs& in) { in.x = short_vector; });
  refused("csr_scalar", [&](ProductInputs& in) { in.beta = 1, in.y = short_vector; });
  refused("csr_scalar", [](ProductInputs& in) { in.format = nullptr; });
  refused("csr_vector", [](ProductInputs& in) { in.params = {{"coop", 3}}; });
  refused("csr_vector", [](ProductInputs& in) { in.params = {{"cop", 2}}; });
  refused("csr_packs", [](ProductInputs& in) { in.params = {{"overlap", 1}, {"x_cache", 1}}; });
  EXPECT_THROW(kernel_row("no_such"), Error);
}

// Reguly & Giles 2012, equation 5.
TEST(EmulatedProducts, TheGridFollowsEquation5) {
  for (index_t rows : {1, 31, 32, 33, 1000})
    for (int coop : {1, 8, 32})
      for (int repeat : {1, 8}) {
        const CsrVector::Params p{.coop = coop, .block_size = 128, .repeat = repeat};
        EXPECT_EQ(row_grid(rows, CsrVector::rows_per_block(p), p.block_size).grid,
                  1 + (rows * coop - 1) / (repeat * 128));
      }
}

// Against the merge itself, walked step by step.
TEST(MergePath, SearchesFindWhereAWalkWouldBe) {
  for (const testing::Shape& shape : testing::shapes()) {
    const std::span<const index_t> row_ptr = shape.matrix.row_ptr();
    const index_t rows = shape.matrix.rows(), path = rows + shape.matrix.nnz();
    std::vector<index_t> ended{0};
    for (index_t row = 0, entry = 0; static_cast<index_t>(ended.size()) <= path; ended.push_back(row))
      row < rows&& entry == row_ptr[row + 1] ? ++row : ++entry;
    for (index_t diagonal = 0; diagonal <= path; ++diagonal)
      ASSERT_EQ(rows_ended(row_ptr, diagonal), ended[diagonal]) << shape.name << " " << diagonal;
    for (const index_t steps : {1, 7, 160, 5000}) {
      const auto first_rows = merge_tiles(row_ptr, steps);
      ASSERT_EQ(static_cast<index_t>(first_rows.size()), std::max<index_t>(1, (path + steps - 1) / steps) + 1)
          << shape.name;
      for (std::size_t tile = 0; tile < first_rows.size(); ++tile)
        EXPECT_EQ(static_cast<index_t>(first_rows[tile]), ended[std::min(path, static_cast<index_t>(tile) * steps)])
            << shape.name << " " << tile;
    }
  }
}

// Rows over more tiles than a warp has lanes, ends of empty rows over several tiles, and both at once.
TEST(CsrMerge, RowsThatGoOnInManyTiles) {
  const KernelRow& kernel = kernel_row("csr_merge");
  const std::function<index_t(index_t)> lengths[] = {[](index_t r) { return r == 1 ? index_t{20000} : index_t{3}; },
                                                     [](index_t r) { return r % 1000 == 3 ? index_t{3} : index_t{0}; },
                                                     [](index_t r) { return r % 500 == 7 ? index_t{9000} : r % 2; }};
  const index_t rows[] = {3, 9000, 1200};
  for (int k = 0; k < 3; ++k) {
    Matrix m;
    m.csr = std::make_shared<const Csr>(testing::random_rows(rows[k], 12000, lengths[k], 5));
    for (int steps : {0, 1, 2})
      for (const testing::Scaling scaling : {testing::Scaling{1, 0}, {0.75, -2}}) {
        const auto p = testing::product_of(kernel, m, Precision::f64, {{"steps", steps}, {"block_size", 32}}, scaling);
        EXPECT_EQ(verdict(kernel, *p), "") << k << " " << steps << " " << scaling.beta;
      }
  }
}

// What it is for: not an atomic in global memory for every entry, but one for every column of a block's stripe, and
// none where a stripe has one block.
TEST(CsrStripedTransposed, AddsUpInSharedMemoryFirst) {
  const KernelRow& kernel = kernel_row("csr_striped_transposed");
  Matrix m;
  m.csr = std::make_shared<const Csr>(testing::random_rows(60, 3000, [](index_t r) { return 400 + 10 * r; }, 11));
  for (const index_t groups : {1, 3}) {
    const auto p = testing::product_of(kernel, m, Precision::f32,
                                       {{"groups", groups}, {"stripe_kib", 3}, {"block_size", 128}}, {0.5, 2});
    const auto product = kernel.emulate(p->inputs);
    EXPECT_EQ(product->launches().size(), groups == 1 ? 1u : 2u);
    std::size_t atomics = 0;
    for (std::size_t launch = 0; launch < product->launches().size(); ++launch)
      for (std::int64_t block = 0; block < product->launches()[launch].grid; ++block) {
        simt::BlockTrace trace;
        product->emulate_block(static_cast<int>(launch), block, &trace);
        for (const simt::WarpTrace& warp : trace.warps)
          for (const simt::Access& a : warp.accesses)
            if (a.op == simt::Op::atomic) atomics += static_cast<std::size_t>(std::popcount(a.active));
      }
    EXPECT_EQ(testing::first_wrong_row(p->expected, product->y()), "");
    EXPECT_EQ(atomics > 0, groups > 1);
    EXPECT_LE(atomics, 3000u * static_cast<std::size_t>(groups));
    EXPECT_GT(m.csr->nnz(), 3000 * groups) << "an atomic for each entry would be more";
  }
}

// Steinberger et al. 2016, algorithm 3: of f64 alone, since GPUs of then had an atomic of f32.
TEST(CsrTransposed, AdditionIsAChoice) {
  Matrix m;
  m.csr = std::make_shared<const Csr>(testing::random_rows(90, 70, [](index_t r) { return r % 9; }, 5));
  for (const char* id : {"csr_transposed", "csc"})
    for (const Precision precision : {Precision::f32, Precision::f64})
      for (const int addition : {Addition::atomic, Addition::swap}) {
        const KernelRow& kernel = kernel_row(id);
        const auto p =
            testing::product_of(kernel, m, precision, {{"addition", addition}, {"block_size", 96}}, {0.5, 2});
        const auto product = kernel.emulate(p->inputs);
        index_t atomics = 0, swaps = 0;
        for (std::int64_t block = 0; block < product->launches()[1].grid; ++block) {
          simt::BlockTrace trace;
          product->emulate_block(1, block, &trace);
          for (const simt::WarpTrace& warp : trace.warps)
            for (const simt::Access& a : warp.accesses) {
              atomics += a.op == simt::Op::atomic ? std::popcount(a.active) : 0;
              swaps += a.op == simt::Op::swap ? std::popcount(a.active) : 0;
            }
        }
        const bool by_swap = precision == Precision::f64 && addition == Addition::swap;
        EXPECT_EQ(atomics, by_swap ? 0 : m.csr->nnz()) << id;
        EXPECT_EQ(swaps, by_swap ? m.csr->nnz() : 0) << id;
        EXPECT_EQ(testing::first_wrong_row(p->expected, testing::emulated(*kernel.emulate(p->inputs))), "") << id;
      }
}

// EVC-HYB, section 1: 1 thread up to 8 entries, 2 up to 16, 4 up to 32 and so on; the widest range takes what is left.
TEST(Adaptive, RangesFollowThePaper) {
  for (const auto& [length, range] : std::map<index_t, int>{
           {0, 0}, {8, 0}, {9, 1}, {16, 1}, {17, 2}, {32, 2}, {33, 3}, {2048, 8}, {2049, 9}, {1'000'000'000, 9}})
    EXPECT_EQ(range_of(length, 8, 512), range) << length;
}

// The emulator runs lanes one after another: that no two elements of a colour add to one node must be seen here.
TEST(LmaColoured, ElementsOfAColourShareNoNode) {
  Progress progress;
  const auto colours_of = [&](const Matrix& m) {
    const auto format = format_row("lma").build(FormatFacts(m), Precision::f64, RealView::real_part, {}, progress);
    const auto& lma = dynamic_cast<const LmaFormat&>(*format);
    const Colouring colouring = colour_elements(lma);
    std::set<std::int32_t> elements(colouring.elements.begin(), colouring.elements.end());
    EXPECT_EQ(static_cast<index_t>(elements.size()), lma.elements());
    EXPECT_EQ(static_cast<index_t>(colouring.elements.size()), lma.elements());
    for (std::size_t c = 0; c + 1 < colouring.begin.size(); ++c) {
      std::set<index_t> nodes;
      for (index_t i = colouring.begin[c]; i < colouring.begin[c + 1]; ++i)
        for (index_t a = 0; a < lma.nodes_per_element(); ++a)
          EXPECT_TRUE(nodes.insert(lma.nodes()[a * lma.pitch() + colouring.elements[i]]).second) << "colour " << c;
    }
    return colouring.begin.size() - 1;
  };
  EXPECT_EQ(colours_of(generate("fem_quad?nx=9&ny=7", progress)), 4u);  // quadrilaterals of a grid
  EXPECT_EQ(colours_of(testing::fan_of_triangles(150)), 150u);          // all of them share node 0
}

// What the papers call the cost of reordering: a second launch, or a permutation to read, or neither.
TEST(YOrder, ReorderingIsToldApart) {
  Matrix m;
  m.csr = std::make_shared<const Csr>(
      testing::random_rows(400, 300, [](index_t r) { return r % 7 == 0 ? index_t{250} : r % 40; }, 3));
  const ParamSet sorted{{"rule", 0}, {"depth", 2}, {"stop_rows", 1}, {"stop_share", 0}};
  const struct {
    const char* kernel;
    ParamSet format_params;
    std::size_t launches;
  } cases[] = {{"evc_hyb", {}, 1}, {"hyb_r", sorted, 3}, {"hyb_r_fused", sorted, 2}};
  for (const auto& c : cases) {
    const auto reads_permutation = [&](int reorder_y, std::size_t launches) {
      const KernelRow& kernel = kernel_row(c.kernel);
      const auto p =
          testing::product_of(kernel, m, Precision::f64, {{"reorder_y", reorder_y}}, {0.5, 2}, c.format_params);
      const auto product = kernel.emulate(p->inputs);
      EXPECT_EQ(product->launches().size(), launches) << c.kernel;
      EXPECT_EQ(testing::first_wrong_row(p->expected, testing::emulated(*product)), "") << c.kernel;
      const auto& arrays = product->arrays();
      return std::any_of(arrays.begin(), arrays.end(), [](const auto& a) { return a.name == "permutation"; });
    };
    EXPECT_TRUE(reads_permutation(YOrder::scatter, c.launches)) << c.kernel;
    EXPECT_TRUE(reads_permutation(YOrder::afterwards, c.launches + 1)) << c.kernel;
    EXPECT_FALSE(reads_permutation(YOrder::never, c.launches)) << c.kernel;
  }
}

TEST(EmulatedProducts, WhatNoGpuLaunchesIsRefused) {
  EXPECT_NO_THROW(require_launchable("k", row_grid(index_t{INT32_MAX} * 32, 32, 32)));
  EXPECT_THROW(require_launchable("k", row_grid(index_t{INT32_MAX} * 32 + 1, 32, 32)), Error);
  EXPECT_THROW(require_launchable("k", row_grid(1, 32, 2048)), Error);
}

TEST(KernelTable, EveryRowIsComplete) {
  std::set<std::string> ids;
  for (const KernelRow& kernel : kernels()) {
    EXPECT_TRUE(ids.insert(kernel.info.id).second) << kernel.info.id;
    EXPECT_FALSE(kernel.info.label.empty() || kernel.info.help.empty() || kernel.info.source.empty()) << kernel.info.id;
    if (!kernel.info.format.empty()) {
      EXPECT_NO_THROW(format_row(kernel.info.format));
    }
    EXPECT_EQ(kernel.emulate == nullptr, !kernel.info.library.empty()) << kernel.info.id;
#if defined(WARPSPY_HAVE_CUDA)
    EXPECT_NE(kernel.on_device, nullptr);
#else
    EXPECT_EQ(kernel.on_device, nullptr);
#endif
    for (const ParamSpec& spec : kernel.info.params)
      EXPECT_NO_THROW(checked_params(kernel.info.params, {{spec.id, spec.def}})) << spec.id;
  }
}

TEST(KernelTable, ParametersGoToAndFromASet) {
  const CsrVector::Params p{.coop = 4, .block_size = 512, .repeat = 3};
  EXPECT_EQ(params_of(CsrVector::fields(), set_of(CsrVector::fields(), p)), p);
  EXPECT_EQ(params_of(CsrVector::fields(), {}), CsrVector::Params{});
}

}  // namespace
}  // namespace warpspy
