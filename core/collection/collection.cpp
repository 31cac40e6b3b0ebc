#include "core/collection/collection.hpp"

#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

#include "core/base/regular_file.hpp"
#include "core/base/target.hpp"
#include "core/collection/downloads.hpp"
#include "core/collection/http.hpp"

namespace warpspy {
namespace {

namespace fs = std::filesystem;

constexpr const char* kIndexFile = "/files/ssstats.csv";
constexpr std::size_t kMostIndexBytes = 64'000'000;

// Where a folder may contain a matrix: in the collection's layout, or unpacked.
constexpr const char* kInFolder[] = {"/MM/{G}/{N}.tar.gz", "/{G}/{N}.tar.gz", "/MM/{G}/{N}/{N}.mtx", "/{G}/{N}/{N}.mtx",
                                     "/{G}/{N}.mtx"};

std::string environment(const char* name) {
  const char* text = std::getenv(name);
  return text ? text : "";
}

std::string filled(std::string pattern, std::string_view group, std::string_view name) {
  for (const auto& [mark, text] : {std::pair(std::string_view("{G}"), group), std::pair(std::string_view("{N}"), name)})
    for (std::size_t at; (at = pattern.find(mark)) != std::string::npos;) pattern.replace(at, mark.size(), text);
  return pattern;
}

// Each mirror has an index of its own.
std::string index_path(const CollectionPlace& place) {
  if (place.is_folder()) {
    std::error_code failed;
    const std::string plain = place.from + "/ssstats.csv";
    return fs::exists(plain, failed) ? plain : place.from + kIndexFile;
  }
  if (place.folder.empty()) return "";
  std::uint32_t mixed = 2166136261u;
  for (const char c : place.from) mixed = (mixed ^ static_cast<unsigned char>(c)) * 16777619u;
  char name[40];
  std::snprintf(name, sizeof name, "/index-%08x.csv", mixed);
  return place.folder + name;
}

bool is_young(const std::string& path) {
  std::error_code failed;
  const auto written = fs::last_write_time(path, failed);
  return !failed && fs::file_time_type::clock::now() - written < std::chrono::hours(24 * kIndexDays);
}

std::string text_of(const std::string& path) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;
  return read_file(path, kMostBytes, {"index of the collection", "it is files/ssstats.csv of the collection"});
}

CollectionIndex downloaded_index(const CollectionPlace& place, Progress& progress) {
  const std::string url = place.from + kIndexFile;
  progress.stage("fetching the collection's index");
  std::string text;
  std::uint64_t bytes = 0;
  http_get(
      {.url = url, .from = 0, .tag = {}, .stall_s = place.stall_s},
      [&](const HttpReply& r) {
        if (r.status != 200)
          throw Error("the server has no index of the collection (it answers " + std::to_string(r.status) + ")", url,
                      "check what WARPSPY_COLLECTION says");
        bytes = r.bytes;
      },
      [&](std::string_view part) {
        if (text.size() + part.size() > kMostIndexBytes)
          throw Error("this is no index of the collection", url, "check what WARPSPY_COLLECTION says");
        text += part;
        if (bytes > 0) progress.set(static_cast<double>(text.size()) / static_cast<double>(bytes));
      },
      progress);
  CollectionIndex index = parse_index(text, url);
  if (const std::string path = index_path(place); !path.empty()) {
    std::error_code ignored;  // writing tells
    fs::create_directories(place.folder, ignored);
    write_file(path, text);
  }
  return index;
}

}  // namespace

bool CollectionPlace::is_folder() const { return from.find("://") == std::string::npos; }

CollectionPlace collection_place() {
  CollectionPlace place;
  if (std::string from = environment("WARPSPY_COLLECTION"); !from.empty()) place.from = std::move(from);
  while (place.from.size() > 1 && place.from.back() == '/') place.from.pop_back();
  const std::string cache = environment("XDG_CACHE_HOME"), home = environment("HOME");
  if (cache.starts_with('/'))
    place.folder = cache + "/warpspy/collection";
  else if (!home.empty())
    place.folder = home + "/.cache/warpspy/collection";
  const std::string limit = environment("WARPSPY_COLLECTION_BYTES");
  std::uint64_t n = 0;
  const auto [end, failed] = std::from_chars(limit.data(), limit.data() + limit.size(), n);
  if (failed == std::errc() && end == limit.data() + limit.size()) place.most_bytes = n;
  return place;
}

std::string collection_file(const CollectionPlace& place, const std::string& full_name) {
  const std::size_t slash = full_name.find('/');
  const std::string_view all = full_name;
  const std::string_view group = all.substr(0, slash);
  const std::string_view name = slash == std::string::npos ? std::string_view() : all.substr(slash + 1);
  if (!is_collection_name(group) || !is_collection_name(name))
    throw Error("this is no name of the collection", full_name, "it is GROUP/NAME, such as Williams/cant");
  if (!place.is_folder()) return downloads::path_of(place, full_name);
  std::error_code failed;
  for (const char* pattern : kInFolder)
    if (std::string path = place.from + filled(pattern, group, name); fs::is_regular_file(path, failed)) return path;
  return place.from + filled(kInFolder[0], group, name);
}

void mark_used(const CollectionPlace& place, const std::string& full_name) {
  if (place.is_folder()) return;
  std::error_code ignored;  // on a disk that cannot be written, removing fails too
  fs::last_write_time(downloads::sum_path(downloads::path_of(place, full_name)), fs::file_time_type::clock::now(),
                      ignored);
}

std::optional<CollectionIndex> downloaded_index(const CollectionPlace& place) {
  const std::string path = index_path(place);
  std::error_code failed;
  if (path.empty() || !fs::exists(path, failed)) return std::nullopt;
  try {
    return parse_index(text_of(path), path);
  } catch (const Error&) {
    return std::nullopt;  // fetch_index() downloads it again, or reports an error
  }
}

FetchedIndex fetch_index(const CollectionPlace& place, Progress& progress, bool renew) {
  if (place.is_folder()) {
    const std::string path = index_path(place);
    return {parse_index(text_of(path), path), ""};
  }
  auto kept = downloaded_index(place);
  if (kept && !renew && is_young(index_path(place))) return {std::move(*kept), ""};
  try {
    return {downloaded_index(place, progress), ""};
  } catch (const Error& e) {
    if (!kept || renew) throw;
    return {std::move(*kept), "the index of the collection is more than a month old: " + e.reason};
  }
}

}  // namespace warpspy
