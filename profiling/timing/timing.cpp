#include "profiling/timing/timing.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <map>
#include <mutex>

#include "core/base/numbers.hpp"
#include "profiling/timing/nvml.hpp"

#ifdef WARPSPY_HAVE_CUDA
#include "kernels/device/cuda.hpp"
#endif

namespace warpspy {

ColdPlan plan_cold(std::size_t product_bytes, std::size_t l2_bytes, std::size_t free_bytes, double evict_last_share) {
  constexpr std::size_t most = 256;
  const std::size_t bytes = std::max<std::size_t>(product_bytes, 1);
  const double drives_out = static_cast<double>(bytes) * (evict_last_share > 0 ? evict_last_share : 1);
  const auto wanted =
      static_cast<std::size_t>(std::max(2.0, std::ceil(3 * static_cast<double>(l2_bytes) / drives_out)));
  // The first copy exists already.
  const std::size_t possible = std::min(most, 1 + free_bytes / 2 / bytes);
  if (wanted <= possible) return {.copies = static_cast<int>(wanted), .flush = false};
  return {.copies = 1, .flush = true};
}

Rotation warm_rotation(std::unique_ptr<DeviceProduct> product) {
  Rotation r;
  r.copies.push_back(std::move(product));
  return r;
}

std::vector<Detail> details_of(const ProductTime& t) {
  using enum Provenance;
  std::vector<Detail> d;
  if (t.samples > 1)  // a single sample has no spread
    d = {{"spread", "noise (MAD)", {100 * t.noise, "%", measured}},
         {"time_q1", "first quartile", {t.low, "us", measured}},
         {"time_q3", "third quartile", {t.high, "us", measured}}};
  d.push_back({"samples", "samples", {static_cast<double>(t.samples), "1", measured}});
  d.push_back({"working_set", "working set", {static_cast<double>(t.product_bytes), "B", derived}});
  d.push_back({"l2_size", "L2 of the device", {static_cast<double>(t.l2_bytes), "B", derived}});
  if (t.flush_us > 0) d.push_back({"flush", "L2 flush, subtracted", {t.flush_us, "us", measured}});
  if (t.sm_mhz > 0) d.push_back({"sm_clock", "SM clock", {t.sm_mhz, "MHz", measured}});
  if (t.memory_mhz > 0) d.push_back({"memory_clock", "memory clock", {t.memory_mhz, "MHz", measured}});
  if (t.setup_us > 0) d.push_back({"setup", "setup, once", {t.setup_us, "us", measured}});
  return d;
}

std::vector<Detail> timing_details(const RunRecord& r) {
  constexpr const char* ids[] = {"spread",  "time_q1", "time_q3",  "samples",      "working_set",
                                 "l2_size", "flush",   "sm_clock", "memory_clock", "setup"};
  std::vector<Detail> d;
  for (const Detail& of : r.details)
    if (std::find(std::begin(ids), std::end(ids), of.id) != std::end(ids)) d.push_back(of);
  return d;
}

// Each of them speaks of throttling (Timer::result).
std::string clock_note(const RunRecord& r) {
  for (const std::string& note : r.notes)
    if (note.find("throttl") != std::string::npos) return note;
  return "";
}

#ifndef WARPSPY_HAVE_CUDA

namespace {
[[noreturn]] void no_cuda() {
  throw Error("this program was built without CUDA", {}, "build it with the CUDA toolkit, or use a simulated GPU");
}
}  // namespace

Rotation cold_rotation(const MakeProduct&, const Progress&) { no_cuda(); }
ProductTime time_warm(DeviceProduct&, double, const Progress&) { no_cuda(); }
ProductTime time_rotation(const Rotation&, double, const Progress&) { no_cuda(); }
double time_trial(DeviceProduct&, double, double, const Progress&) { no_cuda(); }
Comparison compare_interleaved(const std::vector<const Rotation*>&, double, const Progress&) { no_cuda(); }
CopyBandwidth measure_copy(const Progress&) { no_cuda(); }
CounterRun counter_run(DeviceProduct&, CacheState) { no_cuda(); }
void launch_once(DeviceProduct&) { no_cuda(); }

#else

namespace {

// A sample is long compared with the timer's half microsecond. If there is time, it is also long compared with the
// start of a graph, which takes some microseconds.
double sample_us(double budget_s) { return std::clamp(budget_s * 1e6 / 500, 200.0, 2000.0); }
// Of several products in turn: each finds L2 as another one has left it, so the cost of its first repetition must be
// small in a sample.
constexpr double least_sample_in_turn_us = 1000;
constexpr int most_launches = 1000;

std::size_t l2_of_device() {
  int device = 0, bytes = 0;
  cuda::check(cudaGetDevice(&device), "asking for the device");
  cuda::check(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device), "asking for the size of L2");
  return static_cast<std::size_t>(bytes);
}

// Lines with the policy "evict last" stay in L2 even during another product. An H200 read 40 MB again and again at 4.6
// TB/s after such a product, and at 5.7 TB/s after this function or without such a product (2026-11-26). After this
// call they are evicted in the usual order.
void let_kept_lines_go() {
  int device = 0, most = 0;
  cuda::check(cudaGetDevice(&device), "asking for the device");
  cuda::check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxPersistingL2CacheSize, device), "asking what L2 keeps");
  if (most > 0) cuda::check(cudaCtxResetPersistingL2Cache(), "letting L2 forget");
}

