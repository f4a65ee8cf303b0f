/* SPDX-License-Identifier: MIT
 * counter_statuses_tool.c: asks wrong and right things about counters and writes each answer as a
 * line to the file that COUNTER_STATUSES_FILE names: "WHAT: ROCPROFILER_STATUS_...". Every counter
 * of the first GPU is a line "counter NAME INSTANCES EXTENTS BASIC", EXTENTS being the product of
 * its dimensions. */
#include <rocprofiler-sdk/device_counting_service.h>
#include <rocprofiler-sdk/dispatch_counting_service.h>
#include <rocprofiler-sdk/registration.h>
#include <rocprofiler-sdk/rocprofiler.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMost = 2048, kTooMany = 9 };

static FILE* output;
static rocprofiler_agent_id_t gpus[8], processor;
static size_t gpu_count;
static rocprofiler_counter_id_t known[kMost];
static size_t known_count;

static rocprofiler_status_t Say(const char* what, rocprofiler_status_t status) {
  fprintf(output, "%s: %s\n", what, rocprofiler_get_status_name(status));
  return status;
}

static rocprofiler_status_t OnAgents(rocprofiler_agent_version_t version, const void** all,
                                     size_t count, void* data) {
  size_t i;
  (void)version;
  (void)data;
  for (i = 0; i < count; ++i) {
    const rocprofiler_agent_t* agent = all[i];
    if (agent->type == ROCPROFILER_AGENT_TYPE_CPU) processor = agent->id;
    if (agent->type == ROCPROFILER_AGENT_TYPE_GPU && gpu_count < 8) gpus[gpu_count++] = agent->id;
  }
  return ROCPROFILER_STATUS_SUCCESS;
}

static rocprofiler_status_t OnCounters(rocprofiler_agent_id_t agent, rocprofiler_counter_id_t* ids,
                                       size_t count, void* data) {
  (void)data;
  if (agent.handle != gpus[0].handle || count > kMost) return ROCPROFILER_STATUS_ERROR;
  memcpy(known, ids, count * sizeof *ids);
  known_count = count;
  return ROCPROFILER_STATUS_SUCCESS;
}

static rocprofiler_status_t OnDimensions(
    rocprofiler_counter_id_t id, const rocprofiler_counter_record_dimension_info_t* dimensions,
    size_t count, void* data) {
  size_t i;
  (void)id;
  for (i = 0; i < count; ++i) *(size_t*)data *= dimensions[i].instance_size;
  return ROCPROFILER_STATUS_SUCCESS;
}

/* Any counter that is defined, whatever the GPU. */
static rocprofiler_counter_id_t Named(const char* name) {
  rocprofiler_counter_id_t id = {1};
  rocprofiler_counter_info_v0_t info;
  for (; rocprofiler_query_counter_info(id, ROCPROFILER_COUNTER_INFO_VERSION_0, &info) ==
         ROCPROFILER_STATUS_SUCCESS;
       ++id.handle) {
    if (strcmp(info.name, name) == 0) return id;
  }
  id.handle = 0;
  return id;
}

static rocprofiler_counter_id_t Supported(const char* name) {
  const rocprofiler_counter_id_t none = {0};
  rocprofiler_counter_info_v0_t info;
  size_t i;
  for (i = 0; i < known_count; ++i) {
    if (rocprofiler_query_counter_info(known[i], ROCPROFILER_COUNTER_INFO_VERSION_0, &info) ==
            ROCPROFILER_STATUS_SUCCESS &&
        strcmp(info.name, name) == 0)
      return known[i];
  }
  return none;
}

static void List(void) {
  size_t i;
  for (i = 0; i < known_count; ++i) {
    rocprofiler_counter_info_v0_t info;
    size_t instances = 0, extents = 1;
    if (rocprofiler_query_counter_info(known[i], ROCPROFILER_COUNTER_INFO_VERSION_0, &info) ||
        rocprofiler_query_counter_instance_count(gpus[0], known[i], &instances) ||
        rocprofiler_iterate_counter_dimensions(known[i], OnDimensions, &extents))
      fprintf(output, "counter %zu has no description\n", i);
    else
      fprintf(output, "counter %s %zu %zu %d\n", info.name, instances, extents, !info.is_derived);
  }
}

