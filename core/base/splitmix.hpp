// Random numbers by splitmix64 (Steele, Lea & Flood 2014). A mixing function is applied to a counter, so each number is
// computed without the previous one.
#pragma once

#include <cstdint>

namespace warpspy::splitmix {

inline constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15u;
// The mixing function, which is also a good hash.
constexpr std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}
// The number that comes after the state `v`.
constexpr std::uint64_t after(std::uint64_t v) { return mixed(v + kGolden); }

}  // namespace warpspy::splitmix
