// JSON as text, the one way in which all of Warpspy writes it.
#pragma once

#include <string>

namespace warpspy {

// File names, names in archives and text out of headers may be any bytes, but JSON is UTF-8: what is not becomes
// U+FFFD. nlohmann's own default is to throw. indent: -1 for a single line.
template <class Json>
std::string json_text(const Json& j, int indent = 2) {
  return j.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace warpspy
