#include "core/jobs/parallel.hpp"

#include <tbb/parallel_for.h>

namespace warpspy {

void in_parallel(std::size_t parts, const std::function<void(std::size_t part)>& work) {
  // Parts are few and large, so each is a task.
  tbb::parallel_for(
      tbb::blocked_range<std::size_t>(0, parts, 1),
      [&](const tbb::blocked_range<std::size_t>& range) {
        for (std::size_t part = range.begin(); part < range.end(); ++part) work(part);
      },
      tbb::simple_partitioner{});
}

}  // namespace warpspy
