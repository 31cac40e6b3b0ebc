// Decides which threads get a processor first when jobs use all cores.
#pragma once

namespace warpspy {

// Both functions change the calling thread and the threads that it starts later. They do nothing on systems other than
// Linux.

// This thread gets a smaller share of a processor than others, so that the thread that draws gets more.
void let_others_go_first();

// This thread runs only when no other thread of its session wants the processor, so the thread that draws hardly waits
// for it. Without autogroups (where Linux divides processors among sessions first) other programs could stop it from
// ever running. There it does what let_others_go_first() does.
void take_idle_processors();

}  // namespace warpspy
