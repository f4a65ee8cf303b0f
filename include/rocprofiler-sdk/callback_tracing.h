/* SPDX-License-Identifier: MIT
 * callback_tracing.h: calls the tool's function at each event, on the event's thread.
 * docs/reference/sdk-status.md lists the events that this library produces. Needs the runtime's
 * headers. */
#pragma once

#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <hsa/hsa_ven_amd_loader.h>
#include <rocprofiler-sdk/defines.h>
#include <rocprofiler-sdk/fwd.h>
#include <rocprofiler-sdk/hip.h>
#include <rocprofiler-sdk/hsa.h>
#include <rocprofiler-sdk/marker.h>
#include <rocprofiler-sdk/ompt.h>
#include <rocprofiler-sdk/rccl.h>
#include <rocprofiler-sdk/rocdecode.h>
#include <rocprofiler-sdk/rocjpeg.h>

ROCPROFILER_EXTERN_C_INIT

/* The storage that a code object was loaded from, as the runtime's loader reports it. */
typedef enum rocprofiler_code_object_storage_type_t {
  ROCPROFILER_CODE_OBJECT_STORAGE_TYPE_NONE = 0,
  ROCPROFILER_CODE_OBJECT_STORAGE_TYPE_FILE = 1,
  ROCPROFILER_CODE_OBJECT_STORAGE_TYPE_MEMORY = 2,
  ROCPROFILER_CODE_OBJECT_STORAGE_TYPE_LAST = 3,
} rocprofiler_code_object_storage_type_t;

#define ROCPROFILER_CODE_OBJECT_ID_NONE ROCPROFILER_UINT64_C(0)

/* CODE_OBJECT, LOAD: a code object is on an agent (phase LOAD), or is about to be unloaded
 * (UNLOAD). */
typedef struct rocprofiler_callback_tracing_code_object_load_data_t {
  uint64_t size;
  uint64_t code_object_id; /* 1 and up, one per agent, never reused */
  union {
    rocprofiler_agent_id_t rocp_agent;
    rocprofiler_agent_id_t agent_id;
  };
  hsa_agent_t hsa_agent;
  const char* uri; /* file://… or memory://…; valid until the process ends */
  uint64_t load_base;
  uint64_t load_size;
  int64_t load_delta; /* load address minus the address in the ELF file */
  rocprofiler_code_object_storage_type_t storage_type;
  union {
    struct {
      int storage_file; /* FILE: a descriptor; -1: not known */
    };
    struct {
      uint64_t memory_base; /* MEMORY: where the ELF file is */
      uint64_t memory_size;
    };
  };
} rocprofiler_callback_tracing_code_object_load_data_t;

/* CODE_OBJECT, DEVICE_KERNEL_SYMBOL_REGISTER: a kernel of a loaded code object. Comes after its
 * LOAD, and with phase UNLOAD before the code object's. Registers: zero when not known. */
typedef struct rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t {
  uint64_t size;
  uint64_t kernel_id;
  uint64_t code_object_id;
  const char* kernel_name; /* mangled, with ".kd"; valid until the process ends */
  uint64_t kernel_object;
  uint32_t kernarg_segment_size;
  uint32_t kernarg_segment_alignment;
  uint32_t group_segment_size;
  uint32_t private_segment_size;
  uint32_t sgpr_count;
  uint32_t arch_vgpr_count;
  uint32_t accum_vgpr_count;
  int64_t kernel_code_entry_byte_offset; /* zero: not known */
  rocprofiler_address_t kernel_address;  /* zero: not known */
} rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t;

/* CODE_OBJECT, HOST_KERNEL_SYMBOL_REGISTER: the host function that stands for a kernel, as
 * hipLaunchKernel takes it. Comes after the kernel's DEVICE_KERNEL_SYMBOL_REGISTER, one for each
 * agent, and with phase UNLOAD before it. Only from a HIP that registers its tables. */
