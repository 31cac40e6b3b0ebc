// The threads of Mesa's software renderer.
#pragma once

namespace warpspy::ui {

// Gives each of them a processor of its own, where there are few. Linux looks for an idle processor for a thread that
// wakes only as far as it expects to find one, which with two is nowhere: both paint on one, one after the other, while
// the other idles. Call it once something was painted. Does nothing where another renderer paints, with more than four
// processors, or where the system is not Linux.
void spread_painters();

}  // namespace warpspy::ui
