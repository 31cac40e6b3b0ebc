// Runs blocks of a product in the emulator, and what they ask for through the memory system of a GPU. Nobody else in
// profiling does either: who simulates a product, traces entries or looks at a warp says which blocks run, and
// observes.
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

// One launch of a product, or those of its blocks that do the same kind of work.
struct Launched {
  int launch;
  LaunchShape shape;       // its grid is that of the section
  std::int64_t first = 0;  // block of the launch; blocks are counted from it
  bool unchecked = false;  // nothing of it counts: not all that it reads is there, or its blocks run once more

  Launched(const EmulatedProduct& of, int number)
      : launch(number), shape(of.launches()[static_cast<std::size_t>(number)]) {}
  // The blocks of each of LaunchShape::sections. Itself where all do the same.
  std::vector<Launched> sections() const;
  int warps() const { return (shape.block + simt::warp_size - 1) / simt::warp_size; }
};

// Blocks that run together, of neighbouring SMs.
struct BlockBatch {
  std::vector<std::vector<std::int64_t>> blocks;  // of each SM
  int first_sm = 0;
  std::uint32_t dealt = 0;     // for MemorySystem::l2_and_dram
  simt::WarpRange warps = {};  // of each block; nothing that such blocks store counts, and nobody observes them
  int only_warp = -1;          // of each block, the only one that asks for memory; -1: all do
  bool observed = true;

  std::int64_t size() const;
};
std::int64_t blocks_of(std::span<const BlockBatch> batches);

// A block that ran.
struct BlockRun {
  int launch = 0;
  BlockStream stream;
  simt::BlockTrace trace;                                               // empty where nobody observes
  std::vector<std::vector<simt::ConvergencePoint>> convergence_points;  // of each warp
  simt::SharedLog shared;
  std::vector<std::uint8_t> served;  // BlockStream::served
};

// What an observer has of a block when it has ended: what its warps did in numbers; their accesses, and where each
// sector came from; where they met, and what they did in shared memory.
enum class Kept : std::uint8_t { sums, accesses, steps };

// Looks at blocks as they run, and changes no number. Where there is none, nothing is kept for one.
class Observer {
 public:
  virtual ~Observer() = default;
  // Asked from several threads.
  virtual Kept keeps(int /*launch*/, std::int64_t /*block*/) const { return Kept::sums; }
  // It has been through the caches; in their order. What was kept beyond sums must outlive the driver, since L2 may be
  // asked again, unless the slice is let go.
  virtual void ended(BlockRun& /*block*/) {}
  // What its warps waited, before it ends and each time that L2 is asked again.
  virtual void waited(int /*launch*/, std::int64_t /*block*/, std::span<const Waits> /*of_warps*/) {}
  // Lines of which it is to be known who drove them out; nullptr: none.
  virtual LineWatch* line_watch() { return nullptr; }
};

// A batch that ran: what its SMs asked of L2, so that L2 can be asked again.
struct SliceRun {
  int launch = 0, first_sm = 0;
  std::uint32_t dealt = 0;  // for MemorySystem::l2_and_dram
  std::vector<SmRun> sms;
  MemoryCounts counts;  // when L2 was asked last
  std::size_t first_cost = 0;
  Observer* observer = nullptr;
};

// Works on all cores that the caller has (TBB). What it is given must outlive it.
class Driver {
 public:
  Driver(EmulatedProduct& product, const GpuSpec& gpu, const Progress& progress, Observer* observer = nullptr);

  EmulatedProduct& product() const { return product_; }
  const GpuSpec& gpu() const { return gpu_; }
  MemorySystem& memory() { return memory_; }

  // The caches of the SMs are empty, counts begin at 0.
  void begin_launch(const LaunchShape& shape);
  // Emulates the blocks of the batches; atomic additions are done in their order. Throws Cancelled, and the emulator's
  // Error.
  std::vector<BlockRun> emulate(const Launched& launch, std::span<const BlockBatch> batches);
  // Gives blocks that were emulated to the caches. Their costs go behind `costs`.
  SliceRun through_caches(const Launched& launch, const BlockBatch& batch, std::span<BlockRun> runs,
                          std::vector<BlockCost>& costs);
  // Both.
  SliceRun run(const Launched& launch, const BlockBatch& batch, std::vector<BlockCost>& costs);
  // Asks L2 as it is now.
  void ask_l2(SliceRun& slice, std::vector<BlockCost>& costs);

 private:
  BlockRun run_block(const Launched& launch, std::int64_t block, const BlockBatch& batch, simt::Additions& later) const;

  EmulatedProduct& product_;
  const GpuSpec& gpu_;
  const Progress& progress_;
  Observer* observer_;
  MemorySystem memory_;
};

// A block by itself, to see what it would do: nothing of it counts, and no cache is asked. Throws the emulator's Error.
simt::BlockTrace try_block(EmulatedProduct& product, int launch, std::int64_t block);
// The same of some warps; all of the block's are in the trace (EmulatedProduct::emulate_warps). False where these
// cannot do without the others.
bool try_warps(EmulatedProduct& product, int launch, std::int64_t block, simt::WarpRange warps,
               simt::BlockTrace& trace);
// Several blocks at once: `see` is called from several threads. Throws Cancelled too.
void try_blocks(EmulatedProduct& product, int launch, std::span<const std::int64_t> blocks, const Progress& progress,
                const std::function<void(std::size_t, const simt::BlockTrace&)>& see);

}  // namespace warpspy
