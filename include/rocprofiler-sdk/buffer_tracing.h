/* SPDX-License-Identifier: MIT
 * buffer_tracing.h: one record per event, in a buffer. docs/reference/sdk-status.md lists the
 * records that this library produces. */
#pragma once

#include <rocprofiler-sdk/agent.h>
#include <rocprofiler-sdk/defines.h>
#include <rocprofiler-sdk/fwd.h>
#include <rocprofiler-sdk/hip.h>
#include <rocprofiler-sdk/hsa/scratch_memory_id.h>
#include <rocprofiler-sdk/kfd/kfd_id.h>
#include <rocprofiler-sdk/rocdecode.h>

ROCPROFILER_EXTERN_C_INIT

/* HSA_CORE_API, HSA_AMD_EXT_API, HSA_IMAGE_EXT_API, HSA_FINALIZE_EXT_API: a call that has returned.
 */
typedef struct rocprofiler_buffer_tracing_hsa_api_record_t {
  uint64_t size;
  rocprofiler_buffer_tracing_kind_t kind;
  rocprofiler_tracing_operation_t operation;
  rocprofiler_correlation_id_t correlation_id;
  rocprofiler_timestamp_t start_timestamp;
  rocprofiler_timestamp_t end_timestamp;
  rocprofiler_thread_id_t thread_id;
} rocprofiler_buffer_tracing_hsa_api_record_t;

/* HIP_RUNTIME_API, HIP_COMPILER_API: the same. */
typedef struct rocprofiler_buffer_tracing_hip_api_record_t {
  uint64_t size;
  rocprofiler_buffer_tracing_kind_t kind;
  rocprofiler_tracing_operation_t operation;
  rocprofiler_correlation_id_t correlation_id;
  rocprofiler_timestamp_t start_timestamp;
  rocprofiler_timestamp_t end_timestamp;
  rocprofiler_thread_id_t thread_id;
} rocprofiler_buffer_tracing_hip_api_record_t;

/* MARKER_CORE_API, MARKER_CONTROL_API, MARKER_NAME_API: the same. Only callbacks have the texts. */
typedef struct rocprofiler_buffer_tracing_marker_api_record_t {
  uint64_t size;
  rocprofiler_buffer_tracing_kind_t kind;
  rocprofiler_tracing_operation_t operation;
  rocprofiler_correlation_id_t correlation_id;
  rocprofiler_timestamp_t start_timestamp;
  rocprofiler_timestamp_t end_timestamp;
  rocprofiler_thread_id_t thread_id;
} rocprofiler_buffer_tracing_marker_api_record_t;

/* HIP_RUNTIME_API_EXT, HIP_COMPILER_API_EXT: with arguments and result. The targets of pointers
 * and the texts are not copied: they may be invalid. */
typedef struct rocprofiler_buffer_tracing_hip_api_ext_record_t {
  uint64_t size;
  rocprofiler_buffer_tracing_kind_t kind;
  rocprofiler_tracing_operation_t operation;
  rocprofiler_correlation_id_t correlation_id;
  rocprofiler_timestamp_t start_timestamp;
  rocprofiler_timestamp_t end_timestamp;
  rocprofiler_thread_id_t thread_id;
  rocprofiler_hip_api_args_t args;
  rocprofiler_hip_api_retval_t retval;
} rocprofiler_buffer_tracing_hip_api_ext_record_t;

/* OMPT: a record's fields of target regions. */
typedef struct rocprofiler_buffer_tracing_ompt_target_t {
  int32_t kind; /* ompt_target_t */
  int32_t device_num;
  uint64_t task_id;
  uint64_t target_id;
  const void* codeptr_ra;
} rocprofiler_buffer_tracing_ompt_target_t;
typedef struct rocprofiler_buffer_tracing_ompt_target_data_op_t {
  uint64_t host_op_id;
  int32_t optype; /* ompt_target_data_op_t */
  int32_t src_device_num;
  int32_t dst_device_num;
  int32_t reserved;
  uint64_t bytes;
  const void* codeptr_ra;
} rocprofiler_buffer_tracing_ompt_target_data_op_t;
typedef struct rocprofiler_buffer_tracing_ompt_target_kernel_t {
  uint64_t host_op_id;
  int32_t device_num;
  uint32_t requested_num_teams;
} rocprofiler_buffer_tracing_ompt_target_kernel_t;