static void Configurations(void) {
  static const char* const names[kTooMany] = {
      "SQ_WAVES",     "SQ_INSTS_VALU",    "SQ_INSTS_SALU",    "SQ_INSTS_SMEM", "SQ_INSTS_FLAT",
      "SQ_INSTS_LDS", "SQ_INSTS_VMEM_WR", "SQ_INSTS_VMEM_RD", "SQ_INSTS_GDS"};
  rocprofiler_counter_id_t many[kTooMany];
  rocprofiler_counter_id_t wrong = {65535};
  rocprofiler_counter_config_id_t config = {0}, more;
  size_t i;
  for (i = 0; i < kTooMany; ++i) many[i] = Supported(names[i]);
  (void)Say("one counter", rocprofiler_create_counter_config(gpus[0], many, 1, &config));
  more = config;
  (void)Say("one more", rocprofiler_create_counter_config(gpus[0], many + 1, 1, &more));
  fprintf(output, "the base is %s\n", more.handle == config.handle ? "changed" : "kept");
  (void)Say("used again", rocprofiler_create_counter_config(gpus[0], many + 2, 1, &config));
  more.handle = 0;
  (void)Say("nine of one block", rocprofiler_create_counter_config(gpus[0], many, kTooMany, &more));
  fprintf(output, "and the handle is %s\n", more.handle == 0 ? "untouched" : "set");
  (void)Say("no such counter", rocprofiler_create_counter_config(gpus[0], &wrong, 1, &more));
  wrong = Named("SQ_INSTS_MFMA");
  (void)Say("of another kind of GPU", rocprofiler_create_counter_config(gpus[0], &wrong, 1, &more));
  (void)Say("of the processor", rocprofiler_create_counter_config(processor, many, 1, &more));
  more = config;
  (void)Say("extended for another GPU", rocprofiler_create_counter_config(gpus[1], many, 1, &more));
  more.handle = 12345;
  (void)Say("extends nothing", rocprofiler_create_counter_config(gpus[0], many, 1, &more));
  (void)Say("destroyed", rocprofiler_destroy_counter_config(config));
  (void)Say("destroyed again", rocprofiler_destroy_counter_config(config));
}

static void OnDispatch(rocprofiler_dispatch_counting_service_data_t dispatch,
                       rocprofiler_counter_config_id_t* config, rocprofiler_user_data_t* user,
                       void* data) {
  (void)dispatch;
  (void)config;
  (void)user;
  (void)data;
}

static void OnRecord(rocprofiler_dispatch_counting_service_data_t dispatch,
                     rocprofiler_counter_record_t* records, size_t count,
                     rocprofiler_user_data_t user, void* data) {
  (void)dispatch;
  (void)records;
  (void)count;
  (void)user;
  (void)data;
}

static void OnAgent(rocprofiler_context_id_t context, rocprofiler_agent_id_t agent,
                    rocprofiler_device_counting_agent_cb_t set, void* data) {
  (void)context;
  (void)agent;
  (void)set;
  (void)data;
}

static void Services(void) {
  rocprofiler_context_id_t one = {0}, two = {0}, device = {0};
  rocprofiler_counter_record_t record;
  const rocprofiler_user_data_t user = {0};
  const rocprofiler_buffer_id_t none = {0};
  size_t count = 1;
  (void)rocprofiler_create_context(&one);
  (void)rocprofiler_create_context(&two);
  (void)rocprofiler_create_context(&device);
  (void)Say("a service", rocprofiler_configure_callback_dispatch_counting_service(
                             one, OnDispatch, NULL, OnRecord, NULL));
  (void)Say("twice", rocprofiler_configure_callback_dispatch_counting_service(one, OnDispatch, NULL,
                                                                              OnRecord, NULL));
  (void)Say("another context's", rocprofiler_configure_callback_dispatch_counting_service(
                                     two, OnDispatch, NULL, OnRecord, NULL));
  (void)Say("start", rocprofiler_start_context(one));
  (void)Say("start the other", rocprofiler_start_context(two));
  (void)Say("of a device",
            rocprofiler_configure_device_counting_service(device, none, gpus[0], OnAgent, NULL));
  (void)Say("asynchronous with room for values",
            rocprofiler_sample_device_counting_service(device, user, ROCPROFILER_COUNTER_FLAG_ASYNC,
                                                       &record, &count));
  (void)Say("sampled before it was started",
            rocprofiler_sample_device_counting_service(device, user, ROCPROFILER_COUNTER_FLAG_NONE,
                                                       &record, &count));
}

static int Initialize(rocprofiler_client_finalize_t finalize, void* data) {
  (void)finalize;
  (void)data;
  output = fopen(getenv("COUNTER_STATUSES_FILE"), "w");
  if (output == NULL) return -1;
  (void)rocprofiler_query_available_agents(ROCPROFILER_AGENT_INFO_VERSION_0, OnAgents,
                                           sizeof(rocprofiler_agent_t), NULL);
  (void)Say("counters of the processor",
            rocprofiler_iterate_agent_supported_counters(processor, OnCounters, NULL));
  (void)Say("counters", rocprofiler_iterate_agent_supported_counters(gpus[0], OnCounters, NULL));
  List();
  Configurations();
  Services();
  fclose(output);
  return 0;
}

rocprofiler_tool_configure_result_t* rocprofiler_configure(uint32_t version, const char* runtime,
                                                           uint32_t priority,
                                                           rocprofiler_client_id_t* client) {
  static rocprofiler_tool_configure_result_t result = {sizeof result, Initialize, NULL, NULL};
  (void)version;
  (void)runtime;
  (void)priority;
  client->name = "counter_statuses";
  return &result;
}
