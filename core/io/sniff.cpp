#include "core/io/sniff.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>

#include "core/io/edge_list.hpp"
#include "core/io/io.hpp"
#include "core/io/matrix_market.hpp"
#include "core/io/reader.hpp"
#include "core/io/words.hpp"

namespace warpspy {
namespace {

using namespace std::string_view_literals;

constexpr auto kUseAFormat = ""sv;  // the remedy is the list of formats
constexpr auto kFetchAgain = "the download failed: fetch the matrix itself"sv;

struct Signature {
  std::string_view prefix, what, remedy;
};
// Compared without regard to case, after leading white space.
constexpr Signature kSignatures[] = {
    {"<!doctype html"sv, "an HTML page"sv, kFetchAgain},
    {"<html"sv, "an HTML page"sv, kFetchAgain},
    {"<head"sv, "an HTML page"sv, kFetchAgain},
    {"<?xml"sv, "an XML document"sv, kFetchAgain},
    {"version https://git-lfs"sv, "a Git LFS pointer, not the file it points to"sv, "run git lfs pull"sv},
    {"\x89hdf\r\n"sv, "an HDF5 file"sv, kUseAFormat},
    {"\x93numpy"sv, "a single NumPy array"sv, "write a sparse matrix with scipy.sparse.save_npz"sv},
    {"pk\x03\x04"sv, "a zip archive"sv, "unpack it first"sv},
    {"%pdf-"sv, "a PDF document"sv, kUseAFormat},
    {"\x7f"
     "elf"sv,
     "a program"sv, kUseAFormat},
    {"7z\xbc\xaf"sv, "a 7z archive"sv, "unpack it first"sv},
    {"\xff\xfe"sv, "UTF-16 text"sv, "save it as plain ASCII text"sv},
    {"\xfe\xff"sv, "UTF-16 text"sv, "save it as plain ASCII text"sv},
};

bool starts_with_any_case(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() &&
         std::equal(prefix.begin(), prefix.end(), text.begin(), [](char p, char t) { return p == lower_case(t); });
}

// Version 4 has no signature. It begins with five small numbers in either byte order (the first one tells which one,
// and kind and precision). Then comes the name of a variable, which ends with a zero.
bool looks_matlab4(std::string_view head) {
  for (const bool big : {false, true}) {
    if (head.size() < 21) return false;
    std::array<std::uint32_t, 5> n{};
    for (std::size_t k = 0; k < 20; ++k)
      n[k / 4] |= std::uint32_t{static_cast<unsigned char>(head[k])} << (8 * (big ? 3 - k % 4 : k % 4));
    const auto [kind, rows, cols, imaginary, name] = n;
    const bool right_kind =
        kind / 1000 == (big ? 1 : 0) && kind % 1000 / 100 == 0 && kind / 10 % 10 <= 5 && kind % 10 <= 2;
    if (!right_kind || rows > INT32_MAX || cols > INT32_MAX || imaginary > 1 || name < 2 || name > 64) continue;
    if (head.size() < 20 + name || head[19 + name] != '\0') continue;
    const auto letters = head.substr(20, name - 1);
    if (std::all_of(letters.begin(), letters.end(),
                    [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)); }))
      return true;
  }
  return false;
}

struct Guess {
  std::string_view what;    // "an HTML page"; empty when nothing is recognised
  std::string_view remedy;  // what the user can do; empty: convert to a format that can be read
};

Guess guess_content(std::string_view head) {
  std::string_view text = head;
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  for (const auto& s : kSignatures)
    if (starts_with_any_case(text, s.prefix)) return {s.what, s.remedy};
  if (head.size() >= 16 && head.find_first_not_of('\0') == std::string_view::npos)
    return {"a file of zero bytes"sv, kFetchAgain};
  if (looks_matlab4(head)) return {"a file of MATLAB 4"sv, "save it again: save(file, 'A', '-v7')"sv};
  const auto odd = std::count_if(head.begin(), head.end(), [](char c) {
    const auto u = static_cast<unsigned char>(c);
    return u >= 128 || (u < 32 && !std::isspace(u));
  });
  const bool binary = head.find('\0') != std::string_view::npos || odd * 5 > static_cast<std::ptrdiff_t>(head.size());
  return binary ? Guess{"binary data"sv, {}} : Guess{};
}

// Line k of the text, from 0.
std::string_view line_at(std::string_view text, int k) {
  for (; k > 0; --k) text.remove_prefix(std::min(text.find('\n') + 1, text.size()));
  return text.substr(0, text.find('\n'));
}

bool is_boeing_name(std::string_view name) {
  for (const auto& r : matrix_readers())
    for (const auto extension : words_of(r.extensions))
      if (r.id == "boeing" && ends_with_any_case(name, extension)) return true;
  return false;
}

}  // namespace

void refuse_content(std::string_view head, const std::string& label, std::string_view name) {
  const std::string formats = "Warpspy reads " + readable_formats();
  if (head.empty()) throw Error("the file is empty", label, formats);
  const Guess guess = guess_content(head);
  if (!guess.what.empty())
    throw Error("this is " + std::string(guess.what), label + ":1",
                guess.remedy.empty() ? formats : std::string(guess.remedy));
  const std::string_view first = head.substr(0, head.find('\n'));
  if (first.starts_with('%'))
    throw Error("wrong banner " + in_quotes(first), label + ":1", std::string("expected ") + kMmBanner);
  if (is_boeing_name(name))
    throw Error(
        "no matrix format is recognised: a Boeing file counts its lines in line 2 and has a type such as RUA in "
        "line 3, but there are " +
            in_quotes(line_at(head, 1)) + " and " + in_quotes(line_at(head, 2)),
        label + ":1", formats);
  if (looks_edges(head))
    throw Error("no matrix format is recognised: the file begins with " + in_quotes(first), label + ":1",
                formats + "; a list of edges under another name opens as FILE?format=edges");
  throw Error("no matrix format is recognised: the file begins with " + in_quotes(first), label + ":1", formats);
}

}  // namespace warpspy