typedef struct rocprofiler_callback_tracing_code_object_host_kernel_symbol_register_data_t {
  uint64_t size;
  uint64_t host_function_id; /* 1 and up, one per kernel, the same for every context */
  uint64_t kernel_id;
  uint64_t code_object_id;
  rocprofiler_address_t host_function;
  rocprofiler_address_t modules; /* the result of __hipRegisterFatBinary */
  const char* device_function;   /* mangled, without ".kd"; valid until the process ends */
  uint32_t thread_limit; /* this and the rest: as in the compiled code, zero where it has none */
  rocprofiler_dim3_t thread_ids;
  rocprofiler_dim3_t block_ids;
  rocprofiler_dim3_t block_dims;
  rocprofiler_dim3_t grid_dims;
  uint64_t workgroup_size;
} rocprofiler_callback_tracing_code_object_host_kernel_symbol_register_data_t;

/* HSA_CORE_API, HSA_AMD_EXT_API, HSA_IMAGE_EXT_API, HSA_FINALIZE_EXT_API: a call. `args` has a
 * member of the function's name; `retval` is valid with phase EXIT. */
typedef struct rocprofiler_callback_tracing_hsa_api_data_t {
  uint64_t size;
  rocprofiler_hsa_api_args_t args;
  rocprofiler_hsa_api_retval_t retval;
} rocprofiler_callback_tracing_hsa_api_data_t;

/* HIP_RUNTIME_API, HIP_COMPILER_API: a call. As above. */
typedef struct rocprofiler_callback_tracing_hip_api_data_t {
  uint64_t size;
  rocprofiler_hip_api_args_t args;
  rocprofiler_hip_api_retval_t retval;
} rocprofiler_callback_tracing_hip_api_data_t;

/* MARKER_CORE_API, MARKER_CONTROL_API, MARKER_NAME_API: a ROCTx call. As above; the texts belong
 * to the program. */
typedef struct rocprofiler_callback_tracing_marker_api_data_t {
  uint64_t size;
  rocprofiler_marker_api_args_t args;
  rocprofiler_marker_api_retval_t retval;
} rocprofiler_callback_tracing_marker_api_data_t;

/* RCCL_API, ROCDECODE_API, ROCJPEG_API: a call. As above. Not produced: docs/reference/sdk-status.md. */
typedef struct rocprofiler_callback_tracing_rccl_api_data_t {
  uint64_t size;
  rocprofiler_rccl_api_args_t args;
  rocprofiler_rccl_api_retval_t retval;
} rocprofiler_callback_tracing_rccl_api_data_t;
typedef struct rocprofiler_callback_tracing_rocdecode_api_data_t {
  uint64_t size;
  rocprofiler_rocdecode_api_args_t args;
  rocprofiler_rocdecode_api_retval_t retval;
} rocprofiler_callback_tracing_rocdecode_api_data_t;
typedef struct rocprofiler_callback_tracing_rocjpeg_api_data_t {
  uint64_t size;
  rocprofiler_rocjpeg_api_args_t args;
  rocprofiler_rocjpeg_api_retval_t retval;
} rocprofiler_callback_tracing_rocjpeg_api_data_t;

/* OMPT: the callbacks of an OpenMP runtime to its tool. Not produced. */
typedef struct rocprofiler_callback_tracing_ompt_data_t {
  uint64_t size;
  rocprofiler_ompt_args_t args;
} rocprofiler_callback_tracing_ompt_data_t;

/* MEMORY_ALLOCATION: memory that a program allocates from HSA (hsa_memory_allocate,
 * hsa_amd_memory_pool_allocate; VMEM: hsa_amd_vmem_handle_create) or frees. Its ids are those of
 * the open call, or its own. Times are valid with phase EXIT. */
