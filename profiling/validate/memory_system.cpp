#include "profiling/validate/memory_system.hpp"

#include <cmath>
#include <functional>
#include <string_view>

#include "profiling/simulated/simulate.hpp"

namespace warpspy {
namespace {

constexpr std::uint64_t array_base = 1 << 20;
constexpr int lanes = 32;

// A product of one launch, whose accesses a function writes; it multiplies nothing.
class Traced final : public EmulatedProduct {
 public:
  using Fill = std::function<void(std::int64_t block, simt::BlockTrace&)>;
  Traced(std::int64_t grid, int block, double bytes, Fill fill)
      : arrays_{{"a", array_base, static_cast<std::uint64_t>(bytes)}}, fill_(std::move(fill)) {
    launches_.push_back({.grid = grid, .block = block});
  }
  const std::vector<LaunchShape>& launches() const override { return launches_; }
  const std::vector<simt::ArrayInfo>& arrays() const override { return arrays_; }
  const std::vector<simt::Site>& sites() const override { return sites_; }
  void emulate_block(int, std::int64_t block, simt::BlockTrace* trace, simt::Additions*) override {
    if (!trace) return;
    trace->block = block;
    trace->warps.resize(static_cast<std::size_t>(launches_[0].block / lanes));
    fill_(block, *trace);
  }
  std::optional<std::pair<index_t, index_t>> rows_of_block(std::int64_t) const override { return {}; }
  std::vector<double> y() const override { return {}; }

