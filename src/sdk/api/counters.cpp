// SPDX-License-Identifier: MIT
// Counters are not built: every function answers so, after a look at its arguments.
#include <rocprofiler-sdk/counter_config.h>
#include <rocprofiler-sdk/counters.h>
#include <rocprofiler-sdk/deprecated/counters.h>
#include <rocprofiler-sdk/device_counting_service.h>
#include <rocprofiler-sdk/dispatch_counting_service.h>
#include <rocprofiler-sdk/experimental/counters.h>

namespace {

rocprofiler_status_t NotBuilt(const void* argument) {
  return argument == nullptr ? ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT
                             : ROCPROFILER_STATUS_ERROR_NOT_IMPLEMENTED;
}

}  // namespace

extern "C" {

rocprofiler_status_t rocprofiler_create_counter_config(rocprofiler_agent_id_t,
                                                       rocprofiler_counter_id_t*, size_t,
                                                       rocprofiler_counter_config_id_t* config_id) {
  return NotBuilt(config_id);
}

rocprofiler_status_t rocprofiler_destroy_counter_config(rocprofiler_counter_config_id_t) {
  return ROCPROFILER_STATUS_ERROR_PROFILE_COUNTER_NOT_FOUND;
}

rocprofiler_status_t rocprofiler_query_record_counter_id(rocprofiler_counter_instance_id_t,
                                                         rocprofiler_counter_id_t* counter_id) {
  return NotBuilt(counter_id);
}

rocprofiler_status_t rocprofiler_query_record_dimension_position(rocprofiler_counter_instance_id_t,
                                                                 rocprofiler_counter_dimension_id_t,
                                                                 size_t* pos) {
  return NotBuilt(pos);
}

rocprofiler_status_t rocprofiler_query_counter_info(rocprofiler_counter_id_t,
                                                    rocprofiler_counter_info_version_id_t,
                                                    void* info) {
  return NotBuilt(info);
}

rocprofiler_status_t rocprofiler_iterate_agent_supported_counters(
    rocprofiler_agent_id_t, rocprofiler_available_counters_cb_t cb, void*) {
  return NotBuilt(reinterpret_cast<const void*>(cb));
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
    rocprofiler_context_id_t, rocprofiler_buffer_id_t, rocprofiler_dispatch_counting_service_cb_t,
    void*) {
  return ROCPROFILER_STATUS_ERROR_NOT_IMPLEMENTED;
}

rocprofiler_status_t rocprofiler_configure_callback_dispatch_counting_service(
    rocprofiler_context_id_t, rocprofiler_dispatch_counting_service_cb_t, void*,
    rocprofiler_dispatch_counting_record_cb_t, void*) {
  return ROCPROFILER_STATUS_ERROR_NOT_IMPLEMENTED;
}

}  // extern "C"
