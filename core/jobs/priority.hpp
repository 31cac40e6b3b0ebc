// Who comes first where jobs fill every core.
#pragma once

namespace warpspy {

// Both are for the thread that calls, and those that it starts from then on. Where the system is not Linux nothing
// happens.

// It gets less of a processor than others, and the thread that draws more.
void let_others_go_first();

// It gets only what no other thread of this session wants: the thread that draws hardly waits for it.
// Where Linux does not divide processors among sessions first (autogroups), other programs would keep it from ever
// running, so there it is as above.
void take_idle_processors();

}  // namespace warpspy
