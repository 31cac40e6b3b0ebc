// The launches of one product in the emulator. Code that does not depend on the kernel's type is compiled once, here,
// and not for each of more than a thousand kernels.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

#include "kernels/simt/emulator.hpp"
#include "kernels/spmv/spmv.hpp"

namespace warpspy {

class EmulatedLaunches {
 public:
  // Adds a launch. `compiled` tells how many registers nvcc's code needs. Throws Error for a grid or a block that no
  // GPU can launch.
  template <class Code>
  void add(const LaunchSpec& spec, const Code& code, bool overlap, const MachineCode* compiled) {
    static_assert(std::is_trivially_copyable_v<Code> && alignof(Code) <= alignof(std::max_align_t));
    add(
        spec, [](const void* of, simt::Thread t) { (*static_cast<const Code*>(of))(t); }, &code, sizeof code,
        simt::awaits_previous<Code>, overlap, compiled, compiled ? code_name(typeid(Code)) : "");
  }
  // Adds the first `count` launches once more, after all others.
  void repeat(std::size_t count);
  // Runs one thread block of a launch, as simt::run_block does.
  bool run(int launch, std::int64_t block, simt::WarpRange warps, simt::BlockTrace* trace, simt::Additions* later);

  const std::vector<LaunchShape>& shapes() const { return shapes_; }
  // Rows per block of the only launch; 0 if there are several launches, or blocks complete no rows.
  index_t rows_per_block() const { return launches_.size() == 1 ? launches_[0].spec.rows_per_block : 0; }

  simt::Launch common;

 private:
  using Lane = void (*)(const void* code, simt::Thread);
  struct Launch {
    LaunchSpec spec;
    Lane lane;
    std::shared_ptr<std::max_align_t[]> code;
    bool awaits;
  };
  void add(const LaunchSpec& spec, Lane lane, const void* code, std::size_t bytes, bool awaits, bool overlap,
           const MachineCode* compiled, std::string name);

  std::vector<Launch> launches_;
  std::vector<LaunchShape> shapes_;
};

}  // namespace warpspy
