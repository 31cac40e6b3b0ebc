// From slots of a format's arrays to entries of the matrix.
#pragma once

#include <vector>

#include "core/formats/format.hpp"
#include "core/jobs/progress.hpp"
#include "core/run/entry_trace.hpp"

namespace warpspy {

// `reads` name slots (part, and as position that in its arrays). Afterwards they name entries, with their groups; those
// of padding have position -1. With `unread`, entries of the trace's rows that no read names are added behind them.
// Fills in the trace's parts. Walks over the whole format. Throws Cancelled.
void resolve_slots(const Format& format, const Csr& matrix, bool unread, std::vector<EntryRead>& reads, EntryTrace& to,
                   const Progress& progress);

// The entries of `reads`, by position and each once: as the first of its readers in the order of launches and blocks.
void settle_entries(std::vector<EntryRead> reads, EntryTrace& to);

}  // namespace warpspy
