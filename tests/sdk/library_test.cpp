// SPDX-License-Identifier: MIT
// The C functions in a process without a GPU runtime: their results before, while and after tools
// are initialised.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <rocprofiler-sdk/registration.h>
#include <rocprofiler-sdk/rocprofiler.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <thread>
#include <vector>

namespace {

#define EXPECT_STATUS(status, call) EXPECT_EQ(ROCPROFILER_STATUS_##status, call)

struct Tool {
  int configured = 0, finalized = 0;
  rocprofiler_client_id_t id = {0, nullptr, 0};
  rocprofiler_client_finalize_t finalize = nullptr;
  rocprofiler_context_id_t context = {}, other = {};
  rocprofiler_buffer_id_t buffer = {};
  rocprofiler_callback_thread_t thread = {};
};
Tool* tool;

int Status(rocprofiler_status_t (*ask)(int*)) {
  int status = 7;
  EXPECT_STATUS(SUCCESS, ask(&status));
  return status;
}

void NoRecords(rocprofiler_context_id_t, rocprofiler_buffer_id_t, rocprofiler_record_header_t**,
               size_t, void*, uint64_t) {}
void NoEvents(rocprofiler_callback_tracing_record_t, rocprofiler_user_data_t*, void*) {}

rocprofiler_status_t MakeBuffer(rocprofiler_context_id_t context, size_t bytes,
                                rocprofiler_buffer_policy_t policy, rocprofiler_buffer_id_t* id) {
  return rocprofiler_create_buffer(context, bytes, 0, policy, NoRecords, nullptr, id);
}

rocprofiler_status_t Buffered(rocprofiler_context_id_t context, int kind,
                              rocprofiler_buffer_id_t buffer,
                              std::vector<rocprofiler_tracing_operation_t> operations = {}) {
  return rocprofiler_configure_buffer_tracing_service(
      context, static_cast<rocprofiler_buffer_tracing_kind_t>(kind), operations.data(),
      operations.size(), buffer);
}

void MakeBuffers() {
  rocprofiler_buffer_id_t none = {};
  EXPECT_STATUS(ERROR_CONTEXT_NOT_FOUND,
                MakeBuffer({5}, 1, ROCPROFILER_BUFFER_POLICY_DISCARD, &none));
  EXPECT_STATUS(ERROR_INVALID_ARGUMENT,
                MakeBuffer(tool->context, 0, ROCPROFILER_BUFFER_POLICY_DISCARD, &none));
  EXPECT_STATUS(ERROR_INVALID_ARGUMENT,
                MakeBuffer(tool->context, 1, ROCPROFILER_BUFFER_POLICY_NONE, &none));
  EXPECT_STATUS(ERROR_INVALID_ARGUMENT,
                MakeBuffer(tool->context, 1, ROCPROFILER_BUFFER_POLICY_DISCARD, nullptr));
  EXPECT_STATUS(SUCCESS,
                MakeBuffer(tool->context, 1, ROCPROFILER_BUFFER_POLICY_DISCARD, &tool->buffer));
  EXPECT_STATUS(SUCCESS, rocprofiler_create_callback_thread(&tool->thread));
  EXPECT_STATUS(ERROR_INVALID_ARGUMENT, rocprofiler_create_callback_thread(nullptr));
  EXPECT_STATUS(SUCCESS, rocprofiler_assign_callback_thread(tool->buffer, tool->thread));
  EXPECT_STATUS(ERROR_THREAD_NOT_FOUND, rocprofiler_assign_callback_thread(tool->buffer, {1}));
  EXPECT_STATUS(ERROR_BUFFER_NOT_FOUND, rocprofiler_assign_callback_thread({1}, tool->thread));
}

void ConfigureServices() {
  const int kernels = ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH;
  EXPECT_STATUS(ERROR_KIND_NOT_FOUND, Buffered(tool->context, 0, tool->buffer));
  EXPECT_STATUS(ERROR_KIND_NOT_FOUND,
                Buffered(tool->context, ROCPROFILER_BUFFER_TRACING_LAST, tool->buffer));
  EXPECT_STATUS(ERROR_KIND_NOT_FOUND, Buffered(tool->context, -1, tool->buffer));
  EXPECT_STATUS(ERROR_CONTEXT_NOT_FOUND, Buffered({9}, kernels, tool->buffer));
  EXPECT_STATUS(ERROR_BUFFER_NOT_FOUND, Buffered(tool->context, kernels, {9}));
  EXPECT_STATUS(ERROR_BUFFER_NOT_FOUND, Buffered(tool->other, kernels, tool->buffer))
      << "of another context";
  EXPECT_STATUS(ERROR_OPERATION_NOT_FOUND, Buffered(tool->context, kernels, tool->buffer, {3}));
  EXPECT_STATUS(ERROR_OPERATION_NOT_FOUND, Buffered(tool->context, kernels, tool->buffer, {-1}));
  EXPECT_STATUS(SUCCESS, Buffered(tool->context, kernels, tool->buffer, {2}));
  EXPECT_STATUS(ERROR_SERVICE_ALREADY_CONFIGURED, Buffered(tool->context, kernels, tool->buffer));
  const auto callback = [](int kind, rocprofiler_callback_tracing_cb_t function) {
    return rocprofiler_configure_callback_tracing_service(
        tool->context, static_cast<rocprofiler_callback_tracing_kind_t>(kind), nullptr, 0, function,
        nullptr);
  };
  EXPECT_STATUS(ERROR_KIND_NOT_FOUND, callback(99, NoEvents));
  EXPECT_STATUS(ERROR_INVALID_ARGUMENT,
                callback(ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT, nullptr));
  EXPECT_STATUS(SUCCESS, callback(ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT, NoEvents));
  EXPECT_STATUS(ERROR_SERVICE_ALREADY_CONFIGURED,
                callback(ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT, NoEvents));
  for (const int kind :
       {ROCPROFILER_CALLBACK_TRACING_KERNEL_DISPATCH, ROCPROFILER_CALLBACK_TRACING_MEMORY_COPY}) {
    EXPECT_STATUS(SUCCESS, callback(kind, NoEvents));
    EXPECT_STATUS(ERROR_SERVICE_ALREADY_CONFIGURED, callback(kind, NoEvents));
  }
}

// Includes kinds whose library is absent, or whose events never come: a tool subscribes to all
// kinds.
void ConfigureEveryKind() {
  rocprofiler_context_id_t context = {};
  EXPECT_STATUS(SUCCESS, rocprofiler_create_context(&context));
  rocprofiler_buffer_id_t buffer = {};
  EXPECT_STATUS(SUCCESS, MakeBuffer(context, 4096, ROCPROFILER_BUFFER_POLICY_DISCARD, &buffer));
  for (int kind = 1; kind < ROCPROFILER_CALLBACK_TRACING_LAST; ++kind) {
    const auto number = static_cast<rocprofiler_callback_tracing_kind_t>(kind);
    EXPECT_STATUS(SUCCESS, rocprofiler_configure_callback_tracing_service(context, number, nullptr,
                                                                          0, NoEvents, nullptr))
        << kind;
  }
  for (int kind = 1; kind < ROCPROFILER_BUFFER_TRACING_LAST; ++kind)
    EXPECT_STATUS(SUCCESS, Buffered(context, kind, buffer)) << kind;
  constexpr int kLast = ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_LAST;
  rocprofiler_external_correlation_id_request_kind_t every[kLast - 1];
  for (int kind = 1; kind < kLast; ++kind)
    every[kind - 1] = static_cast<rocprofiler_external_correlation_id_request_kind_t>(kind);
  const auto ask = [](rocprofiler_thread_id_t, rocprofiler_context_id_t,
                      rocprofiler_external_correlation_id_request_kind_t,
                      rocprofiler_tracing_operation_t, uint64_t, rocprofiler_user_data_t*,
                      void*) { return 1; };
  EXPECT_STATUS(SUCCESS, rocprofiler_configure_external_correlation_id_request_service(
                             context, every, kLast - 1, ask, nullptr));
}

void NoTables(rocprofiler_intercept_table_t, uint64_t, uint64_t, void**, uint64_t, void*) {}

void CountThreads(rocprofiler_runtime_library_t library, void* count) {
  EXPECT_EQ(library, ROCPROFILER_LIBRARY);
  ++*static_cast<int*>(count);
}
int threads_of_ours, threads_of_hip;

void AskForThreads() {
  EXPECT_STATUS(SUCCESS, rocprofiler_at_internal_thread_create(
                             CountThreads, CountThreads, ROCPROFILER_LIBRARY, &threads_of_ours));
  EXPECT_STATUS(SUCCESS, rocprofiler_at_internal_thread_create(
                             CountThreads, nullptr, ROCPROFILER_HIP_LIBRARY, &threads_of_hip));
}

void AskForTables() {
  EXPECT_STATUS(ERROR_INVALID_ARGUMENT, rocprofiler_at_intercept_table_registration(
                                            nullptr, ROCPROFILER_HSA_TABLE, nullptr));
  EXPECT_STATUS(ERROR_INVALID_ARGUMENT, rocprofiler_at_intercept_table_registration(
                                            NoTables, 2 * ROCPROFILER_TABLE_LAST, nullptr));
  EXPECT_STATUS(SUCCESS, rocprofiler_at_intercept_table_registration(
                             NoTables, ROCPROFILER_HSA_TABLE, nullptr));
}

void AskForExternalIds() {
  const auto ask = [](rocprofiler_thread_id_t, rocprofiler_context_id_t,
                      rocprofiler_external_correlation_id_request_kind_t,
                      rocprofiler_tracing_operation_t, uint64_t, rocprofiler_user_data_t*,
                      void*) { return 1; };
  const auto configure = [](rocprofiler_context_id_t context, int kind, size_t count,
                            rocprofiler_external_correlation_id_request_cb_t callback) {
    const auto one = static_cast<rocprofiler_external_correlation_id_request_kind_t>(kind);
    return rocprofiler_configure_external_correlation_id_request_service(context, &one, count,
                                                                         callback, nullptr);
  };
  const int core = ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_HSA_CORE_API;
  EXPECT_STATUS(ERROR_CONTEXT_NOT_FOUND, configure({5}, core, 1, ask));
  EXPECT_STATUS(ERROR_INVALID_ARGUMENT, configure(tool->context, core, 0, ask));
  EXPECT_STATUS(ERROR_INVALID_ARGUMENT, configure(tool->context, core, 1, nullptr));
  EXPECT_STATUS(ERROR_KIND_NOT_FOUND, configure(tool->context, 0, 1, ask));
  EXPECT_STATUS(ERROR_KIND_NOT_FOUND, configure(tool->context, 99, 1, ask));
  EXPECT_STATUS(
      SUCCESS,
      configure(tool->other, ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_KERNEL_DISPATCH, 1, ask));
  EXPECT_STATUS(SUCCESS, configure(tool->context, core, 1, ask));
  EXPECT_STATUS(ERROR_SERVICE_ALREADY_CONFIGURED, configure(tool->context, core, 1, ask));
}

void PushAndPop() {
  const auto self = static_cast<uint64_t>(getpid());
  rocprofiler_user_data_t value = {7};
  EXPECT_STATUS(ERROR_INVALID_ARGUMENT,
                rocprofiler_push_external_correlation_id(tool->context, self - 1, value));
  EXPECT_STATUS(ERROR_CONTEXT_NOT_FOUND,
                rocprofiler_push_external_correlation_id({5}, self, value));
  EXPECT_STATUS(SUCCESS, rocprofiler_push_external_correlation_id(tool->context, self, value));
  value.value = 0;
  EXPECT_STATUS(SUCCESS, rocprofiler_pop_external_correlation_id(tool->context, self, &value));
  EXPECT_EQ(value.value, 7u);
  EXPECT_STATUS(SUCCESS, rocprofiler_pop_external_correlation_id(tool->context, self, &value));
  EXPECT_EQ(value.value, 0u) << "no value was pushed";
  EXPECT_STATUS(SUCCESS, rocprofiler_pop_external_correlation_id(tool->context, self, nullptr));
  EXPECT_STATUS(ERROR_CONTEXT_NOT_FOUND,
                rocprofiler_pop_external_correlation_id({5}, self, &value));
}

int Initialize(rocprofiler_client_finalize_t finalize, void* data) {
  AskForTables();
  EXPECT_EQ(data, tool);
  EXPECT_EQ(Status(rocprofiler_is_initialized), -1);
  tool->finalize = finalize;
  rocprofiler_context_id_t used = {3};
  EXPECT_STATUS(ERROR_CONTEXT_ID_NOT_ZERO, rocprofiler_create_context(&used));
  EXPECT_STATUS(ERROR_INVALID_ARGUMENT, rocprofiler_create_context(nullptr));
  EXPECT_STATUS(SUCCESS, rocprofiler_create_context(&tool->context));
  EXPECT_STATUS(SUCCESS, rocprofiler_create_context(&tool->other));
  AskForExternalIds();
  AskForThreads();
  MakeBuffers();
  EXPECT_EQ(threads_of_ours, 4) << "before and after each of the two";
  EXPECT_EQ(threads_of_hip, 0);
  ConfigureServices();
  ConfigureEveryKind();
  EXPECT_STATUS(ERROR_CONFIGURATION_LOCKED, rocprofiler_force_configure(nullptr));
  return 0;
}

void Finalize(void* data) {
  EXPECT_EQ(data, tool);
  EXPECT_EQ(Status(rocprofiler_is_finalized), -1);
  ++tool->finalized;
  int active = 1;
  EXPECT_STATUS(SUCCESS, rocprofiler_context_is_active(tool->context, &active));
  EXPECT_EQ(active, 0) << "contexts are stopped first";
  EXPECT_STATUS(SUCCESS, rocprofiler_flush_buffer(tool->buffer));
}

rocprofiler_tool_configure_result_t* Configure(uint32_t version, const char* text,
                                               uint32_t priority, rocprofiler_client_id_t* id) {
  static rocprofiler_tool_configure_result_t result = {sizeof result, Initialize, Finalize, tool};
  EXPECT_EQ(version, uint32_t{ROCPROFILER_VERSION});
  EXPECT_STREQ(text, ROCPROFILER_VERSION_STRING);
  EXPECT_EQ(priority, 0u);
  EXPECT_EQ(id->size, sizeof *id);
  id->name = "test";
  new (&tool->id) rocprofiler_client_id_t(*id);
  ++tool->configured;
  return &result;
}

TEST(Queries, AnswerWithoutATool) {
  uint32_t major = 0, minor = 9, patch = 9;
  EXPECT_STATUS(SUCCESS, rocprofiler_get_version(&major, &minor, &patch));
  rocprofiler_version_triplet_t triplet = {};
  EXPECT_STATUS(SUCCESS, rocprofiler_get_version_triplet(&triplet));
  EXPECT_STATUS(ERROR_INVALID_ARGUMENT, rocprofiler_get_version_triplet(nullptr));
  EXPECT_EQ(std::vector({triplet.major, triplet.minor, triplet.patch}),
            std::vector({major, minor, patch}));
  EXPECT_EQ(ROCPROFILER_SDK_COMPUTE_VERSION(major, minor, patch), uint32_t{ROCPROFILER_VERSION});
  uint64_t before = 0, after = 0, thread = 0;
  EXPECT_STATUS(SUCCESS, rocprofiler_get_timestamp(&before));
  EXPECT_STATUS(SUCCESS, rocprofiler_get_timestamp(&after));
  EXPECT_LE(before, after);
  EXPECT_NE(before, 0u);
  EXPECT_STATUS(ERROR_INVALID_ARGUMENT, rocprofiler_get_timestamp(nullptr));
  std::thread([&] {
    EXPECT_STATUS(SUCCESS, rocprofiler_get_thread_id(&thread));
    EXPECT_EQ(thread, static_cast<uint64_t>(syscall(SYS_gettid)));
  }).join();
  EXPECT_STATUS(ERROR_INVALID_ARGUMENT, rocprofiler_get_thread_id(nullptr));
}

TEST(Queries, OnlyThreadsOfThisProcessHaveExternalNumbers) {
  rocprofiler_user_data_t value = {.value = 7};
  constexpr rocprofiler_context_id_t kNone = {~uint64_t{0}};
  // The first process's thread, and one that does not exist.
  for (const uint64_t other : {uint64_t{1}, uint64_t{0}}) {
    EXPECT_STATUS(ERROR_INVALID_ARGUMENT,
                  rocprofiler_push_external_correlation_id(kNone, other, value));
    EXPECT_STATUS(ERROR_INVALID_ARGUMENT,
                  rocprofiler_pop_external_correlation_id(kNone, other, &value));
  }
  const auto self = static_cast<uint64_t>(syscall(SYS_gettid));
  EXPECT_STATUS(ERROR_CONTEXT_NOT_FOUND,
                rocprofiler_push_external_correlation_id(kNone, self, value));
}

TEST(Queries, EveryStatusHasANameAndASentence) {
  for (int i = 0; i < ROCPROFILER_STATUS_LAST; ++i) {
    const auto status = static_cast<rocprofiler_status_t>(i);
    EXPECT_EQ(std::string(rocprofiler_get_status_name(status)).find("ROCPROFILER_STATUS_"), 0u)
        << i;
    EXPECT_GT(std::string(rocprofiler_get_status_string(status)).size(), 5u) << i;
  }
  EXPECT_STREQ(rocprofiler_get_status_name(ROCPROFILER_STATUS_ERROR_BUFFER_BUSY),
               "ROCPROFILER_STATUS_ERROR_BUFFER_BUSY");
  EXPECT_STREQ(rocprofiler_get_status_name(ROCPROFILER_STATUS_ERROR_PERMISSION_DENIED),
               "ROCPROFILER_STATUS_ERROR_PERMISSION_DENIED");
  EXPECT_EQ(rocprofiler_get_status_name(ROCPROFILER_STATUS_LAST), nullptr);
  EXPECT_EQ(rocprofiler_get_status_string(static_cast<rocprofiler_status_t>(-1)), nullptr);
}

TEST(Queries, KindsAndOperationsHaveTheirNames) {
  const char* name = nullptr;
  uint64_t length = 0;
  EXPECT_STATUS(SUCCESS, rocprofiler_query_buffer_tracing_kind_name(
                             ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH, &name, &length));
  EXPECT_EQ(std::string(name), "KERNEL_DISPATCH");
  EXPECT_EQ(length, 15u);
  EXPECT_STATUS(SUCCESS, rocprofiler_query_callback_tracing_kind_name(
                             ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API, &name, nullptr));
  EXPECT_STREQ(name, "HIP_RUNTIME_API");
  EXPECT_STATUS(SUCCESS, rocprofiler_query_buffer_tracing_kind_operation_name(
                             ROCPROFILER_BUFFER_TRACING_MEMORY_COPY, 3, &name, &length));
  EXPECT_STREQ(name, "MEMORY_COPY_DEVICE_TO_HOST");
  EXPECT_STATUS(SUCCESS, rocprofiler_query_callback_tracing_kind_operation_name(
                             ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API,
                             ROCPROFILER_HIP_RUNTIME_API_ID_hipMalloc, &name, nullptr));
  EXPECT_STREQ(name, "hipMalloc");
  EXPECT_STATUS(SUCCESS, rocprofiler_query_buffer_tracing_kind_operation_name(
                             ROCPROFILER_BUFFER_TRACING_HIP_COMPILER_API_EXT, 3, &name, nullptr));
  EXPECT_STREQ(name, "__hipRegisterFunction");
  EXPECT_STATUS(ERROR_OPERATION_NOT_FOUND,
                rocprofiler_query_buffer_tracing_kind_operation_name(
                    ROCPROFILER_BUFFER_TRACING_MEMORY_COPY, 5, &name, &length));
  EXPECT_STATUS(ERROR_KIND_NOT_FOUND, rocprofiler_query_callback_tracing_kind_name(
                                          ROCPROFILER_CALLBACK_TRACING_LAST, &name, &length));
  EXPECT_EQ(name, nullptr);
  std::vector<int> kinds;
  const auto note = [](rocprofiler_buffer_tracing_kind_t kind, void* data) {
    static_cast<std::vector<int>*>(data)->push_back(kind);
    return kind == ROCPROFILER_BUFFER_TRACING_OMPT ? 1 : 0;
  };
  EXPECT_STATUS(SUCCESS, rocprofiler_iterate_buffer_tracing_kinds(note, &kinds));
  EXPECT_EQ(kinds.size(), size_t{ROCPROFILER_BUFFER_TRACING_OMPT} + 1) << "stopped by the callback";
  EXPECT_STATUS(ERROR_INVALID_ARGUMENT, rocprofiler_iterate_buffer_tracing_kinds(nullptr, nullptr));
}

// The first and the last operation of kinds whose numbers and names are data.
TEST(Queries, OperationsOfOtherLibrariesHaveTheirNames) {
  struct Expected {
    int kind, last;
    const char *first, *name;
  };
  const auto check = [](const Expected& expected, auto query, auto iterate, auto kind) {
    const char* name = nullptr;
    EXPECT_STATUS(SUCCESS, query(kind, 0, &name, nullptr));
    EXPECT_STREQ(name, expected.first);
    EXPECT_STATUS(SUCCESS, query(kind, expected.last, &name, nullptr));
    EXPECT_STREQ(name, expected.name);
    EXPECT_STATUS(ERROR_OPERATION_NOT_FOUND, query(kind, expected.last + 1, &name, nullptr));
    EXPECT_STATUS(ERROR_OPERATION_NOT_FOUND, query(kind, -1, &name, nullptr));
    int count = 0;
    const auto add = [](auto, rocprofiler_tracing_operation_t, void* data) {
      ++*static_cast<int*>(data);
      return 0;
    };
    EXPECT_STATUS(SUCCESS, iterate(kind, add, &count));
    EXPECT_EQ(count, expected.last + 1);
  };
  for (const Expected& expected :
       {Expected{ROCPROFILER_CALLBACK_TRACING_RCCL_API, ROCPROFILER_RCCL_API_ID_ncclCommDeregister,
                 "ncclAllGather", "ncclCommDeregister"},
        Expected{ROCPROFILER_CALLBACK_TRACING_OMPT, ROCPROFILER_OMPT_ID_callback_functions,
                 "omp_thread_begin", "omp_callback_functions"},
        Expected{ROCPROFILER_CALLBACK_TRACING_ROCDECODE_API, 15, "rocDecCreateVideoParser",
                 "rocDecDestroyBitstreamReader"},
        Expected{ROCPROFILER_CALLBACK_TRACING_ROCJPEG_API, 8, "rocJpegStreamCreate",
                 "rocJpegGetErrorName"}}) {
    check(expected, rocprofiler_query_callback_tracing_kind_operation_name,
          rocprofiler_iterate_callback_tracing_kind_operations,
          static_cast<rocprofiler_callback_tracing_kind_t>(expected.kind));
  }
  for (const Expected& expected :
       {Expected{ROCPROFILER_BUFFER_TRACING_RCCL_API, 36, "ncclAllGather", "ncclCommDeregister"},
        Expected{ROCPROFILER_BUFFER_TRACING_OMPT, 30, "omp_thread_begin", "omp_callback_functions"},
        Expected{ROCPROFILER_BUFFER_TRACING_ROCDECODE_API_EXT, 15, "rocDecCreateVideoParser",
                 "rocDecDestroyBitstreamReader"},
        Expected{ROCPROFILER_BUFFER_TRACING_ROCJPEG_API, 8, "rocJpegStreamCreate",
                 "rocJpegGetErrorName"},
        Expected{ROCPROFILER_BUFFER_TRACING_KFD_EVENT_PAGE_MIGRATE,
                 ROCPROFILER_KFD_EVENT_PAGE_MIGRATE_END,
                 "ROCPROFILER_KFD_EVENT_PAGE_MIGRATE_PREFETCH",
                 "ROCPROFILER_KFD_EVENT_PAGE_MIGRATE_END"},
        Expected{ROCPROFILER_BUFFER_TRACING_KFD_EVENT_PAGE_FAULT, 4,
                 "ROCPROFILER_KFD_EVENT_PAGE_FAULT_START",
                 "ROCPROFILER_KFD_EVENT_PAGE_FAULT_END_PAGE_UPDATED"},
        Expected{ROCPROFILER_BUFFER_TRACING_KFD_EVENT_QUEUE, 7,
                 "ROCPROFILER_KFD_EVENT_QUEUE_EVICT_SVM", "ROCPROFILER_KFD_EVENT_QUEUE_RESTORE"},
        Expected{ROCPROFILER_BUFFER_TRACING_KFD_EVENT_UNMAP_FROM_GPU, 2,
                 "ROCPROFILER_KFD_EVENT_UNMAP_FROM_GPU_MMU_NOTIFY",
                 "ROCPROFILER_KFD_EVENT_UNMAP_FROM_GPU_UNMAP_FROM_CPU"},
        Expected{ROCPROFILER_BUFFER_TRACING_KFD_EVENT_DROPPED_EVENTS, 0,
                 "ROCPROFILER_KFD_EVENT_DROPPED_EVENTS", "ROCPROFILER_KFD_EVENT_DROPPED_EVENTS"},
        Expected{ROCPROFILER_BUFFER_TRACING_KFD_PAGE_MIGRATE, 3,
                 "ROCPROFILER_KFD_PAGE_MIGRATE_PREFETCH",
                 "ROCPROFILER_KFD_PAGE_MIGRATE_TTM_EVICTION"},
        Expected{ROCPROFILER_BUFFER_TRACING_KFD_PAGE_FAULT, 3,
                 "ROCPROFILER_KFD_PAGE_FAULT_READ_FAULT_MIGRATED",
                 "ROCPROFILER_KFD_PAGE_FAULT_WRITE_FAULT_UPDATED"},
        Expected{ROCPROFILER_BUFFER_TRACING_KFD_QUEUE, ROCPROFILER_KFD_QUEUE_EVICT_CRIU_RESTORE,
                 "ROCPROFILER_KFD_QUEUE_EVICT_SVM", "ROCPROFILER_KFD_QUEUE_EVICT_CRIU_RESTORE"}}) {
    check(expected, rocprofiler_query_buffer_tracing_kind_operation_name,
          rocprofiler_iterate_buffer_tracing_kind_operations,
          static_cast<rocprofiler_buffer_tracing_kind_t>(expected.kind));
  }
}

TEST(Queries, AgentsComeInOneCallWithoutAGpu) {
  const auto take = [](rocprofiler_agent_version_t version, const void** agents, size_t count,
                       void* data) {
    EXPECT_EQ(version, ROCPROFILER_AGENT_INFO_VERSION_0);
    for (size_t i = 0; i < count; ++i)
      static_cast<std::vector<const rocprofiler_agent_t*>*>(data)->push_back(
          static_cast<const rocprofiler_agent_t*>(agents[i]));
    return ROCPROFILER_STATUS_ERROR_AGENT_MISMATCH;
  };
  std::vector<const rocprofiler_agent_t*> agents;
  const auto version = ROCPROFILER_AGENT_INFO_VERSION_0;
  EXPECT_STATUS(ERROR_AGENT_MISMATCH, rocprofiler_query_available_agents(
                                          version, take, sizeof(rocprofiler_agent_t), &agents))
      << "the callback's result is returned";
  ASSERT_GE(agents.size(), 1u);
  EXPECT_EQ(agents[0]->type, ROCPROFILER_AGENT_TYPE_CPU);
  EXPECT_EQ(agents[0]->size, sizeof(rocprofiler_agent_t));
  EXPECT_GT(agents[0]->cpu_cores_count, 0u);
  EXPECT_STATUS(
      ERROR_INVALID_ARGUMENT,
      rocprofiler_query_available_agents(version, nullptr, sizeof(rocprofiler_agent_t), nullptr));
  EXPECT_STATUS(ERROR_INCOMPATIBLE_ABI,
                rocprofiler_query_available_agents(version, take, 10'000, nullptr));
  EXPECT_STATUS(
      ERROR_INCOMPATIBLE_ABI,
      rocprofiler_query_available_agents(ROCPROFILER_AGENT_INFO_VERSION_NONE, take, 312, nullptr));
}

// Clients of ROCm 7.0's headers: their agent is a prefix of ours, and their record of scratch
// memory lacks our last member.
constexpr size_t kAgentOf70 = 304;
constexpr size_t kScratchRecordOf70 = 88;
static_assert(offsetof(rocprofiler_agent_t, uuid) + sizeof(uint64_t) == kAgentOf70);
static_assert(offsetof(rocprofiler_buffer_tracing_scratch_memory_record_t, allocation_size) ==
              kScratchRecordOf70);

TEST(Queries, AgentsOfTheShorterLayoutAreTheBeginningOfTheLongerOne) {
  const auto take = [](rocprofiler_agent_version_t, const void** agents, size_t count, void* data) {
    for (size_t i = 0; i < count; ++i) {
      std::string bytes(kAgentOf70, '\0');
      memcpy(bytes.data(), agents[i], kAgentOf70);
      static_cast<std::vector<std::string>*>(data)->push_back(bytes);
    }
    return ROCPROFILER_STATUS_SUCCESS;
  };
  const auto version = ROCPROFILER_AGENT_INFO_VERSION_0;
  std::vector<std::string> shorter, longer;
  EXPECT_STATUS(SUCCESS, rocprofiler_query_available_agents(version, take, kAgentOf70, &shorter));
  EXPECT_STATUS(SUCCESS, rocprofiler_query_available_agents(version, take,
                                                            sizeof(rocprofiler_agent_t), &longer));
  ASSERT_GE(shorter.size(), 1u);
  EXPECT_EQ(shorter, longer);
}

void AfterInitialization() {
  PushAndPop();
  EXPECT_STATUS(ERROR_CONFIGURATION_LOCKED, rocprofiler_at_intercept_table_registration(
                                                NoTables, ROCPROFILER_HSA_TABLE, nullptr));
  rocprofiler_context_id_t late = {};
  rocprofiler_buffer_id_t buffer = {};
  EXPECT_STATUS(ERROR_CONFIGURATION_LOCKED, rocprofiler_create_context(&late));
  EXPECT_STATUS(ERROR_CONFIGURATION_LOCKED,
                MakeBuffer(tool->context, 1, ROCPROFILER_BUFFER_POLICY_DISCARD, &buffer));
  EXPECT_STATUS(ERROR_CONFIGURATION_LOCKED,
                Buffered(tool->other, ROCPROFILER_BUFFER_TRACING_MEMORY_COPY, tool->buffer));
  EXPECT_STATUS(ERROR_CONFIGURATION_LOCKED, rocprofiler_force_configure(Configure));
  int answer = 7;
  EXPECT_STATUS(SUCCESS, rocprofiler_context_is_valid(tool->context, &answer));
  EXPECT_EQ(answer, 1);
  EXPECT_STATUS(ERROR_CONTEXT_NOT_FOUND,
                rocprofiler_context_is_valid({tool->buffer.handle}, &answer));
  EXPECT_EQ(answer, 0);
  EXPECT_STATUS(ERROR_CONTEXT_NOT_FOUND, rocprofiler_context_is_active({0}, &answer));
  EXPECT_STATUS(ERROR_CONTEXT_NOT_FOUND, rocprofiler_start_context({0}));
  EXPECT_STATUS(ERROR_CONTEXT_NOT_FOUND, rocprofiler_stop_context(tool->context))
      << "it is not started";
  EXPECT_STATUS(SUCCESS, rocprofiler_start_context(tool->context));
  EXPECT_STATUS(SUCCESS, rocprofiler_start_context(tool->context)) << "a second time";
  EXPECT_STATUS(SUCCESS, rocprofiler_context_is_active(tool->context, &answer));
  EXPECT_EQ(answer, 1);
  EXPECT_STATUS(SUCCESS, rocprofiler_flush_buffer(tool->buffer));
  EXPECT_STATUS(ERROR_BUFFER_NOT_FOUND, rocprofiler_flush_buffer({0}));
  EXPECT_STATUS(ERROR_BUFFER_NOT_FOUND, rocprofiler_destroy_buffer({tool->context.handle}));
}

TEST(Library, GoesThroughItsStates) {
  tool = new Tool;  // found again at exit, when Finalize must not be called a second time
  EXPECT_EQ(Status(rocprofiler_is_initialized), 0);
  EXPECT_EQ(Status(rocprofiler_is_finalized), 0);
  EXPECT_STATUS(ERROR_INVALID_ARGUMENT, rocprofiler_is_initialized(nullptr));
  rocprofiler_context_id_t early = {};
  EXPECT_STATUS(ERROR_CONFIGURATION_LOCKED, rocprofiler_create_context(&early));

  EXPECT_STATUS(SUCCESS, rocprofiler_force_configure(Configure));
  EXPECT_EQ(tool->configured, 1);
  EXPECT_EQ(Status(rocprofiler_is_initialized), 1);
  AfterInitialization();

  tool->finalize(tool->id);
  EXPECT_EQ(tool->finalized, 1);
  tool->finalize(tool->id);
  EXPECT_EQ(tool->finalized, 1) << "once";
  EXPECT_EQ(Status(rocprofiler_is_finalized), 1);
  EXPECT_STATUS(ERROR_CONFIGURATION_LOCKED, rocprofiler_start_context(tool->context));
  EXPECT_STATUS(SUCCESS, rocprofiler_stop_context(tool->context));
  EXPECT_STATUS(ERROR_FINALIZED, rocprofiler_flush_buffer(tool->buffer));
}

// The output of a process with this real user and the effective user root, for a tool that is named
// to it.
std::string SaidWithANamedTool(uid_t real) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    setenv("ROCP_TOOL_LIBRARIES", SECOND_TOOL, 1);
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
    const int null = open("/dev/null", O_WRONLY);  // its own test covers a second tool
    if (dup2(null, 1) < 0 || dup2(ends[1], 2) < 0 || setresuid(real, 0, 0) != 0) _exit(98);
    execl("/proc/self/exe", "sdk_library_test", "--gtest_filter=Library.GoesThroughItsStates",
          "--gtest_output=", nullptr);
    _exit(99);
  }
  close(ends[1]);
  std::string said;
  char text[512];
  for (ssize_t got; (got = read(ends[0], text, sizeof text)) > 0;) {
    said.append(text, static_cast<size_t>(got));
  }
  close(ends[0]);
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) < 98) << said;
  return said;
}

// exec sets AT_SECURE when the effective user is not the real one.
TEST(Library, LoadsNoToolIntoAProgramWithTheRightsOfAnotherUser) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can start such a program";
  constexpr uid_t kNobody = 65534;
  EXPECT_EQ(SaidWithANamedTool(kNobody).find("second: configure"), std::string::npos);
  EXPECT_NE(SaidWithANamedTool(0).find("second: configure"), std::string::npos);
}

}  // namespace
