#include "core/collection/downloads.hpp"

#include <zlib.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <sstream>
#include <system_error>

#include "core/base/numbers.hpp"
#include "core/base/regular_file.hpp"
#include "core/base/target.hpp"

namespace warpspy {
namespace downloads {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEnding = ".tar.gz";
constexpr std::size_t kBlock = std::size_t{1} << 20;

struct CloseGzip {
  void operator()(gzFile f) const { gzclose_r(f); }
};

struct Download {
  fs::path path;
  std::uint64_t bytes = 0;
  fs::file_time_type used;
  std::string name() const {
    const std::string file = path.filename().string();
    return path.parent_path().filename().string() + "/" + file.substr(0, file.size() - std::string(kEnding).size());
  }
};

// Files may disappear while we look: another process may be making room too.
std::vector<Download> all(const CollectionPlace& place) {
  std::vector<Download> found;
  if (place.folder.empty()) return found;
  std::error_code failed;
  for (fs::recursive_directory_iterator it(place.folder + "/MM", failed), end; !failed && it != end;
       it.increment(failed)) {
    if (!it->path().string().ends_with(kEnding)) continue;
    std::error_code gone;
    Download k{it->path(), it->file_size(gone), {}};
    if (gone) continue;
    k.used = fs::last_write_time(sum_path(k.path.string()), gone);
    if (gone) k.used = fs::file_time_type::min();  // without its check sum it is worth nothing
    found.push_back(std::move(k));
  }
  return found;
}

std::uint64_t bytes_of(const std::vector<Download>& files) {
  std::uint64_t n = 0;
  for (const Download& k : files) n += k.bytes;
  return n;
}

bool remove(const Download& k) {
  std::error_code failed, ignored;
  fs::remove(sum_path(k.path.string()), ignored);
  return fs::remove(k.path, failed);
}

}  // namespace

std::string path_of(const CollectionPlace& place, const std::string& full_name) {
  return place.folder + "/MM/" + full_name + kEnding;
}

std::string sum_path(const std::string& path) { return path + ".sum"; }

Sum sum_of(const std::string& path, Progress& progress) {
  RegularFile file(path);
  std::vector<char> block(kBlock);
  Sum sum;
  uLong crc = crc32_z(0, nullptr, 0);
  for (std::size_t n; (n = file.read(block.data(), block.size())) > 0; sum.bytes += n) {
    progress.check();
    crc = crc32_z(crc, reinterpret_cast<const unsigned char*>(block.data()), n);
  }
  sum.crc = static_cast<std::uint32_t>(crc);
  return sum;
}

std::optional<Sum> saved_sum(const std::string& path) {
  const auto text = read_file_if_there(sum_path(path), kBlock);
  if (!text) return std::nullopt;
  std::istringstream in(*text);
  Sum sum;
  std::string crc;
  if (!(in >> sum.bytes >> crc) || crc.size() != 8) return std::nullopt;
  return std::sscanf(crc.c_str(), "%8" SCNx32, &sum.crc) == 1 ? std::optional(sum) : std::nullopt;
}

void keep_sum(const std::string& path, const Sum& sum) {
  char text[64];
  std::snprintf(text, sizeof text, "%" PRIu64 " %08" PRIx32 "\n", sum.bytes, sum.crc);
  write_file(sum_path(path), text);
}

void check_gzip(const std::string& path, Progress& progress) {
  const std::unique_ptr<gzFile_s, CloseGzip> file(gzopen(path.c_str(), "rb"));
  if (!file) throw Error("the file cannot be read", path, "check that it is there and may be read");
  constexpr const char* remedy = "fetch it again; if that comes to the same, tell who runs the mirror";
  if (gzdirect(file.get())) throw Error("what came is no packed matrix", path, remedy);
  std::vector<unsigned char> block(kBlock);
  for (int n; (n = gzread(file.get(), block.data(), static_cast<unsigned>(block.size()))) != 0;) {
    progress.check();
    if (n < 0) throw Error("the file is damaged: gzip's check sum does not agree with what is in it", path, remedy);
  }
  int code = Z_OK;
  const char* why = gzerror(file.get(), &code);
  if (code != Z_OK && code != Z_STREAM_END) throw Error("the file is damaged: " + std::string(why), path, remedy);
}

std::vector<std::string> make_room(const CollectionPlace& place, std::uint64_t bytes, const std::string& for_path) {
  std::vector<Download> kept = all(place);
  std::uint64_t used = bytes_of(kept);
  std::error_code failed;
  const auto space = fs::space(place.folder, failed);
  if (bytes > place.most_bytes)
    throw Error("the file takes " + byte_text(static_cast<double>(bytes)) + ", but all that is fetched may take " +
                    byte_text(static_cast<double>(place.most_bytes)),
                for_path, "let WARPSPY_COLLECTION_BYTES say more");
  if (!failed && bytes > space.available + used)
    throw Error("the file takes " + byte_text(static_cast<double>(bytes)) + ", but the disk has " +
                    byte_text(static_cast<double>(space.available)) + " left",
                for_path, "make room, or let XDG_CACHE_HOME name another disk");
  std::uint64_t free = failed ? UINT64_MAX : std::uint64_t{space.available};
  std::sort(kept.begin(), kept.end(), [](const Download& a, const Download& b) { return a.used < b.used; });
  std::vector<std::string> removed;
  for (const Download& k : kept) {
    if (k.path == for_path || (used + bytes <= place.most_bytes && bytes <= free)) continue;
    if (!remove(k)) continue;
    used -= k.bytes, free += failed ? 0 : k.bytes;
    removed.push_back(k.name());
  }
  return removed;
}

}  // namespace downloads

std::vector<std::string> downloaded_matrices(const CollectionPlace& place) {
  std::vector<std::string> names;
  for (const auto& k : downloads::all(place)) names.push_back(k.name());
  return names;
}

CollectionUsage collection_usage(const CollectionPlace& place) {
  const auto kept = downloads::all(place);
  return {kept.size(), downloads::bytes_of(kept)};
}

CollectionUsage clear_collection(const CollectionPlace& place) {
  CollectionUsage removed;
  for (const auto& k : downloads::all(place))
    if (downloads::remove(k)) ++removed.files, removed.bytes += k.bytes;
  return removed;
}

}  // namespace warpspy
