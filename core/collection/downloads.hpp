// The files that were fetched: FOLDER/MM/GROUP/NAME.tar.gz, and beside each ".sum": its size and check sum, written
// when it is whole, and touched when it is used. For fetch.cpp and collection.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/collection/collection.hpp"
#include "core/jobs/progress.hpp"

namespace warpspy::downloads {

struct Sum {
  std::uint64_t bytes = 0;
  std::uint32_t crc = 0;
  bool operator==(const Sum&) const = default;
};

std::string path_of(const CollectionPlace& place, const std::string& full_name);
std::string sum_path(const std::string& path);
// Size and check sum of a file's bytes. Throws Error and Cancelled.
Sum sum_of(const std::string& path, Progress& progress);
// What was written down of it; nothing where it was not.
std::optional<Sum> saved_sum(const std::string& path);
void keep_sum(const std::string& path, const Sum& sum);
// A gzip file has a check sum of what is in it. Throws Error when it does not agree, or the file is cut, and Cancelled.
void check_gzip(const std::string& path, Progress& progress);

// Removes what was used longest ago until `bytes` more have room, and tells what. Throws Error where they never have.
std::vector<std::string> make_room(const CollectionPlace& place, std::uint64_t bytes, const std::string& for_path);

}  // namespace warpspy::downloads
