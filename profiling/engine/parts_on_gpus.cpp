#include "profiling/engine/parts_on_gpus.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <set>
#include <utility>

#include "core/formats/format.hpp"
#include "kernels/device/device.hpp"
#include "kernels/solve/share.hpp"
#include "profiling/engine/devices.hpp"

namespace warpspy {
namespace {

bool share_gpus(const std::vector<const DeviceInfo*>& gpus) {
  return std::set<const DeviceInfo*>(gpus.begin(), gpus.end()).size() < gpus.size();
}
std::string ids_of(const std::vector<const DeviceInfo*>& gpus) {
  std::string ids;
  for (const DeviceInfo* d : gpus) ids += (ids.empty() ? "" : "+") + d->id;
  return ids;
}
int number_of(const DeviceInfo& gpu) { return *cuda_number(gpu.id); }

}  // namespace

void tell_gpus(const std::vector<const DeviceInfo*>& gpus, RunRecord& r) {
  r.device = gpus.front()->id, r.device_name = gpus.front()->name;
  if (gpus.size() == 1) return;
  std::set<std::string> names;
  for (const DeviceInfo* d : gpus) names.insert(d->name);
  if (share_gpus(gpus)) {
    // No speed-up is read from these: no run of one GPU has such a name.
    r.device = ids_of(gpus), r.device_name += " shared by " + std::to_string(gpus.size()) + " parts";
    r.notes.push_back("parts share a GPU (" + r.device + "), so times say nothing of several GPUs");
  } else {
    r.notes.push_back("the parts run on " + ids_of(gpus));
  }
  if (names.size() < 2) return;
  std::string all;
  for (const DeviceInfo* d : gpus) all += (all.empty() ? "" : ", ") + d->id + " is " + d->name;
  r.notes.push_back("the GPUs are not alike: " + all + "; the parts are divided as if they were");
}

PartsOnGpus::PartsOnGpus(const PreparedRun& run, const Partition& partition,
                         std::vector<PartsRunner::Prepared>& prepared, ConversionOf conversion,
                         std::shared_ptr<Communicators>& nccl, Progress& progress)
    : run_(run), partition_(partition), prepared_(prepared), conversion_(conversion), kernels_(run) {
  for (std::size_t k = 0; k < partition.parts.size(); ++k)
    if (!partition.parts[k].rows.empty()) with_rows_.push_back(k);
  join(nccl);
  kernels_.halo.request.beta = kernels_.plain_halo.request.beta = 0;  // it is added by a launch of its own
  for (const std::size_t k : with_rows_) {
    progress.check();
    const Part& part = partition.parts[k];
    const DeviceInfo& gpu = *run.gpus[k];
    try {
      use_device(number_of(gpu));
      Piece piece{.part = k,
                  .local = this->prepared(kernels_.local, part.local, prepared[k].local, gpu, progress),
                  .halo = {},
                  .x = {},
                  .y = {},
                  .no_halo = {}};
      if (part.halo->nnz() > 0) {
        piece.halo_kernel = &kernels_.of_halo(part);
        plain_halos_ += piece.halo_kernel == &kernels_.plain_halo;
        piece.halo = this->prepared(*piece.halo_kernel, part.halo, prepared[k].halo, gpu, progress);
      }
      pieces_.push_back(std::move(piece));
    } catch (const DeviceLost& e) {
      PartLost lost(k, e);
      lost.device = gpu.id;
      throw lost;
    } catch (const Error& e) {
      throw Error(part_name(k, partition.parts.size()) + " (" + gpu.id + "): " + e.reason, e.where, e.remedy);
    }
  }
}

// Another run may have its parts on other GPUs.
PartsOnGpus::~PartsOnGpus() {
  for (PartsRunner::Prepared& p : prepared_) p.local.leave_device(), p.halo.leave_device();
}

void PartsOnGpus::join(std::shared_ptr<Communicators>& nccl) {
  std::vector<int> gpus;
  for (const std::size_t k : with_rows_) gpus.push_back(number_of(*run_.gpus[k]));
  no_peers_ = join_peers(gpus);
  const bool shared = std::set<int>(gpus.begin(), gpus.end()).size() < gpus.size();
  if (gpus.size() < 2 || shared) {  // NCCL takes a GPU once
    if (!no_peers_.empty())
      throw Error(no_peers_ + ", and NCCL takes no GPU twice", "device", "name GPUs that are peers, or each once");
    return;
  }
  try {
    if (!nccl || nccl->aborted() || nccl->gpus() != gpus) {
      nccl.reset();
      nccl = std::make_shared<Communicators>(gpus);
    }
    nccl_ = nccl;
  } catch (const Error& e) {
    no_nccl_ = e.reason;
    if (!no_peers_.empty())
      throw Error(no_peers_ + ", and " + e.reason, "device", e.remedy.empty() ? "name GPUs that are peers" : e.remedy);
  }
}

ProductInputs PartsOnGpus::prepared(const PartKernel& how, const std::shared_ptr<const Csr>& entries,
                                    Preparation& preparation, const DeviceInfo& gpu, Progress& progress) {
  Matrix matrix;
  matrix.csr = entries;
  PreparedRun run{how.request, entries, how.kernel, gpu, how.params, {}, {}, {}, run_.model};
  run.format = preparation.format(matrix, how.kernel.info.format, how.request, gpu, progress);
  const FormatThere& there = preparation.there(matrix, how.request, gpu, conversion_, progress);
  conversion_us_ += there.conversion_us.value_or(preparation.conversion_us());
  upload_us_ += there.csr_upload_us.value_or(0);
  minimum_bytes_ += run.minimum_bytes();
  ProductInputs in;
  in.format = run.format, in.kept = there.arrays;
  in.precision = how.request.precision, in.params = how.params;
  in.alpha = how.request.alpha, in.beta = how.request.beta;
  return in;
}

std::unique_ptr<DeviceParts> PartsOnGpus::made(const std::vector<const IterationInputs*>& inputs, bool counted) {
  std::vector<std::int32_t> places(partition_.parts.size(), -1);
  for (std::size_t i = 0; i < with_rows_.size(); ++i) places[with_rows_[i]] = static_cast<std::int32_t>(i);
  std::vector<PartOnGpu> parts;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const Piece& piece = pieces_[i];
    const Part& part = partition_.parts[piece.part];
    const DeviceInfo& gpu = *run_.gpus[piece.part];
    PartOnGpu p{.name = part_name(piece.part, partition_.parts.size()) + " (" + gpu.id + ")",
                .gpu = number_of(gpu),
                .kernel = &kernels_.local.kernel,
                .local = piece.local,
                .halo_kernel = piece.halo_kernel ? &piece.halo_kernel->kernel : nullptr,
                .halo = piece.halo,
                .rows = static_cast<index_t>(part.rows.size()),
                .columns = static_cast<index_t>(part.columns.size()),
                .boundary = part.boundary,
                .in = part.in,
                .out = part.out,
                .solve = inputs.empty() ? nullptr : inputs[i]};
    for (HaloIn& in : p.in) in.from = places[static_cast<std::size_t>(in.from)];
    for (HaloOut& out : p.out) out.to = places[static_cast<std::size_t>(out.to)];
    parts.push_back(std::move(p));
  }
  const auto before = std::chrono::steady_clock::now();
  auto all = std::make_unique<DeviceParts>(std::move(parts), run_.request.precision, nccl_);
  const double spent = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - before).count();
  setup_us_ = device_bytes_ = 0;
  for (std::size_t k = 0; k < all->size(); ++k) {
    setup_us_ += all->part(k).iteration().product->setup_us();
    device_bytes_ += static_cast<double>(all->part(k).device_bytes());
  }
  if (counted) upload_us_ += std::max(0.0, spent - setup_us_);
  if (chosen_) all->choose(way_);
  return all;
}

