// Finds the matrix entries that slots of a format's arrays hold.
#pragma once

#include <vector>

#include "core/formats/format.hpp"
#include "core/jobs/progress.hpp"
#include "core/run/entry_trace.hpp"

namespace warpspy {

// At first `reads` name slots of the format (part, and position in the part's arrays). This replaces them by the matrix
// entries in these slots, with their groups. A read of padding gets position -1. With `unread`, entries of the trace's
// rows without a read are added at the end. Fills in the trace's parts. Walks over the whole format. Throws Cancelled.
void resolve_slots(const Format& format, const Csr& matrix, bool unread, std::vector<EntryRead>& reads, EntryTrace& to,
                   const Progress& progress);

// Fills in the trace's entries by position, each once. If several threads read an entry, the first of them in the order
// of launches and blocks counts.
void settle_entries(std::vector<EntryRead> reads, EntryTrace& to);

}  // namespace warpspy
