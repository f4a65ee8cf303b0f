/* SPDX-License-Identifier: MIT
 * pc_sampling.c: a tool that samples the program counters of the waves of every GPU, and counts
 * samples by kernel and offset:
 *
 *   Normalize(float const*, float*) 0x1944 82 5248
 *
 * is the kernel's name, the offset in its code object, the samples, and the active lanes in all
 * of them. The last line has the totals:
 *
 *   all 11563 invalid 0 dropped 0
 *
 * PC_SAMPLING_INTERVAL is in microseconds (default 1000). Lines go to the file that
 * PC_SAMPLING_FILE names, otherwise to stderr. ROCPROFILER_PC_SAMPLING_BETA_ENABLED=1 must be
 * set. */
#include <rocprofiler-sdk/buffer_tracing.h>
#include <rocprofiler-sdk/callback_tracing.h>
#include <rocprofiler-sdk/pc_sampling.h>
#include <string.h>

#include "../sample_tool.h"

enum { kMostKernels = 1024, kMostPlaces = 65536, kMostDispatches = 1 << 20 };

static uint64_t interval = 1000;
static size_t sampled_agents;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct {
  uint64_t id;
  char name[512];
} kernels[kMostKernels];
static size_t kernel_count;
static uint16_t kernel_of[kMostDispatches]; /* by dispatch: index in `kernels` plus one */
static struct {
  uint16_t kernel;
  uint64_t code_object, offset, samples, lanes;
} places[kMostPlaces];
static size_t place_count;
static uint64_t all, invalid, dropped;

static void OnKernelName(
    const rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t* kernel) {
  if (kernel_count == kMostKernels) return;
  kernels[kernel_count].id = kernel->kernel_id;
  snprintf(kernels[kernel_count].name, sizeof kernels[0].name, "%s", kernel->kernel_name);
  ++kernel_count;
}

static void OnDispatch(const rocprofiler_kernel_dispatch_info_t* dispatch) {
  size_t i;
  if (dispatch->dispatch_id >= kMostDispatches) return;
  for (i = kernel_count; i != 0; --i) {
    if (kernels[i - 1].id != dispatch->kernel_id) continue;
    kernel_of[dispatch->dispatch_id] = (uint16_t)i;
    return;
  }
}

static void OnEvent(rocprofiler_callback_tracing_record_t record,
                    rocprofiler_user_data_t* user_data, void* data) {
  (void)user_data;
  (void)data;
  pthread_mutex_lock(&mutex);
  if (record.kind == ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT) {
    if (record.operation == ROCPROFILER_CODE_OBJECT_DEVICE_KERNEL_SYMBOL_REGISTER &&
        record.phase == ROCPROFILER_CALLBACK_PHASE_LOAD)
      OnKernelName(record.payload);
  } else if (record.phase == ROCPROFILER_CALLBACK_PHASE_ENTER) {
    const rocprofiler_callback_tracing_kernel_dispatch_data_t* kernel = record.payload;
    OnDispatch(&kernel->dispatch_info);
  }
  pthread_mutex_unlock(&mutex);
}

static void Count(const rocprofiler_pc_sampling_record_host_trap_v0_t* sample) {
  const uint16_t kernel =
      sample->dispatch_id < kMostDispatches ? kernel_of[sample->dispatch_id] : 0;
  size_t i;
  for (i = 0; i < place_count; ++i) {
    if (places[i].kernel == kernel && places[i].code_object == sample->pc.code_object_id &&
        places[i].offset == sample->pc.code_object_offset)
      break;
  }
  if (i == kMostPlaces) return;
  if (i == place_count) {
    places[i].kernel = kernel;
    places[i].code_object = sample->pc.code_object_id;
    places[i].offset = sample->pc.code_object_offset;
    ++place_count;
  }
  ++places[i].samples;
  places[i].lanes += (uint64_t)__builtin_popcountll(sample->exec_mask);
}

