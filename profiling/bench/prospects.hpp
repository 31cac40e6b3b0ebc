// Tells what the benchmark knows about a matrix, in one precision, before it measures: the bytes of formats, and the
// families of candidates with their modelled cost.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/formats/format.hpp"
#include "core/run/record.hpp"
#include "profiling/bench/families.hpp"

namespace warpspy {

class Prospects {
 public:
  // A sample of the matrix's rows (core/formats/sample.hpp), from which a format's size is first estimated. nullopt:
  // the matrix is small.
  static std::optional<Csr> sample_of(const Matrix& matrix);

  // `matrix` and `sample` must live longer than this object. `cold`: the products are measured with cold caches only.
  Prospects(const Matrix& matrix, const std::optional<Csr>& sample, Precision precision, const DeviceInfo& device,
            bool in_order, bool cold);

  // The families of these kernels, sorted by format. `remembered`: the result of an earlier search, which comes first;
  // nullptr: none. It may take long if a format's size takes long to estimate.
  std::vector<Family> families(const std::vector<const KernelRow*>& list, const RunRecord* remembered);
  double csr_bytes() const { return csr_bytes_; }
  // Throws Error if the format cannot store the matrix.
  double bytes_of_format(const std::string& id, const ParamSet& params);

 private:
  void cost(Family& f, const RunRecord* remembered);
  double likely_bytes(const std::string& format, const ParamSet& params);

  const Matrix& matrix_;
  const Precision precision_;
  const DeviceInfo& device_;
  const bool in_order_, cold_;
  FormatFacts facts_;
  std::optional<FormatFacts> sample_facts_;
  double csr_bytes_ = 0, sample_bytes_ = 0, scattered_bytes_ = 0;
  std::map<std::pair<std::string, ParamSet>, double> format_bytes_;
};

}  // namespace warpspy
