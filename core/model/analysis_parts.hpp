// Code that the rows of analyses.cpp share: values from counters, values from other values, and their words.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/model/analyses.hpp"

namespace warpspy::analysis {

// A number that a formula uses, with its unit and provenance, or the reason why it is missing.
struct Part {
  std::optional<double> value;
  Provenance provenance = Provenance::modelled;
  std::string reason;
  explicit operator bool() const { return value.has_value(); }
  double operator*() const { return *value; }
};

std::string text(double v, int digits = 4);  // "0.8125", "1240"

Part counter(const RunRecord* run, const std::string& id);
Part detail(const RunRecord* run, const std::string& id);
Part time_us(const RunRecord* run);
Part known(double v, Provenance p = Provenance::modelled);
Part missing(std::string reason);

// Applies f to the numbers if all have values; else returns the first reason. A computed number is modelled when any of
// its parts is, else derived.
Part combine(std::initializer_list<Part> parts, const std::function<double()>& f);

// Appends one point of a curve to `out`: the value `part` at `x`, its unit, and the formula with its numbers.
void add(std::vector<AnalysisValue>& out, const char* series, const Part& part, const char* unit, std::string worked,
         double x = 0);

// Returns the request for a kernel: `base` with only those parameters that the kernel has.
RunRequest request_for(const KernelInfo& kernel, const RunRequest& base);
// Returns a request with one parameter changed. Throws Error if the kernel lacks that parameter.
RunRequest turned(const KernelInfo& kernel, RunRequest request, const std::string& param, double value,
                  const std::string& why);

}  // namespace warpspy::analysis
