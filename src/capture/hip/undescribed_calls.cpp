// SPDX-License-Identifier: MIT
#include "capture/hip/undescribed_calls.h"

#include <inttypes.h>
#include <stdio.h>

#include <algorithm>
#include <atomic>

extern "C" {
// What the wrapper jumps to after it has called this with its index.
__attribute__((used, visibility("hidden"))) void* rtl_hip_undescribed(uint64_t index);
// Wrappers, kWrapperBytes apart.
extern const uint8_t rtl_hip_undescribed_wrappers[] __attribute__((visibility("hidden")));
}

// Saves what may hold an argument of a C function.
asm(R"(
.text
.hidden rtl_hip_undescribed_wrappers
.globl rtl_hip_undescribed_wrappers
.type rtl_hip_undescribed_wrappers, @function
.p2align 4
rtl_hip_undescribed_wrappers:
.set rtl_hip_index, 0
.rept 128
.p2align 4
  pushq $rtl_hip_index
  jmp .Lrtl_hip_count
.set rtl_hip_index, rtl_hip_index + 1
.endr
.Lrtl_hip_count:
  pushq %rax
  pushq %rdi
  pushq %rsi
  pushq %rdx
  pushq %rcx
  pushq %r8
  pushq %r9
  pushq %r10
  subq $128, %rsp
  movups %xmm0, (%rsp)
  movups %xmm1, 16(%rsp)
  movups %xmm2, 32(%rsp)
  movups %xmm3, 48(%rsp)
  movups %xmm4, 64(%rsp)
  movups %xmm5, 80(%rsp)
  movups %xmm6, 96(%rsp)
  movups %xmm7, 112(%rsp)
  movq 192(%rsp), %rdi
  call rtl_hip_undescribed
  movq %rax, %r11
  movups (%rsp), %xmm0
  movups 16(%rsp), %xmm1
  movups 32(%rsp), %xmm2
  movups 48(%rsp), %xmm3
  movups 64(%rsp), %xmm4
  movups 80(%rsp), %xmm5
  movups 96(%rsp), %xmm6
  movups 112(%rsp), %xmm7
  addq $128, %rsp
  popq %r10
  popq %r9
  popq %r8
  popq %rcx
  popq %rdx
  popq %rsi
  popq %rdi
  popq %rax
  leaq 8(%rsp), %rsp
  jmp *%r11
.size rtl_hip_undescribed_wrappers, . - rtl_hip_undescribed_wrappers
)");

namespace rtl::capture {
namespace {

constexpr size_t kWrapperBytes = 16;
static_assert(UndescribedCalls::kMost == 128, "as often as .rept says");

struct Function {
  void* original;  // set before the entry
  void** entry;    // null: HIP's own function is there again
  void (*count)();
  uint32_t number;
  std::atomic<uint64_t> calls;
};
constinit Function wrapped_functions[UndescribedCalls::kMost] = {};
constinit uint32_t wrapped_count = 0;

void* CountingWrapper(uint32_t place) {
  return const_cast<uint8_t*>(rtl_hip_undescribed_wrappers + kWrapperBytes * place);
}

}  // namespace

bool UndescribedCalls::Wrap(uint32_t number, void** entry, void (*count)()) {
  if (*entry == nullptr) return false;
  uint32_t place = 0;
  while (place < wrapped_count && wrapped_functions[place].number != number) ++place;
  if (place == kMost || wrapped_functions[place].entry != nullptr) return false;
  Function& function = wrapped_functions[place];
  function.original = *entry;
  function.entry = entry;
  function.count = count;
  function.number = number;
  wrapped_count = std::max(wrapped_count, place + 1);
  // HIP reads it without a documented order.
  __atomic_store_n(entry, CountingWrapper(place), __ATOMIC_RELEASE);
  return true;
}

void UndescribedCalls::Unwrap() {
  for (uint32_t i = 0; i < wrapped_count; ++i) {
    Function& function = wrapped_functions[i];
    function.calls.store(0, std::memory_order_relaxed);
    if (function.entry == nullptr) continue;
    void* wrapper = CountingWrapper(i);
    if (__atomic_compare_exchange_n(function.entry, &wrapper, function.original, false,
                                    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
      function.entry = nullptr;
  }
}

uint32_t UndescribedCalls::called() {
  uint32_t called = 0;
  for (uint32_t i = 0; i < wrapped_count; ++i)
    called += wrapped_functions[i].calls.load(std::memory_order_relaxed) != 0 ? 1 : 0;
  return called;
}

void UndescribedCalls::Describe(char* text, size_t capacity) {
  size_t used = 0;
  if (capacity > 0) text[0] = '\0';
  for (uint32_t i = 0; i < wrapped_count && used < capacity; ++i) {
    const uint64_t calls = wrapped_functions[i].calls.load(std::memory_order_relaxed);
    if (calls == 0) continue;
    const int written =
        snprintf(text + used, capacity - used, "%s%" PRIu32 " (%" PRIu64 " call%s)",
                 used == 0 ? "" : ", ", wrapped_functions[i].number, calls, calls == 1 ? "" : "s");
    used += static_cast<size_t>(written);
  }
}

void UndescribedCalls::TEST_Forget() {
  for (Function& function : wrapped_functions) {
    function.calls.store(0, std::memory_order_relaxed);
    function.entry = nullptr;
  }
  wrapped_count = 0;
}

}  // namespace rtl::capture

// HOT: once per call of a function that is not described.
void* rtl_hip_undescribed(uint64_t index) {
  rtl::capture::Function& function = rtl::capture::wrapped_functions[index];
  function.calls.fetch_add(1, std::memory_order_relaxed);
  function.count();
  return function.original;
}
