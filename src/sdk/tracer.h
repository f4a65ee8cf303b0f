// SPDX-License-Identifier: MIT
// tracer.h: the capture engine with tools' buffers at its end: every record goes to the contexts
// that were started when its event was submitted.
//
//   Session ──► Write ──► one record per service ──► Buffer
//
// Threads    as TraceOutput and RecordSink
// Blocking   Write: while another thread copies a record
// Memory     grows with the number of queues
// Errors     an event that the engine loses counts as dropped in every buffer that waits for one
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <atomic>

#include "base/mutex.h"
#include "capture/session/session.h"
#include "sdk/code_objects.h"
#include "sdk/contexts.h"
#include "sdk/topology.h"

namespace rtl::sdk {

class Tracer final : public capture::TraceOutput, public RecordSink, public AgentNumbers {
 public:
  Tracer(Contexts* contexts, const Topology* topology);
  Tracer(const Tracer&) = delete;
  Tracer& operator=(const Tracer&) = delete;

  capture::Session& session() { return session_; }

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
  void CountLoss(EventKind kind, Loss why, uint64_t events) override;

  rocprofiler_agent_id_t AgentOf(uint32_t number) const override;
  rocprofiler_agent_id_t AgentAt(uint32_t node) const override { return topology_->IdOf(node); }

 private:
  static constexpr uint32_t kMostAgents = 256;
  struct Queue {
    uint64_t hsa_id;
    uint32_t agent;
  };
  enum CounterPlace { kSignalsMade, kSignalsGone, kQueuesMade, kQueuesGone, kOther, kCalls, kAll };

  void NoteQueue(const QueueRecord& record);
  Queue QueueOf(uint32_t number);
  void Dispatched(const DispatchRecord& record);
  void Copied(const CopyRecord& record);
  void Deliver(uint32_t kind, int32_t operation, uint64_t submitted, const void* record,
               size_t bytes);

  Contexts* const contexts_;
  const Topology* const topology_;
  CodeObjectEvents code_objects_;
  capture::Session session_;
  std::atomic<uint64_t> counters_[kAll] = {};
  std::atomic<uint64_t> agents_[kMostAgents + 1] = {};  // handles, by the engine's number
  Mutex mutex_{Rank::kTools};
  Queue* queues_ RTL_GUARDED_BY(mutex_) = nullptr;  // by number
  uint32_t queue_room_ RTL_GUARDED_BY(mutex_) = 0;
};

}  // namespace rtl::sdk
