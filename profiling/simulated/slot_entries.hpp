// Finds the matrix entries that slots of a format's arrays hold.
#pragma once

#include <vector>

#include "core/formats/format.hpp"
#include "core/jobs/progress.hpp"
#include "core/run/entry_trace.hpp"

namespace warpspy {

// `reads` name slots (part, and position in the part's arrays). Afterwards they name entries, with their groups; a read
// of padding has position -1. With `unread`, entries of the trace's rows without a read are added at the end. Fills in
// the trace's parts. Walks over the whole format. Throws Cancelled.
void resolve_slots(const Format& format, const Csr& matrix, bool unread, std::vector<EntryRead>& reads, EntryTrace& to,
                   const Progress& progress);

// The entries of `reads`, by position and each once: as the first of its readers in the order of launches and blocks.
void settle_entries(std::vector<EntryRead> reads, EntryTrace& to);

}  // namespace warpspy
