// An archive of libarchive that is read, freed with its owner.
#pragma once

#include <archive.h>

#include <memory>

namespace warpspy {

struct FreeArchive {
  void operator()(archive* a) const { archive_read_free(a); }
};
using ReadArchive = std::unique_ptr<archive, FreeArchive>;

}  // namespace warpspy
