#include "profiling/engine/search_runner.hpp"

#include <utility>

#include "core/base/numbers.hpp"
#include "core/run/check_words.hpp"
#include "kernels/device/device.hpp"

namespace warpspy {
namespace {

// Limits the arrays that a product reads on the device: those of its format, and what the kernel makes. x and y do not
// count.
void require_memory(const PreparedRun& run, double most_bytes, const DeviceProduct& product) {
  const Csr& a = *run.matrix;
  const double vectors = static_cast<double>((a.rows() + a.cols()) * bytes_of(run.request.precision));
  const double bytes = static_cast<double>(product.device_bytes()) - vectors;
  if (most_bytes > 0 && bytes > most_bytes)
    throw Error("left out: kernel " + run.kernel.info.id + " needs " + byte_text(bytes) + ", and may have " +
                byte_text(most_bytes));
}

std::string how_ranked(double us, double far_us) {
  return us > far_us ? "one launch, warm: it takes too long for a second look"
                     : "a short look, warm, to rank it among others of a search";
}

}  // namespace

void SearchRunner::let_go() {
  ready_.clear();
  rival_.reset();
}

void SearchRunner::begin(const std::string& device, const RunRequest* rival, const std::shared_ptr<const Csr>& matrix) {
  if (device != device_) let_go();
  device_ = device;
  ready_.clear();
  if (rival_ && !(rival && rival_->request == *rival && rival_->matrix == matrix)) rival_.reset();
  if (rival) asked_rival_ = *rival;
}

// A final product prepares anew, so that its record has the time of that.
Rotation SearchRunner::rotation_of(const PreparedRun& run, bool prepares, const Progress& progress) {
  const auto kept = prepares && run.kept ? unprepared_on_device(*run.kept) : run.kept;
  return parts_.prepare(run.request.cache_state, products_of(run, kept), progress);
}

void SearchRunner::trial(const PreparedRun& run, const InSearch& search, RunRecord& r, const Progress& progress) {
  const auto product = run.kernel.on_device(run.inputs());
  require_memory(run, search.most_bytes, *product);
  const double us = parts_.rank(*product, search.far_us, run.request.budget_s, progress);
  set_time(r, run.flops(), us, Provenance::measured, how_ranked(us, search.far_us));
  r.notes.push_back(std::string(not_checked_note) + "it was one of many of a search, to be ranked");
}

void SearchRunner::make_ready(const PreparedRun& run, const InSearch& search, bool rival, RunRecord& r,
                              const Progress& progress) {
  if (rival && rival_) {
    set_check(r, rival_->check);
    return ready_.push_back(rival_->rotation);
  }
  auto made = std::make_shared<const Rotation>(rotation_of(run, search.as == InSearch::As::final, progress));
  DeviceProduct& first = *made->copies.front();
  parts_.once(first);
  check(run, r, first.y(), {{0, static_cast<index_t>(run.reference->y.size())}});
  ready_.push_back(made);
  if (rival && r.check) rival_ = Rival{asked_rival_, run.matrix, std::move(made), *r.check};
}

void SearchRunner::time_in_turn(const std::vector<std::pair<const PreparedRun*, RunRecord*>>& ready,
                                const InSearch& search, double budget_s, const Progress& progress) {
  const std::vector<std::shared_ptr<const Rotation>> rotations = std::exchange(ready_, {});
  if (search.as == InSearch::As::final && search.far_us > 0) {
    for (std::size_t i = 0; i < ready.size(); ++i) {
      DeviceProduct& product = *rotations[i]->copies.front();
      const double us = parts_.rank(product, search.far_us, budget_s, progress);
      set_time(*ready[i].second, ready[i].first->flops(), us, Provenance::measured, how_ranked(us, search.far_us));
    }
    return;
  }
  std::vector<const Rotation*> list;
  for (const auto& r : rotations) list.push_back(r.get());
  const Comparison c = parts_.compare(list, budget_s, progress);
  for (std::size_t i = 0; i < ready.size(); ++i) {
    const auto& [run, record] = ready[i];
    const ProductTime& time = c.times[i];
    set_time(*record, run->flops(), time.us, Provenance::measured, time.how);
    for (Detail& d : details_of(time)) record->details.push_back(std::move(d));
    if (!time.clock_note.empty()) record->notes.push_back(time.clock_note);
    if (i + 1 == ready.size()) continue;
    const Ratio ratio = ratio_of(c.samples.back(), c.samples[i]);
    const std::string of = "time of " + ready.back().second->kernel_label + " / this one's, in turn";
    record->details.push_back({kInTurnRatio, of, {ratio.value, "1", Provenance::derived}});
    record->details.push_back({kInTurnLow, of + ", first quartile", {ratio.low, "1", Provenance::derived}});
    record->details.push_back({kInTurnHigh, of + ", third quartile", {ratio.high, "1", Provenance::derived}});
  }
}

}  // namespace warpspy
