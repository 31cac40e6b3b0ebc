// Recorded accesses per second and core of the emulator: what a sampled run can afford.
#include <benchmark/benchmark.h>

#include "kernels/simt/emulator.hpp"
#include "kernels/table/table.hpp"
#include "tests/shapes.hpp"

namespace warpspy {
namespace {

// Row lengths 20 to 80 as in a finite-element matrix, or all 5 as in a stencil.
const Csr& matrix(bool stencil) {
  static const Csr mesh = testing::random_rows(
      100'000, 100'000, [](index_t r) { return 20 + r * 7919 % 61; }, 1);
  static const Csr five = testing::random_rows(
      200'000, 200'000, [](index_t) { return 5; }, 2);
  return stencil ? five : mesh;
}

// One block of the product's main launch after another: the one of most threads, since others scale y or add up what
// it left.
void run(benchmark::State& state, const std::string& id, ParamSet params, bool stencil, bool traced) {
  const KernelRow& kernel = kernel_row(id);
  const Csr& a = matrix(stencil);
  Progress progress;
  std::shared_ptr<const Format> format;
  if (!kernel.info.format.empty())
    format = format_row(kernel.info.format).build(a, Precision::f32, RealView::real_part, {}, progress);
  const auto x = testing::some_vector(a.cols());
  const auto product = kernel.emulate({.format = format, .params = params, .x = x, .beta = 1, .y = x});
  // Of two equals the later one: y is scaled first.
  std::size_t launch = 0;
  const auto threads = [&](std::size_t l) { return product->launches()[l].grid * product->launches()[l].block; };
  for (std::size_t l = 1; l < product->launches().size(); ++l)
    if (threads(l) >= threads(launch)) launch = l;
  std::int64_t block = 0;
  std::size_t accesses = 0, instructions = 0;
  for (auto _ : state) {
    simt::BlockTrace trace;
    simt::Additions later;  // as a simulated run has them
    product->emulate_block(static_cast<int>(launch), block, traced ? &trace : nullptr, &later);
    later.apply();
    benchmark::DoNotOptimize(trace);
    for (const simt::WarpTrace& warp : trace.warps)
      accesses += warp.addresses.size(), instructions += warp.accesses.size();
    if (++block == product->launches()[launch].grid) block = 0;
  }
  if (!traced) return;
  state.counters["accesses/s"] = benchmark::Counter(static_cast<double>(accesses), benchmark::Counter::kIsRate);
  state.counters["lanes"] = static_cast<double>(accesses) / static_cast<double>(instructions);
}

const int registered = [] {
  for (bool stencil : {false, true})
    for (bool traced : {true, false}) {
      const std::string end = std::string(stencil ? "/stencil" : "/mesh") + (traced ? "/traced" : "/untraced");
      const auto add = [&](const std::string& name, const std::string& id, const ParamSet& params) {
        benchmark::RegisterBenchmark((name + end).c_str(),
                                     [=](benchmark::State& s) { run(s, id, params, stencil, traced); });
      };
      add("csr_scalar", "csr_scalar", {});
      for (int coop : {1, 4, 8, 32}) add("csr_vector_" + std::to_string(coop), "csr_vector", {{"coop", coop}});
      for (const char* id : {"ell", "coo_atomic", "coo_segmented", "csr_stream", "csr_merge", "csr_transposed",
                             "csr_striped_transposed", "axpy"})
        add(id, id, {});
    }
  return 0;
}();

}  // namespace
}  // namespace warpspy
