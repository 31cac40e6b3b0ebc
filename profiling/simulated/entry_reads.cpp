#include "profiling/simulated/entry_reads.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/matrix/memory_guard.hpp"
#include "profiling/simulated/array_uses.hpp"
#include "profiling/simulated/driver.hpp"
#include "profiling/simulated/occupancy.hpp"
#include "profiling/simulated/sampling.hpp"
#include "profiling/simulated/slot_entries.hpp"

namespace warpspy {
namespace {

// Limits the memory of traces that wait for the caches.
constexpr double trace_limit_bytes = 96e6;
// How many loads ahead a lane's load of x is searched: loops are unrolled.
constexpr std::size_t loads_ahead = 64;

// A load of an element of x.
struct XLoad {
  index_t element = 0;
  std::uint8_t lane = 0, sectors = 0, lanes = 0;
  XSource from = XSource::unknown;
};

// The reads of a block's warp, as a range of `reads`, and the warp's loads of x.
struct WarpReads {
  std::size_t first = 0, past = 0;
  std::vector<XLoad> x;
};

// A load of a value shows which thread multiplies; for kernels that read no values, the load of an index.
std::vector<ArrayUse> telling_uses(const TracedProduct& t) {
  using Kind = ArrayUse::Kind;
  std::vector<ArrayUse> uses = uses_of(t.product, t.format);
  std::vector<bool> valued(256, false);
  for (const ArrayUse& u : uses)
    if (u.kind == Kind::values) valued[u.part] = true;
  for (ArrayUse& u : uses)
    if (u.kind == Kind::y || (u.kind == Kind::indices && valued[u.part])) u.kind = Kind::other;
  return uses;
}

struct Range {
  std::int64_t first = 0, past = 0;
  std::int64_t size() const { return past - first; }
};

// The blocks of a launch that run: all of a range, or some that are spread evenly over it.
struct LaunchBlocks {
  Range of;
  std::int64_t run = 0;
  double bytes_of_block = 1;  // of a trace
  std::int64_t at(std::int64_t k) const {
    if (run == of.size()) return of.first + k;
    const double share = (static_cast<double>(k) + 0.5) / static_cast<double>(run);
    return of.first + static_cast<std::int64_t>(share * static_cast<double>(of.size()));
  }
};

// The blocks that complete these rows; all blocks if the kernel does not say.
Range candidates_of(const TracedProduct& t, const EntryTrace& to) {
  const std::int64_t grid = t.product.launches().front().grid;
  const auto rows = t.product.launches().size() == 1 && t.operation == Operation::product
                        ? t.product.rows_of_block(0)
                        : std::optional<std::pair<index_t, index_t>>();
  if (!rows || rows->second <= rows->first) return {0, grid};
  const index_t of_block = rows->second - rows->first;
  return {std::min(grid, to.row_begin / of_block), std::min(grid, (to.row_end + of_block - 1) / of_block)};
}

class Tracer final : public Observer {
 public:
  Tracer(const TracedProduct& traced, const GpuSpec& gpu, const TraceLimits& limits, EntryTrace& to, Progress& progress)
      : t_(traced), gpu_(gpu), limits_(limits), to_(to), progress_(progress), uses_(telling_uses(traced)) {}

  void run() {
    if (std::none_of(uses_.begin(), uses_.end(), [](const ArrayUse& u) { return u.is_slots(); }))
      to_.notes.emplace_back(
          "this kernel reads the matrix from arrays that it made of the format's: whose entries a "
          "lane reads is not known");
    plan();
    Driver driver(t_.product, gpu_, progress_, this);
    for (std::size_t l = 0; l < chosen_.size(); ++l) run_launch(static_cast<int>(l), driver);
    progress_.stage("finding the entries");
    resolve_slots(t_.format, t_.matrix, entries_of_rows() <= limits_.entries, reads_, to_, progress_);
    for (const WarpReads& w : warps_) match(w);
    warps_.clear();
    settle_entries(std::move(reads_), to_);
  }

  Kept keeps(int /*launch*/, std::int64_t /*block*/) const override { return Kept::accesses; }
  void ended(BlockRun& block) override { ended_.push_back(std::move(block)); }

