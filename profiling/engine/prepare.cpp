#include "profiling/engine/prepare.hpp"

#include "core/matrix/memory.hpp"

namespace warpspy {
namespace {

double vectors_bytes(const Csr& a, Precision precision) {
  return (static_cast<double>(a.rows()) + static_cast<double>(a.cols())) * bytes_of(precision);
}

std::string format_that_fits(const Csr& a, Precision precision, double room) {
  for (const FormatRow& row : formats()) {
    const auto bytes = static_cast<double>(row.estimate(a, precision, checked_params(row.info.params, {})).bytes());
    if (bytes <= room) return "format " + row.info.id + " needs " + byte_text(bytes) + " and would fit";
  }
  return "no format of this program would fit";
}

void require_room(const Csr& a, const FormatRow& row, double bytes, Precision precision, double limit,
                  const std::string& where) {
  const double vectors = vectors_bytes(a, precision);
  if (bytes + vectors <= limit) return;
  throw Error("format " + row.info.id + " needs " + byte_text(bytes) + ", x and y " + byte_text(vectors) + "; " +
                  where + " has " + byte_text(limit),
              {}, format_that_fits(a, precision, limit - vectors));
}

}  // namespace

bool Preparation::Key::same(const Key& o) const {
  const bool same_matrix = !matrix.owner_before(o.matrix) && !o.matrix.owner_before(matrix) && !matrix.expired();
  return same_matrix && format == o.format && params == o.params && precision == o.precision && view == o.view &&
         seed == o.seed;
}

std::shared_ptr<const Format> Preparation::format(const std::shared_ptr<const Csr>& a, const std::string& id,
                                                  const RunRequest& r, double device_bytes, Progress& progress) {
  const FormatRow& row = format_row(id);
  const ParamSet params = checked_params(row.info.params, r.format_params);
  const auto bytes = static_cast<double>(row.estimate(*a, r.precision, params).bytes());
  require_room(*a, row, bytes, r.precision, device_bytes, "the device");
  const Key key{a, id, params, r.precision, r.view, 0};
  if (format_.holds(key)) return format_.value;
  format_ = {};  // the old one goes first: two need not fit together
  require_room(*a, row, bytes, r.precision, static_cast<double>(available_memory()), "this machine");
  progress.stage("building " + id);
  format_ = {key, row.build(*a, r.precision, r.view, params, progress)};
  return format_.value;
}

std::shared_ptr<const std::vector<double>> Preparation::x(const std::shared_ptr<const Csr>& a, const RunRequest& r) {
  const Key key{a, {}, {}, r.precision, RealView::real_part, r.seed};
  if (!x_.holds(key))
    x_ = {key, std::make_shared<const std::vector<double>>(input_vector(a->cols(), r.seed, r.precision))};
  return x_.value;
}

std::shared_ptr<const Reference> Preparation::reference(const std::shared_ptr<const Csr>& a, const RunRequest& r,
                                                        Progress& progress) {
  const Key key{a, {}, {}, r.precision, r.view, r.seed};
  if (reference_.holds(key)) return reference_.value;
  progress.stage("computing the reference");
  reference_ = {key, std::make_shared<const Reference>(reference_product(*a, *x(a, r), r.view, r.precision, progress))};
  return reference_.value;
}

}  // namespace warpspy
