#include "core/io/chunks.hpp"

#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <cstddef>
#include <mutex>

namespace warpspy {

void run_chunks(TextStream& text, Progress& progress, const ChunkWork& work) {
  const auto tokens = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()) * 2 + 1;
  std::vector<void*> idle;
  std::mutex lock;  // the first and the last stage run at the same time
  const auto read = [&](tbb::flow_control& flow) -> void* {
    progress.check();
    void* chunk = nullptr;
    {
      std::lock_guard guard(lock);
      if (!idle.empty()) {
        chunk = idle.back();
        idle.pop_back();
      }
    }
    if (!chunk) chunk = work.make();
    progress.set(text.source().fraction());
    if (text.chunk(work.text(chunk))) return chunk;
    flow.stop();
    return nullptr;
  };
  const auto parse = [&](void* chunk) {
    work.parse(chunk);
    return chunk;
  };
  const auto keep = [&](void* chunk) {
    work.keep(chunk);
    std::lock_guard guard(lock);
    idle.push_back(chunk);
  };
  using Mode = tbb::filter_mode;
  tbb::parallel_pipeline(tokens, tbb::make_filter<void, void*>(Mode::serial_in_order, read) &
                                     tbb::make_filter<void*, void*>(Mode::parallel, parse) &
                                     tbb::make_filter<void*, void>(Mode::serial_in_order, keep));
}

}  // namespace warpspy
