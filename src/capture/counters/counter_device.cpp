// SPDX-License-Identifier: MIT
#include "capture/counters/counter_device.h"

#include <string.h>
#include <sys/mman.h>

#include <initializer_list>
#include <new>

#include "base/log.h"

namespace rtl::capture {
namespace {

// HSA_AMD_AGENT_INFO_NUM_XCC, which only newer runtimes' headers have.
constexpr int kInfoXccs = 0xA111;
constexpr int kInfoEngines = HSA_AMD_AGENT_INFO_NUM_SHADER_ENGINES;
constexpr int kInfoArrays = HSA_AMD_AGENT_INFO_NUM_SHADER_ARRAYS_PER_SE;

template <typename T>
T* Map(size_t count) {
  void* const memory =
      mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<T*>(memory);
}

// Memory allocated by AMD's library while it makes packets. The library does not free it when it
// fails.
struct Making {
  static constexpr uint32_t kMost = 8;
  uint32_t count = 0;
  void* memory[kMost];
};
[[gnu::tls_model("initial-exec")]] constinit thread_local Making* making = nullptr;

// Reads the agent's properties. False if the runtime lacks one: AMD's library divides by these
// numbers.
bool Ask(const HsaApi& api, hsa_agent_t agent, counters::CounterAgentInfo* out) {
  counters::CounterAgentInfo& info = *out;
  const auto ask = [&](int attribute, void* value) {
    return api.agent_get_info(agent, static_cast<hsa_agent_info_t>(attribute), value) ==
           HSA_STATUS_SUCCESS;
  };
  (void)ask(HSA_AGENT_INFO_NAME, info.name);
  info.name[sizeof info.name - 1] = '\0';
  if (!ask(kInfoXccs, &info.xcc) || info.xcc == 0) info.xcc = 1;
  return ask(kInfoEngines, &info.engines) && info.engines != 0 &&
         ask(HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT, &info.compute_units) &&
         info.compute_units != 0 && ask(kInfoArrays, &info.arrays_per_engine) &&
         info.arrays_per_engine != 0;
}

hsa_status_t OnCoordinate(int, int, int, int coordinate, const char* name, void* data) {
  auto* const value = static_cast<CounterValue*>(data);
  value->position[static_cast<size_t>(counters::DimensionOf(name))] =
      static_cast<uint16_t>(coordinate);
  return HSA_STATUS_SUCCESS;
}

// The argument of the callback that AMD's library calls for every value.
struct Reading {
  const counters::AqlProfile* library;
  counters::AqlProfile::Agent agent;
  CounterPlan* plan;
  const NodeFacts* facts;
  CounterValue* out;
  uint32_t room;
  uint32_t count;
};

// Describes a value of AMD's library by its event and its place. False if the plan has no such
// event.
bool Describe(const Reading& reading, const counters::AqlProfile::Event& event, uint64_t sample,
              CounterValue* out) {
  const CounterPlan& plan = *reading.plan;
  for (uint32_t i = 0; i < plan.count; ++i) {
    if (memcmp(&plan.events[i], &event, sizeof event) != 0) continue;
    *out = {};
    out->event = plan.from[i];
    out->not_modelled = !reading.facts->IsModelled(plan.set->events[out->event]);
    (void)reading.library->EachCoordinate(reading.agent, event, sample, OnCoordinate, out);
    out->position[static_cast<size_t>(CounterDimension::kNone)] = 0;
    return true;
  }
  return false;
}

hsa_status_t OnValue(counters::AqlProfile::Event event, uint64_t sample, uint64_t value,
                     void* data) {
  auto* const reading = static_cast<Reading*>(data);
  if (reading->count == reading->room) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  CounterPlan& plan = *reading->plan;
  CounterValue& out = reading->out[reading->count];
  const uint32_t index = reading->count;
  const bool known = index < plan.known_count && plan.known[index].sample == sample &&
                     memcmp(&plan.known[index].event, &event, sizeof event) == 0;
  if (known) {
    out = plan.known[index].value;
  } else if (!Describe(*reading, event, sample, &out)) {
    return HSA_STATUS_SUCCESS;
  } else if (index == plan.known_count && index < CounterPlan::kMostKnown &&
             plan.known != nullptr) {
    plan.known[index] = {event, sample, out};
    ++plan.known_count;
  }
  out.value = value;
  ++reading->count;
  return HSA_STATUS_SUCCESS;
}

}  // namespace

hsa_status_t CounterDevice::OnAllocate(void** memory, uint64_t bytes, uint32_t, void* device) {
  const auto* const self = static_cast<CounterDevice*>(device);
  *memory = self->memory_->Allocate(self->agent_, bytes);
  if (*memory == nullptr) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  if (making != nullptr && making->count < Making::kMost) making->memory[making->count++] = *memory;
  return HSA_STATUS_SUCCESS;
}

void CounterDevice::OnFree(void* memory, void* device) {
  for (uint32_t i = 0; making != nullptr && i < making->count; ++i) {
    if (making->memory[i] == memory) making->memory[i] = making->memory[--making->count];
  }
  static_cast<CounterDevice*>(device)->memory_->Free(memory);
}

hsa_status_t CounterDevice::OnCopy(void* to, const void* from, size_t bytes, void*) {
  memcpy(to, from, bytes);
  return HSA_STATUS_SUCCESS;
}

Status CounterDevice::Open(const counters::AqlProfile* library, const CounterMemory* memory,
                           const HsaApi* api, hsa_agent_t agent) {
  library_ = library;
  memory_ = memory;
  agent_ = agent;
  counters::CounterAgentInfo info;
  if (!Ask(*api, agent, &info))
    return Status::Error("the runtime does not describe the GPU %s", info.name);
  if (!library->Register(info, &handle_))
    return Status::Error("%s does not know the GPU %s", counters::AqlProfile::kLibrary, info.name);
  uint32_t node = 0;
  (void)api->agent_get_info(agent, HSA_AGENT_INFO_NODE,
                            &node);  // on failure node 0, a CPU
  facts_.Open(node, library, handle_);
  api_ = api;
  return Status::Ok();
}

// Fills the plan with every instance of each event's block.
bool CounterDevice::Fill(CounterPlan* plan) {
  const counters::AqlProfile::Fit fit = library_->Fits(handle_, *plan->set);
  if (fit.kind == counters::AqlProfile::Fit::kTooMany) {
    Warn(
        "block %s counts %u events at once, and more are asked for: count them in several runs "
        "(rtl "
        "counters check says which)",
        plan->set->events[fit.event].block, fit.room);
    return false;
  }
  plan->events = Map<counters::AqlProfile::Event>(CounterPlan::kMost);
  plan->from = Map<uint8_t>(CounterPlan::kMost);
  plan->known = Map<CounterPlan::Known>(CounterPlan::kMostKnown);  // null: values are searched for
  if (plan->events == nullptr || plan->from == nullptr) return false;
  for (uint32_t i = 0; i < plan->set->count; ++i) {
    const CounterEvent& event = plan->set->events[i];
    counters::AqlProfile::Block block;
    if (!library_->FindBlock(handle_, event.block, &block)) {
      Warn("this GPU has no counters of block %s", event.block);
      return false;
    }
    for (uint32_t instance = 0; instance < block.instances; ++instance) {
      if (plan->count == CounterPlan::kMost) return false;
      plan->events[plan->count] = {instance, event.event, event.flags, block.id};
      if (!library_->IsValid(handle_, plan->events[plan->count])) {
        Warn("this GPU has no event %u of block %s", event.event, event.block);
        return false;
      }
      plan->from[plan->count++] = static_cast<uint8_t>(i);
    }
  }
  return true;
}

CounterPlan* CounterDevice::PlanOf(const CounterSet* set) {
  for (CounterPlan* plan = plans_; plan != nullptr; plan = plan->next) {
    if (plan->set == set) return plan;
  }
  auto* const memory = Map<CounterPlan>(1);
  if (memory == nullptr) return nullptr;
  auto* const plan = new (memory) CounterPlan;
  plan->set = set;
  plan->refused = !Fill(plan);
  plan->next = plans_;
  plans_ = plan;
  return plan;
}

// Creates the signals that the job needs. Only jobs with a gate get signals that wake threads,
// because the driver has few events for such signals.
bool CounterDevice::MakeSignals(CounterJob* job, bool gated) const {
  if (!gated) {
    return job->quiet_done.handle != 0 ||
           api_->amd_signal_create(1, 0, nullptr, HSA_AMD_SIGNAL_AMD_GPU_ONLY, &job->quiet_done) ==
               HSA_STATUS_SUCCESS;
  }
  for (hsa_signal_t* const signal : {&job->arrived, &job->gate, &job->done}) {
    if (signal->handle == 0 && api_->signal_create(1, 0, nullptr, signal) != HSA_STATUS_SUCCESS)
      return false;
  }
  return true;
}

// If a job cannot be completed, its memory is not freed. This is rare.
CounterJob* CounterDevice::Make(CounterPlan* plan) {
  auto* const memory = Map<CounterJob>(1);
  if (memory == nullptr) return nullptr;
  auto* const job = new (memory) CounterJob;
  job->device = this;
  job->plan = plan;
  const counters::AqlProfile::Memory own = {OnAllocate, OnFree, OnCopy, this};
  Making in_work;
  making = &in_work;
  const bool made = plan == nullptr || library_->MakePackets(handle_, plan->events, plan->count,
                                                             own, &job->handle, &job->packets);
  making = nullptr;
  if (made) {
    job->next_made = made_;
    made_ = job;
    return job;
  }
  while (in_work.count != 0) memory_->Free(in_work.memory[--in_work.count]);
  plan->refused = true;
  Warn("%s makes no packets for these %u counters together", counters::AqlProfile::kLibrary,
       plan->set->count);
  return nullptr;
}

CounterJob* CounterDevice::Take(const CounterSet* set, bool gated, Loss* why) {
  CounterPlan* const plan = set == nullptr ? nullptr : PlanOf(set);
  *why = Loss::kNoMemory;
  if (set != nullptr && (plan == nullptr || plan->refused)) {
    if (plan != nullptr) *why = Loss::kNotCountable;
    return nullptr;
  }
  CounterJob** const list = plan == nullptr ? &free_turns_ : &plan->free;
  CounterJob* job = *list;
  if (job != nullptr) {
    *list = job->next;
  } else if (job = Make(plan); job == nullptr) {
    if (plan != nullptr && plan->refused) *why = Loss::kNotCountable;
    return nullptr;
  }
  if (!MakeSignals(job, gated)) {
    Give(job);
    return nullptr;
  }
  job->gated = gated;
  if (gated) {
    api_->signal_store_relaxed(job->arrived, 1);
    api_->signal_store_relaxed(job->gate, 1);
  }
  api_->signal_store_relaxed(job->Done(), 1);
  job->next = nullptr;
  job->in_use = true;
  job->state = CounterJob::State::kSubmitted;
  job->ended = job->lost = false;
  job->since = 0;
  return job;
}

void CounterDevice::Give(CounterJob* job) {
  CounterJob** const list = job->plan == nullptr ? &free_turns_ : &job->plan->free;
  job->next = *list;
  job->in_use = false;
  *list = job;
}

void CounterDevice::Close(bool keeps_packets) {
  for (CounterJob* job = made_; job != nullptr; job = job->next_made) {
    if (job->in_use) continue;
    if (job->plan != nullptr && !keeps_packets) library_->DeletePackets(job->handle);
    for (const hsa_signal_t signal : {job->arrived, job->gate, job->done, job->quiet_done}) {
      // a signal that cannot be destroyed stays with the runtime
      if (signal.handle != 0) (void)api_->signal_destroy(signal);
    }
  }
  made_ = nullptr;
}

uint32_t CounterDevice::Values(const CounterJob& job, CounterValue* out, uint32_t room) const {
  Reading reading = {library_, handle_, job.plan, &facts_, out, room, 0};
  if (!library_->EachValue(job.handle, OnValue, &reading)) return UINT32_MAX;
  return reading.count;
}

}  // namespace rtl::capture
