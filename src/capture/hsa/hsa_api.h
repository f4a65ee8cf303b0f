// SPDX-License-Identifier: MIT
// hsa_api.h: the HSA functions that capture calls, as plain pointers, and the runtime's tables that
// contain them. Nothing in capture calls a global hsa_* symbol, so all of it can run on a fake
// runtime.
//
// Threads    Open, Replace and Restore: one thread at a time. Slots are written with single atomic
//            stores: other threads may be calling through them
// Memory     the tables belong to the runtime and outlive the tracer; they are read and written in
//            place by offset, never copied by the size of a struct that the tracer was compiled
//            with
// Errors     Open returns an error that names a table with an unknown major version, or one that is
//            too short
#pragma once

#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "spec/api/hsa_tables.h"

namespace rtl::capture {

// Types of functions for tools and of newer functions. The runtime's public headers do not declare
// all of them.
using PacketWriter = void (*)(const void* packets, uint64_t count);
using PacketHook = void (*)(const void* packets, uint64_t count, uint64_t user_index, void* data,
                            PacketWriter writer);
using QueueErrorCallback = void (*)(hsa_status_t status, hsa_queue_t* source, void* data);
using QueueInterceptCreate = hsa_status_t (*)(hsa_agent_t agent, uint32_t size,
                                              hsa_queue_type32_t type, QueueErrorCallback callback,
                                              void* data, uint32_t private_segment_size,
                                              uint32_t group_segment_size, hsa_queue_t** queue);
using QueueInterceptRegister = hsa_status_t (*)(hsa_queue_t* queue, PacketHook hook, void* data);
// Headers that declare this function have an enum for the engine.
using AsyncCopyOnEngine = hsa_status_t (*)(void* dst, hsa_agent_t dst_agent, const void* src,
                                           hsa_agent_t src_agent, size_t size,
                                           uint32_t num_dep_signals,
                                           const hsa_signal_t* dep_signals,
                                           hsa_signal_t completion_signal, uint32_t engine,
                                           bool force_copy_on_sdma);

// One copy of hsa_amd_memory_async_batch_copy, in the layout of newer headers.
struct CopyOperation {
  // operations of other types have lists in place of these members
  static constexpr uint16_t kLinear = 0;
  uint16_t version, type, num_entries, traffic_class;
  hsa_signal_t completion_signal;
  void* src;
  hsa_agent_t src_agent;
  hsa_agent_t dst_agent;
  void* dst;
  size_t size;
  uint64_t rest[9];
};
static_assert(sizeof(CopyOperation) == 128);
using AsyncBatchCopy = hsa_status_t (*)(const CopyOperation* operations, uint32_t count,
                                        uint32_t num_dep_signals, const hsa_signal_t* dep_signals);

// One queue of hsa_amd_queue_create, in the layout of newer headers.
struct QueueDescriptor {
  static constexpr uint16_t kVersion = 1;  // other versions may differ from the second word on
  static constexpr uint8_t kCompute = 0;   // the engine whose rings have kernels
  uint16_t version, flags;
  uint8_t engine;
  uint8_t reserved_header[3];
  uint32_t ring_bytes;
  int32_t priority;
  QueueErrorCallback callback;
  void* data;
  hsa_queue_t* queue;  // created by the runtime; null: the runtime has not created it
  uint64_t engine_parameters[4];
  uint32_t traffic_class;
  uint8_t reserved[20];
};
static_assert(sizeof(QueueDescriptor) == 96);
// On failure the status is the one of the first descriptor that failed. Descriptors before and
// after it may have queues.
using AmdQueueCreate = hsa_status_t (*)(hsa_agent_t agent, QueueDescriptor* descriptors,
                                        uint32_t count);

// Functions with which a program sets and queries properties of an existing queue. Headers that
// declare them have enums for the arguments.
using QueueSetMask = hsa_status_t (*)(const hsa_queue_t* queue, uint32_t bits,
                                      const uint32_t* mask);
using QueueGetMask = hsa_status_t (*)(const hsa_queue_t* queue, uint32_t bits, uint32_t* mask);
using QueueSetPriority = hsa_status_t (*)(hsa_queue_t* queue, uint32_t priority);
using QueueGetInfo = hsa_status_t (*)(hsa_queue_t* queue, uint32_t attribute, void* value);

// Returns when all the signals satisfy their conditions.
using SignalWaitAll = uint32_t (*)(uint32_t count, hsa_signal_t* signals,
                                   hsa_signal_condition_t* conditions, hsa_signal_value_t* values,
                                   uint64_t timeout, hsa_wait_state_t state,
                                   hsa_signal_value_t* found);

// One of the slots that this file can call or replace.
enum class HsaSlot : uint8_t {
#define X(name, ...) name,
  RTL_HSA_CORE_SLOTS(X) RTL_HSA_AMD_SLOTS(X) RTL_HSA_AMD_TOOL_SLOTS(X)
#undef X
      kCount,
};
inline constexpr size_t kHsaSlotCount = static_cast<size_t>(HsaSlot::kCount);
const char* HsaSlotName(HsaSlot slot);  // for example "hsa_queue_create"

// The functions that the slots had before anything was replaced.
struct HsaApi {
#define X(name, ...) decltype(&::hsa_##name) name = nullptr;
  RTL_HSA_CORE_SLOTS(X)
  RTL_HSA_AMD_SLOTS(X)
#undef X
  QueueInterceptCreate amd_queue_intercept_create = nullptr;
  QueueInterceptRegister amd_queue_intercept_register = nullptr;
  // Null in older runtimes.
  AsyncCopyOnEngine amd_memory_async_copy_on_engine = nullptr;
  SignalWaitAll amd_signal_wait_all = nullptr;
  AsyncBatchCopy amd_memory_async_batch_copy = nullptr;
  AmdQueueCreate amd_queue_create = nullptr;
  // Null in old runtimes: most before ROCm 5.6, the last one before about 6.1. Needed while kernels
  // are counted.
  QueueSetMask amd_queue_cu_set_mask = nullptr;
  QueueGetMask amd_queue_cu_get_mask = nullptr;
  QueueSetPriority amd_queue_set_priority = nullptr;
  QueueGetInfo amd_queue_get_info = nullptr;
};

class HsaTables {
 public:
  // Reads the versions and fills in api(). Every slot of HsaSlot must exist, except the functions
  // that HsaApi describes as null in older runtimes.
  Status Open(void* root_table);

