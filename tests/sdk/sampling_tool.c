// SPDX-License-Identifier: MIT
// sampling_tool.c: a tool that configures PC sampling in every wrong way and then in the right one,
// or starts and stops it again and again while the program runs.
//
// SAMPLING_TOOL      statuses: one line for each result; toggle: starts its context, and stops it
//                    when there are samples, until the program ends; race: starts and stops it
//                    kRounds times, and then finalizes itself and ends the process while kernels
//                    run; count: neither
// SAMPLING_TOOL_OUT  the file that it writes
// PC_SAMPLING_INTERVAL  microseconds (100)
#include <inttypes.h>
#include <pthread.h>
#include <rocprofiler-sdk/buffer.h>
#include <rocprofiler-sdk/context.h>
#include <rocprofiler-sdk/dispatch_counting_service.h>
#include <rocprofiler-sdk/pc_sampling.h>
#include <rocprofiler-sdk/registration.h>
#include <rocprofiler-sdk/rocprofiler.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { kRounds = 200, kRoundsPerWait = 4 };

static FILE* output;
static rocprofiler_client_finalize_t finalize_me;
static rocprofiler_client_id_t* me;
static rocprofiler_context_id_t context, other, counting;
static rocprofiler_buffer_id_t buffer;
static rocprofiler_agent_id_t gpus[8], cpu;
static size_t gpu_count;
static uint64_t interval = 100;
static atomic_uint_fast64_t samples, invalid, dropped, rounds;
static atomic_int stopping;
static pthread_t toggler;

static void Say(const char* what, rocprofiler_status_t status) {
  fprintf(output, "%s: %s\n", what, rocprofiler_get_status_name(status));
}

static void OnSamples(rocprofiler_context_id_t from, rocprofiler_buffer_id_t which,
                      rocprofiler_record_header_t** headers, size_t count, void* data,
                      uint64_t drop_count) {
  size_t i;
  (void)from, (void)which, (void)data;
  dropped += drop_count;
  for (i = 0; i < count; ++i) {
    if (headers[i]->category != ROCPROFILER_BUFFER_CATEGORY_PC_SAMPLING) continue;
    if (headers[i]->kind == ROCPROFILER_PC_SAMPLING_RECORD_HOST_TRAP_V0_SAMPLE)
      ++samples;
    else
      ++invalid;
  }
}

static rocprofiler_status_t OnAgents(rocprofiler_agent_version_t version, const void** agents,
                                     size_t count, void* data) {
  size_t i;
  (void)version, (void)data;
  for (i = 0; i < count; ++i) {
    const rocprofiler_agent_t* agent = agents[i];
    if (agent->type == ROCPROFILER_AGENT_TYPE_CPU) cpu = agent->id;
    if (agent->type == ROCPROFILER_AGENT_TYPE_GPU && gpu_count < 8) gpus[gpu_count++] = agent->id;
  }
  return ROCPROFILER_STATUS_SUCCESS;
}

static rocprofiler_status_t OnConfigurations(const rocprofiler_pc_sampling_configuration_t* configs,
                                             size_t count, void* data) {
  size_t i;
  for (i = 0; i < count; ++i)
    fprintf(output, "%s: method %d unit %d from %zu to %zu flags %" PRIu64 "\n", (const char*)data,
            (int)configs[i].method, (int)configs[i].unit, configs[i].min_interval,
            configs[i].max_interval, configs[i].flags);
  return ROCPROFILER_STATUS_SUCCESS;
}

static void OnDispatch(rocprofiler_dispatch_counting_service_data_t dispatch,
                       rocprofiler_counter_config_id_t* config, rocprofiler_user_data_t* user,
                       void* data) {
  (void)dispatch, (void)config, (void)user, (void)data;
}
static void OnCounted(rocprofiler_dispatch_counting_service_data_t dispatch,
                      rocprofiler_counter_record_t* records, size_t count,
                      rocprofiler_user_data_t user, void* data) {
  (void)dispatch, (void)records, (void)count, (void)user, (void)data;
}

static rocprofiler_status_t Configure(rocprofiler_context_id_t in, rocprofiler_agent_id_t agent,
                                      rocprofiler_pc_sampling_method_t method,
                                      rocprofiler_pc_sampling_unit_t unit, uint64_t every,
                                      rocprofiler_buffer_id_t to) {
  return rocprofiler_configure_pc_sampling_service(in, agent, method, unit, every, to, 0);
}

#define HOST_TRAP ROCPROFILER_PC_SAMPLING_METHOD_HOST_TRAP
#define TIME ROCPROFILER_PC_SAMPLING_UNIT_TIME
#define METHOD(name) ROCPROFILER_PC_SAMPLING_METHOD_##name
#define UNIT(name) ROCPROFILER_PC_SAMPLING_UNIT_##name