std::unique_ptr<DeviceParts> PartsOnGpus::products(bool counted) {
  const std::vector<double>&x = *run_.vectors.x, &y = *run_.vectors.y;
  for (Piece& piece : pieces_) {
    const Part& part = partition_.parts[piece.part];
    piece.x = gathered(x, part.columns);
    if (!y.empty()) piece.y = gathered(y, part.rows);
    // What is read before it has come shows in the result.
    piece.no_halo.assign(part.halo_columns.size(), std::numeric_limits<double>::quiet_NaN());
    piece.local.x = piece.x, piece.local.y = piece.y, piece.halo.x = piece.no_halo;
  }
  return made({}, counted);
}

std::unique_ptr<DeviceParts> PartsOnGpus::iterations(const IterationInputs& whole, bool counted) {
  systems_.clear(), inputs_.clear();
  systems_.reserve(pieces_.size());  // the inputs refer to them
  std::vector<const IterationInputs*> all;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    Piece& piece = pieces_[i];
    const Part& part = partition_.parts[piece.part];
    systems_.push_back(system_of_part(whole.system, part));
    inputs_.push_back(std::make_unique<IterationInputs>(
        inputs_of_part(whole, systems_.back(), part, static_cast<int>(pieces_.size()), static_cast<int>(i))));
    piece.no_halo.assign(part.halo_columns.size(), std::numeric_limits<double>::quiet_NaN());
    piece.halo.x = piece.no_halo;
    all.push_back(inputs_.back().get());
  }
  return made(all, counted);
}

