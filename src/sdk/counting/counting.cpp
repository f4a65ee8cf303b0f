// SPDX-License-Identifier: MIT
#include "sdk/counting/counting.h"

#include <stdlib.h>
#include <string.h>

#include <new>

#include "base/environment.h"
#include "base/log.h"
#include "base/thread_state.h"
#include "capture/queue/traced_queue.h"
#include "counters/words.h"
#include "sdk/contexts/ids.h"

namespace rtl::sdk {
namespace {

using capture::CounterSet;
using capture::CounterValue;
using counters::Definition;
using counters::Definitions;
using counters::PlanError;

}  // namespace

void Counting::Open() { tickets_.Open(sizeof(Ticket)); }

rocprofiler_status_t Counting::Configure(const Context& context, const Service& service) {
  Service& mine = services_[contexts_->NumberOf(context)];
  if (mine.dispatch != nullptr) return ROCPROFILER_STATUS_ERROR_SERVICE_ALREADY_CONFIGURED;
  mine = service;
  asked_.store(true, std::memory_order_release);
  return ROCPROFILER_STATUS_SUCCESS;
}

bool Counting::Conflicts(const Context& context) const {
  if (!Has(context)) return false;
  for (const Context& other : *contexts_) {
    if (&other != &context && other.active() && Has(other)) return true;
  }
  return false;
}

Counting::Config* Counting::Find(rocprofiler_counter_config_id_t id) {
  const uint32_t count = config_count_.load(std::memory_order_acquire);
  const uint32_t index = IndexOf(HandleKind::kConfig, id.handle, count);
  return index == count || configs_[index]->agent == 0 ? nullptr : configs_[index];
}

rocprofiler_status_t Counting::GpuOf(const rocprofiler_agent_t& agent, Gpu** out) {
  if (const Status opened = library_.Open(EnvironmentValue("RTL_AQLPROFILE")); !opened.ok()) {
    Warn("counters are not available: %s", opened.message());
    return ROCPROFILER_STATUS_ERROR_NOT_AVAILABLE;
  }
  for (Gpu*& gpu : gpus_) {
    if (gpu != nullptr && gpu->agent != agent.id.handle) continue;
    *out = gpu;
    if (gpu != nullptr) return ROCPROFILER_STATUS_SUCCESS;
    counters::CounterAgentInfo info;
    strncpy(info.name, agent.name, sizeof info.name - 1);
    info.xcc = agent.num_xcc;
    info.engines = agent.num_shader_banks;
    info.compute_units = agent.cu_count;
    info.arrays_per_engine = agent.simd_arrays_per_engine;
    void* const memory = malloc(sizeof(Gpu));
    if (memory == nullptr) return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
    auto* const made = new (memory) Gpu;
    if (!library_.Register(info, &made->handle)) {
      free(memory);
      return ROCPROFILER_STATUS_ERROR_AGENT_ARCH_NOT_SUPPORTED;
    }
    made->agent = agent.id.handle;
    made->facts.Open(agent.node_id, &library_, made->handle);
    *out = gpu = made;
    return ROCPROFILER_STATUS_SUCCESS;
  }
  return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
}

rocprofiler_status_t Counting::FitsTogether(const Gpu& gpu, const CounterSet& set) {
  switch (library_.Fits(gpu.handle, set).kind) {
    case counters::AqlProfile::Fit::kYes:
      return ROCPROFILER_STATUS_SUCCESS;
    case counters::AqlProfile::Fit::kTooMany:
      return ROCPROFILER_STATUS_ERROR_EXCEEDS_HW_LIMIT;
    default:
      return ROCPROFILER_STATUS_ERROR_METRIC_NOT_VALID_FOR_AGENT;
  }
}

rocprofiler_status_t Counting::Fill(const rocprofiler_agent_t& agent,
                                    const rocprofiler_counter_id_t* ids, size_t count,
                                    Config* config) {
  const Definitions& known = *counters::KnownDefinitions();
  if (!known.KnowsGpu(agent.name)) return ROCPROFILER_STATUS_ERROR_AGENT_ARCH_NOT_SUPPORTED;
  Gpu* gpu = nullptr;
  if (const rocprofiler_status_t status = GpuOf(agent, &gpu); status != ROCPROFILER_STATUS_SUCCESS)
    return status;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t number = ids[i].handle;
    if (number == 0 || number > known.count()) return ROCPROFILER_STATUS_ERROR_COUNTER_NOT_FOUND;
    const Definition& counter = known.at(static_cast<uint32_t>(number));
    if (!counter.Knows(agent.name)) return ROCPROFILER_STATUS_ERROR_METRIC_NOT_VALID_FOR_AGENT;
    Status why = Status::Ok();
    const PlanError error = config->plan.Add(known, agent.name, counter, &gpu->facts, &why);
    if (error == PlanError::kExpression) Warn("counters of %s: %s", agent.name, why.message());
    if (error == PlanError::kExpression) return ROCPROFILER_STATUS_ERROR_AST_GENERATION_FAILED;
    if (error == PlanError::kTooMany) return ROCPROFILER_STATUS_ERROR_EXCEEDS_HW_LIMIT;
    if (error != PlanError::kNone) return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
  }
  config->plan.NeedEvent(known, agent.name);
  return FitsTogether(*gpu, config->plan.set());
}

