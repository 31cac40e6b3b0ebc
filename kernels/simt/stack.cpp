#include "kernels/simt/stack.hpp"

#if defined(SIMT_OWN_SWITCH)

// Where a new stack begins: calls the function with the argument that Stack::start has put there. Nobody returns here.
asm(R"(
  .text
  .p2align 4
  .globl warpspy_enter_stack
  .hidden warpspy_enter_stack
  .type warpspy_enter_stack, @function
warpspy_enter_stack:
  .cfi_startproc
  .cfi_undefined rip
  popq %rdi
  popq %rax
  call *%rax
  ud2
  .cfi_endproc
  .size warpspy_enter_stack, . - warpspy_enter_stack
)");
extern "C" void warpspy_enter_stack();

namespace warpspy::simt {

void Stack::start(std::size_t number, Stack*&, std::function<Stack*()> main) {
  main_ = std::move(main);
  memory_ = pages_.allocate();
  // A call wants the stack pointer at a multiple of 16.
  const auto top = (reinterpret_cast<std::uintptr_t>(memory_.sp) - stack_shift(number)) / 16 * 16;
  void** const words = reinterpret_cast<void**>(top) - 3;
  words[0] = reinterpret_cast<void*>(&warpspy_enter_stack);
  words[1] = this;
  words[2] = reinterpret_cast<void*>(&Stack::run);
  place_ = words;
}

void Stack::run(Stack* self) {
  Stack* none = nullptr;
  self->switch_to(*self->main_(), none);
}

}  // namespace warpspy::simt

#endif
