#include "profiling/cupti/probe.hpp"

#include <map>
#include <mutex>

#include "profiling/cupti/host.hpp"
#include "profiling/cupti/plan.hpp"
#include "profiling/cupti/remedies.hpp"

namespace warpspy {
namespace {

std::string cuda_text(int version) {
  return "CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

using C = const Conditions&;
struct Row {
  const char* id;
  bool (*applies)(C);
  std::string (*message)(C);
  std::string (*remedy)(C);
};

// Whether the user may not read counters, for any reason.
bool shut_out(C c) { return c.admin_only.value_or(false) && !c.administrator; }

const Row rows[] = {
    {"cupti_missing", [](C c) { return !c.cupti_found; },
     [](C c) { return "CUPTI, which reads hardware counters, is not here: " + c.cupti_reason; },
     [](C c) { return c.cupti_remedy.empty() ? std::string(remedies::cupti_missing) : c.cupti_remedy; }},
    {"cupti_too_old", [](C c) { return !c.cupti_usable; },
     [](C c) { return "CUPTI is too old: it has no range profiler (CUDA 12.6 and later); " + c.cupti_reason; },
     [](C) { return std::string(remedies::cupti_missing); }},
    // Within a major version, newer libraries work with older drivers (CUDA's minor-version compatibility).
    {"driver_too_old",
     [](C c) { return c.cupti_cuda > 0 && c.driver_cuda > 0 && c.driver_cuda / 1000 < c.cupti_cuda / 1000; },
     [](C c) {
       return "the NVIDIA driver serves " + cuda_text(c.driver_cuda) + " and is older than CUPTI's " +
              cuda_text(c.cupti_cuda);
     },
     [](C c) {
       const std::string major = std::to_string(c.driver_cuda / 1000);
       return "install a newer NVIDIA driver (580 or later for CUDA 13), or the CUPTI of CUDA " + major +
              ": sudo apt install cuda-cupti-" + major + "-" + (major == "12" ? "9" : "0");
     }},
    {"unsupported_chip",
     [](C c) {
       return (c.compute_capability > 0 && c.compute_capability < 70) || c.architecture == Support::no ||
              !c.chip_known || c.mining == Support::no;
     },
     [](C c) {
       if (c.mining == Support::no) return std::string("mining processors offer no counters");
       if (c.compute_capability > 0 && c.compute_capability < 70)
         return "this GPU (compute capability " + std::to_string(c.compute_capability / 10) + "." +
                std::to_string(c.compute_capability % 10) +
                ") is older than Volta (7.0), with which these counters begin";
       return "this CUPTI (" + cuda_text(c.cupti_cuda) + ") does not know the chip " +
              (c.chip.empty() ? std::string("of this GPU") : c.chip);
     },
     [](C c) {
       return c.compute_capability >= 70 && c.mining != Support::no
                  ? std::string("install the CUPTI of a newer CUDA toolkit (cuda-cupti-13-0 or later)")
                  : std::string("run on another GPU, or on a simulated one for modelled counters");
     }},
    {"another_profiler", [](C c) { return !c.injected.empty(); },
     [](C c) { return "this process was started by another profiler (" + c.injected + "), which holds the counters"; },
     [](C) { return std::string("start warpspy without it: unset CUDA_INJECTION64_PATH NVTX_INJECTION64_PATH"); }},
    {"mig", [](C c) { return c.mig; },
     [](C) {
       return std::string("the device is in MIG mode: its L2 and DRAM counters belong to all instances together");
     },
     [](C) { return std::string(remedies::mig); }},
    {"vgpu", [](C c) { return c.vgpu == Support::no || c.vgpu == Support::disabled; },
     [](C c) {
       return c.vgpu == Support::disabled ? std::string("this virtual GPU does not let its guest read counters")
                                          : std::string("this virtual GPU's type has no counters");
     },
     [](C c) {
       return c.vgpu == Support::disabled ? std::string(remedies::vgpu)
                                          : std::string(
                                                "give the guest a whole GPU (passthrough), or a vGPU type "
                                                "that takes a whole one");
     }},
    {"confidential", [](C c) { return c.confidential == Support::no; },
     [](C) { return std::string("the device is in confidential-computing mode, which hides its counters"); },
     [](C) { return std::string(remedies::confidential); }},
    {"sli", [](C c) { return c.sli == Support::no; },
     [](C) { return std::string("the device is linked by SLI, where counters cannot be read"); },
     [](C) { return std::string("switch SLI off in the driver's settings"); }},
    {"wsl", [](C c) { return c.wsl && (c.wsl_support == Support::no || shut_out(c)); },
     [](C) { return std::string("the Windows driver does not let WSL2 read counters"); },
     [](C) { return std::string(remedies::wsl); }},
    {"container", [](C c) { return c.in_container && shut_out(c); },
     [](C) {
       return std::string(
           "the driver lets only administrators read counters (RmProfilingAdminOnly: 1), and this "
           "container has no capability SYS_ADMIN");
     },
     [](C) { return std::string(remedies::container); }},
    {"admin_only", shut_out,
     [](C) {
       return std::string(
           "the driver lets only administrators read counters (RmProfilingAdminOnly: 1), and this user "
           "is none");
     },
     [](C) { return std::string(remedies::admin_only); }},
};

}  // namespace

std::vector<std::string> obstacle_ids() {
  std::vector<std::string> ids;
  for (const Row& r : rows) ids.push_back(r.id);
  return ids;
}

std::optional<Obstacle> find_obstacle(const Conditions& c) {
  for (const Row& r : rows)
    if (r.applies(c)) return Obstacle{r.id, r.message(c), r.remedy(c)};
  return std::nullopt;
}

namespace {

CounterAccess look(const DeviceProperties& device, int driver_version) {
  const Conditions c = gather_conditions(device, driver_version);
  CounterAccess a;
  a.chip = c.chip;
  if (const auto obstacle = find_obstacle(c)) {
    a.obstacle = obstacle->id;
    a.reason = obstacle->message;
    a.remedy = obstacle->remedy;
    return a;
  }
  a.open = true;
  if (c.chip.empty()) return a;
  try {
    const ChipHost host(c.chip);
    for (const CounterSetInfo& set : counter_sets()) try {
        a.passes[set.id] = plan_counters(host, set.id).config.passes;
      } catch (const Error&) {
        // This chip has no counter of the set, so the set has no number of passes; a run with it says why.
      }
  } catch (const Error& e) {
    a.open = false;
    a.obstacle = "unsupported_chip";
    a.reason = e.reason;
    a.remedy = e.remedy;
  }
  return a;
}

}  // namespace

CounterAccess counter_access(const DeviceProperties& device, int driver_version) {
  static std::mutex mutex;
  static std::map<int, CounterAccess> known;
  const std::lock_guard lock(mutex);
  const auto at = known.find(device.ordinal);
  if (at != known.end()) return at->second;
  return known.emplace(device.ordinal, look(device, driver_version)).first->second;
}

}  // namespace warpspy
