// A PNG file is a list of chunks. These functions find and add chunks with texts and facts beside the picture.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace warpspy::plot {

std::uint32_t crc_of(std::string_view bytes);

bool is_png(std::string_view bytes);
// `data` begins with the chunk's type ("tEXt").
std::string png_chunk(std::string_view data);
// The position [first, past) of the first chunk whose data begin with this; empty if there is none.
std::pair<std::size_t, std::size_t> find_png_chunk(std::string_view png, std::string_view data);

// Adds a chunk that tells how large the picture is on paper.
std::string with_density(std::string png, double px_per_mm);

}  // namespace warpspy::plot
