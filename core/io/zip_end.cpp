#include "core/io/zip_end.hpp"

namespace warpspy {
namespace {

using namespace std::string_view_literals;

// Sizes of the records without comments (PKWARE's APPNOTE, 4.3.14 to 4.3.16).
constexpr std::size_t kEndBytes = 22, kLocatorBytes = 20, kWideEndBytes = 56;

std::uint64_t number(std::string_view record, std::size_t at, int bytes) {
  std::uint64_t n = 0;
  for (int k = bytes; k-- > 0;) n = n << 8 | static_cast<unsigned char>(record[at + static_cast<std::size_t>(k)]);
  return n;
}

// In large archives one record states where the directory is, and another one where that record is.
bool is_wide_whole(std::string_view before, std::uint64_t first) {
  if (before.size() < kLocatorBytes + kWideEndBytes) return false;
  const std::string_view locator = before.substr(before.size() - kLocatorBytes);
  const std::uint64_t at = number(locator, 8, 8);
  if (!locator.starts_with("PK\x06\x07"sv) || at < first || at - first > before.size() - kLocatorBytes - kWideEndBytes)
    return false;
  const std::string_view record = before.substr(static_cast<std::size_t>(at - first));
  return record.starts_with("PK\x06\x06"sv) && number(record, 48, 8) <= at &&
         number(record, 40, 8) == at - number(record, 48, 8);
}

}  // namespace

std::string zip_end_remark(std::string_view end, std::uint64_t bytes) {
  const std::uint64_t first = bytes - end.size();
  for (std::size_t at = end.size() < kEndBytes ? 0 : end.size() - kEndBytes + 1; at-- > 0;) {
    const std::string_view record = end.substr(at);
    if (!record.starts_with("PK\x05\x06"sv)) continue;
    // Zeros at the end are padding of programs that write whole blocks.
    const std::size_t length = kEndBytes + static_cast<std::size_t>(number(record, 20, 2));
    if (record.size() < length || record.find_first_not_of('\0', length) != record.npos) continue;
    // The directory ends where this record begins.
    if (number(record, 12, 4) + number(record, 16, 4) == first + at) return {};
    if (is_wide_whole(end.substr(0, at), first)) return {};
  }
  return "The archive is cut short or damaged at its end, where the directory of its members stands: what was read is "
         "whole, but more may be missing. Fetch or save the file again.";
}

}  // namespace warpspy
