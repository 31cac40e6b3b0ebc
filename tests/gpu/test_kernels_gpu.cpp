// Every kernel of the table on a CUDA device, on every shape, against the long-double reference. Skipped without a
// device.
#include <gtest/gtest.h>

#include <cstdio>

#include "core/matrix/memory.hpp"
#include "kernels/device/cuda.hpp"
#include "kernels/device/device.hpp"
#include "kernels/table/table.hpp"
#include "tests/shapes.hpp"

namespace warpspy {
namespace {

class Gpu : public ::testing::Test {
 protected:
  void SetUp() override {
    const DeviceProbe probe = probe_devices();
    if (!probe.available) GTEST_SKIP() << probe.reason << "; " << probe.remedy;
  }
};

std::string text_of(const ParamSet& params) {
  std::string text;
  for (const auto& [id, value] : params) text += id + "=" + std::to_string(static_cast<long long>(value)) + " ";
  return text;
}

// One product on the device; what is wrong with it, or "".
std::string verdict(const KernelRow& kernel, const Csr& a, Precision precision, const ParamSet& params,
                    const std::vector<double>& x, const testing::Reference& ref) try {
  Progress progress;
  const auto format = format_row(kernel.info.format).build(a, precision, RealView::real_part, {}, progress);
  const auto product = kernel.on_device(format, precision, params, x);
  const cuda::Stream stream;
  product->launch(stream.get());
  return testing::first_wrong_row(ref, product->y());
} catch (const Error& e) {
  return e.what();
}

TEST_F(Gpu, KernelsAgreeWithTheReferenceOnEveryShape) {
  int runs = 0, failures = 0;
  for (const testing::Shape& shape : testing::shapes()) {
    const std::vector<double> x = testing::some_vector(shape.matrix.cols());
    for (Precision precision : {Precision::f32, Precision::f64}) {
      const testing::Reference ref = testing::reference(shape.matrix, x, precision);
      for (const KernelRow& kernel : kernels()) {
        ASSERT_NE(kernel.on_device, nullptr) << kernel.info.id;
        for (const ParamSet& params : testing::parameter_corners(kernel.info.params)) {
          ++runs;
          const std::string wrong = verdict(kernel, shape.matrix, precision, params, x, ref);
          if (wrong.empty()) continue;
          if (failures++ == 0) std::printf("%-12s %-16s %-4s %-36s %s\n", "kernel", "shape", "", "parameters", "wrong");
          std::printf("%-12s %-16s %-4s %-36s %s\n", kernel.info.id.c_str(), shape.name.c_str(), name_of(precision),
                      text_of(params).c_str(), wrong.c_str());
        }
      }
    }
  }
  std::printf("%d products, %d failures\n", runs, failures);
  EXPECT_GT(runs, 0);
  EXPECT_EQ(failures, 0);
}

TEST_F(Gpu, YIsPoisonedUntilAProductRan) {
  const Csr a = testing::random_rows(
      100, 100, [](index_t) { return 3; }, 1);
  Progress progress;
  const auto format = format_row("csr").build(a, Precision::f32, RealView::real_part, {}, progress);
  const auto product = kernel_row("csr_scalar").on_device(format, Precision::f32, {}, testing::some_vector(100));
  for (double y : product->y()) EXPECT_TRUE(std::isnan(y));
}

TEST_F(Gpu, AGraphOfLaunchesComputesTheSame) {
  const Csr a = testing::random_rows(
      5000, 5000, [](index_t r) { return r % 40; }, 1);
  const std::vector<double> x = testing::some_vector(5000);
  Progress progress;
  const auto format = format_row("csr").build(a, Precision::f64, RealView::real_part, {}, progress);
  const auto product = kernel_row("csr_vector").on_device(format, Precision::f64, {}, x);
  const cuda::Stream stream;
  product->launch(stream.get());  // a kernel is loaded at its first launch, which may not fall into a capture
  stream.synchronize();
  const cuda::Graph graph = cuda::Graph::of(stream, 20, [&](const cuda::Stream& s) { product->launch(s.get()); });
  const cuda::Event start, stop;
  start.record(stream);
  graph.launch(stream);
  stop.record(stream);
  stop.synchronize();
  EXPECT_GT(stop.milliseconds_since(start), 0);
  EXPECT_EQ(testing::first_wrong_row(testing::reference(a, x, Precision::f64), product->y()), "");
}

TEST_F(Gpu, WhatDoesNotFitIsRefusedWithBothSizes) {
  const std::size_t total = cuda::device_memory().total;
  try {
    cuda::require_device_memory("format csr", total + 1'000'000);
    FAIL() << "not refused";
  } catch (const Error& e) {
    EXPECT_NE(e.reason.find(byte_text(static_cast<double>(total + 1'000'000))), std::string::npos) << e.reason;
    EXPECT_NE(e.reason.find("free"), std::string::npos) << e.reason;
  }
}

TEST_F(Gpu, DevicesSayWhatTheyAre) {
  for (const DeviceProperties& d : probe_devices().devices) {
    std::printf("%s: sm_%d, %d SMs, %.0f MHz, %zu MB, L2 %zu MB, memory bus %d bits\n", d.name.c_str(),
                d.compute_capability, d.sm_count, d.clock_mhz, d.memory_bytes / 1'000'000, d.l2_bytes / 1'000'000,
                d.memory_bus_bits);
    EXPECT_FALSE(d.name.empty());
    EXPECT_GT(d.sm_count, 0);
    EXPECT_GT(d.memory_bytes, 0u);
  }
}

}  // namespace
}  // namespace warpspy
