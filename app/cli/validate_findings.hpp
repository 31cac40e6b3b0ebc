// validate --findings: compares the gains that findings predict with actual gains.
#pragma once

#include <string>
#include <vector>

#include "app/wiring.hpp"
#include "core/run/record.hpp"

namespace warpspy::cli {

struct FindingsOptions {
  std::vector<std::string> files;    // matrices
  std::vector<RunRequest> requests;  // one for each kernel, for each matrix
  std::string measured;              // a report of validate, whose times replace runs; empty: none
  std::string out;                   // the JSON file to write; empty: none
};
// Uses a device, real or simulated; or, without a GPU, the times of a report. Prints a line for each prediction, and
// sums. Throws Error.
int validate_findings(const FindingsOptions& options, const Services& services);

}  // namespace warpspy::cli
