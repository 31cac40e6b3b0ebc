// The end of a zip archive. Its directory stands there and says which members there are: an archive that was cut may
// hold whole members and lack others, and who reads it from the front does not see that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace warpspy {

// As many bytes of the end as the last record can have, with a comment, and what may stand before it.
constexpr std::size_t kZipEndBytes = 65535 + 22 + 20 + 56;

// A sentence for the user where an archive of so many bytes does not end as one does; else empty. `end`: its last
// kZipEndBytes, or all of it.
std::string zip_end_remark(std::string_view end, std::uint64_t bytes);

}  // namespace warpspy
