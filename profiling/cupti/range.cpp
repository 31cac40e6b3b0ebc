// The range profiler on a CUDA context. It stays enabled while readings follow one another, since the first reading,
// which enables it, takes several times as long as the next one (docs/performance.md).
#include "profiling/cupti/source.hpp"

#if !defined(WARPSPY_HAVE_CUPTI_HEADER)

#include "profiling/cupti/library.hpp"

namespace warpspy {
namespace {

class NoSource final : public CounterSource {
 public:
  CounterReading read(int, const std::string&, const CounterRun&, const Progress&) override {
    throw CounterFailure(cupti_library().reason, cupti_library().remedy, true);
  }
  LineReading read_lines(int, const CounterRun&, const Progress&) override {
    throw CounterFailure(cupti_library().reason, cupti_library().remedy, true);
  }
  void release() override {}
};

}  // namespace

std::unique_ptr<CounterSource> cupti_source() { return std::make_unique<NoSource>(); }

}  // namespace warpspy

#else

#include <chrono>
#include <map>
#include <optional>

#include "kernels/device/cuda.hpp"
#include "kernels/device/device.hpp"
#include "profiling/cupti/context.hpp"
#include "profiling/cupti/functions.hpp"
#include "profiling/cupti/instructions.hpp"
#include "profiling/cupti/library.hpp"
#include "profiling/cupti/line_table.hpp"
#include "profiling/cupti/plan.hpp"

namespace warpspy {
namespace {

int compute_capability_of(int ordinal) {
  int major = 0, minor = 0;
  const char* what = "asking for the compute capability";
  cuda::check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, ordinal), what);
  cuda::check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, ordinal), what);
  return 10 * major + minor;
}

// Which counters the device reports as available. If it reports none, the chip's full list is used.
std::vector<std::uint8_t> availability_of(const cupti::Functions& f, CUcontext context) {
  WARPSPY_CUPTI_PARAMS(CUpti_Profiler_GetCounterAvailability, p);
  p.ctx = context;
  cupti::check(f.counter_availability(&p), "asking which counters the device has");
  std::vector<std::uint8_t> image(p.counterAvailabilityImageSize);
  p.pCounterAvailabilityImage = image.data();
  cupti::check(f.counter_availability(&p), "asking which counters the device has");
  return image;
}

class Session {
 public:
  Session(const cupti::Functions& f, int ordinal) : f_(f) {
    WARPSPY_CUPTI_PARAMS(CUpti_Profiler_Initialize, init);
    cupti::check(f_.initialize(&init), "starting the profiler");
    const CUcontext context = cupti::current_context();
    host_ = std::make_unique<ChipHost>(cupti::chip_of(f_, ordinal), availability_of(f_, context));
    WARPSPY_CUPTI_PARAMS(CUpti_RangeProfiler_Enable, enable);
    enable.ctx = context;
    cupti::check(f_.enable(&enable), "enabling the range profiler");
    profiler_ = enable.pRangeProfilerObject;
  }
  ~Session() {
    if (profiler_) {
      WARPSPY_CUPTI_PARAMS(CUpti_RangeProfiler_Disable, p);
      p.pRangeProfilerObject = profiler_;
      f_.disable(&p);
    }
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  CounterReading read(const std::string& set, const CounterRun& run, const Progress& progress) {
    const CounterPlan& plan = plan_of(set);
    prepare(plan);
    bool done = false;
    int passes = 0;
    while (!done) {
      progress.check();
      // Some profilers never report that they are done, which would repeat the product for ever.
      if (passes > plan.config.passes + 4)
        throw CounterFailure("the replay did not end after " + std::to_string(passes) + " passes",
                             "choose a smaller set of counters");
      done = pass(run);
      ++passes;
    }
    decode();
    return {plan.counters_of(host_->values(data_, plan.config.metrics)), passes, 0};
  }

 private:
  const CounterPlan& plan_of(const std::string& set) {
    const auto known = plans_.find(set);
    return known != plans_.end() ? known->second : plans_.emplace(set, plan_counters(*host_, set)).first->second;
  }

  // An empty image for the values, and the configuration: each reading needs both anew.
  void prepare(const CounterPlan& plan) {
    std::vector<const char*> names;
    for (const std::string& m : plan.config.metrics) names.push_back(m.c_str());
    std::size_t& bytes = data_bytes_[plan.set];
    if (bytes == 0) {
      WARPSPY_CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataSize, size);
      size.pRangeProfilerObject = profiler_;
      size.pMetricNames = names.data();
      size.numMetrics = names.size();
      size.maxNumOfRanges = 1;
      size.maxNumRangeTreeNodes = 1;
      cupti::check(f_.data_size(&size), "asking for the size of the counters' data");
      bytes = size.counterDataSize;
    }
    data_.assign(bytes, 0);
    WARPSPY_CUPTI_PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize, init);
    init.pRangeProfilerObject = profiler_;
    init.counterDataSize = data_.size();
    init.pCounterData = data_.data();
    cupti::check(f_.data_initialize(&init), "preparing the counters' data");
    WARPSPY_CUPTI_PARAMS(CUpti_RangeProfiler_SetConfig, config);
    config.pRangeProfilerObject = profiler_;
    config.configSize = plan.config.image.size();
    config.pConfig = plan.config.image.data();
    config.counterDataImageSize = data_.size();
    config.pCounterDataImage = data_.data();
    config.range = CUPTI_UserRange;
    config.replayMode = CUPTI_UserReplay;
    config.maxRangesPerPass = 1;
    config.numNestingLevels = 1;
    config.minNestingLevel = 1;
    config.passIndex = 0;
    config.targetNestingLevel = 1;
    cupti::check(f_.set_config(&config), "configuring the range profiler");
  }

  // Whether it was the last.
  bool pass(const CounterRun& run) {
    WARPSPY_CUPTI_PARAMS(CUpti_RangeProfiler_Start, start);
    start.pRangeProfilerObject = profiler_;
    cupti::check(f_.start(&start), "starting a pass");
    // At this point, and not earlier: starting a pass moves some megabytes, which would replace the product's data in
    // L2.
    run.before();
    WARPSPY_CUPTI_PARAMS(CUpti_RangeProfiler_PushRange, push);
    push.pRangeProfilerObject = profiler_;
    push.pRangeName = "product";
    cupti::check(f_.push_range(&push), "beginning the range");
    run.launch();
    WARPSPY_CUPTI_PARAMS(CUpti_RangeProfiler_PopRange, pop);
    pop.pRangeProfilerObject = profiler_;
    cupti::check(f_.pop_range(&pop), "ending the range");
    WARPSPY_CUPTI_PARAMS(CUpti_RangeProfiler_Stop, stop);
    stop.pRangeProfilerObject = profiler_;
    cupti::check(f_.stop(&stop), "ending a pass");
    return stop.isAllPassSubmitted != 0;
  }

  void decode() {
    WARPSPY_CUPTI_PARAMS(CUpti_RangeProfiler_DecodeData, decode);
    decode.pRangeProfilerObject = profiler_;
    cupti::check(f_.decode(&decode), "decoding the counters' data");
    WARPSPY_CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataInfo, info);
    info.pCounterDataImage = data_.data();
    info.counterDataImageSize = data_.size();
    cupti::check(f_.data_info(&info), "looking through the counters' data");
    if (decode.numOfRangeDropped > 0 || info.numTotalRanges == 0)
      throw CounterFailure("the counters vanished while they were read: the profiler kept no data of the product",
                           "run again; end other programs that profile this device", false);
  }

  const cupti::Functions& f_;
  CUpti_RangeProfiler_Object* profiler_ = nullptr;
  std::unique_ptr<ChipHost> host_;
  std::map<std::string, CounterPlan> plans_;       // by set
  std::map<std::string, std::size_t> data_bytes_;  // by set
  std::vector<std::uint8_t> data_;
};

