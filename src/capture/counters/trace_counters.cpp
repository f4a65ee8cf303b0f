// SPDX-License-Identifier: MIT
#include "capture/counters/trace_counters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <new>

#include "base/log.h"
#include "base/thread_state.h"
#include "capture/hsa/queue_identity.h"
#include "model/event_kinds.h"
#include "model/in_flight.h"

namespace rtl::capture {
namespace {

using counters::Definition;
using counters::Series;

static_assert(counters::kPositionBits == kCounterPositionBits);
// position of the group in a token; the bits below it have the agent's number
constexpr uint32_t kGroupShift = 32;

size_t Put(char* out, size_t at, size_t room, std::string_view text) {
  const size_t bytes = text.size() < room - at ? text.size() : room - at;
  if (bytes != 0) memcpy(out + at, text.data(), bytes);
  return at + bytes;
}

}  // namespace

Status TraceCounters::Parse(const char* text, const char* kernels, const char* interval) {
  word_count_ = group_count_ = 0;
  if (kernels != nullptr) RTL_TRY(filter_.Parse(kernels));
  if (interval != nullptr) {
    char* end = nullptr;
    interval_ = strtoull(interval, &end, 10);
    if (*interval < '0' || *interval > '9' || *end != '\0' || interval_ == 0)
      return Status::Error("the interval of groups is a number of kernels from 1, not %.40s",
                           interval);
  }
  std::string_view rest = text;
  for (std::string_view each = counters::NextGroup(&rest); !each.empty();
       each = counters::NextGroup(&rest)) {
    const Status parsed = ParseGroup(each);
    if (parsed.ok()) continue;
    word_count_ = 0;
    return parsed;
  }
  return Status::Ok();
}

Status TraceCounters::ParseGroup(std::string_view text) {
  if (group_count_ == kMostGroups)
    return Status::Error("more than %u groups of counters", kMostGroups);
  const uint32_t first = word_count_;
  for (std::string_view each = counters::NextWord(&text); !each.empty();
       each = counters::NextWord(&text)) {
    if (word_count_ == kMostWords) return Status::Error("more than %u counters", kMostWords);
    RTL_TRY(counters::ReadWord(each, &words_[word_count_]));
    ++word_count_;
  }
  if (word_count_ != first) groups_[group_count_++] = {first, word_count_ - first};
  return Status::Ok();
}

void TraceCounters::Open(RecordSink* sink, const HsaApi* api) {
  sink_ = sink;
  api_ = api;
}

// Returns null if this GPU has no counter of that name.
const Definition* TraceCounters::DefinitionOf(uint32_t index, std::string_view name,
                                              Gpu* gpu) const {
  const counters::Word& word = words_[index];
  if (word.block.empty() && word.expression.empty())
    return counters::KnownDefinitions()->Find(name, word.name);
  Definition& own = gpu->own[index];
  own.name = word.name;
  if (word.name.empty()) {
    snprintf(gpu->names[index], sizeof gpu->names[index], "%.*s_%u",
             static_cast<int>(word.block.size()), word.block.data(), word.event);
    own.name = gpu->names[index];
  }
  own.block = word.block;
  own.event = word.event;
  own.expression = word.expression;
  return &own;
}

TraceCounters::~TraceCounters() {
  for (std::atomic<Gpu*>& slot : gpus_) {
    Gpu* const gpu = slot.load(std::memory_order_relaxed);
    if (gpu == nullptr) continue;
    gpu->~Gpu();
    free(gpu);
  }
}

TraceCounters::Gpu* TraceCounters::MakeGpu(const QueueIdentity& queue,
                                           const counters::GpuFacts* facts) {
  char name[65] = {};  // the runtime writes 64
  if (api_->agent_get_info(queue.hsa_agent, HSA_AGENT_INFO_NAME, name) != HSA_STATUS_SUCCESS)
    return nullptr;
  void* const memory = malloc(sizeof(Gpu));
  if (memory == nullptr) return nullptr;
  auto* const gpu = new (memory) Gpu;
  for (uint32_t group = 0; group < group_count_; ++group) {
    MakePlan(group, name, queue, facts, gpu);
  }
  return gpu;
}

// The GPU's number among the runtime's GPUs, from 0.
uint32_t TraceCounters::NumberOfGpu(hsa_agent_t agent) const {
  struct Search {
    const HsaApi* api;
    hsa_agent_t agent;
    uint32_t before;
  };
  const auto count = [](hsa_agent_t each, void* data) {
    auto* const search = static_cast<Search*>(data);
    if (each.handle == search->agent.handle) return HSA_STATUS_INFO_BREAK;
    hsa_device_type_t type = HSA_DEVICE_TYPE_CPU;
    if (search->api->agent_get_info(each, HSA_AGENT_INFO_DEVICE, &type) == HSA_STATUS_SUCCESS &&
        type == HSA_DEVICE_TYPE_GPU)
      ++search->before;
    return HSA_STATUS_SUCCESS;
  };
  Search search = {api_, agent, 0};
  // cannot fail to find the agent, because the agent has a queue
  (void)api_->iterate_agents(count, &search);
  return search.before;
}

void TraceCounters::MakePlan(uint32_t group, const char* name, const QueueIdentity& queue,
                             const counters::GpuFacts* facts, Gpu* gpu) const {
  const uint32_t number = NumberOfGpu(queue.hsa_agent);
  const std::string_view kind(name);
  counters::Plan& plan = gpu->plans[group];
  for (uint32_t i = groups_[group].first; i < groups_[group].first + groups_[group].count; ++i) {
    if (!words_[i].IsFor(number)) continue;
    const Definition* const counter = DefinitionOf(i, kind, gpu);
    if (counter == nullptr) {
      Warn("%s has no counter %.*s", name, static_cast<int>(words_[i].name.size()),
           words_[i].name.data());
      continue;
    }
    const uint32_t before = plan.count();
    Status why = Status::Ok();
    if (plan.Add(*counters::KnownDefinitions(), kind, *counter, facts, &why) !=
        counters::PlanError::kNone)
      Warn("counters of %s: %s", name, why.message());
    else if (plan.count() != before && !InEarlierPlan(*gpu, group, counter->name))
      WriteInfo(queue.agent, *counter);
  }
  plan.NeedEvent(*counters::KnownDefinitions(), kind);
}

bool TraceCounters::InEarlierPlan(const Gpu& gpu, uint32_t group, std::string_view counter) {
  for (uint32_t each = 0; each < group; ++each) {
    for (uint32_t i = 0; i < gpu.plans[each].count(); ++i) {
      if (gpu.plans[each].at(i).name == counter) return true;
    }
  }
  return false;
}

void TraceCounters::WriteInfo(uint32_t agent, const Definition& counter) const {
  char text[2048];
  size_t at = 0;
  for (const std::string_view part :
       {counter.name, counter.block, counter.expression, counter.description}) {
    if (at != 0) text[at++] = '\0';
    at = Put(text, at, sizeof text - 4, part);
  }
  CounterInfoRecord record;
  record.head.type = RecordType::kCounterInfo;
  record.head.thread = ThreadId::Current();
  record.agent = agent;
  record.event = counter.event;
  record.text_bytes = static_cast<uint32_t>(at);
  // if there is no room, the counter's values are lost and counted
  (void)sink_->Write(&record, sizeof record, text, at);
}

const CounterSet* TraceCounters::Choose(const DispatchRecord& kernel, const QueueIdentity& queue,
                                        const counters::GpuFacts* facts, uint64_t* token) {
  if (queue.agent == 0 || queue.agent > Agents::kMaxAgents) return nullptr;
  // in a pause of the trace; such kernels are counted for a tool only
  if ((kernel.flags & kInFlightPaused) != 0) return nullptr;
  if (filter_.any() && !filter_.Wants(kernel.kernel)) return nullptr;
  std::atomic<Gpu*>& slot = gpus_[queue.agent - 1];
  Gpu* gpu = slot.load(std::memory_order_acquire);
  if (gpu == nullptr) {
    const MutexLock lock(mutex_);
    gpu = slot.load(std::memory_order_relaxed);
    if (gpu == nullptr) gpu = MakeGpu(queue, facts);
    slot.store(gpu, std::memory_order_release);
  }
  if (gpu == nullptr) return nullptr;
  uint64_t group = 0;
  if (group_count_ > 1)
    group = gpu->chosen.fetch_add(1, std::memory_order_relaxed) / interval_ % group_count_;
  *token = queue.agent | group << kGroupShift;
  const CounterSet& set = gpu->plans[group].set();
  if (set.count == 0) return nullptr;
  sink_->CountSubmitted(EventKind::kCounter, 1);
  return &set;
}

void TraceCounters::NotCounted(uint64_t, Loss why) {
  sink_->CountLoss(EventKind::kCounter, why, 1);
}

bool TraceCounters::Write(const DispatchRecord& kernel, const Definition& counter,
                          const Series& series, uint32_t* left) const {
  CounterRecord record;
  record.head.type = RecordType::kCounter;
  record.head.thread = ThreadId::Current();
  record.dispatch = kernel.dispatch;
  record.text_bytes = static_cast<uint32_t>(counter.name.size());
  for (uint32_t i = 0; i < series.count; ++i) {
    record.flags =
        (--*left == 0 ? kCounterFlagLast : 0) | (series.not_modelled ? kCounterFlagNotModelled : 0);
    if (counter.derived()) {
      record.flags |= kCounterFlagReal;
      memcpy(&record.value, &series.values[i], sizeof record.value);
    } else {
      record.value = static_cast<uint64_t>(series.values[i]);
    }
    record.position = series.positions[i];
    if (!sink_->Write(&record, sizeof record, counter.name.data(), record.text_bytes)) return false;
  }
  return true;
}

void TraceCounters::Counted(uint64_t token, const DispatchRecord& kernel, const QueueIdentity&,
                            const CounterValue* values, uint32_t count) {
  const uint64_t agent = token & ((uint64_t{1} << kGroupShift) - 1);
  const Gpu& gpu = *gpus_[agent - 1].load(std::memory_order_acquire);
  const counters::Plan& plan = gpu.plans[token >> kGroupShift];
  arena_.Reset();
  Series series[kMostWords];
  uint32_t left = 0;
  for (uint32_t i = 0; i < plan.count(); ++i) {
    if (!plan.Evaluate(i, values, count, &arena_, &series[i]))
      return sink_->CountLoss(EventKind::kCounter, Loss::kNoMemory, 1);
    left += series[i].count;
  }
  if (left == 0) return sink_->CountLoss(EventKind::kCounter, Loss::kNotCountable, 1);
  for (uint32_t i = 0; i < plan.count(); ++i) {
    if (!Write(kernel, plan.at(i), series[i], &left))
      return sink_->CountLoss(EventKind::kCounter, Loss::kSpoolFull, 1);
  }
  sink_->CountRecorded(EventKind::kCounter, 1);
}

}  // namespace rtl::capture
