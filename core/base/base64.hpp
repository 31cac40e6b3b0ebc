// Writes bytes as letters by base64 (RFC 4648), and reads them back.
#pragma once

#include <optional>
#include <string>

namespace warpspy {

std::string base64(const std::string& bytes);
// Returns nothing if the text is not valid base64.
std::optional<std::string> from_base64(const std::string& text);

}  // namespace warpspy
