// The engine's end of the pipe: it answers the calls of one Warpspy (README.md).
#pragma once

#include "core/run/engine.hpp"
#include "profiling/remote/messages.hpp"

namespace warpspy {

struct ServeOptions {
  double matrix_bytes = 0;  // the most bytes of kept matrices; 0: a quarter of the free memory. The matrix in use is
                            // always kept.
};

// Reads calls from the file `in` and writes answers to `out`, until `in` ends because the other side has ended. A
// running call is then cancelled; if it does not stop within two seconds, the process exits. No other code may write to
// `out`, and the process must ignore SIGPIPE. Returns the exit code: 0, or 1 if the other side was not understood.
int serve_engine(Engine& engine, const wire::Hello& hello, int in, int out, ServeOptions options = {});

}  // namespace warpspy
