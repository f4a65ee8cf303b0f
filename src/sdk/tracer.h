// SPDX-License-Identifier: MIT
// tracer.h: the capture engine with tools at its end.
//
//   Session ──► Write            agents, names of kernels ──► CodeObjectEvents
//           ──► AsyncTracing     kernels and copies ──► the contexts that ask for them
//
// Threads    as TraceOutput and RecordSink
// Errors     an event that the engine loses counts as dropped in every buffer that waits for one
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <atomic>

#include "capture/session/session.h"
#include "sdk/async_tracing.h"
#include "sdk/code_objects.h"
#include "sdk/contexts.h"
#include "sdk/topology.h"

namespace rtl::sdk {

class Tracer final : public capture::TraceOutput, public RecordSink, public AgentNumbers {
 public:
  Tracer(Contexts* contexts, const Topology* topology, Retirement* retirement);
  Tracer(const Tracer&) = delete;
  Tracer& operator=(const Tracer&) = delete;

  capture::Session& session() { return session_; }
  AsyncTracing& async() { return async_; }
  CodeObjectEvents& code_objects() { return code_objects_; }

  Status Open(const Config& config) override;
  RecordSink* sink() override { return this; }
  capture::SeenSlots seen_slots() override { return {}; }
  capture::CaptureCounters counters() override;
  void Describe(const Facts& facts) override {}
  void SayRefused(const Config& config, const char* why) override {}
  void Maintain() override {}
  void Finish() override {}

  bool Write(const void* record, size_t bytes, const char* text, size_t text_bytes) override;
  void CountSeen(EventKind kind, uint64_t events) override {}
  void CountRecorded(EventKind kind, uint64_t events) override {}
  void CountLoss(EventKind kind, Loss why, uint64_t events) override {
    async_.CountLoss(kind, events);
    if (why == Loss::kShutdown)
      unfinished_[static_cast<size_t>(kind)].fetch_add(events, std::memory_order_relaxed);
  }

  // What had not ended when the tools were finalized.
  uint64_t unfinished(EventKind kind) const {
    return unfinished_[static_cast<size_t>(kind)].load(std::memory_order_relaxed);
  }

  rocprofiler_agent_id_t AgentOf(uint32_t number) const override;
  rocprofiler_agent_id_t AgentAt(uint32_t node) const override { return topology_->IdOf(node); }

 private:
  static constexpr uint32_t kMostAgents = 256;
  enum CounterPlace { kSignalsMade, kSignalsGone, kQueuesMade, kQueuesGone, kOther, kCalls, kAll };

  const Topology* const topology_;
  CodeObjectEvents code_objects_;
  AsyncTracing async_;
  capture::Session session_;
  std::atomic<uint64_t> counters_[kAll] = {};
  std::atomic<uint64_t> unfinished_[kEventKindCount] = {};
  std::atomic<uint64_t> agents_[kMostAgents + 1] = {};  // handles, by the engine's number
};

}  // namespace rtl::sdk
