// SPDX-License-Identifier: MIT
#include "capture/rccl/rccl_tables.h"

#include <string.h>

#include <atomic>

namespace rtl::capture {
namespace {

using namespace rccl_function;

constexpr size_t kRcclFunctions = kBcastPlace;
constinit std::atomic<void*> rccl_originals[kRcclFunctions] = {};
constinit std::atomic<const RcclCallHooks*> rccl_listener{nullptr};
constinit const void* taken_table = nullptr;

// The wrapper of the function with index kOperation.
template <uint32_t kOperation, typename F>
struct BeforeEntry;
template <uint32_t kOperation, typename R, typename... P>
struct BeforeEntry<kOperation, R(P...)> {
  static R Call(P... arguments) {  // HOT: once per call
    void* const rccl =
        rccl_originals[kOperation].load(std::memory_order_relaxed);  // set before the entry
    return CallThrough<kOperation, R, P...>(
        reinterpret_cast<R (*)(P...)>(rccl),
        rccl_listener.load(std::memory_order_acquire),  // pairs with (A)
        arguments...);
  }
};

void FillInRccl(void** functions) {
#define RCCL_FUNCTION(operation, name, result, parameters, types, ...) \
  functions[operation] = reinterpret_cast<void*>(&BeforeEntry<operation, result types>::Call);
#include "capture/rccl/rccl_functions.inc"
#undef RCCL_FUNCTION
}

}  // namespace

Status RcclTables::Wrap(void* table, const RcclCallHooks* hooks) {
  if (taken_table == table) return Status::Ok();
  if (taken_table != nullptr) return Status::Error("a second copy of RCCL has registered a table");
  size_t bytes = 0;
  memcpy(&bytes, table, sizeof bytes);
  constexpr size_t kMostBytes = 4096 * sizeof(void*);
  if (bytes % sizeof(void*) != 0 || bytes < 2 * sizeof(void*) || bytes > kMostBytes)
    return Status::Error("its table of %zu bytes belongs to no known version", bytes);
  taken_table = table;
  rccl_listener.store(hooks, std::memory_order_release);  // (A)
  void* functions[kRcclFunctions];
  FillInRccl(functions);
  auto** const first = reinterpret_cast<void**>(static_cast<uint8_t*>(table) + sizeof(size_t));
  const size_t entries = bytes / sizeof(void*) - 1;
  for (size_t i = 0; i < entries && i < kRcclFunctions; ++i) {
    if (first[i] == nullptr) continue;  // a function that this RCCL lacks
    rccl_originals[i].store(first[i], std::memory_order_relaxed);
    // A release store, because RCCL reads the entry with an undocumented memory order.
    __atomic_store_n(first + i, functions[i], __ATOMIC_RELEASE);
  }
  return Status::Ok();
}

void RcclTables::TEST_Forget() { taken_table = nullptr; }

}  // namespace rtl::capture
