// Runs blocks of a product in the emulator, and sends their requests through the memory system of a GPU. No other code
// of profiling does either. Code that simulates a product, traces entries or shows a warp chooses which blocks run, and
// observes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/gpu/gpu_spec.hpp"
#include "core/jobs/progress.hpp"
#include "kernels/product/product.hpp"
#include "kernels/simt/convergence.hpp"
#include "profiling/simulated/coalesce.hpp"
#include "profiling/simulated/memory.hpp"

namespace warpspy {

// One launch of a product, or a section of it: its blocks that do the same kind of work.
struct Launched {
  int launch;
  LaunchShape shape;       // its grid is that of the section
  std::int64_t first = 0;  // the first block of the section; blocks count from it
  bool unchecked = false;  // its results do not count: not all of its inputs exist, or its blocks run once more

  Launched(const EmulatedProduct& of, int number)
      : launch(number), shape(of.launches()[static_cast<std::size_t>(number)]) {}
  // Divides the launch into its sections (groups of blocks that do the same kind of work). It is one section if all
  // blocks do the same.
  std::vector<Launched> sections() const;
  int warps() const { return (shape.block + simt::warp_size - 1) / simt::warp_size; }
};

// Thread blocks that run at the same time, on neighbouring SMs.
struct BlockBatch {
  std::vector<std::vector<std::int64_t>> blocks;  // of each SM
  int first_sm = 0;
  std::uint32_t dealt = 0;     // for MemorySystem::l2_and_dram
  simt::WarpRange warps = {};  // the warps of each block that run; what such blocks store does not count, and they are
                               // not observed
  int only_warp = -1;          // the only warp of each block that accesses memory; -1: all do
  bool observed = true;

  std::int64_t size() const;
};
std::int64_t blocks_of(std::span<const BlockBatch> batches);

// A block that ran.
struct BlockRun {
  int launch = 0;
  BlockStream stream;
  simt::BlockTrace trace;                                               // empty without an observer
  std::vector<std::vector<simt::ConvergencePoint>> convergence_points;  // of each warp
  simt::SharedLog shared;
  std::vector<std::uint8_t> served;  // BlockStream::served
};

// Tells how much data of a block is kept for an observer. sums: numbers of its warps. accesses: also their accesses,
// and where each sector came from. steps: also their collectives and accesses to shared memory.
enum class Kept : std::uint8_t { sums, accesses, steps };

// Observes blocks while they run, and changes no number. Without an observer nothing is kept for it.
class Observer {
 public:
  virtual ~Observer() = default;
  // Called from several threads.
  virtual Kept keeps(int /*launch*/, std::int64_t /*block*/) const { return Kept::sums; }
  // Called when a block has been through the caches, in the order of blocks. Data beyond sums must outlive the driver,
  // since the block may go through L2 again, unless the slice is dropped.
  virtual void ended(BlockRun& /*block*/) {}
  // Gets how long the block's warps waited. It is called before ended(), and each time that the block goes through L2
  // again.
  virtual void waited(int /*launch*/, std::int64_t /*block*/, std::span<const Waits> /*of_warps*/) {}
  // Lines for which the memory system notes which request evicted them; nullptr: none.
  virtual LineWatch* line_watch() { return nullptr; }
};

// A batch that ran, with its SMs' requests to L2, so that they can go through L2 again.
struct SliceRun {
  int launch = 0, first_sm = 0;
  std::uint32_t dealt = 0;  // for MemorySystem::l2_and_dram
  std::vector<SmRun> sms;
  MemoryCounts counts;  // from its last way through L2
  std::size_t first_cost = 0;
  Observer* observer = nullptr;
};

// Uses all cores of the caller's TBB arena. Its arguments must outlive it.
class Driver {
 public:
  Driver(EmulatedProduct& product, const GpuSpec& gpu, const Progress& progress, Observer* observer = nullptr);

  EmulatedProduct& product() const { return product_; }
  const GpuSpec& gpu() const { return gpu_; }
  MemorySystem& memory() { return memory_; }

  // Begins a launch: the caches of the SMs are empty, and counts begin at 0.
  void begin_launch(const LaunchShape& shape);
  // Emulates the blocks of the batches; atomic additions are done in their order. Throws Cancelled, and the emulator's
  // Error.
  std::vector<BlockRun> emulate(const Launched& launch, std::span<const BlockBatch> batches);
  // Sends emulated blocks through the caches, and appends their costs to `costs`.
  SliceRun through_caches(const Launched& launch, const BlockBatch& batch, std::span<BlockRun> runs,
                          std::vector<BlockCost>& costs);
  // Emulates the blocks of a batch, and sends them through the caches.
  SliceRun run(const Launched& launch, const BlockBatch& batch, std::vector<BlockCost>& costs);
  // Sends a slice's requests through L2 again, in its present state.
  void ask_l2(SliceRun& slice, std::vector<BlockCost>& costs);

 private:
  BlockRun run_block(const Launched& launch, std::int64_t block, const BlockBatch& batch, simt::Additions& later) const;

  EmulatedProduct& product_;
  const GpuSpec& gpu_;
  const Progress& progress_;
  Observer* observer_;
  MemorySystem memory_;
};

// Emulates one block as a trial: its results do not count, and it uses no cache. Throws the emulator's Error.
simt::BlockTrace try_block(EmulatedProduct& product, int launch, std::int64_t block);
// Emulates some warps of a block as a trial; the trace has all warps of the block (EmulatedProduct::emulate_warps).
// Returns false if these warps cannot run without the others.
bool try_warps(EmulatedProduct& product, int launch, std::int64_t block, simt::WarpRange warps,
               simt::BlockTrace& trace);
// Emulates several blocks as trials at the same time; `see` gets each trace, from several threads. Throws as
// try_block() does, and Cancelled.
void try_blocks(EmulatedProduct& product, int launch, std::span<const std::int64_t> blocks, const Progress& progress,
                const std::function<void(std::size_t, const simt::BlockTrace&)>& see);

}  // namespace warpspy
