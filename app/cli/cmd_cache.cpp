#include <CLI/CLI.hpp>
#include <cstdio>

#include "app/cli/command.hpp"
#include "core/io/cache.hpp"

namespace warpspy::cli {

int cache(CLI::App& app, std::vector<std::string> args) {
  bool clear = false;
  app.add_flag("--clear", clear, "Remove all copies");
  app.parse(std::move(args));
  const std::string folder = cache_folder();
  const CacheUsage usage = clear ? clear_cache() : cache_usage();
  std::printf("%s: %llu copies, %.1f MB%s\n", folder.empty() ? "no cache folder" : folder.c_str(),
              static_cast<unsigned long long>(usage.copies), static_cast<double>(usage.bytes) / 1e6,
              clear ? ", removed" : "");
  return 0;
}

}  // namespace warpspy::cli
