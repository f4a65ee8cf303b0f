/* SPDX-License-Identifier: MIT
 * scratch_memory_args.h: further data of a SCRATCH_MEMORY event; args_kind of the event selects
 * the member. */
#pragma once

#include <rocprofiler-sdk/defines.h>
#include <stddef.h>
#include <stdint.h>

ROCPROFILER_EXTERN_C_INIT

/* An empty structure has different sizes in C and C++. */
typedef struct rocprofiler_scratch_memory_no_args {
  char empty;
} rocprofiler_scratch_memory_no_args;

typedef union rocprofiler_scratch_memory_args_t {
  struct {
    uint64_t dispatch_id; /* index of the kernel's packet in the runtime's own queue */
  } alloc_start;
  struct {
    uint64_t dispatch_id;
    size_t size;      /* bytes */
    size_t num_slots; /* waves that may run at once */
  } alloc_end;
  struct {
    rocprofiler_scratch_memory_no_args no_args;
  } free_start;
  struct {
    rocprofiler_scratch_memory_no_args no_args;
  } free_end;
  struct {
    rocprofiler_scratch_memory_no_args no_args;
  } async_reclaim_start;
  struct {
    rocprofiler_scratch_memory_no_args no_args;
  } async_reclaim_end;
} rocprofiler_scratch_memory_args_t;

ROCPROFILER_EXTERN_C_FINI
