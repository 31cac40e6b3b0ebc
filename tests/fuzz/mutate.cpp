#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include "tests/fuzz/fuzz.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace warpspy::fuzz {
namespace {

constexpr const char* kNumbers[] = {"0",
                                    "1",
                                    "-1",
                                    "2",
                                    "3",
                                    "7",
                                    "10",
                                    "100",
                                    "255",
                                    "65536",
                                    "1000000",
                                    "2147483647",
                                    "2147483648",
                                    "-2147483648",
                                    "4294967295",
                                    "4294967296",
                                    "9007199254740993",
                                    "9223372036854775807",
                                    "9223372036854775808",
                                    "-9223372036854775808",
                                    "18446744073709551615",
                                    "18446744073709551616",
                                    "99999999999999999999999",
                                    "1.5",
                                    "-0",
                                    "0.1e400",
                                    "1e308",
                                    "1.8e308",
                                    "1e309",
                                    "2.2250738585072014e-308",
                                    "4.9e-324",
                                    "2.4e-324",
                                    "1e-400",
                                    "1e99999999999999999999",
                                    "nan",
                                    "inf",
                                    "-inf",
                                    "1,5",
                                    "1d5",
                                    "0x10",
                                    "1_000",
                                    "+5",
                                    ".5",
                                    "5.",
                                    "1e",
                                    "00000000000000000000000001"};
constexpr std::uint64_t kEdges[] = {0,          1,          2,          0x7f,       0xff,       0x7fff,
                                    0xffff,     0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff, 0x100000000,
                                    1ull << 62, INT64_MAX,  1ull << 63, UINT64_MAX};

template <class List>
auto pick(const List& list, Random& r) {
  return list[r.below(std::size(list))];
}

bool in_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || std::strchr("+-._%", c);
}

struct Range {
  std::size_t at = 0, size = 0;
};

std::vector<Range> words_in(const std::string& text) {
  std::vector<Range> words;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && text[end] != '\0' && in_word(text[end])) ++end;
    if (end > at) words.push_back({at, end - at});
    at = end + 1;
  }
  return words;
}

std::vector<Range> lines_in(const std::string& text) {
  std::vector<Range> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    lines.push_back({at, end - at});
    at = end;
  }
  return lines;
}

void alter_word(std::string& text, const Words& dictionary, Random& r) {
  const auto words = words_in(text);
  if (words.empty()) return;
  const Range w = pick(words, r), other = pick(words, r);
  std::string to;
  switch (r.below(dictionary.empty() ? 5 : 7)) {
    case 0:
      break;  // left out
    case 1:
      to = text.substr(other.at, other.size);
      break;
    case 2:
      to = mutate_plainly(text.substr(w.at, w.size), r);
      break;
    case 3:
    case 4: {
      const long long n = std::strtoll(text.substr(w.at, w.size).c_str(), nullptr, 10);
      to = r.one_in(3) && n > -1000000 && n < 1000000 ? std::to_string(n + (r.one_in(2) ? 1 : -1)) : pick(kNumbers, r);
      break;
    }
    default:
      to = pick(dictionary, r);
  }
  text.replace(w.at, w.size, to);
}

void alter_lines(std::string& text, Random& r) {
  const auto lines = lines_in(text);
  if (lines.empty()) return;
  const Range a = pick(lines, r), b = pick(lines, r);
  const std::string line = text.substr(a.at, a.size);
  switch (r.below(4)) {
    case 0:
      text.erase(a.at, a.size);
      break;
    case 1:
      text.insert(b.at, line);
      break;
    case 2:
      text.resize(a.at + r.below(a.size + 1));
      break;
    default:
      text.insert(a.at, pick(std::array{"\n", "\r\n", "% ", "# ", " ", "\t", "\xef\xbb\xbf"}, r));
  }
}

}  // namespace

std::string mutate_plainly(std::string bytes, Random& r) {
  const std::size_t size = bytes.size(), most = size + 1 + r.below(32);
  bytes.resize(most);
  bytes.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(bytes.data()), size, most));
  return bytes;
}

std::string mutate_text(std::string text, const Words& words, Random& r) {
  for (std::size_t times = 1 + r.below(3); times > 0; --times) {
    const std::size_t kind = r.below(10);
    if (kind < 6)
      alter_word(text, words, r);
    else if (kind < 8)
      alter_lines(text, r);
    else
      text = mutate_plainly(std::move(text), r);
  }
  return text;
}

std::string mutate_binary(std::string bytes, Random& r) {
  const std::size_t width = r.one_in(2) ? 4 : 8;
  if (bytes.size() < width || r.one_in(3)) return mutate_plainly(std::move(bytes), r);
  const std::size_t at = r.below(bytes.size() / width) * width;
  std::uint64_t n = 0;
  std::memcpy(&n, bytes.data() + at, width);
  n = r.one_in(2) ? pick(kEdges, r) : n + (r.one_in(2) ? 1 : -1) * (1 + r.below(16));
  std::memcpy(bytes.data() + at, &n, width);
  return bytes;
}

}  // namespace warpspy::fuzz