/* OMPT. */
typedef struct rocprofiler_buffer_tracing_ompt_record_t {
  uint64_t size;
  rocprofiler_buffer_tracing_kind_t kind;
  rocprofiler_tracing_operation_t operation;
  rocprofiler_correlation_id_t correlation_id;
  rocprofiler_timestamp_t start_timestamp;
  rocprofiler_timestamp_t end_timestamp;
  rocprofiler_thread_id_t thread_id;
  union {
    rocprofiler_buffer_tracing_ompt_target_t target;
    rocprofiler_buffer_tracing_ompt_target_data_op_t target_data_op;
    rocprofiler_buffer_tracing_ompt_target_kernel_t target_kernel;
    uint64_t reserved[5];
  };
} rocprofiler_buffer_tracing_ompt_record_t;

/* RCCL_API, ROCDECODE_API, ROCJPEG_API: a call, as of HSA and HIP. The last two are not
 * produced. */
typedef struct rocprofiler_buffer_tracing_rccl_api_record_t {
  uint64_t size;
  rocprofiler_buffer_tracing_kind_t kind;
  rocprofiler_tracing_operation_t operation;
  rocprofiler_correlation_id_t correlation_id;
  rocprofiler_timestamp_t start_timestamp;
  rocprofiler_timestamp_t end_timestamp;
  rocprofiler_thread_id_t thread_id;
} rocprofiler_buffer_tracing_rccl_api_record_t;
typedef struct rocprofiler_buffer_tracing_rocdecode_api_record_t {
  uint64_t size;
  rocprofiler_buffer_tracing_kind_t kind;
  rocprofiler_rocdecode_api_id_t operation;
  rocprofiler_correlation_id_t correlation_id;
  rocprofiler_timestamp_t start_timestamp;
  rocprofiler_timestamp_t end_timestamp;
  rocprofiler_thread_id_t thread_id;
} rocprofiler_buffer_tracing_rocdecode_api_record_t;
typedef struct rocprofiler_buffer_tracing_rocjpeg_api_record_t {
  uint64_t size;
  rocprofiler_buffer_tracing_kind_t kind;
  rocprofiler_tracing_operation_t operation;
  rocprofiler_correlation_id_t correlation_id;
  rocprofiler_timestamp_t start_timestamp;
  rocprofiler_timestamp_t end_timestamp;
  rocprofiler_thread_id_t thread_id;
} rocprofiler_buffer_tracing_rocjpeg_api_record_t;

/* ROCDECODE_API_EXT. Not produced. */
typedef struct rocprofiler_buffer_tracing_rocdecode_api_ext_record_t {
  uint64_t size;
  rocprofiler_buffer_tracing_kind_t kind;
  rocprofiler_rocdecode_api_id_t operation;
  rocprofiler_correlation_id_t correlation_id;
  rocprofiler_timestamp_t start_timestamp;
  rocprofiler_timestamp_t end_timestamp;
  rocprofiler_thread_id_t thread_id;
  rocprofiler_rocdecode_api_args_t args;
  rocprofiler_rocdecode_api_retval_t retval;
} rocprofiler_buffer_tracing_rocdecode_api_ext_record_t;

/* KFD_EVENT_…: the driver's events, one record per event. `pid`: the process that the event
 * concerns. Not produced. */
