#include "core/base/base64.hpp"

#include <cstdint>
#include <string_view>

namespace warpspy {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string base64(const std::string& bytes) {
  std::string result;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t v = 0;
    for (std::size_t k = 0; k < 3; ++k)
      v = v << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0);
    for (std::size_t k = 0; k < 4; ++k) result += i + k <= bytes.size() ? kDigits[v >> (18 - 6 * k) & 63] : '=';
  }
  return result;
}

std::optional<std::string> from_base64(const std::string& text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::string result;
  for (std::size_t i = 0; i < text.size(); i += 4) {
    std::uint32_t v = 0;
    std::size_t letters = 0;
    for (; letters < 4 && text[i + letters] != '='; ++letters) {
      const auto digit = kDigits.find(text[i + letters]);
      if (digit == std::string_view::npos) return std::nullopt;
      v |= static_cast<std::uint32_t>(digit) << (18 - 6 * letters);
    }
    // Padding characters may only be at the end.
    const bool last = i + 4 == text.size();
    if (letters < 2 || (letters < 4 && !last) || (letters == 2 && text[i + 3] != '=')) return std::nullopt;
    for (std::size_t k = 0; k + 1 < letters; ++k) result += static_cast<char>(v >> (16 - 8 * k) & 255);
  }
  return result;
}

}  // namespace warpspy
