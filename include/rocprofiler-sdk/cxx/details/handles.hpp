/* SPDX-License-Identifier: MIT
 * details/handles.hpp: the types with a number named handle as their only member. */
#pragma once

#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <rocprofiler-sdk/experimental/thread-trace/trace_decoder.h>
#include <rocprofiler-sdk/fwd.h>
#include <rocprofiler-sdk/internal_threading.h>

#define ROCPROFILER_CXX_HANDLES(APPLY)   \
  APPLY(rocprofiler_context_id_t)        \
  APPLY(rocprofiler_agent_id_t)          \
  APPLY(rocprofiler_address_t)           \
  APPLY(rocprofiler_queue_id_t)          \
  APPLY(rocprofiler_stream_id_t)         \
  APPLY(rocprofiler_buffer_id_t)         \
  APPLY(rocprofiler_counter_id_t)        \
  APPLY(rocprofiler_counter_config_id_t) \
  APPLY(rocprofiler_callback_thread_t)   \
  APPLY(hsa_agent_t)                     \
  APPLY(hsa_signal_t)                    \
  APPLY(hsa_executable_t)                \
  APPLY(hsa_region_t)                    \
  APPLY(hsa_amd_memory_pool_t)           \
  APPLY(rocprofiler_thread_trace_decoder_id_t)
