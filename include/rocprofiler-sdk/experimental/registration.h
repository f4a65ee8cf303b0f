/* SPDX-License-Identifier: MIT
 * registration.h: tools that are attached to a process that runs (interface 1.3). The process that
 * attaches uses rocprofiler-sdk-rocattach/rocattach.h.
 *
 *   attached first      rocprofiler_configure, rocprofiler_configure_attach, `initialize`, then
 *                       `tool_attach`
 *   detached            its contexts are stopped, kernels in flight may end within two seconds, its
 *                       buffers are delivered; then `tool_detach`
 *   attached again      `tool_attach`
 *   the process ends    `finalize`
 *
 * A tool may have one of the two configure functions or both. Without `tool_attach` its contexts
 * start again that the detachment has stopped. */
#pragma once

#include <rocprofiler-sdk/defines.h>
#include <rocprofiler-sdk/fwd.h>
#include <rocprofiler-sdk/registration.h>

ROCPROFILER_EXTERN_C_INIT

/* A library that has registered its tables with librocprofiler-register. */
typedef struct ROCPROFILER_SDK_EXPERIMENTAL rocprofiler_runtime_registration_info_t {
  size_t size; /* of this structure */
  const char* common_name;
  uint32_t lib_version;
  uint64_t api_table_length; /* the number of its tables */
} rocprofiler_runtime_registration_info_t;

/* Detaches this tool. Must not be called from a callback. */
ROCPROFILER_SDK_EXPERIMENTAL typedef void (*rocprofiler_client_detach_t)(rocprofiler_client_id_t);

/* The tool starts its contexts here; `context_ids` are those that it has made. A nonzero result
 * refuses the attachment. */
ROCPROFILER_SDK_EXPERIMENTAL typedef int (*rocprofiler_tool_attach_t)(
    rocprofiler_client_detach_t detach_func, rocprofiler_context_id_t* context_ids,
    uint64_t context_ids_length, void* tool_data);

ROCPROFILER_SDK_EXPERIMENTAL typedef void (*rocprofiler_tool_detach_t)(void* tool_data);

/* Any result but zero ends the iteration. */
ROCPROFILER_SDK_EXPERIMENTAL typedef int (*rocprofiler_runtime_registration_info_cb_t)(
    rocprofiler_runtime_registration_info_t* info, void* data);

/* Either function may be null. Copied by the library. */
typedef struct ROCPROFILER_SDK_EXPERIMENTAL rocprofiler_tool_configure_attach_result_t {
  size_t size;
  rocprofiler_tool_attach_t tool_attach;
  rocprofiler_tool_detach_t tool_detach;
  void* tool_data; /* passed to both */
} rocprofiler_tool_configure_attach_result_t;

/* A tool defines this. Parameters as of rocprofiler_configure. Null: it cannot be detached, but
 * takes part if its rocprofiler_configure says so. */
ROCPROFILER_SDK_EXPERIMENTAL ROCPROFILER_PUBLIC_API rocprofiler_tool_configure_attach_result_t*
rocprofiler_configure_attach(uint32_t version, const char* runtime_version, uint32_t priority,
                             rocprofiler_client_id_t* client_id);

ROCPROFILER_SDK_EXPERIMENTAL typedef rocprofiler_tool_configure_attach_result_t* (
    *rocprofiler_configure_attach_func_t)(uint32_t version, const char* runtime_version,
                                          uint32_t priority, rocprofiler_client_id_t* client_id);

/* Calls `callback` for each library that has registered. Errors: INVALID_ARGUMENT (null),
 * NOT_AVAILABLE where no librocprofiler-register is used. */
ROCPROFILER_SDK_EXPERIMENTAL ROCPROFILER_API rocprofiler_status_t
rocprofiler_iterate_runtime_registration_info(rocprofiler_runtime_registration_info_cb_t callback,
                                              void* data);

ROCPROFILER_EXTERN_C_FINI
