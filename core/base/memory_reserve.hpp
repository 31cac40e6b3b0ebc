// Holds some memory in reserve for the moment when no other memory is left. After a std::bad_alloc the program needs
// memory to print the error. Destructors may need some too: those of JSON do, and must not throw.
#pragma once

namespace warpspy {

// Takes the reserve if it is not held and memory is free. From the first call on, an allocation that fails frees the
// reserve before it throws. Call this at the start, and again after a std::bad_alloc was reported and work continues.
void hold_memory_reserve() noexcept;

// If only little address space is allowed (ulimit -v), all threads allocate from the same arena. Call this before any
// thread starts.
void share_little_memory() noexcept;

// Whether the exception that is handled now means that memory ran out, or that a thread could not get its stack.
bool memory_ran_out() noexcept;

}  // namespace warpspy