typedef struct rocprofiler_callback_tracing_memory_allocation_data_t {
  uint64_t size;
  rocprofiler_timestamp_t start_timestamp;
  rocprofiler_timestamp_t end_timestamp;
  rocprofiler_agent_id_t agent_id; /* the memory's agent; zero when it is freed */
  rocprofiler_address_t address;   /* VMEM: the handle. Of new memory with EXIT; zero: it failed */
  uint64_t allocation_size;        /* the requested size; zero when it is freed */
} rocprofiler_callback_tracing_memory_allocation_data_t;

/* SCRATCH_MEMORY: the runtime gives a queue memory for the kernel at which it has stopped, or
 * takes such memory back. ENTER and EXIT come on one thread, mostly the runtime's own, while the
 * queue waits: the tool must be quick. The ids are those of the kernel if it is known for
 * certain, otherwise zero. */
typedef struct rocprofiler_callback_tracing_scratch_memory_data_t {
  uint64_t size;
  rocprofiler_agent_id_t agent_id;        /* zero: not known */
  rocprofiler_queue_id_t queue_id;        /* as in kernels */
  rocprofiler_scratch_alloc_flag_t flags; /* of ALLOC: with phase EXIT */
  hsa_amd_tool_event_kind_t args_kind;
  rocprofiler_scratch_memory_args_t args;
} rocprofiler_callback_tracing_scratch_memory_data_t;

/* RUNTIME_INITIALIZATION: a runtime has passed its tables or, for HIP, its first call has begun.
 * Phase NONE; the event belongs to no call. `version`: 10000 * major + 100 * minor + patch;
 * zero: not known. `instance`: the number of copies of the library before this one. */
typedef struct rocprofiler_callback_tracing_runtime_initialization_data_t {
  uint64_t size;
  uint64_t version;
  uint64_t instance;
} rocprofiler_callback_tracing_runtime_initialization_data_t;

/* HIP_STREAM: the HIP stream that a thread uses. CREATE, DESTROY: phase NONE, after a call that
 * has succeeded. SET: ENTER and EXIT around each call that takes a stream. The event belongs to
 * no call: the internal id is zero. `stream_id`: zero for the null stream; other streams are
 * numbered in order, and a number is not reused. `stream_value`: the hipStream_t. */
typedef struct rocprofiler_callback_tracing_hip_stream_data_t {
  uint64_t size;
  rocprofiler_stream_id_t stream_id;
  rocprofiler_address_t stream_value;
} rocprofiler_callback_tracing_hip_stream_data_t;

/* KERNEL_DISPATCH. ENQUEUE: phases ENTER and EXIT one after the other, on the application's
 * thread, before the packet is written; no times. The queue is locked meanwhile: submitting to
 * it from the callback, or waiting for a thread that submits to it, never ends. COMPLETE: phase
 * NONE, on a thread of this library, with the times of the device. A kernel without known times
 * has no COMPLETE. */
typedef struct rocprofiler_callback_tracing_kernel_dispatch_data_t {
  uint64_t size;
  rocprofiler_timestamp_t start_timestamp; /* zero with ENQUEUE */
  rocprofiler_timestamp_t end_timestamp;
  rocprofiler_kernel_dispatch_info_t dispatch_info;
} rocprofiler_callback_tracing_kernel_dispatch_data_t;

/* MEMORY_COPY: an asynchronous copy. ENTER: on the application's thread, before the call of the
 * runtime; no times. EXIT: on a thread of this library, when the copy has ended. A copy that
 * fails, or has no known times, has no EXIT. */
typedef struct rocprofiler_callback_tracing_memory_copy_data_t {
  uint64_t size;
  rocprofiler_timestamp_t start_timestamp; /* zero with ENTER */
  rocprofiler_timestamp_t end_timestamp;
  rocprofiler_agent_id_t dst_agent_id;
  rocprofiler_agent_id_t src_agent_id;
  uint64_t bytes;
  rocprofiler_address_t dst_address;
  rocprofiler_address_t src_address;
} rocprofiler_callback_tracing_memory_copy_data_t;

