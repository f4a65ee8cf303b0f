// SPDX-License-Identifier: MIT
// tracer.h: connects the services for tools to the engine's session.
//
//   Session ──► Write            agents, names of kernels ──► CodeObjectEvents
//           ──► AsyncTracing     kernels and copies ──► the contexts that subscribe to them
//           ──► HipTracing       HIP calls ──► the contexts that subscribe to them
//           ──► HsaTracing       HSA calls ──► the contexts that subscribe to them
//
// Threads    as ToolSide and RecordSink
// Errors     an event that the engine loses counts as dropped in every buffer that subscribes to it
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <atomic>

#include "capture/session/session.h"
#include "sdk/agents/topology.h"
#include "sdk/code_objects/code_objects.h"
#include "sdk/contexts/contexts.h"
#include "sdk/counting/counting.h"
#include "sdk/counting/device_counts.h"
#include "sdk/hip/hip_tracing.h"
#include "sdk/hsa/hsa_tracing.h"
#include "sdk/kernels/async_tracing.h"
#include "sdk/pc_sampling/pc_samples.h"
#include "sdk/rccl/rccl_tracing.h"

namespace rtl::sdk {

class Tracer final : public capture::ToolSide, public RecordSink, public AgentNumbers {
 public:
  Tracer(Contexts* contexts, const Topology* topology, Retirement* retirement);
  Tracer(const Tracer&) = delete;
  Tracer& operator=(const Tracer&) = delete;

  // Sets the receivers of HIP, RCCL and HSA calls. Called before the engine gets this object.
  void Use(HipTracing* hip, RcclTracing* rccl, HsaTracing* hsa) {
    hip_ = hip;
    rccl_ = rccl;
    hsa_ = hsa;
  }

  AsyncTracing& async() { return async_; }
  const AsyncTracing& async() const { return async_; }
  Counting& counting() { return counting_; }
  DeviceCounts& device_counts() { return device_counts_; }
  PcSamples& pc_samples() { return pc_samples_; }

  RecordSink* sink() override { return this; }
  CodeObjectEvents* code_objects() override { return &code_objects_; }
  capture::SubmissionWatcher* submissions() override { return async_.asked() ? &async_ : nullptr; }
  capture::HipCallListener* hip_calls() const override { return hip_->asked() ? hip_ : nullptr; }
  capture::RcclListener* rccl_calls() const override { return rccl_->asked() ? rccl_ : nullptr; }
  capture::HsaCallListener* hsa_calls() override { return hsa_; }
  capture::CounterUser* counters() override { return counting_.asked() ? &counting_ : nullptr; }
  const Demand* demand() const override { return counting_.asked() ? nullptr : &async_.demand(); }
  bool WantsSamples() override { return pc_samples_.asked(); }
  void RuntimeReady(const capture::HsaApi& api, void* root_table,
                    capture::PcSampler* sampler) override {
    device_counts_.RuntimeReady(api, root_table);
    pc_samples_.RuntimeReady(sampler);
  }
  void RuntimeGone() override {
    device_counts_.RuntimeGone();
    pc_samples_.RuntimeGone();
  }

  bool Write(const void* record, size_t bytes, const char* text, size_t text_bytes) override;
  void CountSubmitted(EventKind kind, uint64_t events) override {}
  void CountRecorded(EventKind kind, uint64_t events) override {}
  void CountLoss(EventKind kind, Loss why, uint64_t events) override {
    if (async_.is_late()) return async_.CountLate(kind, events);
    async_.CountLoss(kind, events);
    if (why == Loss::kShutdown)
      unfinished_[static_cast<size_t>(kind)].fetch_add(events, std::memory_order_relaxed);
  }

  // The number of events that had not ended when the tools were finalized.
  uint64_t unfinished(EventKind kind) const {
    return unfinished_[static_cast<size_t>(kind)].load(std::memory_order_relaxed);
  }

  rocprofiler_agent_id_t AgentOf(uint32_t number) const override;
  rocprofiler_agent_id_t AgentAt(uint32_t node) const override { return topology_->IdOf(node); }

 private:
  static constexpr uint32_t kMostAgents = 256;

  const Topology* const topology_;
  CodeObjectEvents code_objects_;
  AsyncTracing async_;
  Counting counting_;
  DeviceCounts device_counts_;
  PcSamples pc_samples_;
  HipTracing* hip_ = nullptr;
  RcclTracing* rccl_ = nullptr;
  HsaTracing* hsa_ = nullptr;
  std::atomic<uint64_t> unfinished_[kEventKindCount] = {};
  // handles of agents, indexed by the engine's number
  std::atomic<uint64_t> agents_[kMostAgents + 1] = {};
};

}  // namespace rtl::sdk
