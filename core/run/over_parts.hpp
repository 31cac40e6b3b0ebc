// What cannot be run over several GPUs. The engine refuses it, and the window says so before a run.
#pragma once

#include <optional>

#include "core/base/types.hpp"
#include "core/catalog/catalog.hpp"
#include "core/run/record.hpp"

namespace warpspy {

// Returns why a request of several parts (RunRequest::parts) cannot be run with this kernel on this device, or nothing.
// One part is never refused. What a matrix cannot have is said by row_parts() (core/partition/partition.hpp).
std::optional<Error> refused_over_parts(const RunRequest& request, const KernelInfo& kernel, const DeviceInfo& device);

}  // namespace warpspy
