// SPDX-License-Identifier: MIT
#include "sdk/contexts/external_ids.h"

#include <stdlib.h>
#include <unistd.h>

namespace rtl::sdk {

ExternalIds::~ExternalIds() {
  const MutexLock lock(mutex_);
  for (Stack*& bucket : buckets_) {
    while (bucket != nullptr) {
      Stack* const stack = bucket;
      bucket = stack->next;
      free(stack->values);
      free(stack);
    }
  }
}

ExternalIds::Stack* ExternalIds::Find(uint64_t thread) const {
  Stack* stack = buckets_[thread % kBuckets];
  while (stack != nullptr && stack->thread != thread) stack = stack->next;
  return stack;
}

bool ExternalIds::Push(uint64_t thread, uint64_t value) {
  const MutexLock lock(mutex_);
  Stack* stack = Find(thread);
  if (stack == nullptr) {
    stack = static_cast<Stack*>(calloc(1, sizeof(Stack)));
    if (stack == nullptr) return false;
    stack->thread = thread;
    stack->next = buckets_[thread % kBuckets];
    buckets_[thread % kBuckets] = stack;
  }
  if (stack->depth == stack->room) {
    const uint32_t room = stack->room == 0 ? 8 : 2 * stack->room;
    void* const grown = realloc(stack->values, room * sizeof(uint64_t));
    if (grown == nullptr) return false;
    stack->values = static_cast<uint64_t*>(grown);
    stack->room = room;
  }
  stack->values[stack->depth++] = value;
  used_.store(true, std::memory_order_release);
  return true;
}

uint64_t ExternalIds::Pop(uint64_t thread) {
  const MutexLock lock(mutex_);
  Stack* const stack = Find(thread);
  return stack == nullptr || stack->depth == 0 ? 0 : stack->values[--stack->depth];
}

uint64_t ExternalIds::Current(uint64_t thread) const {
  if (!used_.load(std::memory_order_acquire)) return 0;  // pairs with Push
  const MutexLock lock(mutex_);
  const Stack* stack = Find(thread);
  if (stack == nullptr || stack->depth == 0) stack = Find(static_cast<uint64_t>(getpid()));
  return stack == nullptr || stack->depth == 0 ? 0 : stack->values[stack->depth - 1];
}

}  // namespace rtl::sdk
