// Every kernel of the table in the emulator, on every shape, against the long-double reference.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "kernels/spmv/csr_scalar.hpp"
#include "kernels/spmv/csr_vector.hpp"
#include "kernels/spmv/ell.hpp"
#include "kernels/spmv/emulated_product.hpp"
#include "kernels/table/table.hpp"
#include "tests/shapes.hpp"

namespace warpspy {
namespace {

std::vector<double> product_of(const KernelRow& kernel, const Csr& a, Precision precision, const ParamSet& params,
                               const std::vector<double>& x, bool traced) {
  Progress progress;
  const auto format = format_row(kernel.info.format).build(a, precision, RealView::real_part, {}, progress);
  const auto product = kernel.emulate(format, precision, params, x);
  index_t covered = 0;
  for (std::int64_t block = 0; block < product->shape().grid; ++block) {
    simt::BlockTrace trace;
    product->emulate_block(block, traced ? &trace : nullptr);
    const auto [first, last] = product->rows_of_block(block);
    EXPECT_EQ(first, covered);
    covered = last;
    const std::vector<double> y = product->y();
    for (index_t row = first; row < last; ++row) EXPECT_FALSE(std::isnan(y[row])) << "row " << row;
  }
  EXPECT_EQ(covered, a.rows());
  return product->y();
}

TEST(EmulatedProducts, AgreeWithTheReferenceOnEveryShape) {
  ASSERT_FALSE(kernels().empty());
  for (const testing::Shape& shape : testing::shapes()) {
    const std::vector<double> x = testing::some_vector(shape.matrix.cols());
    for (Precision precision : {Precision::f32, Precision::f64}) {
      const testing::Reference ref = testing::reference(shape.matrix, x, precision);
      for (const KernelRow& kernel : kernels())
        for (const ParamSet& params : testing::parameter_corners(kernel.info.params)) {
          const auto y = product_of(kernel, shape.matrix, precision, params, x, false);
          EXPECT_EQ(testing::first_wrong_row(ref, y), "")
              << kernel.info.id << " " << shape.name << " " << name_of(precision);
        }
    }
  }
}

TEST(EmulatedProducts, AreTheSameWithAndWithoutATrace) {
  for (const testing::Shape& shape : testing::shapes()) {
    const std::vector<double> x = testing::some_vector(shape.matrix.cols());
    for (const KernelRow& kernel : kernels())
      EXPECT_EQ(product_of(kernel, shape.matrix, Precision::f32, {}, x, true),
                product_of(kernel, shape.matrix, Precision::f32, {}, x, false))
          << kernel.info.id << " " << shape.name;
  }
}

RC_GTEST_PROP(EmulatedProducts, AgreeWithTheReferenceOnRandomMatrices, ()) {
  const auto rows = *rc::gen::inRange<index_t>(0, 200), cols = *rc::gen::inRange<index_t>(1, 200);
  const auto longest = *rc::gen::inRange<index_t>(1, 100);
  const auto seed = *rc::gen::arbitrary<unsigned>();
  const Csr a = testing::random_rows(
      rows, cols, [&](index_t r) { return (r * 37 + seed % 91) % longest; }, seed);
  const auto x = testing::some_vector(cols);
  const auto precision = *rc::gen::element(Precision::f32, Precision::f64);
  const auto ref = testing::reference(a, x, precision);
  for (const KernelRow& kernel : kernels()) {
    ParamSet params;
    for (const ParamSpec& spec : kernel.info.params)
      params[spec.id] =
          spec.type == ParamSpec::Type::power_of_two
              ? spec.min * static_cast<double>(1 << *rc::gen::inRange(0, 1 + std::ilogb(spec.max / spec.min)))
              : *rc::gen::inRange(static_cast<int>(spec.min), static_cast<int>(spec.max) + 1);
    RC_ASSERT(testing::first_wrong_row(ref, product_of(kernel, a, precision, params, x, true)) == "");
  }
}

// 64-bit indices on small matrices, which no format would choose for them.
template <class T>
struct Wide {
  std::vector<std::int64_t> row_ptr, columns;
  std::vector<T> values, x, y;
  simt::Launch launch;

