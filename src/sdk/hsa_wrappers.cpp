// SPDX-License-Identifier: MIT
#include "sdk/hsa_wrappers.h"

#include <hsa/hsa_ext_finalize.h>
#include <string.h>

#include <type_traits>

#include "sdk/hsa_functions.h"
#include "spec/api/hsa_tables.h"

namespace rtl::sdk {
namespace {

constexpr uint32_t kMostFunctions = 256;
constexpr uint32_t kTables = 4;

constinit ApiCalls* g_calls = nullptr;
using OnInit = void (*)();
constinit OnInit g_on_init = nullptr;
constinit Allocations* g_allocations = nullptr;
constinit ScratchMemory* g_scratch = nullptr;
// The slots and their previous functions, indexed as kHsaFunctions.
constinit std::atomic<void*> g_real[kMostFunctions] = {};
constinit void** g_slots[kMostFunctions] = {};

constexpr ApiFunction kWrapped[] = {
#define HSA_FUNCTION(table, operation, old_slot, name, result, types, arguments)           \
  {static_cast<uint16_t>(HsaTable::table) + 1, static_cast<uint16_t>(HsaTable::table) + 1, \
   operation},
#include "capture/hsa/hsa_functions.inc"
#undef HSA_FUNCTION
};
static_assert(sizeof kWrapped / sizeof(ApiFunction) <= kMostFunctions);

enum : uint32_t {
#define HSA_FUNCTION(table, operation, old_slot, name, ...) kIndexOf_##name,
#include "capture/hsa/hsa_functions.inc"
#undef HSA_FUNCTION
};

template <uint32_t kIndex>
void AfterReal() {
  if constexpr (kIndex == kIndexOf_hsa_init) {
    if (g_on_init != nullptr) g_on_init();
  }
}

using Allocation = rocprofiler_memory_allocation_operation_t;

constexpr Allocation AllocationOf(uint32_t index) {
  switch (index) {
    case kIndexOf_hsa_memory_allocate:
    case kIndexOf_hsa_amd_memory_pool_allocate:
      return ROCPROFILER_MEMORY_ALLOCATION_ALLOCATE;
    case kIndexOf_hsa_memory_free:
    case kIndexOf_hsa_amd_memory_pool_free:
      return ROCPROFILER_MEMORY_ALLOCATION_FREE;
    case kIndexOf_hsa_amd_vmem_handle_create:
      return ROCPROFILER_MEMORY_ALLOCATION_VMEM_ALLOCATE;
    case kIndexOf_hsa_amd_vmem_handle_release:
      return ROCPROFILER_MEMORY_ALLOCATION_VMEM_FREE;
    default:
      return ROCPROFILER_MEMORY_ALLOCATION_NONE;
  }
}

uint64_t ToNumber(uint64_t value) { return value; }
uint64_t ToNumber(const void* value) { return reinterpret_cast<uintptr_t>(value); }

// The output that the function wrote: an address or a handle. Zero when it has failed.
uint64_t Result(const void* out, uint32_t status) {
  uint64_t value = 0;
  if (out != nullptr && status == HSA_STATUS_SUCCESS) memcpy(&value, out, sizeof value);
  return value;
}

// Their arguments begin with the pool and the size, and end with the result's address.
template <typename... A>
uint32_t Allocate(Allocation operation, uint32_t (*real)(uint64_t, uint64_t, A...), uint64_t pool,
                  uint64_t bytes, A... rest) {
  Allocations::Event event;
  g_allocations->Begin(&event, operation, pool, bytes, 0);
  const uint32_t status = real(pool, bytes, rest...);
  uint64_t last = 0;
  ((last = ToNumber(rest)), ...);
  g_allocations->End(&event, Result(reinterpret_cast<const void*>(last), status));
  return status;
}

template <typename A>
uint32_t GiveBack(Allocation operation, uint32_t (*real)(A), A what) {
  Allocations::Event event;
  g_allocations->Begin(&event, operation, 0, 0, ToNumber(what));
  const uint32_t status = real(what);
  g_allocations->End(&event, ToNumber(what));
  return status;
}

constexpr bool MakesQueue(uint32_t index) {
  return index == kIndexOf_hsa_queue_create || index == kIndexOf_hsa_amd_queue_intercept_create;
}

// Their arguments begin with the agent and end with the queue's address.
template <typename... A>
uint32_t MakeQueue(uint32_t (*real)(uint64_t, A...), uint64_t agent, A... rest) {
  const uint32_t status = real(agent, rest...);
  uint64_t last = 0;
  ((last = ToNumber(rest)), ...);
  const uint64_t queue = Result(reinterpret_cast<const void*>(last), status);
  if (g_scratch != nullptr && g_scratch->installed() && queue != 0)
    g_scratch->OnQueue({agent}, reinterpret_cast<const hsa_queue_t*>(queue));
  return status;
}

template <uint32_t kIndex, typename R, typename... A>
R CallReal(R (*real)(A...), A... args) {
  if constexpr (MakesQueue(kIndex)) return MakeQueue(real, args...);
  constexpr Allocation kOperation = AllocationOf(kIndex);
  if constexpr (kOperation != ROCPROFILER_MEMORY_ALLOCATION_NONE) {
    if (g_allocations != nullptr && g_allocations->Listening(kOperation)) {
      if constexpr (sizeof...(A) == 1)
        return GiveBack(kOperation, real, args...);
      else
        return Allocate(kOperation, real, args...);
    }
  }
  return real(args...);
}

// HOT: installed in the runtime's table.
template <uint32_t kIndex, typename R, typename... A>
R Wrapped(A... args) {
  auto* const real = reinterpret_cast<R (*)(A...)>(g_real[kIndex].load(std::memory_order_acquire));
  if (!g_calls->Listening(kWrapped[kIndex])) {
    if constexpr (kIndex != kIndexOf_hsa_init)
      return CallReal<kIndex>(real, args...);
    else {
      const R result = real(args...);
      AfterReal<kIndex>();
      return result;
    }
  }
  rocprofiler_callback_tracing_hsa_api_data_t payload;
  payload.size = sizeof payload;
  payload.retval.uint64_t_retval = 0;
  size_t offset = 0;
  (PutArgument(reinterpret_cast<char*>(&payload.args), &offset, args), ...);
  ApiCalls::Call call;
  g_calls->Begin(&call, kWrapped[kIndex], &payload);
  if constexpr (std::is_void_v<R>) {
    real(args...);
    g_calls->End(&call);
  } else {
    const R result = CallReal<kIndex>(real, args...);
    memcpy(&payload.retval, &result, sizeof result);
    g_calls->End(&call);
    AfterReal<kIndex>();
    return result;
  }
}

template <uint32_t kIndex, typename R>
struct Wrapper {
  template <typename... A>
  static void* Of(void (*)(A...)) {
    return reinterpret_cast<void*>(&Wrapped<kIndex, R, A...>);
  }
};

void* WrapperOf(uint32_t index) {
  switch (index) {
#define HSA_FUNCTION(table, operation, old_slot, name, result, types, arguments) \
  case kIndexOf_##name:                                                          \
    return Wrapper<kIndexOf_##name, result>::Of(static_cast<void(*) types>(nullptr));
#include "capture/hsa/hsa_functions.inc"
#undef HSA_FUNCTION
    default:
      return nullptr;
  }
}

struct Table {
  char* base;
  uint32_t major, bytes;
};

// In the order of HsaTable. A table that the runtime lacks has size zero.
void ReadTables(void* root, Table (&tables)[kTables]) {
  static constexpr uint32_t kPlaces[] = {0, 1, 3, 2};  // core, AMD, finalizer, image
  for (uint32_t i = 0; i < kTables; ++i) {
    memcpy(&tables[i].base, static_cast<char*>(root) + hsa_tables::kVersionBytes + 8 * kPlaces[i],
           8);
    tables[i].major = tables[i].bytes = 0;
    if (tables[i].base == nullptr) continue;
    memcpy(&tables[i].major, tables[i].base, 4);
    memcpy(&tables[i].bytes, tables[i].base + 4, 4);
    if (tables[i].major > hsa_tables::kMaxAmdMajor) tables[i].bytes = 0;
  }
}

// Null: the runtime lacks it.
void** SlotOf(const Table (&tables)[kTables], const HsaFunction& function, int32_t operation) {
  const Table& table = tables[static_cast<uint32_t>(function.table)];
  const bool old = function.table == HsaTable::kAmdExt && table.major == 1 &&
                   table.bytes < hsa_tables::kAmdWithEnginesBytes;
  const uint32_t slot = old ? function.old_slot : static_cast<uint32_t>(operation);
  if (slot == HsaFunction::kNoSlot) return nullptr;
  const uint32_t place = hsa_tables::kVersionBytes + slot * hsa_tables::kSlotBytes;
  return place + hsa_tables::kSlotBytes > table.bytes
             ? nullptr
             : reinterpret_cast<void**>(table.base + place);
}

template <typename F>
void Take(const Table (&tables)[kTables], uint32_t index, F* function) {
  void** const slot = SlotOf(tables, kHsaFunctions[index], kWrapped[index].operation);
  if (slot != nullptr) *function = reinterpret_cast<F>(__atomic_load_n(slot, __ATOMIC_ACQUIRE));
}

void ShowRuntime(const Table (&tables)[kTables]) {
  if (g_allocations == nullptr) return;
  Allocations::Runtime runtime;
  Take(tables, kIndexOf_hsa_iterate_agents, &runtime.iterate_agents);
  Take(tables, kIndexOf_hsa_agent_get_info, &runtime.agent_get_info);
  Take(tables, kIndexOf_hsa_agent_iterate_regions, &runtime.iterate_regions);
  Take(tables, kIndexOf_hsa_amd_agent_iterate_memory_pools, &runtime.iterate_pools);
  g_allocations->OnRuntime(runtime);
}

bool AllocationsAsked(uint32_t index) {
  const Allocation operation = AllocationOf(index);
  return g_allocations != nullptr && operation != ROCPROFILER_MEMORY_ALLOCATION_NONE &&
         g_allocations->Asked(operation);
}

}  // namespace

HsaWrappers::HsaWrappers(ApiCalls* calls, void (*on_init)(), Allocations* allocations,
                         ScratchMemory* scratch)
    : calls_(calls) {
  g_calls = calls;
  g_on_init = on_init;
  g_allocations = allocations;
  g_scratch = scratch;
}

void HsaWrappers::Install(void* root, bool watch_init) {
  Table tables[kTables];
  ReadTables(root, tables);
  ShowRuntime(tables);
  ScratchMemory::AgentGetInfo agent_get_info = nullptr;
  Take(tables, kIndexOf_hsa_agent_get_info, &agent_get_info);
  if (g_scratch != nullptr) g_scratch->Install(root, agent_get_info);
  const bool watch_queues = g_scratch != nullptr && g_scratch->installed();
  for (uint32_t i = 0; i < kHsaFunctionCount; ++i) {
    if (!calls_->Asked(kWrapped[i]) && !(watch_init && i == kIndexOf_hsa_init) &&
        !AllocationsAsked(i) && !(watch_queues && MakesQueue(i)))
      continue;
    void** const slot = SlotOf(tables, kHsaFunctions[i], kWrapped[i].operation);
    if (slot == nullptr) continue;
    void* const wrapper = WrapperOf(i);
    void* const before = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
    if (before == nullptr || before == wrapper) continue;
    g_real[i].store(before, std::memory_order_release);  // pairs with the load in Wrapped
    g_slots[i] = slot;
    __atomic_store_n(slot, wrapper, __ATOMIC_RELEASE);
  }
}

void HsaWrappers::Remove() {
  if (g_scratch != nullptr) g_scratch->Remove();
  for (uint32_t i = 0; i < kHsaFunctionCount; ++i) {
    if (g_slots[i] == nullptr) continue;
    if (__atomic_load_n(g_slots[i], __ATOMIC_ACQUIRE) == WrapperOf(i))
      __atomic_store_n(g_slots[i], g_real[i].load(std::memory_order_relaxed), __ATOMIC_RELEASE);
    g_slots[i] = nullptr;
  }
}

}  // namespace rtl::sdk
