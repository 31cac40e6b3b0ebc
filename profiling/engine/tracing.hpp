// Who reads which entry of a product, in the emulator, whatever the device of the run.
#pragma once

#include "core/run/entry_trace.hpp"
#include "profiling/engine/engine.hpp"
#include "profiling/engine/prepare.hpp"

namespace warpspy {

// Engine::trace_entries. Throws Error and Cancelled.
EntryTrace trace_by_emulator(const EngineParts& parts, Preparation& preparation, const RunRequest& request,
                             const Matrix& matrix, index_t row_begin, index_t row_end, Progress& progress);

}  // namespace warpspy
