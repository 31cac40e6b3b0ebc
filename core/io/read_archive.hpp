// An archive of libarchive that is read, freed with its owner.
#pragma once

#include <memory>

struct archive;

namespace warpspy {

struct FreeArchive {
  void operator()(archive* a) const;
};
using ReadArchive = std::unique_ptr<archive, FreeArchive>;

}  // namespace warpspy
