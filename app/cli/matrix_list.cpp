#include "app/cli/matrix_list.hpp"

#include <sstream>

#include "core/base/regular_file.hpp"
#include "core/base/types.hpp"

namespace warpspy::cli {

std::vector<std::string> matrices_listed_in(const std::string& file) {
  constexpr std::uint64_t most_bytes = 1 << 20;
  std::istringstream text(read_file(file, most_bytes, {"list of matrices", "write one matrix on each line"}));
  std::vector<std::string> names;
  for (std::string line; std::getline(text, line);)
    if (!line.empty() && line.front() != '#') names.push_back(line);
  if (names.empty()) throw Error("the list names no matrix", file, "write one matrix on each line");
  return names;
}

}  // namespace warpspy::cli
