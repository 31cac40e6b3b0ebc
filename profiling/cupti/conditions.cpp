// The conditions of this machine.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "profiling/cupti/host.hpp"
#include "profiling/cupti/library.hpp"
#include "profiling/cupti/probe.hpp"
#include "profiling/timing/nvml.hpp"

#if defined(WARPSPY_HAVE_CUPTI_HEADER)
#include "profiling/cupti/functions.hpp"
#endif

namespace warpspy {
namespace {

namespace fs = std::filesystem;

std::string text_of(const char* path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

bool has(const std::string& text, const char* word) { return text.find(word) != std::string::npos; }

bool in_container() {
  std::error_code ignored;
  if (fs::exists("/.dockerenv", ignored) || fs::exists("/run/.containerenv", ignored)) return true;
  if (std::getenv("container")) return true;  // systemd-nspawn, podman
  const std::string groups = text_of("/proc/1/cgroup");
  return has(groups, "docker") || has(groups, "kubepods") || has(groups, "containerd");
}

// Variables by which other profilers load themselves into a process.
std::string injected() {
  for (const char* variable : {"CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH"})
    if (const char* path = std::getenv(variable); path && *path) return fs::path(path).filename().string();
  return {};
}

#if defined(WARPSPY_HAVE_CUPTI_HEADER)
Support support_of(CUpti_Profiler_Support_Level level) {
  if (level == CUPTI_PROFILER_CONFIGURATION_SUPPORTED) return Support::yes;
  if (level == CUPTI_PROFILER_CONFIGURATION_DISABLED) return Support::disabled;
  return level == CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED ? Support::no : Support::unknown;
}

void ask_cupti(const cupti::Functions& f, int ordinal, Conditions& c) {
  WARPSPY_CUPTI_PARAMS(CUpti_Profiler_Initialize, init);
  if (f.initialize(&init) != CUPTI_SUCCESS) return;
  WARPSPY_CUPTI_PARAMS(CUpti_Device_GetChipName, name);
  name.deviceIndex = static_cast<std::size_t>(ordinal);
  if (f.chip_name(&name) == CUPTI_SUCCESS && name.pChipName) {
    c.chip = name.pChipName;
    const std::vector<std::string> known = cupti_chips();
    c.chip_known = std::find(known.begin(), known.end(), c.chip) != known.end();
  }
  WARPSPY_CUPTI_PARAMS(CUpti_Profiler_DeviceSupported, support);
  support.cuDevice = ordinal;
  support.api = CUPTI_PROFILER_RANGE_PROFILING;
  if (f.device_supported(&support) != CUPTI_SUCCESS) return;
  c.architecture = support_of(support.architecture);
  c.vgpu = support_of(support.vGpu);
  c.confidential = support_of(support.confidentialCompute);
  c.mining = support_of(support.cmp);
  c.sli = support_of(support.sli);
  c.wsl_support = support_of(support.wsl);
}
#endif

}  // namespace

std::optional<bool> admin_only_of(const std::string& params) {
  const auto at = params.find("RmProfilingAdminOnly:");
  if (at == std::string::npos) return std::nullopt;
  const auto value = params.find_first_not_of(" \t", at + 21);
  if (value == std::string::npos || (params[value] != '0' && params[value] != '1')) return std::nullopt;
  return params[value] == '1';
}

bool capable(const std::string& status) {
  constexpr int sys_admin = 21, perfmon = 38;  // linux/capability.h
  const auto at = status.find("CapEff:");
  if (at == std::string::npos) return false;
  const unsigned long long mask = std::strtoull(status.c_str() + at + 7, nullptr, 16);
  return (mask >> sys_admin & 1) || (mask >> perfmon & 1);
}

Conditions gather_conditions(const DeviceProperties& device, int driver_version) {
  Conditions c;
  const CuptiLibrary& library = cupti_library();
  c.cupti_found = library.found || library.available;
  c.cupti_usable = library.available;
  c.cupti_reason = library.reason;
  if (!c.cupti_found) c.cupti_remedy = library.remedy;
  c.cupti_cuda = library.cuda_version;
  c.driver_cuda = driver_version;
  c.admin_only = admin_only_of(text_of("/proc/driver/nvidia/params"));
  // Root in a container may lack the capability, so the mask is checked and not the user.
  c.administrator = capable(text_of("/proc/self/status"));
  c.in_container = in_container();
  std::error_code ignored;
  c.wsl = has(text_of("/proc/version"), "microsoft") || fs::exists("/dev/dxg", ignored);
  c.compute_capability = device.compute_capability;
  c.mig = mig_mode(device.pci_bus_id);
  c.injected = injected();
#if defined(WARPSPY_HAVE_CUPTI_HEADER)
  if (const cupti::Functions* f = cupti::functions()) ask_cupti(*f, device.ordinal, c);
#endif
  return c;
}

}  // namespace warpspy
