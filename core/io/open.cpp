#include <tbb/task_arena.h>

#include <filesystem>
#include <system_error>

#include "core/base/source_name.hpp"
#include "core/collection/collection.hpp"
#include "core/generate/generate.hpp"
#include "core/generate/points.hpp"
#include "core/io/cache.hpp"
#include "core/io/io.hpp"
#include "core/io/packed.hpp"
#include "core/io/reader.hpp"
#include "core/io/sniff.hpp"
#include "core/matrix/memory_guard.hpp"
#include "core/reorder/reorder.hpp"

namespace warpspy {
namespace {

// An error of a reader may come from damaged data. If a check sum further on shows that, it is the reason to report.
constexpr std::uint64_t kLookBehind = 64 << 20;

Matrix read_file(const FilePlace& place, const std::string& location, Progress& progress) {
  const auto file = open_source(place.path, &progress);
  Peeked source(*file, kHeadBytes);
  const std::string& format = place.options.format;
  const MatrixReader* reader = format.empty() ? recognise(source.head(), source.name()) : &reader_of(format);
  if (!reader) refuse_content(source.head(), source.label(), source.name());
  MemoryReservation reservation;
  Matrix m;
  try {
    m = reader->read(source, location, {available_memory(), place.options, &reservation}, progress);
  } catch (const Error&) {
    source.finish(kLookBehind);
    throw;
  }
  progress.check();
  source.finish(UINT64_MAX);
  if (auto remark = source.remark(); !remark.empty()) m.source.warnings.push_back(std::move(remark));
  m.source.name = stem_of(place.path);
  return m;
}

// If a copy cannot be kept, that is a note and not an error, since the matrix is open.
void keep_copy(const CacheKey& key, Matrix& m, Progress& progress) {
  const auto now = cache_key(key.path);
  if (!key.settled || !now || !now->same_file(key)) return;  // written to while it was read
  try {
    save_cache(key, m, progress);
  } catch (const Error& e) {
    m.source.warnings.push_back("No copy was kept for the next opening: " + e.reason + " (" + e.where + ").");
  }
}

// Opening fetches nothing: it takes what is here.
void require_fetched(const std::string& location, const std::string& path) {
  const std::string name = location.substr(kCollectionPrefix.size());
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed))
    throw Error("this matrix of the collection is not on this machine", location, "fetch it: warpspy fetch " + name);
  mark_used(collection_place(), name);
}

Matrix open_file(const std::string& location, Progress& progress) {
  const FilePlace place = place_of(location);
  if (is_of_collection(location)) require_fetched(location, place.path);
  // A copy does not record the options with which it was read.
  const auto key = place.options == ReadOptions{} ? cache_key(place.path) : std::nullopt;
  if (!key) return read_file(place, location, progress);
  if (auto copy = load_cache(*key, progress)) {
    copy->source.name = stem_of(place.path);
    copy->source.location = location;
    return std::move(*copy);
  }
  Matrix m = read_file(place, location, progress);
  keep_copy(*key, m, progress);
  return m;
}

}  // namespace

Matrix open_matrix(const std::string& source, Progress& progress, int threads) {
  tbb::task_arena arena(threads > 0 ? threads : tbb::task_arena::automatic);
  return arena.execute([&] {
    const MatrixRecipe recipe = recipe_of(source);
    Matrix m = is_generated(recipe.source) ? generate(recipe.source, progress) : open_file(recipe.source, progress);
    for (const ReorderStep& step : recipe.steps) m = reordered(m, step, progress).matrix;
    if (!recipe.steps.empty()) m.source.location = source;
    return m;
  });
}

std::optional<MeshPoints> points_of(const std::string& source, index_t most, Progress& progress) {
  const MatrixRecipe recipe = recipe_of(source);
  if (!is_generated(recipe.source)) return std::nullopt;
  std::optional<MeshPoints> points = mesh_points(recipe.source, most);
  if (!points || recipe.steps.empty()) return points;
  Matrix m = generate(recipe.source, progress);
  for (const ReorderStep& step : recipe.steps) {
    Reordered next = reordered(m, step, progress);
    MeshPoints moved = *points;
    const std::vector<index_t>& rows = next.order.permutation.row;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      moved.x[k] = points->x[static_cast<std::size_t>(rows[k])];
      moved.y[k] = points->y[static_cast<std::size_t>(rows[k])];
    }
    points = std::move(moved);
    m = std::move(next.matrix);
  }
  return points;
}

}  // namespace warpspy