void PartsOnGpus::choose_ways(std::unique_ptr<DeviceParts>& parts, const MakeParts& again, const Progress& progress) {
  chosen_ = true;
  if (!no_peers_.empty()) {
    way_ = PartsWay::nccl;
  } else if (nccl_) {
    parts->choose(PartsWay::peers);
    peers_us_ = time_messages(*parts, progress);
    parts->choose(PartsWay::nccl);
    try {
      nccl_us_ = time_messages(*parts, progress);
      way_ = nccl_us_ < peers_us_ ? PartsWay::nccl : PartsWay::peers;
    } catch (const DeviceLost&) {
      throw;
    } catch (const Error& e) {
      no_nccl_ = e.reason, peers_us_ = 0;
      parts.reset();  // ends its communicators
      nccl_.reset();
      parts = again();
    }
  }
  parts->choose(way_);
  launching_ = time_launching(*parts, progress);
  launch_ = launching_.faster();
}

std::vector<double> PartsOnGpus::together(DeviceParts& parts, const std::string& state) const {
  std::vector<double> all(static_cast<std::size_t>(partition_.rows));
  parts.together([&](std::size_t i, DevicePart& part) {
    const std::vector<index_t>& rows = partition_.parts[pieces_[i].part].rows;
    const std::vector<double> own = state.empty() ? part.product() : part.iteration().product->state(state);
    for (std::size_t k = 0; k < rows.size(); ++k) all[static_cast<std::size_t>(rows[k])] = own[k];
  });
  return all;
}

std::vector<PartResult> PartsOnGpus::results(const std::vector<PartTimes>& times) const {
  std::vector<PartResult> all = counts_of(partition_);
  for (std::size_t i = 0; i < times.size(); ++i) {
    PartResult& r = all[pieces_[i].part];
    const PartTimes& t = times[i];
    r.local_us = t.local, r.link_us = t.link, r.waiting_us = t.waiting, r.halo_us = t.halo;
    r.vectors_us = t.vectors, r.dots_us = t.dots, r.dots_waiting_us = t.dots_waiting;
    r.time_us = t.local + t.waiting + t.halo + t.vectors + t.dots + t.dots_waiting;
  }
  return all;
}

void PartsOnGpus::tell(RunRecord& r) const {
  const auto add = [&](const char* id, const char* label, double value, const char* unit) {
    r.details.push_back({id, label, {value, unit, Provenance::measured}});
  };
  add("conversion", "conversion of all parts", conversion_us_, "us");
  if (setup_us_ > 0) add("setup", "setup, once", setup_us_, "us");
  add("upload", "laying out and copying to the devices", upload_us_, "us");
  add("device_bytes", "memory on all devices", device_bytes_, "B");
  tell_ways(r);
  kernels_.tell_plain(plain_halos_, r);
  if (run_.request.counters != "none") r.notes.push_back("counters are read from runs on one GPU alone");
  if (run_.request.lines) r.lines_reason = "instructions are counted in runs on one GPU alone; use --parts 1";
}

void PartsOnGpus::tell_ways(RunRecord& r) const {
  const auto add = [&](const char* id, const char* label, double value) {
    if (value > 0) r.details.push_back({id, label, {value, "us", Provenance::measured}});
  };
  add("messages_peers", "messages read from the other GPUs' memory", peers_us_);
  add("messages_nccl", "messages by NCCL", nccl_us_);
  add("by_threads", "tried: launches by a host thread of each part", launching_.threads_us);
  add("by_graph", "tried: launches by a CUDA graph of all parts", launching_.graph_us);
  const bool peers = way_ == PartsWay::peers, graph = launch_ == PartsLaunch::graph;
  std::string note = peers ? "the parts read each other's memory" : "the parts send messages by NCCL";
  char text[160];
  if (peers_us_ > 0) {
    std::snprintf(text, sizeof text, " (%.3g us of messages; %s takes %.3g us)", peers ? peers_us_ : nccl_us_,
                  peers ? "NCCL" : "reading memory", peers ? nccl_us_ : peers_us_);
    note += text;
  } else if (!peers) {
    note += ": " + no_peers_;
  } else if (!share_gpus(run_.gpus) && with_rows_.size() > 1) {
    note += " (" + no_nccl_ + ")";
  }
  note += graph ? "; a CUDA graph has the launches of all" : "; a host thread of each part enqueues its launches";
  if (launching_.no_graph.empty()) {
    std::snprintf(text, sizeof text, " (%.4g us; %s %.4g us)", graph ? launching_.graph_us : launching_.threads_us,
                  graph ? "threads take" : "a graph takes", graph ? launching_.threads_us : launching_.graph_us);
    note += text;
  } else {
    note += " (no graph: " + launching_.no_graph + ")";
  }
  r.notes.push_back(note);
  r.notes.push_back("minimum bytes are those of all GPUs together");
}

}  // namespace warpspy
