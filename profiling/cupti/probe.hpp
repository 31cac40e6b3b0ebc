// Finds out whether a device's counters can be read, before a run needs them. It gathers conditions from the machine
// (tests invent them), and finds the first obstacle in them, with its message and its exact remedy.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "kernels/device/device.hpp"

namespace warpspy {

enum class Support : std::uint8_t { unknown, no, disabled, yes };

struct Conditions {
  // The library and the driver.
  bool cupti_found = true, cupti_usable = true;
  std::string cupti_reason;  // why not, in one line
  std::string cupti_remedy;  // of a build without it; "" for the usual one
  int cupti_cuda = 0;        // CUDA toolkit of the library, 13000; 0: not known
  int driver_cuda = 0;       // newest CUDA that the driver serves, 12060; 0: not known
  // The right to read counters.
  std::optional<bool> admin_only;  // RmProfilingAdminOnly of the driver's parameters; nothing: not known
  bool administrator = false;      // root, or the capability SYS_ADMIN or PERFMON
  bool in_container = false;
  bool wsl = false;
  // The device.
  int compute_capability = 0;  // 90; 0: not known
  std::string chip;            // CUPTI's name of the chip; "" if unknown
  bool chip_known = true;      // this CUPTI supports the chip
  bool mig = false;
  Support architecture = Support::unknown, vgpu = Support::unknown, confidential = Support::unknown,
          mining = Support::unknown, sli = Support::unknown, wsl_support = Support::unknown;  // CUPTI's own answer
  // "ncu" when this process was started by another profiler, "" otherwise.
  std::string injected;
};

struct Obstacle {
  std::string id;               // id in the table: "admin_only"
  std::string message, remedy;  // one line each
};

// The ids of the table of obstacles, in the order in which they are looked for.
std::vector<std::string> obstacle_ids();
// The first obstacle that applies. If there is none, counters can be tried.
std::optional<Obstacle> find_obstacle(const Conditions& c);

// The conditions of this machine and this device. It reads files and asks CUPTI, creates no CUDA context, and never
// throws.
Conditions gather_conditions(const DeviceProperties& device, int driver_version);

// Reads RmProfilingAdminOnly from the driver's parameters (the text of /proc/driver/nvidia/params): whether only an
// administrator may read counters.
std::optional<bool> admin_only_of(const std::string& params);
// Whether the capabilities of a process (/proc/self/status, line CapEff) let it read counters.
bool capable(const std::string& status);

// Whether the device's counters can be read, and the passes of each set, for the catalog. It looks only once per
// device.
CounterAccess counter_access(const DeviceProperties& device, int driver_version);

}  // namespace warpspy