typedef struct rocprofiler_buffer_tracing_kfd_event_page_migrate_record_t {
  uint64_t size;
  rocprofiler_buffer_tracing_kind_t kind;
  rocprofiler_kfd_event_page_migrate_operation_t operation;
  rocprofiler_timestamp_t timestamp;
  uint32_t pid;
  rocprofiler_address_t start_address;
  rocprofiler_address_t end_address;
  rocprofiler_agent_id_t src_agent;
  rocprofiler_agent_id_t dst_agent;
  rocprofiler_agent_id_t prefetch_agent;
  rocprofiler_agent_id_t preferred_agent;
  int32_t error_code;
} rocprofiler_buffer_tracing_kfd_event_page_migrate_record_t;
typedef struct rocprofiler_buffer_tracing_kfd_event_page_fault_record_t {
  uint64_t size;
  rocprofiler_buffer_tracing_kind_t kind;
  rocprofiler_kfd_event_page_fault_operation_t operation;
  rocprofiler_timestamp_t timestamp;
  uint32_t pid;
  rocprofiler_agent_id_t agent_id;
  rocprofiler_address_t address;
} rocprofiler_buffer_tracing_kfd_event_page_fault_record_t;
typedef struct rocprofiler_buffer_tracing_kfd_event_queue_record_t {
  uint64_t size;
  rocprofiler_buffer_tracing_kind_t kind;
  rocprofiler_kfd_event_queue_operation_t operation;
  rocprofiler_timestamp_t timestamp;
  uint32_t pid;
  rocprofiler_agent_id_t agent_id;
} rocprofiler_buffer_tracing_kfd_event_queue_record_t;
typedef struct rocprofiler_buffer_tracing_kfd_event_unmap_from_gpu_record_t {
  uint64_t size;
  rocprofiler_buffer_tracing_kind_t kind;
  rocprofiler_kfd_event_unmap_from_gpu_operation_t operation;
  rocprofiler_timestamp_t timestamp;
  uint32_t pid;
  rocprofiler_agent_id_t agent_id;
  rocprofiler_address_t start_address;
  rocprofiler_address_t end_address;
} rocprofiler_buffer_tracing_kfd_event_unmap_from_gpu_record_t;
typedef struct rocprofiler_buffer_tracing_kfd_event_dropped_events_record_t {
  uint64_t size;
  rocprofiler_buffer_tracing_kind_t kind;
  rocprofiler_kfd_event_dropped_events_operation_t operation;
  rocprofiler_timestamp_t timestamp;
  uint32_t pid;
  uint32_t count;
} rocprofiler_buffer_tracing_kfd_event_dropped_events_record_t;

/* KFD_…: the same with a beginning and an end. Not produced. */
typedef struct rocprofiler_buffer_tracing_kfd_page_migrate_record_t {
  uint64_t size;
  rocprofiler_buffer_tracing_kind_t kind;
  rocprofiler_kfd_page_migrate_operation_t operation;
  rocprofiler_timestamp_t start_timestamp;
  rocprofiler_timestamp_t end_timestamp;
  uint32_t pid;
  rocprofiler_address_t start_address;
  rocprofiler_address_t end_address;
  rocprofiler_agent_id_t src_agent;
  rocprofiler_agent_id_t dst_agent;
  rocprofiler_agent_id_t prefetch_agent;
  rocprofiler_agent_id_t preferred_agent;
  int32_t error_code;
} rocprofiler_buffer_tracing_kfd_page_migrate_record_t;
typedef struct rocprofiler_buffer_tracing_kfd_page_fault_record_t {
  uint64_t size;
  rocprofiler_buffer_tracing_kind_t kind;
  rocprofiler_kfd_page_fault_operation_t operation;
  rocprofiler_timestamp_t start_timestamp;
  rocprofiler_timestamp_t end_timestamp;
  uint32_t pid;
  rocprofiler_agent_id_t agent_id;
  rocprofiler_address_t address;
} rocprofiler_buffer_tracing_kfd_page_fault_record_t;
typedef struct rocprofiler_buffer_tracing_kfd_queue_record_t {
  uint64_t size;
  rocprofiler_buffer_tracing_kind_t kind;
  rocprofiler_kfd_queue_operation_t operation;
  rocprofiler_timestamp_t start_timestamp;
  rocprofiler_timestamp_t end_timestamp;
  uint32_t pid;
  rocprofiler_agent_id_t agent_id;
} rocprofiler_buffer_tracing_kfd_queue_record_t;

