// Every kernel of the table on a CUDA device, on every shape, against the long-double reference. Skipped without a
// device.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>

#include "core/base/numbers.hpp"
#include "kernels/device/architectures.hpp"
#include "kernels/device/cuda.hpp"
#include "kernels/device/device.hpp"
#include "kernels/table/table.hpp"
#include "kernels/vendor/library.hpp"
#include "tests/products.hpp"

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

bool is_named(const std::string& id, const std::string& list) {
  std::istringstream parts(list);
  for (std::string part; std::getline(parts, part, ',');)
    if (id.find(part) != std::string::npos) return true;
  return false;
}

// What is wrong with one product on the device, or "".
std::string verdict(const KernelRow& kernel, const testing::Product& p) try {
  const auto product = kernel.on_device(p.inputs);
  const cuda::Stream stream;
  product->launch(stream.get());
  stream.synchronize();
  return testing::first_wrong_row(p.expected, product->y());
} catch (const Error& e) {
  return e.what();
}

// Counts products and prints the wrong ones as a table. A library may not have a product for every block size or
// algorithm, and a device no room for the registers of the largest blocks: what is refused for that is counted apart.
struct Tally {
  int runs = 0, failures = 0;
  std::map<std::string, int> refused;

  void run(const KernelRow& kernel, const std::string& matrix, const testing::Product& p, const std::string& how) {
    ++runs;
    const std::string wrong = verdict(kernel, p);
    if (wrong.empty()) return;
    const bool by_library = !kernel.info.library.empty() && wrong.find("not supported by") != std::string::npos;
    if (by_library || wrong.find("threads per block on this device") != std::string::npos ||
        wrong.find("compute capability 9.0") != std::string::npos) {
      ++refused[wrong];
      return;
    }
    if (failures++ == 0) std::printf("%-16s %-16s %-4s %-36s %s\n", "kernel", "matrix", "", "parameters", "wrong");
    if (failures > 40) return;
    std::printf("%-16s %-16s %-4s %-36s %s\n", kernel.info.id.c_str(), matrix.c_str(), name_of(p.inputs.precision),
                how.c_str(), wrong.c_str());
  }
};

TEST_F(Gpu, KernelsAgreeWithTheReferenceOnEveryShape) {
  Tally tally;
  const bool few = std::getenv("WARPSPY_GPU_FEW") != nullptr;  // under a tool that makes everything slow
  const char* named = std::getenv("WARPSPY_GPU_KERNELS");      // some, by parts of their ids with commas between
  const auto matrices = testing::product_matrices();
  for (const KernelRow& kernel : kernels()) {
    if (named && !is_named(kernel.info.id, named)) continue;
    ASSERT_NE(kernel.on_device, nullptr) << kernel.info.id;
    if (!kernel.info.library.empty() && (few || !vendor_library().available)) {
      std::printf("%s: left out\n", kernel.info.id.c_str());
      continue;
    }
    const int runs_before = tally.runs;
    std::size_t place = 0;
    for (const auto& [name, matrix] : matrices) {
      if (few && place++ % 5 != 0) continue;
      if (few) {
        for (const testing::Scaling scaling : {testing::Scaling{1, 0}, {0.75, -2}})
          if (const auto p = testing::product_of(kernel, matrix, Precision::f32, {}, scaling))
            tally.run(kernel, name, *p, "defaults");
        continue;
      }
      for (Precision precision : {Precision::f32, Precision::f64})
        for (const ParamSet& params : testing::kernel_corners(kernel.info))
          if (const auto p = testing::product_of(kernel, matrix, precision, params))
            tally.run(kernel, name, *p, text_of(params));
      for (const ParamSet& format_params : testing::format_corners(kernel.info))
        if (const auto p = testing::product_of(kernel, matrix, Precision::f64, {}, {}, format_params))
          tally.run(kernel, name, *p, "format " + text_of(format_params));
      for (const testing::Scaling scaling : {testing::Scaling{-1.5, 0}, {1, 1}, {0.75, -2}})
        if (const auto p = testing::product_of(kernel, matrix, Precision::f64, {}, scaling))
          tally.run(kernel, name, *p, "alpha and beta");
    }
    int refused = 0;
    for (const auto& [reason, count] : tally.refused)
      if (reason.find(kernel.info.id) != std::string::npos) refused += count;
    if (!kernel.info.library.empty()) {
      EXPECT_LT(refused, tally.runs - runs_before) << kernel.info.id << " computes nothing at all";
    }
  }
  for (const auto& [reason, count] : tally.refused) std::printf("%d refused: %s\n", count, reason.c_str());
  std::printf("%d products, %d failures\n", tally.runs, tally.failures);
  EXPECT_GT(tally.runs, 0);
  EXPECT_EQ(tally.failures, 0);
}

