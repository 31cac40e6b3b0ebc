#include "profiling/ceilings/ceilings.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <functional>

#include "core/base/utc.hpp"
#include "kernels/device/device.hpp"

#ifdef WARPSPY_HAVE_CUDA
#include "kernels/device/cuda.hpp"
#include "profiling/ceilings/micro.hpp"
#include "profiling/timing/samples.hpp"
#include "profiling/timing/timing.hpp"
#endif

namespace warpspy {

std::vector<std::size_t> curve_sizes(std::size_t l2_bytes, std::size_t free_bytes) {
  std::vector<std::size_t> sizes;
  const auto add = [&](double bytes) {
    const auto size = static_cast<std::size_t>(bytes) / 65536 * 65536;
    if (size > 0 && size <= free_bytes / 2 && (sizes.empty() || size > sizes.back())) sizes.push_back(size);
  };
  const auto l2 = static_cast<double>(l2_bytes);
  for (double bytes = 2 << 20; bytes < 0.4 * l2; bytes *= 2) add(bytes);
  for (double share = 0.4; share < 1.35; share += 0.1) add(share * l2);
  for (double share : {1.6, 2.0, 3.0, 4.0, 8.0}) add(share * l2);
  return sizes;
}

const WorkingSetPoint* below_the_knee(const std::vector<WorkingSetPoint>& curve, double l2_bytes) {
  const WorkingSetPoint* best = nullptr;
  for (const WorkingSetPoint& p : curve)
    if (p.bytes <= l2_bytes / 2 && (!best || p.gbs > best->gbs)) best = &p;
  return best;
}

namespace {

struct Found {
  DeviceProperties properties;
  DeviceKey key;
};
Found find_device(int ordinal) {
  const DeviceProbe probe = probe_devices();
  for (const DeviceProperties& d : probe.devices)
    if (d.ordinal == ordinal) {
      if (!d.no_code.empty()) throw Error(d.no_code, {}, d.no_code_remedy);
      const int v = probe.driver_version;
      return {d, {d.name, d.uuid, std::to_string(v / 1000) + "." + std::to_string(v % 1000 / 10)}};
    }
  throw Error("there is no CUDA device " + std::to_string(ordinal) + (probe.reason.empty() ? "" : ": " + probe.reason),
              {}, probe.remedy.empty() ? "warpspy devices lists those of this machine" : probe.remedy);
}

}  // namespace

DeviceKey device_key(int ordinal) { return find_device(ordinal).key; }

#ifndef WARPSPY_HAVE_CUDA

namespace {

[[noreturn]] void no_cuda() {
  throw Error("roofs are measured on a CUDA device, and this program was built without CUDA", {},
              "build it with the CUDA toolkit; the roofs of simulated GPUs come from their data sheets");
}

}  // namespace

MeasuredRoofs measure_roofs(int, Progress&) { no_cuda(); }
L2Bandwidth measure_l2(int, const Progress&) { no_cuda(); }

#else

namespace {

constexpr double budget_s = 0.15;  // time for each figure

struct Clocked {
  std::vector<double> sm, memory;
  void see(const ProductTime& t) {
    if (t.sm_mhz > 0) sm.push_back(t.sm_mhz), memory.push_back(t.memory_mhz);
  }
};

// Launches one after another in a stream, as a program does that does not record graphs.
MeasuredFigure stream_launches(const Progress& progress) {
  constexpr int launches = 1000;
  const micro::Benchmark empty = micro::empty();
  const cuda::Stream stream;
  const cuda::Event before, after;
  const std::function<double()> sample = [&] {
    before.record(stream);
    for (int i = 0; i < launches; ++i) empty.product->launch(stream.get());
    after.record(stream);
    after.synchronize();
    return after.milliseconds_since(before) * 1e3 / launches;
  };
  sample();  // loads the module
  const Samples s = take_samples({&sample, 1}, {.budget_s = budget_s}, {}, progress).front();
  return {"launch_stream", s.median_us(), noise_of(s.us), "an empty kernel, 1000 launches back to back"};
}

}  // namespace

L2Bandwidth measure_l2(int ordinal, const Progress& progress) {
  const DeviceProperties device = find_device(ordinal).properties;
  use_device(ordinal);
  const micro::Shape shape{.sms = std::max(1, device.sm_count)};
  const std::size_t part = std::bit_floor(std::max<std::size_t>(device.l2_bytes / 2, 1 << 20));
  const auto gbs = [&](const micro::Benchmark& b) {
    return b.amount / time_warm(*b.product, budget_s, progress).us * 1e-3;
  };
  return {gbs(micro::read_again(part, 5e8, shape)), gbs(micro::gather(part, shape)), static_cast<double>(part),
          shape.sms};
}

MeasuredRoofs measure_roofs(int ordinal, Progress& progress) {
  const auto [device, key] = find_device(ordinal);
  use_device(ordinal);
  MeasuredRoofs m;
  m.device = key.name;
  m.uuid = key.uuid;
  m.driver = key.driver;
  m.date = utc_now();
  Clocked clocks;
  const std::size_t free_bytes = cuda::device_memory().free;
  const micro::Shape shape{.sms = std::max(1, device.sm_count)};
  // Far beyond any L2, and quick.
  const std::size_t large = std::min<std::size_t>(std::size_t{1} << 30, free_bytes / 8) / 4096 * 4096;
  const std::vector<std::size_t> sizes = curve_sizes(device.l2_bytes, free_bytes);

  const double steps = 9.0 + static_cast<double>(sizes.size());
  double done = 0;
  const auto step = [&](const char* what) {
    progress.check();
    progress.stage(std::string("measuring ") + what);
    progress.set(done++ / steps);
  };
  const auto time = [&](const micro::Benchmark& b) {
    ProductTime t = time_warm(*b.product, budget_s, progress);
    clocks.see(t);
    return t;
  };
  // 1e9 bytes, or flops, per second.
  const auto rate = [&](const char* id, const char* what, const std::function<micro::Benchmark()>& make) {
    step(what);
    const micro::Benchmark b = make();
    const ProductTime t = time(b);
    m.figures.push_back({id, b.amount / t.us * 1e-3, t.noise, b.how});
  };

  rate("dram_copy", "DRAM", [&] { return micro::copy(large, shape); });
  rate("dram_read", "DRAM", [&] { return micro::read(large, shape); });
  rate("dram_triad", "DRAM", [&] { return micro::triad(large, shape); });
  double curve_noise = 0;
  for (const std::size_t bytes : sizes) {
    step("L2");
    const micro::Benchmark b = micro::read_again(bytes, 5e8, shape);
    const ProductTime t = time(b);
    m.curve.push_back({static_cast<double>(bytes), b.amount / t.us * 1e-3});
    curve_noise = std::max(curve_noise, t.noise);
  }
  if (const WorkingSetPoint* p = below_the_knee(m.curve, static_cast<double>(device.l2_bytes))) {
    char how[128];
    std::snprintf(how, sizeof how, "16-byte loads past L1, over and over the same %.3g MB", p->bytes * 1e-6);
    m.figures.push_back({"l2_read", p->gbs, curve_noise, how});
  }
  rate("l1_read", "L1", [&] { return micro::l1_read(shape); });
  rate("shared_read", "shared memory", [&] { return micro::shared_read(shape); });
  rate("fma_f32", "f32 multiply-adds", [&] { return micro::fma_f32(shape); });
  rate("fma_f64", "f64 multiply-adds", [&] { return micro::fma_f64(shape); });
  step("launches");
  m.figures.push_back(stream_launches(progress));
  step("launches");
  const ProductTime graph = time(micro::empty());
  m.figures.push_back(
      {"launch_graph", graph.us, graph.noise, "an empty kernel, one node of a long graph after another"});
  m.sm_mhz = median(clocks.sm);
  m.memory_mhz = median(clocks.memory);
  return m;
}

#endif

}  // namespace warpspy
