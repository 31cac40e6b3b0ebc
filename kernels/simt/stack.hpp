// A stack on which lanes run: a Boost.Context fiber. It reports its switches to the address sanitizer.
#pragma once

#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <cstddef>
#include <memory>
#include <utility>

#include "kernels/simt/simt.hpp"

#if WARPSPY_SANITIZED
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace warpspy::simt {

// A kernel's frame is small; the rest is for creating and throwing an Error.
constexpr std::size_t stack_bytes = 128 * 1024;
// Returns where the stack's top is shifted to. If the tops of 32 stacks all began at a page, they would use the same
// few sets of the L1 cache, and every switch would miss.
constexpr std::size_t stack_shift(std::size_t number) { return number % warp_size * 128; }

class Stack {
 public:
  // Creates a new stack on which main() runs. When main() is done, it returns the stack that runs next. `left` points
  // to the stack that ran last; this must hold at every switch. Throws std::bad_alloc and then changes nothing.
  template <class Main>
  void start(std::size_t number, Stack*& left, Main main) {
    fake_ = nullptr;
    handle_ = boost::context::fiber(std::allocator_arg, Spread{*this, stack_shift(number)},
                                    [this, &left, main = std::move(main)](boost::context::fiber&& from) {
                                      entered(*left, std::move(from));
                                      Stack* const to = main();
                                      leaving(*to, true);
                                      return std::move(to->handle_);
                                    });
  }

  // Runs `to` until another stack switches back here. Then `left` points to that stack.
  [[gnu::always_inline]] void switch_to(Stack& to, Stack*& left) {
    leaving(to);
    boost::context::fiber from = std::move(to.handle_).resume();
    entered(*left, std::move(from));
  }

 private:
  struct Spread {
    Stack& owner;
    std::size_t shift;
    boost::context::protected_fixedsize_stack pages{stack_bytes};

    boost::context::stack_context allocate() {
      boost::context::stack_context s = pages.allocate();
      s.sp = static_cast<char*>(s.sp) - shift;
      s.size -= shift;
      owner.bottom_ = static_cast<char*>(s.sp) - s.size, owner.size_ = s.size;
      return s;
    }
    void deallocate(boost::context::stack_context& s) {
#if WARPSPY_SANITIZED
      // The last frames of a fiber never return, so the sanitizer's marks for them would stay. Other data may lie there
      // next.
      __asan_unpoison_memory_region(static_cast<char*>(s.sp) - s.size, s.size);
#endif
      s.sp = static_cast<char*>(s.sp) + shift;
      s.size += shift;
      pages.deallocate(s);
    }
  };

  // Before a switch from this stack to `to`. `for_good`: this stack never runs again.
  void leaving([[maybe_unused]] const Stack& to, [[maybe_unused]] bool for_good = false) {
#if WARPSPY_SANITIZED
    __sanitizer_start_switch_fiber(for_good ? nullptr : &fake_, to.bottom_, to.size_);
#endif
  }
  // On this stack, after a switch from `left`.
  void entered(Stack& left, boost::context::fiber&& from) {
#if WARPSPY_SANITIZED
    __sanitizer_finish_switch_fiber(fake_, &left.bottom_, &left.size_);
#endif
    left.handle_ = std::move(from);
  }

  boost::context::fiber handle_;
  // where this stack lies, for the address sanitizer
  const void* bottom_ = nullptr;
  std::size_t size_ = 0;
  [[maybe_unused]] void* fake_ = nullptr;
};

}  // namespace warpspy::simt
