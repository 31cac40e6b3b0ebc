// Who reads which entry of a product, in the emulator, whatever the device of the run.
#pragma once

#include <string>
#include <vector>

#include "core/run/entry_trace.hpp"
#include "profiling/engine/engine.hpp"
#include "profiling/engine/prepare.hpp"

namespace warpspy {

// Engine::trace_entries. Throws Error and Cancelled.
EntryTrace trace_by_emulator(const EngineParts& parts, Preparation& preparation, const RunRequest& request,
                             const Matrix& matrix, index_t row_begin, index_t row_end, Progress& progress);

// The model of a request's device: of a real one the description that its name finds, else that of the default. Throws
// Error for an unknown device.
const DeviceInfo& modelled_device(const std::string& id, const std::vector<DeviceInfo>& devices);

}  // namespace warpspy
