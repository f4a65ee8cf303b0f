/* SPDX-License-Identifier: MIT
 * counter_collection.c: a tool that counts hardware events of every kernel, one line for each:
 *
 *   kernel 3 grid 768 SQ_WAVES 12 in 4 SQ_INSTS_VALU 120 in 4
 *
 * is the dispatch, its work-items, and for each counter the sum of its values and how many there
 * are. COUNTER_COLLECTION_COUNTERS names the counters; COUNTER_COLLECTION_MODE=buffer takes the
 * values from a buffer in place of a callback; COUNTER_COLLECTION_EVERY=N chooses every N-th
 * dispatch alone. COUNTER_COLLECTION_OWN=NAME=EXPRESSION and COUNTER_COLLECTION_DEFINITIONS=FILE
 * add counters; COUNTER_COLLECTION_DESCRIBE=1 says what each is. Lines go to the file that
 * COUNTER_COLLECTION_FILE names, else to stderr. */
#include <rocprofiler-sdk/experimental/counters.h>
#include <string.h>

#include "../sample_tool.h"

enum { kMostAgents = 64, kMostCounters = 32, kBufferBytes = 1 << 20 };

static uint64_t every = 1;
static struct {
  rocprofiler_agent_id_t agent;
  rocprofiler_counter_config_id_t config;
} configs[kMostAgents];
static size_t config_count;
static rocprofiler_counter_id_t wanted[kMostCounters];
static size_t wanted_count;

static void Choose(rocprofiler_dispatch_counting_service_data_t dispatch,
                   rocprofiler_counter_config_id_t* config, rocprofiler_user_data_t* user_data,
                   void* data) {
  size_t i;
  (void)data;
  if ((dispatch.dispatch_info.dispatch_id - 1) % every != 0) return;
  user_data->value = dispatch.dispatch_info.dispatch_id;
  for (i = 0; i < config_count; ++i) {
    if (configs[i].agent.handle == dispatch.dispatch_info.agent_id.handle)
      *config = configs[i].config;
  }
}

static void Print(const rocprofiler_kernel_dispatch_info_t* info,
                  const rocprofiler_counter_record_t* records, size_t count) {
  size_t i, j;
  fprintf(output, "kernel %" PRIu64 " grid %u", info->dispatch_id, info->grid_size.x);
  for (i = 0; i < wanted_count; ++i) {
    rocprofiler_counter_info_v0_t counter;
    double sum = 0;
    unsigned places = 0;
    if (Check(
            rocprofiler_query_counter_info(wanted[i], ROCPROFILER_COUNTER_INFO_VERSION_0, &counter),
            "counter"))
      continue;
    for (j = 0; j < count; ++j) {
      rocprofiler_counter_id_t id = {0};
      if (Check(rocprofiler_query_record_counter_id(records[j].id, &id), "record") ||
          id.handle != wanted[i].handle)
        continue;
      sum += records[j].counter_value;
      ++places;
    }
    fprintf(output, " %s %.10g in %u", counter.name, sum, places);
  }
  fputc('\n', output);
}

static void OnCounted(rocprofiler_dispatch_counting_service_data_t dispatch,
                      rocprofiler_counter_record_t* records, size_t count,
                      rocprofiler_user_data_t user_data, void* data) {
  (void)data;
  if (user_data.value != dispatch.dispatch_info.dispatch_id ||
      dispatch.end_timestamp <= dispatch.start_timestamp)
    fprintf(output, "kernel %" PRIu64 " is not what was chosen\n",
            dispatch.dispatch_info.dispatch_id);
  Print(&dispatch.dispatch_info, records, count);
}

static struct {
  rocprofiler_dispatch_counting_service_record_t header;
  rocprofiler_counter_record_t values[4096];
  size_t have;
} gathered;

