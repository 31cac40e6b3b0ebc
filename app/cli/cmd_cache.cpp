#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <string>

#include "app/cli/command.hpp"
#include "core/collection/collection.hpp"
#include "core/io/cache.hpp"

namespace warpspy::cli {

int cache(CLI::App& app, std::vector<std::string> args) {
  bool clear = false, clear_fetched = false;
  app.add_flag("--clear", clear, "Remove all copies");
  app.add_flag("--clear-collection", clear_fetched, "Remove all that was fetched of the SuiteSparse collection");
  app.parse(std::move(args));
  const auto tell = [](const std::string& folder, std::uint64_t count, const char* what, std::uint64_t bytes,
                       bool removed) {
    std::printf("%s: %llu %s, %.1f MB%s\n", folder.empty() ? "no cache folder" : folder.c_str(),
                static_cast<unsigned long long>(count), what, static_cast<double>(bytes) / 1e6,
                removed ? ", removed" : "");
  };
  const CacheUsage usage = clear ? clear_cache() : cache_usage();
  tell(cache_folder(), usage.copies, "copies", usage.bytes, clear);
  const CollectionPlace place = collection_place();
  const CollectionUsage fetched = clear_fetched ? clear_collection(place) : collection_usage(place);
  tell(place.folder, fetched.files, "of the collection", fetched.bytes, clear_fetched);
  return 0;
}

}  // namespace warpspy::cli
