#include "profiling/cupti/host.hpp"

#include "profiling/cupti/failure.hpp"
#include "profiling/cupti/library.hpp"

#if defined(WARPSPY_HAVE_CUPTI_HEADER)
#include "profiling/cupti/functions.hpp"
#endif

namespace warpspy {

#if defined(WARPSPY_HAVE_CUPTI_HEADER)

namespace {

const cupti::Functions& needed() {
  if (const cupti::Functions* f = cupti::functions()) return *f;
  throw CounterFailure(cupti_library().reason, cupti_library().remedy, true);
}

std::vector<const char*> pointers(const std::vector<std::string>& names) {
  std::vector<const char*> list;
  for (const std::string& n : names) list.push_back(n.c_str());
  return list;
}

}  // namespace

std::vector<std::string> cupti_chips() {
  const cupti::Functions* f = cupti::functions();
  if (!f) return {};
  WARPSPY_CUPTI_PARAMS(CUpti_Profiler_Host_GetSupportedChips, p);
  if (f->supported_chips(&p) != CUPTI_SUCCESS) return {};
  return {p.ppChipNames, p.ppChipNames + p.numChips};
}

// CUPTI's object collects every metric that was ever added, so each configuration begins with a new object.
struct ChipHost::Object {
  CUpti_Profiler_Host_Object* host = nullptr;

  Object(const std::string& chip, const std::vector<std::uint8_t>& availability) {
    WARPSPY_CUPTI_PARAMS(CUpti_Profiler_Host_Initialize, p);
    p.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    p.pChipName = chip.c_str();
    p.pCounterAvailabilityImage = availability.empty() ? nullptr : availability.data();
    const CUptiResult status = needed().host_initialize(&p);
    if (status == CUPTI_ERROR_NOT_SUPPORTED || status == CUPTI_ERROR_INVALID_CHIP_NAME)
      throw CounterFailure("CUPTI " + cupti_library().version + " does not serve chip " + chip,
                           "install the CUPTI of a newer CUDA toolkit, or run on another GPU", true);
    cupti::check(status, "preparing counters of chip " + chip);
    host = p.pHostObject;
  }
  ~Object() {
    WARPSPY_CUPTI_PARAMS(CUpti_Profiler_Host_Deinitialize, p);
    p.pHostObject = host;
    if (host) needed().host_deinitialize(&p);
  }
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
};

ChipHost::ChipHost(const std::string& chip, std::vector<std::uint8_t> availability)
    : chip_(chip), availability_(std::move(availability)), object_(std::make_unique<Object>(chip, availability_)) {}
ChipHost::~ChipHost() = default;

bool ChipHost::has(const std::string& metric) const {
  // A metric needs a base name and a roll-up: "x" alone is known, but cannot be counted.
  if (metric.find('.') == std::string::npos) return false;
  WARPSPY_CUPTI_PARAMS(CUpti_Profiler_Host_GetMetricProperties, p);
  p.pHostObject = object_->host;
  p.pMetricName = metric.c_str();
  return needed().metric_properties(&p) == CUPTI_SUCCESS;
}

CounterConfig ChipHost::config(std::vector<std::string> metrics) const {
  CounterConfig c;
  c.metrics = std::move(metrics);
  if (c.metrics.empty()) return c;
  const cupti::Functions& f = needed();
  const Object fresh(chip_, availability_);
  auto names = pointers(c.metrics);
  WARPSPY_CUPTI_PARAMS(CUpti_Profiler_Host_ConfigAddMetrics, add);
  add.pHostObject = fresh.host;
  add.ppMetricNames = names.data();
  add.numMetrics = names.size();
  cupti::check(f.add_metrics(&add), "choosing counters of chip " + chip_);
  WARPSPY_CUPTI_PARAMS(CUpti_Profiler_Host_GetConfigImageSize, size);
  size.pHostObject = fresh.host;
  cupti::check(f.config_size(&size), "configuring counters");
  c.image.resize(size.configImageSize);
  WARPSPY_CUPTI_PARAMS(CUpti_Profiler_Host_GetConfigImage, image);
  image.pHostObject = fresh.host;
  image.configImageSize = c.image.size();
  image.pConfigImage = c.image.data();
  cupti::check(f.config_image(&image), "configuring counters");
  WARPSPY_CUPTI_PARAMS(CUpti_Profiler_Host_GetNumOfPasses, passes);
  passes.configImageSize = c.image.size();
  passes.pConfigImage = c.image.data();
  cupti::check(f.passes(&passes), "asking for the number of passes");
  c.passes = static_cast<int>(passes.numOfPasses);
  return c;
}

std::map<std::string, double> ChipHost::values(std::span<const std::uint8_t> data,
                                               const std::vector<std::string>& metrics) const {
  auto names = pointers(metrics);
  std::vector<double> numbers(metrics.size());
  WARPSPY_CUPTI_PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues, p);
  p.pHostObject = object_->host;
  p.pCounterDataImage = data.data();
  p.counterDataImageSize = data.size();
  p.rangeIndex = 0;
  p.ppMetricNames = names.data();
  p.numMetrics = names.size();
  p.pMetricValues = numbers.data();
  cupti::check(needed().evaluate(&p), "evaluating counters");
  // From here on values are found by name, never by position.
  std::map<std::string, double> by_name;
  for (std::size_t i = 0; i < metrics.size(); ++i) by_name[metrics[i]] = numbers[i];
  return by_name;
}

#else

struct ChipHost::Object {};
std::vector<std::string> cupti_chips() { return {}; }
ChipHost::ChipHost(const std::string&, std::vector<std::uint8_t>) {
  throw CounterFailure(cupti_library().reason, cupti_library().remedy, true);
}
ChipHost::~ChipHost() = default;
bool ChipHost::has(const std::string&) const { return false; }
CounterConfig ChipHost::config(std::vector<std::string>) const { return {}; }
std::map<std::string, double> ChipHost::values(std::span<const std::uint8_t>, const std::vector<std::string>&) const {
  return {};
}

#endif

}  // namespace warpspy
