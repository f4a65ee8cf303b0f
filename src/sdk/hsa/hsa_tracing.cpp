// SPDX-License-Identifier: MIT
#include "sdk/hsa/hsa_tracing.h"

#include <hsa/hsa_ext_finalize.h>
#include <string.h>

#include <new>

#include "capture/hsa/hsa_slots.h"

namespace rtl::sdk {
namespace {

using capture::HsaCall;
using capture::HsaTable;
using Allocation = rocprofiler_memory_allocation_operation_t;
using Format = ApiArgument::Format;

static_assert(ROCPROFILER_CALLBACK_TRACING_HSA_CORE_API == 1 &&
              ROCPROFILER_CALLBACK_TRACING_HSA_FINALIZE_EXT_API == 4 &&
              ROCPROFILER_BUFFER_TRACING_HSA_CORE_API == 1 &&
              ROCPROFILER_BUFFER_TRACING_HSA_FINALIZE_EXT_API == 4);
constexpr uint16_t KindOf(HsaTable table) { return static_cast<uint16_t>(table) + 1; }

#define HSA_FUNCTION(table, operation, old_slot, name, result, types, arguments) \
  constexpr ApiArgument kArgumentsOf_##name[] = {HSA_LIST arguments};
#define HSA_LIST(...) \
  __VA_ARGS__ __VA_OPT__(, ) ApiArgument {}  // so that no array is empty
#include "names/hsa_functions.inc"
#undef HSA_FUNCTION

// The bits of HsaCall::wanted.
enum Wanted : uint32_t { kCall = 1, kAllocation = 2, kQueue = 4, kInit = 8 };

// The data of an open call, stored in HsaCall::room.
struct OpenHsaCall {
  ApiCalls::Call call;
  rocprofiler_callback_tracing_hsa_api_data_t payload;
  bool allocates;
  Allocations::Event allocation;
};
static_assert(sizeof(OpenHsaCall) <= HsaCall::kRoomBytes && alignof(OpenHsaCall) <= 8);

constexpr Allocation AllocationOf(uint32_t function) {
  switch (function) {
    case capture::kIndexOf_hsa_memory_allocate:
    case capture::kIndexOf_hsa_amd_memory_pool_allocate:
      return ROCPROFILER_MEMORY_ALLOCATION_ALLOCATE;
    case capture::kIndexOf_hsa_memory_free:
    case capture::kIndexOf_hsa_amd_memory_pool_free:
      return ROCPROFILER_MEMORY_ALLOCATION_FREE;
    case capture::kIndexOf_hsa_amd_vmem_handle_create:
      return ROCPROFILER_MEMORY_ALLOCATION_VMEM_ALLOCATE;
    case capture::kIndexOf_hsa_amd_vmem_handle_release:
      return ROCPROFILER_MEMORY_ALLOCATION_VMEM_FREE;
    default:
      return ROCPROFILER_MEMORY_ALLOCATION_NONE;
  }
}

constexpr bool Frees(Allocation operation) {
  return operation == ROCPROFILER_MEMORY_ALLOCATION_FREE ||
         operation == ROCPROFILER_MEMORY_ALLOCATION_VMEM_FREE;
}

constexpr bool MakesQueue(uint32_t function) {
  return function == capture::kIndexOf_hsa_queue_create ||
         function == capture::kIndexOf_hsa_amd_queue_intercept_create;
}

// The value that the function has written through its last argument: an address or a handle. Zero
// if the function has failed.
uint64_t OutputOf(const HsaCall& call, uint64_t result) {
  const uint64_t out = call.arguments[kHsaFunctions[call.function].arguments.count - 1];
  uint64_t value = 0;
  if (out != 0 && result == HSA_STATUS_SUCCESS)
    memcpy(&value, reinterpret_cast<const void*>(out), sizeof value);
  return value;
}

// Copies arguments to the layout that tools read.
void Place(const HsaCall& call, const ApiArguments& arguments, void* to) {
  uint32_t offset = 0;
  for (uint32_t i = 0; i < arguments.count; ++i) {
    const ApiArgument& argument = arguments.first[i];
    offset = AlignArgument(argument, offset);
    char* const at = static_cast<char*>(to) + offset;
    const uint64_t word = call.arguments[i];
    if (argument.bytes == sizeof word)
      memcpy(at, &word, sizeof word);
    else if (argument.bytes == sizeof(uint32_t))
      memcpy(at, &word, sizeof(uint32_t));
    else  // the word of a structure is its address
      memcpy(at, argument.bytes < sizeof word ? &word : reinterpret_cast<const void*>(word),
             argument.bytes);
    offset += argument.bytes;
  }
}

// In all functions that allocate, the first arguments are the pool and the size.
void BeginAllocation(Allocations* allocations, Allocation operation, const HsaCall& call,
                     Allocations::Event* event) {
  const uint64_t* const arguments = call.arguments;
  if (Frees(operation))
    allocations->Begin(event, operation, {0, 0, arguments[0]}, call.timed);
  else
    allocations->Begin(event, operation, {arguments[0], arguments[1], 0}, call.timed);
}

}  // namespace

const LibraryFunction kHsaFunctions[] = {
#define HSA_FUNCTION(table, operation, old_slot, name, result, types, arguments) \
  {#name,                                                                        \
   {KindOf(HsaTable::table), KindOf(HsaTable::table), operation},                \
   {kArgumentsOf_##name, sizeof kArgumentsOf_##name / sizeof(ApiArgument) - 1}},
#include "names/hsa_functions.inc"
#undef HSA_FUNCTION
};

LibraryFunctions HsaFunctionsOf(uint32_t kind) {
  return FunctionsOfKind(kHsaFunctions, sizeof kHsaFunctions / sizeof(LibraryFunction), kind);
}

void HsaTracing::RuntimeComes(void* root, const capture::HsaSlots& slots) {
  Allocations::Runtime runtime;
  const auto take = [&slots](uint32_t index, auto* function) {
    *function = slots.Get<std::remove_pointer_t<decltype(function)>>(index);
  };
  take(capture::kIndexOf_hsa_iterate_agents, &runtime.iterate_agents);
  take(capture::kIndexOf_hsa_agent_get_info, &runtime.agent_get_info);
  take(capture::kIndexOf_hsa_agent_iterate_regions, &runtime.iterate_regions);
  take(capture::kIndexOf_hsa_amd_agent_iterate_memory_pools, &runtime.iterate_pools);
  if (allocations_ != nullptr) allocations_->OnRuntime(runtime);
  if (scratch_ != nullptr) scratch_->Install(root, runtime.agent_get_info);
}

void HsaTracing::RuntimeGoes() {
  if (scratch_ != nullptr) scratch_->Remove();
}

bool HsaTracing::Asks(uint32_t function) {
  const Allocation operation = AllocationOf(function);
  return calls_->Asked(kHsaFunctions[function].api) ||
         (on_init_ != nullptr && function == capture::kIndexOf_hsa_init) ||
         (allocations_ != nullptr && operation != ROCPROFILER_MEMORY_ALLOCATION_NONE &&
          allocations_->Asked(operation)) ||
         (WatchesQueues() && MakesQueue(function));
}

// HOT: once per call of a function that some context selects.
uint32_t HsaTracing::Wants(uint32_t function) {
  uint32_t wanted = 0;
  if (calls_->Listening(kHsaFunctions[function].api)) wanted |= kCall;
  const Allocation operation = AllocationOf(function);
  if (allocations_ != nullptr && operation != ROCPROFILER_MEMORY_ALLOCATION_NONE &&
      allocations_->Listening(operation))
    wanted |= kAllocation;
  // Calls that tools make are not reported, but their queues must be known.
  if (MakesQueue(function) && WatchesQueues()) wanted |= kQueue;
  if (function == capture::kIndexOf_hsa_init && on_init_ != nullptr) wanted |= kInit;
  return wanted;
}

// HOT: once per call with a subscriber.
void HsaTracing::Begin(HsaCall* call) {
  auto* const room = new (call->room) OpenHsaCall;
  const ApiFunction& function = kHsaFunctions[call->function].api;
  if ((call->wanted & kCall) != 0) {
    room->payload.size = sizeof room->payload;
    if (calls_->WantsPayload(function))
      Place(*call, kHsaFunctions[call->function].arguments, &room->payload.args);
    room->payload.retval.uint64_t_retval = 0;
    calls_->Begin(&room->call, function, &room->payload, {.timed = call->timed});
  }
  const Allocation operation = AllocationOf(call->function);
  if (operation == ROCPROFILER_MEMORY_ALLOCATION_NONE) return;
  // The tool may have started a context in the callback at the beginning of the call.
  room->allocates = allocations_ != nullptr && allocations_->Listening(operation);
  if (room->allocates) BeginAllocation(allocations_, operation, *call, &room->allocation);
}

void HsaTracing::End(HsaCall* call, uint64_t result) {
  auto* const room = reinterpret_cast<OpenHsaCall*>(call->room);
  const CallTimes times = {call->start, call->end};
  const Allocation operation = AllocationOf(call->function);
  if (operation != ROCPROFILER_MEMORY_ALLOCATION_NONE && room->allocates)
    allocations_->End(&room->allocation,
                      Frees(operation) ? call->arguments[0] : OutputOf(*call, result), times);
  if ((call->wanted & kQueue) != 0) {
    const uint64_t queue = OutputOf(*call, result);
    if (queue != 0)
      scratch_->OnQueue({call->arguments[0]}, reinterpret_cast<const hsa_queue_t*>(queue));
  }
  if ((call->wanted & kCall) != 0) {
    room->payload.retval.uint64_t_retval = result;
    calls_->End(&room->call, times);
  }
  if ((call->wanted & kInit) != 0) on_init_();
}

}  // namespace rtl::sdk
