/* SPDX-License-Identifier: MIT
 * rocprofiler.h: the main header for tools. registration.h is separate. */
#pragma once

#include <rocprofiler-sdk/agent.h>
#include <rocprofiler-sdk/buffer.h>
#include <rocprofiler-sdk/buffer_tracing.h>
#include <rocprofiler-sdk/callback_tracing.h>
#include <rocprofiler-sdk/context.h>
#include <rocprofiler-sdk/counter_config.h>
#include <rocprofiler-sdk/counters.h>
#include <rocprofiler-sdk/defines.h>
#include <rocprofiler-sdk/deprecated/counters.h>
#include <rocprofiler-sdk/deprecated/profile_config.h>
#include <rocprofiler-sdk/device_counting_service.h>
#include <rocprofiler-sdk/dispatch_counting_service.h>
#include <rocprofiler-sdk/external_correlation.h>
#include <rocprofiler-sdk/fwd.h>
#include <rocprofiler-sdk/intercept_table.h>
#include <rocprofiler-sdk/internal_threading.h>
#include <rocprofiler-sdk/ompt.h>
#include <rocprofiler-sdk/pc_sampling.h>
#include <rocprofiler-sdk/version.h>

ROCPROFILER_EXTERN_C_INIT

/* The version of the loaded library; version.h has the version of the headers. Pointers may be
 * null. */
ROCPROFILER_API rocprofiler_status_t rocprofiler_get_version(uint32_t* major, uint32_t* minor,
                                                             uint32_t* patch);
/* Errors: INVALID_ARGUMENT (null). */
ROCPROFILER_API rocprofiler_status_t
rocprofiler_get_version_triplet(rocprofiler_version_triplet_t* info);

/* Now, on the clock of the records: CLOCK_BOOTTIME. Errors: INVALID_ARGUMENT (null). */
ROCPROFILER_API rocprofiler_status_t rocprofiler_get_timestamp(rocprofiler_timestamp_t* ts);

/* As gettid. Errors: INVALID_ARGUMENT (null). */
ROCPROFILER_API rocprofiler_status_t rocprofiler_get_thread_id(rocprofiler_thread_id_t* tid);

/* "ROCPROFILER_STATUS_…", and a sentence. Null for an unknown number. */
ROCPROFILER_API const char* rocprofiler_get_status_name(rocprofiler_status_t status);
ROCPROFILER_API const char* rocprofiler_get_status_string(rocprofiler_status_t status);

ROCPROFILER_EXTERN_C_FINI
