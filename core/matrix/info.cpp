#include <nlohmann/json.hpp>

#include "core/base/json_text.hpp"
#include "core/matrix/stats.hpp"

namespace warpspy {

std::string info_json(const Matrix& m, const MatrixFacts& f) {
  using Json = nlohmann::ordered_json;
  const Csr& a = *m.csr;
  const double area = static_cast<double>(a.rows()) * static_cast<double>(a.cols());
  // A negative share means that there is no symmetry to report: null.
  const auto share = [](double v) { return v < 0 ? Json(nullptr) : Json(v); };

  Json j;
  j["name"] = m.source.name;
  j["rows"] = a.rows();
  j["cols"] = a.cols();
  j["nnz"] = a.nnz();
  j["entries_in_file"] = m.source.entries_in_file;
  j["field"] = m.source.field;
  j["symmetry"] = m.source.symmetry;
  j["explicit_zeros"] = f.structure.explicit_zeros;
  j["duplicates"] = m.source.duplicates;
  j["empty_rows"] = f.rows.empty;
  j["bandwidth"] = f.structure.bandwidth();
  j["density"] = area > 0 ? static_cast<double>(a.nnz()) / area : 0.0;
  j["pattern_symmetry"] = share(f.structure.pattern_symmetry);
  j["value_symmetry"] = share(f.structure.value_symmetry);
  j["memory_bytes"] = a.bytes();
  j["row_length"] = {{"min", f.rows.min}, {"q1", f.rows.q1},     {"median", f.rows.median},    {"q3", f.rows.q3},
                     {"max", f.rows.max}, {"mean", f.rows.mean}, {"variance", f.rows.variance}};
  j["warnings"] = m.source.warnings;
  return json_text(j);
}

}  // namespace warpspy