Matrix matrix_of(index_t rows, const std::function<index_t(index_t)>& length) {
  Matrix m;
  m.csr = std::make_shared<const Csr>(testing::random_rows(rows, rows, length, 1));
  return m;
}

// Of these, what several threads have of an element meets by atomics, in the order of the day. Whoever is not named
// here promises the same sum every time.
constexpr const char* adds_in_any_order =
    " bsr_symmetric bsr_transposed coo_atomic coo_transposed csc csr_even_striped "
    "csr_even_striped_transposed csr_even_transposed csr_slots_transposed csr_striped_transposed"
    " csr_transposed hyb hyb_fused hyb_r hyb_r_fused lma lma_coloured pkt ";
bool promises_the_same_sum(const KernelRow& kernel) {
  return std::string(adds_in_any_order).find(" " + kernel.info.id + " ") == std::string::npos;
}

// Each product adds to what the one before left in y: one that did not await its end would add to something else.
TEST_F(Gpu, ProductsThatOverlapGiveWhatProductsInOrderGive) {
  const int capability = probe_devices().devices.front().compute_capability;
  if (used_on(compiled_gpu_code(), capability) < 90) GTEST_SKIP() << "launches overlap from 9.0 on, GPU and code";
  Progress progress;
  const Matrix m = generate("laplace27?nx=60&ny=60&nz=60", progress);
  int kernels_seen = 0;
  for (const KernelRow& kernel : kernels()) {
    const auto& params = kernel.info.params;
    if (std::none_of(params.begin(), params.end(), [](const ParamSpec& s) { return s.id == "overlap"; })) continue;
    ++kernels_seen;
    for (const Precision precision : {Precision::f32, Precision::f64}) {
      std::vector<double> y[2];
      for (const int overlap : {0, 1}) {
        const auto p = testing::product_of(kernel, m, precision, {{"overlap", overlap}}, {0.01, -0.9});
        ASSERT_TRUE(p) << kernel.info.id;
        const auto product = kernel.on_device(p->inputs);
        const cuda::Stream stream;
        const auto graph = cuda::Graph::of(stream, 50, [&](const cuda::Stream& s) { product->launch(s.get()); });
        graph.launch(stream);
        stream.synchronize();
        y[overlap] = product->y();
      }
      if (promises_the_same_sum(kernel)) {
        EXPECT_EQ(y[0], y[1]) << kernel.info.id << " " << name_of(precision);
        continue;
      }
      const double allowed = precision == Precision::f32 ? 1e-5 : 1e-13;
      for (std::size_t i = 0; i < y[0].size(); ++i)
        ASSERT_NEAR(y[0][i], y[1][i], allowed) << kernel.info.id << " " << name_of(precision) << ", row " << i;
    }
  }
  EXPECT_GE(kernels_seen, 5);
}

// Of `times` products, how many have other bits than the first.
int differing(DeviceProduct& product, int times) {
  const cuda::Stream stream;
  std::vector<double> first;
  int differ = 0;
  for (int i = 0; i < times; ++i) {
    product.launch(stream.get());
    stream.synchronize();
    std::vector<double> y = product.y();
    if (i == 0)
      first = std::move(y);
    else
      differ += y != first;
  }
  return differ;
}

TEST_F(Gpu, ProductsGiveTheSameBitsAHundredTimes) {
  constexpr int times = 100;
  Progress progress;
  const Matrix m = generate("powerlaw?rows=4000&mean=60&exponent=2.1&seed=11", progress);
  int promised = 0;
  std::string otherwise;
  const auto try_one = [&](const KernelRow& kernel, Precision precision, const ParamSet& params, bool promises) {
    const auto p = testing::product_of(kernel, m, precision, params);
    if (!p) return;  // no such matrix in its format
    const int differ = differing(*kernel.on_device(p->inputs), times);
    if (!promises) {
      otherwise += " " + kernel.info.id + (differ > 0 ? "" : " (same)");
      return;
    }
    ++promised;
    EXPECT_EQ(differ, 0) << kernel.info.id << " " << name_of(precision) << ": of " << times
                         << " products so many differ";
  };
  for (const KernelRow& kernel : kernels()) {
    if (!kernel.info.library.empty() || kernel.info.operation == Operation::axpy) continue;
    const bool promises = promises_the_same_sum(kernel);
    for (const Precision precision : {Precision::f32, Precision::f64}) {
      try_one(kernel, precision, {}, promises);
      // Where sums can be asked for in one order.
      for (const ParamSpec& spec : kernel.info.params)
        if (spec.id == "sums") try_one(kernel, precision, {{"sums", 1}}, true);
    }
  }
  std::printf("%d kernels and precisions: the same bits %d times; in any order:%s\n", promised, times,
              otherwise.c_str());
  EXPECT_GE(promised, 20);
}

