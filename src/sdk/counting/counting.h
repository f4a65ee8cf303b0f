// SPDX-License-Identifier: MIT
// counting.h: reads hardware counters of single kernels for contexts.
//
//   the tool's dispatch callback chooses a configuration ──► the engine counts ──► the values, as
//   one callback, or as a header and its values in a buffer
//
// Threads    Configure: while tools are initialised. CreateConfig, DestroyConfig: any. All other
//            functions: as CounterUser
// Blocking   while the tools' functions run; CreateConfig: while AMD's library of counters is
//            opened
// Memory     configurations, which are kept, and a ticket for each counted kernel
// Errors     statuses of the interface. A kernel that the engine cannot count is counted as dropped
//            in the buffer
// Why        docs/adr/0060-counters.md
#pragma once

#include <rocprofiler-sdk/counter_config.h>
#include <rocprofiler-sdk/dispatch_counting_service.h>
#include <stddef.h>
#include <stdint.h>

#include <atomic>

#include "base/mutex.h"
#include "capture/counters/counter_user.h"
#include "capture/counters/node_facts.h"
#include "counters/aqlprofile.h"
#include "counters/definitions.h"
#include "counters/plan.h"
#include "sdk/agents/topology.h"
#include "sdk/contexts/contexts.h"
#include "sdk/contexts/ticket_table.h"
#include "sdk/kernels/async_tracing.h"

namespace rtl::sdk {

class Counting final : public capture::CounterUser {
 public:
  static constexpr uint32_t kMostConfigs = 1024;

  struct Service {
    Buffer* buffer = nullptr;  // null: the values go to `record`
    rocprofiler_dispatch_counting_service_cb_t dispatch = nullptr;  // null: not configured
    void* dispatch_data = nullptr;
    rocprofiler_dispatch_counting_record_cb_t record = nullptr;
    void* record_data = nullptr;
  };

  Counting(Contexts* contexts, AsyncTracing* async) : contexts_(contexts), async_(async) {}
  Counting(const Counting&) = delete;
  Counting& operator=(const Counting&) = delete;

  void Open();
  bool asked() const { return asked_.load(std::memory_order_acquire); }

  rocprofiler_status_t Configure(const Context& context, const Service& service);
  // `agent`: null if it is not known.
  rocprofiler_status_t CreateConfig(const rocprofiler_agent_t* agent,
                                    const rocprofiler_counter_id_t* counters, size_t count,
                                    rocprofiler_counter_config_id_t* id);
  // The plan of a configuration; null if there is no such configuration. `*agent`: gets the handle
  // of its agent.
  const counters::Plan* PlanOf(rocprofiler_counter_config_id_t id, uint64_t* agent);
  // Makes records of the values; the caller frees them. Their dispatch, agent and user data are not
  // set. `*records` is null if there is no memory.
  static uint32_t MakeRecords(const counters::Plan& plan, const capture::CounterValue* values,
                              uint32_t count, counters::Arena* arena,
                              rocprofiler_counter_record_t** records);
  static void AppendValue(Buffer* buffer, const rocprofiler_counter_record_t& record);
  rocprofiler_status_t DestroyConfig(rocprofiler_counter_config_id_t id);
  // Creates a counter of the tool's own, which is computed from other counters.
  rocprofiler_status_t CreateCounter(const rocprofiler_agent_t* agent, std::string_view name,
                                     std::string_view expression, std::string_view description,
                                     rocprofiler_counter_id_t* id);
  // How many positions a counter has in each dimension, by CounterDimension. Zero: the counter is
  // not in this dimension.
  rocprofiler_status_t Extents(const rocprofiler_agent_t& agent,
                               const counters::Definition& counter,
                               uint32_t (&extents)[capture::kCounterDimensions]);
  bool Has(const Context& context) const {
    return services_[contexts_->NumberOf(context)].dispatch != nullptr;
  }
  // True if another context counts already.
  bool Conflicts(const Context& context) const;

  const capture::CounterSet* Choose(const DispatchRecord& kernel,
                                    const capture::QueueIdentity& queue,
                                    const counters::GpuFacts* gpu, uint64_t* token) override;
  void Counted(uint64_t token, const DispatchRecord& kernel, const capture::QueueIdentity& queue,
               const capture::CounterValue* values, uint32_t count) override;
  void NotCounted(uint64_t token, Loss why) override;

  // Parts of the id of a value: the counter, and the position in each dimension.
  static constexpr uint32_t kPositionBits = 6;
  static constexpr uint32_t kPositionsBits = 48;
  static uint64_t CounterOf(rocprofiler_counter_instance_id_t id) { return id >> kPositionsBits; }
  static uint64_t PositionOf(rocprofiler_counter_instance_id_t id, uint64_t dimension) {
    return id >> (dimension - 1) * kPositionBits & ((1u << kPositionBits) - 1);
  }
  // `packed`: as in counters/counter_set.h.
  static rocprofiler_counter_instance_id_t InstanceOf(uint32_t counter, uint64_t packed);

 private:
  struct Config {
    uint64_t agent = 0;  // handle of the agent; zero: the configuration was destroyed
    counters::Plan plan;
  };
  struct Ticket {
    uint32_t context;
    const Config* config;
    rocprofiler_dispatch_counting_service_data_t data;
    rocprofiler_user_data_t user;
  };

  Config* Find(rocprofiler_counter_config_id_t id);
  // A GPU that is registered with AMD's library of counters.
  struct Gpu {
    uint64_t agent = 0;  // handle of the agent
    counters::AqlProfile::Agent handle;
    capture::NodeFacts facts;
  };
  rocprofiler_status_t GpuOf(const rocprofiler_agent_t& agent, Gpu** out) RTL_REQUIRES(mutex_);
  rocprofiler_status_t Fill(const rocprofiler_agent_t& agent,
                            const rocprofiler_counter_id_t* counters, size_t count, Config* config)
      RTL_REQUIRES(mutex_);
  rocprofiler_status_t Fill(const rocprofiler_agent_t& agent, const Config& base, Config* config)
      RTL_REQUIRES(mutex_);
  rocprofiler_status_t FitsTogether(const Gpu& gpu, const capture::CounterSet& set)
      RTL_REQUIRES(mutex_);
  void Deliver(const Ticket& ticket, rocprofiler_counter_record_t* records, uint32_t count) const;

  Contexts* const contexts_;
  AsyncTracing* const async_;
  std::atomic<bool> asked_{false};
  Service services_[Contexts::kMost];
  TicketTable tickets_;
  Mutex mutex_{Rank::kTools};
  counters::AqlProfile library_ RTL_GUARDED_BY(mutex_);
  Gpu* gpus_[Topology::kMost] RTL_GUARDED_BY(mutex_) = {};
  counters::Arena arena_;  // used by the counting thread only
  std::atomic<uint32_t> config_count_{0};
  Config* configs_[kMostConfigs] = {};
};

}  // namespace rtl::sdk
