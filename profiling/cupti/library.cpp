#include "profiling/cupti/library.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <type_traits>

#include "kernels/device/device.hpp"
#include "kernels/vendor/library.hpp"
#include "profiling/cupti/remedies.hpp"

#if defined(WARPSPY_HAVE_CUPTI_HEADER)
#include "profiling/cupti/failure.hpp"
#include "profiling/cupti/functions.hpp"
#endif

namespace warpspy {

std::vector<std::string> cupti_names(int driver_version) {
  std::vector<std::string> names = {"libcupti.so.13", "libcupti.so.12"};
  if (driver_version > 0 && driver_version < 13000) names = {"libcupti.so.12", "libcupti.so.13"};
  return names;
}

int cuda_of_cupti(unsigned version) {
  struct Row {
    unsigned cupti;
    int cuda;
  };
  // The versions of cupti_version.h. From CUDA 13.0 on the number is xxyyzz: toolkit xx.yy.
  constexpr Row rows[] = {{28, 12090}, {27, 12090}, {26, 12080}, {24, 12060}, {23, 12050},
                          {22, 12040}, {21, 12030}, {20, 12020}, {18, 12000}};
  if (version >= 130000) return static_cast<int>(version / 10000 * 1000 + version / 100 % 100 * 10);
  for (const Row& r : rows)
    if (version >= r.cupti) return r.cuda;
  return 0;
}

namespace {

#if defined(WARPSPY_HAVE_CUPTI_HEADER)

struct Found {
  CuptiLibrary library;
  cupti::Functions functions;
};

// Finds every function; returns the name of the first that is missing, or "".
std::string look_up(void* handle, cupti::Functions& f) {
  std::string missing;
  const auto get = [&](const char* name, auto& function) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(handle, name));
    if (!function && missing.empty()) missing = name;
  };
  get("cuptiGetVersion", f.version);
  get("cuptiGetResultString", f.result_string);
  get("cuptiDeviceGetChipName", f.chip_name);
  get("cuptiProfilerHostGetSupportedChips", f.supported_chips);
  get("cuptiProfilerHostInitialize", f.host_initialize);
  get("cuptiProfilerHostDeinitialize", f.host_deinitialize);
  get("cuptiProfilerHostGetMetricProperties", f.metric_properties);
  get("cuptiProfilerHostConfigAddMetrics", f.add_metrics);
  get("cuptiProfilerHostGetConfigImageSize", f.config_size);
  get("cuptiProfilerHostGetConfigImage", f.config_image);
  get("cuptiProfilerHostGetNumOfPasses", f.passes);
  get("cuptiProfilerHostEvaluateToGpuValues", f.evaluate);
  get("cuptiProfilerInitialize", f.initialize);
  get("cuptiProfilerDeInitialize", f.deinitialize);
  get("cuptiProfilerDeviceSupported", f.device_supported);
  get("cuptiProfilerGetCounterAvailability", f.counter_availability);
  get("cuptiRangeProfilerEnable", f.enable);
  get("cuptiRangeProfilerDisable", f.disable);
  get("cuptiRangeProfilerSetConfig", f.set_config);
  get("cuptiRangeProfilerStart", f.start);
  get("cuptiRangeProfilerStop", f.stop);
  get("cuptiRangeProfilerPushRange", f.push_range);
  get("cuptiRangeProfilerPopRange", f.pop_range);
  get("cuptiRangeProfilerDecodeData", f.decode);
  get("cuptiRangeProfilerGetCounterDataSize", f.data_size);
  get("cuptiRangeProfilerCounterDataImageInitialize", f.data_initialize);
  get("cuptiRangeProfilerGetCounterDataInfo", f.data_info);
  get("cuptiSassMetricsGetNumOfMetrics", f.sass_metric_count);
  get("cuptiSassMetricsGetMetrics", f.sass_metrics);
  get("cuptiSassMetricsGetProperties", f.sass_properties);
  get("cuptiSassMetricsSetConfig", f.sass_set_config);
  get("cuptiSassMetricsUnsetConfig", f.sass_unset_config);
  get("cuptiSassMetricsEnable", f.sass_enable);
  get("cuptiSassMetricsDisable", f.sass_disable);
  get("cuptiSassMetricsGetDataProperties", f.sass_data_properties);
  get("cuptiSassMetricsFlushData", f.sass_flush);
  return missing;
}

// Toolkits have CUPTI beside their other libraries, or in the folder extras.
std::vector<std::string> folders() {
  std::vector<std::string> list = cuda_folders();
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* home = std::getenv(variable)) list.push_back(home + std::string("/extras/CUPTI/lib64"));
  list.push_back("/usr/local/cuda/extras/CUPTI/lib64");
  return list;
}

// Libraries that CUPTI opens by name when it needs them. If the loader does not know the toolkit's folder, it finds
// only those that are loaded already. They take 200 MB, so they are loaded when CUPTI is first used, not when its
// version is read.
void load_companions(const std::string& cupti) {
  const auto slash = cupti.rfind('/');
  if (slash == std::string::npos) return;  // the loader found CUPTI, and finds these
  for (const char* name : {"libnvperf_host.so", "libnvperf_target.so"})
    dlopen((cupti.substr(0, slash + 1) + name).c_str(), RTLD_NOW | RTLD_LOCAL);
}

Found find() {
  Found found;
  CuptiLibrary& l = found.library;
  l.remedy = remedies::cupti_missing;
  const LoadedLibrary loaded = load_library(cupti_names(probe_devices().driver_version), folders());
  l.path = loaded.path;
  l.reason = loaded.reason;
  if (!loaded.handle) return found;
  l.found = true;
  const std::string missing = look_up(loaded.handle, found.functions);
  std::uint32_t version = 0;
  if (found.functions.version && found.functions.version(&version) == CUPTI_SUCCESS)
    l.cuda_version = cuda_of_cupti(version);
  l.version = l.cuda_version > 0
                  ? std::to_string(l.cuda_version / 1000) + "." + std::to_string(l.cuda_version % 1000 / 10)
                  : "unknown";
  if (!missing.empty()) {
    l.reason = loaded.path + " has no " + missing + ": it is older than CUDA 12.6";
    return found;
  }
  l.available = true;
  l.reason.clear();
  l.remedy.clear();
  return found;
}

const Found& found() {
  static const Found once = find();
  return once;
}

}  // namespace

const CuptiLibrary& cupti_library() { return found().library; }

namespace cupti {

const Functions* functions() {
  if (!found().library.available) return nullptr;
  static const bool loaded = (load_companions(found().library.path), true);
  return loaded ? &found().functions : nullptr;
}

void check(CUptiResult status, const std::string& what) {
  if (status == CUPTI_SUCCESS) return;
  const char* text = nullptr;
  if (const Functions* f = functions()) f->result_string(status, &text);
  throw counter_failure(static_cast<int>(status), what, text ? text : "unknown failure");
}

}  // namespace cupti

#else

}  // namespace

const CuptiLibrary& cupti_library() {
  static const CuptiLibrary none = [] {
    CuptiLibrary l;
#if defined(WARPSPY_HAVE_CUDA)
    l.reason = "built without CUPTI's headers, which this CUDA toolkit did not have";
    l.remedy = "install them (apt install cuda-cupti-dev-12-6 or that of your CUDA version) and build again";
#else
    l.reason = "built without CUDA";
    l.remedy = "install the CUDA toolkit 12.6 or later and build again";
#endif
    return l;
  }();
  return none;
}

#endif

}  // namespace warpspy
