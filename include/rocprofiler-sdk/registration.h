/* SPDX-License-Identifier: MIT
 * registration.h: how a tool and the library find each other.
 *
 * A tool exports rocprofiler_configure. When the first GPU runtime of the process is loaded, the
 * library calls it in every tool that it finds: the one given to rocprofiler_force_configure,
 * the libraries in ROCP_TOOL_LIBRARIES (paths, separated by colons), then all loaded libraries,
 * in load order. All are configured before the first is initialised. */
#pragma once

#include <rocprofiler-sdk/defines.h>
#include <rocprofiler-sdk/fwd.h>

ROCPROFILER_EXTERN_C_INIT

typedef struct rocprofiler_client_id_t {
  size_t size;           /* of this structure */
  const char* name;      /* set by the tool; must stay valid */
  const uint32_t handle; /* unique in the process */
} rocprofiler_client_id_t;

/* Ends the tool: stops its contexts and calls its `finalize`, once. Finalizing the last tool
 * finalizes the library. Must not be called from a callback. */
typedef void (*rocprofiler_client_finalize_t)(rocprofiler_client_id_t client);

/* The tool creates its contexts, buffers and services here. A nonzero result turns the tool off. */
typedef int (*rocprofiler_tool_initialize_t)(rocprofiler_client_finalize_t finalize_func,
                                             void* tool_data);

/* Contexts are stopped and kernels have ended; buffers may still be flushed. */
typedef void (*rocprofiler_tool_finalize_t)(void* tool_data);

/* Either function may be null. Copied by the library. */
typedef struct rocprofiler_tool_configure_result_t {
  size_t size;
  rocprofiler_tool_initialize_t initialize;
  rocprofiler_tool_finalize_t finalize;
  void* tool_data; /* passed to both */
} rocprofiler_tool_configure_result_t;

/* `status`: -1 now, 0 not yet, 1 done. The only error is INVALID_ARGUMENT (null). */
ROCPROFILER_API rocprofiler_status_t rocprofiler_is_initialized(int* status);
ROCPROFILER_API rocprofiler_status_t rocprofiler_is_finalized(int* status);

/* A tool defines this. `version`: of the library, 10000 major + 100 minor + patch. `priority`:
 * the number of tools before it. Null: the tool does not take part. Must call neither HIP nor
 * HSA. */
ROCPROFILER_PUBLIC_API rocprofiler_tool_configure_result_t* rocprofiler_configure(
    uint32_t version, const char* runtime_version, uint32_t priority,
    rocprofiler_client_id_t* client_id);

typedef rocprofiler_tool_configure_result_t* (*rocprofiler_configure_func_t)(
    uint32_t version, const char* runtime_version, uint32_t priority,
    rocprofiler_client_id_t* client_id);

/* Looks for tools now, with `configure_func` (may be null) before all others. Errors:
 * CONFIGURATION_LOCKED when tools were configured already. */
ROCPROFILER_API rocprofiler_status_t
rocprofiler_force_configure(rocprofiler_configure_func_t configure_func);

ROCPROFILER_EXTERN_C_FINI
