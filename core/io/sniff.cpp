#include "core/io/sniff.hpp"

#include <algorithm>
#include <cctype>

namespace warpspy {
namespace {

using namespace std::string_view_literals;

constexpr auto kFetchAgain = "the download failed: fetch the matrix itself"sv;
constexpr auto kUseMatrixMarket = "Warpspy reads Matrix Market files (.mtx, .mtx.gz, .tar.gz)"sv;

struct Signature {
  std::string_view prefix, what, remedy;
};
// Matched without regard to case, after leading white space.
constexpr Signature kSignatures[] = {
    {"<!doctype html"sv, "an HTML page"sv, kFetchAgain},
    {"<html"sv, "an HTML page"sv, kFetchAgain},
    {"<head"sv, "an HTML page"sv, kFetchAgain},
    {"<?xml"sv, "an XML document"sv, kFetchAgain},
    {"version https://git-lfs"sv, "a Git LFS pointer, not the file it points to"sv, "run git lfs pull"sv},
    {"matlab 5.0 mat-file"sv, "a MATLAB file"sv, kUseMatrixMarket},
    {"matlab 7.3 mat-file"sv, "a MATLAB file"sv, kUseMatrixMarket},
    {"\x89hdf\r\n"sv, "an HDF5 file"sv, kUseMatrixMarket},
    {"\x93numpy"sv, "a NumPy array"sv, kUseMatrixMarket},
    {"pk\x03\x04"sv, "a zip archive"sv, "unpack it first"sv},
    {"%pdf-"sv, "a PDF document"sv, kUseMatrixMarket},
    {"\x7f"
     "elf"sv,
     "a program"sv, kUseMatrixMarket},
    {"7z\xbc\xaf"sv, "a 7z archive"sv, "unpack it first"sv},
    {"\xff\xfe"sv, "UTF-16 text"sv, "save it as plain ASCII text"sv},
    {"\xfe\xff"sv, "UTF-16 text"sv, "save it as plain ASCII text"sv},
};

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

bool starts_with_any_case(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() &&
         std::equal(prefix.begin(), prefix.end(), text.begin(), [](char p, char t) { return p == lower(t); });
}

// Line 3 (counted from 1) of both formats begins with a type such as RUA or psa.
bool looks_harwell_boeing(std::string_view head) {
  for (int line = 0; line < 2; ++line) {
    const auto end = head.find('\n');
    if (end == std::string_view::npos) return false;
    head.remove_prefix(end + 1);
  }
  const auto among = [](char c, std::string_view set) { return set.find(lower(c)) != std::string_view::npos; };
  return head.size() > 4 && among(head[0], "rcpiq"sv) && among(head[1], "suhzr"sv) && among(head[2], "ae"sv) &&
         among(head[3], " \t0123456789"sv);
}

}  // namespace

Guess guess_content(std::string_view head) {
  std::string_view text = head;
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  for (const auto& s : kSignatures)
    if (starts_with_any_case(text, s.prefix)) return {std::string(s.what), std::string(s.remedy)};
  if (head.find('\0') != std::string_view::npos) return {"binary data", std::string(kUseMatrixMarket)};
  if (looks_harwell_boeing(head))
    return {"a Harwell-Boeing or Rutherford-Boeing file, which is not read yet", std::string(kUseMatrixMarket)};
  const auto odd = std::count_if(head.begin(), head.end(), [](char c) {
    const auto u = static_cast<unsigned char>(c);
    return u >= 128 || (u < 32 && !std::isspace(u));
  });
  if (odd * 5 > static_cast<std::ptrdiff_t>(head.size())) return {"binary data", std::string(kUseMatrixMarket)};
  return {};
}

}  // namespace warpspy
