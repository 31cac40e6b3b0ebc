#include "profiling/engine/part_products.hpp"

#include <algorithm>
#include <utility>

#include "core/base/numbers.hpp"
#include "core/formats/format.hpp"
#include "core/partition/link.hpp"
#include "kernels/table/table.hpp"
#include "profiling/engine/rank_words.hpp"
#include "profiling/engine/simulated_runner.hpp"
#include "profiling/metrics/metrics.hpp"
#include "profiling/simulated/scaling.hpp"

namespace warpspy {
namespace {

// Whether the format can hold these entries: those of symmetric matrices hold few halos.
bool holds(const PartKernel& how, const std::shared_ptr<const Csr>& entries) {
  Matrix matrix;
  matrix.csr = entries;
  const FormatRow& row = format_row(how.kernel.info.format);
  try {
    row.estimate(FormatFacts(matrix), how.request.precision,
                 checked_params(row.info.params, how.request.format_params));
    return true;
  } catch (const Error&) {
    return false;
  }
}

// The share of the blocks of all launches that ran.
double share_of(const Simulation& s) {
  double blocks = 0, ran = 0;
  for (const LaunchSimulation& launch : s.launches) {
    blocks += static_cast<double>(launch.shape.grid);
    ran += launch.share * static_cast<double>(launch.shape.grid);
  }
  return blocks > 0 ? ran / blocks : 1;
}

}  // namespace

std::vector<double> gathered(std::span<const double> from, std::span<const index_t> places) {
  std::vector<double> to(places.size());
  for (std::size_t k = 0; k < to.size(); ++k) to[k] = from[static_cast<std::size_t>(places[k])];
  return to;
}

std::string part_name(std::size_t k, std::size_t parts) {
  return "part " + std::to_string(k + 1) + " of " + std::to_string(parts);
}

PartKernels::PartKernels(const PreparedRun& run)
    : local{run.kernel, run.request, run.params},
      halo(local),
      plain_halo{kernel_row(RunRequest{}.kernel), run.request, {}} {
  halo.request.beta = plain_halo.request.beta = 1;
  plain_halo.params = checked_params(plain_halo.kernel.info.params, {});
  plain_halo.request.kernel = plain_halo.kernel.info.id;
  plain_halo.request.params = plain_halo.params, plain_halo.request.format_params = {};
}

const PartKernel& PartKernels::of_halo(const Part& part) const { return holds(halo, part.halo) ? halo : plain_halo; }

void PartKernels::tell_plain(int halos, RunRecord& r) const {
  if (halos > 0)
    r.notes.push_back("the halo of " + std::to_string(halos) + (halos == 1 ? " part" : " parts") + " runs with " +
                      plain_halo.kernel.info.label + ": " + format_row(r.format).info.label +
                      " holds no matrix like it");
}

PartProducts::PartProducts(const PreparedRun& run) : run_(run), kernels_(run) {
  all_.has_l2 = run.device.spec.l2_bytes > 0;
}

PartPiece PartProducts::local(const Part& part, std::vector<double> x, std::vector<double> y, Preparation& preparation,
                              const Around& around, Progress& progress) {
  return run_piece(kernels_.local, part.local, std::move(x), std::move(y), preparation, around, progress);
}

PartPiece PartProducts::halo(const Part& part, std::vector<double> x, std::vector<double> y, Preparation& preparation,
                             const Around& around, Progress& progress) {
  const PartKernel& how = kernels_.of_halo(part);
  plain_halos_ += &how == &kernels_.plain_halo;
  return run_piece(how, part.halo, std::move(x), std::move(y), preparation, around, progress);
}

PartPiece PartProducts::run_piece(const PartKernel& how, const std::shared_ptr<const Csr>& entries,
                                  std::vector<double> x, std::vector<double> y, Preparation& preparation,
                                  const Around& around, Progress& progress) {
  Matrix matrix;
  matrix.csr = entries;
  const RunRequest& request = how.request;
  const GpuSpec& gpu = run_.device.spec;
  PreparedRun run{request, entries, how.kernel, run_.device, how.params, {}, {}, {}, run_.model};
  run.format = preparation.format(matrix, how.kernel.info.format, request, run_.device, progress);
  run.vectors.x = std::make_shared<const std::vector<double>>(std::move(x));
  run.vectors.y = std::make_shared<const std::vector<double>>(std::move(y));
  const auto product = around.make ? around.make(run) : how.kernel.emulate(run.inputs());
  SimulateOptions options;
  options.budget = budget_for(*entries);
  options.cache_state = request.cache_state;
  Simulation s = simulate(*product, gpu, options, progress);
  PartPiece piece;
  const double flops = around.products * run.flops();
  piece.time = around.calibrated ? estimate_time(s, gpu, request.precision, flops, request.kernel,
                                                 run_.model ? run_.model->of(gpu.id) : nullptr)
                                 : estimate_time(s, gpu, request.precision, flops);
  piece.y = product->y();
  piece.done.assign(piece.y.size(), s.share == 1);
  for (const std::int64_t block : s.blocks)
    if (const auto rows = product->rows_of_block(block))
      std::fill(piece.done.begin() + rows->first, piece.done.begin() + rows->second, true);
  piece.format_bytes = static_cast<double>(run.format->size().bytes());
  for (const simt::ArrayInfo& array : product->arrays()) piece.array_bytes += static_cast<double>(array.bytes);
  tell_padding(*run.format, s.arrays);
  conversion_us_ += preparation.conversion_us();
  setup_us_ += product->setup_us();
  minimum_bytes_ += around.products * around.times * run.minimum_bytes();
  for (int k = 1; k < around.times; ++k) add(s);
  add(std::move(s));
  return piece;
}

std::string PartProducts::counts() const {
  wire::Writer to;
  to(plain_halos_, conversion_us_, setup_us_, minimum_bytes_, static_cast<std::uint64_t>(all_.launches.size()));
  for (const LaunchSimulation& launch : all_.launches) put_launch(to, launch);
  return to.take();
}

void PartProducts::take_counts(const std::vector<std::string>& of_ranks) {
  const bool has_l2 = all_.has_l2;
  all_ = {};
  all_.has_l2 = has_l2;
  plain_halos_ = 0, conversion_us_ = setup_us_ = minimum_bytes_ = 0;
  for (const std::string& bytes : of_ranks) {
    wire::Reader from(bytes);
    plain_halos_ += from.read<int>();
    conversion_us_ += from.read<double>(), setup_us_ += from.read<double>(), minimum_bytes_ += from.read<double>();
    Simulation more;
    more.launches.resize(from.read<std::uint64_t>());
    for (LaunchSimulation& launch : more.launches) get_launch(from, run_.device.spec, launch);
    from.end();
    add(std::move(more));
  }
}

void PartProducts::add(Simulation more) {
  for (LaunchSimulation& launch : more.launches) {
    if (launch.shape.grid > all_.shape.grid) all_.shape = launch.shape, all_.occupancy = launch.occupancy;
    add_launch(all_, launch);
    all_.launches.push_back(std::move(launch));
  }
}

// The share of the depth's budget that a product of so many entries gets: all parts together take what one would. Small
// products always get enough to run whole.
double PartProducts::budget_for(const Csr& entries) const {
  constexpr double least = 1e6;
  const double share = static_cast<double>(entries.nnz()) / static_cast<double>(run_.matrix->nnz());
  return std::max(least, share * budget_of(run_.request.depth));
}

void PartProducts::require_room(double bytes) const {
  double most = run_.device.spec.memory_bytes;
  if (const auto& limit = run_.request.memory.device_bytes) most = std::min(most, static_cast<double>(*limit));
  if (bytes > most)
    throw Error(
        "its local entries, its halo and its vectors need " + byte_text(bytes) + ", and its GPU has " + byte_text(most),
        {}, "use more parts");
}

void PartProducts::tell(RunRecord& r) {
  r.minimum_bytes = {minimum_bytes_, "B", Provenance::modelled};
  r.details.push_back({"conversion", "conversion", {conversion_us_, "us", Provenance::measured}});
  if (setup_us_ > 0) r.details.push_back({"setup", "setup, once", {setup_us_, "us", Provenance::measured}});
  note_model(all_, run_, r);
  kernels_.tell_plain(plain_halos_, r);
  r.sampled_share = all_.share = share_of(all_);
  r.counters = modelled_counters(all_, run_.device.spec);
  r.arrays = std::move(all_.arrays);
  r.lines = std::move(all_.lines);
}

void tell_partition(const Partition& p, const Link* link, Precision precision, double divided_us, RunRecord& r) {
  const Provenance counted = link ? Provenance::modelled : Provenance::derived;
  const auto add = [&](const char* id, const char* label, double value, const char* unit, Provenance from) {
    r.details.push_back({id, label, {value, unit, from}});
  };
  double halo = 0, messages = 0;
  for (const Part& part : p.parts) {
    halo += static_cast<double>(part.halo_columns.size());
    messages += static_cast<double>(part.in.size());
  }
  add("parts_imbalance", "most entries of a part, of their mean", imbalance_of(p), "1", counted);
  add("halo_bytes", "halo of all parts", halo * bytes_of(precision), "B", counted);
  add("halo_messages", "messages of all parts", messages, "1", counted);
  add("division", "dividing the matrix, once", divided_us, "us", Provenance::measured);
  if (!link) return;
  add("link_bandwidth", "bandwidth of the link", link->gbs, "GB/s", Provenance::modelled);
  add("link_latency", "latency of a message", link->latency_us, "us", Provenance::modelled);
  r.notes.push_back("the parts are joined by " + link->name +
                    " in the model; counters, traffic and minimum bytes are those of all GPUs together");
}

}  // namespace warpspy
