// SPDX-License-Identifier: MIT
#include "sdk/counting.h"

#include <stdlib.h>
#include <string.h>

#include <new>

#include "base/environment.h"
#include "base/log.h"
#include "base/thread_state.h"
#include "capture/queue/traced_queue.h"
#include "sdk/ids.h"

namespace rtl::sdk {
namespace {

using capture::CounterSet;
using capture::CounterValue;

// What stands in a buffer: the record behind what every record there begins with.
template <typename Record>
struct Enveloped {
  uint64_t size = sizeof(Enveloped);
  uint64_t kind;
  Record record;
};

template <typename Record>
void Append(Buffer* buffer, uint32_t kind, const Record& record) {
  Enveloped<Record> enveloped;
  enveloped.kind = Buffer::kCounterRecord | kind;
  enveloped.record = record;
  buffer->Append(enveloped);
}

}  // namespace

void Counting::Open() { tickets_.Open(sizeof(Ticket)); }

rocprofiler_status_t Counting::Configure(const Context& context, const Service& service) {
  Service& mine = services_[&context - &contexts_->at(0)];
  if (mine.dispatch != nullptr) return ROCPROFILER_STATUS_ERROR_SERVICE_ALREADY_CONFIGURED;
  mine = service;
  asked_.store(true, std::memory_order_release);
  return ROCPROFILER_STATUS_SUCCESS;
}

bool Counting::Conflicts(const Context& context) const {
  if (services_[&context - &contexts_->at(0)].dispatch == nullptr) return false;
  for (uint32_t i = 0; i < contexts_->count(); ++i) {
    const Context& other = contexts_->at(i);
    if (&other != &context && other.active() && services_[i].dispatch != nullptr) return true;
  }
  return false;
}

Counting::Config* Counting::Find(rocprofiler_counter_config_id_t id) {
  const uint32_t count = config_count_.load(std::memory_order_acquire);
  const uint32_t index = IndexOf(HandleKind::kConfig, id.handle, count);
  return index == count || configs_[index]->agent == 0 ? nullptr : configs_[index];
}

// How many events of each block, against how many the block can count.
rocprofiler_status_t Counting::FitsTogether(const rocprofiler_agent_t& agent,
                                            const CounterSet& set) {
  if (const Status opened = library_.Open(EnvironmentValue("RTL_AQLPROFILE")); !opened.ok()) {
    Warn("counters are not available: %s", opened.message());
    return ROCPROFILER_STATUS_ERROR_NOT_AVAILABLE;
  }
  capture::CounterAgentInfo info;
  strncpy(info.name, agent.name, sizeof info.name - 1);
  info.xcc = agent.num_xcc;
  info.engines = agent.num_shader_banks;
  info.compute_units = agent.cu_count;
  info.arrays_per_engine = agent.simd_arrays_per_engine;
  capture::AqlProfile::Agent handle;
  if (!library_.Register(info, &handle)) return ROCPROFILER_STATUS_ERROR_AGENT_ARCH_NOT_SUPPORTED;
  for (uint32_t i = 0; i < set.count; ++i) {
    capture::AqlProfile::Block block;
    if (!library_.FindBlock(handle, set.events[i].block, &block))
      return ROCPROFILER_STATUS_ERROR_METRIC_NOT_VALID_FOR_AGENT;
    uint32_t wanted = 0;
    for (uint32_t j = 0; j < set.count; ++j) {
      if (strcmp(set.events[i].block, set.events[j].block) == 0) ++wanted;
    }
    const capture::AqlProfile::Event event = {0, set.events[i].event, 0, block.id};
    if (!library_.IsValid(handle, event))
      return ROCPROFILER_STATUS_ERROR_METRIC_NOT_VALID_FOR_AGENT;
    const uint32_t room = library_.CountersOf(handle, event);
    if (room != 0 && wanted > room) return ROCPROFILER_STATUS_ERROR_EXCEEDS_HW_LIMIT;
  }
  return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t Counting::Fill(const rocprofiler_agent_t& agent,
                                    const rocprofiler_counter_id_t* counters, size_t count,
                                    Config* config) {
  const CountableGpu* const gpu = FindCountableGpu(agent.name);
  if (gpu == nullptr) return ROCPROFILER_STATUS_ERROR_AGENT_ARCH_NOT_SUPPORTED;
  CounterSet& set = config->set;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t number = counters[i].handle;
    if (number == 0 || number > kBasicCounterCount)
      return ROCPROFILER_STATUS_ERROR_COUNTER_NOT_FOUND;
    bool known = false;
    for (uint32_t j = 0; j < set.count; ++j) known |= config->counters[j] == number;
    if (known) continue;
    if (set.count == CounterSet::kMost) return ROCPROFILER_STATUS_ERROR_EXCEEDS_HW_LIMIT;
    const BasicCounter& counter = kBasicCounters[number - 1];
    capture::CounterEvent& event = set.events[set.count];
    strncpy(event.block, counter.block, sizeof event.block - 1);
    event.event = NumberOn(*gpu, counter);
    config->counters[set.count++] = static_cast<uint32_t>(number);
  }
  const MutexLock lock(mutex_);
  return FitsTogether(agent, set);
}

rocprofiler_status_t Counting::CreateConfig(const rocprofiler_agent_t* agent,
                                            const rocprofiler_counter_id_t* counters, size_t count,
                                            rocprofiler_counter_config_id_t* id) {
  if (id == nullptr || (counters == nullptr && count != 0))
    return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  if (agent == nullptr) return ROCPROFILER_STATUS_ERROR_AGENT_NOT_FOUND;
  void* const memory = malloc(sizeof(Config));
  if (memory == nullptr) return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
  auto* const config = new (memory) Config;
  rocprofiler_status_t status = ROCPROFILER_STATUS_SUCCESS;
  if (id->handle != 0) {
    const Config* const base = Find(*id);
    if (base == nullptr) {
      status = ROCPROFILER_STATUS_ERROR_PROFILE_COUNTER_NOT_FOUND;
    } else if (base->agent != agent->id.handle) {
      status = ROCPROFILER_STATUS_ERROR_AGENT_MISMATCH;
    } else {
      *config = *base;
    }
  }
  config->agent = agent->id.handle;
  if (status == ROCPROFILER_STATUS_SUCCESS) status = Fill(*agent, counters, count, config);
  if (status != ROCPROFILER_STATUS_SUCCESS) {
    free(memory);
    return status;
  }
  const MutexLock lock(mutex_);
  const uint32_t index = config_count_.load(std::memory_order_relaxed);
  if (index == kMostConfigs) {
    free(memory);
    return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
  }
  configs_[index] = config;
  config_count_.store(index + 1, std::memory_order_release);  // publishes it to Find
  id->handle = MakeHandle(HandleKind::kConfig, index);
  return ROCPROFILER_STATUS_SUCCESS;
}

// Kernels in flight may have it: it is forgotten, and kept.
rocprofiler_status_t Counting::DestroyConfig(rocprofiler_counter_config_id_t id) {
  Config* const config = Find(id);
  if (config == nullptr) return ROCPROFILER_STATUS_ERROR_PROFILE_COUNTER_NOT_FOUND;
  config->agent = 0;
  return ROCPROFILER_STATUS_SUCCESS;
}

const CounterSet* Counting::Choose(const DispatchRecord& kernel,
                                   const capture::QueueIdentity& queue, uint64_t* token) {
  for (uint32_t i = 0; i < contexts_->count(); ++i) {
    const Context& context = contexts_->at(i);
    const Service& service = services_[i];
    if (service.dispatch == nullptr || !context.active()) continue;
    rocprofiler_dispatch_counting_service_data_t data = {};
    data.size = sizeof data;
    data.correlation_id.internal = kernel.correlation;
    data.correlation_id.external.value = context.external.Current(kernel.head.thread);
    data.dispatch_info = async_->InfoOf(kernel, queue, async_->DispatchOf(kernel));
    rocprofiler_counter_config_id_t id = {};
    rocprofiler_user_data_t user = {};
    {
      const ToolCall call(context);
      if (call.allowed()) service.dispatch(data, &id, &user, service.dispatch_data);
    }
    const Config* const config = id.handle == 0 ? nullptr : Find(id);
    if (config == nullptr || config->agent != data.dispatch_info.agent_id.handle) continue;
    const uint32_t number = tickets_.Take();
    if (number == 0) {
      if (service.buffer != nullptr) service.buffer->CountDropped(1);
      continue;
    }
    *static_cast<Ticket*>(tickets_.At(number)) = {i, config, data, user};
    *token = number;
    return &config->set;
  }
  return nullptr;
}

void Counting::Counted(uint64_t token, const DispatchRecord& kernel, const capture::QueueIdentity&,
                       const CounterValue* values, uint32_t count) {
  const auto number = static_cast<uint32_t>(token);
  Ticket* const ticket = static_cast<Ticket*>(tickets_.At(number));
  ticket->data.start_timestamp = kernel.start;
  ticket->data.end_timestamp = kernel.end;
  Deliver(*ticket, values, count);
  tickets_.Give(number);
}

void Counting::Deliver(const Ticket& ticket, const CounterValue* values, uint32_t count) const {
  const Context& context = contexts_->at(ticket.context);
  const Service& service = services_[ticket.context];
  const rocprofiler_dispatch_counting_service_data_t& data = ticket.data;
  auto* const records = static_cast<rocprofiler_counter_record_t*>(
      calloc(count + 1, sizeof(rocprofiler_counter_record_t)));
  if (records == nullptr) {
    if (service.buffer != nullptr) service.buffer->CountDropped(1);
    return;
  }
  for (uint32_t i = 0; i < count; ++i) {
    rocprofiler_counter_record_t& record = records[i];
    record.id = uint64_t{ticket.config->counters[values[i].event]} << kPositionsBits;
    for (uint32_t d = 1; d < capture::kCounterDimensions; ++d)
      record.id |= uint64_t{values[i].position[d]} << (d - 1) * kPositionBits;
    record.counter_value = static_cast<double>(values[i].value);
    record.dispatch_id = data.dispatch_info.dispatch_id;
    record.user_data = ticket.user;
    record.agent_id = data.dispatch_info.agent_id;
  }
  if (service.buffer != nullptr) {
    rocprofiler_dispatch_counting_service_record_t header = {};
    header.size = sizeof header;
    header.num_records = count;
    header.correlation_id = data.correlation_id;
    header.start_timestamp = data.start_timestamp;
    header.end_timestamp = data.end_timestamp;
    header.dispatch_info = data.dispatch_info;
    Append(service.buffer, ROCPROFILER_COUNTER_RECORD_PROFILE_COUNTING_DISPATCH_HEADER, header);
    for (uint32_t i = 0; i < count; ++i)
      Append(service.buffer, ROCPROFILER_COUNTER_RECORD_VALUE, records[i]);
  } else {
    const ToolCall call(context);
    if (call.allowed()) service.record(data, records, count, ticket.user, service.record_data);
  }
  free(records);
}

void Counting::NotCounted(uint64_t token, Loss) {
  const auto number = static_cast<uint32_t>(token);
  const Service& service = services_[static_cast<Ticket*>(tickets_.At(number))->context];
  if (service.buffer != nullptr) service.buffer->CountDropped(1);
  tickets_.Give(number);
}

}  // namespace rtl::sdk
