// The functions of CUPTI (NVIDIA's library for counters), looked up in the library that was found at run time. Only
// this folder uses them, in builds with CUPTI's headers.
#pragma once

#include <cuda.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>
#include <cupti_version.h>

#include <string>

#include "core/base/types.hpp"

namespace warpspy::cupti {

// The types come from CUPTI's headers; the library is not linked.
struct Functions {
  decltype(&cuptiGetVersion) version = nullptr;
  decltype(&cuptiGetResultString) result_string = nullptr;
  decltype(&cuptiDeviceGetChipName) chip_name = nullptr;
  decltype(&cuptiProfilerHostGetSupportedChips) supported_chips = nullptr;
  decltype(&cuptiProfilerHostInitialize) host_initialize = nullptr;
  decltype(&cuptiProfilerHostDeinitialize) host_deinitialize = nullptr;
  decltype(&cuptiProfilerHostGetMetricProperties) metric_properties = nullptr;
  decltype(&cuptiProfilerHostConfigAddMetrics) add_metrics = nullptr;
  decltype(&cuptiProfilerHostGetConfigImageSize) config_size = nullptr;
  decltype(&cuptiProfilerHostGetConfigImage) config_image = nullptr;
  decltype(&cuptiProfilerHostGetNumOfPasses) passes = nullptr;
  decltype(&cuptiProfilerHostEvaluateToGpuValues) evaluate = nullptr;
  decltype(&cuptiProfilerInitialize) initialize = nullptr;
  decltype(&cuptiProfilerDeInitialize) deinitialize = nullptr;
  decltype(&cuptiProfilerDeviceSupported) device_supported = nullptr;
  decltype(&cuptiProfilerGetCounterAvailability) counter_availability = nullptr;
  decltype(&cuptiRangeProfilerEnable) enable = nullptr;
  decltype(&cuptiRangeProfilerDisable) disable = nullptr;
  decltype(&cuptiRangeProfilerSetConfig) set_config = nullptr;
  decltype(&cuptiRangeProfilerStart) start = nullptr;
  decltype(&cuptiRangeProfilerStop) stop = nullptr;
  decltype(&cuptiRangeProfilerPushRange) push_range = nullptr;
  decltype(&cuptiRangeProfilerPopRange) pop_range = nullptr;
  decltype(&cuptiRangeProfilerDecodeData) decode = nullptr;
  decltype(&cuptiRangeProfilerGetCounterDataSize) data_size = nullptr;
  decltype(&cuptiRangeProfilerCounterDataImageInitialize) data_initialize = nullptr;
  decltype(&cuptiRangeProfilerGetCounterDataInfo) data_info = nullptr;
  decltype(&cuptiSassMetricsGetNumOfMetrics) sass_metric_count = nullptr;
  decltype(&cuptiSassMetricsGetMetrics) sass_metrics = nullptr;
  decltype(&cuptiSassMetricsGetProperties) sass_properties = nullptr;
  decltype(&cuptiSassMetricsSetConfig) sass_set_config = nullptr;
  decltype(&cuptiSassMetricsUnsetConfig) sass_unset_config = nullptr;
  decltype(&cuptiSassMetricsEnable) sass_enable = nullptr;
  decltype(&cuptiSassMetricsDisable) sass_disable = nullptr;
  decltype(&cuptiSassMetricsGetDataProperties) sass_data_properties = nullptr;
  decltype(&cuptiSassMetricsFlushData) sass_flush = nullptr;
};

// The functions, or nullptr if cupti_library() is not available.
const Functions* functions();

// Throws CounterFailure (failure.hpp) "what: <CUPTI's text>" if `status` is a failure, with the remedy for its code.
void check(CUptiResult status, const std::string& what);

// Declares a parameter struct in the form that CUPTI wants: set to 0, with its size filled in.
#define WARPSPY_CUPTI_PARAMS(type, name) \
  type##_Params name{};                  \
  name.structSize = type##_Params_STRUCT_SIZE

}  // namespace warpspy::cupti
