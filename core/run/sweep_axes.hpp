// What a sweep can turn: names, ranges, and every combination of them.
#pragma once

#include <string>
#include <vector>

#include "core/run/request_options.hpp"
#include "core/run/sweep.hpp"

namespace warpspy {

// What an option of the request is called in a sweep, as on the command line: "precision", "device", "caches",
// "depth"; "" where it is no input of a product that is run for itself.
std::string sweep_name(const RequestOption& option);
const RequestOption& sweep_option(const std::string& name);  // throws Error that names all

// The values that a text stands for: one ("4", "no l1"), or a range: LEAST:MOST, LEAST:MOST:STEP, LEAST:MOST:*FACTOR.
// Without a step it is 1, a factor of 2 for powers of two, and for multiples the number that they are of. Throws Error.
std::vector<double> range_values(const ParamSpec& spec, const std::string& text);
// The same for a number of no known parameter; the step is 1.
std::vector<double> range_values(const std::string& text);
bool is_range(const std::string& text);

// The kernels of a plan, each once, those of one format together where the first of them stands. Unknown ones stay.
std::vector<std::string> kernels_of(const SweepPlan& plan, const Catalog& catalog);

// The parameters that a kernel (and the format that it reads) takes in a plan: every combination. Throws Error for a
// value that is none.
struct KernelParams {
  ParamSet kernel, format;
};
std::vector<KernelParams> params_of(const SweepPlan& plan, const KernelInfo& kernel, const FormatInfo* format);

// Requests with every combination of these options, the first turning slowest. Throws Error.
std::vector<RunRequest> requests_of(const std::vector<SweepPlan::Axis>& options, const Catalog& catalog);

// What asks for this one product: its parameters and options, as far as they are no defaults.
SweepPlan plan_of(const RunRequest& request, const SweepPlan::Of& matrix, const Catalog& catalog);

// What a plan turns and a cell therefore has one of several values of, in the order of format, kernel, options and
// repetition. Matrix, kernel, precision and device are left out: tables have columns of their own for them.
struct Turned {
  std::string id;     // as in the plan, without the kernel or format: "coop", "caches", "repetition"
  std::string text;   // of the value
  double number = 0;  // by which it is sorted; 0 for words
};
std::vector<Turned> turned_in(const SweepPlan& plan, const SweepCell& cell, const Catalog& catalog);

// The device that an id means here: "auto" and "cuda" are others from machine to machine.
std::string device_meant(const std::string& id, const Catalog& catalog);

}  // namespace warpspy
