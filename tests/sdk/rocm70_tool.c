/* SPDX-License-Identifier: MIT
 * A tool built with the headers of ROCm 7.0: an agent has 304 bytes, and a counter's description
 * 80, while other headers of the same version have 312 and 88. */
#include <rocprofiler-sdk/agent.h>
#include <rocprofiler-sdk/counters.h>
#include <rocprofiler-sdk/experimental/counters.h>
#include <rocprofiler-sdk/registration.h>
#include <rocprofiler-sdk/rocprofiler.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { kAgentBytes = 304, kGuard = 0xA5 };

struct CounterInfo {
  rocprofiler_counter_id_t id;
  const char *name, *description, *block, *expression;
  uint8_t is_constant : 1;
  uint8_t is_derived : 1;
  uint64_t dimensions_count;
  const rocprofiler_counter_record_dimension_info_t* dimensions;
  uint64_t instance_ids_count;
  const rocprofiler_counter_instance_id_t* instance_ids;
};

static void Say(const struct CounterInfo* counter, rocprofiler_counter_dimension_id_t dimension) {
  uint64_t i;
  fprintf(stderr, "rocm70: %s of %s:", counter->name, counter->block);
  for (i = 0; i < counter->dimensions_count; ++i)
    fprintf(stderr, " %s[%zu]", counter->dimensions[i].name, counter->dimensions[i].instance_size);
  fprintf(stderr, "; %u instances:", (unsigned)counter->instance_ids_count);
  for (i = 0; i < counter->instance_ids_count; ++i) {
    size_t place = ~(size_t)0;
    rocprofiler_query_record_dimension_position(counter->instance_ids[i], dimension, &place);
    fprintf(stderr, " %zu", place);
  }
}

static rocprofiler_status_t OnCounters(rocprofiler_agent_id_t agent,
                                       rocprofiler_counter_id_t* counters, size_t count,
                                       void* data) {
  size_t i, g;
  (void)agent, (void)data;
  for (i = 0; i < count; ++i) {
    struct {
      struct CounterInfo info;
      unsigned char guard[64];
    } counter;
    int whole = 1;
    memset(&counter, kGuard, sizeof counter);
    if (rocprofiler_query_counter_info(counters[i], ROCPROFILER_COUNTER_INFO_VERSION_1,
                                       &counter.info) != ROCPROFILER_STATUS_SUCCESS ||
        counter.info.id.handle != counters[i].handle || strcmp(counter.info.name, "TCC_HIT") != 0)
      continue;
    for (g = 0; g < sizeof counter.guard; ++g) whole = whole && counter.guard[g] == kGuard;
    Say(&counter.info, counter.info.dimensions[0].id);
    fprintf(stderr, "; %s\n", whole ? "nothing is written behind it" : "written behind its end");
  }
  return ROCPROFILER_STATUS_SUCCESS;
}

static rocprofiler_status_t OnAgents(rocprofiler_agent_version_t version, const void** agents,
                                     size_t count, void* data) {
  size_t i;
  (void)version, (void)data;
  for (i = 0; i < count; ++i) {
    const rocprofiler_agent_t* agent = agents[i]; /* both layouts begin with the same */
    if (agent->type == ROCPROFILER_AGENT_TYPE_GPU)
      rocprofiler_iterate_agent_supported_counters(agent->id, OnCounters, NULL);
  }
  return ROCPROFILER_STATUS_SUCCESS;
}

static int Initialize(rocprofiler_client_finalize_t finalize, void* data) {
  rocprofiler_context_id_t context = {0};
  (void)finalize, (void)data;
  if (rocprofiler_create_context(&context) != ROCPROFILER_STATUS_SUCCESS) return -1;
  return rocprofiler_query_available_agents(ROCPROFILER_AGENT_INFO_VERSION_0, OnAgents, kAgentBytes,
                                            NULL) != ROCPROFILER_STATUS_SUCCESS;
}

static void Finalize(void* data) { (void)data; }

rocprofiler_tool_configure_result_t* rocprofiler_configure(uint32_t version,
                                                           const char* runtime_version,
                                                           uint32_t priority,
                                                           rocprofiler_client_id_t* client) {
  static rocprofiler_tool_configure_result_t result = {sizeof result, Initialize, Finalize, NULL};
  (void)version, (void)runtime_version, (void)priority;
  client->name = "rocm70";
  return &result;
}
