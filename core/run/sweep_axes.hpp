// The axes of a sweep: their names, ranges, and all combinations of values.
#pragma once

#include <string>
#include <vector>

#include "core/run/request_options.hpp"
#include "core/run/sweep.hpp"

namespace warpspy {

// The name of a request's option in a sweep, as on the command line: "precision", "device", "caches", "depth". "" for
// an option that a sweep cannot vary, such as those for live runs.
std::string sweep_name(const RequestOption& option);
const RequestOption& sweep_option(const std::string& name);  // throws Error that names all

// The values that a text stands for: one value ("4", "no l1"), or a range: LEAST:MOST, LEAST:MOST:STEP,
// LEAST:MOST:*FACTOR. If no step is given, the step is 1. For a parameter that takes powers of two it is a factor of 2,
// and for one that takes multiples of a number it is that number. Throws Error.
std::vector<double> range_values(const ParamSpec& spec, const std::string& text);
// The values of a text for a number that is not a parameter; without a given step the step is 1.
std::vector<double> range_values(const std::string& text);
bool is_range(const std::string& text);

// The kernels of a plan, each once. Kernels of one format stand together, at the place of the first of them. Unknown
// kernels are kept.
std::vector<std::string> kernels_of(const SweepPlan& plan, const Catalog& catalog);

// All combinations of a plan's values for the parameters of a kernel and its format. Throws Error for an invalid value.
struct KernelParams {
  ParamSet kernel, format;
};
std::vector<KernelParams> params_of(const SweepPlan& plan, const KernelInfo& kernel, const FormatInfo* format);

// Requests with every combination of these options; the first option changes slowest. Throws Error.
std::vector<RunRequest> requests_of(const std::vector<SweepPlan::Axis>& options, const Catalog& catalog);

// The plan with this product only: its parameters and options that differ from the defaults.
SweepPlan plan_of(const RunRequest& request, const SweepPlan::Of& matrix, const Catalog& catalog);

// A parameter or option that has several values in a plan, with its value in a cell. They stand in the order format,
// kernel, options, repetition. Matrix, kernel, precision and device are left out, since tables have columns for them.
struct Turned {
  std::string id;     // as in the plan, without the kernel or format: "coop", "caches", "repetition"
  std::string text;   // of the value
  double number = 0;  // the number by which values are sorted; 0 for words
};
std::vector<Turned> turned_in(const SweepPlan& plan, const SweepCell& cell, const Catalog& catalog);

// The id of the device that "auto" or "cuda" stands for on this machine; all other ids are returned unchanged.
std::string device_meant(const std::string& id, const Catalog& catalog);

}  // namespace warpspy
