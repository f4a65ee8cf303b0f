// SPDX-License-Identifier: MIT
// Counters: their definitions, those of single kernels, and those of agents.
#include <rocprofiler-sdk/counter_config.h>
#include <rocprofiler-sdk/counters.h>
#include <rocprofiler-sdk/deprecated/counters.h>
#include <rocprofiler-sdk/device_counting_service.h>
#include <rocprofiler-sdk/dispatch_counting_service.h>
#include <rocprofiler-sdk/experimental/counters.h>
#include <stdlib.h>

#include "sdk/caller_headers.h"
#include "sdk/library.h"

using rtl::counters::Definition;
using rtl::counters::Definitions;
using rtl::counters::KnownDefinitions;
using rtl::sdk::Counting;
using rtl::sdk::Library;
using Places = rtl::sdk::CounterInfo::Places;

namespace {

// Returns null if there is no such counter.
const Definition* Find(rocprofiler_counter_id_t id) {
  const Definitions& known = *KnownDefinitions();
  return id.handle == 0 || id.handle > known.count() ? nullptr
                                                     : &known.at(static_cast<uint32_t>(id.handle));
}

// Finds the positions of the counter, on `agent` or on an agent of the machine that has the
// counter. If there is none, no dimension of the counter is known.
rocprofiler_status_t FindPlaces(rocprofiler_counter_id_t id, const rocprofiler_agent_t* agent,
                                const Places** places) {
  const Definition* const counter = Find(id);
  Library* const library = Library::Get();
  if (counter == nullptr || library == nullptr) return ROCPROFILER_STATUS_ERROR_COUNTER_NOT_FOUND;
  for (const rocprofiler_agent_t& each : library->topology()) {
    if (agent == nullptr && counter->Knows(each.name)) agent = &each;
  }
  if (agent == nullptr || !counter->Knows(agent->name))
    return ROCPROFILER_STATUS_ERROR_DIM_NOT_FOUND;
  return library->counter_info().PlacesOf(*agent, *counter, places);
}

template <typename Info>
void FillInfo(const Definition& counter, Info* out) {
  out->id = {counter.number};
  out->name = counter.name.data();
  out->description = counter.description.data();
  out->block = counter.block.data();
  out->expression = counter.expression.data();
  out->is_constant = 0;
  out->is_derived = counter.derived() ? 1 : 0;
}

// rocprofiler_counter_info_v1_t as in the headers of ROCm 7.0, which also call themselves 1.0.0.
struct InfoOfRocm70 {
  rocprofiler_counter_id_t id;
  const char* name;
  const char* description;
  const char* block;
  const char* expression;
  uint8_t is_constant : 1;
  uint8_t is_derived : 1;
  uint64_t dimensions_count;
  const rocprofiler_counter_record_dimension_info_t* dimensions;
  uint64_t instance_ids_count;
  const rocprofiler_counter_instance_id_t* instance_ids;
};
static_assert(sizeof(InfoOfRocm70) == 80);

std::string_view View(const char* text, size_t bytes) {
  return {text, text == nullptr ? 0 : bytes};
}

}  // namespace

