// validate --findings: what findings predict, compared with what their changes give.
#pragma once

#include <string>
#include <vector>

#include "app/wiring.hpp"
#include "core/run/record.hpp"

namespace warpspy::cli {

struct FindingsOptions {
  std::vector<std::string> files;    // matrices
  std::vector<RunRequest> requests;  // of each matrix, one for each kernel
  std::string measured;              // a report of validate: its times instead of runs; empty: none
  std::string out;                   // JSON; empty: none
};
// On a device, real or simulated; or against the times of a report, with no GPU. Prints a line for each prediction and
// the sums. Throws Error.
int validate_findings(const FindingsOptions& options, const Services& services);

}  // namespace warpspy::cli
