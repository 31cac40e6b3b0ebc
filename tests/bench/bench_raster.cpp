// How fast a large matrix is on the screen: the first picture, and the tiles that panning asks for.
//
//   bench_raster                                      all; matrices of 100 million entries need about 1.5 GB each
//   bench_raster --benchmark_filter='30M'             one size
//
// Tile benchmarks time single calls of Pyramid::tile(), spread over a level, and report their median and worst in ms.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <string>

#include "core/generate/generate.hpp"
#include "core/raster/cells.hpp"
#include "core/raster/raster.hpp"

namespace {

using namespace warpspy;

struct Subject {
  const char* name;
  const char* spec;
};
constexpr Subject kSubjects[] = {
    {"laplace5_30M", "laplace5?nx=2450&ny=2450"},          {"powerlaw_30M", "powerlaw?rows=3000000&mean=10"},
    {"laplace5_100M", "laplace5?nx=4475&ny=4475"},         {"powerlaw_100M", "powerlaw?rows=10000000&mean=10"},
    {"random_100M", "random?rows=10000000&cols=10000000"}, {"lp_100M", "lp?rows=4284&cols=1096894&mean=23400"},
};

// One matrix is kept at a time: several of 100 million entries would crowd each other out.
struct Loaded {
  std::string spec;
  std::shared_ptr<const Csr> matrix;
  std::shared_ptr<const Pyramid> pyramid;
};
Loaded& loaded(const Subject& subject) {
  static Loaded current;
  if (current.spec != subject.spec) {
    current = {};
    Progress progress;
    current = {subject.spec, generate(subject.spec, progress).csr, nullptr};
    current.pyramid = Pyramid::build(current.matrix);
  }
  return current;
}

double milliseconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

void generate_matrix(benchmark::State& state, const Subject& subject) {
  loaded(subject) = {};
  index_t nnz = 0;
  for (auto _ : state) {
    Progress progress;
    nnz = generate(subject.spec, progress).csr->nnz();
  }
  state.counters["entries"] = static_cast<double>(nnz);
}

void build_pyramid(benchmark::State& state, const Subject& subject) {
  const auto matrix = loaded(subject).matrix;
  for (auto _ : state) benchmark::DoNotOptimize(Pyramid::build(matrix));
  state.counters["entries"] = static_cast<double>(matrix->nnz());
}

void count_whole(benchmark::State& state, const Subject& subject) {
  const auto matrix = loaded(subject).matrix;
  for (auto _ : state) benchmark::DoNotOptimize(count_grid(*matrix, whole(*matrix), 1000, 700));
}

// `finer` levels finer than the base on both axes; negative: coarser. Tiles in which the matrix has entries come first:
// along the diagonal, then anywhere.
void tiles(benchmark::State& state, const Subject& subject, int finer) {
  const Pyramid& p = *loaded(subject).pyramid;
  const int kr = std::max(p.base_kr() - finer, 0), kc = std::max(p.base_kc() - finer, 0);
  const std::int64_t rows = std::max<index_t>(p.matrix().rows() >> kr, 1),
                     cols = std::max<index_t>(p.matrix().cols() >> kc, 1);
  std::mt19937_64 random(1);
  std::vector<double> times;
  for (auto _ : state)
    for (int i = 0; i < 96; ++i) {
      const double at = static_cast<double>(random() % 4096) / 4096;
      const double across = i % 2 ? at : static_cast<double>(random() % 4096) / 4096;
      const TileKey key{kr, kc, static_cast<std::int64_t>(at * static_cast<double>(rows)) / kTile,
                        static_cast<std::int64_t>(across * static_cast<double>(cols)) / kTile};
      times.push_back(milliseconds_of([&] { benchmark::DoNotOptimize(p.tile(key)); }));
    }
  std::sort(times.begin(), times.end());
  state.counters["kr"] = kr;
  state.counters["kc"] = kc;
  state.counters["median_ms"] = times[times.size() / 2];
  state.counters["p95_ms"] = times[times.size() * 95 / 100];
  state.counters["worst_ms"] = times.back();
}

// The tile in the upper left corner: where a power law has its hubs.
void corner_tile(benchmark::State& state, const Subject& subject, int finer) {
  const Pyramid& p = *loaded(subject).pyramid;
  const TileKey key{std::max(p.base_kr() - finer, 0), std::max(p.base_kc() - finer, 0), 0, 0};
  for (auto _ : state) benchmark::DoNotOptimize(p.tile(key));
}

void shade_window(benchmark::State& state) {
  std::mt19937 random(1);
  std::vector<std::uint32_t> counts(1280 * 800);
  for (std::uint32_t& c : counts) c = random() % 3 == 0 ? random() % 100000 : 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(shade(counts, 100000, Shading::log, Colormap::viridis, 0xffffffff, false));
}

void add(const std::string& name, auto function) {
  benchmark::RegisterBenchmark(name.c_str(), function)->Unit(benchmark::kMillisecond)->UseRealTime();
}

}  // namespace

int main(int argc, char** argv) {
  for (const Subject& s : kSubjects) {
    const std::string name = s.name;
    add(name + "/generate", [&s](auto& state) { generate_matrix(state, s); });
    add(name + "/first_picture", [&s](auto& state) { build_pyramid(state, s); });
    add(name + "/count_grid_1000x700", [&s](auto& state) { count_whole(state, s); });
    for (int finer = -3; finer <= 13; ++finer)
      add(name + "/tile/finer:" + std::to_string(finer), [&s, finer](auto& state) { tiles(state, s, finer); });
    for (const int finer : {1, 2, 4})
      add(name + "/corner_tile/finer:" + std::to_string(finer),
          [&s, finer](auto& state) { corner_tile(state, s, finer); });
  }
  add("shade_1280x800", shade_window);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
