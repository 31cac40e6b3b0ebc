// A short name for a text. Different texts do not get the same name by accident, but an attacker could make such texts.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "core/base/splitmix.hpp"

namespace warpspy {

// 32 hexadecimal digits, the same on every machine: two 64-bit sums that are folded in different ways.
inline std::string hash_of_text(std::string_view text) {
  std::uint64_t low = text.size(), high = ~low;
  for (std::size_t k = 0; k < text.size(); k += 8) {
    std::uint64_t word = 0;
    for (std::size_t b = 0; b < 8 && k + b < text.size(); ++b)
      word |= std::uint64_t{static_cast<unsigned char>(text[k + b])} << (8 * b);
    low = splitmix::after(low ^ word);
    high = splitmix::after(high + splitmix::mixed(word ^ splitmix::kGolden));
  }
  char out[40];
  std::snprintf(out, sizeof out, "%016llx%016llx", static_cast<unsigned long long>(high),
                static_cast<unsigned long long>(low));
  return out;
}

}  // namespace warpspy
