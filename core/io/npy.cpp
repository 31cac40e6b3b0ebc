#include "core/io/npy.hpp"

#include <charconv>
#include <limits>

#include "core/base/types.hpp"
#include "core/io/words.hpp"

namespace warpspy {
namespace {

using namespace std::string_view_literals;
constexpr auto kNpyMagic = "\x93NUMPY"sv;
constexpr std::size_t kLongestHeader = 65536;

// The text after 'key': in the dictionary, without leading blanks; empty if the key is missing.
std::string_view after_key(std::string_view text, std::string_view key) {
  for (const char quote : {'\'', '"'}) {
    const std::string name = quote + std::string(key) + quote;
    auto at = text.find(name);
    if (at == std::string_view::npos) continue;
    at = text.find(':', at + name.size());
    if (at == std::string_view::npos) return {};
    at = text.find_first_not_of(' ', at + 1);
    return at == std::string_view::npos ? std::string_view() : text.substr(at);
  }
  return {};
}

bool parse_shape(std::string_view text, std::vector<std::int64_t>& shape) {
  if (!text.starts_with('(')) return false;
  text.remove_prefix(1);
  for (;;) {
    while (text.starts_with(' ') || text.starts_with(',')) text.remove_prefix(1);
    if (text.starts_with(')')) return true;
    std::int64_t n = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (status != std::errc() || n < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.starts_with('L')) text.remove_prefix(1);  // Python 2 wrote long numbers so
    shape.push_back(n);
    if (shape.size() > 32) return false;
  }
}

}  // namespace

std::size_t bytes_of_dtype(std::string_view dtype) {
  if (dtype.size() < 3) return 0;
  const char kind = dtype[1];
  std::size_t n = 0;
  const auto [end, status] = std::from_chars(dtype.data() + 2, dtype.data() + dtype.size(), n);
  if (status != std::errc() || end != dtype.data() + dtype.size() || n > kLongestHeader) return 0;
  if ("biufcSV"sv.find(kind) != std::string_view::npos) return n;
  return kind == 'U' ? 4 * n : 0;
}

std::int64_t data_bytes(const NpyHeader& h) {
  __int128 n = static_cast<__int128>(bytes_of_dtype(h.dtype));
  for (const auto extent : h.shape) {
    n *= extent;
    if (n > std::numeric_limits<std::int64_t>::max()) return -1;
  }
  return static_cast<std::int64_t>(n);
}

NpyHeader parse_npy_header(std::string_view head, const std::string& place) {
  const auto require = [&](bool ok, const std::string& what, const char* fix = "the file is damaged: save it again") {
    if (!ok) throw Error(what, place, fix);
  };
  require(head.size() >= 10 && head.starts_with(kNpyMagic), "this is no NumPy array");
  const auto byte = [&](std::size_t k) { return std::size_t{static_cast<unsigned char>(head[k])}; };
  const std::size_t version = byte(6);
  require(version >= 1 && version <= 3, "NumPy format " + std::to_string(version) + " is not known",
          "expected version 1, 2 or 3");
  const std::size_t start = version == 1 ? 10 : 12;
  require(head.size() >= start, "the NumPy header is cut short");
  const std::size_t length = byte(8) + (byte(9) << 8) + (version == 1 ? 0 : (byte(10) << 16) + (byte(11) << 24));
  require(length <= kLongestHeader && head.size() >= start + length, "the NumPy header is cut short");
  const auto text = head.substr(start, length);

  NpyHeader h;
  h.data_at = start + length;
  const auto type = after_key(text, "descr");
  require(!type.empty(), "the NumPy header has no type");
  require(type[0] == '\'' || type[0] == '"', "the NumPy array is a table of records",
          "expected an array of plain numbers");
  const auto closing = type.find(type[0], 1);
  require(closing != std::string_view::npos, "the type in the NumPy header is not closed");
  h.dtype = type.substr(1, closing - 1);
  const auto order = after_key(text, "fortran_order");
  require(order.starts_with("True") || order.starts_with("False"), "the NumPy header does not say the order");
  h.fortran_order = order.starts_with("True");
  require(parse_shape(after_key(text, "shape"), h.shape), "the shape in the NumPy header cannot be read");
  return h;
}

std::string npy_header(std::string_view dtype, const std::vector<std::int64_t>& shape) {
  std::string text = "{'descr': '" + std::string(dtype) + "', 'fortran_order': False, 'shape': (";
  for (const auto extent : shape) text += std::to_string(extent) + (shape.size() == 1 ? "," : ", ");
  if (shape.size() > 1) text.resize(text.size() - 2);
  text += "), }";
  constexpr std::size_t fixed = 10, align = 64;
  const std::size_t length = (fixed + text.size() + 1 + align - 1) / align * align - fixed;
  text.resize(length - 1, ' ');
  text += '\n';
  std::string head(kNpyMagic);
  head += '\x01';
  head += '\0';
  head += static_cast<char>(length & 255);
  head += static_cast<char>(length >> 8);
  return head + text;
}

}  // namespace warpspy
