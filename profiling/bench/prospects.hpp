// What the benchmark knows of a matrix, in one precision, before anything is measured: the bytes of its formats, and
// the families of candidates with the modelled cost of each.
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
  // Rows of the matrix as core/formats/sample.hpp takes them: by these a format is first judged. nullopt: it is small.
  static std::optional<Csr> sample_of(const Matrix& matrix);

  // `matrix` and `sample` must live longer. `cold`: no product is warm.
  Prospects(const Matrix& matrix, const std::optional<Csr>& sample, Precision precision, const DeviceInfo& device,
            bool in_order, bool cold);

  // Those of these kernels, neighbours by their format. `remembered`: what an earlier search found begins; nullptr:
  // nothing. May take long where a format's size does.
  std::vector<Family> families(const std::vector<const KernelRow*>& list, const RunRecord* remembered);
  double csr_bytes() const { return csr_bytes_; }
  // Throws Error for a format that cannot be.
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