  const HsaApi& api() const { return api_; }
  bool open() const { return open_; }

  // Reads the same tables again, while some slots have the tracer's functions. For the other slots,
  // which may be replaced next, api() gets the present content, possibly another tool's function.
  Status Reopen() { return FillApi(); }

  // Puts `function` into the slot. api() keeps the former content, possibly another tool's
  // function. A slot can be replaced once; replacing it again with the same function is not an
  // error.
  Status Replace(HsaSlot slot, void* function);
  template <typename R, typename... P>
  Status Replace(HsaSlot slot, R (*function)(P...)) {
    return Replace(slot, reinterpret_cast<void*>(function));
  }

  // Restores the former content in each slot that still has the tracer's function. A slot with
  // another tool's function over the tracer's is unchanged, because that tool continues to call the
  // tracer's function. Idempotent.
  void Restore();

  const void* core_table() const { return core_table_.base; }
  uint32_t root_major() const { return root_major_; }
  uint32_t amd_major() const { return amd_table_.major; }
  uint32_t amd_step() const { return amd_table_.step; }
  // For example "tables 3.1, core 2.0 (1016 bytes), amd 2.4 (584 bytes)".
  void Describe(char* text, size_t bytes) const;

 private:
  struct Table {
    uint8_t* base = nullptr;
    uint32_t major = 0, bytes = 0, step = 0;
  };
  static Status OpenTable(const char* name, void* table, uint32_t max_major, Table* out);
  void** SlotAddress(HsaSlot slot) const;  // null when this runtime lacks it
  Status FillApi();

  HsaApi api_;
  Table core_table_, amd_table_;
  bool open_ = false;
  uint32_t root_major_ = 0, root_step_ = 0;
  void* originals_[kHsaSlotCount] = {};
  void* replacements_[kHsaSlotCount] = {};
};

}  // namespace rtl::capture
