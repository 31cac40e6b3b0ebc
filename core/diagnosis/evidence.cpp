#include "core/diagnosis/evidence.hpp"

#include <algorithm>

namespace warpspy {
namespace {

std::optional<double> value_in(const RunRecord& r, const std::string& id) {
  if (const Counter* c = r.counter(id); c && c->value) return *c->value;
  if (const Quantity* q = r.detail(id)) return q->value;
  return {};
}

void add(ArrayTraffic& sum, const Traffic& t) {
  sum.requests += t.requests;
  sum.sectors += t.sectors;
  sum.bytes_used += t.bytes_used;
  sum.bytes_padding += t.bytes_padding;
}

}  // namespace

std::optional<double> Evidence::find(const std::string& id) const {
  if (id == "arrays") return has_arrays() ? std::optional<double>(1) : std::nullopt;
  if (const auto v = value_in(in_.run, id)) return v;
  return in_.model ? value_in(*in_.model, id) : std::nullopt;
}

bool Evidence::modelled(const std::string& id) const {
  if (in_.run.provenance == Provenance::modelled) return true;
  return id == "arrays" ? in_.run.arrays.empty() : !value_in(in_.run, id);
}

std::string Evidence::reason(const std::string& id) const {
  if (id == "arrays") return "traffic by array is known of modelled runs";
  const Counter* c = in_.run.counter(id);
  if (c && !c->reason.empty()) return c->reason;
  return "the run did not record it";
}

double Evidence::even() const {
  const double bounds = value("bound_total");
  return bounds > 0 ? std::min(1.0, value("bound_even") / bounds) : 1;
}

bool Evidence::rows_uneven() const {
  const bool long_rows = static_cast<double>(rows().max) > std::max(64.0, 12 * mean_length());
  // Where rows are divided into equal shares, no warp has a long row to itself.
  const KernelInfo* kernel = catalog().kernel(run().request.kernel);
  if (kernel && kernel->tags.has_all(Tag::splits_rows)) return false;
  return long_rows && even() < 0.9 && value("blocks") >= gpu().sm_count;
}

const std::vector<Traffic>& Evidence::arrays() const {
  return in_.run.arrays.empty() && in_.model ? in_.model->arrays : in_.run.arrays;
}

ArrayTraffic Evidence::x() const {
  ArrayTraffic sum;
  for (const Traffic& t : arrays())
    if (t.name == "x") add(sum, t);
  return sum;
}

ArrayTraffic Evidence::of_matrix() const {
  ArrayTraffic sum;
  for (const Traffic& t : arrays())
    if (t.name != "x" && t.name != "y") add(sum, t);
  return sum;
}

double Evidence::roof(Level level) const {
  const auto found = std::find_if(in_.roofs.begin(), in_.roofs.end(), [&](const Roof& r) { return r.level == level; });
  return found == in_.roofs.end() ? 0 : found->value;
}

double Evidence::vector_bytes() const {
  return static_cast<double>(in_.run.rows + in_.run.cols) * static_cast<double>(bytes_of(in_.run.request.precision));
}

}  // namespace warpspy
