// The pipeline of readers of text: one thread at a time reads (and unpacks) text. All threads parse chunks of whole
// lines. One thread at a time stores the parsed chunks, in the order of the file. So the result, the first error and
// its line do not depend on the number of threads.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/io/text.hpp"
#include "core/jobs/progress.hpp"

namespace warpspy {

// The parts of for_each_chunk() that do not depend on the chunk's type.
struct ChunkWork {
  std::function<void*()> make;
  std::function<std::vector<char>&(void*)> text;
  std::function<void(void*)> parse, keep;
};
void run_chunks(TextStream& text, Progress& progress, const ChunkWork& work);

// Chunk::text, a std::vector<char>, is filled; then parse(chunk) on any thread; then keep(chunk), one after the other.
// A chunk object is used again for later text. Runs in the caller's TBB arena.
template <class Chunk, class Parse, class Keep>
void for_each_chunk(TextStream& text, Progress& progress, Parse&& parse, Keep&& keep) {
  std::vector<std::unique_ptr<Chunk>>
      chunks;  // owns the chunks, since the pipeline drops its plain pointers at an error
  const auto chunk = [](void* p) -> Chunk& { return *static_cast<Chunk*>(p); };
  run_chunks(text, progress,
             {[&]() -> void* { return chunks.emplace_back(std::make_unique<Chunk>()).get(); },
              [&](void* p) -> std::vector<char>& { return chunk(p).text; }, [&](void* p) { parse(chunk(p)); },
              [&](void* p) { keep(chunk(p)); }});
}

}  // namespace warpspy
