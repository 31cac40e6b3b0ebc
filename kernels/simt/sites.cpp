#include "kernels/simt/sites.hpp"

#include <cstring>

namespace warpspy::simt {

const char* base_name(const char* path) {
  const char* slash = std::strrchr(path, '/');
  return slash ? slash + 1 : path;
}

std::string text_of(const Site& site) { return std::string(site.file) + ":" + std::to_string(site.line); }

std::uint16_t SiteRegistry::id_of(const std::source_location& where) {
  const char* file = base_name(where.file_name());
  const int line = static_cast<int>(where.line());
  std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < sites_.size(); ++i)
    if (sites_[i].line == line && std::strcmp(sites_[i].file, file) == 0) return static_cast<std::uint16_t>(i);
  sites_.push_back({file, line});
  return static_cast<std::uint16_t>(sites_.size() - 1);
}

}  // namespace warpspy::simt
