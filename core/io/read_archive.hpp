// Owns an archive that libarchive reads, and frees it.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

struct archive;

namespace warpspy {

struct FreeArchive {
  void operator()(archive* a) const;
};
using ReadArchive = std::unique_ptr<archive, FreeArchive>;

// Reads from the present member. It returns fewer bytes than `most` only at the member's end, and nothing if the member
// cannot be read.
std::optional<std::size_t> read_member(archive* a, char* to, std::size_t most);

}  // namespace warpspy
