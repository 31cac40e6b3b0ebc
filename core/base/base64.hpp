// Bytes as letters (RFC 4648).
#pragma once

#include <optional>
#include <string>

namespace warpspy {

std::string base64(const std::string& bytes);
// Returns nothing if the text is not valid base64.
std::optional<std::string> from_base64(const std::string& text);

}  // namespace warpspy
