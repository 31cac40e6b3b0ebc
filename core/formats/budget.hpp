// Whether a format fits: asked before anything is allocated.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/formats/format.hpp"

namespace warpspy {

// Bytes that a format may take: on the host with what the conversion needs for itself, on the device its arrays alone
// (the caller takes off x and y, and what else is there).
struct Budget {
  std::uint64_t host = UINT64_MAX;
  std::uint64_t device = UINT64_MAX;
};

struct Fit {
  bool fits = true;
  std::string reason;  // "needs 72 TB, and the host has 12 GB"; empty when it fits
};
Fit fits(const Estimate& estimate, const Budget& budget);

// Formats, with their default parameters, that fit the budget, smallest first: "csr, which needs 36 MB". Those whose
// estimate is slow are left out.
struct Alternative {
  std::string format;
  std::size_t bytes = 0;
};
std::vector<Alternative> formats_that_fit(const FormatFacts& facts, Precision precision, const Budget& budget);

// The error for a format that does not fit: its size, the limit, and the formats that would fit.
Error refusal(const std::string& format, const Estimate& estimate, const FormatFacts& facts, Precision precision,
              const Budget& budget);

}  // namespace warpspy
