/* SPDX-License-Identifier: MIT
 * device_counting.c: a tool that counts hardware events of every GPU while the program runs, with
 * the kernels of other processes:
 *
 *   agent 1 SQ_WAVES 312 in 4 SQ_INSTS_VALU 3120 in 4
 *
 * for each GPU the sum of each counter's values and how many there are. It starts with the first
 * queue and samples when the program shuts the runtime down, or with every queue that is destroyed
 * (DEVICE_COUNTING_STEPS=1). DEVICE_COUNTING_COUNTERS names the counters.
 * DEVICE_COUNTING_MODE=async has the values come through a buffer. Lines go to the file that
 * DEVICE_COUNTING_FILE names, else to stderr. */
#include <rocprofiler-sdk/device_counting_service.h>
#include <string.h>

#include "../sample_tool.h"

enum { kMostAgents = 16, kMostCounters = 32, kMostValues = 4096, kBufferBytes = 1 << 20 };

static rocprofiler_context_id_t calls;  /* tells when the runtime can be used */
static rocprofiler_context_id_t counts; /* counts */
static int async;
static struct {
  rocprofiler_agent_id_t id;
  rocprofiler_counter_config_id_t config;
  rocprofiler_counter_id_t counters[kMostCounters];
  size_t count;
} agents[kMostAgents];
static size_t agent_count;

static void Print(const rocprofiler_counter_record_t* records, size_t count) {
  size_t a, c, i;
  for (a = 0; a < agent_count; ++a) {
    fprintf(output, "agent %zu", a + 1);
    for (c = 0; c < agents[a].count; ++c) {
      rocprofiler_counter_info_v0_t info;
      double sum = 0;
      unsigned places = 0;
      (void)Check(rocprofiler_query_counter_info(agents[a].counters[c],
                                                 ROCPROFILER_COUNTER_INFO_VERSION_0, &info),
                  "counter");
      for (i = 0; i < count; ++i) {
        rocprofiler_counter_id_t id = {0};
        if (records[i].agent_id.handle != agents[a].id.handle ||
            Check(rocprofiler_query_record_counter_id(records[i].id, &id), "record") ||
            id.handle != agents[a].counters[c].handle)
          continue;
        sum += records[i].counter_value;
        ++places;
      }
      fprintf(output, " %s %.10g in %u", info.name, sum, places);
    }
    fputc('\n', output);
  }
  fflush(output);
}

static void Sample(void) {
  static rocprofiler_counter_record_t values[kMostValues];
  const rocprofiler_user_data_t mine = {.value = 42};
  size_t count = 1;
  if (async) {
    (void)Check(rocprofiler_sample_device_counting_service(
                    counts, mine, ROCPROFILER_COUNTER_FLAG_ASYNC, NULL, NULL),
                "sample");
    return;
  }
  /* Too little room says how much it takes. */
  if (rocprofiler_sample_device_counting_service(counts, mine, ROCPROFILER_COUNTER_FLAG_NONE,
                                                 values, &count) ==
          ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES &&
      Check(rocprofiler_sample_device_counting_service(counts, mine, ROCPROFILER_COUNTER_FLAG_NONE,
                                                       values, &count),
            "sample"))
    return;
  Print(values, count);
}

/* Each sample's values, one after the other. */
static void OnRecords(rocprofiler_context_id_t from, rocprofiler_buffer_id_t which,
                      rocprofiler_record_header_t** headers, size_t count, void* data,
                      uint64_t drop_count) {
  static rocprofiler_counter_record_t values[kMostValues];
  size_t have = 0, i;
  (void)from;
  (void)which;
  (void)data;
  if (drop_count != 0) fprintf(output, "dropped %" PRIu64 "\n", drop_count);
  for (i = 0; i < count && have < kMostValues; ++i) {
    if (headers[i]->category != ROCPROFILER_BUFFER_CATEGORY_COUNTERS ||
        headers[i]->kind != ROCPROFILER_COUNTER_RECORD_VALUE)
      continue;
    memcpy(&values[have], headers[i]->payload, sizeof values[0]);
    if (values[have].user_data.value == 42) ++have;
  }
  if (have != 0) Print(values, have);
}

static void Choose(rocprofiler_context_id_t context, rocprofiler_agent_id_t agent,
                   rocprofiler_device_counting_agent_cb_t set, void* data) {
  size_t a;
  (void)data;
  for (a = 0; a < agent_count; ++a) {
    if (agents[a].id.handle == agent.handle) (void)Check(set(context, agents[a].config), "choice");
  }
}

