// Reorderings of a shuffled grid, and applying one: entries per second, and what it does to the envelope.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "core/generate/generate.hpp"
#include "core/reorder/reorder.hpp"

namespace warpspy {
namespace {

const Csr& shuffled_grid() {
  static const Csr matrix = [] {
    Progress progress;
    const Matrix grid = generate("laplace5?nx=1000&ny=1000", progress);
    std::vector<index_t> order(static_cast<std::size_t>(grid.csr->rows()));
    std::iota(order.begin(), order.end(), index_t{0});
    std::shuffle(order.begin(), order.end(), std::mt19937(1));
    return apply(*grid.csr, Permutation::symmetric(std::move(order)), progress);
  }();
  return matrix;
}

void reordering(benchmark::State& state, const std::string& id) {
  const Csr& a = shuffled_grid();
  Progress progress;
  Permutation p;
  for (auto _ : state) p = reorder(a, id, {}, progress).permutation;
  state.SetItemsProcessed(state.iterations() * a.nnz());
  const Envelope e = envelope_of(apply(a, p, progress));
  state.counters["bandwidth"] = static_cast<double>(e.bandwidth);
  state.counters["profile"] = static_cast<double>(e.profile);
}
BENCHMARK_CAPTURE(reordering, rcm, "rcm")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(reordering, amd, "amd")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(reordering, metis, "metis")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(reordering, length, "length")->Unit(benchmark::kMillisecond);

void applying(benchmark::State& state) {
  const Csr& a = shuffled_grid();
  Progress progress;
  const Permutation p = reorder(a, "rcm", {}, progress).permutation;
  for (auto _ : state) benchmark::DoNotOptimize(apply(a, p, progress).nnz());
  state.SetItemsProcessed(state.iterations() * a.nnz());
}
BENCHMARK(applying)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace warpspy
