// SPDX-License-Identifier: MIT
// party_sinks.h: the sink that distributes capture's records to the trace, to tools, or to both.
// The trace gets every record of the kinds of events that it records; tools get the records that
// explain their watchers' events.
//
// Threads    SetTrace, SetTools: one at a time; a sink stays set. All other functions: as
//            RecordSink
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <atomic>

#include "counters/kernel_filter.h"
#include "model/event_kinds.h"
#include "model/record_sink.h"

namespace rtl::capture {

class PartySinks final : public RecordSink {
 public:
  PartySinks() = default;
  PartySinks(const PartySinks&) = delete;
  PartySinks& operator=(const PartySinks&) = delete;

  void SetTrace(RecordSink* sink, const EventSet& wanted) {
    wanted_ = wanted;
    trace_.store(sink, std::memory_order_release);  // (A) publishes wanted_
  }
  // Sets the filter that gets the name of every kernel. Called before the first kernel.
  void SetFilter(counters::KernelFilter* filter) { filter_ = filter; }
  void SetTools(RecordSink* sink) { tools_.store(sink, std::memory_order_release); }

  bool Write(const void* record, size_t bytes, const char* text, size_t text_bytes) override {
    const RecordType type = static_cast<const RecordHeader*>(record)->type;
    if (type == RecordType::kAgent || type == RecordType::kKernel) {
      RecordSink* const tools = tools_.load(std::memory_order_acquire);
      if (tools != nullptr) (void)tools->Write(record, bytes, text, text_bytes);  // never fails
    }
    if (type == RecordType::kKernel && filter_ != nullptr)
      filter_->Note(static_cast<const KernelRecord*>(record)->kernel, {text, text_bytes});
    RecordSink* const trace = trace_.load(std::memory_order_acquire);  // pairs with (A)
    if (trace == nullptr || !Wanted(type)) return true;
    return trace->Write(record, bytes, text, text_bytes);
  }
  void CountSubmitted(EventKind kind, uint64_t events) override {
    if (RecordSink* const trace = TraceOf(kind)) trace->CountSubmitted(kind, events);
  }
  void CountRecorded(EventKind kind, uint64_t events) override {
    if (RecordSink* const trace = TraceOf(kind)) trace->CountRecorded(kind, events);
  }
  void CountLoss(EventKind kind, Loss why, uint64_t events) override {
    RecordSink* const tools = tools_.load(std::memory_order_acquire);
    // Losses that come from the trace's spool or its pauses do not concern tools.
    if (tools != nullptr && why != Loss::kSpoolFull && why != Loss::kPaused)
      tools->CountLoss(kind, why, events);
    if (RecordSink* const trace = TraceOf(kind)) trace->CountLoss(kind, why, events);
  }

 private:
  // Returns null if the trace does not record such events.
  RecordSink* TraceOf(EventKind kind) const {
    RecordSink* const trace = trace_.load(std::memory_order_acquire);  // pairs with (A)
    return trace == nullptr || !wanted_.Has(kind) ? nullptr : trace;
  }
  bool Wanted(RecordType type) const {
    if (type == RecordType::kDispatch) return wanted_.Has(EventKind::kKernel);
    return type != RecordType::kCopy || wanted_.Has(EventKind::kCopy);
  }

  std::atomic<RecordSink*> trace_{nullptr};
  std::atomic<RecordSink*> tools_{nullptr};
  EventSet wanted_;
  counters::KernelFilter* filter_ = nullptr;
};

}  // namespace rtl::capture
