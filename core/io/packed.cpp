#include "core/io/packed.hpp"

#include <utility>

#include "core/base/types.hpp"
#include "core/io/npz.hpp"

namespace warpspy {

std::unique_ptr<Source> open_source(const std::string& path, const Progress* waiting) {
  const auto open = [&] { return unpacked(std::make_unique<Peeked>(open_file(path, waiting), kHeadBytes)); };
  auto source = open();
  if (looks_zip(source->head()) && !looks_npz(source->head())) {
    if (source->plain_path().empty())
      throw Error("a zip archive in a pipe or in another file", path, "unpack it first");
    return open_zip(path);
  }
  if (!looks_tar(source->head())) return source;
  // Reads the first bytes again, unless they came through a pipe.
  std::unique_ptr<Source> first = std::move(source);
  return open_tar([&]() -> std::unique_ptr<Source> { return first ? std::move(first) : open(); });
}

}  // namespace warpspy
