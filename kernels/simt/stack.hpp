// A stack on which lanes run: a Boost.Context fiber. The address sanitizer is told of its switches.
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

// A kernel's frame is small; the rest is for building and throwing an Error.
constexpr std::size_t stack_bytes = 128 * 1024;
// The tops of stacks are spread over the sets of the L1 cache: page-aligned tops of 32 lanes would all fall into the
// same few sets, and every switch would miss.
constexpr std::size_t stack_shift(std::size_t number) { return number % warp_size * 128; }

class Stack {
 public:
  // Makes a new stack on which main() will run; main returns the stack to go on with when it is done. `left` points at
  // the stack that was left last, now and at every switch. Throws std::bad_alloc; the stack is then as before.
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

  // Runs `to` until another stack switches back here; `left` then points at that stack.
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
      // The last frames of a fiber are never returned from: their marks would stay where something else may lie next.
      __asan_unpoison_memory_region(static_cast<char*>(s.sp) - s.size, s.size);
#endif
      s.sp = static_cast<char*>(s.sp) + shift;
      s.size += shift;
      pages.deallocate(s);
    }
  };

  // Before this stack is left for `to`; `for_good`: it does not come back.
  void leaving([[maybe_unused]] const Stack& to, [[maybe_unused]] bool for_good = false) {
#if WARPSPY_SANITIZED
    __sanitizer_start_switch_fiber(for_good ? nullptr : &fake_, to.bottom_, to.size_);
#endif
  }
  // On this stack, when it is entered from `left`.
  void entered(Stack& left, boost::context::fiber&& from) {
#if WARPSPY_SANITIZED
    __sanitizer_finish_switch_fiber(fake_, &left.bottom_, &left.size_);
#endif
    left.handle_ = std::move(from);
  }

  boost::context::fiber handle_;
  // What the address sanitizer is told: where it lies.
  const void* bottom_ = nullptr;
  std::size_t size_ = 0;
  [[maybe_unused]] void* fake_ = nullptr;
};

}  // namespace warpspy::simt
