// What a run needs before its kernel: the format, x and the reference. Each is kept for the next run, so that dragging
// a kernel's parameter builds nothing again.
#pragma once

#include <memory>
#include <vector>

#include "core/formats/format.hpp"
#include "core/jobs/progress.hpp"
#include "core/matrix/csr.hpp"
#include "core/run/record.hpp"
#include "profiling/engine/reference.hpp"

namespace warpspy {

class Preparation {
 public:
  // Refuses a format that would not fit into `device_bytes`, or into this machine's free memory, before building it;
  // the error names the size, the limit and a format that would fit.
  std::shared_ptr<const Format> format(const std::shared_ptr<const Csr>& a, const std::string& id, const RunRequest& r,
                                       double device_bytes, Progress& progress);
  std::shared_ptr<const std::vector<double>> x(const std::shared_ptr<const Csr>& a, const RunRequest& r);
  std::shared_ptr<const Reference> reference(const std::shared_ptr<const Csr>& a, const RunRequest& r,
                                             Progress& progress);

 private:
  // The matrix is watched, not kept alive: a closed one must be able to go.
  struct Key {
    std::weak_ptr<const Csr> matrix;
    std::string format;
    ParamSet params;
    Precision precision = Precision::f32;
    RealView view = RealView::real_part;
    std::uint64_t seed = 0;
    bool same(const Key& o) const;
  };
  template <class T>
  struct Kept {
    Key key;
    std::shared_ptr<const T> value;
    bool holds(const Key& wanted) const { return value && key.same(wanted); }
  };
  Kept<Format> format_;
  Kept<std::vector<double>> x_;
  Kept<Reference> reference_;
};

}  // namespace warpspy
