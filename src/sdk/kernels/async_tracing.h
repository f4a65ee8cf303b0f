// SPDX-License-Identifier: MIT
// async_tracing.h: reports kernels and copies to contexts, with callbacks when they are submitted
// and when they have ended, and with a record.
//
//              on the application's thread            on the engine's worker
//   kernel     ENQUEUE (ENTER, EXIT) ──► the packet ──► COMPLETE, record
//   copy       ENTER ──► the runtime's function    ──► EXIT, record
//
// Contexts that were active at submission get the completion. An event that is lost in between has
// no COMPLETE or EXIT, because these always have the times of the device.
//
// Threads    …Submitted: the application's. …Ended: the worker, or, for kernels without callbacks,
//            the thread that found the end. Lost: like …Ended
// Blocking   the tools' functions; for records as Buffer::Append
// Memory     a ticket for each event in flight (ticket_table.h)
// Errors     if there is no ticket, no callback is called, and the event counts as dropped in
//            buffers
// Why        docs/adr/0044-sdk-kernels-and-copies.md
#pragma once

#include <rocprofiler-sdk/callback_tracing.h>
#include <stddef.h>
#include <stdint.h>

#include <atomic>

#include "base/demand.h"
#include "capture/queue/submission_watcher.h"
#include "sdk/code_objects/code_objects.h"
#include "sdk/contexts/contexts.h"
#include "sdk/contexts/retirement.h"
#include "sdk/contexts/ticket_table.h"
#include "sdk/kernels/scratch_kernels.h"

namespace rtl::sdk {

class PcSamples;

class AsyncTracing final : public capture::SubmissionWatcher {
 public:
  AsyncTracing(Contexts* contexts, const AgentNumbers* agents, Retirement* retirement)
      : contexts_(contexts), agents_(agents), retirement_(retirement) {}
  AsyncTracing(const AsyncTracing&) = delete;
  AsyncTracing& operator=(const AsyncTracing&) = delete;

  // Called when configuration is complete: looks up which contexts subscribe to each kind.
  void Open();
  // True if some context subscribes to kernels or copies, or if PC samples need kernels.
  bool asked() const { return asked_ || samples_ != nullptr; }

  // Called when a context has started or stopped.
  void UpdateDemand() {
    demand_.Update([this] { return Wants(); });
  }
  const Demand& demand() const { return demand_; }

  // DispatchOf returns the dispatch id that tools have got for this kernel, if it is the last one
  // that this thread has submitted; otherwise a new id. InfoOf describes the kernel. FollowScratch,
  // called before the first kernel, makes this object note kernels that use scratch memory,
  // whichever context subscribes to them.
  uint64_t DispatchOf(const DispatchRecord& kernel);
  rocprofiler_kernel_dispatch_info_t InfoOf(const DispatchRecord& kernel,
                                            const capture::QueueIdentity& queue,
                                            uint64_t dispatch) const;

  void FollowScratch() { follow_scratch_ = true; }
  // Called before the first kernel: notes every kernel in `samples`, whichever context subscribes
  // to kernels.
  void NoteIn(PcSamples* samples) { samples_ = samples; }
  struct StoppedKernel {
    uint64_t correlation, ancestor;
    uint32_t bytes;                     // bytes of scratch memory per work item
    uint64_t contexts;                  // contexts that have an external id for the kernel, as bits
    rocprofiler_user_data_t* external;  // indexed by context
  };
  // Finds the kernel that stalls the queue, by its packet. `room`: see ScratchKernels::WithStopped.
  // False if the kernel is not known for certain.
  bool FindStopped(uint64_t queue, uint64_t packet, uint32_t room, StoppedKernel* kernel);

  uint32_t KernelSubmitted(const DispatchRecord& kernel,
                           const capture::QueueIdentity& queue) override;
  bool EndsAnywhere(uint32_t ticket) const override { return At(ticket)->told == 0; }
  void KernelEnded(uint32_t ticket, const DispatchRecord& kernel,
                   const capture::QueueIdentity& queue) override;
  uint32_t CopySubmitted(const CopyRecord& copy) override;
  void CopyEnded(uint32_t ticket, const CopyRecord& copy) override;
  void Lost(uint32_t ticket) override { Give(ticket); }
  void PacketsReserved(uint64_t correlation, uint64_t packets) override {
    retirement_->Hold(correlation, packets);
  }
  void PacketShown(uint64_t correlation) override { retirement_->Release(correlation, 1); }

