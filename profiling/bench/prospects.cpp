#include "profiling/bench/prospects.hpp"

#include <algorithm>

#include "core/formats/compact.hpp"
#include "core/formats/sample.hpp"
#include "core/model/bytes.hpp"
#include "profiling/tuner/cost_model.hpp"

namespace warpspy {

std::optional<Csr> Prospects::sample_of(const Matrix& matrix) {
  constexpr index_t entries = 200'000;
  return sample_rows(*matrix.csr, entries);
}

Prospects::Prospects(const Matrix& matrix, const std::optional<Csr>& sample, Precision precision,
                     const DeviceInfo& device, bool in_order, bool cold)
    : matrix_(matrix), precision_(precision), device_(device), in_order_(in_order), cold_(cold), facts_(matrix) {
  csr_bytes_ = static_cast<double>(format_row("csr").estimate(*matrix.csr, precision, {}).bytes());
  scattered_bytes_ = scattered_bytes(*matrix.csr, bytes_of(precision));
  if (!sample) return;
  sample_facts_.emplace(*sample);
  sample_bytes_ = static_cast<double>(format_row("csr").estimate(*sample, precision, {}).bytes());
}

std::vector<Family> Prospects::families(const std::vector<const KernelRow*>& list, const RunRecord* remembered) {
  std::vector<Family> all;
  for (const KernelRow* k : list)
    for (BenchCandidate& c : candidates_of(*k, &format_row(k->info.format).info, scale_of(device_.spec), in_order_)) {
      if (all.empty() || all.back().kernel != k || all.back().format_params() != c.format_params)
        all.push_back({.kernel = k});
      all.back().candidates.push_back(std::move(c));
    }
  for (Family& f : all) cost(f, remembered);
  return all;
}

void Prospects::cost(Family& f, const RunRecord* remembered) {
  const KernelInfo& k = f.kernel->info;
  const double bytes = likely_bytes(k.format, f.format_params());
  const index_t inputs = input_size(k.operation, matrix_.csr->rows(), matrix_.csr->cols());
  const Prospect prospect{.least_bytes = bytes,
                          .longest_row = static_cast<double>(facts_.lengths().longest),
                          .rows_whole = f.kernel->rows_per_block != nullptr,
                          .rows = static_cast<double>(matrix_.csr->rows()),
                          .vector_bytes = static_cast<double>(inputs * bytes_of(precision_)),
                          .entries = static_cast<double>(matrix_.csr->nnz()),
                          .scattered_bytes = scattered_bytes_,
                          .block_rows = block_rows_of(f.format_params()),
                          .value_bytes = static_cast<double>(bytes_of(precision_)),
                          .device = scale_of(device_.spec),
                          .cold = cold_};
  f.cost = modelled_cost_us(k, prospect);
  f.done.assign(f.candidates.size(), false);
  ParamSet likely = likely_params(k, {}, prospect, device_.spec.l2_bytes);
  if (in_order_ && likely.contains("overlap")) likely["overlap"] = 0;
  const auto candidate = [&](const ParamSet& params, std::size_t otherwise) {
    for (std::size_t i = 0; i < f.candidates.size(); ++i)
      if (f.candidates[i].params == params) return i;
    return otherwise;
  };
  f.first = candidate(likely, 0);
  for (const ParamSet& start : other_starts(k, {}, likely, scale_of(device_.spec)))
    if (const std::size_t i = candidate(start, f.first); i != f.first) f.starts.push_back(i);
  if (remembered && remembered->request.kernel == k.id && remembered->request.format_params == f.format_params())
    for (std::size_t i = 0; i < f.candidates.size(); ++i)
      if (f.candidates[i].params == remembered->request.params) f.first = i, f.cost = 0;
}

// Estimates a format's bytes from a sample, if the sample shows that they are far too many. Infinite if they cannot be
// known soon, or if a compact format is not smaller than the plain one.
double Prospects::likely_bytes(const std::string& format, const ParamSet& params) {
  const FormatRow& row = format_row(format);
  if (row.slow_estimate && !row.symmetric) return Family::never;
  try {
    const auto bytes = [&](const std::string& id, const ParamSet& p) { return bytes_of_format(id, p); };
    if (row.info.compact()) {
      const auto in_sample = [&](const std::string& id, const ParamSet& p) {
        return static_cast<double>(format_row(id).estimate(*sample_facts_, precision_, p).bytes());
      };
      // A format with parameters has several forms to compare. (One without is csr_compact. Its size depends on how
      // many values and columns the matrix has, which a sample does not show.)
      if (sample_facts_ && !params.empty() && !row.symmetric && !compact_gains(row.info, params, in_sample))
        return Family::never;
      // A sample lacks the entries across the diagonal. Half of the plain format must be smaller than CSR.
      if (sample_facts_ && row.symmetric &&
          in_sample(row.info.compact_of, plain_params(row.info, params)) > 2 * sample_bytes_)
        return Family::never;
      return compact_gains(row.info, params, bytes) ? bytes_of_format(format, params) : Family::never;
    }
    if (sample_facts_) {
      const double ratio =
          static_cast<double>(row.estimate(*sample_facts_, precision_, params).bytes()) / sample_bytes_;
      if (ratio > worse_cost) return ratio * csr_bytes_;
    }
    return bytes_of_format(format, params);
  } catch (const Error&) {
    return Family::never;
  }
}

double Prospects::bytes_of_format(const std::string& id, const ParamSet& params) {
  const auto at = format_bytes_.try_emplace({id, params}, -1).first;
  if (at->second < 0) at->second = static_cast<double>(format_row(id).estimate(facts_, precision_, params).bytes());
  return at->second;
}

}  // namespace warpspy
