#include <tbb/task_arena.h>

#include "core/generate/generate.hpp"
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

}  // namespace

Matrix open_matrix(const std::string& source, Progress& progress, int threads) {
  tbb::task_arena arena(threads > 0 ? threads : tbb::task_arena::automatic);
  return arena.execute([&] {
    if (source.starts_with("gen:")) return generate(source, progress);
    return read_file(source, progress);
  });
}

}  // namespace warpspy
