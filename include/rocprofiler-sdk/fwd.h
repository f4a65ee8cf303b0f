/* SPDX-License-Identifier: MIT
 * fwd.h: the enumerations, ids and small structures that all services share. Sizes and values are
 * those of the 1.x interface, on x86-64. Times are nanoseconds of CLOCK_BOOTTIME; sizes are bytes.
 *
 * A structure that begins with `size` may grow at its end: a reader compares `size` before it reads
 * a later member. Ids are opaque; a handle of zero is none. */
#pragma once

#include <rocprofiler-sdk/counter_types.h>
#include <rocprofiler-sdk/defines.h>
#include <rocprofiler-sdk/status.h>
#include <rocprofiler-sdk/tracing_kinds.h>

ROCPROFILER_EXTERN_C_INIT

/* The category of a record in a buffer; with its kind it gives the type of the payload. */
typedef enum rocprofiler_buffer_category_t {
  ROCPROFILER_BUFFER_CATEGORY_NONE = 0,
  ROCPROFILER_BUFFER_CATEGORY_TRACING = 1,
  ROCPROFILER_BUFFER_CATEGORY_PC_SAMPLING = 2,
  ROCPROFILER_BUFFER_CATEGORY_COUNTERS = 3,
  ROCPROFILER_BUFFER_CATEGORY_LAST = 4,
} rocprofiler_buffer_category_t;

/* The type of a node of the machine. */
typedef enum rocprofiler_agent_type_t {
  ROCPROFILER_AGENT_TYPE_NONE = 0,
  ROCPROFILER_AGENT_TYPE_CPU = 1,
  ROCPROFILER_AGENT_TYPE_GPU = 2,
  ROCPROFILER_AGENT_TYPE_LAST = 3,
} rocprofiler_agent_type_t;

/* The phase of a callback. LOAD and UNLOAD are the names for code objects. */
typedef enum rocprofiler_callback_phase_t {
  ROCPROFILER_CALLBACK_PHASE_NONE = 0,
  ROCPROFILER_CALLBACK_PHASE_ENTER = 1,
  ROCPROFILER_CALLBACK_PHASE_LOAD = 1,
  ROCPROFILER_CALLBACK_PHASE_EXIT = 2,
  ROCPROFILER_CALLBACK_PHASE_UNLOAD = 2,
  ROCPROFILER_CALLBACK_PHASE_LAST = 3,
} rocprofiler_callback_phase_t;

/* What happens to a record for which the buffer has no room: it is dropped and counted, or the
 * buffer grows. */
typedef enum rocprofiler_buffer_policy_t {
  ROCPROFILER_BUFFER_POLICY_NONE = 0,
  ROCPROFILER_BUFFER_POLICY_DISCARD = 1,
  ROCPROFILER_BUFFER_POLICY_LOSSLESS = 2,
  ROCPROFILER_BUFFER_POLICY_LAST = 3,
} rocprofiler_buffer_policy_t;

/* Libraries, as bits. */
typedef enum rocprofiler_runtime_library_t {
  ROCPROFILER_LIBRARY = 1,
  ROCPROFILER_HSA_LIBRARY = 2,
  ROCPROFILER_HIP_LIBRARY = 4,
  ROCPROFILER_MARKER_LIBRARY = 8,
  ROCPROFILER_RCCL_LIBRARY = 16,
  ROCPROFILER_ROCDECODE_LIBRARY = 32,
  ROCPROFILER_ROCJPEG_LIBRARY = 64,
  ROCPROFILER_LIBRARY_LAST = 64,
} rocprofiler_runtime_library_t;

/* Tables of functions, as bits. */
typedef enum rocprofiler_intercept_table_t {
  ROCPROFILER_HSA_TABLE = 1,
  ROCPROFILER_HIP_RUNTIME_TABLE = 2,
  ROCPROFILER_HIP_COMPILER_TABLE = 4,
  ROCPROFILER_MARKER_CORE_TABLE = 8,
  ROCPROFILER_MARKER_CONTROL_TABLE = 16,
  ROCPROFILER_MARKER_NAME_TABLE = 32,
  ROCPROFILER_RCCL_TABLE = 64,
  ROCPROFILER_ROCDECODE_TABLE = 128,
  ROCPROFILER_ROCJPEG_TABLE = 256,
  ROCPROFILER_TABLE_LAST = 256,
} rocprofiler_intercept_table_t;

typedef uint64_t rocprofiler_timestamp_t;
typedef uint64_t rocprofiler_thread_id_t; /* as gettid */
typedef int32_t rocprofiler_tracing_operation_t;
typedef uint64_t rocprofiler_kernel_id_t;   /* 1 and up; a reloaded kernel has a new one */
typedef uint64_t rocprofiler_dispatch_id_t; /* 1 and up */

