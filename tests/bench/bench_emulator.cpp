// Recorded accesses per second and core of the emulator: what a sampled run can afford. Every kernel of the table with
// its default parameters. Per second of CPU time:
// - accesses: what lanes do at an element, or a pack, of global memory, one by one; all of it is recorded;
// - with shared: also what they do in shared memory, which costs the same (it is checked element by element) and is not
//   part of a trace;
// - lane steps: also every lane's part in a shuffle, a ballot or a barrier, where most of the time goes in a kernel
//   that sums up rows of few entries.
#include <benchmark/benchmark.h>

#include <map>

#include "core/generate/generate.hpp"
#include "kernels/simt/emulator.hpp"
#include "kernels/table/table.hpp"
#include "tests/shapes.hpp"

namespace warpspy {
namespace {

// Row lengths 20 to 80 as in a finite-element matrix, all 5 as in a stencil, or some thousands as in a linear program,
// all with columns anywhere; and for formats that hold only what has structure a grid's stencil, and elements.
const Matrix& matrix(const std::string& name) {
  static const std::map<std::string, Matrix> all = [] {
    std::map<std::string, Matrix> m;
    const auto add = [&](const char* of, Csr csr) { m[of].csr = std::make_shared<const Csr>(std::move(csr)); };
    add("mesh", testing::random_rows(100'000, 100'000, [](index_t r) { return 20 + r * 7919 % 61; }, 1));
    add("stencil", testing::random_rows(200'000, 200'000, [](index_t) { return 5; }, 2));
    add("program", testing::random_rows(1'000, 200'000, [](index_t r) { return 1'500 + r * 7919 % 2'001; }, 3));
    constexpr index_t side = 450;
    std::vector<std::vector<index_t>> rows(side * side);
    for (index_t r = 0; r < side * side; ++r)
      for (const index_t c : {r - side, r - 1, r, r + 1, r + side})
        if (c >= 0 && c < side * side) rows[static_cast<std::size_t>(r)].push_back(c);
    add("grid", testing::from_rows(side * side, rows, testing::some_value));
    Progress progress;
    m["elements"] = generate("fem_quad?nx=150&ny=150&degree=2", progress);
    return m;
  }();
  return all.at(name);
}

std::shared_ptr<const Format> format_of(const KernelInfo& info, const std::string& matrix_name) {
  if (info.format.empty()) return nullptr;
  Progress progress;
  return format_row(info.format)
      .build(FormatFacts(matrix(matrix_name)), Precision::f32, RealView::real_part, {}, progress);
}

std::size_t recorded(const simt::BlockTrace& trace) {
  std::size_t sum = 0;
  for (const simt::WarpTrace& warp : trace.warps) sum += warp.addresses.size();
  return sum;
}

// The launch that does most: others scale y or add up what it left.
int main_launch(EmulatedProduct& product) {
  const auto& launches = product.launches();
  int main = 0;
  std::int64_t most = -1;
  for (int l = 0; l < static_cast<int>(launches.size()); ++l) {
    simt::BlockTrace trace;
    simt::Additions later;
    const std::int64_t grid = launches[static_cast<std::size_t>(l)].grid;
    product.emulate_block(l, grid / 2, &trace, &later);
    const auto accesses = static_cast<std::int64_t>(recorded(trace)) * grid;
    if (accesses > most) main = l, most = accesses;
  }
  return main;
}

// One block of the product's main launch after another.
void run(benchmark::State& state, const KernelRow& kernel, const ParamSet& params, const std::string& matrix_name,
         bool traced) try {
  const auto format = format_of(kernel.info, matrix_name);
  const Csr& a = *matrix(matrix_name).csr;
  const auto x = testing::some_vector(input_size(kernel.info.operation, a.rows(), a.cols()));
  const auto y = testing::some_vector(output_size(kernel.info.operation, a.rows(), a.cols()));
  const auto product = kernel.emulate({.format = format, .params = params, .x = x, .beta = 1, .y = y});
  const int launch = main_launch(*product);
  const std::int64_t grid = product->launches()[static_cast<std::size_t>(launch)].grid;
  std::int64_t block = 0;
  std::size_t accesses = 0, shared = 0, instructions = 0, lane_steps = 0;
  for (auto _ : state) {
    simt::BlockTrace trace;
    simt::Additions later;  // as a simulated run has them
    product->emulate_block(launch, block, traced ? &trace : nullptr, &later);
    later.apply();
    benchmark::DoNotOptimize(trace);
    accesses += recorded(trace);
    shared += trace.shared_accesses;
    for (const simt::WarpTrace& warp : trace.warps) instructions += warp.accesses.size(), lane_steps += warp.lane_steps;
    if (++block == grid) block = 0;
  }
  if (!traced) return;
  const auto rate = [](std::size_t n) {
    return benchmark::Counter(static_cast<double>(n), benchmark::Counter::kIsRate);
  };
  state.counters["accesses/s"] = rate(accesses);
  state.counters["with shared/s"] = rate(accesses + shared);
  state.counters["lane steps/s"] = rate(lane_steps + shared);
  state.counters["lanes"] = static_cast<double>(accesses) / static_cast<double>(instructions);
} catch (const Error& e) {
  state.SkipWithError(e.what());  // the format does not hold such a matrix
}

const int registered = [] {
  for (const char* matrix : {"mesh", "stencil", "program", "grid", "elements"})
    for (bool traced : {true, false}) {
      const std::string end = "/" + std::string(matrix) + (traced ? "/traced" : "/untraced");
      const auto add = [&](const std::string& name, const KernelRow& kernel, const ParamSet& params) {
        benchmark::RegisterBenchmark((name + end).c_str(),
                                     [=, &kernel](benchmark::State& s) { run(s, kernel, params, matrix, traced); });
      };
      for (const KernelRow& kernel : kernels())
        if (kernel.emulate) add(kernel.info.id, kernel, {});
      for (int coop : {1, 4, 8, 32})
        add("csr_vector_" + std::to_string(coop), kernel_row("csr_vector"), {{"coop", coop}});
    }
  return 0;
}();

}  // namespace
}  // namespace warpspy
