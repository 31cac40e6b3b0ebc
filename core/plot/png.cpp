#include "core/plot/png.hpp"

#include <zlib.h>

#include <cmath>

namespace warpspy::plot {
namespace {

constexpr std::string_view kHead = "\x89PNG\r\n\x1A\n";
constexpr std::size_t kAroundData = 12;    // bytes of a chunk besides its data: length, type and check sum
constexpr std::size_t kBehindHeader = 33;  // kHead and IHDR, which comes first

std::string big_endian(std::uint32_t v) {
  std::string s;
  for (const int shift : {24, 16, 8, 0}) s += static_cast<char>(v >> shift & 255);
  return s;
}
std::uint32_t big_endian_at(std::string_view s, std::size_t at) {
  std::uint32_t v = 0;
  for (std::size_t k = 0; k < 4; ++k) v = v << 8 | static_cast<unsigned char>(s[at + k]);
  return v;
}

}  // namespace

std::uint32_t crc_of(std::string_view bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

bool is_png(std::string_view bytes) { return bytes.starts_with(kHead); }

std::string png_chunk(std::string_view data) {
  return big_endian(static_cast<std::uint32_t>(data.size() - 4)) + std::string(data) + big_endian(crc_of(data));
}

std::pair<std::size_t, std::size_t> find_png_chunk(std::string_view png, std::string_view data) {
  for (std::size_t at = kHead.size(); at + kAroundData <= png.size();) {
    const std::size_t size = big_endian_at(png, at);
    if (size > png.size() - at - kAroundData) break;
    if (png.substr(at + 4, data.size()) == data) return {at, at + kAroundData + size};
    at += kAroundData + size;
  }
  return {};
}

std::string with_density(std::string png, double px_per_mm) {
  const std::string per_metre = big_endian(static_cast<std::uint32_t>(std::lround(1000 * px_per_mm)));
  return png.insert(kBehindHeader, png_chunk("pHYs" + per_metre + per_metre + '\x01'));
}

}  // namespace warpspy::plot
