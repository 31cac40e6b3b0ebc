// Memory kept aside for the moment when there is none. On the way from a std::bad_alloc to the line that tells of it
// destructors may need some (those of JSON do, and must not throw), and the line itself does.
#pragma once

namespace warpspy {

// Takes the reserve where it is not held, and there is room. From the first call on an allocation that fails lets it go
// before it throws. To be called at the start, and again where a std::bad_alloc has been told and work goes on.
void hold_memory_reserve() noexcept;

// Where little address space is allowed (ulimit -v), threads share what they allocate from. To be called before there
// are any.
void share_little_memory() noexcept;

// Whether what is being thrown now says that memory ran out, or a thread could not have its stack.
bool memory_ran_out() noexcept;

}  // namespace warpspy