 private:
  void plan() {
    const std::vector<LaunchShape>& launches = t_.product.launches();
    double work = 0;
    for (std::size_t l = 0; l < launches.size(); ++l) {
      LaunchBlocks b;
      b.of = l == 0 ? candidates_of(t_, to_) : Range{0, launches[l].grid};
      to_.warps_per_block = std::max(to_.warps_per_block, (launches[l].block + simt::warp_size - 1) / simt::warp_size);
      work += try_some(static_cast<int>(l), b) * static_cast<double>(b.of.size());
      chosen_.push_back(b);
    }
    const bool focused = chosen_.size() == 1 && chosen_[0].of.size() < launches[0].grid;
    const index_t entries = focused ? entries_of_rows() : t_.matrix.nnz();
    const double share =
        std::min({1.0, limits_.steps / std::max(work, 1.0),
                  static_cast<double>(limits_.entries) / static_cast<double>(std::max<index_t>(entries, 1))});
    sampled_ = share < 1;
    double all = 0, run = 0;
    for (LaunchBlocks& b : chosen_) {
      const auto size = static_cast<double>(b.of.size());
      b.run = sampled_ ? std::min(b.of.size(), 1 + static_cast<std::int64_t>(share * size)) : b.of.size();
      all += size, run += static_cast<double>(b.run);
    }
    to_.share = all > 0 ? run / all : 1;
    if (sampled_) {
      char text[120];
      std::snprintf(text, sizeof text, "%.3g %% of the blocks ran, evenly spread: the caches see these alone",
                    100 * to_.share);
      to_.notes.emplace_back(text);
    } else if (focused) {
      to_.notes.emplace_back("only the blocks of these rows ran: the caches are empty before them");
    }
  }

  index_t entries_of_rows() const {
    return t_.matrix.row_ptr()[static_cast<std::size_t>(to_.row_end)] -
           t_.matrix.row_ptr()[static_cast<std::size_t>(to_.row_begin)];
  }

  // The lane steps of a block, estimated from a few of them.
  double try_some(int launch, LaunchBlocks& b) {
    double steps = 0, bytes = 0;
    const std::vector<std::int64_t> some = spread_blocks(b.of.size(), std::min<std::int64_t>(4, b.of.size()));
    for (const std::int64_t block : some) {
      progress_.check();
      const simt::BlockTrace trace = try_block(t_.product, launch, b.of.first + block);
      steps += work_of(trace);
      for (const simt::WarpTrace& w : trace.warps) bytes += 8.0 * static_cast<double>(w.addresses.size());
    }
    const auto n = static_cast<double>(std::max<std::size_t>(1, some.size()));
    b.bytes_of_block = std::max(1.0, 2 * bytes / n);
    return steps / n;
  }

  void run_launch(int launch, Driver& driver) {
    Launched launched(t_.product, launch);
    launched.unchecked = sampled_;
    const Grid grid{launched.shape.grid, gpu_.sm_count, occupancy_of(gpu_, launched.shape).blocks};
    driver.begin_launch(launched.shape);
    const LaunchBlocks& b = chosen_[static_cast<std::size_t>(launch)];
    const double wave = static_cast<double>(std::max<std::int64_t>(1, grid.wave()));
    const auto most = static_cast<std::int64_t>(std::clamp(trace_limit_bytes / b.bytes_of_block, 1.0, wave));
    std::vector<BlockCost> costs;
    for (std::int64_t first = 0, past = 0; first < b.run; first = past) {
      progress_.check();
      past = std::min(b.run, first + most);
      // Blocks that are resident on the GPU at the same time.
      BlockBatch batch{std::vector<std::vector<std::int64_t>>(static_cast<std::size_t>(grid.sms))};
      for (std::int64_t k = first; k < past; ++k) {
        const std::int64_t sm = sampled_ ? (k - first) % grid.sms : grid.sm_of(b.at(k));
        batch.blocks[static_cast<std::size_t>(sm)].push_back(b.at(k));
      }
      costs.clear();
      driver.run(launched, batch, costs);
      collect();
      progress_.set(static_cast<double>(past) / static_cast<double>(b.run));
    }
  }

  // Collects what finished blocks have read, in their order.
  void collect() {
    std::sort(ended_.begin(), ended_.end(),
              [](const BlockRun& a, const BlockRun& b) { return a.stream.block < b.stream.block; });
    for (const BlockRun& block : ended_) collect(block.launch, block.trace, block.stream);
    ended_.clear();
  }

  void collect(int launch, const simt::BlockTrace& trace, const BlockStream& stream) {
    EntryRead read;
    read.launch = static_cast<std::uint8_t>(std::min(launch, 255));
    read.block = stream.block;
    for (std::size_t w = 0; w < trace.warps.size(); ++w) {
      read.warp = static_cast<std::uint16_t>(w);
      WarpReads warp;
      warp.first = reads_.size();
      std::uint32_t request = stream.warp_begin[w];
      for (const simt::Access& a : trace.warps[w].accesses) {
        std::uint32_t lanes = a.active;
        const std::uint64_t* address = trace.warps[w].addresses.data() + a.first;
        // On GPUs that coalesce by half-warps, each half-warp makes a request of its own.
        while (lanes) {
          const std::uint32_t now = gpu_.coalesce_lanes < 32 && (lanes & 0xFFFFu) ? lanes & 0xFFFFu : lanes;
          add(a, now, address, stream, request++, read, warp);
          address += std::popcount(now);
          lanes &= ~now;
        }
      }
      warp.past = reads_.size();
      if (warp.past > warp.first) warps_.push_back(std::move(warp));
    }
  }