static void OnSamples(rocprofiler_context_id_t from, rocprofiler_buffer_id_t which,
                      rocprofiler_record_header_t** headers, size_t count, void* data,
                      uint64_t drop_count) {
  size_t i;
  (void)from;
  (void)which;
  (void)data;
  pthread_mutex_lock(&mutex);
  dropped += drop_count;
  for (i = 0; i < count; ++i) {
    if (headers[i]->category != ROCPROFILER_BUFFER_CATEGORY_PC_SAMPLING) continue;
    ++all;
    if (headers[i]->kind == ROCPROFILER_PC_SAMPLING_RECORD_HOST_TRAP_V0_SAMPLE)
      Count(headers[i]->payload);
    else
      ++invalid;
  }
  pthread_mutex_unlock(&mutex);
}

static rocprofiler_status_t OnConfigurations(const rocprofiler_pc_sampling_configuration_t* configs,
                                             size_t count, void* data) {
  size_t i;
  for (i = 0; i < count; ++i) {
    if (configs[i].method == ROCPROFILER_PC_SAMPLING_METHOD_HOST_TRAP)
      *(rocprofiler_pc_sampling_configuration_t*)data = configs[i];
  }
  return ROCPROFILER_STATUS_SUCCESS;
}

static rocprofiler_status_t OnAgents(rocprofiler_agent_version_t version, const void** agents,
                                     size_t count, void* data) {
  size_t i;
  (void)version;
  (void)data;
  for (i = 0; i < count; ++i) {
    const rocprofiler_agent_t* agent = agents[i];
    rocprofiler_pc_sampling_configuration_t offered = {0};
    if (agent->type != ROCPROFILER_AGENT_TYPE_GPU ||
        Check(rocprofiler_query_pc_sampling_agent_configurations(agent->id, OnConfigurations,
                                                                 &offered),
              agent->name) ||
        offered.method != ROCPROFILER_PC_SAMPLING_METHOD_HOST_TRAP ||
        Check(rocprofiler_configure_pc_sampling_service(context, agent->id, offered.method,
                                                        offered.unit, interval, buffer, 0),
              agent->name))
      continue;
    ++sampled_agents;
  }
  return ROCPROFILER_STATUS_SUCCESS;
}

static int Initialize(rocprofiler_client_finalize_t finalize, void* data) {
  const char* every = getenv("PC_SAMPLING_INTERVAL");
  (void)finalize;
  (void)data;
  if (every != NULL) interval = strtoull(every, NULL, 10);
  if (CreateContext() || CreateBuffer(1 << 20, OnSamples) ||
      Check(rocprofiler_query_available_agents(ROCPROFILER_AGENT_INFO_VERSION_0, OnAgents,
                                               sizeof(rocprofiler_agent_t), NULL),
            "agents"))
    return -1;
  if (sampled_agents == 0) return -1; /* the reason was printed for each agent */
  if (Check(rocprofiler_configure_callback_tracing_service(
                context, ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT, NULL, 0, OnEvent, NULL),
            "code objects") ||
      Check(rocprofiler_configure_callback_tracing_service(
                context, ROCPROFILER_CALLBACK_TRACING_KERNEL_DISPATCH, NULL, 0, OnEvent, NULL),
            "kernels"))
    return -1;
  return StartContext();
}

static void Finalize(void* data) {
  size_t i;
  (void)data;
  FlushBuffer();
  for (i = 0; i < place_count; ++i)
    fprintf(output, "%s 0x%" PRIx64 " %" PRIu64 " %" PRIu64 "\n",
            places[i].kernel == 0 ? "?" : kernels[places[i].kernel - 1].name, places[i].offset,
            places[i].samples, places[i].lanes);
  fprintf(output, "all %" PRIu64 " invalid %" PRIu64 " dropped %" PRIu64 "\n", all, invalid,
          dropped);
  CloseOutput();
}

ROCPROFILER_PUBLIC_API rocprofiler_tool_configure_result_t* rocprofiler_configure(
    uint32_t version, const char* runtime_version, uint32_t priority,
    rocprofiler_client_id_t* client) {
  (void)version, (void)runtime_version, (void)priority;
  return ConfigureTool(client, "pc_sampling", "PC_SAMPLING_FILE", Initialize, Finalize);
}
