// SPDX-License-Identifier: MIT
// Counters of single kernels. Counters of agents, derived ones and definitions of the tool's own are
// not built: those functions answer so, after a look at their arguments.
#include <rocprofiler-sdk/counter_config.h>
#include <rocprofiler-sdk/counters.h>
#include <rocprofiler-sdk/deprecated/counters.h>
#include <rocprofiler-sdk/device_counting_service.h>
#include <rocprofiler-sdk/dispatch_counting_service.h>
#include <rocprofiler-sdk/experimental/counters.h>

#include "sdk/library.h"

using rtl::BasicCounter;
using rtl::kBasicCounterCount;
using rtl::kBasicCounters;
using rtl::sdk::Counting;
using rtl::sdk::Library;

namespace {

// Null: there is none.
const BasicCounter* Find(rocprofiler_counter_id_t id) {
  return id.handle == 0 || id.handle > kBasicCounterCount ? nullptr
                                                          : &kBasicCounters[id.handle - 1];
}

rocprofiler_status_t NotBuilt(const void* argument) {
  return argument == nullptr ? ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT
                             : ROCPROFILER_STATUS_ERROR_NOT_IMPLEMENTED;
}

}  // namespace

extern "C" {

rocprofiler_status_t rocprofiler_create_counter_config(rocprofiler_agent_id_t agent_id,
                                                       rocprofiler_counter_id_t* counters_list,
                                                       size_t counters_count,
                                                       rocprofiler_counter_config_id_t* config_id) {
  Library* const library = Library::Get();
  if (library == nullptr) return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
  return library->CreateCounterConfig(agent_id, counters_list, counters_count, config_id);
}

rocprofiler_status_t rocprofiler_destroy_counter_config(rocprofiler_counter_config_id_t config_id) {
  Library* const library = Library::Get();
  if (library == nullptr) return ROCPROFILER_STATUS_ERROR_PROFILE_COUNTER_NOT_FOUND;
  return library->counting().DestroyConfig(config_id);
}

rocprofiler_status_t rocprofiler_query_record_counter_id(rocprofiler_counter_instance_id_t id,
                                                         rocprofiler_counter_id_t* counter_id) {
  if (counter_id == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  const rocprofiler_counter_id_t counter = {Counting::CounterOf(id)};
  if (Find(counter) == nullptr) return ROCPROFILER_STATUS_ERROR_COUNTER_NOT_FOUND;
  *counter_id = counter;
  return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t rocprofiler_query_record_dimension_position(
    rocprofiler_counter_instance_id_t id, rocprofiler_counter_dimension_id_t dim, size_t* pos) {
  if (pos == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  if (dim == 0 || dim >= rtl::capture::kCounterDimensions)
    return ROCPROFILER_STATUS_ERROR_DIM_NOT_FOUND;
  *pos = Counting::PositionOf(id, dim);
  return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t rocprofiler_query_counter_info(rocprofiler_counter_id_t counter_id,
                                                    rocprofiler_counter_info_version_id_t version,
                                                    void* info) {
  if (info == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  const BasicCounter* const counter = Find(counter_id);
  if (counter == nullptr) return ROCPROFILER_STATUS_ERROR_COUNTER_NOT_FOUND;
  if (version != ROCPROFILER_COUNTER_INFO_VERSION_0)
    return ROCPROFILER_STATUS_ERROR_NOT_IMPLEMENTED;
  rocprofiler_counter_info_v0_t out = {};
  out.id = counter_id;
  out.name = counter->name;
  out.description = counter->description;
  out.block = counter->block;
  out.expression = "";
  *static_cast<rocprofiler_counter_info_v0_t*>(info) = out;
  return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t rocprofiler_iterate_agent_supported_counters(
    rocprofiler_agent_id_t agent_id, rocprofiler_available_counters_cb_t cb, void* user_data) {
  if (cb == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  Library* const library = Library::Get();
  const rocprofiler_agent_t* const agent =
      library == nullptr ? nullptr : library->AgentOf(agent_id);
  if (agent == nullptr) return ROCPROFILER_STATUS_ERROR_AGENT_NOT_FOUND;
  if (rtl::FindCountableGpu(agent->name) == nullptr)
    return ROCPROFILER_STATUS_ERROR_AGENT_ARCH_NOT_SUPPORTED;
  rocprofiler_counter_id_t all[kBasicCounterCount];
  for (size_t i = 0; i < kBasicCounterCount; ++i) all[i].handle = i + 1;
  return cb(agent_id, all, kBasicCounterCount, user_data);
}

rocprofiler_status_t rocprofiler_create_counter(const char* name, size_t, const char* expr, size_t,
                                                const char*, size_t, rocprofiler_agent_id_t,
                                                rocprofiler_counter_id_t* counter_id) {
  return name == nullptr || expr == nullptr ? ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT
                                            : NotBuilt(counter_id);
}

rocprofiler_status_t rocprofiler_iterate_counter_dimensions(
    rocprofiler_counter_id_t, rocprofiler_available_dimensions_cb_t info_cb, void*) {
  return NotBuilt(reinterpret_cast<const void*>(info_cb));
}

rocprofiler_status_t rocprofiler_query_counter_instance_count(rocprofiler_agent_id_t,
                                                              rocprofiler_counter_id_t,
                                                              size_t* instance_count) {
  return NotBuilt(instance_count);
}

rocprofiler_status_t rocprofiler_load_counter_definition(const char* yaml, size_t,
                                                         rocprofiler_counter_flag_t) {
  return NotBuilt(yaml);
}

rocprofiler_status_t rocprofiler_configure_device_counting_service(
    rocprofiler_context_id_t, rocprofiler_buffer_id_t, rocprofiler_agent_id_t,
    rocprofiler_device_counting_service_cb_t, void*) {
  return ROCPROFILER_STATUS_ERROR_NOT_IMPLEMENTED;
}

rocprofiler_status_t rocprofiler_sample_device_counting_service(rocprofiler_context_id_t,
                                                                rocprofiler_user_data_t,
                                                                rocprofiler_counter_flag_t,
                                                                rocprofiler_counter_record_t*,
                                                                size_t*) {
  return ROCPROFILER_STATUS_ERROR_NOT_IMPLEMENTED;
}

rocprofiler_status_t rocprofiler_configure_buffer_dispatch_counting_service(
    rocprofiler_context_id_t context_id, rocprofiler_buffer_id_t buffer_id,
    rocprofiler_dispatch_counting_service_cb_t callback, void* callback_data_args) {
  Library* const library = Library::Get();
  if (library == nullptr) return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
  return library->ConfigureCounting(context_id, buffer_id,
                                    {nullptr, callback, callback_data_args, nullptr, nullptr});
}

rocprofiler_status_t rocprofiler_configure_callback_dispatch_counting_service(
    rocprofiler_context_id_t context_id,
    rocprofiler_dispatch_counting_service_cb_t dispatch_callback, void* dispatch_callback_args,
    rocprofiler_dispatch_counting_record_cb_t record_callback, void* record_callback_args) {
  Library* const library = Library::Get();
  if (library == nullptr) return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
  if (record_callback == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  return library->ConfigureCounting(
      context_id, {},
      {nullptr, dispatch_callback, dispatch_callback_args, record_callback, record_callback_args});
}

}  // extern "C"