/* Headers say how many values follow them. */
static void CheckWhole(void) {
  if (gathered.have != gathered.header.num_records)
    fprintf(output, "kernel %" PRIu64 " has %zu values, not %" PRIu64 "\n",
            gathered.header.dispatch_info.dispatch_id, gathered.have,
            (uint64_t)gathered.header.num_records);
}

/* A header, then its values. */
static void OnRecords(rocprofiler_context_id_t from, rocprofiler_buffer_id_t which,
                      rocprofiler_record_header_t** headers, size_t count, void* data,
                      uint64_t drop_count) {
  size_t i;
  (void)from;
  (void)which;
  (void)data;
  dropped += drop_count;
  for (i = 0; i < count; ++i) {
    if (headers[i]->category != ROCPROFILER_BUFFER_CATEGORY_COUNTERS) continue;
    if (headers[i]->kind == ROCPROFILER_COUNTER_RECORD_PROFILE_COUNTING_DISPATCH_HEADER) {
      CheckWhole();
      memcpy(&gathered.header, headers[i]->payload, sizeof gathered.header);
      gathered.have = 0;
    } else if (headers[i]->kind == ROCPROFILER_COUNTER_RECORD_VALUE && gathered.have < 4096) {
      rocprofiler_counter_record_t* const value = &gathered.values[gathered.have++];
      memcpy(value, headers[i]->payload, sizeof *value);
      if (value->dispatch_id != gathered.header.dispatch_info.dispatch_id)
        fprintf(output, "a value is of kernel %" PRIu64 "\n", value->dispatch_id);
      if (gathered.have == gathered.header.num_records)
        Print(&gathered.header.dispatch_info, gathered.values, gathered.have);
    }
  }
}

/* Of all counters of an agent, those that are named, in the order of their names. */
static rocprofiler_status_t OnCounters(rocprofiler_agent_id_t agent,
                                       rocprofiler_counter_id_t* counters, size_t count,
                                       void* data) {
  const char* at = data;
  (void)agent;
  wanted_count = 0;
  while (*at != '\0' && wanted_count < kMostCounters) {
    const size_t length = strcspn(at, ",");
    size_t i;
    for (i = 0; i < count; ++i) {
      rocprofiler_counter_info_v0_t counter;
      if (Check(rocprofiler_query_counter_info(counters[i], ROCPROFILER_COUNTER_INFO_VERSION_0,
                                               &counter),
                "counter"))
        continue;
      if (strlen(counter.name) != length || strncmp(counter.name, at, length) != 0) continue;
      wanted[wanted_count++] = counters[i];
      break;
    }
    if (i == count)
      fprintf(stderr, "counter_collection: no counter %.*s on this agent\n", (int)length, at);
    at += length + (at[length] == ',' ? 1 : 0);
  }
  return ROCPROFILER_STATUS_SUCCESS;
}

/* What each counter is, and where in the chip it is read. */
static void Describe(rocprofiler_counter_id_t id) {
  rocprofiler_counter_info_v1_t counter;
  uint64_t i;
  if (Check(rocprofiler_query_counter_info(id, ROCPROFILER_COUNTER_INFO_VERSION_1, &counter),
            "description"))
    return;
  fprintf(output, "counter %s = %s: %s;", counter.name,
          counter.is_derived ? counter.expression : counter.block, counter.description);
  for (i = 0; i < counter.dimensions_count; ++i)
    fprintf(output, " %s[%zu]", counter.dimensions[i]->name, counter.dimensions[i]->instance_size);
  fprintf(output, " = %" PRIu64 "\n", counter.dimensions_instances_count);
}

/* "NAME=EXPRESSION" is a counter of our own. */
static int CreateOwn(rocprofiler_agent_id_t agent, const char* text) {
  rocprofiler_counter_id_t id;
  const char* equals = text == NULL ? NULL : strchr(text, '=');
  if (equals == NULL) return 0;
  return Check(rocprofiler_create_counter(text, (size_t)(equals - text), equals + 1,
                                          strlen(equals + 1), "of our own", 10, agent, &id),
               "own counter");
}

