#include "profiling/engine/parts_runner.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <span>
#include <string>
#include <utility>

#include "core/base/numbers.hpp"
#include "core/formats/format.hpp"
#include "core/matrix/memory_guard.hpp"
#include "core/partition/link.hpp"
#include "core/run/check_words.hpp"
#include "kernels/table/table.hpp"
#include "profiling/engine/simulated_runner.hpp"
#include "profiling/metrics/metrics.hpp"
#include "profiling/simulated/scaling.hpp"
#include "profiling/simulated/simulate.hpp"
#include "profiling/simulated/time_model.hpp"

namespace warpspy {
namespace {

using Clock = std::chrono::steady_clock;

double us_since(Clock::time_point began) {
  return std::chrono::duration<double, std::micro>(Clock::now() - began).count();
}

std::vector<double> gathered(std::span<const double> from, std::span<const index_t> places) {
  std::vector<double> to(places.size());
  for (std::size_t k = 0; k < to.size(); ++k) to[k] = from[static_cast<std::size_t>(places[k])];
  return to;
}

// What one of a part's two products gave.
struct Piece {
  std::vector<double> y;
  std::vector<char> done;  // for each row whether its y is complete: a sample of the blocks leaves some out
  double us = 0, conversion_us = 0, setup_us = 0, minimum_bytes = 0, format_bytes = 0;
  std::string how;
};

// The products of all parts together.
struct Total {
  Simulation s;
  double conversion_us = 0, setup_us = 0, minimum_bytes = 0;

