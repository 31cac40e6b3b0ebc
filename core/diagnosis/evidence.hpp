// The numbers that rules use: a run's numbers, each with its provenance.
#pragma once

#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/diagnosis/causes.hpp"
#include "core/matrix/stats.hpp"
#include "core/model/roofline.hpp"
#include "core/run/record.hpp"

namespace warpspy {

// All facts about a run from which its limits are found. They must live as long as the call.
struct DiagnosisInput {
  const RunRecord& run;
  const RowStats& rows;    // of the matrix
  const GpuSpec& gpu;      // the GPU, or the simulated GPU that describes it
  const Catalog& catalog;  // kernels that may be suggested
  const std::vector<Roof>& roofs;
  const RunRecord* model = nullptr;  // for a measured run: the modelled run of the same request
};

struct ArrayTraffic {
  double requests = 0, sectors = 0, bytes_used = 0, bytes_padding = 0;
  double sectors_per_request() const { return requests > 0 ? sectors / requests : 0; }
  double used() const { return sectors > 0 ? bytes_used / (32 * sectors) : 1; }  // share of the bytes fetched
};

class Evidence {
 public:
  Evidence(const DiagnosisInput& in, Causes causes) : in_(in), causes_(causes) {}

  const RunRecord& run() const { return in_.run; }
  const RowStats& rows() const { return in_.rows; }
  const GpuSpec& gpu() const { return in_.gpu; }
  const Catalog& catalog() const { return in_.catalog; }
  const Causes& causes() const { return causes_; }
  double time() const { return causes_.time_us; }
  double share(Cause c) const { return causes_.share(c); }
  double mean_length() const { return in_.rows.mean; }
  // The share of the time that would remain if every block took the mean time of all blocks (from the model).
  double even() const;
  // Whether a few long rows are still computed when all other rows are done, in a grid with a block for every SM. Never
  // so for a kernel that divides rows.
  bool rows_uneven() const;

  // A number by the id of a metric or detail: from the run, else from the model. A rule names the number in `needs`, so
  // it exists.
  double value(const std::string& id) const { return find(id).value_or(0); }
  std::optional<double> find(const std::string& id) const;
  bool modelled(const std::string& id) const;  // whether the number comes from the model
  // Returns why the number is missing.
  std::string reason(const std::string& id) const;

  bool has_arrays() const { return !arrays().empty(); }
  ArrayTraffic x() const;
  ArrayTraffic of_matrix() const;  // traffic of all arrays except x and y
  // The bandwidth of a level, GB/s; 0: no such roof.
  double roof(Level level) const;
  // The bytes of reading x and writing y once.
  double vector_bytes() const;

 private:
  const std::vector<Traffic>& arrays() const;

  const DiagnosisInput& in_;
  Causes causes_;
};

}  // namespace warpspy