  // Called when the engine has lost events: buffers count them as drops. For tools that have only
  // callbacks, the library prints the total at the end.
  void CountLoss(EventKind kind, uint64_t events);
  // Called before the tools are finalized: from now on events to which active contexts subscribe
  // are only counted.
  void BeginLate();
  bool is_late() const { return is_late_.load(std::memory_order_acquire); }  // pairs with (L)
  void CountLate(EventKind kind, uint64_t events) {
    if (late_wanted_[static_cast<size_t>(kind)])
      late_[static_cast<size_t>(kind)].fetch_add(events, std::memory_order_relaxed);
  }
  uint64_t late(EventKind kind) const {
    return late_[static_cast<size_t>(kind)].load(std::memory_order_relaxed);
  }
  uint64_t untold(EventKind kind) const {
    return untold_[static_cast<size_t>(kind)].load(std::memory_order_relaxed);
  }

  // The number of kernels or copies whose end a tool waits for, at this moment.
  uint64_t InFlight(EventKind kind) const;

  const TicketTable& tickets() const { return tickets_; }

 private:
  // An event's kind, and its numbers in the callback, buffer and request services.
  struct Kind {
    EventKind event;
    uint32_t callback, buffer, request;
  };
  static constexpr Kind kKernel = {EventKind::kKernel, ROCPROFILER_CALLBACK_TRACING_KERNEL_DISPATCH,
                                   ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH,
                                   ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_KERNEL_DISPATCH};
  static constexpr Kind kCopy = {EventKind::kCopy, ROCPROFILER_CALLBACK_TRACING_MEMORY_COPY,
                                 ROCPROFILER_BUFFER_TRACING_MEMORY_COPY,
                                 ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_MEMORY_COPY};
  static const Kind* KindOf(EventKind event);  // null if the event is neither

  // The data of one context in a ticket.
  struct Mine {
    rocprofiler_user_data_t data, external;
  };
  struct Ticket {
    uint64_t dispatch;  // dispatch id; zero for a copy
    uint64_t correlation, ancestor;
    uint64_t told;                  // contexts that get callbacks, as bits
    uint64_t recorded;              // contexts that want a record
    uint32_t scratch;               // index in scratch_kernels_; zero: none
    std::atomic<uint32_t> awaited;  // callback kind of the event; zero if no tool waits for its end
    Mine of[1];                     // one for each subscribed context, indexed by place_
  };
  // The members that all callbacks of an event share.
  struct Event {
    const Kind& kind;
    uint32_t thread;
    uint64_t correlation;
    void* payload;
  };

  bool Wants() const;
  // The contexts that subscribe to kernels or copies, as bits.
  uint64_t Asking() const;
  uint32_t Take(const Event& event, int32_t submit, int32_t end, bool follow);
  void Give(uint32_t ticket);
  Ticket* At(uint32_t ticket) const { return static_cast<Ticket*>(tickets_.At(ticket)); }
  Mine& Of(Ticket* ticket, uint32_t context) const { return ticket->of[place_[context]]; }
  void TakeExternals(const Event& event, int32_t operation, Ticket* ticket) const;
  void RefreshExternals(const Event& event, Ticket* ticket) const;
  void Tell(const Event& event, int32_t operation, rocprofiler_callback_phase_t phase,
            Ticket* ticket) const;
  template <typename Record>
  void Append(Ticket* ticket, Record* record) const;
  rocprofiler_callback_tracing_memory_copy_data_t DataOf(const CopyRecord& copy) const;
  void TellSubmission(const DispatchRecord& kernel, const capture::QueueIdentity& queue,
                      Ticket* ticket) const;
  void TellEnd(const DispatchRecord& kernel, const rocprofiler_kernel_dispatch_info_t& info,
               Ticket* ticket) const;

  // The kernel that this thread has reported last.
  struct Numbered {
    uint64_t packet, dispatch;
    uint32_t queue;
  };
  [[gnu::tls_model("initial-exec")]] static inline constinit thread_local Numbered numbered_ = {};

  Contexts* const contexts_;
  const AgentNumbers* const agents_;
  Retirement* const retirement_;
  Demand demand_;
  bool asked_ = false;
  bool follow_scratch_ = false;
  PcSamples* samples_ = nullptr;
  uint32_t count_ = 0;  // number of contexts when configuration was complete
  uint8_t place_[Contexts::kMost] = {};
  TicketTable tickets_;
  ScratchKernels scratch_kernels_;
  std::atomic<uint64_t> dispatches_{0};
  std::atomic<uint64_t> untold_[kEventKindCount] = {};
  bool late_wanted_[kEventKindCount] = {};  // written before is_late_
  std::atomic<bool> is_late_{false};
  std::atomic<uint64_t> late_[kEventKindCount] = {};
};

}  // namespace rtl::sdk