 private:
  std::vector<LaunchShape> launches_;
  std::vector<simt::ArrayInfo> arrays_;
  std::vector<simt::Site> sites_ = {{"memory_system.cpp", 1}};
  Fill fill_;
};

// One instruction of a warp: lane l accesses 4 bytes at offset(l).
template <class Offset>
void add(simt::WarpTrace& warp, Offset&& offset, simt::Op op = simt::Op::load,
         simt::CachePolicy policy = simt::CachePolicy::plain) {
  simt::Access a;
  a.op = op;
  a.policy = policy;
  a.active = ~0u;
  a.first = static_cast<std::uint32_t>(warp.addresses.size());
  for (int lane = 0; lane < lanes; ++lane)
    warp.addresses.push_back(array_base + static_cast<std::uint64_t>(offset(lane)));
  warp.accesses.push_back(a);
  warp.lane_steps += lanes;
  ++warp.warp_steps;
}

std::uint64_t scrambled(std::uint64_t v) {
  v = (v ^ (v >> 31)) * 0x9E3779B97F4A7C15u;
  v = (v ^ (v >> 29)) * 0xBF58476D1CE4E5B9u;
  return v ^ (v >> 32);
}

Simulation run(Traced product, const GpuSpec& gpu, CacheState state, Progress& progress) {
  SimulateOptions all;
  all.budget = budget_of(Depth::whole);
  all.cache_state = state;
  return simulate(product, gpu, all, progress);
}

// One block per SM, as large as fits. Its warps read `bytes` of their own, then the same again.
Traced twice(const GpuSpec& gpu, double bytes, simt::CachePolicy policy) {
  const auto chunk = static_cast<std::int64_t>(bytes);
  return Traced(gpu.sm_count, 1024, bytes * gpu.sm_count, [=](std::int64_t block, simt::BlockTrace& trace) {
    const auto warps = static_cast<std::int64_t>(trace.warps.size());
    for (int time = 0; time < 2; ++time)
      for (std::int64_t line = 0; line < chunk / 128; ++line)
        add(
            trace.warps[static_cast<std::size_t>(line % warps)],
            [&](int l) { return block * chunk + line * 128 + 4 * l; }, simt::Op::load, policy);
  });
}

// Blocks of 256 threads, eight instructions per warp. Lane l of instruction i accesses 4 bytes of a piece of `stride`
// bytes.
constexpr int warps_per_block = 8, per_warp = 8;
std::int64_t piece(std::int64_t block, std::size_t warp, int i, int lane) {
  return ((block * warps_per_block + static_cast<std::int64_t>(warp)) * per_warp + i) * lanes + lane;
}
Traced strided(double stride, double total, simt::Op op) {
  const auto step = static_cast<std::int64_t>(stride);
  const std::int64_t grid = static_cast<std::int64_t>(total / stride) / (warps_per_block * per_warp * lanes);
  return Traced(grid, warps_per_block * lanes, static_cast<double>(grid * warps_per_block * per_warp * lanes * step),
                [=](std::int64_t block, simt::BlockTrace& trace) {
                  for (std::size_t w = 0; w < trace.warps.size(); ++w)
                    for (int i = 0; i < per_warp; ++i)
                      add(trace.warps[w], [&](int l) { return piece(block, w, i, l) * step; }, op);
                });
}

// As many blocks as the GPU holds read `bytes` together.
Traced circle(const GpuSpec& gpu, double bytes) {
  const std::int64_t grid = std::int64_t{gpu.sm_count} * blocks_of_a_wave;
  const std::int64_t step = grid * warps_per_block * lanes, count = static_cast<std::int64_t>(bytes) / 4;
  return Traced(grid, warps_per_block * lanes, bytes, [=](std::int64_t block, simt::BlockTrace& trace) {
    for (std::size_t w = 0; w < trace.warps.size(); ++w)
      for (std::int64_t n = (block * warps_per_block + static_cast<std::int64_t>(w)) * lanes; n + lanes <= count;
           n += step)
        add(trace.warps[w], [&](int l) { return (n + l) * 4; });
  });
}

Traced gathers(double bytes, double loads) {
  const auto words = static_cast<std::uint64_t>(bytes / 4);
  const auto grid = static_cast<std::int64_t>(loads) / (warps_per_block * per_warp * lanes);
  return Traced(grid, warps_per_block * lanes, bytes, [=](std::int64_t block, simt::BlockTrace& trace) {
    for (std::size_t w = 0; w < trace.warps.size(); ++w)
      for (int i = 0; i < per_warp; ++i)
        add(trace.warps[w],
            [&](int l) { return scrambled(static_cast<std::uint64_t>(piece(block, w, i, l)) + 1) % words * 4; });
  });
}

// Every warp adds to a line of the targets, one line after another.
Traced reductions(double bytes, double adds) {
  const auto lines = static_cast<std::int64_t>(bytes / 128);
  const auto grid = static_cast<std::int64_t>(adds) / (warps_per_block * per_warp * lanes);
  return Traced(grid, warps_per_block * lanes, bytes, [=](std::int64_t block, simt::BlockTrace& trace) {
    for (std::size_t w = 0; w < trace.warps.size(); ++w)
      for (int i = 0; i < per_warp; ++i)
        add(
            trace.warps[w], [&](int l) { return piece(block, w, i, 0) / lanes % lines * 128 + 4 * l; },
            simt::Op::atomic);
  });
}

double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }
double l2_hit(const Simulation& s) { return percent(s.l2_load_hits, s.l2_loads); }

constexpr double MB = 1e6, KB = 1024;
constexpr double strided_bytes = 16 * MB, random_loads = 1 << 20, l2_turnovers = 4, adds_per_target = 16;

}  // namespace