extern "C" {

rocprofiler_status_t rocprofiler_create_counter_config(rocprofiler_agent_id_t agent_id,
                                                       rocprofiler_counter_id_t* counters_list,
                                                       size_t counters_count,
                                                       rocprofiler_counter_config_id_t* config_id) {
  Library* const library = Library::Get();
  if (library == nullptr) return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
  return library->counting().CreateConfig(Library::AgentOf(agent_id), counters_list, counters_count,
                                          config_id);
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
  const Definition* const counter = Find(counter_id);
  if (counter == nullptr) return ROCPROFILER_STATUS_ERROR_COUNTER_NOT_FOUND;
  if (version == ROCPROFILER_COUNTER_INFO_VERSION_0) {
    rocprofiler_counter_info_v0_t out = {};
    FillInfo(*counter, &out);
    *static_cast<rocprofiler_counter_info_v0_t*>(info) = out;
    return ROCPROFILER_STATUS_SUCCESS;
  }
  if (version != ROCPROFILER_COUNTER_INFO_VERSION_1)
    return ROCPROFILER_STATUS_ERROR_INCOMPATIBLE_ABI;
  const Places* places = nullptr;
  if (const rocprofiler_status_t status = FindPlaces(counter_id, nullptr, &places);
      status != ROCPROFILER_STATUS_SUCCESS)
    return status;
  if (rtl::sdk::headers_of_callers.AreOfRocm70(__builtin_return_address(0))) {
    InfoOfRocm70 out = {};
    FillInfo(*counter, &out);
    out.dimensions_count = places->dimension_count;
    out.dimensions = places->dimensions;
    out.instance_ids_count = places->instance_count;
    out.instance_ids = places->instance_ids;
    *static_cast<InfoOfRocm70*>(info) = out;
    return ROCPROFILER_STATUS_SUCCESS;
  }
  rocprofiler_counter_info_v1_t out = {};
  out.size = sizeof out;
  FillInfo(*counter, &out);
  out.dimensions_count = places->dimension_count;
  out.dimensions = places->dimension_pointers;
  out.dimensions_instances_count = places->instance_count;
  out.dimensions_instances = places->instances;
  *static_cast<rocprofiler_counter_info_v1_t*>(info) = out;
  return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t rocprofiler_iterate_agent_supported_counters(
    rocprofiler_agent_id_t agent_id, rocprofiler_available_counters_cb_t cb, void* user_data) {
  if (cb == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  const rocprofiler_agent_t* const agent = Library::AgentOf(agent_id);
  if (agent == nullptr) return ROCPROFILER_STATUS_ERROR_AGENT_NOT_FOUND;
  const Definitions& known = *KnownDefinitions();
  const uint32_t count = known.count();
  auto* const all =
      static_cast<rocprofiler_counter_id_t*>(calloc(count + 1, sizeof(rocprofiler_counter_id_t)));
  if (all == nullptr) return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
  size_t found = 0;
  for (uint32_t number = 1; number <= count; ++number) {
    if (known.IsCurrent(agent->name, known.at(number))) all[found++].handle = number;
  }
  const rocprofiler_status_t status = found == 0 ? ROCPROFILER_STATUS_ERROR_AGENT_ARCH_NOT_SUPPORTED
                                                 : cb(agent_id, all, found, user_data);
  free(all);
  return status;
}

rocprofiler_status_t rocprofiler_create_counter(const char* name, size_t name_len, const char* expr,
                                                size_t expr_len, const char* description,
                                                size_t description_len,
                                                rocprofiler_agent_id_t agent_id,
                                                rocprofiler_counter_id_t* counter_id) {
  if (name == nullptr || expr == nullptr || counter_id == nullptr)
    return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  Library* const library = Library::Get();
  if (library == nullptr) return ROCPROFILER_STATUS_ERROR_AGENT_NOT_FOUND;
  return library->counting().CreateCounter(Library::AgentOf(agent_id), View(name, name_len),
                                           View(expr, expr_len), View(description, description_len),
                                           counter_id);
}

rocprofiler_status_t rocprofiler_iterate_counter_dimensions(
    rocprofiler_counter_id_t id, rocprofiler_available_dimensions_cb_t info_cb, void* user_data) {
  if (info_cb == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  const Places* places = nullptr;
  const rocprofiler_status_t status = FindPlaces(id, nullptr, &places);
  if (status != ROCPROFILER_STATUS_SUCCESS) return status;
  (void)info_cb(id, places->dimensions, places->dimension_count,
                user_data);  // AMD's library ignores the result, too
  return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t rocprofiler_query_counter_instance_count(rocprofiler_agent_id_t agent_id,
                                                              rocprofiler_counter_id_t id,
                                                              size_t* instance_count) {
  if (instance_count == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  const rocprofiler_agent_t* const agent = Library::AgentOf(agent_id);
  if (agent == nullptr) return ROCPROFILER_STATUS_ERROR_AGENT_NOT_FOUND;
  const Places* places = nullptr;
  const rocprofiler_status_t status = FindPlaces(id, agent, &places);
  if (status == ROCPROFILER_STATUS_SUCCESS) *instance_count = places->instance_count;
  return status;
}

rocprofiler_status_t rocprofiler_load_counter_definition(const char* yaml, size_t size,
                                                         rocprofiler_counter_flag_t flags) {
  if (yaml == nullptr || flags == ROCPROFILER_COUNTER_FLAG_ASYNC ||
      flags >= ROCPROFILER_COUNTER_FLAG_LAST)
    return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  const bool append = flags == ROCPROFILER_COUNTER_FLAG_APPEND_DEFINITION;
  switch (rtl::counters::LoadDefinitions({yaml, size}, append)) {
    case rtl::counters::Loaded::kOk:
      return ROCPROFILER_STATUS_SUCCESS;
    case rtl::counters::Loaded::kTooLate:
      return ROCPROFILER_STATUS_ERROR;  // as AMD's library does
    case rtl::counters::Loaded::kUnreadable:
      break;
  }
  return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
}

rocprofiler_status_t rocprofiler_configure_device_counting_service(
    rocprofiler_context_id_t context_id, rocprofiler_buffer_id_t buffer_id,
    rocprofiler_agent_id_t agent_id, rocprofiler_device_counting_service_cb_t cb, void* user_data) {
  Library* const library = Library::Get();
  if (library == nullptr) return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
  return library->services().ConfigureDeviceCounting(context_id, buffer_id,
                                                     Library::AgentOf(agent_id), cb, user_data);
}

rocprofiler_status_t rocprofiler_sample_device_counting_service(
    rocprofiler_context_id_t context_id, rocprofiler_user_data_t user_data,
    rocprofiler_counter_flag_t flags, rocprofiler_counter_record_t* output_records,
    size_t* rec_count) {
  Library* const library = Library::Get();
  if (library == nullptr) return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
  return library->services().SampleDevices(context_id, user_data, flags, output_records, rec_count);
}

rocprofiler_status_t rocprofiler_configure_buffer_dispatch_counting_service(
    rocprofiler_context_id_t context_id, rocprofiler_buffer_id_t buffer_id,
    rocprofiler_dispatch_counting_service_cb_t callback, void* callback_data_args) {
  Library* const library = Library::Get();
  if (library == nullptr) return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
  return library->services().ConfigureCounting(
      context_id, buffer_id, {nullptr, callback, callback_data_args, nullptr, nullptr});
}

rocprofiler_status_t rocprofiler_configure_callback_dispatch_counting_service(
    rocprofiler_context_id_t context_id,
    rocprofiler_dispatch_counting_service_cb_t dispatch_callback, void* dispatch_callback_args,
    rocprofiler_dispatch_counting_record_cb_t record_callback, void* record_callback_args) {
  Library* const library = Library::Get();
  if (library == nullptr) return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
  if (record_callback == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  return library->services().ConfigureCounting(
      context_id, {},
      {nullptr, dispatch_callback, dispatch_callback_args, record_callback, record_callback_args});
}

}  // extern "C"