  void add(Simulation more) {
    for (LaunchSimulation& launch : more.launches) {
      if (launch.shape.grid > s.shape.grid) s.shape = launch.shape, s.occupancy = launch.occupancy;
      add_launch(s, launch);
      s.launches.push_back(std::move(launch));
    }
  }
  // Of the blocks of all launches.
  double share() const {
    double blocks = 0, ran = 0;
    for (const LaunchSimulation& launch : s.launches) {
      blocks += static_cast<double>(launch.shape.grid);
      ran += launch.share * static_cast<double>(launch.shape.grid);
    }
    return blocks > 0 ? ran / blocks : 1;
  }
};

// The share of the depth's budget that a product of so many entries gets: all parts together take what one would. Small
// products always get enough to run whole.
double budget_for(const PreparedRun& whole, const Csr& entries) {
  constexpr double least = 1e6;
  const double share = static_cast<double>(entries.nnz()) / static_cast<double>(whole.matrix->nnz());
  return std::max(least, share * budget_of(whole.request.depth));
}

// Which kernel runs a product of a part, and how.
struct How {
  const KernelRow& kernel;
  RunRequest request;
  ParamSet params;  // complete
};

// `y`: before the product, if beta is not 0.
Piece run_piece(const PreparedRun& whole, const How& how, const std::shared_ptr<const Csr>& entries,
                std::vector<double> x, std::vector<double> y, Preparation& preparation, Total& sum,
                Progress& progress) {
  Matrix matrix;
  matrix.csr = entries;
  const RunRequest& request = how.request;
  PreparedRun run{request, entries, how.kernel, whole.device, how.params, {}, {}, {}, whole.model};
  run.format = preparation.format(matrix, how.kernel.info.format, request, whole.device, progress);
  run.vectors.x = std::make_shared<const std::vector<double>>(std::move(x));
  run.vectors.y = std::make_shared<const std::vector<double>>(std::move(y));
  const auto product = how.kernel.emulate(run.inputs());
  SimulateOptions options;
  options.budget = budget_for(whole, *entries);
  options.cache_state = request.cache_state;
  Simulation s = simulate(*product, whole.device.spec, options, progress);
  const TimeEstimate time = estimate_time(s, whole.device.spec, request.precision, run.flops(), request.kernel,
                                          whole.model ? whole.model->of(whole.device.spec.id) : nullptr);
  Piece piece;
  piece.y = product->y();
  piece.done.assign(piece.y.size(), s.share == 1);
  for (const std::int64_t block : s.blocks)
    if (const auto rows = product->rows_of_block(block))
      std::fill(piece.done.begin() + rows->first, piece.done.begin() + rows->second, true);
  piece.us = time.total;
  piece.how = time.how;
  piece.format_bytes = static_cast<double>(run.format->size().bytes());
  tell_padding(*run.format, s.arrays);
  sum.conversion_us += preparation.conversion_us();
  sum.setup_us += product->setup_us();
  sum.minimum_bytes += run.minimum_bytes();
  sum.add(std::move(s));
  return piece;
}

// Whether the format can hold these entries: those of symmetric matrices hold few halos.
bool holds(const How& how, const std::shared_ptr<const Csr>& entries) {
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

// Where there are no entries nothing is launched: y is beta y.
Piece no_product(std::size_t rows, double beta, const std::vector<double>& y, Precision precision) {
  Piece piece;
  piece.y.resize(rows);
  piece.done.assign(rows, true);
  for (std::size_t k = 0; k < y.size(); ++k) {
    const double v = (precision == Precision::f32 ? static_cast<float>(beta) : beta) * y[k];
    piece.y[k] = precision == Precision::f32 ? static_cast<float>(v) : v;
  }
  return piece;
}

std::string part_name(std::size_t k, std::size_t parts) {
  return "part " + std::to_string(k + 1) + " of " + std::to_string(parts);
}

// Both formats and the vectors of a part at once.
void require_room(const PreparedRun& run, const Part& part, double formats) {
  const double vectors = static_cast<double>(part.rows.size() + part.columns.size() + part.halo_columns.size()) *
                         bytes_of(run.request.precision);
  double most = run.device.spec.memory_bytes;
  if (const auto& limit = run.request.memory.device_bytes) most = std::min(most, static_cast<double>(*limit));
  if (formats + vectors > most)
    throw Error("its local entries, its halo and its vectors need " + byte_text(formats + vectors) +
                    ", and its GPU has " + byte_text(most),
                {}, "use more parts");
}

// The rows that are done, as ranges.
std::vector<RowRange> ranges_of(const std::vector<char>& done) {
  std::vector<RowRange> ranges;
  for (std::size_t row = 0; row < done.size(); ++row) {
    if (!done[row]) continue;
    const auto at = static_cast<index_t>(row);
    if (!ranges.empty() && ranges.back().second == at)
      ++ranges.back().second;
    else
      ranges.emplace_back(at, at + 1);
  }
  return ranges;
}

void note_sample_of_parts(double share, bool some_rows_checked, std::vector<std::string>& notes) {
  char text[64];
  std::snprintf(text, sizeof text, "%.3g %% of the blocks of all parts ran", 100 * share);
  notes.push_back(std::string(text) + "; counts are scaled to all of them, " +
                  (some_rows_checked ? "only their rows are checked" : "and no row is checked"));
  if (!some_rows_checked)
    notes.push_back(std::string(not_checked_note) + "several blocks complete a row, and not all of them ran");
}

// All parts together: y, and what their products cost.
class Whole {
 public:
  Whole(const PreparedRun& run, std::size_t parts)
      : local_us(parts),
        halo_us(parts),
        hows(parts),
        run_(run),
        local_{run.kernel, run.request, run.params},
        halo_(local_),
        plain_halo_{kernel_row(RunRequest{}.kernel), run.request, {}} {
    y.resize(static_cast<std::size_t>(run.matrix->rows()));
    done.resize(y.size());
    sum_.s.has_l2 = run.device.spec.l2_bytes > 0;
    halo_.request.beta = plain_halo_.request.beta = 1;
    plain_halo_.params = checked_params(plain_halo_.kernel.info.params, {});
    plain_halo_.request.kernel = plain_halo_.kernel.info.id;
    plain_halo_.request.params = plain_halo_.params, plain_halo_.request.format_params = {};
  }
  void add_part(std::size_t k, const Part& part, PartsRunner::Prepared& prepared, Progress& progress) {
    if (part.rows.empty()) return;
    progress.check();
    const std::vector<double>&x = *run_.vectors.x, &all_before = *run_.vectors.y;
    const std::vector<double> before = all_before.empty() ? all_before : gathered(all_before, part.rows);
    Piece all = part.local->nnz() > 0 ? run_piece(run_, local_, part.local, gathered(x, part.columns), before,
                                                  prepared.local, sum_, progress)
                                      : no_product(part.rows.size(), run_.request.beta, before, run_.request.precision);
    local_us[k] = all.us;
    hows[k] = all.how;
    double formats = all.format_bytes;
    if (part.halo->nnz() > 0) {
      const auto first = static_cast<std::ptrdiff_t>(part.boundary);
      const bool fits = holds(halo_, part.halo);
      plain_halos_ += !fits;
      const Piece halo = run_piece(run_, fits ? halo_ : plain_halo_, part.halo, gathered(x, part.halo_columns),
                                   {all.y.begin() + first, all.y.end()}, prepared.halo, sum_, progress);
      halo_us[k] = halo.us;
      formats += halo.format_bytes;
      std::copy(halo.y.begin(), halo.y.end(), all.y.begin() + first);
      std::transform(halo.done.begin(), halo.done.end(), all.done.begin() + first, all.done.begin() + first,
                     [](char a, char b) { return static_cast<char>(a && b); });
    }
    require_room(run_, part, formats);
    for (std::size_t i = 0; i < part.rows.size(); ++i) {
      y[static_cast<std::size_t>(part.rows[i])] = all.y[i];
      done[static_cast<std::size_t>(part.rows[i])] = all.done[i];
    }
  }
  void tell(RunRecord& r) {
    r.minimum_bytes = {sum_.minimum_bytes, "B", Provenance::modelled};
    r.details.push_back({"conversion", "conversion", {sum_.conversion_us, "us", Provenance::measured}});
    if (sum_.setup_us > 0) r.details.push_back({"setup", "setup, once", {sum_.setup_us, "us", Provenance::measured}});
    note_model(sum_.s, run_, r);
    if (plain_halos_ > 0)
      r.notes.push_back("the halo of " + std::to_string(plain_halos_) + (plain_halos_ == 1 ? " part" : " parts") +
                        " runs with " + plain_halo_.kernel.info.label + ": " + format_row(r.format).info.label +
                        " holds no matrix like it");
    r.sampled_share = sum_.s.share = sum_.share();
    r.counters = modelled_counters(sum_.s, run_.device.spec);
    r.arrays = std::move(sum_.s.arrays);
    r.lines = std::move(sum_.s.lines);
  }

  std::vector<double> y;
  std::vector<char> done;                 // for each row whether its y is complete
  std::vector<double> local_us, halo_us;  // of each part
  std::vector<std::string> hows;          // how the time of each local product came about

 private:
  const PreparedRun& run_;
  How local_, halo_;  // the halo's product adds to the local one
  How plain_halo_;    // the kernel of a run that names none, for halos that the format cannot hold
  int plain_halos_ = 0;
  Total sum_;
};

void tell_parts(const Partition& p, const Link& link, Precision precision, double divided_us, RunRecord& r) {
  const auto add = [&](const char* id, const char* label, double value, const char* unit, Provenance from) {
    r.details.push_back({id, label, {value, unit, from}});
  };
  double halo = 0, messages = 0;
  for (const PartResult& part : r.parts) {
    halo += static_cast<double>(part.halo_in);
    messages += static_cast<double>(part.messages);
  }
  add("parts_imbalance", "most entries of a part, of their mean", imbalance_of(p), "1", Provenance::modelled);
  add("halo_bytes", "halo of all parts", halo * bytes_of(precision), "B", Provenance::modelled);
  add("halo_messages", "messages of all parts", messages, "1", Provenance::modelled);
  add("link_bandwidth", "bandwidth of the link", link.gbs, "GB/s", Provenance::modelled);
  add("link_latency", "latency of a message", link.latency_us, "us", Provenance::modelled);
  add("division", "dividing the matrix, once", divided_us, "us", Provenance::measured);
  r.notes.push_back("the parts are joined by " + link.name +
                    " in the model; counters, traffic and minimum bytes are those of all GPUs together");
}

}  // namespace

void PartsRunner::let_go() {
  matrix_.reset();
  partition_ = {};
  prepared_.clear();
}

void PartsRunner::divide(const PreparedRun& run, Progress& progress) {
  const RunRequest& request = run.request;
  if (matrix_.lock() == run.matrix && parts_ == request.parts && split_ == request.split) return;
  let_go();
  const auto began = Clock::now();
  partition_ = partition_of(*run.matrix, row_parts(*run.matrix, request.parts, request.split, progress), request.parts,
                            progress);
  divided_us_ = us_since(began);
  parts_ = request.parts, split_ = request.split;
  prepared_ = std::vector<Prepared>(partition_.parts.size());
  matrix_ = run.matrix;
}

void PartsRunner::run(const PreparedRun& run, RunRecord& r, Progress& progress) {
  const RunRequest& request = run.request;
  if (run.kernel.info.operation != Operation::product || run.kernel.info.format.empty())
    throw Error("kernel " + run.kernel.info.id + " computes no A x: the product over parts is y = A x alone", "parts",
                "choose another kernel, or use --parts 1");
  require_emulated(run);
  const Link& link = link_of(run.model->links, run.device.spec.id);
  divide(run, progress);
  require_memory(2.0 * static_cast<double>(r.rows) * (sizeof(double) + 1), "y of all parts");
  const auto asked = Clock::now();
  const std::size_t number = partition_.parts.size();
  Whole whole(run, number);
  for (std::size_t k = 0; k < number; ++k) {
    progress.set(static_cast<double>(k) / static_cast<double>(number));
    try {
      whole.add_part(k, partition_.parts[k], prepared_[k], progress);
    } catch (const Error& e) {
      throw Error(part_name(k, number) + ": " + e.reason, e.where, e.remedy);
    }
  }
  r.parts = timed_parts(partition_, whole.local_us, whole.halo_us, link, bytes_of(request.precision));
  const auto slowest = std::max_element(r.parts.begin(), r.parts.end(),
                                        [](const PartResult& a, const PartResult& b) { return a.time_us < b.time_us; });
  const auto at = static_cast<std::size_t>(slowest - r.parts.begin());
  set_time(r, run.flops(), slowest->time_us, Provenance::modelled,
           part_name(at, number) +
               " is the slowest: the longer of its local product and the way of its halo, then its " +
               "product with the halo" + (whole.hows[at].empty() ? "" : "; local product: " + whole.hows[at]));
  tell_parts(partition_, link, request.precision, divided_us_, r);
  whole.tell(r);
  r.details.push_back({"answered", "model answered in", {us_since(asked) * 1e-6, "s", Provenance::measured}});
  const std::vector<RowRange> ranges = ranges_of(whole.done);
  if (r.sampled_share < 1) note_sample_of_parts(r.sampled_share, !ranges.empty(), r.notes);
  check(run, r, whole.y, ranges);
}

}  // namespace warpspy
