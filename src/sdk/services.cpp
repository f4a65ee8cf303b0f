// SPDX-License-Identifier: MIT
#include "sdk/services.h"

#include <string.h>

#include "sdk/kinds.h"

namespace rtl::sdk {
namespace {

// Makes the set of operations. OPERATION_NOT_FOUND if the kind lacks one of them.
rocprofiler_status_t SetOf(Service service, uint32_t kind,
                           const rocprofiler_tracing_operation_t* operations, size_t count,
                           OperationSet* set) {
  *set = {};
  if (operations == nullptr || count == 0) {
    set->AddAll();
    return ROCPROFILER_STATUS_SUCCESS;
  }
  for (size_t i = 0; i < count; ++i) {
    if (OperationName(service, kind, operations[i]) == nullptr)
      return ROCPROFILER_STATUS_ERROR_OPERATION_NOT_FOUND;
    set->Add(operations[i]);
  }
  return ROCPROFILER_STATUS_SUCCESS;
}

}  // namespace

rocprofiler_status_t Services::CreateContext(rocprofiler_context_id_t* id) {
  if (id == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  if (id->handle != 0) return ROCPROFILER_STATUS_ERROR_CONTEXT_ID_NOT_ZERO;
  if (!phase_->configuring()) return ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED;
  Context* const context = contexts_.Create(phase_->tool.load(std::memory_order_acquire));
  if (context == nullptr) return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
  *id = context->id;
  return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t Services::CreateBuffer(rocprofiler_context_id_t context, size_t size,
                                            size_t watermark, rocprofiler_buffer_policy_t policy,
                                            rocprofiler_buffer_tracing_cb_t callback, void* data,
                                            rocprofiler_buffer_id_t* id) {
  if (!phase_->configuring()) return ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED;
  if (callback == nullptr || id == nullptr || size == 0 || size > Buffer::kMostBytes ||
      (policy != ROCPROFILER_BUFFER_POLICY_DISCARD && policy != ROCPROFILER_BUFFER_POLICY_LOSSLESS))
    return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  if (contexts_.Find(context) == nullptr) return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
  Buffer::Options options = {};
  options.context = context;
  options.size = size;
  options.watermark = watermark;
  options.lossless = policy == ROCPROFILER_BUFFER_POLICY_LOSSLESS;
  options.callback = callback;
  options.data = data;
  return buffers_.Add(options, id);
}

rocprofiler_status_t Services::CreateThread(rocprofiler_callback_thread_t* id) {
  if (id == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  if (!phase_->configuring()) return ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED;
  return buffers_.AddThread(id);
}

rocprofiler_status_t Services::Assign(rocprofiler_buffer_id_t id,
                                      rocprofiler_callback_thread_t thread) {
  return phase_->configuring() ? buffers_.Assign(id, thread)
                               : ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED;
}

rocprofiler_status_t Services::ConfigureBuffered(rocprofiler_context_id_t id, uint32_t kind,
                                                 const rocprofiler_tracing_operation_t* operations,
                                                 size_t count, rocprofiler_buffer_id_t buffer_id) {
  if (!phase_->configuring()) return ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED;
  if (kind == 0 || KindName(Service::kBuffer, kind) == nullptr)
    return ROCPROFILER_STATUS_ERROR_KIND_NOT_FOUND;
  Context* const context = contexts_.Find(id);
  if (context == nullptr) return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
  Buffer* const buffer = buffers_.Find(buffer_id);
  if (buffer == nullptr || buffer->context().handle != id.handle)
    return ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND;
  BufferService& service = context->buffers[kind];
  if (service.buffer != nullptr) return ROCPROFILER_STATUS_ERROR_SERVICE_ALREADY_CONFIGURED;
  const rocprofiler_status_t status =
      SetOf(Service::kBuffer, kind, operations, count, &service.operations);
  if (status == ROCPROFILER_STATUS_SUCCESS) service.buffer = buffer;
  return status;
}

rocprofiler_status_t Services::ConfigureCounting(rocprofiler_context_id_t id,
                                                 rocprofiler_buffer_id_t buffer_id,
                                                 Counting::Service service) {
  if (!phase_->configuring()) return ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED;
  if (service.dispatch == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  const Context* const context = contexts_.Find(id);
  if (context == nullptr) return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
  if (service.record == nullptr) {
    service.buffer = buffers_.Find(buffer_id);
    if (service.buffer == nullptr || service.buffer->context().handle != id.handle)
      return ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND;
  }
  if (tracer_->pc_samples().Has(*context)) return ROCPROFILER_STATUS_ERROR_CONTEXT_CONFLICT;
  return tracer_->counting().Configure(*context, service);
}

rocprofiler_status_t Services::ConfigureSampling(rocprofiler_context_id_t id,
                                                 const rocprofiler_agent_t* agent,
                                                 rocprofiler_pc_sampling_method_t method,
                                                 rocprofiler_pc_sampling_unit_t unit,
                                                 uint64_t interval,
                                                 rocprofiler_buffer_id_t buffer_id) {
  if (!phase_->configuring()) return ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED;
  if (agent == nullptr) return ROCPROFILER_STATUS_ERROR_AGENT_NOT_FOUND;
  const Context* const context = contexts_.Find(id);
  if (context == nullptr) return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
  Buffer* const buffer = buffers_.Find(buffer_id);
  if (buffer == nullptr) return ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND;
  if (tracer_->counting().Has(*context) || tracer_->device_counts().Has(*context))
    return ROCPROFILER_STATUS_ERROR_CONTEXT_CONFLICT;
  const rocprofiler_status_t status =
      tracer_->pc_samples().Configure(*context, *agent, method, unit, interval, buffer);
  if (status == ROCPROFILER_STATUS_SUCCESS) tracer_->async().NoteIn(&tracer_->pc_samples());
  return status;
}

rocprofiler_status_t Services::ConfigureDeviceCounting(
    rocprofiler_context_id_t id, rocprofiler_buffer_id_t buffer_id,
    const rocprofiler_agent_t* agent, rocprofiler_device_counting_service_cb_t callback,
    void* data) {
  if (!phase_->configuring()) return ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED;
  if (callback == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  const Context* const context = contexts_.Find(id);
  if (context == nullptr) return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
  Buffer* const buffer = buffers_.Find(buffer_id);
  if (buffer_id.handle != 0 && (buffer == nullptr || buffer->context().handle != id.handle))
    return ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND;
  if (agent == nullptr) return ROCPROFILER_STATUS_ERROR_AGENT_NOT_FOUND;
  if (tracer_->counting().Has(*context) || tracer_->pc_samples().Has(*context))
    return ROCPROFILER_STATUS_ERROR_CONTEXT_CONFLICT;
  return tracer_->device_counts().Configure(*context, buffer, *agent, callback, data);
}

rocprofiler_status_t Services::ChooseDeviceCounts(rocprofiler_context_id_t id,
                                                  rocprofiler_counter_config_id_t config) {
  const Context* const context = contexts_.Find(id);
  return context == nullptr ? ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND
                            : tracer_->device_counts().Choose(*context, config);
}

rocprofiler_status_t Services::SampleDevices(rocprofiler_context_id_t id,
                                             rocprofiler_user_data_t user,
                                             rocprofiler_counter_flag_t flags,
                                             rocprofiler_counter_record_t* out, size_t* count) {
  const Context* const context = contexts_.Find(id);
  if (context == nullptr) return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
  if (phase_->fini.load(std::memory_order_acquire) != 0) return ROCPROFILER_STATUS_ERROR_FINALIZED;
  const bool wait = (flags & ROCPROFILER_COUNTER_FLAG_ASYNC) == 0;
  if (out != nullptr && (count == nullptr || !wait))
    return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  if (!context->active()) return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_STARTED;
  if (out != nullptr && *count == 0) return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
  if (!wait) {
    const InternalThreads::Making making(&internal_threads_);
    if (!tracer_->device_counts().StartThread()) return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
  }
  return tracer_->device_counts().Sample(*context, user, wait, out, count);
}

rocprofiler_status_t Services::ConfigureCallback(rocprofiler_context_id_t id, uint32_t kind,
                                                 const rocprofiler_tracing_operation_t* operations,
                                                 size_t count,
                                                 rocprofiler_callback_tracing_cb_t callback,
                                                 void* data) {
  if (!phase_->configuring()) return ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED;
  if (kind == 0 || KindName(Service::kCallback, kind) == nullptr)
    return ROCPROFILER_STATUS_ERROR_KIND_NOT_FOUND;
  Context* const context = contexts_.Find(id);
  if (context == nullptr) return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
  if (callback == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  CallbackService& service = context->callbacks[kind];
  if (service.callback != nullptr) return ROCPROFILER_STATUS_ERROR_SERVICE_ALREADY_CONFIGURED;
  const rocprofiler_status_t status =
      SetOf(Service::kCallback, kind, operations, count, &service.operations);
  if (status != ROCPROFILER_STATUS_SUCCESS) return status;
  service.data = data;
  service.callback = callback;
  return status;
}

rocprofiler_status_t Services::ConfigureRequest(
    rocprofiler_context_id_t id, const rocprofiler_external_correlation_id_request_kind_t* kinds,
    size_t count, rocprofiler_external_correlation_id_request_cb_t callback, void* data) {
  if (!phase_->configuring()) return ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED;
  Context* const context = contexts_.Find(id);
  if (context == nullptr) return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
  if (callback == nullptr || (kinds == nullptr) != (count == 0))
    return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  if (context->request.callback != nullptr)
    return ROCPROFILER_STATUS_ERROR_SERVICE_ALREADY_CONFIGURED;
  uint32_t bits = kinds == nullptr ? UINT32_MAX : 0;
  for (size_t i = 0; i < count; ++i) {
    uint32_t kind;
    memcpy(&kind, &kinds[i], sizeof kind);  // the tool's value may not be in the enumeration
    if (kind == ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_NONE ||
        kind >= ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_LAST)
      return ROCPROFILER_STATUS_ERROR_KIND_NOT_FOUND;
    bits |= uint32_t{1} << kind;
  }
  context->request = {callback, data, bits};
  return ROCPROFILER_STATUS_SUCCESS;
}

}  // namespace rtl::sdk