  void add(const simt::Access& a, std::uint32_t lanes, const std::uint64_t* address, const BlockStream& stream,
           std::uint32_t request, EntryRead read, WarpReads& warp) {
    const ArrayUse& use = uses_[a.array];
    if (use.kind == ArrayUse::Kind::other || a.op != simt::Op::load) return;
    const MemoryRequest& r = stream.requests[request];
    const auto many = static_cast<std::uint8_t>(std::popcount(lanes));
    int sectors = 0;
    for (std::uint32_t k = 0; k < r.touches; ++k)
      sectors += std::popcount(sectors_with(stream.touches[r.first + k].words));
    const auto asked = static_cast<std::uint8_t>(std::min(sectors, 255));
    std::uint32_t touch = r.first;
    for (; lanes; lanes &= lanes - 1, ++address) {
      const auto lane = static_cast<std::uint8_t>(std::countr_zero(lanes));
      const auto element = static_cast<index_t>((*address - use.base) / use.element);
      const index_t past = element + std::max<index_t>(1, static_cast<index_t>(a.bytes / use.element));
      if (use.is_slots()) {
        read.part = use.part, read.lane = lane;
        read.value_sectors = asked, read.value_lanes = many;
        for (read.position = element; read.position < past; ++read.position) reads_.push_back(read);
        continue;
      }
      const auto line = static_cast<std::uint32_t>(*address >> 7);
      if (stream.touches[touch].line != line)
        for (touch = r.first; touch + 1 < r.first + r.touches && stream.touches[touch].line != line;) ++touch;
      constexpr XSource from[] = {XSource::l1, XSource::l2, XSource::dram_first, XSource::dram_again};
      const int level = stream.served[touch] >> 2 * (*address >> 5 & 3) & 3;
      for (index_t x = element; x < past; ++x) warp.x.push_back({x, lane, asked, many, from[level]});
    }
  }

  index_t x_of(index_t entry) const {
    if (t_.operation != Operation::transposed_product) return t_.matrix.columns()[static_cast<std::size_t>(entry)];
    const auto rows = t_.matrix.row_ptr();
    return std::upper_bound(rows.begin(), rows.end(), entry) - rows.begin() - 1;
  }

  // A lane loads elements of x in the same order in which it reads their entries.
  void match(const WarpReads& warp) {
    std::array<std::vector<const XLoad*>, simt::warp_size> of_lane;
    std::array<std::size_t, simt::warp_size> begin{};
    for (const XLoad& x : warp.x) of_lane[x.lane].push_back(&x);
    for (std::size_t k = warp.first; k < warp.past; ++k) {
      EntryRead& read = reads_[k];
      if (read.position < 0) continue;
      read.x = XSource::passed_on;
      std::vector<const XLoad*>& loads = of_lane[read.lane];
      std::size_t& from = begin[read.lane];
      while (from < loads.size() && !loads[from]) ++from;
      const std::size_t until = std::min(loads.size(), from + loads_ahead);
      const index_t wanted = x_of(read.position);
      for (std::size_t i = from; i < until; ++i) {
        if (!loads[i] || loads[i]->element != wanted) continue;
        read.x = loads[i]->from;
        read.x_sectors = loads[i]->sectors, read.x_lanes = loads[i]->lanes;
        loads[i] = nullptr;
        break;
      }
    }
  }

  const TracedProduct& t_;
  const GpuSpec& gpu_;
  const TraceLimits& limits_;
  EntryTrace& to_;
  Progress& progress_;
  std::vector<ArrayUse> uses_;
  std::vector<LaunchBlocks> chosen_;
  bool sampled_ = false;
  std::vector<BlockRun> ended_;
  std::vector<EntryRead> reads_;
  std::vector<WarpReads> warps_;
};

}  // namespace

void trace_reads(const TracedProduct& traced, const GpuSpec& gpu, const TraceLimits& limits, EntryTrace& to,
                 Progress& progress) {
  if (traced.product.launches().empty() || to.row_begin >= to.row_end) return;
  // Memory for reads, loads of x, their order, and the entries.
  const auto most = static_cast<double>(std::min(limits.entries, traced.matrix.nnz()));
  require_memory(2 * most * (2 * sizeof(EntryRead) + sizeof(XLoad)) + 2 * trace_limit_bytes, "who reads which entry");
  progress.stage("emulating");
  Tracer(traced, gpu, limits, to, progress).run();
}

void trace_storage(const Format& format, const Csr& matrix, const TraceLimits& limits, EntryTrace& to,
                   Progress& progress) {
  const index_t entries = matrix.row_ptr()[to.row_end] - matrix.row_ptr()[to.row_begin];
  if (entries > limits.entries)
    throw Error("the storage of this many entries is not shown at once", {}, "zoom in, or choose a kernel of ours");
  std::vector<EntryRead> reads;
  resolve_slots(format, matrix, true, reads, to, progress);
  settle_entries(std::move(reads), to);
  to.share = 0;
}

}  // namespace warpspy