class CuptiSource final : public CounterSource {
 public:
  CounterReading read(int ordinal, const std::string& set, const CounterRun& run, const Progress& progress) override {
    const auto began = std::chrono::steady_clock::now();
    const cupti::Functions* f = cupti::functions();
    if (!f) throw CounterFailure(cupti_library().reason, cupti_library().remedy, true);
    // Each set gets a session of its own. CUPTI 13.0 crashes if a session is configured for one set and then for a
    // larger one; why is unknown.
    if (session_ && (ordinal != ordinal_ || set != set_)) session_.reset();
    try {
      if (!session_) session_ = std::make_unique<Session>(*f, ordinal);
      ordinal_ = ordinal;
      set_ = set;
      CounterReading reading = session_->read(set, run, progress);
      reading.ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
      return reading;
    } catch (...) {
      session_.reset();  // an incomplete session is useless for the next reading
      throw;
    }
  }
  LineReading read_lines(int ordinal, const CounterRun& run, const Progress& progress) override {
    const auto began = std::chrono::steady_clock::now();
    const cupti::Functions* f = cupti::functions();
    if (!f) throw CounterFailure(cupti_library().reason, cupti_library().remedy, true);
    session_.reset();  // the range profiler and patched kernels cannot be used together
    WARPSPY_CUPTI_PARAMS(CUpti_Profiler_Initialize, init);
    cupti::check(f->initialize(&init), "starting the profiler");
    const CUcontext context = cupti::current_context();
    std::vector<InstructionCounts> counts;
    for (const auto& launch : run.launches) {
      progress.check();
      const auto more = cupti::count_instructions(*f, context, ordinal, launch);
      counts.insert(counts.end(), more.begin(), more.end());
    }
    ProgramLines tables(compute_capability_of(ordinal));
    const FoldedLines folded = fold_lines(counts, [&](const InstructionCounts& c) {
      const LineTable* table = tables.of(c.function);
      return table ? site_of(table->frames(c.pc)) : std::string();
    });
    LineReading reading = reading_of(folded);
    reading.ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
    return reading;
  }
  void release() override { session_.reset(); }

 private:
  std::unique_ptr<Session> session_;  // the session of this device and set
  int ordinal_ = -1;
  std::string set_;
};

}  // namespace

std::unique_ptr<CounterSource> cupti_source() { return std::make_unique<CuptiSource>(); }

}  // namespace warpspy

#endif
