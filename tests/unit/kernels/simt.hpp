// Helpers for tests of the emulator: launch a lambda-like kernel over arrays and look at what was seen.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstdio>
#include <string>

#include "core/base/types.hpp"
#include "kernels/simt/emulator.hpp"

namespace warpspy::simt {

// A launch whose arrays live here.
struct Bench {
  Launch launch;
  int block_size;

  explicit Bench(int threads = 32) : block_size(threads) { launch.kernel = "planted"; }
  template <class T>
  Array<T> array(const char* name, std::vector<T>& data, Role role = Role::matrix) {
    const std::uint64_t base = 0x10000 * (launch.arrays.size() + 1);
    launch.arrays.push_back({name, base, data.size() * sizeof(T), role});
    return {data.data(), static_cast<std::int64_t>(data.size()), base,
            static_cast<std::uint16_t>(launch.arrays.size() - 1), role};
  }
  template <class Kernel>
  BlockTrace run(const Kernel& kernel, std::int64_t block = 0) {
    BlockTrace trace;
    run_block(launch, {block, block_size}, kernel, &trace);
    return trace;
  }
  // The Error that the kernel ends with.
  template <class Kernel>
  Error error_of(const Kernel& kernel) {
    try {
      run_block(launch, {0, block_size}, kernel, nullptr);
    } catch (const Error& e) {
      return e;
    }
    ADD_FAILURE() << "no error";
    return Error("none");
  }
};

// "array active-mask" of every warp instruction of a warp, one per line: enough to compare by hand.
inline std::vector<std::string> steps(const WarpTrace& warp, const std::vector<ArrayInfo>& arrays) {
  std::vector<std::string> list;
  for (const Access& a : warp.accesses) {
    char mask[16];
    std::snprintf(mask, sizeof mask, " %x", a.active);
    list.push_back(arrays[a.array].name + mask);
  }
  return list;
}

inline std::vector<std::uint64_t> addresses(const WarpTrace& warp, std::size_t instruction) {
  const Access& a = warp.accesses[instruction];
  const auto first = warp.addresses.begin() + a.first;
  return {first, first + std::popcount(a.active)};
}

}  // namespace warpspy::simt
