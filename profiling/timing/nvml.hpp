// The clocks of a CUDA device as the driver's management library tells them. Found at run time, never linked; clocks
// are read, never set.
#pragma once

#include <string>
#include <vector>

#include "profiling/timing/samples.hpp"

namespace warpspy {

struct ClockReader {
  ReadClocks read;     // empty when not known
  std::string reason;  // then why, in one line
};
// Of the CUDA device with this PCI bus id ("0000:3B:00.0"). Never throws. `library` is for tests.
ClockReader clock_reader(const std::string& pci_bus_id, const std::string& library = "libnvidia-ml.so.1");

// Whether the device with this bus id is split into instances (MIG). False when NVML does not say. Never throws.
bool mig_mode(const std::string& pci_bus_id, const std::string& library = "libnvidia-ml.so.1");

// The words for NVML's bits of "clocks event reasons" that hold a clock down under load; "" when none does.
std::string throttle_words(unsigned long long reasons);

}  // namespace warpspy
