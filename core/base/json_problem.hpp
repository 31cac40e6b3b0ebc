// What the JSON library says is wrong, without its names: "[json.exception.type_error.302] type must be string" has
// nothing before "type" for people.
#pragma once

#include <exception>
#include <string>

namespace warpspy {

inline std::string json_problem(const std::exception& e) {
  const std::string text = e.what();
  const std::size_t end = text.find("] ");
  return text.starts_with("[json.exception.") && end != std::string::npos ? text.substr(end + 2) : text;
}

}  // namespace warpspy
