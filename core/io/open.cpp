#include <tbb/task_arena.h>

#include <algorithm>

#include "core/generate/generate.hpp"
#include "core/io/io.hpp"
#include "core/io/matrix_market.hpp"
#include "core/matrix/memory.hpp"

namespace warpspy {

Matrix open_matrix(const std::string& source, Progress& progress, int threads) {
  tbb::task_arena arena(threads > 0 ? threads : tbb::task_arena::automatic);
  return arena.execute([&] {
    if (source.starts_with("gen:")) return generate(source, progress);
    const auto file = open_source(source);
    return read_matrix_market(*file, source, {available_memory()}, progress);
  });
}

}  // namespace warpspy