static void OnCall(rocprofiler_callback_tracing_record_t record, rocprofiler_user_data_t* user_data,
                   void* data) {
  int active = 0;
  (void)user_data;
  (void)data;
  (void)rocprofiler_context_is_active(counts, &active);
  if (record.operation == ROCPROFILER_HSA_CORE_API_ID_hsa_queue_create) {
    if (record.phase == ROCPROFILER_CALLBACK_PHASE_EXIT && !active)
      (void)Check(rocprofiler_start_context(counts), "start");
  } else if (record.phase == ROCPROFILER_CALLBACK_PHASE_ENTER && active) {
    Sample();
    if (record.operation == ROCPROFILER_HSA_CORE_API_ID_hsa_shut_down && !async)
      (void)Check(rocprofiler_stop_context(counts), "stop");
  }
}

static rocprofiler_status_t OnCounters(rocprofiler_agent_id_t agent,
                                       rocprofiler_counter_id_t* counters, size_t count,
                                       void* data) {
  const char* at = data;
  (void)agent;
  while (*at != '\0' && agents[agent_count].count < kMostCounters) {
    const size_t length = strcspn(at, ",");
    size_t i;
    for (i = 0; i < count; ++i) {
      rocprofiler_counter_info_v0_t info;
      if (Check(rocprofiler_query_counter_info(counters[i], ROCPROFILER_COUNTER_INFO_VERSION_0,
                                               &info),
                "counter") ||
          strlen(info.name) != length || strncmp(info.name, at, length) != 0)
        continue;
      agents[agent_count].counters[agents[agent_count].count++] = counters[i];
      break;
    }
    at += length + (at[length] == ',' ? 1 : 0);
  }
  return ROCPROFILER_STATUS_SUCCESS;
}

static rocprofiler_status_t OnAgents(rocprofiler_agent_version_t version, const void** all,
                                     size_t count, void* data) {
  size_t i;
  (void)version;
  for (i = 0; i < count && agent_count < kMostAgents; ++i) {
    const rocprofiler_agent_t* agent = all[i];
    if (agent->type != ROCPROFILER_AGENT_TYPE_GPU) continue;
    agents[agent_count].id = agent->id;
    if (Check(rocprofiler_iterate_agent_supported_counters(agent->id, OnCounters, data),
              "counters") ||
        Check(rocprofiler_create_counter_config(agent->id, agents[agent_count].counters,
                                                agents[agent_count].count,
                                                &agents[agent_count].config),
              "configuration") ||
        Check(
            rocprofiler_configure_device_counting_service(counts, buffer, agent->id, Choose, NULL),
            "service"))
      continue;
    ++agent_count;
  }
  return ROCPROFILER_STATUS_SUCCESS;
}

static int Initialize(rocprofiler_client_finalize_t finalize, void* data) {
  static const rocprofiler_tracing_operation_t whole[] = {
      ROCPROFILER_HSA_CORE_API_ID_hsa_queue_create, ROCPROFILER_HSA_CORE_API_ID_hsa_shut_down};
  static const rocprofiler_tracing_operation_t steps[] = {
      ROCPROFILER_HSA_CORE_API_ID_hsa_queue_create, ROCPROFILER_HSA_CORE_API_ID_hsa_queue_destroy};
  const char* names = getenv("DEVICE_COUNTING_COUNTERS");
  const char* mode = getenv("DEVICE_COUNTING_MODE");
  char chosen[1024];
  (void)finalize;
  (void)data;
  async = mode != NULL && strcmp(mode, "async") == 0;
  snprintf(chosen, sizeof chosen, "%s", names == NULL ? "SQ_WAVES,SQ_INSTS_VALU" : names);
  if (Check(rocprofiler_create_context(&calls), "context") ||
      Check(rocprofiler_create_context(&counts), "context") ||
      (async && Check(rocprofiler_create_buffer(counts, kBufferBytes, kBufferBytes / 2,
                                                ROCPROFILER_BUFFER_POLICY_LOSSLESS, OnRecords, NULL,
                                                &buffer),
                      "buffer")) ||
      Check(rocprofiler_query_available_agents(ROCPROFILER_AGENT_INFO_VERSION_0, OnAgents,
                                               sizeof(rocprofiler_agent_t), chosen),
            "agents") ||
      Check(rocprofiler_configure_callback_tracing_service(
                calls, ROCPROFILER_CALLBACK_TRACING_HSA_CORE_API,
                getenv("DEVICE_COUNTING_STEPS") == NULL ? whole : steps, 2, OnCall, NULL),
            "calls"))
    return -1;
  return Check(rocprofiler_start_context(calls), "start");
}

static void Finalize(void* data) {
  (void)data;
  if (buffer.handle != 0) (void)Check(rocprofiler_flush_buffer(buffer), "flush");
  CloseOutput();
}

ROCPROFILER_PUBLIC_API rocprofiler_tool_configure_result_t* rocprofiler_configure(
    uint32_t version, const char* runtime_version, uint32_t priority,
    rocprofiler_client_id_t* client) {
  (void)version, (void)runtime_version, (void)priority;
  return ConfigureTool(client, "device_counting", "DEVICE_COUNTING_FILE", Initialize, Finalize);
}
