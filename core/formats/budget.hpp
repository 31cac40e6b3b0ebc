// Decides whether a format fits into memory, before anything is allocated.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/formats/format.hpp"
#include "core/matrix/memory.hpp"

namespace warpspy {

// Tells how many bytes a format may take, and where that limit comes from. On the host the memory that the conversion
// needs counts too; on the device only the arrays count.
struct Budget {
  std::uint64_t host = UINT64_MAX;
  std::uint64_t device = UINT64_MAX;
  std::string host_source = "memory that is free on this machine";
  std::string device_source = "memory of the device";
  bool operator==(const Budget&) const = default;
};

inline constexpr const char* kSetByUser = "memory budget set by you";

// Returns the present limits for a format's memory. Each is the smaller of the user's limit and the available memory
// (on the host: the free memory). Without a device (`device_bytes` 0) the device's limit is the user's. x and y
// (`vectors_bytes`) are subtracted on the device.
Budget budget_now(const MemoryBudget& set, double device_bytes = 0, const std::string& device_name = {},
                  double vectors_bytes = 0);

struct Fit {
  bool fits = true;
  std::string reason;  // "needs 72 TB and the host's limit is 12 GB (memory that is free ...)"; empty when it fits
};
Fit fits(const Estimate& estimate, const Budget& budget);

// A format that would fit the budget with its default parameters, and its size: "csr, which needs 36 MB". Formats whose
// size takes long to estimate are left out.
struct Alternative {
  std::string format;
  std::size_t bytes = 0;
};
std::vector<Alternative> formats_that_fit(const FormatFacts& facts, Precision precision, const Budget& budget);

// "these fit: csr (36 MB), coo (48 MB)", or a sentence that none fits and what to do.
std::string alternatives_text(const std::vector<Alternative>& fitting);

// The error for a format that does not fit: its size, the limit and where the limit comes from, and the formats that
// would fit.
Error refusal(const std::string& format, const Estimate& estimate, const FormatFacts& facts, Precision precision,
              const Budget& budget);

}  // namespace warpspy
