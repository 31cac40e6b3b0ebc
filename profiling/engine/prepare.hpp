// What a run needs before its kernel: the format, x and the reference. Each is kept for the next run, so that dragging
// a kernel's parameter builds nothing again. Products of a search take turns between formats: of these the last few are
// kept.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/formats/format.hpp"
#include "core/jobs/progress.hpp"
#include "core/matrix/csr.hpp"
#include "core/run/record.hpp"
#include "kernels/product/row.hpp"
#include "profiling/engine/reference.hpp"

namespace warpspy {

// beta of a run: an axpy always adds to what y holds.
inline double beta_of(const KernelInfo& kernel, const RunRequest& r) {
  return kernel.operation == Operation::axpy ? 1 : r.beta;
}

class Preparation {
 public:
  // Refuses a format that would not fit into the device's memory, this machine's free memory, or what the request
  // allows of them, x and y beside it, before building it; the error names the size, the limit, who says so, and the
  // formats that would fit. `keep`: so many formats stay, of this matrix, precision and view.
  std::shared_ptr<const Format> format(const Matrix& m, const std::string& id, const RunRequest& r,
                                       const DeviceInfo& device, Progress& progress, std::size_t keep = 1);
  // What building the format given last took, in microseconds on this machine; kept as long as the format is.
  double conversion_us() const { return made_.empty() ? 0 : made_.back().us; }
  // A place for what stays of the format given last on a device; it goes when the format goes.
  std::shared_ptr<DeviceArrays>& on_device() { return made_.back().on_device; }
  void leave_device();  // empties all such places
  // The vectors that a kernel of this operation takes; y is empty when it is not read.
  struct Vectors {
    std::shared_ptr<const std::vector<double>> x, y;
  };
  Vectors vectors(const std::shared_ptr<const Csr>& a, const KernelInfo& kernel, const RunRequest& r);
  // Reguly & Giles 2012, section 5.5, for blocks of this many rows.
  double caching_bytes(const std::shared_ptr<const Csr>& a, index_t rows_per_block, Precision precision);
  // Of the matrix (core/run/fingerprint.hpp).
  const std::string& fingerprint(const std::shared_ptr<const Csr>& a);
  std::shared_ptr<const Reference> reference(const std::shared_ptr<const Csr>& a, const KernelRow& kernel,
                                             const std::shared_ptr<const Format>& format, const RunRequest& r,
                                             Progress& progress);

 private:
  // The matrix is watched, not kept alive: a closed one must be able to go.
  struct Key {
    std::weak_ptr<const Csr> matrix;
    std::string format = {};
    ParamSet params = {};
    Precision precision = Precision::f32;
    RealView view = RealView::real_part;
    std::uint64_t seed = 0;
    Operation operation = Operation::product;
    double alpha = 1, beta = 0;
    bool same(const Key& o) const;
    bool same_numbers(const Key& o) const;  // matrix, precision and view
  };
  template <class T>
  struct Kept {
    Key key;
    std::shared_ptr<const T> value;
    bool holds(const Key& wanted) const { return value && key.same(wanted); }
  };
  struct Made {
    Key key;
    std::shared_ptr<const Format> format;
    double us = 0;
    Estimate estimate;
    std::shared_ptr<DeviceArrays> on_device = {};
  };
  std::vector<Made> made_;  // used last: at the end
  Kept<double> caching_;
  index_t caching_rows_ = 0;  // of caching_
  Kept<std::string> fingerprint_;
  Kept<std::vector<double>> x_, y_;
  Kept<Reference> reference_;
};

}  // namespace warpspy