const std::vector<Experiment>& memory_experiments() {
  using enum Pattern;
  // Tolerances: L1 5 points, L2 7 points, DRAM bytes 10 %, requests and sectors 1 %; for stores the width of their
  // reference.
  static const std::vector<Experiment> table = {
      {"l1_64", "64 KB per SM read twice", twice, 64 * KB, "L1 hit", "%", 50, 5},
      {"l1_224", "224 KB per SM read twice", twice, 224 * KB, "L1 hit", "%", 50, 5},
      {"l1_240", "240 KB per SM read twice", twice, 240 * KB, "L1 hit", "%", 45.3, 5},
      {"l1_256", "256 KB per SM read twice", twice, 256 * KB, "L1 hit", "%", 32.8, 5},
      {"l1_320", "320 KB per SM read twice", twice, 320 * KB, "L1 hit", "%", 0.2, 5},
      {"cg_64", "64 KB per SM read twice, ld.cg", twice_cg, 64 * KB, "L2 hit", "%", 50, 7},
      {"sectors_4", "4-byte reads, stride 4 B", stride, 4, "sectors per request", "1", 4, 0.04},
      {"sectors_8", "4-byte reads, stride 8 B", stride, 8, "sectors per request", "1", 8, 0.08},
      {"sectors_16", "4-byte reads, stride 16 B", stride, 16, "sectors per request", "1", 16, 0.16},
      {"sectors_32", "4-byte reads, stride 32 B", stride, 32, "sectors per request", "1", 32, 0.32},
      {"sectors_64", "4-byte reads, stride 64 B", stride, 64, "sectors per request", "1", 32, 0.32},
      {"sectors_256", "4-byte reads, stride 256 B", stride, 256, "sectors per request", "1", 32, 0.32},
      {"dram_4", "4-byte reads, stride 4 B", stride, 4, "DRAM per read", "B", 4, 0.4},
      {"dram_8", "4-byte reads, stride 8 B", stride, 8, "DRAM per read", "B", 8, 0.8},
      {"dram_16", "4-byte reads, stride 16 B", stride, 16, "DRAM per read", "B", 16, 1.6},
      {"dram_32", "4-byte reads, stride 32 B", stride, 32, "DRAM per read", "B", 32, 3.2},
      {"dram_64", "4-byte reads, stride 64 B", stride, 64, "DRAM per read", "B", 64, 6.4},
      {"dram_128", "4-byte reads, stride 128 B", stride, 128, "DRAM per read", "B", 64, 6.4},
      {"dram_256", "4-byte reads, stride 256 B", stride, 256, "DRAM per read", "B", 64, 6.4},
      {"sequential_32", "32 MB read in order, warm", sequential, 32 * MB, "L2 hit", "%", 92.9, 7},
      {"sequential_40", "40 MB read in order, warm", sequential, 40 * MB, "L2 hit", "%", 63.6, 7},
      {"sequential_48", "48 MB read in order, warm", sequential, 48 * MB, "L2 hit", "%", 20.7, 7},
      {"sequential_56", "56 MB read in order, warm", sequential, 56 * MB, "L2 hit", "%", 0.4, 7},
      {"wave_40", "40 MB read in order by one wave, warm", one_wave, 40 * MB, "L2 hit", "%", 91.4, 7},
      {"wave_48", "48 MB read in order by one wave, warm", one_wave, 48 * MB, "L2 hit", "%", 56.9, 7},
      {"wave_56", "56 MB read in order by one wave, warm", one_wave, 56 * MB, "L2 hit", "%", 0.8, 7},
      {"gather_24", "random reads of 24 MB, warm", gather, 24 * MB, "L2 hit", "%", 100, 7},
      {"gather_32", "random reads of 32 MB, warm", gather, 32 * MB, "L2 hit", "%", 97, 7},
      {"gather_48", "random reads of 48 MB, warm", gather, 48 * MB, "L2 hit", "%", 54.4, 7},
      {"gather_64", "random reads of 64 MB, warm", gather, 64 * MB, "L2 hit", "%", 34.2, 7},
      {"gather_128", "random reads of 128 MB, warm", gather, 128 * MB, "L2 hit", "%", 14, 7},
      {"gather_512", "random reads of 512 MB, warm", gather, 512 * MB, "L2 hit", "%", 3.1, 7},
      {"gather_dram", "random reads of 512 MB, warm", gather, 512 * MB, "DRAM per miss", "B", 64, 6.4},
      {"store_fill_4", "4-byte stores, stride 4 B", store, 4, "DRAM read per store", "B", 0, 0.04},
      {"store_fill_32", "4-byte stores, stride 32 B", store, 32, "DRAM read per store", "B", 30, 3},
      {"store_32", "4-byte stores, stride 32 B", store, 32, "DRAM written per store", "B", 29, 4},
      {"red_l1", "additions to 4 MB", reduction, 4 * MB, "L1 hit", "%", 0, 0.1},
      {"red_sectors", "additions to 4 MB", reduction, 4 * MB, "L2 sectors per request", "1", 4, 0.04},
      {"red_dram", "additions to 4 MB, 16 times each", reduction, 4 * MB, "DRAM per addition", "B", 0.25, 0.025},
  };
  return table;
}

double accesses_of(const Experiment& e, int sms, double l2_bytes) {
  const auto whole = [](double n) {
    return std::floor(n / (warps_per_block * per_warp * lanes)) * warps_per_block * per_warp * lanes;
  };
  switch (e.pattern) {
    case Pattern::twice:
    case Pattern::twice_cg:
      return 2 * e.bytes / 4 * sms;
    case Pattern::stride:
      return whole(strided_bytes / e.bytes);
    case Pattern::sequential:
    case Pattern::one_wave:
      return whole(e.bytes / 4);
    case Pattern::gather:
      return whole(random_loads);
    case Pattern::store:
      return whole(l2_turnovers * l2_bytes / e.bytes);
    case Pattern::reduction:
      return whole(adds_per_target * e.bytes / 4);
  }
  return 0;
}