/* `user_data` belongs to the tool: the value that LOAD (ENTER, ENQUEUE) stores is there at
 * UNLOAD (EXIT, COMPLETE). Calls, kernels and copies that the tool makes inside its callback are
 * not reported. */
typedef void (*rocprofiler_callback_tracing_cb_t)(rocprofiler_callback_tracing_record_t record,
                                                  rocprofiler_user_data_t* user_data,
                                                  void* callback_data);

/* A nonzero result ends the iteration. */
typedef int (*rocprofiler_callback_tracing_kind_cb_t)(rocprofiler_callback_tracing_kind_t kind,
                                                      void* data);
typedef int (*rocprofiler_callback_tracing_kind_operation_cb_t)(
    rocprofiler_callback_tracing_kind_t kind, rocprofiler_tracing_operation_t operation,
    void* data);

/* Calls `callback` for the events of `kind` while the context is started. `operations`: only
 * these; null and 0 for all. During the tool's initialisation only. A kind that is never
 * produced is not an error. Errors, in this order: CONFIGURATION_LOCKED, KIND_NOT_FOUND,
 * CONTEXT_NOT_FOUND, INVALID_ARGUMENT (no callback), SERVICE_ALREADY_CONFIGURED,
 * OPERATION_NOT_FOUND. */
ROCPROFILER_API rocprofiler_status_t rocprofiler_configure_callback_tracing_service(
    rocprofiler_context_id_t context_id, rocprofiler_callback_tracing_kind_t kind,
    const rocprofiler_tracing_operation_t* operations, size_t operations_count,
    rocprofiler_callback_tracing_cb_t callback, void* callback_args);

/* As their namesakes in buffer_tracing.h. */
ROCPROFILER_API rocprofiler_status_t rocprofiler_query_callback_tracing_kind_name(
    rocprofiler_callback_tracing_kind_t kind, const char** name, uint64_t* name_len);
ROCPROFILER_API rocprofiler_status_t rocprofiler_query_callback_tracing_kind_operation_name(
    rocprofiler_callback_tracing_kind_t kind, rocprofiler_tracing_operation_t operation,
    const char** name, uint64_t* name_len);
ROCPROFILER_API rocprofiler_status_t rocprofiler_iterate_callback_tracing_kinds(
    rocprofiler_callback_tracing_kind_cb_t callback, void* data);
ROCPROFILER_API rocprofiler_status_t rocprofiler_iterate_callback_tracing_kind_operations(
    rocprofiler_callback_tracing_kind_t kind,
    rocprofiler_callback_tracing_kind_operation_cb_t callback, void* data);

/* A nonzero result ends the iteration. `arg_value_addr`: the address of the argument in the
 * payload. `arg_indirection_count`: stars in its type. `arg_dereference_count`: how many of them
 * were followed for `arg_value_str`. */
typedef int (*rocprofiler_callback_tracing_operation_args_cb_t)(
    rocprofiler_callback_tracing_kind_t kind, rocprofiler_tracing_operation_t operation,
    uint32_t arg_number, const void* const arg_value_addr, int32_t arg_indirection_count,
    const char* arg_type, const char* arg_name, const char* arg_value_str,
    int32_t arg_dereference_count, void* data);

/* The arguments of a call, from within its callback. With `max_dereference_count` above zero,
 * pointers to numbers and handles are followed once. Output arguments are valid with phase EXIT;
 * those of HIP are read only then, and only if the function has succeeded. Errors:
 * INVALID_ARGUMENT (null), NOT_IMPLEMENTED (no kind of an API), OPERATION_NOT_FOUND.
 */
ROCPROFILER_API rocprofiler_status_t rocprofiler_iterate_callback_tracing_kind_operation_args(
    rocprofiler_callback_tracing_record_t record,
    rocprofiler_callback_tracing_operation_args_cb_t callback, int32_t max_dereference_count,
    void* user_data);

ROCPROFILER_EXTERN_C_FINI
