#include "profiling/engine/prepare.hpp"

#include <algorithm>
#include <chrono>

#include "core/formats/budget.hpp"
#include "core/matrix/memory_guard.hpp"
#include "core/model/bytes.hpp"
#include "core/run/fingerprint.hpp"
#include "kernels/device/device.hpp"

namespace warpspy {
namespace {

double vectors_bytes(const Csr& a, Precision precision) {
  return (static_cast<double>(a.rows()) + static_cast<double>(a.cols())) * bytes_of(precision);
}

// Copies all arrays of a format to the device.
double copied_in_us(DeviceArrays& arrays, Progress& progress) {
  progress.stage("copying to the device");
  const auto start = std::chrono::steady_clock::now();
  copy_to_device(arrays);
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

bool Preparation::Key::same_numbers(const Key& o) const {
  const bool same_matrix = !matrix.owner_before(o.matrix) && !o.matrix.owner_before(matrix) && !matrix.expired();
  return same_matrix && precision == o.precision && view == o.view;
}

bool Preparation::Key::same(const Key& o) const {
  return same_numbers(o) && format == o.format && params == o.params && seed == o.seed && operation == o.operation &&
         alpha == o.alpha && beta == o.beta;
}

bool Preparation::Key::same_form(const Key& o) const {
  return format == o.format && params == o.params && precision == o.precision && view == o.view;
}

void Preparation::leave_device() {
  for (Made& m : made_) m.there.reset();
  csr_.reset();
  conversion_.reset();
}

const Preparation::CsrThere& Preparation::csr_there(const Key& key, const FormatFacts& facts, Progress& progress) {
  if (csr_ && csr_->key.same_numbers(key)) return *csr_;
  csr_.reset();
  const bool is_csr = made_.back().key.format == "csr";
  const auto csr = is_csr ? made_.back().format : format_row("csr").build(facts, key.precision, key.view, {}, progress);
  csr_ = CsrThere{key, std::dynamic_pointer_cast<const CsrFormat>(csr), kept_on_device(csr)};
  csr_->upload_us = copied_in_us(*csr_->arrays, progress);
  return *csr_;
}

const FormatThere& Preparation::there(const Matrix& m, const RunRequest& r, const DeviceInfo& device,
                                      ConversionOf conversion_of, Progress& progress, std::size_t keep,
                                      OtherValues values) {
  Made& made = made_.back();
  if (values != OtherValues::now || (conversion_ && !conversion_->first.same_form(made.key))) conversion_.reset();
  if (made.there) return *made.there;
  FormatThere& there = made.there.emplace();
  const double own = static_cast<double>(made.estimate.bytes()), half = device.spec.memory_bytes / 2;
  // What is kept must leave half of the device's memory to products. If it would not, each product has its own arrays.
  if (static_cast<double>(keep) * own >= half) return there;
  const ConversionRow* conversion = conversion_of ? conversion_of(made.key.format) : nullptr;
  if (!conversion || !conversion->on_device) {
    there.arrays = kept_on_device(made.format);
    // The copy that any other format would be made from.
    if (conversion_of && made.key.format == "csr") there.csr_upload_us = copied_in_us(*there.arrays, progress);
    return there;
  }
  const FormatFacts facts(m);
  const double csr = static_cast<double>(format_row("csr").estimate(facts, r.precision, {}).bytes());
  try {
    if (csr + static_cast<double>(keep + 1) * own >= half)
      throw Error("the device has no room for the CSR and the format at once");
    const CsrThere& from = csr_there(made.key, facts, progress);
    progress.stage("making " + made.key.format + " on the device");
    DeviceConversion converted = conversion->on_device({.csr = from.csr,
                                                        .facts = &facts,
                                                        .params = made.key.params,
                                                        .csr_there = from.arrays,
                                                        .values_apart = keep == 1,  // a search has no time for it
                                                        .keep = values != OtherValues::none,
                                                        .again = conversion_ ? conversion_->second : nullptr});
    if (converted.kept) conversion_.emplace(made.key, std::move(converted.kept));
    there.arrays = kept_on_device(made.format, std::move(converted.made));
    there.conversion_us = converted.us, there.values_us = converted.values_us, there.csr_upload_us = from.upload_us;
  } catch (const DeviceLost&) {
    throw;
  } catch (const Error& e) {
    csr_.reset(), conversion_.reset();
    there.arrays = kept_on_device(made.format);
    there.reason = e.reason;
  }
  return there;
}

std::shared_ptr<const Format> Preparation::format(const Matrix& m, const std::string& id, const RunRequest& r,
                                                  const DeviceInfo& device, Progress& progress, std::size_t keep) {
  const FormatFacts facts(m);
  const FormatRow& row = format_row(id);
  const ParamSet params = checked_params(row.info.params, r.format_params);
  const Key key{.matrix = m.csr, .format = id, .params = params, .precision = r.precision, .view = r.view};
  // An estimate may take seconds (PKT), so the estimate of an existing format is kept with it.
  const auto at = std::find_if(made_.begin(), made_.end(), [&](const Made& k) { return k.key.same(key); });
  const bool there = at != made_.end();
  if (there && keep > 1) {  // for searches, in which time matters
    std::rotate(at, at + 1, made_.end());
    return made_.back().format;
  }
  const Estimate estimate = there ? at->estimate : row.estimate(facts, r.precision, params);
  const double vectors = vectors_bytes(*m.csr, r.precision);
  const auto require = [&](const Budget& budget) {
    if (!fits(estimate, budget).fits) throw refusal(id, estimate, facts, r.precision, budget);
  };
  Budget budget = budget_now(r.memory, device.spec.memory_bytes, device.name, vectors);
  // The free memory of now does not matter for a format that exists, nor for one whose predecessor will be freed first.
  Budget lasting = budget;
  lasting.host = r.memory.host_bytes.value_or(UINT64_MAX);
  lasting.host_source = kSetByUser;
  require(lasting);
  if (there) std::rotate(at, at + 1, made_.end());
  // Old formats are freed first, since the memory may not hold both.
  const std::size_t most = there ? keep : keep - 1;
  std::erase_if(made_, [&](const Made& k) { return !k.key.same_numbers(key); });
  if (made_.size() > most) made_.erase(made_.begin(), made_.end() - static_cast<std::ptrdiff_t>(most));
  if (there) return made_.back().format;
  budget = budget_now(r.memory, device.spec.memory_bytes, device.name, vectors);
  budget.host -= std::min(budget.host, static_cast<std::uint64_t>(vectors));
  require(budget);
  const MemoryReservation claim(static_cast<double>(estimate.bytes()) + static_cast<double>(estimate.scratch),
                                "format " + id);
  progress.stage("building " + id);
  const auto start = std::chrono::steady_clock::now();
  Made made{key, row.build(facts, r.precision, r.view, params, progress), 0, estimate};
  made.us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  made_.push_back(std::move(made));
  return made_.back().format;
}

Preparation::Vectors Preparation::vectors(const std::shared_ptr<const Csr>& a, const KernelInfo& kernel,
                                          const RunRequest& r) {
  const auto kept = [&](Kept<std::vector<double>>& place, index_t size, std::uint64_t seed) {
    const Key key{.matrix = a, .precision = r.precision, .seed = seed, .operation = kernel.operation};
    if (place.holds(key)) return place.value;
    place = {};
    require_memory(static_cast<double>(size) * sizeof(double), "a vector of the product");
    place = {key, std::make_shared<const std::vector<double>>(input_vector(size, seed, r.precision))};
    return place.value;
  };
  Vectors v;
  v.x = kept(x_, input_size(kernel.operation, a->rows(), a->cols()), r.seed);
  v.y = beta_of(kernel, r) != 0 ? kept(y_, output_size(kernel.operation, a->rows(), a->cols()), r.seed + 1)
                                : std::make_shared<const std::vector<double>>();
  return v;
}

double Preparation::caching_bytes(const std::shared_ptr<const Csr>& a, index_t rows_per_block, Precision precision) {
  const Key key{.matrix = a, .precision = precision};
  if (caching_rows_ != rows_per_block || !caching_.holds(key)) {
    caching_ = {key, std::make_shared<const double>(warpspy::caching_bytes(*a, rows_per_block, precision))};
    caching_rows_ = rows_per_block;
  }
  return *caching_.value;
}

const std::string& Preparation::fingerprint(const std::shared_ptr<const Csr>& a) {
  const Key key{.matrix = a};
  if (!fingerprint_.holds(key)) fingerprint_ = {key, std::make_shared<const std::string>(fingerprint_of(*a))};
  return *fingerprint_.value;
}

std::shared_ptr<const Reference> Preparation::reference(const std::shared_ptr<const Csr>& a, const KernelRow& kernel,
                                                        const std::shared_ptr<const Format>& format,
                                                        const RunRequest& r, Progress& progress) {
  // Elements are summed in another order than entries, and an axpy depends on its stride.
  const bool from_elements = format && format_row(format->id()).from_elements;
  Key key{.matrix = a,
          .precision = r.precision,
          .view = r.view,
          .seed = r.seed,
          .operation = kernel.info.operation,
          .alpha = r.alpha,
          .beta = beta_of(kernel.info, r)};
  if (from_elements) key.format = format->id();
  if (kernel.info.operation == Operation::axpy) key.params = r.params;
  if (reference_.holds(key)) return reference_.value;
  progress.stage("computing the reference");
  const Vectors v = vectors(a, kernel.info, r);
  reference_ = {};
  require_memory(reference_bytes(kernel.info.operation, output_size(kernel.info.operation, a->rows(), a->cols())),
                 "the reference that the result is checked against");
  const ProductTerms terms{kernel.info.operation, *v.x, r.alpha, key.beta, *v.y, kernel.stride_of(r.params)};
  reference_ = {key, std::make_shared<const Reference>(
                         from_elements ? reference_of_slots(*format, terms, r.precision, progress)
                                       : reference_product(*a, terms, r.view, r.precision, progress))};
  return reference_.value;
}

}  // namespace warpspy
