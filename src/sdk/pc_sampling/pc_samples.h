// SPDX-License-Identifier: MIT
// pc_samples.h: delivers PC samples to tools: keeps the configuration of each agent, and makes
// records.
//
//   Configure ──► the runtime is loaded ──► its context starts ──► records ──► its context stops
//
// One context of a process may use the service, with one configuration for each agent. Configure
// reserves the configuration with the driver at once; it applies to every process of the machine.
//
// Threads    Configure: while tools are initialised. Sampled: the runtime's, or a flushing thread.
//            All other functions: any
// Blocking   Start, Stop, Flush: the runtime's functions
// Errors     statuses of the interface; samples that the runtime has lost count as dropped in the
//            buffer
#pragma once

#include <rocprofiler-sdk/agent.h>
#include <rocprofiler-sdk/pc_sampling.h>

#include <atomic>

#include "capture/pc_sampling/pc_sampler.h"
#include "device/sampling_driver.h"
#include "sdk/code_objects/code_objects.h"
#include "sdk/contexts/buffer.h"
#include "sdk/contexts/contexts.h"
#include "sdk/pc_sampling/dispatch_log.h"

namespace rtl::sdk {

class PcSamples final : public capture::PcSampleUser {
 public:
  static constexpr uint32_t kMostAgents = 64;

  PcSamples(const AgentNumbers* agents, CodeObjectEvents* code_objects)
      : agents_(agents), code_objects_(code_objects) {}

  // True if ROCPROFILER_PC_SAMPLING_BETA_ENABLED is set.
  static bool Enabled();
  // Lists the configurations that an agent offers. `out` must have room for kMostSamplingOffers.
  static rocprofiler_status_t Query(const rocprofiler_agent_t& agent,
                                    rocprofiler_pc_sampling_configuration_t* out, uint32_t* count);

  rocprofiler_status_t Configure(const Context& context, const rocprofiler_agent_t& agent,
                                 rocprofiler_pc_sampling_method_t method,
                                 rocprofiler_pc_sampling_unit_t unit, uint64_t interval,
                                 Buffer* buffer);
  bool asked() const { return context_ != nullptr; }
  bool Has(const Context& context) const { return context_ == &context; }
  // The log of dispatched kernels; null if no context subscribes.
  DispatchLog* log() { return asked() ? &log_ : nullptr; }
  // The external id that the tool has pushed for the thread that launched the kernel.
  uint64_t ExternalOf(uint32_t thread) const;

  void RuntimeReady(capture::PcSampler* sampler);
  void RuntimeGone();
  // Gives up the reservations, so that other processes can choose other configurations.
  void Release(const Context& context);
  void Start(const Context& context);
  void Stop(const Context& context);
  void Flush();

  void Sampled(const capture::PcSample& sample) override;
  void SamplesLost(uint32_t agent, uint64_t samples) override;

 private:
  struct Agent {
    rocprofiler_agent_id_t id = {};
    uint64_t interval_us = 0;
    Buffer* buffer = nullptr;
    // reserves the configuration for this process's tools before a runtime is loaded
    SamplingReservation reservation;
  };
  const Agent* Find(uint32_t number) const;
  void Begin();

  const AgentNumbers* const agents_;
  CodeObjectEvents* const code_objects_;
  // written while tools are initialised, like the next two members
  const Context* context_ = nullptr;
  uint32_t count_ = 0;
  Agent of_[kMostAgents] = {};
  DispatchLog log_;
  std::atomic<capture::PcSampler*> sampler_{nullptr};  // null if no runtime is loaded
};

}  // namespace rtl::sdk
