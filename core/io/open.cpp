#include <tbb/task_arena.h>

#include "core/generate/generate.hpp"
#include "core/io/cache.hpp"
#include "core/io/io.hpp"
#include "core/io/reader.hpp"
#include "core/io/sniff.hpp"
#include "core/matrix/memory.hpp"

namespace warpspy {
namespace {

Matrix read_file(const std::string& path, Progress& progress) {
  const auto file = open_source(path);
  Peeked source(*file, kHeadBytes);
  const MatrixReader* reader = recognise(source.head());
  if (!reader) refuse_content(source.head(), source.label());
  return reader->read(source, path, {available_memory()}, progress);
}

// A copy that cannot be kept is told, but is no failure: the matrix is there.
void keep_copy(const CacheKey& key, Matrix& m, Progress& progress) {
  const auto now = cache_key(key.path);
  if (!key.settled || !now || !now->same_file(key)) return;  // written to while it was read
  try {
    save_cache(key, m, progress);
  } catch (const Error& e) {
    m.source.warnings.push_back("No copy was kept for the next opening: " + e.reason + " (" + e.where + ").");
  }
}

Matrix open_file(const std::string& path, Progress& progress) {
  const auto key = cache_key(path);
  if (!key) return read_file(path, progress);
  if (auto copy = load_cache(*key, progress)) {
    copy->source.name = stem_of(path);
    copy->source.location = path;
    return std::move(*copy);
  }
  Matrix m = read_file(path, progress);
  keep_copy(*key, m, progress);
  return m;
}

}  // namespace

Matrix open_matrix(const std::string& source, Progress& progress, int threads) {
  tbb::task_arena arena(threads > 0 ? threads : tbb::task_arena::automatic);
  return arena.execute([&] {
    if (source.starts_with("gen:")) return generate(source, progress);
    return open_file(source, progress);
  });
}

}  // namespace warpspy
