// A stack that lanes run on: a fiber with what the address sanitizer has to know of it.
#pragma once

#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <cstddef>
#include <utility>

#include "kernels/simt/simt.hpp"

#if defined(__SANITIZE_ADDRESS__)
#define SIMT_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SIMT_ASAN 1
#endif
#endif
#if defined(SIMT_ASAN)
#include <sanitizer/common_interface_defs.h>
#endif

namespace warpspy::simt {

// A kernel's frame is small; the rest is for building and throwing an Error.
constexpr std::size_t stack_bytes = 128 * 1024;

class Stack {
 public:
  // Makes a new stack on which main(from) will run. `number` spreads the tops of stacks over the sets of the L1 cache:
  // page-aligned tops of 32 lanes would all fall into the same few sets, and every switch would miss.
  template <class Main>
  void start(std::size_t number, Main main) {
    handle_ = boost::context::fiber(std::allocator_arg, Spread{*this, number % warp_size * 128}, std::move(main));
  }

  // Runs `to` until somebody switches back here; `left` then points at that one.
  [[gnu::always_inline]] void switch_to(Stack& to, Stack*& left) {
    leaving(to, &fake_);
    boost::context::fiber from = std::move(to.handle_).resume();
    entered(*left, std::move(from));
  }
  // Called on this stack when it is entered from `left`.
  void entered(Stack& left, boost::context::fiber&& from) {
#if defined(SIMT_ASAN)
    __sanitizer_finish_switch_fiber(fake_, &left.bottom_, &left.size_);
#endif
    left.handle_ = std::move(from);
  }
  // What a stack that ends returns to continue on this one.
  boost::context::fiber leave_for_good() {
    leaving(*this, nullptr);
    return std::move(handle_);
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
      owner.size_ = s.size;
      owner.bottom_ = static_cast<char*>(s.sp) - s.size;
      return s;
    }
    void deallocate(boost::context::stack_context& s) {
      s.sp = static_cast<char*>(s.sp) + shift;
      s.size += shift;
      pages.deallocate(s);
    }
  };

  static void leaving([[maybe_unused]] Stack& to, [[maybe_unused]] void** fake) {
#if defined(SIMT_ASAN)
    __sanitizer_start_switch_fiber(fake, to.bottom_, to.size_);
#endif
  }

  boost::context::fiber handle_;
  const void* bottom_ = nullptr;
  std::size_t size_ = 0;
  void* fake_ = nullptr;
};

}  // namespace warpspy::simt
