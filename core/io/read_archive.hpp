// An archive of libarchive that is read, freed with its owner.
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

// Of the member at hand. Fewer bytes than `most` only at its end; nothing where it cannot be read.
std::optional<std::size_t> read_member(archive* a, char* to, std::size_t most);

}  // namespace warpspy
