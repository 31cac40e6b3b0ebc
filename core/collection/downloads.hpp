// The downloaded files: FOLDER/MM/GROUP/NAME.tar.gz. A ".sum" file beside each has its size and check sum. The ".sum"
// is written when the download is complete, and gets a new time whenever the matrix is used. For fetch.cpp and
// collection.cpp.
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
// The size and check sum in a file's ".sum"; nothing if there is no ".sum".
std::optional<Sum> saved_sum(const std::string& path);
void keep_sum(const std::string& path, const Sum& sum);
// Compares the check sum that a gzip file has of its contents. Throws Error if it disagrees or the file is cut off, and
// Cancelled.
void check_gzip(const std::string& path, Progress& progress);

// Removes the files that were used longest ago until `bytes` more have room, and returns their names. Throws Error if
// so many bytes can never have room.
std::vector<std::string> make_room(const CollectionPlace& place, std::uint64_t bytes, const std::string& for_path);

}  // namespace warpspy::downloads
