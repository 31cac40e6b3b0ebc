// Checks the end of a zip archive, where a directory lists all members. An archive that was cut off may have some
// complete members and lack others. A program that reads it from the front does not notice that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace warpspy {

// The largest size of the archive's last record with its comment, and of the records that may stand before it.
constexpr std::size_t kZipEndBytes = 65535 + 22 + 20 + 56;

// Returns a sentence for the user if an archive does not end as a zip archive must; otherwise "". `bytes` is its size,
// and `end` has its last kZipEndBytes, or the whole archive.
std::string zip_end_remark(std::string_view end, std::uint64_t bytes);

}  // namespace warpspy
