// An engine behind a pipe: answers the calls of one Warpspy (README.md).
#pragma once

#include "core/run/engine.hpp"
#include "profiling/remote/messages.hpp"

namespace warpspy {

struct ServeOptions {
  double matrix_bytes = 0;  // of matrices kept at most; 0: a quarter of the memory that is free. The one in use stays.
};

// Reads calls from the file `in` and writes answers to `out`, until `in` ends: the other side has gone. What is under
// way then is cancelled; a call that does not heed that within two seconds ends the process. Nothing else may write to
// `out`. The process must not die of SIGPIPE. Returns the exit code: 0, or 1 where the other side was not understood.
int serve_engine(Engine& engine, const wire::Hello& hello, int in, int out, ServeOptions options = {});

}  // namespace warpspy
