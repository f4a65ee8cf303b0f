/* SPDX-License-Identifier: MIT
 * rocattach.h: attaches tools of rocprofiler-sdk to a process that runs and was not prepared for it.
 * C99 and C++.
 *
 *   ROCPROF_ATTACH_TOOL_LIBRARY=./libtool.so     in the environment of the one who attaches
 *   rocattach_attach(pid)                        the tools are configured and attached there
 *   rocattach_detach(pid)                        they are detached; they and the library stay loaded
 *
 * The variable has paths, or names for the loader of the other process, separated by colons. The
 * tools find the environment of that process, not of this one. What a tool exports:
 * rocprofiler-sdk/experimental/registration.h.
 *
 * A process gets its tools once: later attachments must name them again. When the process that
 * attaches ends, its attachments end.
 *
 * Threads    any; attachments are made and ended one at a time
 * Blocking   attach: a second or so, and as long as the tools take, at most a minute; detach: as long
 *            as the tools take, at most 30 s
 * Errors     a status, and one line on stderr that says why and what to do */
#ifndef ROCPROFILER_SDK_ROCATTACH_ROCATTACH_H_
#define ROCPROFILER_SDK_ROCATTACH_ROCATTACH_H_

#include <rocprofiler-sdk-rocattach/defines.h>
#include <rocprofiler-sdk-rocattach/types.h>
#include <rocprofiler-sdk-rocattach/version.h>

ROCATTACH_EXTERN_C_INIT

/* Null pointers are left out. */
ROCATTACH_API rocattach_status_t rocattach_get_version(uint32_t* major, uint32_t* minor,
                                                       uint32_t* patch);
ROCATTACH_API rocattach_status_t rocattach_get_version_triplet(rocattach_version_triplet_t* info);

/* Errors: INVALID_ARGUMENT when no tool is named, a path does not exist, or this process is attached
 * there already; PTRACE_PROCESS_NOT_FOUND; PTRACE_OPERATION_NOT_PERMITTED for a process of another
 * user or without the right; ERROR when the process, its runtime or a tool refuses. */
ROCATTACH_API rocattach_status_t rocattach_attach(int pid);

/* Zero: from all. Errors: INVALID_ARGUMENT when it is not attached; PTRACE_PROCESS_NOT_FOUND when it
 * has ended; ERROR when the tools do not return. The attachment is over in each case. */
ROCATTACH_API rocattach_status_t rocattach_detach(int pid);

/* The process, then its descendants as they are at the call, breadth first. Where the process itself
 * is refused, nothing else is tried. Descendants that use no GPU are left alone, and a line gives
 * their number; after any other failure the rest is tried, and the last status is returned. */
ROCATTACH_API rocattach_status_t rocattach_attach_tree(int pid);

/* From those that rocattach_attach_tree has attached to and that still run. Errors: as
 * rocattach_detach; INVALID_ARGUMENT when there was no such call. */
ROCATTACH_API rocattach_status_t rocattach_detach_tree(int pid);

/* Null: there is no such status. */
ROCATTACH_API const char* rocattach_get_status_name(rocattach_status_t status);
ROCATTACH_API const char* rocattach_get_status_string(rocattach_status_t status);

ROCATTACH_EXTERN_C_FINI

#endif /* ROCPROFILER_SDK_ROCATTACH_ROCATTACH_H_ */
