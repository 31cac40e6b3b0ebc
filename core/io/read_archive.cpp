#include "core/io/read_archive.hpp"

#include <archive.h>

namespace warpspy {

void FreeArchive::operator()(archive* a) const { archive_read_free(a); }

std::optional<std::size_t> read_member(archive* a, char* to, std::size_t most) {
  std::size_t got = 0;
  while (got < most) {
    const la_ssize_t n = archive_read_data(a, to + got, most - got);
    if (n == ARCHIVE_RETRY) continue;
    if (n < 0) return std::nullopt;
    if (n == 0) break;
    got += static_cast<std::size_t>(n);
  }
  return got;
}

}  // namespace warpspy
