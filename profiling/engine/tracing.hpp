// Finds which thread reads which entry in a product. It uses the emulator, whatever the run's device is.
#pragma once

#include <string>
#include <vector>

#include "core/run/entry_trace.hpp"
#include "profiling/engine/engine.hpp"
#include "profiling/engine/prepare.hpp"

namespace warpspy {

// Implements Engine::trace_entries. Throws Error and Cancelled.
EntryTrace trace_by_emulator(const EngineParts& parts, Preparation& preparation, const RunRequest& request,
                             const Matrix& matrix, index_t row_begin, index_t row_end, Progress& progress);

// The model for a request's device. For a real device it is the simulated GPU with its name, else the default one.
// Throws Error for an unknown device.
const DeviceInfo& modelled_device(const std::string& id, const std::vector<DeviceInfo>& devices);

}  // namespace warpspy
