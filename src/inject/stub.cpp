// SPDX-License-Identifier: MIT
#include "inject/stub.h"

namespace rtl::inject {
namespace {

static_assert(offsetof(Block, pthread_create) == 0 && offsetof(Block, pthread_detach) == 8);
static_assert(offsetof(Block, usleep) == 16 && offsetof(Block, dlopen) == 24);
static_assert(offsetof(Block, dlsym) == 32 && offsetof(Block, dlerror) == 40);
static_assert(offsetof(Block, munmap) == 48 && offsetof(Block, memory) == 56);
static_assert(offsetof(Block, memory_bytes) == 64 && offsetof(Block, code) == 72);
static_assert(offsetof(Block, code_bytes) == 80 && offsetof(Block, main) == 88);
static_assert(offsetof(Block, thread) == 96 && offsetof(Block, go) == 104);
static_assert(offsetof(Block, created) == 108 && offsetof(Block, has_created) == 112);
static_assert(offsetof(Block, not_loaded) == 116 && offsetof(Block, library) == 120);
static_assert(offsetof(Block, function) == 4216 && offsetof(Block, error) == 4248);
static_assert(offsetof(Block, request) == 4760 && sizeof(Block::error) == 512);

}  // namespace
}  // namespace rtl::inject

// On entry rbx is the address of the block. The code is only copied into another process, and does
// not run here.
asm(R"(
.text
.p2align 4
.globl rtl_inject_code
.hidden rtl_inject_code
rtl_inject_code:
rtl_inject_begin:
  leaq 96(%rbx), %rdi
  xorl %esi, %esi
  movq 88(%rbx), %rdx
  movq %rbx, %rcx
  call *(%rbx)
  movl %eax, 108(%rbx)
  movl $1, 112(%rbx)
rtl_inject_spin:
  pause
  jmp rtl_inject_spin
rtl_inject_end_of_spin:

rtl_inject_main:
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rdi, %rbx
  movq %fs:0x10, %rdi
  call *8(%rbx)
1:
  cmpl $0, 104(%rbx)
  jne 2f
  movl $200, %edi
  call *16(%rbx)
  jmp 1b
2:
  leaq 120(%rbx), %rdi
  movl $2, %esi
  call *24(%rbx)
  testq %rax, %rax
  jz 3f
  movq %rax, %rdi
  leaq 4216(%rbx), %rsi
  call *32(%rbx)
  testq %rax, %rax
  jz 3f
  leaq 4760(%rbx), %rdi
  call *%rax
  jmp 5f
3:
  call *40(%rbx)
  testq %rax, %rax
  jz 7f
  xorl %ecx, %ecx
4:
  movb (%rax,%rcx), %dl
  movb %dl, 4248(%rbx,%rcx)
  testb %dl, %dl
  jz 7f
  incl %ecx
  cmpl $511, %ecx
  jb 4b
7:
  movl $1, 116(%rbx)
5:
  movl $20000, %r14d
6:
  cmpl $2, 104(%rbx)
  je 8f
  movl $1000, %edi
  call *16(%rbx)
  decl %r14d
  jnz 6b
8:
  movq 72(%rbx), %r12
  movq 80(%rbx), %r13
  movq 48(%rbx), %r14
  movq 56(%rbx), %rdi
  movq 64(%rbx), %rsi
  call *%r14
  movq %r12, %rdi
  movq %r13, %rsi
  movq %r14, %rax
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  jmp *%rax
rtl_inject_code_end:
.globl rtl_inject_begin, rtl_inject_spin, rtl_inject_end_of_spin, rtl_inject_main, rtl_inject_code_end
.hidden rtl_inject_begin, rtl_inject_spin, rtl_inject_end_of_spin, rtl_inject_main, rtl_inject_code_end
)");

extern "C" {
extern const uint8_t rtl_inject_code[], rtl_inject_begin[], rtl_inject_spin[],
    rtl_inject_end_of_spin[], rtl_inject_main[], rtl_inject_code_end[];
}

namespace rtl::inject {

Stub TheStub() {
  const auto offset = [](const uint8_t* label) {
    return static_cast<size_t>(label - rtl_inject_code);
  };
  return {rtl_inject_code,         offset(rtl_inject_code_end), offset(rtl_inject_begin),
          offset(rtl_inject_main), offset(rtl_inject_spin),     offset(rtl_inject_end_of_spin)};
}

}  // namespace rtl::inject
