/* SPDX-License-Identifier: MIT
 * dispatch_counting_service.h: counters of single kernels. */
#pragma once

#include <rocprofiler-sdk/defines.h>
#include <rocprofiler-sdk/fwd.h>

ROCPROFILER_EXTERN_C_INIT

typedef struct rocprofiler_dispatch_counting_service_data_t {
  uint64_t size;
  rocprofiler_async_correlation_id_t correlation_id;
  rocprofiler_timestamp_t start_timestamp;
  rocprofiler_timestamp_t end_timestamp;
  rocprofiler_kernel_dispatch_info_t dispatch_info;
} rocprofiler_dispatch_counting_service_data_t;

/* Followed by `num_records` values. */
typedef struct rocprofiler_dispatch_counting_service_record_t {
  uint64_t size;
  uint64_t num_records;
  rocprofiler_async_correlation_id_t correlation_id;
  rocprofiler_timestamp_t start_timestamp;
  rocprofiler_timestamp_t end_timestamp;
  rocprofiler_kernel_dispatch_info_t dispatch_info;
} rocprofiler_dispatch_counting_service_record_t;

typedef void (*rocprofiler_dispatch_counting_service_cb_t)(
    rocprofiler_dispatch_counting_service_data_t dispatch_data,
    rocprofiler_counter_config_id_t* config, rocprofiler_user_data_t* user_data,
    void* callback_data_args);
typedef void (*rocprofiler_dispatch_counting_record_cb_t)(
    rocprofiler_dispatch_counting_service_data_t dispatch_data,
    rocprofiler_counter_record_t* record_data, size_t record_count,
    rocprofiler_user_data_t user_data, void* callback_data_args);

/* The dispatch callback chooses a configuration; zero: the kernel is not counted. Errors of both:
 * CONFIGURATION_LOCKED, INVALID_ARGUMENT (null), CONTEXT_NOT_FOUND, BUFFER_NOT_FOUND,
 * SERVICE_ALREADY_CONFIGURED. */
ROCPROFILER_API rocprofiler_status_t rocprofiler_configure_buffer_dispatch_counting_service(
    rocprofiler_context_id_t context_id, rocprofiler_buffer_id_t buffer_id,
    rocprofiler_dispatch_counting_service_cb_t callback, void* callback_data_args);
ROCPROFILER_API rocprofiler_status_t rocprofiler_configure_callback_dispatch_counting_service(
    rocprofiler_context_id_t context_id,
    rocprofiler_dispatch_counting_service_cb_t dispatch_callback, void* dispatch_callback_args,
    rocprofiler_dispatch_counting_record_cb_t record_callback, void* record_callback_args);

ROCPROFILER_EXTERN_C_FINI
