// Gives the bytes of a matrix from a plain file, a compressed file, or a member of an archive.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/io/source.hpp"

namespace warpspy {

// Opens `path`, recognised by content: gzip, bzip2, xz, zstd; a zip or tar archive (compressed or not), of which the
// main matrix is read. A zip archive of NumPy arrays is a format of its own and left as it is. Throws Error. `waiting`:
// as of open_file().
std::unique_ptr<Source> open_source(const std::string& path, const Progress* waiting = nullptr);

// Returns the contents of a compressed file, if its first bytes show that it is compressed; otherwise the source itself
// (unpack.cpp). Every check sum and length in the file has been compared once its end has been read.
std::unique_ptr<Peeked> unpacked(std::unique_ptr<Peeked> source);

// Returns the main matrix of a tar or zip archive (archive.cpp). Each call of `open` opens the archive again.
using OpenSource = std::function<std::unique_ptr<Source>()>;
bool looks_tar(std::string_view head);
bool looks_zip(std::string_view head);
std::unique_ptr<Source> open_tar(const OpenSource& open);
std::unique_ptr<Source> open_zip(const std::string& path);

}  // namespace warpspy
