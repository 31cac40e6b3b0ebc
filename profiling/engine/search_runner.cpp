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
  preparation_.leave_device();
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

// The copies that are kept must leave half of the device's memory to products. If they would not, each product makes a
// copy of its own.
std::shared_ptr<DeviceArrays> SearchRunner::arrays_of(const PreparedRun& run) {
  if (!run.format) return nullptr;
  const double all = static_cast<double>(kept_formats) * static_cast<double>(run.format->size().bytes());
  if (all >= run.device.spec.memory_bytes / 2) return nullptr;
  std::shared_ptr<DeviceArrays>& there = preparation_.on_device();
  if (!there) there = kept_on_device(run.format);
  return there;
}

Rotation SearchRunner::rotation_of(const PreparedRun& run, bool own_arrays, const Progress& progress) {
  ProductInputs in = run.inputs();
  const std::shared_ptr<DeviceArrays> there = own_arrays ? nullptr : arrays_of(run);
  if (run.request.cache_state == CacheState::warm) {
    in.kept = there;
    return parts_.prepare(CacheState::warm, [&] { return run.kernel.on_device(in); }, progress);
  }
  // Copies differ only in their address, so what a kernel makes of the format is made once.
  in.kept = there ? copied_on_device(*there) : run.format ? kept_on_device(run.format) : nullptr;
  const auto copy = [&] {
    auto product = run.kernel.on_device(in);
    if (in.kept) in.kept = copied_on_device(*in.kept);
    return product;
  };
  return parts_.prepare(CacheState::cold, copy, progress);
}

void SearchRunner::trial(const PreparedRun& run, const InSearch& search, RunRecord& r, const Progress& progress) {
  ProductInputs in = run.inputs();
  in.kept = arrays_of(run);
  const auto product = run.kernel.on_device(in);
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