/* Definitions of more counters, as YAML: before the first query about counters. */
static int LoadDefinitions(const char* path) {
  static char text[1 << 16];
  FILE* file = path == NULL ? NULL : fopen(path, "r");
  size_t size;
  if (path == NULL) return 0;
  if (file == NULL) {
    perror(path);
    return -1;
  }
  size = fread(text, 1, sizeof text, file);
  fclose(file);
  return Check(
      rocprofiler_load_counter_definition(text, size, ROCPROFILER_COUNTER_FLAG_APPEND_DEFINITION),
      "definitions");
}

static rocprofiler_status_t OnAgents(rocprofiler_agent_version_t version, const void** agents,
                                     size_t count, void* data) {
  size_t i;
  (void)version;
  for (i = 0; i < count && config_count < kMostAgents; ++i) {
    const rocprofiler_agent_t* agent = agents[i];
    if (agent->type != ROCPROFILER_AGENT_TYPE_GPU) continue;
    if (CreateOwn(agent->id, getenv("COUNTER_COLLECTION_OWN"))) continue;
    if (Check(rocprofiler_iterate_agent_supported_counters(agent->id, OnCounters, data),
              "counters"))
      continue;
    if (getenv("COUNTER_COLLECTION_DESCRIBE") != NULL) {
      size_t j;
      for (j = 0; j < wanted_count; ++j) Describe(wanted[j]);
    }
    configs[config_count].agent = agent->id;
    if (Check(rocprofiler_create_counter_config(agent->id, wanted, wanted_count,
                                                &configs[config_count].config),
              "configuration") == 0)
      ++config_count;
  }
  return ROCPROFILER_STATUS_SUCCESS;
}

static int Configure(int buffered) {
  if (!buffered)
    return Check(rocprofiler_configure_callback_dispatch_counting_service(context, Choose, NULL,
                                                                          OnCounted, NULL),
                 "service");
  if (CreateBuffer(kBufferBytes, OnRecords)) return -1;
  return Check(
      rocprofiler_configure_buffer_dispatch_counting_service(context, buffer, Choose, NULL),
      "service");
}

static int Initialize(rocprofiler_client_finalize_t finalize, void* data) {
  const char* names = getenv("COUNTER_COLLECTION_COUNTERS");
  const char* mode = getenv("COUNTER_COLLECTION_MODE");
  const char* step = getenv("COUNTER_COLLECTION_EVERY");
  char chosen[1024];
  (void)finalize;
  (void)data;
  if (step != NULL && atoi(step) > 0) every = (uint64_t)atoi(step);
  snprintf(chosen, sizeof chosen, "%s", names == NULL ? "SQ_WAVES,SQ_INSTS_VALU" : names);
  if (LoadDefinitions(getenv("COUNTER_COLLECTION_DEFINITIONS")) || CreateContext() ||
      Check(rocprofiler_query_available_agents(ROCPROFILER_AGENT_INFO_VERSION_0, OnAgents,
                                               sizeof(rocprofiler_agent_t), chosen),
            "agents") ||
      Configure(mode != NULL && strcmp(mode, "buffer") == 0))
    return -1;
  return StartContext();
}

static void Finalize(void* data) {
  (void)data;
  if (buffer.handle != 0) (void)Check(rocprofiler_flush_buffer(buffer), "flush");
  CheckWhole();
  fprintf(output, "dropped %" PRIu64 "\n", dropped);
  CloseOutput();
}

ROCPROFILER_PUBLIC_API rocprofiler_tool_configure_result_t* rocprofiler_configure(
    uint32_t version, const char* runtime_version, uint32_t priority,
    rocprofiler_client_id_t* client) {
  (void)version, (void)runtime_version, (void)priority;
  return ConfigureTool(client, "counter_collection", "COUNTER_COLLECTION_FILE", Initialize,
                       Finalize);
}