  explicit Wide(const Csr& a, const std::vector<double>& v)
      : row_ptr(a.row_ptr().begin(), a.row_ptr().end()),
        values(a.values().begin(), a.values().end()),
        x(v.begin(), v.end()),
        y(static_cast<std::size_t>(a.rows()), std::numeric_limits<T>::quiet_NaN()) {
    for (index_t k = 0; k < a.nnz(); ++k) columns.push_back(a.columns()[k]);
    launch.block_size = 64;
  }
  EmulatedMemory<T> memory() { return EmulatedMemory<T>(launch.arrays, x, y); }
  template <class Code>
  std::vector<double> run(const Code& code, index_t rows_per_block) {
    for (index_t b = 0; b * rows_per_block < static_cast<index_t>(y.size()); ++b)
      simt::run_block(launch, b, code, nullptr);
    return {y.begin(), y.end()};
  }
};

TEST(EmulatedProducts, WorkWith64BitIndices) {
  for (const testing::Shape& shape : testing::shapes()) {
    const Csr& a = shape.matrix;
    const auto x = testing::some_vector(a.cols());
    const auto ref = testing::reference(a, x, Precision::f64);
    {
      Wide<double> w(a, x);
      auto m = w.memory();
      const auto row_ptr = m.in("row_ptr", std::span<const std::int64_t>(w.row_ptr));
      const auto columns = m.in("columns", std::span<const std::int64_t>(w.columns));
      const auto values = m.in("values", std::span<const double>(w.values));
      const CsrScalar::Code<double, std::int64_t, std::int64_t> code{row_ptr,       columns,       values,
                                                                     m.x<double>(), m.y<double>(), a.rows()};
      EXPECT_EQ(testing::first_wrong_row(ref, w.run(code, 64)), "") << shape.name;
    }
    {
      Wide<double> w(a, x);
      auto m = w.memory();
      const auto row_ptr = m.in("row_ptr", std::span<const std::int64_t>(w.row_ptr));
      const auto columns = m.in("columns", std::span<const std::int64_t>(w.columns));
      const auto values = m.in("values", std::span<const double>(w.values));
      const CsrVector::Code<double, std::int64_t, std::int64_t, 8> code{row_ptr,       columns,  values, m.x<double>(),
                                                                        m.y<double>(), a.rows(), 2};
      EXPECT_EQ(testing::first_wrong_row(ref, w.run(code, 16)), "") << shape.name;
    }
  }
}

// Row pointers that promise more entries than there are: what a bug in a format would look like.
TEST(EmulatedProducts, ABrokenFormatIsCaughtWhereItIsRead) {
  std::vector<std::int32_t> row_ptr{0, 2, 5}, columns{0, 1, 0};
  std::vector<float> values(3, 1.f), x(2, 1.f), y(2);
  simt::Launch launch;
  launch.kernel = "csr_scalar";
  EmulatedMemory<float> m(launch.arrays, x, y);
  const auto p = m.in("row_ptr", std::span<const std::int32_t>(row_ptr));
  const auto c = m.in("columns", std::span<const std::int32_t>(columns));
  const auto v = m.in("values", std::span<const float>(values));
  const CsrScalar::Code<float, std::int32_t, std::int32_t> code{p, c, v, m.x<float>(), m.y<float>(), 2};
  try {
    simt::run_block(launch, 0, code, nullptr);
    FAIL() << "not caught";
  } catch (const Error& e) {
    EXPECT_EQ(e.reason, "kernel csr_scalar reads columns[3], outside its 3 elements (block 0, thread 1)");
    EXPECT_EQ(e.where.substr(0, 15), "csr_scalar.hpp:");
  }
}

TEST(EmulatedProducts, YStaysPoisonedWhereNoBlockRan) {
  const Csr a = testing::random_rows(
      100, 100, [](index_t) { return 3; }, 1);
  Progress progress;
  const auto format = format_row("csr").build(a, Precision::f32, RealView::real_part, {}, progress);
  const auto product =
      kernel_row("csr_scalar").emulate(format, Precision::f32, {{"block_size", 32}}, testing::some_vector(100));
  product->emulate_block(1, nullptr);
  const auto y = product->y();
  for (index_t row = 0; row < 100; ++row) EXPECT_EQ(std::isnan(y[row]), row < 32 || row >= 64) << row;
}

TEST(EmulatedProducts, ArraysDoNotOverlapAndAreAligned) {
  for (const KernelRow& kernel : kernels()) {
    const Csr a = testing::random_rows(
        100, 100, [](index_t) { return 3; }, 1);
    Progress progress;
    const auto format = format_row(kernel.info.format).build(a, Precision::f64, RealView::real_part, {}, progress);
    const auto product = kernel.emulate(format, Precision::f64, {}, testing::some_vector(100));
    std::uint64_t end = 1;
    std::size_t bytes = 0;
    for (const simt::ArrayInfo& array : product->arrays()) {
      EXPECT_GE(array.base, end);
      EXPECT_EQ(array.base % 256, 0u);
      end = array.base + array.bytes;
      bytes += array.bytes;
    }
    EXPECT_EQ(bytes, minimum_bytes(format->size(), a, Precision::f64));
  }
}

TEST(EmulatedProducts, RefuseWhatDoesNotBelongTogether) {
  const Csr a = testing::random_rows(
      10, 10, [](index_t) { return 3; }, 1);
  Progress progress;
  const auto csr = format_row("csr").build(a, Precision::f32, RealView::real_part, {}, progress);
  const auto x = testing::some_vector(10);
  EXPECT_THROW(kernel_row("ell").emulate(csr, Precision::f32, {}, x), Error);
  EXPECT_THROW(kernel_row("csr_scalar").emulate(csr, Precision::f64, {}, x), Error);
  EXPECT_THROW(kernel_row("csr_scalar").emulate(csr, Precision::f32, {}, testing::some_vector(9)), Error);
  EXPECT_THROW(kernel_row("csr_vector").emulate(csr, Precision::f32, {{"coop", 3}}, x), Error);
  EXPECT_THROW(kernel_row("csr_vector").emulate(csr, Precision::f32, {{"cop", 2}}, x), Error);
  EXPECT_THROW(kernel_row("no_such"), Error);
}

// Reguly & Giles 2012, equation 5.
TEST(EmulatedProducts, TheGridFollowsEquation5) {
  for (index_t rows : {1, 31, 32, 33, 1000})
    for (int coop : {1, 8, 32})
      for (int repeat : {1, 8}) {
        const CsrVector::Params p{.coop = coop, .block_size = 128, .repeat = repeat};
        EXPECT_EQ(row_grid("csr_vector", rows, CsrVector::rows_per_block(p), p.block_size).grid,
                  1 + (rows * coop - 1) / (repeat * 128));
      }
}

TEST(EmulatedProducts, AGridThatNoGpuLaunchesIsRefused) {
  EXPECT_EQ(row_grid("k", index_t{INT32_MAX} * 32, 32, 32).grid, INT32_MAX);
  EXPECT_THROW(row_grid("k", index_t{INT32_MAX} * 32 + 1, 32, 32), Error);
}

TEST(KernelTable, EveryRowIsComplete) {
  std::set<std::string> ids;
  for (const KernelRow& kernel : kernels()) {
    EXPECT_TRUE(ids.insert(kernel.info.id).second) << kernel.info.id;
    EXPECT_FALSE(kernel.info.label.empty() || kernel.info.help.empty() || kernel.info.source.empty()) << kernel.info.id;
    EXPECT_NO_THROW(format_row(kernel.info.format));
    EXPECT_NE(kernel.emulate, nullptr);
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