std::optional<double> measured_answer(const Experiment& e, const std::vector<Counter>& counters, double accesses) {
  const auto value = [&](const char* id) -> std::optional<double> {
    for (const Counter& c : counters)
      if (c.id == id && c.provenance != Provenance::modelled) return c.value;
    return {};
  };
  const auto over = [](std::optional<double> a, std::optional<double> b) -> std::optional<double> {
    if (!a || !b || !(*b > 0)) return {};
    return *a / *b;
  };
  const std::string_view quantity = e.quantity;
  if (quantity == "L1 hit") return value("l1_hit_rate");
  // Relative to the requested sectors. Hits plus misses would be more, since a miss of one sector also counts for its
  // pair.
  const auto l2_hits = over(value("l2_read_hits"), value("l2_read_sectors"));
  if (quantity == "L2 hit") return l2_hits ? std::optional(100 * *l2_hits) : std::nullopt;
  if (quantity == "sectors per request") return over(value("sectors"), value("requests"));
  if (quantity == "L2 sectors per request") return over(value("l2_atomic_sectors"), value("requests"));
  if (quantity == "DRAM written per store") return over(value("dram_write_bytes"), accesses);
  if (quantity != "DRAM per miss") return over(value("dram_read_bytes"), accesses);
  if (!l2_hits) return {};
  return over(value("dram_read_bytes"), *value("l2_read_sectors") * (1 - *l2_hits));
}

#ifndef WARPSPY_HAVE_CUDA
DeviceExperiment on_device(const Experiment&, int, double) {
  throw Error("this program was built without CUDA", {}, "build it with the CUDA toolkit");
}
#endif

double modelled_answer(const Experiment& e, const GpuSpec& gpu, Progress& progress) {
  const std::string_view quantity = e.quantity;
  switch (e.pattern) {
    case Pattern::twice: {
      const Simulation s = run(twice(gpu, e.bytes, simt::CachePolicy::plain), gpu, CacheState::cold, progress);
      return percent(s.l1_hits, s.l1_lookups);
    }
    case Pattern::twice_cg:
      return l2_hit(run(twice(gpu, e.bytes, simt::CachePolicy::no_l1), gpu, CacheState::cold, progress));
    case Pattern::stride: {
      const Simulation s = run(strided(e.bytes, strided_bytes, simt::Op::load), gpu, CacheState::cold, progress);
      return quantity == "DRAM per read" ? s.dram_read_bytes / (s.requests * lanes) : s.sectors / s.requests;
    }
    case Pattern::sequential:
      return l2_hit(run(strided(4, e.bytes, simt::Op::load), gpu, CacheState::warm, progress));
    case Pattern::one_wave:
      return l2_hit(run(circle(gpu, accesses_of(e, gpu.sm_count, gpu.l2_bytes) * 4), gpu, CacheState::warm, progress));
    case Pattern::gather: {
      const Simulation s = run(gathers(e.bytes, random_loads), gpu, CacheState::warm, progress);
      return quantity == "DRAM per miss" ? s.dram_read_bytes / (s.l2_loads - s.l2_load_hits) : l2_hit(s);
    }
    case Pattern::store: {
      const Simulation s =
          run(strided(e.bytes, l2_turnovers * gpu.l2_bytes, simt::Op::store), gpu, CacheState::cold, progress);
      return (quantity == "DRAM read per store" ? s.dram_read_bytes : s.dram_write_bytes) / (s.requests * lanes);
    }
    case Pattern::reduction: {
      const Simulation s = run(reductions(e.bytes, adds_per_target * e.bytes / 4), gpu, CacheState::cold, progress);
      if (quantity == "L1 hit") return percent(s.l1_hits, s.l1_lookups);
      return quantity == "DRAM per addition" ? s.dram_read_bytes / (s.requests * lanes) : s.l2_sectors / s.requests;
    }
  }
  return 0;
}

}  // namespace warpspy
