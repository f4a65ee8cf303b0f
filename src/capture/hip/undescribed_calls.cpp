// SPDX-License-Identifier: MIT
#include "capture/hip/undescribed_calls.h"

#include <inttypes.h>
#include <stdio.h>

#include <algorithm>
#include <atomic>

extern "C" {
// The wrapper calls this with its index, and jumps to the returned address.
__attribute__((used, visibility("hidden"))) void* rtl_undescribed(uint64_t index);
// The code of all wrappers, each kWrapperBytes long.
extern const uint8_t rtl_undescribed_wrappers[] __attribute__((visibility("hidden")));
}

// Saves all registers that may hold an argument of a C function.
asm(R"(
.text
.hidden rtl_undescribed_wrappers
.globl rtl_undescribed_wrappers
.type rtl_undescribed_wrappers, @function
.p2align 4
rtl_undescribed_wrappers:
.set rtl_undescribed_index, 0
.rept 256
.p2align 4
  pushq $rtl_undescribed_index
  jmp .Lrtl_undescribed_count
.set rtl_undescribed_index, rtl_undescribed_index + 1
.endr
.Lrtl_undescribed_count:
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
  call rtl_undescribed
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
.size rtl_undescribed_wrappers, . - rtl_undescribed_wrappers
)");

namespace rtl::capture {
namespace {

constexpr size_t kWrapperBytes = 16;
constexpr uint32_t kMost = UndescribedCalls::kMost;
static_assert(UndescribedCalls::kApis * kMost == 256, "as often as .rept says");

struct Function {
  void* original;  // set before the entry is wrapped
  void** entry;    // null: the library's own function is restored
  void (*count)();
  uint32_t number;
  std::atomic<uint64_t> calls;
};
constinit Function wrapped_functions[UndescribedCalls::kApis][kMost] = {};
constinit uint32_t wrapped_count[UndescribedCalls::kApis] = {};

void* CountingWrapper(uint32_t api, uint32_t place) {
  return const_cast<uint8_t*>(rtl_undescribed_wrappers + kWrapperBytes * (api * kMost + place));
}

}  // namespace

bool UndescribedCalls::Wrap(Api of, uint32_t number, void** entry, void (*count)()) {
  if (*entry == nullptr) return false;
  const auto api = static_cast<uint32_t>(of);
  Function* const functions = wrapped_functions[api];
  uint32_t place = 0;
  while (place < wrapped_count[api] && functions[place].number != number) ++place;
  if (place == kMost || functions[place].entry == entry) return false;
  Function& function = functions[place];
  function.original = *entry;
  function.entry = entry;
  function.count = count;
  function.number = number;
  wrapped_count[api] = std::max(wrapped_count[api], place + 1);
  // A release store, because the library reads the entry with an undocumented memory order.
  __atomic_store_n(entry, CountingWrapper(api, place), __ATOMIC_RELEASE);
  return true;
}

void UndescribedCalls::Unwrap(Api of) {
  const auto api = static_cast<uint32_t>(of);
  for (uint32_t i = 0; i < wrapped_count[api]; ++i) {
    Function& function = wrapped_functions[api][i];
    if (function.entry == nullptr) continue;
    void* wrapper = CountingWrapper(api, i);
    if (__atomic_compare_exchange_n(function.entry, &wrapper, function.original, false,
                                    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
      function.entry = nullptr;
  }
}

void UndescribedCalls::Forget(Api of) {
  for (Function& function : wrapped_functions[static_cast<uint32_t>(of)])
    function.calls.store(0, std::memory_order_relaxed);
}

uint32_t UndescribedCalls::called(Api of) {
  uint32_t called = 0;
  for (const Function& function : wrapped_functions[static_cast<uint32_t>(of)])
    called += function.calls.load(std::memory_order_relaxed) != 0 ? 1 : 0;
  return called;
}

void UndescribedCalls::Describe(Api of, NameOf name_of, char* text, size_t capacity) {
  size_t used = 0;
  if (capacity > 0) text[0] = '\0';
  for (const Function& function : wrapped_functions[static_cast<uint32_t>(of)]) {
    const uint64_t calls = function.calls.load(std::memory_order_relaxed);
    if (calls == 0) continue;
    if (used >= capacity) return;
    char number[16];
    (void)snprintf(number, sizeof number, "%" PRIu32, function.number);
    const char* const name = name_of == nullptr ? nullptr : name_of(function.number);
    const int written =
        snprintf(text + used, capacity - used, "%s%s (%" PRIu64 " call%s)", used == 0 ? "" : ", ",
                 name == nullptr ? number : name, calls, calls == 1 ? "" : "s");
    used += static_cast<size_t>(written);
  }
}

void UndescribedCalls::TEST_Forget() {
  for (uint32_t api = 0; api < kApis; ++api) {
    Forget(static_cast<Api>(api));
    for (Function& function : wrapped_functions[api]) function.entry = nullptr;
    wrapped_count[api] = 0;
  }
}

}  // namespace rtl::capture

// HOT: once per call of a function without a description.
void* rtl_undescribed(uint64_t index) {
  rtl::capture::Function& function =
      rtl::capture::wrapped_functions[index / rtl::capture::kMost][index % rtl::capture::kMost];
  function.calls.fetch_add(1, std::memory_order_relaxed);
  function.count();
  return function.original;
}
