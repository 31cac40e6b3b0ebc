// Reads a permutation from a text file: one row number per line, the new first row first. Empty lines and lines that
// begin with # or % are skipped. Rows may count from 0 or 1, which a complete permutation shows.
#include <charconv>
#include <sstream>
#include <string_view>

#include "core/base/regular_file.hpp"
#include "core/reorder/adjacency.hpp"

namespace warpspy::reorder_detail {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r\v\f";
  const std::size_t first = text.find_first_not_of(blank);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

struct Numbers {
  std::vector<index_t> value, line;
};

// Reads at most `most` + 1 numbers: one too many is enough to refuse the file.
Numbers read_numbers(const std::string& path, index_t most, Progress& progress) {
  // Memory for a number and some text on each line.
  const std::uint64_t room = (std::uint64_t{1} << 20) + 64 * static_cast<std::uint64_t>(most);
  std::istringstream in(read_file(path, room, {"permutation file", "check the name and the permissions"}));
  Numbers numbers;
  std::string text;
  for (index_t line = 1; static_cast<index_t>(numbers.value.size()) <= most && std::getline(in, text); ++line) {
    if (line % 65536 == 0) progress.check();
    const std::string_view word = trimmed(text);
    if (word.empty() || word[0] == '#' || word[0] == '%') continue;
    index_t value = 0;
    const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (status != std::errc{} || end != word.data() + word.size())
      throw Error("'" + std::string(word.substr(0, 40)) + "' is not a row number", path + ":" + std::to_string(line),
                  "write one whole number a line");
    numbers.value.push_back(value);
    numbers.line.push_back(line);
  }
  return numbers;
}

}  // namespace

Reordering from_file(const Csr& a, const ReorderInput& input, Progress& progress) {
  const index_t n = a.rows();
  const std::string& path = input.file;
  Numbers numbers = read_numbers(path, n, progress);
  const auto count = static_cast<index_t>(numbers.value.size());
  if (count != n)
    throw Error("the permutation has " + (count > n ? "more than " + std::to_string(n) : std::to_string(count)) +
                    " rows, the matrix has " + std::to_string(n),
                path);
  // A 0 or an n shows from where rows count. A list with neither is no permutation and is refused below.
  bool from_one = true;
  for (const index_t v : numbers.value) from_one = from_one && v != 0;
  const index_t base = from_one ? 1 : 0;
  std::vector<index_t> line_of(static_cast<std::size_t>(n), 0);
  for (std::size_t k = 0; k < numbers.value.size(); ++k) {
    const std::string where = path + ":" + std::to_string(numbers.line[k]);
    if (numbers.value[k] < base || numbers.value[k] - base >= n)
      throw Error("row " + std::to_string(numbers.value[k]) + " is outside a matrix of " + std::to_string(n) +
                      " rows, counted from " + std::to_string(base),
                  where);
    const index_t row = numbers.value[k] - base;
    if (line_of[row] != 0)
      throw Error(
          "row " + std::to_string(numbers.value[k]) + " was given before, in line " + std::to_string(line_of[row]),
          where);
    line_of[row] = numbers.line[k];
    numbers.value[k] = row;
  }
  std::string note = "rows are counted from " + std::to_string(base);
  if (a.rows() == a.cols()) return {Permutation::symmetric(std::move(numbers.value)), std::move(note)};
  return {Permutation::rows_only(std::move(numbers.value)), note + "; columns keep their order"};
}

}  // namespace warpspy::reorder_detail
