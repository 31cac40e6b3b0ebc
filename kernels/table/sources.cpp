#include "kernels/table/sources.hpp"

#include <algorithm>
#include <iterator>

namespace warpspy {
namespace {

using namespace std::string_view_literals;

struct File {
  std::string_view name, text;
};
constexpr File source_files[] = {
#include <kernel_sources.inc>  // made by CMakeLists.txt: an entry for each file of kernels/spmv
};

}  // namespace

std::string_view kernel_source(std::string_view file) {
  const auto at =
      std::find_if(std::begin(source_files), std::end(source_files), [&](const File& f) { return f.name == file; });
  return at == std::end(source_files) ? std::string_view{} : at->text;
}

std::vector<std::string_view> kernel_source_files() {
  std::vector<std::string_view> names;
  for (const File& f : source_files) names.push_back(f.name);
  return names;
}

std::string_view kernel_source_line(std::string_view file, int number) {
  std::string_view text = kernel_source(file);
  for (; number > 1; --number) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  text = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(' ')));
  return text;
}

}  // namespace warpspy
