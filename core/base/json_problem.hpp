// Turns an error text of the JSON library into words for people: "[json.exception.type_error.302] type must be string"
// begins at "type", and "key 'seal' not found" is "it has no \"seal\"".
#pragma once

#include <exception>
#include <string>

namespace warpspy {

inline std::string json_problem(const std::exception& e) {
  std::string text = e.what();
  const std::size_t end = text.find("] ");
  if (text.starts_with("[json.exception.") && end != std::string::npos) text.erase(0, end + 2);
  const std::string before = "key '", after = "' not found";
  if (!text.starts_with(before) || !text.ends_with(after)) return text;
  return "it has no \"" + text.substr(before.size(), text.size() - before.size() - after.size()) + "\"";
}

}  // namespace warpspy
