#include "profiling/timing/timing.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#ifdef WARPSPY_HAVE_CUDA
#include "kernels/device/cuda.hpp"
#endif

namespace warpspy {

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

#ifndef WARPSPY_HAVE_CUDA

WarmTime time_warm(DeviceProduct&, double, const Progress&) {
  throw Error("this program was built without CUDA", {}, "build it with the CUDA toolkit, or use a simulated GPU");
}

#else

namespace {

using Clock = std::chrono::steady_clock;

constexpr double sample_us = 200;  // long against the timer's half microsecond
constexpr int least_samples = 9, most_samples = 200, most_launches = 1000;
constexpr double wanted_error = 0.005;

double noise_of(const std::vector<double>& samples, double middle) {
  std::vector<double> deviations;
  for (const double s : samples) deviations.push_back(std::fabs(s - middle));
  return middle > 0 ? median(std::move(deviations)) / middle : 0;
}

}  // namespace

WarmTime time_warm(DeviceProduct& product, double budget_s, const Progress& progress) {
  const auto start = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  cuda::Stream stream;
  cuda::Event before, after;
  const auto timed = [&](auto&& enqueue) {
    before.record(stream);
    enqueue();
    after.record(stream);
    after.synchronize();
    return after.milliseconds_since(before) * 1e3;
  };

  // The first launch loads the module; a few more bring clocks and caches to where they stay.
  product.launch(stream.get());
  stream.synchronize();
  double once = timed([&] { product.launch(stream.get()); });
  for (int i = 0; i < 20 && elapsed() < 0.2 * budget_s; ++i) {
    progress.check();
    once = std::min(once, timed([&] { product.launch(stream.get()); }));
  }

  WarmTime t;
  t.launches = std::clamp(static_cast<int>(sample_us / std::max(once, 0.1)), 1, most_launches);
  const auto graph = cuda::Graph::of(stream, t.launches, [&](const cuda::Stream& s) { product.launch(s.get()); });
  graph.launch(stream);  // not timed: the first launch uploads the graph
  stream.synchronize();
  std::vector<double> samples;
  while (static_cast<int>(samples.size()) < most_samples) {
    progress.check();
    samples.push_back(timed([&] { graph.launch(stream); }) / t.launches);
    if (static_cast<int>(samples.size()) < least_samples) continue;
    t.us = median(samples);
    t.noise = noise_of(samples, t.us);
    // 1.48 median absolute deviations are one standard deviation of normal noise.
    if (1.48 * t.noise / std::sqrt(static_cast<double>(samples.size())) < wanted_error || elapsed() > budget_s) break;
  }
  t.samples = static_cast<int>(samples.size());
  char text[128];
  std::snprintf(text, sizeof text, "median of %d graph launches of %d products each, warm; noise %.1f %%", t.samples,
                t.launches, 100 * t.noise);
  t.how = text;
  return t;
}

#endif

}  // namespace warpspy
