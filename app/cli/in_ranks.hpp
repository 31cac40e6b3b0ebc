// Commands that MPI may have started in several processes: `mpirun -n 4 warpspy solve ...`.
#pragma once

#include <functional>

namespace warpspy {
class Ranks;
}

namespace warpspy::cli {

// Runs the command, and returns its exit code. If MPI started several processes, each runs it with the ranks; all but
// rank 0 are silent. Otherwise the ranks are nullptr. Throws what the command throws; if it fails in one rank, it
// throws in all.
int in_ranks(const std::function<int(Ranks*)>& command);

}  // namespace warpspy::cli
