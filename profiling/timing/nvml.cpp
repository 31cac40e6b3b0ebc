#include "profiling/timing/nvml.hpp"

#include <dlfcn.h>

#include <type_traits>

namespace warpspy {
namespace {

// From the NVML API reference, since not every toolkit has the header. 0 is success.
using Device = void*;
constexpr int sm_clock = 1, memory_clock = 2;

struct Bit {
  unsigned long long mask;
  const char* words;
};
// Idle (0x1), an application clock set by the user (0x2) and a display (0x100) do not count as throttling.
constexpr Bit bits[] = {{0x4, "power cap"},      {0x8, "hardware slowdown"}, {0x10, "sync boost"},
                        {0x20, "heat (driver)"}, {0x40, "heat (hardware)"},  {0x80, "power brake"}};

struct Nvml {
  int (*init)() = nullptr;
  int (*by_bus_id)(const char*, Device*) = nullptr;
  int (*clock)(Device, int, unsigned*) = nullptr;
  int (*reasons)(Device, unsigned long long*) = nullptr;
  const char* (*error)(int) = nullptr;
  int (*mig)(Device, unsigned*, unsigned*) = nullptr;  // nullptr before driver 450
};

bool look_up(void* library, Nvml& n) {
  const auto get = [&](auto& function, const char* name) {
    if (!function) function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library, name));
  };
  get(n.init, "nvmlInit_v2");
  get(n.by_bus_id, "nvmlDeviceGetHandleByPciBusId_v2");
  get(n.clock, "nvmlDeviceGetClockInfo");
  get(n.reasons, "nvmlDeviceGetCurrentClocksEventReasons");
  get(n.reasons, "nvmlDeviceGetCurrentClocksThrottleReasons");  // the function's name before driver 535
  get(n.error, "nvmlErrorString");
  get(n.mig, "nvmlDeviceGetMigMode");
  return n.init && n.by_bus_id && n.clock && n.reasons && n.error;
}

}  // namespace

std::string throttle_words(unsigned long long reasons) {
  std::string words;
  for (const Bit& b : bits)
    if (reasons & b.mask) words += (words.empty() ? "" : ", ") + std::string(b.words);
  return words;
}

ClockReader clock_reader(const std::string& pci_bus_id, const std::string& library) {
  // Opened once and kept, since the driver's library cannot be unloaded safely.
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) return {{}, library + " was not found; it comes with the NVIDIA driver"};
  Nvml n;
  if (!look_up(handle, n)) return {{}, library + " lacks a function; the NVIDIA driver is too old"};
  if (const int status = n.init()) return {{}, std::string("NVML does not start: ") + n.error(status)};
  Device device = nullptr;
  if (const int status = n.by_bus_id(pci_bus_id.c_str(), &device))
    return {{}, "NVML does not know the device " + pci_bus_id + ": " + n.error(status)};
  const auto read = [n, device]() -> std::optional<Clocks> {
    unsigned sm = 0, memory = 0;
    unsigned long long reasons = 0;
    if (n.clock(device, sm_clock, &sm) || n.clock(device, memory_clock, &memory) || n.reasons(device, &reasons))
      return std::nullopt;
    Clocks c{static_cast<double>(sm), static_cast<double>(memory), false, throttle_words(reasons)};
    c.throttled = !c.why.empty();
    return c;
  };
  if (!read()) return {{}, "NVML does not tell this device's clocks"};
  return {read, {}};
}

bool mig_mode(const std::string& pci_bus_id, const std::string& library) {
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  Nvml n;
  Device device = nullptr;
  if (!handle || !look_up(handle, n) || !n.mig || n.init() || n.by_bus_id(pci_bus_id.c_str(), &device)) return false;
  unsigned now = 0, pending = 0;
  return n.mig(device, &now, &pending) == 0 && now == 1;
}

}  // namespace warpspy