// Kept, since opening the management library takes long compared with a sample.
ClockReader clocks_of_device() {
  static std::mutex mutex;
  static std::map<int, ClockReader> readers;
  int device = 0;
  char id[32] = "";
  cuda::check(cudaGetDevice(&device), "asking for the device");
  cuda::check(cudaDeviceGetPCIBusId(id, sizeof id, device), "asking for the device's bus id");
  const std::lock_guard lock(mutex);
  const auto known = readers.find(device);
  return known != readers.end() ? known->second : readers.emplace(device, clock_reader(id)).first->second;
}

// A rotation that is ready to be timed: graphs of its launches, and how to take a sample.
class Timer {
 public:
  Timer(std::vector<DeviceProduct*> copies, CacheState state, bool flush, double sample_us, const Progress& progress)
      : copies_(std::move(copies)), state_(state), l2_(l2_of_device()) {
    if (flush) flush_ = cuda::DeviceBytes(3 * l2_);
    const double once = warm_up(progress);
    const int fitting = std::clamp(static_cast<int>(sample_us / std::max(once, 0.1)), 1, most_launches);
    const auto turns = static_cast<int>(copies_.size());
    launches_ = (fitting + turns - 1) / turns * turns;
    int next = 0;
    graph_.push_back(cuda::Graph::of(stream_, launches_, [&](const cuda::Stream& s) {
      if (flush_.bytes()) wipe(s);
      copies_[static_cast<std::size_t>(next++ % turns)]->launch(s.get());
    }));
    if (flush_.bytes()) graph_.push_back(cuda::Graph::of(stream_, launches_, [&](const cuda::Stream& s) { wipe(s); }));
    for (const cuda::Graph& g : graph_) g.launch(stream_);  // the first launch uploads the graph
    stream_.synchronize();
  }

  // Microseconds of one product.
  double sample() {
    const double all = timed(graph_[0]) / launches_;
    if (graph_.size() == 1) return all;
    const double wiping = timed(graph_[1]) / launches_;
    flushes_.push_back(wiping);
    return all - wiping;
  }

  ProductTime result(const Samples& s, const ClockReader& clocks) const {
    ProductTime t;
    t.us = s.median_us();
    t.low = quantile(s.us, 0.25);
    t.high = quantile(s.us, 0.75);
    t.noise = noise_of(s.us);
    t.samples = static_cast<int>(s.us.size());
    t.launches = launches_;
    t.copies = static_cast<int>(copies_.size());
    t.flush_us = median(flushes_);
    t.product_bytes = copies_.front()->device_bytes();
    t.l2_bytes = l2_;
    t.sm_mhz = median(s.sm_mhz);
    t.memory_mhz = median(s.memory_mhz);
    t.setup_us = copies_.front()->setup_us();
    if (!clocks.read)
      t.clock_note = "clocks and throttling are not known: " + clocks.reason;
    else if (s.all_throttled)
      t.clock_note = "every sample was throttled (" + s.throttle_reason + "), so none was dropped";
    else if (s.throttled > 0)
      t.clock_note = std::to_string(s.throttled) + " throttled samples were dropped (" + s.throttle_reason + ")";
    t.how = how(t);
    return t;
  }

