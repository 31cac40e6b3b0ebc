#include "profiling/engine/parts_runner.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <utility>

#include "core/base/hash.hpp"
#include "core/matrix/memory_guard.hpp"
#include "core/partition/link.hpp"
#include "core/run/check_words.hpp"
#include "core/run/sweep.hpp"
#include "profiling/engine/part_products.hpp"
#include "profiling/engine/simulated_runner.hpp"
#include "profiling/ranks/ranks.hpp"
#include "profiling/wire/archive.hpp"

namespace warpspy {
namespace {

using PartsClock = std::chrono::steady_clock;

double us_since(PartsClock::time_point began) {
  return std::chrono::duration<double, std::micro>(PartsClock::now() - began).count();
}

// Where there are no entries nothing is launched: y is beta y.
PartPiece no_product(std::size_t rows, double beta, const std::vector<double>& y, Precision precision) {
  PartPiece piece;
  piece.y.resize(rows);
  piece.done.assign(rows, true);
  for (std::size_t k = 0; k < y.size(); ++k) {
    const double v = (precision == Precision::f32 ? static_cast<float>(beta) : beta) * y[k];
    piece.y[k] = precision == Precision::f32 ? static_cast<float>(v) : v;
  }
  return piece;
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
  Whole(const PreparedRun& run, std::size_t parts, Ranks* ranks)
      : local_us(parts), halo_us(parts), hows(parts), products(run), run_(run), ranks_(ranks) {
    y.resize(static_cast<std::size_t>(run.matrix->rows()));
    done.resize(y.size());
  }
  void add_part(std::size_t k, const Part& part, PartsRunner::Prepared& prepared, Progress& progress) {
    const std::vector<double>&x = *run_.vectors.x, &all_before = *run_.vectors.y;
    // A part without rows may have x that others need.
    const std::vector<double> of_others =
        ranks_ ? ranks_->halo(part, gathered(x, part.columns)) : gathered(x, part.halo_columns);
    if (part.rows.empty()) return;
    progress.check();
    const std::vector<double> before = all_before.empty() ? all_before : gathered(all_before, part.rows);
    PartPiece all = part.local->nnz() > 0
                        ? products.local(part, gathered(x, part.columns), before, prepared.local, {}, progress)
                        : no_product(part.rows.size(), run_.request.beta, before, run_.request.precision);
    local_us[k] = all.time.total;
    hows[k] = all.time.how;
    double formats = all.format_bytes;
    if (part.halo->nnz() > 0) {
      const auto first = static_cast<std::ptrdiff_t>(part.boundary);
      const PartPiece halo =
          products.halo(part, of_others, {all.y.begin() + first, all.y.end()}, prepared.halo, {}, progress);
      halo_us[k] = halo.time.total;
      formats += halo.format_bytes;
      std::copy(halo.y.begin(), halo.y.end(), all.y.begin() + first);
      std::transform(halo.done.begin(), halo.done.end(), all.done.begin() + first, all.done.begin() + first,
                     [](char a, char b) { return static_cast<char>(a && b); });
    }
    const std::size_t vectors = part.rows.size() + part.columns.size() + part.halo_columns.size();
    products.require_room(formats + static_cast<double>(vectors) * bytes_of(run_.request.precision));
    for (std::size_t i = 0; i < part.rows.size(); ++i) {
      y[static_cast<std::size_t>(part.rows[i])] = all.y[i];
      done[static_cast<std::size_t>(part.rows[i])] = all.done[i];
    }
  }

  // Every rank gets what the others have of their parts.
  void share(const Partition& partition) {
    const auto own = static_cast<std::size_t>(ranks_->rank());
    const std::vector<index_t>& rows = partition.parts[own].rows;
    std::vector<char> own_done;
    for (const index_t row : rows) own_done.push_back(done[static_cast<std::size_t>(row)]);
    std::vector<std::string> counts;
    std::size_t k = 0;
    for (const std::string& told : ranks_->gather(
             wire::pack(local_us[own], halo_us[own], hows[own], gathered(y, rows), own_done, products.counts()))) {
      std::vector<double> part_y;
      std::vector<char> part_done;
      wire::unpack(told, local_us[k], halo_us[k], hows[k], part_y, part_done, counts.emplace_back());
      const std::vector<index_t>& places = partition.parts[k++].rows;
      for (std::size_t i = 0; i < places.size(); ++i) {
        y[static_cast<std::size_t>(places[i])] = part_y.at(i);
        done[static_cast<std::size_t>(places[i])] = part_done.at(i);
      }
    }
    products.take_counts(counts);
  }

  std::vector<double> y;
  std::vector<char> done;                 // for each row whether its y is complete
  std::vector<double> local_us, halo_us;  // of each part
  std::vector<std::string> hows;          // how the time of each local product came about
  PartProducts products;

 private:
  const PreparedRun& run_;
  Ranks* ranks_;
};

// Differs if any number of the matrix does; a fingerprint may leave some out.
std::string hash_of(const Csr& a) {
  const auto hash = [](const void* from, std::size_t bytes) {
    return hash_of_text({static_cast<const char*>(from), bytes});
  };
  std::string text = std::to_string(a.rows()) + " " + std::to_string(a.cols());
  text += hash(a.row_ptr().data(), a.row_ptr().size_bytes());
  a.columns().visit([&](auto columns) { text += hash(columns.data(), columns.size() * sizeof columns[0]); });
  return text + hash(a.values().data(), a.values().size_bytes()) + hash(a.imag().data(), a.imag().size_bytes());
}

}  // namespace

void PartsRunner::note_ranks(RunRecord& r) const {
  if (!ranks_) return;
  r.notes.push_back("each part was run by a rank of " + ranks_->library() +
                    ", which exchanged halos and sums; times are modelled all the same");
}

void PartsRunner::let_go() {
  matrix_.reset();
  partition_ = {};
  prepared_.clear();
  nccl_.reset();
}

void PartsRunner::agree(const PreparedRun& run) {
  if (!ranks_) return;
  const auto size = static_cast<std::uint64_t>(ranks_->size());
  if (run.request.parts != size)
    throw Error(std::to_string(run.request.parts) + " parts are not one for each of " + std::to_string(size) + " ranks",
                "parts", "leave --parts out");
  ranks_->require_same(hash_of(*run.matrix), "matrix", "give all ranks the same file");
  ranks_->require_same(key_of(run.request), "request", "start all ranks with the same options");
}

void PartsRunner::divide(const PreparedRun& run, Progress& progress) {
  const RunRequest& request = run.request;
  if (matrix_.lock() == run.matrix && parts_ == request.parts && split_ == request.split) return;
  let_go();
  const auto began = PartsClock::now();
  partition_ = partition_of(*run.matrix, row_parts(*run.matrix, request.parts, request.split, progress), request.parts,
                            progress);
  divided_us_ = us_since(began);
  parts_ = request.parts, split_ = request.split;
  prepared_ = std::vector<Prepared>(partition_.parts.size());
  matrix_ = run.matrix;
}

void PartsRunner::for_parts(Progress& progress, const std::function<void(std::size_t k, const Part& part)>& work) {
  const std::size_t number = partition_.parts.size();
  for (std::size_t k = 0; k < number; ++k) {
    if (ranks_ && k != static_cast<std::size_t>(ranks_->rank())) continue;
    progress.set(static_cast<double>(k) / static_cast<double>(number));
    try {
      work(k, partition_.parts[k]);
    } catch (const Error& e) {
      throw Error(part_name(k, number) + ": " + e.reason, e.where, e.remedy);
    }
  }
}

void PartsRunner::run(const PreparedRun& run, RunRecord& r, Progress& progress) {
  if (!run.device.simulated) return run_on_gpus(run, r, progress);
  const RunRequest& request = run.request;
  require_emulated(run);
  agree(run);
  const Link& link = link_of(run.model->links, run.device.spec.id);
  divide(run, progress);
  require_memory(2.0 * static_cast<double>(r.rows) * (sizeof(double) + 1), "y of all parts");
  const auto asked = PartsClock::now();
  const std::size_t number = partition_.parts.size();
  Whole whole(run, number, ranks_);
  for_parts(progress, [&](std::size_t k, const Part& part) { whole.add_part(k, part, prepared_[k], progress); });
  if (ranks_) whole.share(partition_);
  r.parts = timed_parts(partition_, whole.local_us, whole.halo_us, link, bytes_of(request.precision));
  const auto slowest = std::max_element(r.parts.begin(), r.parts.end(),
                                        [](const PartResult& a, const PartResult& b) { return a.time_us < b.time_us; });
  const auto at = static_cast<std::size_t>(slowest - r.parts.begin());
  set_time(r, run.flops(), slowest->time_us, Provenance::modelled,
           part_name(at, number) +
               " is the slowest: the longer of its local product and the way of its halo, then its " +
               "product with the halo" + (whole.hows[at].empty() ? "" : "; local product: " + whole.hows[at]));
  tell_partition(partition_, &link, request.precision, divided_us_, r);
  note_ranks(r);
  whole.products.tell(r);
  r.details.push_back({"answered", "model answered in", {us_since(asked) * 1e-6, "s", Provenance::measured}});
  const std::vector<RowRange> ranges = ranges_of(whole.done);
  if (r.sampled_share < 1) note_sample_of_parts(r.sampled_share, !ranges.empty(), r.notes);
  check(run, r, whole.y, ranges);
}

}  // namespace warpspy