// Copies the counters of another configuration.
rocprofiler_status_t Counting::Fill(const rocprofiler_agent_t& agent, const Config& base,
                                    Config* config) {
  for (uint32_t i = 0; i < base.plan.count(); ++i) {
    const rocprofiler_counter_id_t id = {base.plan.at(i).number};
    const rocprofiler_status_t status = Fill(agent, &id, 1, config);
    if (status != ROCPROFILER_STATUS_SUCCESS) return status;
  }
  return ROCPROFILER_STATUS_SUCCESS;
}

const counters::Plan* Counting::PlanOf(rocprofiler_counter_config_id_t id, uint64_t* agent) {
  const Config* const config = Find(id);
  if (config == nullptr) return nullptr;
  *agent = config->agent;
  return &config->plan;
}

rocprofiler_status_t Counting::CreateCounter(const rocprofiler_agent_t* agent,
                                             std::string_view name, std::string_view expression,
                                             std::string_view description,
                                             rocprofiler_counter_id_t* id) {
  if (agent == nullptr) return ROCPROFILER_STATUS_ERROR_AGENT_NOT_FOUND;
  Definitions& known = *counters::KnownDefinitions();
  const MutexLock lock(mutex_);
  if (!counters::IsCounterName(name) || known.Find(agent->name, name) != nullptr)
    return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  Definition tried;
  tried.name = name;
  tried.expression = expression;
  Gpu* gpu = nullptr;  // without AMD's library dimensions are not known, and not checked
  if (GpuOf(*agent, &gpu) != ROCPROFILER_STATUS_SUCCESS) gpu = nullptr;
  counters::Plan plan;
  Status why = Status::Ok();
  if (plan.Add(known, agent->name, tried, gpu == nullptr ? nullptr : &gpu->facts, &why) !=
      PlanError::kNone) {
    Warn("the counter cannot be made: %s", why.message());
    return ROCPROFILER_STATUS_ERROR_AST_GENERATION_FAILED;
  }
  const Definition* made = nullptr;
  if (!known.Define(agent->name, name, expression, description, &made).ok())
    return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
  id->handle = made->number;
  return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t Counting::Extents(const rocprofiler_agent_t& agent, const Definition& counter,
                                       uint32_t (&extents)[capture::kCounterDimensions]) {
  const MutexLock lock(mutex_);
  Gpu* gpu = nullptr;
  if (const rocprofiler_status_t status = GpuOf(agent, &gpu); status != ROCPROFILER_STATUS_SUCCESS)
    return status;
  counters::Plan plan;
  Status why = Status::Ok();
  if (plan.Add(*counters::KnownDefinitions(), agent.name, counter, &gpu->facts, &why) !=
      PlanError::kNone)
    return ROCPROFILER_STATUS_ERROR_AST_GENERATION_FAILED;
  const capture::CounterEvent* const lead = plan.LeadOf(0);
  uint32_t all[capture::kCounterDimensions] = {};
  const bool has = lead != nullptr && gpu->facts.Extents(*lead, all);
  for (uint32_t d = 1; d < capture::kCounterDimensions; ++d) {
    extents[d] = has && (plan.DimensionsOf(0) >> d & 1) != 0 ? all[d] : 0;
    // An event has every dimension of its block, even if there is only one position in it.
    if (has && !counter.derived()) extents[d] = all[d];
  }
  if (!has) extents[static_cast<size_t>(counters::CounterDimension::kInstance)] = 1;
  return ROCPROFILER_STATUS_SUCCESS;
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
  const MutexLock lock(mutex_);
  if (id->handle != 0) {
    const Config* const base = Find(*id);
    if (base == nullptr) {
      status = ROCPROFILER_STATUS_ERROR_PROFILE_COUNTER_NOT_FOUND;
    } else if (base->agent != agent->id.handle) {
      status = ROCPROFILER_STATUS_ERROR_AGENT_MISMATCH;
    } else {
      status = Fill(*agent, *base, config);
    }
  }
  config->agent = agent->id.handle;
  if (status == ROCPROFILER_STATUS_SUCCESS) status = Fill(*agent, counters, count, config);
  const uint32_t index = config_count_.load(std::memory_order_relaxed);
  if (index == kMostConfigs) status = ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
  if (status != ROCPROFILER_STATUS_SUCCESS) {
    config->~Config();
    free(memory);
    return status;
  }
  configs_[index] = config;
  config_count_.store(index + 1, std::memory_order_release);  // publishes the configuration to Find
  id->handle = MakeHandle(HandleKind::kConfig, index);
  return ROCPROFILER_STATUS_SUCCESS;
}

// Makes the id invalid. The configuration itself is kept, because kernels in flight may use it.
rocprofiler_status_t Counting::DestroyConfig(rocprofiler_counter_config_id_t id) {
  Config* const config = Find(id);
  if (config == nullptr) return ROCPROFILER_STATUS_ERROR_PROFILE_COUNTER_NOT_FOUND;
  config->agent = 0;
  return ROCPROFILER_STATUS_SUCCESS;
}

const CounterSet* Counting::Choose(const DispatchRecord& kernel,
                                   const capture::QueueIdentity& queue, const counters::GpuFacts*,
                                   uint64_t* token) {
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
      if (call.allowed())
        ToolCall::Run([&] { service.dispatch(data, &id, &user, service.dispatch_data); });
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
    return &config->plan.set();
  }
  return nullptr;
}

