// SPDX-License-Identifier: MIT
#include "sdk/counting/device_counts.h"

#include <pthread.h>
#include <stdlib.h>

#include <new>

#include "base/clock.h"
#include "base/environment.h"
#include "base/log.h"
#include "base/own_thread.h"
#include "base/thread_state.h"

namespace rtl::sdk {
namespace {

struct Search {
  const capture::HsaApi* api;
  uint32_t node;
  hsa_agent_t found;
};

hsa_status_t OnAgent(hsa_agent_t agent, void* data) {
  auto* const search = static_cast<Search*>(data);
  uint32_t node = UINT32_MAX;
  if (search->api->agent_get_info(agent, HSA_AGENT_INFO_NODE, &node) != HSA_STATUS_SUCCESS ||
      node != search->node)
    return HSA_STATUS_SUCCESS;
  search->found = agent;
  return HSA_STATUS_INFO_BREAK;
}

}  // namespace

rocprofiler_status_t DeviceCounts::Configure(const Context& context, Buffer* buffer,
                                             const rocprofiler_agent_t& agent,
                                             rocprofiler_device_counting_service_cb_t callback,
                                             void* data) {
  Service& service = Of(context);
  for (uint32_t i = 0; i < service.count; ++i) {
    if (service.agents[i].id.handle == agent.id.handle)
      return ROCPROFILER_STATUS_ERROR_SERVICE_ALREADY_CONFIGURED;
  }
  if (service.count == kMostAgents) return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
  Agent& added = service.agents[service.count++];
  added.id = agent.id;
  added.node = agent.node_id;
  added.buffer = buffer;
  added.callback = callback;
  added.data = data;
  asked_.store(true, std::memory_order_release);
  return ROCPROFILER_STATUS_SUCCESS;
}

void DeviceCounts::RuntimeReady(const capture::HsaApi& api, void* root_table) {
  if (!asked()) return;
  const MutexLock lock(mutex_);
  api_ = &api;
  root_table_ = root_table;
}

void DeviceCounts::RuntimeGone() {
  if (!asked()) return;
  Drain();
  const MutexLock lock(mutex_);
  for (Service& service : services_) {
    service.state.store(State::kOff, std::memory_order_release);
    for (uint32_t i = 0; i < service.count; ++i) {
      if (service.agents[i].counter != nullptr) service.agents[i].counter->Close();
      service.agents[i].plan = nullptr;
    }
  }
  memory_.Close();
  api_ = nullptr;
}

bool DeviceCounts::OpenCounter(Agent* agent) {
  if (!library_.open()) {
    Status opened = library_.Open(EnvironmentValue("RTL_AQLPROFILE"));
    if (opened.ok()) opened = memory_.Open(*api_, root_table_);
    if (!opened.ok()) {
      Warn("counters are not available: %s", opened.message());
      return false;
    }
  }
  if (values_ == nullptr)
    values_ = static_cast<capture::CounterValue*>(calloc(kMostValues, sizeof *values_));
  Search search = {api_, agent->node, {}};
  (void)api_->iterate_agents(OnAgent, &search);  // an iteration that OnAgent stopped is no failure
  void* const memory = values_ == nullptr || search.found.handle == 0
                           ? nullptr
                           : malloc(sizeof(capture::DeviceCounter));
  if (memory == nullptr) return false;
  agent->counter = new (memory) capture::DeviceCounter;
  return agent->counter->Open(&library_, &memory_, api_, search.found);
}

bool DeviceCounts::Begin(Agent* agent) {
  const ReentryGuard guard;
  if (agent->counter == nullptr && !OpenCounter(agent)) return false;
  return agent->counter->open() && agent->counter->Start(&agent->plan->set());
}

rocprofiler_status_t DeviceCounts::Start(const Context& context) {
  Service& service = Of(context);
  if (service.count == 0 || service.state.load(std::memory_order_acquire) == State::kOn)
    return ROCPROFILER_STATUS_SUCCESS;
  {
    const MutexLock lock(mutex_);
    if (api_ == nullptr) return ROCPROFILER_STATUS_ERROR_HSA_NOT_LOADED;
  }
  State off = State::kOff;
  if (!service.state.compare_exchange_strong(off, State::kStarting, std::memory_order_acq_rel))
    return ROCPROFILER_STATUS_ERROR_SERVICE_ALREADY_CONFIGURED;
  rocprofiler_status_t status = ROCPROFILER_STATUS_SUCCESS;
  for (uint32_t i = 0; i < service.count; ++i) {
    Agent& agent = service.agents[i];
    agent.plan = nullptr;
    const ToolCall call(context);
    if (!call.allowed()) continue;
    ToolCall::Run([&] { agent.callback(context.id, agent.id, SetDeviceCounts, agent.data); });
  }
  const MutexLock lock(mutex_);
  if (api_ == nullptr) {  // the runtime was unloaded meanwhile
    service.state.store(State::kOff, std::memory_order_release);
    return ROCPROFILER_STATUS_ERROR_HSA_NOT_LOADED;
  }
  for (uint32_t i = 0; i < service.count; ++i) {
    Agent& agent = service.agents[i];
    if (agent.plan == nullptr || Begin(&agent)) continue;
    agent.plan = nullptr;
    status = ROCPROFILER_STATUS_ERROR_NO_PROFILE_QUEUE;
  }
  service.state.store(State::kOn, std::memory_order_release);
  return status;
}

void DeviceCounts::Stop(const Context& context) {
  Service& service = Of(context);
  if (service.count == 0) return;
  Drain();
  const MutexLock lock(mutex_);
  State on = State::kOn;
  if (!service.state.compare_exchange_strong(on, State::kOff, std::memory_order_acq_rel)) return;
  for (uint32_t i = 0; i < service.count; ++i) {
    if (service.agents[i].plan != nullptr) service.agents[i].counter->Stop();
    service.agents[i].plan = nullptr;
  }
}

rocprofiler_status_t DeviceCounts::Choose(const Context& context,
                                          rocprofiler_counter_config_id_t id) {
  Service& service = Of(context);
  if (service.count == 0) return ROCPROFILER_STATUS_ERROR_CONTEXT_INVALID;
  uint64_t agent = 0;
  const counters::Plan* const plan = counting_->PlanOf(id, &agent);
  if (plan == nullptr) return ROCPROFILER_STATUS_ERROR_PROFILE_COUNTER_NOT_FOUND;
  if (service.state.load(std::memory_order_acquire) != State::kStarting)
    return ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED;
  for (uint32_t i = 0; i < service.count; ++i) {
    if (service.agents[i].id.handle != agent) continue;
    service.agents[i].plan = plan;
    return ROCPROFILER_STATUS_SUCCESS;
  }
  return ROCPROFILER_STATUS_ERROR_AGENT_MISMATCH;
}

// Reads the values of every agent of the context, one agent after the other.
rocprofiler_status_t DeviceCounts::SampleAll(Service* service, rocprofiler_user_data_t user,
                                             rocprofiler_counter_record_t* out, size_t* count) {
  const ReentryGuard guard;
  size_t total = 0;
  for (uint32_t i = 0; i < service->count; ++i) {
    const Agent& agent = service->agents[i];
    if (agent.plan == nullptr) continue;
    const uint32_t got = agent.counter->Sample(values_, kMostValues);
    if (got == UINT32_MAX) return ROCPROFILER_STATUS_ERROR;
    rocprofiler_counter_record_t* records = nullptr;
    const uint32_t made = Counting::MakeRecords(*agent.plan, values_, got, &arena_, &records);
    if (records == nullptr) return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
    for (uint32_t j = 0; j < made; ++j) {
      records[j].user_data = user;
      records[j].agent_id = agent.id;
      if (agent.buffer != nullptr) Counting::AppendValue(agent.buffer, records[j]);
      if (out != nullptr && total + j < *count) out[total + j] = records[j];
    }
    free(records);
    total += made;
  }
  if (out == nullptr) return ROCPROFILER_STATUS_SUCCESS;
  const bool fits = total <= *count;
  *count = total;
  return fits ? ROCPROFILER_STATUS_SUCCESS : ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
}

rocprofiler_status_t DeviceCounts::Sample(const Context& context, rocprofiler_user_data_t user,
                                          bool wait, rocprofiler_counter_record_t* out,
                                          size_t* count) {
  Service& service = Of(context);
  if (service.count == 0) return ROCPROFILER_STATUS_ERROR_CONTEXT_INVALID;
  if (!wait) {
    if (!has_thread_) return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
    pthread_mutex_lock(&requests_mutex_);
    const bool room = waiting_ < kMostRequests;
    if (room) requests_[(first_ + waiting_++) % kMostRequests] = {&context, user};
    pthread_cond_signal(&requests_changed_);
    pthread_mutex_unlock(&requests_mutex_);
    return room ? ROCPROFILER_STATUS_SUCCESS : ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
  }
  const MutexLock lock(mutex_);
  if (service.state.load(std::memory_order_acquire) != State::kOn)
    return ROCPROFILER_STATUS_ERROR_CONTEXT_ERROR;
  return SampleAll(&service, user, out, count);
}

bool DeviceCounts::StartThread() {
  if (has_thread_) return true;
  pthread_t thread;
  has_thread_ = StartOwnThread("rtl-samples", Main, this, &thread).ok();
  return has_thread_;
}

void* DeviceCounts::Main(void* self) {
  static_cast<DeviceCounts*>(self)->Run();
  return nullptr;
}

void DeviceCounts::Run() {
  const ReentryGuard guard;
  for (;;) {
    pthread_mutex_lock(&requests_mutex_);
    while (waiting_ == 0) pthread_cond_wait(&requests_changed_, &requests_mutex_);
    const Request request = requests_[first_];
    pthread_mutex_unlock(&requests_mutex_);
    // If the context was stopped meanwhile, it has no values any more.
    (void)Sample(*request.context, request.user, true, nullptr, nullptr);
    pthread_mutex_lock(&requests_mutex_);
    first_ = (first_ + 1) % kMostRequests;
    if (--waiting_ == 0) pthread_cond_broadcast(&requests_done_);
    pthread_mutex_unlock(&requests_mutex_);
  }
}

void DeviceCounts::Drain() {
  const timespec limit = RealtimeAfter(capture::DeviceCounter::kLimitNs);
  pthread_mutex_lock(&requests_mutex_);
  while (waiting_ != 0 && pthread_cond_timedwait(&requests_done_, &requests_mutex_, &limit) == 0) {
  }
  pthread_mutex_unlock(&requests_mutex_);
}

}  // namespace rtl::sdk