/* KERNEL_DISPATCH: a kernel that has ended. */
typedef struct rocprofiler_buffer_tracing_kernel_dispatch_record_t {
  uint64_t size;
  rocprofiler_buffer_tracing_kind_t kind;
  rocprofiler_kernel_dispatch_operation_t operation;
  rocprofiler_async_correlation_id_t correlation_id;
  rocprofiler_thread_id_t thread_id; /* the thread that submitted it */
  rocprofiler_timestamp_t start_timestamp;
  rocprofiler_timestamp_t end_timestamp;
  rocprofiler_kernel_dispatch_info_t dispatch_info;
} rocprofiler_buffer_tracing_kernel_dispatch_record_t;

/* MEMORY_COPY: an asynchronous copy that has ended. */
typedef struct rocprofiler_buffer_tracing_memory_copy_record_t {
  uint64_t size;
  rocprofiler_buffer_tracing_kind_t kind;
  rocprofiler_memory_copy_operation_t operation; /* NONE: the runtime did not know it */
  rocprofiler_async_correlation_id_t correlation_id;
  rocprofiler_thread_id_t thread_id;
  rocprofiler_timestamp_t start_timestamp;
  rocprofiler_timestamp_t end_timestamp;
  rocprofiler_agent_id_t dst_agent_id;
  rocprofiler_agent_id_t src_agent_id;
  uint64_t bytes;
  rocprofiler_address_t dst_address;
  rocprofiler_address_t src_address;
} rocprofiler_buffer_tracing_memory_copy_record_t;

/* MEMORY_ALLOCATION: as in the callback with phase EXIT. */
typedef struct rocprofiler_buffer_tracing_memory_allocation_record_t {
  uint64_t size;
  rocprofiler_buffer_tracing_kind_t kind;
  rocprofiler_memory_allocation_operation_t operation;
  rocprofiler_correlation_id_t correlation_id;
  rocprofiler_thread_id_t thread_id;
  rocprofiler_timestamp_t start_timestamp;
  rocprofiler_timestamp_t end_timestamp;
  rocprofiler_agent_id_t agent_id;
  rocprofiler_address_t address;
  uint64_t allocation_size;
} rocprofiler_buffer_tracing_memory_allocation_record_t;

/* SCRATCH_MEMORY: as in the callback with phase EXIT; the times are those of the two phases. */
typedef struct rocprofiler_buffer_tracing_scratch_memory_record_t {
  uint64_t size;
  rocprofiler_buffer_tracing_kind_t kind;
  rocprofiler_scratch_memory_operation_t operation;
  rocprofiler_correlation_id_t correlation_id;
  rocprofiler_agent_id_t agent_id;
  rocprofiler_queue_id_t queue_id;
  rocprofiler_thread_id_t thread_id; /* the thread of the callbacks */
  rocprofiler_timestamp_t start_timestamp;
  rocprofiler_timestamp_t end_timestamp;
  rocprofiler_scratch_alloc_flag_t flags;
  uint64_t allocation_size; /* of ALLOC, otherwise zero */
} rocprofiler_buffer_tracing_scratch_memory_record_t;

/* RUNTIME_INITIALIZATION: as in the callback. */
typedef struct rocprofiler_buffer_tracing_runtime_initialization_record_t {
  uint64_t size;
  rocprofiler_buffer_tracing_kind_t kind;
  rocprofiler_runtime_initialization_operation_t operation;
  rocprofiler_correlation_id_t correlation_id; /* only the pushed external id */
  rocprofiler_thread_id_t thread_id;
  rocprofiler_timestamp_t timestamp;
  uint64_t version;
  uint64_t instance;
} rocprofiler_buffer_tracing_runtime_initialization_record_t;