TEST_F(Gpu, YIsPoisonedUntilAProductRan) {
  const KernelRow& kernel = kernel_row("csr_scalar");
  const auto p = testing::product_of(kernel, matrix_of(100, [](index_t) { return 3; }), Precision::f32, {});
  for (double y : kernel.on_device(p->inputs)->y()) EXPECT_TRUE(std::isnan(y));
}

TEST_F(Gpu, AGraphOfLaunchesComputesTheSame) {
  const KernelRow& kernel = kernel_row("csr_vector");
  const auto p = testing::product_of(kernel, matrix_of(5000, [](index_t r) { return r % 40; }), Precision::f64, {});
  const auto product = kernel.on_device(p->inputs);
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
  EXPECT_EQ(testing::first_wrong_row(p->expected, product->y()), "");
}

// Cold products take turns in copies of their arrays, each in a place of its own.
TEST_F(Gpu, CopiesShareWhatWasMadeOnTheHostAndNothingOnTheDevice) {
  const KernelRow& kernel = kernel_row("csr_slots");
  const auto a = matrix_of(20'000, [](index_t) { return 20; });
  const auto p = testing::product_of(kernel, a, Precision::f64, {});
  ProductInputs in = p->inputs;
  in.kept = kept_on_device(in.format);
  const auto first = kernel.on_device(in);
  EXPECT_GT(first->setup_us(), 0);
  cuda::check(cudaDeviceSynchronize(), "waiting");
  std::size_t free_before = 0, free_after = 0, all = 0;
  cuda::check(cudaMemGetInfo(&free_before, &all), "asking for free memory");
  in.kept = copied_on_device(*in.kept);
  std::vector<std::unique_ptr<DeviceProduct>> copies;
  for (int i = 0; i < 8; ++i) {
    copies.push_back(kernel.on_device(in));
    in.kept = copied_on_device(*in.kept);
  }
  cuda::check(cudaMemGetInfo(&free_after, &all), "asking for free memory");
  EXPECT_EQ(copies.back()->device_bytes(), first->device_bytes());
  // Memory is handed out in pieces of 2 MiB.
  EXPECT_GE(free_before - free_after, 7 * first->device_bytes());
  const cuda::Stream stream;
  copies.back()->launch(stream.get());
  stream.synchronize();
  EXPECT_EQ(testing::first_wrong_row(p->expected, copies.back()->y()), "");
}

// What the kernel's code has of its own makes it more than a launch may have unasked.
TEST_F(Gpu, AProductOfJustWhatNeedNotBeAskedForRuns) {
  const KernelRow& kernel = kernel_row("csr_slots");
  const auto a = matrix_of(20'000, [](index_t) { return 20; });
  const auto p = testing::product_of(kernel, a, Precision::f64, {{"share_kib", 48}, {"blocks", 16}});
  const auto product = kernel.on_device(p->inputs);
  ASSERT_GT(product->launches().front().shared_bytes, 48 * 1024);
  ASSERT_LT(product->launches().front().shared_bytes, 49 * 1024);
  const cuda::Stream stream;
  product->launch(stream.get());
  stream.synchronize();
  EXPECT_EQ(testing::first_wrong_row(p->expected, product->y()), "");
}

// What a launch may have of shared memory is asked for once for all products of the same code.
TEST_F(Gpu, AProductThatNeedsLittleSharedMemoryLeavesTheOthersTheirs) {
  const KernelRow& kernel = kernel_row("csr_slots");
  const auto a = matrix_of(20'000, [](index_t) { return 20; });
  const auto much = testing::product_of(kernel, a, Precision::f64, {{"share_kib", 216}, {"blocks", 16}});
  const auto little = testing::product_of(kernel, a, Precision::f64, {{"share_kib", 70}, {"blocks", 16}});
  const auto first = kernel.on_device(much->inputs), second = kernel.on_device(little->inputs);
  ASSERT_GT(first->launches().front().shared_bytes, second->launches().front().shared_bytes);
  ASSERT_GT(second->launches().front().shared_bytes, 48 * 1024);
  // What the driver told is what a block can ask for, by which a search begins.
  EXPECT_GE(probe_devices().devices.front().shared_bytes_per_block,
            static_cast<std::size_t>(first->launches().front().shared_bytes));
  const cuda::Stream stream;
  for (const auto& [product, p] : {std::pair{&first, &much}, {&second, &little}}) {
    (*product)->launch(stream.get());
    stream.synchronize();
    EXPECT_EQ(testing::first_wrong_row((*p)->expected, (*product)->y()), "");
  }
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
