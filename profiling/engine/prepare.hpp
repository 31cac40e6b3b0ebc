// Prepares what a run needs before its kernel: the format, x and the reference. Each is kept for the next run, so that
// dragging a kernel's parameter builds nothing again. A search changes between formats, so the last few formats are
// kept.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/formats/csr.hpp"
#include "core/formats/format.hpp"
#include "core/jobs/progress.hpp"
#include "core/matrix/csr.hpp"
#include "core/run/record.hpp"
#include "kernels/convert/conversion.hpp"
#include "kernels/product/row.hpp"
#include "profiling/engine/reference.hpp"

namespace warpspy {

// The beta that a run really uses: an axpy always adds to y, so its beta is 1.
inline double beta_of(const KernelInfo& kernel, const RunRequest& r) {
  return kernel.operation == Operation::axpy ? 1 : r.beta;
}

// A format's arrays on a CUDA device, and how they got there.
struct FormatThere {
  std::shared_ptr<DeviceArrays> arrays = {};  // nullptr: each product has its own
  std::optional<double> conversion_us = {};   // made on the device from the CSR there; nothing: the host's was copied
  std::optional<double> values_us = {};       // of that, the launches that read values
  std::optional<double> csr_upload_us = {};   // the copy of the CSR
  std::string reason = {};                    // why it was not made there, although it can be
};

// Whether matrices with the same entries and other values follow each other, as in Newton's method: none; this is the
// first of them; this is a later one.
enum class OtherValues : std::uint8_t { none, follow, now };

// Tells how a format is made on a device; nullptr: on the host.
using ConversionOf = const ConversionRow* (*)(const std::string& format);

class Preparation {
 public:
  // Builds a format. A format that does not fit, together with x and y, into the device's memory, this machine's free
  // memory, or the request's limits is refused before it is built. The error names the size, the limit, where the limit
  // comes from, and the formats that would fit. `keep`: how many formats of this matrix, precision and view are kept.
  std::shared_ptr<const Format> format(const Matrix& m, const std::string& id, const RunRequest& r,
                                       const DeviceInfo& device, Progress& progress, std::size_t keep = 1);
  // Returns how long building the last returned format took, in microseconds on this machine; kept as long as the
  // format.
  double conversion_us() const { return made_.empty() ? 0 : made_.back().us; }
  // Returns the last returned format on the current device. If `conversion` can make it and the device has room, the
  // CSR is copied and the format is made from it there. Otherwise the format is copied when a product asks for it. The
  // format CSR itself is copied at once, unless there is no `conversion`. All are kept as long as the format. Of later
  // values only the launches that read values run; what is needed for that is kept up to the next format without them.
  const FormatThere& there(const Matrix& m, const RunRequest& r, const DeviceInfo& device, ConversionOf conversion,
                           Progress& progress, std::size_t keep = 1, OtherValues values = OtherValues::none);
  void leave_device();  // frees all such arrays
  // The vectors that a kernel of this operation needs; y is empty if it is not read.
  struct Vectors {
    std::shared_ptr<const std::vector<double>> x, y;
  };
  Vectors vectors(const std::shared_ptr<const Csr>& a, const KernelInfo& kernel, const RunRequest& r);
  // The bytes of the cache lines of x that thread blocks of this many rows touch (Reguly & Giles 2012, section 5.5).
  double caching_bytes(const std::shared_ptr<const Csr>& a, index_t rows_per_block, Precision precision);
  // The fingerprint of the matrix (core/run/fingerprint.hpp).
  const std::string& fingerprint(const std::shared_ptr<const Csr>& a);
  std::shared_ptr<const Reference> reference(const std::shared_ptr<const Csr>& a, const KernelRow& kernel,
                                             const std::shared_ptr<const Format>& format, const RunRequest& r,
                                             Progress& progress);

 private:
  // The matrix is held by a weak pointer, so that a closed matrix is freed.
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
    bool same_form(const Key& o) const;     // format, parameters, precision and view
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
    std::optional<FormatThere> there = {};
  };
  struct CsrThere {
    Key key;
    std::shared_ptr<const CsrFormat> csr;
    std::shared_ptr<DeviceArrays> arrays;
    double upload_us = 0;
  };
  const CsrThere& csr_there(const Key& key, const FormatFacts& facts, Progress& progress);

  std::vector<Made> made_;  // the last used format stands at the end
  std::optional<CsrThere> csr_;
  std::optional<std::pair<Key, std::shared_ptr<KeptConversion>>> conversion_;  // for later values
  Kept<double> caching_;
  index_t caching_rows_ = 0;  // of caching_
  Kept<std::string> fingerprint_;
  Kept<std::vector<double>> x_, y_;
  Kept<Reference> reference_;
};

}  // namespace warpspy
