#include "profiling/engine/search_plan.hpp"

#include <memory>

#include "core/base/numbers.hpp"
#include "core/formats/compact.hpp"
#include "core/formats/format.hpp"
#include "core/model/bytes.hpp"
#include "kernels/table/table.hpp"
#include "profiling/engine/devices.hpp"
#include "profiling/tuner/cost_model.hpp"
#include "profiling/tuner/space.hpp"
#include "profiling/tuner/tune.hpp"

namespace warpspy {
namespace {

bool runs_on(const KernelRow& row, const DeviceInfo& device) {
  return device.simulated ? row.emulate != nullptr : row.on_device != nullptr;
}

// The format's parameters for a kernel: those of the request for the current kernel, defaults for others.
ParamSet format_params_for(const KernelInfo& kernel, const TuneRequest& r, const KernelInfo& used) {
  return kernel.format == used.format ? r.run.format_params : ParamSet{};
}

// Whether half of the blocks or diagonals of a symmetric matrix may be smaller than CSR. Only then is the estimate
// worth its time.
bool halves(const FormatRow& format, const FormatFacts& facts, Precision precision, const ParamSet& params,
            double csr_bytes) {
  if (!format.symmetric || format.info.compact_of.empty()) return false;
  const Estimate whole =
      format_row(format.info.compact_of).estimate(facts, precision, plain_params(format.info, params));
  return static_cast<double>(whole.bytes()) < csr_bytes;
}

void add_alternative(const KernelRow& row, const FormatFacts& facts, const TuneRequest& r, const DeviceInfo& device,
                     double csr_bytes, Problem& problem) {
  const KernelInfo& kernel = row.info;
  if (kernel.operation != problem.kernel.operation || kernel.format.empty()) return;
  const auto leave_out = [&](const std::string& why) { problem.left_out.push_back(kernel.id + ": " + why); };
  if (!runs_on(row, device)) return leave_out("does not run on " + device.name);
  const FormatRow& format = format_row(kernel.format);
  try {
    const ParamSet params = checked_params(format.info.params, format_params_for(kernel, r, problem.kernel));
    if (format.slow_estimate && kernel.id != problem.kernel.id &&
        !halves(format, facts, r.run.precision, params, csr_bytes))
      return leave_out("estimating format " + kernel.format + " takes longer than many products");
    const Estimate e = format.estimate(facts, r.run.precision, params);
    if (static_cast<double>(e.bytes()) > device.spec.memory_bytes)
      return leave_out("format " + kernel.format + " does not fit the device");
    if (static_cast<double>(e.bytes()) > usual_memory * csr_bytes + little_bytes && kernel.id != problem.kernel.id)
      return leave_out("format " + kernel.format + " needs " + byte_text(static_cast<double>(e.bytes())) + ", CSR " +
                       byte_text(csr_bytes));
    problem.alternatives.push_back({kernel, static_cast<double>(minimum_bytes(row, e, facts.csr(), r.run.precision)),
                                    row.rows_per_block != nullptr, !format.info.intermediate, block_rows_of(params)});
  } catch (const Error& e) {
    leave_out(e.reason);
  }
}

Problem problem_of(const KernelInfo& kernel, const TuneRequest& r, const Matrix& matrix, const DeviceInfo& device) {
  Problem p;
  p.kernel = kernel;
  checked_params(p.kernel.params, r.run.params);  // throws for what is out of range
  p.held = r.run.params;
  p.rows = matrix.csr->rows();
  p.nnz = matrix.csr->nnz();
  p.cols = matrix.csr->cols();
  p.precision = r.run.precision;
  p.scattered_bytes = scattered_bytes(*matrix.csr, bytes_of(p.precision));
  p.most_products = r.most_products;
  p.l2_bytes = device.spec.l2_bytes;
  p.device = scale_of(device.spec);
  p.cold = r.run.cache_state == CacheState::cold;
  const FormatFacts facts(matrix);
  p.longest_row = facts.lengths().longest;
  const auto csr_bytes = static_cast<double>(format_row("csr").estimate(facts, r.run.precision, {}).bytes());
  for (const KernelRow& row : kernels()) add_alternative(row, facts, r, device, csr_bytes, p);
  return p;
}

class Strategies final : public SearchPlan {
 public:
  Strategies(KernelOf kernel_of, const DeviceInfo& device, const std::string& note, const TuneRequest& request,
             const Matrix& matrix)
      : kernel_of_(kernel_of),
        device_(device.id),
        problem_(problem_of(kernel_of(request.run.kernel).info, request, matrix, device)),
        most_(most_products(problem_, request.strategies)) {
    begun_.request = request;
    begun_.matrix_name = matrix.source.name;
    begun_.rows = matrix.csr->rows();
    begun_.cols = matrix.csr->cols();
    begun_.nnz = matrix.csr->nnz();
    begun_.device = device.id;
    begun_.device_name = device.name;
    begun_.provenance = device.simulated ? Provenance::modelled : Provenance::measured;
    begun_.notes.push_back("a parameter set is " + std::string(device.simulated ? "modelled" : "measured") +
                           " once; strategies that ask for it again are given the same time, and count it");
    if (!note.empty()) begun_.notes.push_back(note);
  }

  std::string name() const override { return "tune " + begun_.request.run.kernel; }
  std::size_t expected(const Results&) const override { return static_cast<std::size_t>(most_); }
  TuneRecord record(const Results& so_far) const override { return searched(so_far).record; }
  std::vector<Case> next(const Results& so_far) const override {
    const Searched now = searched(so_far);
    std::vector<Case> cases;
    for (const Candidate& c : now.wanted) {
      RunRequest r = begun_.request.run;
      r.counters = "none";  // a search wants times
      r.device = device_;   // "auto" might continue on another device, whose times cannot be compared
      r.kernel = c.kernel;
      r.params = c.params;
      r.format_params = format_params_for(kernel_of_(c.kernel).info, begun_.request, problem_.kernel);
      cases.push_back({std::move(r), now.stage, Purpose::trial});
    }
    return cases;
  }

 private:
  Searched searched(const Results& so_far) const {
    Known known;
    for (const CaseResult& r : so_far) {
      const RunRecord& run = *r.record;
      Measured m;
      m.format = kernel_of_(r.asked.request.kernel).info.format;
      if (run.status == RunStatus::ok)
        m.us = run.time.value;
      else
        m.failure = run.error;
      m.device_lost = device_was_lost(run);
      if (const Quantity* conversion = run.detail("conversion")) m.conversion_us = conversion->value;
      known.emplace(Candidate{r.asked.request.kernel, r.asked.request.params}, std::move(m));
    }
    return tune(problem_, known, begun_);
  }

  KernelOf kernel_of_;
  std::string device_;
  Problem problem_;
  int most_;
  TuneRecord begun_;
};

}  // namespace

MakeSearch search_maker(KernelOf kernel_of) {
  return [kernel_of](const TuneRequest& request, const Matrix& matrix, const std::vector<DeviceInfo>& devices) {
    if (request.most_products < 1) throw Error("the most products must be at least 1", "most_products");
    const Chosen chosen = choose_device(request.run.device, devices);
    return std::make_unique<Strategies>(kernel_of, *chosen.device, chosen.note, request, matrix);
  };
}

}  // namespace warpspy
