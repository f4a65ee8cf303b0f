/* SPDX-License-Identifier: MIT
 * A tool that makes every query while it is configured, and again while it is initialised. Prints
 * how many queries succeeded each time. */
#include <rocprofiler-sdk/experimental/counters.h>
#include <rocprofiler-sdk/registration.h>
#include <rocprofiler-sdk/rocprofiler.h>
#include <stdio.h>

static unsigned asked, answered, kinds, operations, agents, counters, described;

static void Ask(rocprofiler_status_t status) {
  ++asked;
  answered += status == ROCPROFILER_STATUS_SUCCESS;
}

static int OnCallbackOperation(rocprofiler_callback_tracing_kind_t kind,
                               rocprofiler_tracing_operation_t operation, void* data) {
  const char* name = NULL;
  uint64_t bytes = 0;
  (void)data;
  Ask(rocprofiler_query_callback_tracing_kind_operation_name(kind, operation, &name, &bytes));
  operations += name != NULL;
  return 0;
}

static int OnCallbackKind(rocprofiler_callback_tracing_kind_t kind, void* data) {
  const char* name = NULL;
  Ask(rocprofiler_query_callback_tracing_kind_name(kind, &name, NULL));
  kinds += name != NULL;
  if (kind == ROCPROFILER_CALLBACK_TRACING_NONE) return 0; /* which has none */
  Ask(rocprofiler_iterate_callback_tracing_kind_operations(kind, OnCallbackOperation, data));
  return 0;
}

static int OnBufferKind(rocprofiler_buffer_tracing_kind_t kind, void* data) {
  const char* name = NULL;
  (void)data;
  Ask(rocprofiler_query_buffer_tracing_kind_name(kind, &name, NULL));
  kinds += name != NULL;
  return 0;
}

static rocprofiler_status_t OnCounters(rocprofiler_agent_id_t agent, rocprofiler_counter_id_t* ids,
                                       size_t count, void* data) {
  size_t i;
  (void)agent, (void)data;
  counters += count != 0;
  for (i = 0; i < count; ++i) {
    rocprofiler_counter_info_v0_t info = {0};
    Ask(rocprofiler_query_counter_info(ids[i], ROCPROFILER_COUNTER_INFO_VERSION_0, &info));
    described += info.name != NULL;
  }
  return ROCPROFILER_STATUS_SUCCESS;
}

static rocprofiler_status_t OnAgents(rocprofiler_agent_version_t version, const void** all,
                                     size_t count, void* data) {
  size_t i;
  (void)version, (void)data;
  for (i = 0; i < count; ++i) {
    const rocprofiler_agent_t* agent = all[i];
    ++agents;
    if (agent->type != ROCPROFILER_AGENT_TYPE_GPU) continue;
    Ask(rocprofiler_iterate_agent_supported_counters(agent->id, OnCounters, NULL));
  }
  return ROCPROFILER_STATUS_SUCCESS;
}

static void AskAll(const char* when) {
  uint32_t major, minor, patch;
  rocprofiler_timestamp_t now;
  rocprofiler_thread_id_t thread;
  int flag;
  asked = answered = kinds = operations = agents = counters = described = 0;
  Ask(rocprofiler_get_version(&major, &minor, &patch));
  Ask(rocprofiler_get_timestamp(&now));
  Ask(rocprofiler_get_thread_id(&thread));
  Ask(rocprofiler_is_initialized(&flag));
  Ask(rocprofiler_is_finalized(&flag));
  Ask(rocprofiler_iterate_callback_tracing_kinds(OnCallbackKind, NULL));
  Ask(rocprofiler_iterate_buffer_tracing_kinds(OnBufferKind, NULL));
  Ask(rocprofiler_query_available_agents(ROCPROFILER_AGENT_INFO_VERSION_0, OnAgents,
                                         sizeof(rocprofiler_agent_t), NULL));
  fprintf(stderr, "%s: %u of %u answered; %s, %s, %u agents, %s\n", when, answered, asked,
          kinds > 50 ? "kinds" : "few kinds", operations > 700 ? "operations" : "few operations",
          agents, counters != 0 && described > 50 ? "counters" : "few counters");
}

static int Initialize(rocprofiler_client_finalize_t finalize, void* data) {
  rocprofiler_context_id_t context = {0};
  (void)finalize, (void)data;
  AskAll("initialize");
  return rocprofiler_create_context(&context) != ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_tool_configure_result_t* rocprofiler_configure(uint32_t version,
                                                           const char* runtime_version,
                                                           uint32_t priority,
                                                           rocprofiler_client_id_t* client) {
  static rocprofiler_tool_configure_result_t result = {sizeof result, Initialize, NULL, NULL};
  (void)version, (void)runtime_version, (void)priority;
  client->name = "query";
  AskAll("configure");
  return &result;
}