/* Eight bytes that belong to the tool. */
typedef union rocprofiler_user_data_t {
  uint64_t value;
  void* ptr;
} rocprofiler_user_data_t;

typedef union rocprofiler_address_t {
  uint64_t handle;
  uint64_t value;
  const void* ptr;
} rocprofiler_address_t;

typedef struct rocprofiler_uuid_t {
  uint8_t bytes[16];
} rocprofiler_uuid_t;

typedef struct rocprofiler_version_triplet_t {
  uint32_t major;
  uint32_t minor;
  uint32_t patch;
} rocprofiler_version_triplet_t;

typedef struct rocprofiler_context_id_t {
  uint64_t handle;
} rocprofiler_context_id_t;

typedef struct rocprofiler_queue_id_t {
  uint64_t handle; /* hsa_queue_t.id */
} rocprofiler_queue_id_t;

typedef struct rocprofiler_stream_id_t {
  uint64_t handle;
} rocprofiler_stream_id_t;

typedef struct rocprofiler_buffer_id_t {
  uint64_t handle;
} rocprofiler_buffer_id_t;

typedef struct rocprofiler_agent_id_t {
  uint64_t handle; /* rocprofiler_agent_t.id */
} rocprofiler_agent_id_t;

/* The call that an event belongs to. */
typedef struct rocprofiler_correlation_id_t {
  uint64_t internal;                /* of the call; zero: none */
  rocprofiler_user_data_t external; /* the value that the tool has pushed */
  uint64_t ancestor;                /* `internal` of the call that made this call */
} rocprofiler_correlation_id_t;

/* The same for an event that ends after the call has returned. */
typedef struct rocprofiler_async_correlation_id_t {
  uint64_t internal;
  rocprofiler_user_data_t external;
} rocprofiler_async_correlation_id_t;

#define ROCPROFILER_CORRELATION_ID_INTERNAL_NONE ROCPROFILER_UINT64_C(0)
#define ROCPROFILER_CORRELATION_ID_ANCESTOR_NONE ROCPROFILER_UINT64_C(0)

typedef struct rocprofiler_dim3_t {
  uint32_t x;
  uint32_t y;
  uint32_t z;
} rocprofiler_dim3_t;

/* The argument of a callback, by value. `kind` and `operation` give the type of `payload`, which
 * is valid until the callback returns. */
typedef struct rocprofiler_callback_tracing_record_t {
  rocprofiler_context_id_t context_id;
  rocprofiler_thread_id_t thread_id;
  rocprofiler_correlation_id_t correlation_id;
  rocprofiler_callback_tracing_kind_t kind;
  rocprofiler_tracing_operation_t operation;
  rocprofiler_callback_phase_t phase;
  void* payload;
} rocprofiler_callback_tracing_record_t;

/* One record of a buffer: its type and its address. */
typedef struct rocprofiler_record_header_t {
  union {
    struct {
      uint32_t category; /* rocprofiler_buffer_category_t */
      uint32_t kind;     /* for tracing: rocprofiler_buffer_tracing_kind_t */
    };
    uint64_t hash; /* category | kind << 32 */
  };
  void* payload; /* valid until the buffer's callback returns */
} rocprofiler_record_header_t;

static inline uint64_t rocprofiler_record_header_compute_hash(uint32_t category, uint32_t kind) {
  return (uint64_t)category | ((uint64_t)kind << 32);
}

/* The launched kernel. `grid_size` counts work-items, as the packet does. */
typedef struct rocprofiler_kernel_dispatch_info_t {
  uint64_t size; /* without the padding */
  rocprofiler_agent_id_t agent_id;
  rocprofiler_queue_id_t queue_id;
  rocprofiler_kernel_id_t kernel_id;
  rocprofiler_dispatch_id_t dispatch_id;
  uint32_t private_segment_size; /* per work-item */
  uint32_t group_segment_size;   /* per workgroup */
  rocprofiler_dim3_t workgroup_size;
  rocprofiler_dim3_t grid_size;
  uint8_t reserved_padding[56];
} rocprofiler_kernel_dispatch_info_t;

/* The value of a counter at one position of an agent. */
typedef struct rocprofiler_counter_record_t {
  rocprofiler_counter_instance_id_t id;
  double counter_value;
  rocprofiler_dispatch_id_t dispatch_id;
  rocprofiler_user_data_t user_data;
  rocprofiler_agent_id_t agent_id;
} rocprofiler_counter_record_t;
typedef rocprofiler_counter_record_t rocprofiler_record_counter_t;

ROCPROFILER_EXTERN_C_FINI
