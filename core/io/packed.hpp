// The bytes of a matrix, whatever they are packed in: a plain file, a compressed one, or a member of an archive.
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

// unpack.cpp: what a compressed file holds, when its first bytes say that it is one; else the source itself comes back.
// Every check sum and length in it is looked at by the time its end has been read.
std::unique_ptr<Peeked> unpacked(std::unique_ptr<Peeked> source);

// archive.cpp: the main matrix of an archive of tar or zip, which `open` opens anew each time.
using OpenSource = std::function<std::unique_ptr<Source>()>;
bool looks_tar(std::string_view head);
bool looks_zip(std::string_view head);
std::unique_ptr<Source> open_tar(const OpenSource& open);
std::unique_ptr<Source> open_zip(const std::string& path);

}  // namespace warpspy