void Counting::Counted(uint64_t token, const DispatchRecord& kernel, const capture::QueueIdentity&,
                       const CounterValue* values, uint32_t count) {
  const auto number = static_cast<uint32_t>(token);
  Ticket* const ticket = static_cast<Ticket*>(tickets_.At(number));
  ticket->data.start_timestamp = kernel.start;
  ticket->data.end_timestamp = kernel.end;
  rocprofiler_counter_record_t* records = nullptr;
  const uint32_t got = MakeRecords(ticket->config->plan, values, count, &arena_, &records);
  if (records != nullptr) {
    for (uint32_t i = 0; i < got; ++i) {
      records[i].dispatch_id = ticket->data.dispatch_info.dispatch_id;
      records[i].user_data = ticket->user;
      records[i].agent_id = ticket->data.dispatch_info.agent_id;
    }
    Deliver(*ticket, records, got);
    free(records);
  } else if (Buffer* const buffer = services_[ticket->context].buffer; buffer != nullptr) {
    buffer->CountDropped(1);
  }
  tickets_.Give(number);
}

rocprofiler_counter_instance_id_t Counting::InstanceOf(uint32_t counter, uint64_t packed) {
  rocprofiler_counter_instance_id_t id = uint64_t{counter} << kPositionsBits;
  for (uint32_t d = 1; d < capture::kCounterDimensions; ++d)
    id |= counters::PositionIn(packed, d) << (d - 1) * kPositionBits;
  return id;
}

uint32_t Counting::MakeRecords(const counters::Plan& plan, const CounterValue* values,
                               uint32_t count, counters::Arena* arena,
                               rocprofiler_counter_record_t** records) {
  arena->Reset();
  counters::Series series[counters::Plan::kMost];
  uint32_t total = 0, at = 0;
  for (uint32_t i = 0; i < plan.count(); ++i) {
    if (!plan.Evaluate(i, values, count, arena, &series[i])) return 0;
    total += series[i].count;
  }
  *records = static_cast<rocprofiler_counter_record_t*>(
      calloc(total + 1, sizeof(rocprofiler_counter_record_t)));
  for (uint32_t i = 0; *records != nullptr && i < plan.count(); ++i) {
    for (uint32_t j = 0; j < series[i].count; ++j) {
      rocprofiler_counter_record_t& record = (*records)[at++];
      record.id = InstanceOf(plan.at(i).number, series[i].positions[j]);
      record.counter_value = series[i].values[j];
    }
  }
  return at;
}

void Counting::AppendValue(Buffer* buffer, const rocprofiler_counter_record_t& record) {
  buffer->AppendEnveloped(Buffer::kCounterRecord | ROCPROFILER_COUNTER_RECORD_VALUE, record);
}

void Counting::Deliver(const Ticket& ticket, rocprofiler_counter_record_t* records,
                       uint32_t count) const {
  const Context& context = contexts_->at(ticket.context);
  const Service& service = services_[ticket.context];
  const rocprofiler_dispatch_counting_service_data_t& data = ticket.data;
  if (service.buffer == nullptr) {
    const ToolCall call(context);
    if (call.allowed()) {
      ToolCall::Run(
          [&] { service.record(data, records, count, ticket.user, service.record_data); });
    }
    return;
  }
  rocprofiler_dispatch_counting_service_record_t header = {};
  header.size = sizeof header;
  header.num_records = count;
  header.correlation_id = data.correlation_id;
  header.start_timestamp = data.start_timestamp;
  header.end_timestamp = data.end_timestamp;
  header.dispatch_info = data.dispatch_info;
  service.buffer->AppendEnveloped(
      Buffer::kCounterRecord | ROCPROFILER_COUNTER_RECORD_PROFILE_COUNTING_DISPATCH_HEADER, header);
  for (uint32_t i = 0; i < count; ++i) AppendValue(service.buffer, records[i]);
}

void Counting::NotCounted(uint64_t token, Loss) {
  const auto number = static_cast<uint32_t>(token);
  const Service& service = services_[static_cast<Ticket*>(tickets_.At(number))->context];
  if (service.buffer != nullptr) service.buffer->CountDropped(1);
  tickets_.Give(number);
}

}  // namespace rtl::sdk
