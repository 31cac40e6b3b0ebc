// Reads the clocks of a CUDA device from the driver's management library (NVML). It is found at run time and never
// linked; clocks are never set.
#pragma once

#include <string>
#include <vector>

#include "profiling/timing/samples.hpp"

namespace warpspy {

struct ClockReader {
  ReadClocks read;     // empty when not known
  std::string reason;  // why the clocks are not known, in one line
};
// A reader of the clocks of the CUDA device with this PCI bus id ("0000:3B:00.0"). Never throws. `library` is for
// tests.
ClockReader clock_reader(const std::string& pci_bus_id, const std::string& library = "libnvidia-ml.so.1");

// Whether the device with this bus id is split into instances (MIG). False when NVML does not say. Never throws.
bool mig_mode(const std::string& pci_bus_id, const std::string& library = "libnvidia-ml.so.1");

// The words for NVML's bits of "clocks event reasons" that hold a clock down under load; "" when none does.
std::string throttle_words(unsigned long long reasons);

}  // namespace warpspy
