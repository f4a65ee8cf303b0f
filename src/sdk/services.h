// SPDX-License-Identifier: MIT
// services.h: the contexts of all tools, their buffers, and the services that tools configure.
//
// Threads    any; Configure… and Create…: the thread that initialises tools
// Blocking   SampleDevices without ASYNC: until the values are read
// Memory     fixed
// Errors     statuses of the interface: CONFIGURATION_LOCKED when no tool is being configured
#pragma once

#include <rocprofiler-sdk/buffer_tracing.h>
#include <rocprofiler-sdk/internal_threading.h>
#include <rocprofiler-sdk/rocprofiler.h>
#include <stddef.h>
#include <stdint.h>

#include <atomic>

#include "sdk/contexts/buffers.h"
#include "sdk/contexts/contexts.h"
#include "sdk/contexts/internal_threads.h"
#include "sdk/tracer.h"

namespace rtl::sdk {

// The state of the process's tools, as in the table of library.h. -1: now, 0: not yet, 1: done.
struct Phase {
  std::atomic<int> init{0};
  std::atomic<int> fini{0};
  std::atomic<uint32_t> tool{0};  // that is being configured

  bool configuring() const { return init.load(std::memory_order_acquire) < 0; }
};

class Services {
 public:
  // Both outlive it. The constructor does not use `tracer`.
  Services(const Phase* phase, Tracer* tracer) : phase_(phase), tracer_(tracer) {}
  Services(const Services&) = delete;
  Services& operator=(const Services&) = delete;

  Contexts& contexts() { return contexts_; }
  Buffers& buffers() { return buffers_; }
  InternalThreads& internal_threads() { return internal_threads_; }

  rocprofiler_status_t CreateContext(rocprofiler_context_id_t* id);
  rocprofiler_status_t CreateBuffer(rocprofiler_context_id_t context, size_t size, size_t watermark,
                                    rocprofiler_buffer_policy_t policy,
                                    rocprofiler_buffer_tracing_cb_t callback, void* data,
                                    rocprofiler_buffer_id_t* id);
  rocprofiler_status_t CreateThread(rocprofiler_callback_thread_t* id);
  rocprofiler_status_t Assign(rocprofiler_buffer_id_t buffer, rocprofiler_callback_thread_t thread);

  rocprofiler_status_t ConfigureBuffered(rocprofiler_context_id_t context, uint32_t kind,
                                         const rocprofiler_tracing_operation_t* operations,
                                         size_t count, rocprofiler_buffer_id_t buffer);
  rocprofiler_status_t ConfigureCallback(rocprofiler_context_id_t context, uint32_t kind,
                                         const rocprofiler_tracing_operation_t* operations,
                                         size_t count, rocprofiler_callback_tracing_cb_t callback,
                                         void* data);
  // Configures requests for external correlation ids. If `kinds` is null and `count` zero: all
  // kinds.
  rocprofiler_status_t ConfigureRequest(
      rocprofiler_context_id_t context,
      const rocprofiler_external_correlation_id_request_kind_t* kinds, size_t count,
      rocprofiler_external_correlation_id_request_cb_t callback, void* data);
  // Configures dispatch counting. If `service` has no `record`, the values go into the buffer.
  rocprofiler_status_t ConfigureCounting(rocprofiler_context_id_t context,
                                         rocprofiler_buffer_id_t buffer, Counting::Service service);
  // In the next two, a null `agent` is an error: no agent has the id that the tool passed.
  rocprofiler_status_t ConfigureSampling(rocprofiler_context_id_t context,
                                         const rocprofiler_agent_t* agent,
                                         rocprofiler_pc_sampling_method_t method,
                                         rocprofiler_pc_sampling_unit_t unit, uint64_t interval,
                                         rocprofiler_buffer_id_t buffer);
  // Configures agent counting.
  rocprofiler_status_t ConfigureDeviceCounting(rocprofiler_context_id_t context,
                                               rocprofiler_buffer_id_t buffer,
                                               const rocprofiler_agent_t* agent,
                                               rocprofiler_device_counting_service_cb_t callback,
                                               void* data);
  rocprofiler_status_t ChooseDeviceCounts(rocprofiler_context_id_t context,
                                          rocprofiler_counter_config_id_t config);
  rocprofiler_status_t SampleDevices(rocprofiler_context_id_t context, rocprofiler_user_data_t user,
                                     rocprofiler_counter_flag_t flags,
                                     rocprofiler_counter_record_t* out, size_t* count);

 private:
  const Phase* const phase_;
  Tracer* const tracer_;
  Contexts contexts_;
  InternalThreads internal_threads_;
  Buffers buffers_{&internal_threads_};
};

}  // namespace rtl::sdk