static void AskWrongly(void) {
  const rocprofiler_agent_id_t no_agent = {0xdeadbeef};
  const rocprofiler_context_id_t no_context = {0xdeadbeef};
  const rocprofiler_buffer_id_t no_buffer = {0xdeadbeef};
  Say("query of no agent",
      rocprofiler_query_pc_sampling_agent_configurations(no_agent, OnConfigurations, NULL));
  Say("query of a CPU",
      rocprofiler_query_pc_sampling_agent_configurations(cpu, OnConfigurations, NULL));
  Say("no agent", Configure(context, no_agent, HOST_TRAP, TIME, interval, buffer));
  Say("no context", Configure(no_context, gpus[0], HOST_TRAP, TIME, interval, buffer));
  Say("no buffer", Configure(context, gpus[0], HOST_TRAP, TIME, interval, no_buffer));
  Say("a CPU", Configure(context, cpu, HOST_TRAP, TIME, interval, buffer));
  Say("no method", Configure(context, gpus[0], METHOD(NONE), TIME, interval, buffer));
  Say("last method", Configure(context, gpus[0], METHOD(LAST), TIME, interval, buffer));
  Say("stochastic", Configure(context, gpus[0], METHOD(STOCHASTIC), UNIT(CYCLES), 256, buffer));
  Say("no unit", Configure(context, gpus[0], HOST_TRAP, UNIT(NONE), interval, buffer));
  Say("last unit", Configure(context, gpus[0], HOST_TRAP, UNIT(LAST), interval, buffer));
  Say("host traps by cycles", Configure(context, gpus[0], HOST_TRAP, UNIT(CYCLES), 256, buffer));
  Say("interval 0", Configure(context, gpus[0], HOST_TRAP, TIME, 0, buffer));
  Say("counting", rocprofiler_configure_callback_dispatch_counting_service(counting, OnDispatch,
                                                                           NULL, OnCounted, NULL));
  Say("beside counting", Configure(counting, gpus[0], HOST_TRAP, TIME, interval, buffer));
}

static void AskAgain(void) {
  Say("once more", Configure(context, gpus[0], HOST_TRAP, TIME, interval, buffer));
  Say("another context", Configure(other, gpus[0], HOST_TRAP, TIME, interval, buffer));
  Say("counting beside it", rocprofiler_configure_callback_dispatch_counting_service(
                                context, OnDispatch, NULL, OnCounted, NULL));
}

/* Until more samples have come. False: the program ends. */
static int AwaitSamples(void) {
  const uint64_t before = samples + invalid;
  while (samples + invalid == before) {
    const struct timespec pause = {0, 1000000};
    if (stopping) return 0;
    (void)nanosleep(&pause, NULL);
    (void)rocprofiler_flush_buffer(buffer);
  }
  return 1;
}

static void* Toggle(void* data) {
  (void)data;
  while (!stopping) {
    if (rocprofiler_start_context(context) != ROCPROFILER_STATUS_SUCCESS || !AwaitSamples() ||
        rocprofiler_stop_context(context) != ROCPROFILER_STATUS_SUCCESS)
      break;
    ++rounds;
  }
  return NULL;
}

/* Some rounds end before there is a sample. */
static void* Race(void* data) {
  (void)data;
  while (rounds < kRounds) {
    if (rocprofiler_start_context(context) != ROCPROFILER_STATUS_SUCCESS) break;
    if (rounds % kRoundsPerWait == 0 && !AwaitSamples()) break;
    if (rocprofiler_stop_context(context) != ROCPROFILER_STATUS_SUCCESS) break;
    ++rounds;
  }
  finalize_me(*me);
  _exit(0);
}

static int Initialize(rocprofiler_client_finalize_t finalize, void* data) {
  const char* const mode = getenv("SAMPLING_TOOL");
  const char* const every = getenv("PC_SAMPLING_INTERVAL");
  size_t i;
  (void)data;
  finalize_me = finalize;
  output = fopen(getenv("SAMPLING_TOOL_OUT"), "w");
  if (output == NULL) return -1;
  if (every != NULL) interval = strtoull(every, NULL, 10);
  if (rocprofiler_create_context(&context) || rocprofiler_create_context(&other) ||
      rocprofiler_create_context(&counting) ||
      rocprofiler_create_buffer(context, 1 << 20, 1 << 19, ROCPROFILER_BUFFER_POLICY_LOSSLESS,
                                OnSamples, NULL, &buffer) ||
      rocprofiler_query_available_agents(ROCPROFILER_AGENT_INFO_VERSION_0, OnAgents,
                                         sizeof(rocprofiler_agent_t), NULL))
    return -1;
  if (strcmp(mode, "statuses") == 0) AskWrongly();
  Say("query", rocprofiler_query_pc_sampling_agent_configurations(gpus[0], OnConfigurations,
                                                                  (void*)"offered"));
  for (i = 0; i < gpu_count; ++i)
    Say("configured", Configure(context, gpus[i], HOST_TRAP, TIME, interval, buffer));
  Say("query", rocprofiler_query_pc_sampling_agent_configurations(gpus[0], OnConfigurations,
                                                                  (void*)"in use"));
  if (strcmp(mode, "statuses") == 0) AskAgain();
  fflush(output);
  if (strcmp(mode, "toggle") == 0) return pthread_create(&toggler, NULL, Toggle, NULL);
  if (strcmp(mode, "race") == 0) return pthread_create(&toggler, NULL, Race, NULL);
  return rocprofiler_start_context(context) == ROCPROFILER_STATUS_SUCCESS ? 0 : -1;
}

static void Finalize(void* data) {
  (void)data;
  stopping = 1;
  if (strcmp(getenv("SAMPLING_TOOL"), "toggle") == 0) pthread_join(toggler, NULL);
  if (strcmp(getenv("SAMPLING_TOOL"), "statuses") == 0)
    Say("too late", Configure(context, gpus[0], HOST_TRAP, TIME, interval, buffer));
  (void)rocprofiler_flush_buffer(buffer);
  fprintf(output, "samples %" PRIuFAST64 " invalid %" PRIuFAST64 " dropped %" PRIuFAST64 "\n",
          samples, invalid, dropped);
  fprintf(output, "rounds %" PRIuFAST64 "\n", rounds);
  fclose(output);
}

__attribute__((visibility("default"))) rocprofiler_tool_configure_result_t* rocprofiler_configure(
    uint32_t version, const char* runtime_version, uint32_t priority,
    rocprofiler_client_id_t* client) {
  static rocprofiler_tool_configure_result_t result = {sizeof result, Initialize, Finalize, NULL};
  (void)version, (void)runtime_version, (void)priority;
  client->name = "sampling_tool";
  me = client;
  return &result;
}
