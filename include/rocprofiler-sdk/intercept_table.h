/* SPDX-License-Identifier: MIT
 * intercept_table.h: replaces functions in the tables of the runtimes by a tool's own. */
#pragma once

#include <rocprofiler-sdk/defines.h>
#include <rocprofiler-sdk/fwd.h>

ROCPROFILER_EXTERN_C_INIT

/* `lib_version`: 10000 major + 100 minor + patch, zero when not known. `lib_instance`: the
 * number of copies of the library before this one. `tables`: an array of one. The tool writes
 * into the table. */
typedef void (*rocprofiler_intercept_library_cb_t)(rocprofiler_intercept_table_t type,
                                                   uint64_t lib_version, uint64_t lib_instance,
                                                   void** tables, uint64_t num_tables,
                                                   void* user_data);

/* A literal. Pointers may be null. Errors: KIND_NOT_FOUND. */
ROCPROFILER_API rocprofiler_status_t rocprofiler_query_intercept_table_name(
    rocprofiler_intercept_table_t kind, const char** name, uint64_t* name_len);

/* Calls `callback` for each table of `libs` (rocprofiler_intercept_table_t, as bits; zero for
 * all) when its library registers it, before the program's first call, on the thread that loads
 * it. This library's own functions are in the table by then: the tool's functions are called
 * before them. Errors: CONFIGURATION_LOCKED after the tools' initialisation, INVALID_ARGUMENT
 * (null, unknown bits), OUT_OF_RESOURCES. */
ROCPROFILER_API rocprofiler_status_t rocprofiler_at_intercept_table_registration(
    rocprofiler_intercept_library_cb_t callback, int libs, void* data);

ROCPROFILER_EXTERN_C_FINI
