#include "kernels/simt/stack.hpp"

#if defined(SIMT_OWN_SWITCH)

// Stores what a function must preserve and where it stands, and goes on where another stack was left. Lanes of a warp
// wait at the same place, so the processor expects this return. Boost.Context saves the control words of the
// floating-point units too, which no lane changes.
asm(R"(
  .text
  .p2align 4
  .globl warpspy_switch_stack
  .hidden warpspy_switch_stack
  .type warpspy_switch_stack, @function
warpspy_switch_stack:
  .cfi_startproc
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .cfi_endproc
  .size warpspy_switch_stack, . - warpspy_switch_stack
)");

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

void Stack::start(std::size_t number, Stack*& left, std::function<Stack*()> main) {
  main_ = std::move(main);
  left_ = &left;
  memory_ = pages_.allocate();
  lies(static_cast<char*>(memory_.sp) - memory_.size, memory_.size);
  // A call wants the stack pointer at a multiple of 16.
  const auto top = (reinterpret_cast<std::uintptr_t>(memory_.sp) - stack_shift(number)) / 16 * 16;
  void** const words = reinterpret_cast<void**>(top) - 3;
  words[0] = reinterpret_cast<void*>(&warpspy_enter_stack);
  words[1] = this;
  words[2] = reinterpret_cast<void*>(&Stack::run);
  place_ = words - preserved;
}

void Stack::run(Stack* self) {
  self->entered(**self->left_);
  Stack* const to = self->main_();
  self->leaving(*to, true);
  warpspy_switch_stack(&self->place_, to->place_);
}

}  // namespace warpspy::simt

#endif