/* CORRELATION_ID_RETIREMENT: no later record has this internal id. Produced for ids that were
 * given while the context was started; the kind has no operations. An id is not retired if its
 * call, kernels or copies have not ended when the process ends. */
typedef struct rocprofiler_buffer_tracing_correlation_id_retirement_record_t {
  uint64_t size;
  rocprofiler_buffer_tracing_kind_t kind;
  rocprofiler_timestamp_t timestamp;
  uint64_t internal_correlation_id;
} rocprofiler_buffer_tracing_correlation_id_retirement_record_t;

/* A nonzero result ends the iteration. */
typedef int (*rocprofiler_buffer_tracing_kind_cb_t)(rocprofiler_buffer_tracing_kind_t kind,
                                                    void* data);
typedef int (*rocprofiler_buffer_tracing_kind_operation_cb_t)(
    rocprofiler_buffer_tracing_kind_t kind, rocprofiler_tracing_operation_t operation, void* data);

/* Puts the events of `kind` into the buffer while the context is started. `operations`: only
 * these; null and 0 for all. During the tool's initialisation only. A kind that is never
 * produced is not an error. Errors, in this order: CONFIGURATION_LOCKED, KIND_NOT_FOUND,
 * CONTEXT_NOT_FOUND, BUFFER_NOT_FOUND (also of another context), SERVICE_ALREADY_CONFIGURED,
 * OPERATION_NOT_FOUND. */
ROCPROFILER_API rocprofiler_status_t rocprofiler_configure_buffer_tracing_service(
    rocprofiler_context_id_t context_id, rocprofiler_buffer_tracing_kind_t kind,
    const rocprofiler_tracing_operation_t* operations, size_t operations_count,
    rocprofiler_buffer_id_t buffer_id);

/* `name` ("KERNEL_DISPATCH") is a literal; either pointer may be null. Errors: KIND_NOT_FOUND. */
ROCPROFILER_API rocprofiler_status_t rocprofiler_query_buffer_tracing_kind_name(
    rocprofiler_buffer_tracing_kind_t kind, const char** name, uint64_t* name_len);

/* Errors: KIND_NOT_FOUND, OPERATION_NOT_FOUND; NOT_IMPLEMENTED for the kind without operations. */
ROCPROFILER_API rocprofiler_status_t rocprofiler_query_buffer_tracing_kind_operation_name(
    rocprofiler_buffer_tracing_kind_t kind, rocprofiler_tracing_operation_t operation,
    const char** name, uint64_t* name_len);

ROCPROFILER_API rocprofiler_status_t
rocprofiler_iterate_buffer_tracing_kinds(rocprofiler_buffer_tracing_kind_cb_t callback, void* data);

/* Errors as for the name of an operation. */
ROCPROFILER_API rocprofiler_status_t rocprofiler_iterate_buffer_tracing_kind_operations(
    rocprofiler_buffer_tracing_kind_t kind, rocprofiler_buffer_tracing_kind_operation_cb_t callback,
    void* data);

typedef int (*rocprofiler_buffer_tracing_operation_args_cb_t)(
    rocprofiler_buffer_tracing_kind_t kind, rocprofiler_tracing_operation_t operation,
    uint32_t arg_number, const void* const arg_value_addr, int32_t arg_indirection_count,
    const char* arg_type, const char* arg_name, const char* arg_value_str, void* data);

/* The arguments in a record of a kind that ends in _EXT; pointers are not followed. Errors:
 * INVALID_ARGUMENT (null), NOT_IMPLEMENTED (other kinds), OPERATION_NOT_FOUND. */
ROCPROFILER_API rocprofiler_status_t rocprofiler_iterate_buffer_tracing_record_args(
    rocprofiler_record_header_t record, rocprofiler_buffer_tracing_operation_args_cb_t callback,
    void* user_data);

ROCPROFILER_EXTERN_C_FINI
