// FILE?name=value&...: what the user says of a file.
#include <algorithm>
#include <filesystem>

#include "core/base/source_name.hpp"
#include "core/collection/collection.hpp"
#include "core/io/reader.hpp"
#include "core/io/words.hpp"

namespace warpspy {
namespace {

constexpr auto kOptions = "format, base (0 or 1), undirected, weights and bipartite (0 or 1)";

bool yes_or_no(std::string_view value, const std::string& location) {
  if (value == "1" || value == "yes") return true;
  if (value == "0" || value == "no") return false;
  throw Error("the option value " + in_quotes(value) + " is not understood", location, "expected 1 or 0");
}

void set_option(ReadOptions& o, std::string_view name, std::string_view value, const std::string& location) {
  if (name == "format")
    o.format = reader_of(std::string(value)).id;
  else if (name == "base")
    o.base = yes_or_no(value, location);
  else if (name == "undirected")
    o.undirected = yes_or_no(value, location);
  else if (name == "weights")
    o.weights = yes_or_no(value, location);
  else if (name == "bipartite")
    o.bipartite = yes_or_no(value, location);
  else
    throw Error("unknown option " + in_quotes(name) + " behind the name of the file", location,
                std::string("known: ") + kOptions);
}

}  // namespace

FilePlace place_of(const std::string& location) {
  if (is_of_collection(location))
    return {collection_file(collection_place(), location.substr(kCollectionPrefix.size())), {}};
  const auto mark = location.rfind('?');
  std::error_code failed;
  if (mark == std::string::npos || location.find('=', mark) == std::string::npos ||
      std::filesystem::exists(location, failed))
    return {location, {}};
  FilePlace place{location.substr(0, mark), {}};
  std::string_view rest = std::string_view(location).substr(mark + 1);
  while (!rest.empty()) {
    const auto option = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(option.size() + 1, rest.size()));
    const auto equals = std::min(option.find('='), option.size());
    set_option(place.options, option.substr(0, equals), option.substr(std::min(equals + 1, option.size())), location);
  }
  return place;
}

}  // namespace warpspy