 private:
  void wipe(const cuda::Stream& s) const {
    cuda::check(cudaMemsetAsync(flush_.data(), 0, flush_.bytes(), s.get()), "flushing L2");
  }

  // The first launch loads the module; a few more bring clocks and caches to their steady state.
  double warm_up(const Progress& progress) {
    for (DeviceProduct* p : copies_) p->launch(stream_.get());
    stream_.synchronize();
    double once = 1e30, spent_us = 0;
    for (int i = 0; i < 20 && (i < 2 || spent_us < 1e5); ++i) {
      progress.check();
      before_.record(stream_);
      copies_.front()->launch(stream_.get());
      after_.record(stream_);
      after_.synchronize();
      const double us = after_.milliseconds_since(before_) * 1e3;
      once = std::min(once, us);
      spent_us += us;
    }
    return once;
  }

  // The graph first runs untimed. So the timed run follows without a gap, with the caches in their usual state.
  double timed(const cuda::Graph& graph) {
    let_kept_lines_go();
    graph.launch(stream_);
    before_.record(stream_);
    graph.launch(stream_);
    after_.record(stream_);
    after_.synchronize();
    return after_.milliseconds_since(before_) * 1e3;
  }

  std::string how(const ProductTime& t) const {
    char text[160];
    std::snprintf(text, sizeof text, "median of %d graph launches of %d products each, %s; noise %.1f %%", t.samples,
                  t.launches, name_of(state_), 100 * t.noise);
    std::string line = text;
    if (state_ == CacheState::warm) return line;
    const std::string l2 = byte_text(static_cast<double>(l2_)) + " of L2";
    if (flush_.bytes())
      return line + "; " + byte_text(static_cast<double>(flush_.bytes())) + " written between two products against " +
             l2 + ", their time taken apart";
    return line + "; " + std::to_string(t.copies) + " copies take turns, " +
           byte_text(static_cast<double>(t.product_bytes) * t.copies) + " against " + l2;
  }

  std::vector<DeviceProduct*> copies_;
  CacheState state_;
  std::size_t l2_;
  cuda::DeviceBytes flush_;
  cuda::Stream stream_;
  cuda::Event before_, after_;
  int launches_ = 0;
  std::vector<cuda::Graph> graph_;  // graphs of the products, and of the flush alone if there is one
  std::vector<double> flushes_;
};

Comparison compare(std::vector<std::unique_ptr<Timer> >& timers, double budget_s, const Progress& progress) {
  const ClockReader clocks = clocks_of_device();
  std::vector<std::function<double()> > samplers;
  for (const auto& t : timers) samplers.push_back([timer = t.get()] { return timer->sample(); });
  Comparison c;
  c.samples = take_samples(samplers, {.budget_s = budget_s}, clocks.read, progress);
  for (std::size_t i = 0; i < timers.size(); ++i) c.times.push_back(timers[i]->result(c.samples[i], clocks));
  return c;
}

}  // namespace

CounterRun counter_run(DeviceProduct& product, CacheState state) {
  const auto stream = std::make_shared<const cuda::Stream>();
  let_kept_lines_go();
  CounterRun run;
  run.launch = [stream, &product] {
    product.launch(stream->get());
    stream->synchronize();
  };
  run.before = run.launch;
  for (std::size_t i = 0; i < product.launches().size(); ++i)
    run.launches.push_back([stream, &product, i] {
      product.launch_one(i, stream->get());
      stream->synchronize();
    });
  if (state == CacheState::warm) return run;
  const auto memory = std::make_shared<const cuda::DeviceBytes>(3 * l2_of_device());
  cuda::check(cudaMemset(memory->data(), 0, memory->bytes()), "preparing the flush of L2");
  cuda::await_copies("preparing the flush of L2");
  run.before = [stream, memory] {
    let_kept_lines_go();
    cuda::read_all(*stream, *memory);
    stream->synchronize();
  };
  return run;
}

