// A 64-bit check sum that is computed as fast as memory is read. It finds accidental damage; an attacker could get
// around it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace warpspy {

// The words go in turn to eight sums. Each step of a sum is a rotation, an exclusive-or, and a multiplication by an odd
// number. Every step can be undone, so a single changed word always changes its sum. At the end the eight sums are
// combined in the same way.
inline std::uint64_t checksum(const void* data, std::size_t bytes) {
  constexpr std::uint64_t odd = 0x9E3779B97F4A7C15u;
  constexpr std::size_t lanes = 8;
  std::uint64_t h[lanes];
  for (std::size_t k = 0; k < lanes; ++k) h[k] = (k + 1) * odd;
  const auto* p = static_cast<const unsigned char*>(data);
  const auto step = [](std::uint64_t sum, std::uint64_t word) { return (std::rotl(sum, 29) ^ word) * odd; };
  std::size_t left = bytes;
  for (; left >= lanes * 8; left -= lanes * 8, p += lanes * 8) {
    std::uint64_t word[lanes];
    std::memcpy(word, p, sizeof word);
    for (std::size_t k = 0; k < lanes; ++k) h[k] = step(h[k], word[k]);
  }
  std::uint64_t tail[lanes] = {};
  if (left > 0) std::memcpy(tail, p, left);  // memcpy must not get a null pointer
  std::uint64_t sum = bytes * odd;
  for (std::size_t k = 0; k < lanes; ++k) sum = step(sum, step(h[k], tail[k]));
  sum ^= sum >> 32;
  return sum * odd ^ (sum >> 29);
}

}  // namespace warpspy
