// What cannot be run over several GPUs. The engine refuses it, and the window says so before a run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/types.hpp"
#include "core/catalog/catalog.hpp"
#include "core/run/record.hpp"

namespace warpspy {

// Returns why a request of several parts (RunRequest::parts) cannot be run with this kernel on this device, or nothing.
// One part is never refused. What a matrix cannot have is said by row_parts() (core/partition/partition.hpp).
std::optional<Error> refused_over_parts(const RunRequest& request, const KernelInfo& kernel, const DeviceInfo& device);

// A real GPU and those behind it in the list that are of the same machine and available: the GPUs of a run over parts
// on "cuda:N". At most `most`.
std::vector<const DeviceInfo*> real_gpus_from(const std::vector<DeviceInfo>& devices, const std::string& id,
                                              std::uint64_t most);

}  // namespace warpspy