void launch_once(DeviceProduct& product) {
  const cuda::Stream stream;
  product.launch(stream.get());
  stream.synchronize();
}

Rotation cold_rotation(const MakeProduct& make, const Progress& progress) {
  Rotation r;
  r.state = CacheState::cold;
  r.copies.push_back(make());
  const DeviceProduct& first = *r.copies.front();
  const ColdPlan plan =
      plan_cold(first.device_bytes(), l2_of_device(), cuda::device_memory().free, first.evict_last_share());
  r.flush = plan.flush;
  while (static_cast<int>(r.copies.size()) < plan.copies) {
    progress.check();
    r.copies.push_back(make());
  }
  return r;
}

ProductTime time_warm(DeviceProduct& product, double budget_s, const Progress& progress) {
  std::vector<std::unique_ptr<Timer> > timers;
  timers.push_back(
      std::make_unique<Timer>(std::vector{&product}, CacheState::warm, false, sample_us(budget_s), progress));
  return compare(timers, budget_s, progress).times.front();
}

double time_trial(DeviceProduct& product, double far_us, double budget_s, const Progress& progress) {
  const cuda::Stream stream;
  const cuda::Event before, after;
  product.launch(stream.get());  // loads the module
  before.record(stream);
  product.launch(stream.get());
  after.record(stream);
  after.synchronize();
  const double once = after.milliseconds_since(before) * 1e3;
  return once > far_us ? once : time_warm(product, budget_s, progress).us;
}

ProductTime time_rotation(const Rotation& rotation, double budget_s, const Progress& progress) {
  return compare_interleaved({&rotation}, budget_s, progress).times.front();
}

Comparison compare_interleaved(const std::vector<const Rotation*>& rotations, double budget_s,
                               const Progress& progress) {
  std::vector<std::unique_ptr<Timer> > timers;
  for (const Rotation* r : rotations) {
    std::vector<DeviceProduct*> copies;
    for (const auto& p : r->copies) copies.push_back(p.get());
    const double sample = std::max(sample_us(budget_s), rotations.size() > 1 ? least_sample_in_turn_us : 0);
    timers.push_back(std::make_unique<Timer>(std::move(copies), r->state, r->flush, sample, progress));
  }
  return compare(timers, budget_s, progress);
}

namespace {

CopyBandwidth copy_of(const cuda::DeviceBytes& from, const cuda::DeviceBytes& to, const Progress& progress) {
  const cuda::Stream stream;
  const cuda::Event before, after;
  const auto copy = [&] {
    cuda::check(cudaMemcpyAsync(to.data(), from.data(), from.bytes(), cudaMemcpyDeviceToDevice, stream.get()),
                "copying");
  };
  const std::function<double()> sample = [&] {
    copy();
    before.record(stream);
    for (int i = 0; i < 4; ++i) copy();
    after.record(stream);
    after.synchronize();
    return after.milliseconds_since(before) * 1e3 / 4;
  };
  const std::vector<Samples> s = take_samples({&sample, 1}, {.most = 50, .budget_s = 0.2}, {}, progress);
  const double us = s.front().median_us();
  return {us > 0 ? 2e-3 * static_cast<double>(from.bytes()) / us : 0, noise_of(s.front().us), from.bytes()};
}

}  // namespace

// Takes the fastest of several places in memory. Of 135 processes on four H200, 131 found 4.26 to 4.27 TB/s and four
// found 3.6, each with little noise (2026-11-26).
CopyBandwidth measure_copy(const Progress& progress) {
  const std::size_t bytes = std::min<std::size_t>(std::size_t{1} << 30, cuda::device_memory().free / 16);
  std::vector<cuda::DeviceBytes> memory;
  CopyBandwidth best;
  for (int place = 0; place < 3; ++place) {
    memory.emplace_back(bytes);
    memory.back().poison();
    memory.emplace_back(bytes);
    const CopyBandwidth found = copy_of(memory[memory.size() - 2], memory.back(), progress);
    if (found.gbs > best.gbs) best = found;
  }
  return best;
}

#endif

}  // namespace warpspy
