// SPDX-License-Identifier: MIT
// hsa_tables.h: where the functions we use lie in the tables that the HSA runtime hands to a tool.
//
// Each table starts with a 16-byte ApiTableVersion (major, minor, step, reserved); `minor` is the
// size of the whole table in bytes. Function pointers of 8 bytes follow, so slot i lies at
// 16 + 8 * i and exists when 16 + 8 * (i + 1) <= minor.
//
//   table    ROCm 4.5-5.4   5.5            5.6-5.7        6.0 and later
//   root     1.0            1.0            1.0            2.0, 3.0, 3.1
//   core     1.0, 125 fns   1.0, 125       1.0, 125       2.0, 125
//   amd ext  1.0, 48 fns    1.0, 51        1.0, 55        2.x, 67 and growing at the end
//
// The core table has never moved. The AMD extension table has had two entries inserted at slot 16
// (the copy engine functions) with ROCm 5.6, still under major version 1: only its size tells.
// What was inserted besides lies behind the slots that both layouts have here. The batched copy came
// with ROCm 7.13, hsa_amd_queue_create with ROCm 10 (AMD step 16).
#pragma once

#include <stdint.h>

namespace rtl::hsa_tables {

inline constexpr uint32_t kVersionBytes = 16;
inline constexpr uint32_t kSlotBytes = 8;
inline constexpr uint32_t kNoSlot = UINT32_MAX;

inline constexpr uint32_t kMaxRootMajor = 3;
inline constexpr uint32_t kMaxCoreMajor = 2;
inline constexpr uint32_t kMaxAmdMajor = 2;

// The functions that the runtime calls, for tools to put theirs in; from ROCm 6.1 on. Empty before.
inline constexpr uint32_t kRootToolSlot = 4;
inline constexpr uint32_t kMaxToolMajor = 1;
inline constexpr uint32_t kToolSlots = 6;  // scratch memory: allocation, freeing, reclaiming

// Samples of program counters; from ROCm 6.4 on.
inline constexpr uint32_t kRootPcSamplingSlot = 5;
inline constexpr uint32_t kPcSamplingMajor = 1;
inline constexpr uint32_t kPcSamplingSlots = 7;

// An AMD extension table of at least this size has the copy engine entries at slots 16 and 17.
inline constexpr uint32_t kAmdWithEnginesBytes = kVersionBytes + 55 * kSlotBytes;

// Intercept queues that do not survive a full hardware ring: the runtimes with root major version 1
// abort (an assertion on their overflow list); those from this AMD step on (5 is ROCm 6.4, 8 is
// 7.2) hand over what has piled up meanwhile as one batch, by way of a buffer of 256 packets, and
// write past its end.
inline constexpr uint32_t kAmdStepWithBatches = 6;
// From this step on (ROCm 10) that buffer is as large as the ring. It grew with 7.13, whose step is
// not known for certain; those between are taken for overrunning.
inline constexpr uint32_t kAmdStepWithRoomForBatches = 15;

// name without "hsa_", slot
#define RTL_HSA_CORE_SLOTS(X)               \
  X(init, 0)                                \
  X(shut_down, 1)                           \
  X(system_get_info, 2)                     \
  X(iterate_agents, 5)                      \
  X(agent_get_info, 6)                      \
  X(queue_create, 7)                        \
  X(soft_queue_create, 8)                   \
  X(queue_destroy, 9)                       \
  X(queue_inactivate, 10)                   \
  X(queue_load_read_index_scacquire, 11)    \
  X(queue_load_write_index_scacquire, 13)   \
  X(queue_add_write_index_scacq_screl, 21)  \
  X(queue_add_write_index_scacquire, 22)    \
  X(queue_add_write_index_relaxed, 23)      \
  X(queue_add_write_index_screlease, 24)    \
  X(queue_store_read_index_screlease, 26)   \
  X(agent_iterate_regions, 27)              \
  X(region_get_info, 28)                    \
  X(signal_create, 37)                      \
  X(signal_destroy, 38)                     \
  X(signal_load_relaxed, 39)                \
  X(signal_load_scacquire, 40)              \
  X(signal_store_relaxed, 41)               \
  X(signal_store_screlease, 42)             \
  X(signal_wait_relaxed, 43)                \
  X(signal_wait_scacquire, 44)              \
  X(signal_exchange_relaxed, 57)            \
  X(signal_exchange_scacquire, 58)          \
  X(signal_exchange_screlease, 59)          \
  X(signal_exchange_scacq_screl, 60)        \
  X(signal_subtract_screlease, 67)          \
  X(signal_cas_relaxed, 69)                 \
  X(signal_cas_scacquire, 70)               \
  X(signal_cas_screlease, 71)               \
  X(signal_cas_scacq_screl, 72)             \
  X(executable_destroy, 84)                 \
  X(executable_load_code_object, 85)        \
  X(executable_freeze, 86)                  \
  X(executable_symbol_get_info, 93)         \
  X(executable_iterate_symbols, 94)         \
  X(system_get_major_extension_table, 98)   \
  X(signal_silent_store_relaxed, 102)       \
  X(signal_silent_store_screlease, 103)     \
  X(signal_group_wait_any_scacquire, 106)   \
  X(signal_group_wait_any_relaxed, 107)     \
  X(executable_load_agent_code_object, 120) \
  X(executable_iterate_agent_symbols, 123)  \
  X(executable_iterate_program_symbols, 124)

// name without "hsa_", slot in tables without and with the copy engine entries
#define RTL_HSA_AMD_SLOTS(X)                           \
  X(amd_profiling_set_profiler_enabled, 2, 2)          \
  X(amd_profiling_async_copy_enable, 3, 3)             \
  X(amd_profiling_get_dispatch_time, 4, 4)             \
  X(amd_profiling_get_async_copy_time, 5, 5)           \
  X(amd_profiling_convert_tick_to_system_domain, 6, 6) \
  X(amd_signal_async_handler, 7, 7)                    \
  X(amd_signal_wait_any, 9, 9)                         \
  X(amd_memory_async_copy, 15, 15)                     \
  X(amd_signal_create, 31, 33)                         \
  X(amd_memory_async_copy_rect, 38, 40)

// The same; not declared by the public headers, or not by all of them.
#define RTL_HSA_AMD_TOOL_SLOTS(X)                 \
  X(amd_queue_intercept_create, 35, 37)           \
  X(amd_queue_intercept_register, 36, 38)         \
  X(amd_queue_cu_set_mask, 10, 10)                \
  X(amd_memory_async_copy_on_engine, kNoSlot, 16) \
  X(amd_queue_set_priority, 37, 39)               \
  X(amd_queue_cu_get_mask, 47, 52)                \
  X(amd_queue_get_info, kNoSlot, 68)              \
  X(amd_signal_wait_all, kNoSlot, 71)             \
  X(amd_memory_async_batch_copy, kNoSlot, 78)     \
  X(amd_queue_create, kNoSlot, 86)

}  // namespace rtl::hsa_tables
