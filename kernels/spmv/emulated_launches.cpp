#include "kernels/spmv/emulated_launches.hpp"

#include <cstring>
#include <utility>

namespace warpspy {

void EmulatedLaunches::add(const LaunchSpec& spec, Lane lane, const void* code, std::size_t bytes, bool awaits,
                           bool overlap, const MachineCode* compiled, std::string name) {
  require_launchable(common.kernel, spec);
  if (spec.grid == 0) return;
  const IssuedByWarp issued = compiled ? compiled->issued_by(name, common.kernel) : IssuedByWarp{};
  auto copy = std::make_shared<std::max_align_t[]>((bytes + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t));
  std::memcpy(copy.get(), code, bytes);
  launches_.push_back({spec, lane, std::move(copy), awaits});
  shapes_.push_back({.grid = spec.grid,
                     .block = spec.block,
                     .shared_bytes = spec.shared_bytes,
                     .registers = compiled ? compiled->registers_of(name) : 0,
                     .code = std::move(name),
                     .overlap = overlap,
                     .loads_in_flight = spec.loads_in_flight,
                     .matrix_in_flight = spec.matrix_in_flight,
                     .issued = issued,
                     .longest = spec.longest,
                     .block_sizes = spec.block_sizes,
                     .sections = spec.sections});
}

void EmulatedLaunches::repeat(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    launches_.push_back(Launch(launches_[i]));
    shapes_.push_back(LaunchShape(shapes_[i]));
  }
}

bool EmulatedLaunches::run(int launch, std::int64_t block, simt::WarpRange warps, simt::BlockTrace* trace,
                           simt::Additions* later) {
  const Launch& l = launches_.at(static_cast<std::size_t>(launch));
  return simt::run_block(common, {block, l.spec.block, l.spec.shared_bytes, launch, warps, l.awaits}, l.lane,
                         l.code.get(), trace, later);
}

}  // namespace warpspy
