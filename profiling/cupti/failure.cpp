#include "profiling/cupti/failure.hpp"

#include "profiling/cupti/remedies.hpp"

namespace warpspy {
namespace {

// The numbers of cupti_result.h, which do not change. So this table can be tested without CUPTI.
struct Row {
  int code;
  const char* meaning;
  const char* remedy;
  bool for_all_sets;
};
constexpr Row rows[] = {
    {8, "the profiler has no memory left", "close other programs that use the GPU", true},
    {9, "the device's counters failed", "see nvidia-smi -q and the kernel's log (dmesg | grep -i xid)", true},
    {17, "this chip has no metric of that name", "choose a smaller set of counters", false},
    {26, "another profiler uses the device's counters", remedies::other_profiler, true},
    {27, "this device or configuration does not offer counters", "run on another GPU, or on a simulated one", true},
    {33, "the device is virtual, and counters are not offered there", remedies::vgpu, true},
    {35, "this user may not read the device's counters", remedies::admin_only, true},
    {36, "an older profiler is attached to this process", remedies::other_profiler, true},
    {39, "another profiler is attached to this process", remedies::other_profiler, true},
    {40, "this virtual device does not let its guest read counters", remedies::vgpu, true},
    {41, "the device is in confidential-computing mode", remedies::confidential, true},
    {42, "mining processors offer no counters", "run on another GPU, or on a simulated one", true},
    {43, "the device is in MIG mode", remedies::mig, true},
    {44, "the device is linked by SLI", "switch SLI off in the driver's settings", true},
    {45, "this Windows driver does not let WSL read counters", remedies::wsl, true},
};

}  // namespace

CounterFailure counter_failure(int code, const std::string& what, const std::string& text) {
  const std::string words = what + ": " + text + " (CUPTI " + std::to_string(code) + ")";
  for (const Row& r : rows)
    if (r.code == code) return {r.meaning + std::string("; ") + words, r.remedy, r.for_all_sets};
  return {words, "choose a smaller set of counters; if none works, start Warpspy again"};
}

}  // namespace warpspy
