// SPDX-License-Identifier: MIT
// fake_hsa.h: an HSA runtime and its GPU in memory, behind a table of the runtime's own layout:
// intercept queues, signals with the real memory layout, agents, and a GPU that completes packets
// when the test requests it.
//
//   application   queues and signals are made through the table, as a program would
//   tool          Open the table, put hooks into it
//   GPU           Complete… ends packets that have reached the hardware: stamps, then the value
//   faults        FailNth makes the n-th call of a function fail
//
// Threads    any for the application's and the tool's calls; packets of one queue are serialised by
//            the queue's lock, as in the runtime
// Memory     destroyed signals keep their memory until the end, so a late use is counted (bad_uses)
//            and not a crash
#pragma once

#include <hsa/amd_hsa_signal.h>
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <stdint.h>
#include <sys/types.h>

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "capture/hsa/hsa_api.h"
#include "capture/hsa/packet.h"

namespace rtl::support {

using capture::AqlPacket;
using capture::HsaSlot;

inline amd_signal_t* Memory(hsa_signal_t signal) {
  return reinterpret_cast<amd_signal_t*>(signal.handle);
}

struct TableLayout {
  uint32_t root_major, root_step;
  uint32_t core_major, core_slots;
  uint32_t amd_major, amd_step, amd_slots;
  // The intercept queue of this runtime breaks when the hardware ring is full.
  bool fragile_rings;
};
inline constexpr TableLayout kRocm52 = {1, 0, 1, 125, 1, 0, 48, true};
inline constexpr TableLayout kRocm57 = {1, 0, 1, 125, 1, 0, 55, true};
inline constexpr TableLayout kRocm61 = {3, 0, 2, 125, 2, 1, 68, false};
inline constexpr TableLayout kRocm72 = {3, 1, 2, 125, 2, 8, 76, true};
inline constexpr TableLayout kRocm10 = {3, 1, 2, 125, 2, 16, 90, false};

class FakeHsa {
 public:
  enum class Gpu : uint8_t {
    kManual,  // ends packets on request
    kAtOnce,  // ends each packet as it arrives
    kThread,  // ends packets in the background, in order per queue
    kLazily,  // ends a packet when the tracer looks at its signal (load_scacquire): nothing of the
              // GPU's work is done on the thread that submits
  };

  explicit FakeHsa(const TableLayout& layout = kRocm61, Gpu gpu = Gpu::kManual);
  ~FakeHsa();
  FakeHsa(const FakeHsa&) = delete;
  FakeHsa& operator=(const FakeHsa&) = delete;

  void* root_table() { return root_.data(); }
  // The current contents of a slot; null when the layout does not have it.
  void* Slot(HsaSlot slot) const;

  // The application's side: calls through the current contents of the table.
  hsa_status_t Init();
  hsa_status_t ShutDown();  // after the last one, the GPU's times can no longer be translated
  // The next queue's packets lie here; the fake itself never reads them.
  void NextQueueRing(void* base) { next_ring_ = base; }
  hsa_status_t TryCreateQueue(uint32_t size, hsa_queue_t** queue);
  hsa_queue_t* CreateQueue(uint32_t size = 1024, uint32_t agent = 0);
  hsa_status_t DestroyQueue(hsa_queue_t* queue);
  hsa_signal_t CreateSignal(hsa_signal_value_t value);
  hsa_status_t DestroySignal(hsa_signal_t signal);
  hsa_status_t AsyncCopy(hsa_signal_t completion);  // from the first GPU to itself
  hsa_status_t Copy(hsa_agent_t dst_agent, hsa_agent_t src_agent, size_t bytes,
                    hsa_signal_t completion);
  hsa_status_t CopyOnEngine(hsa_agent_t dst_agent, hsa_agent_t src_agent, size_t bytes,
                            hsa_signal_t completion);
  hsa_status_t CopyRect(hsa_agent_t copy_agent, hsa_amd_copy_direction_t direction,
                        hsa_dim3_t range, hsa_signal_t completion);
  hsa_status_t CopyBatch(const std::vector<capture::CopyOperation>& operations);
  hsa_status_t TimeCopies(bool on);
  // Called inside the runtime's own function of that name.
  void OnTimeCopies(std::function<void()> call) { on_time_copies_ = std::move(call); }
  // The runtime reports times this far from the true ones for copies that end from now on.
  void ShiftCopyTimes(int64_t start_ns, int64_t end_ns) { copy_shift_ = {start_ns, end_ns}; }
  hsa_status_t SetProfiling(hsa_queue_t* queue, bool on);
  // fork() by the only thread that uses this queue. In the child the fake's own locks are free, as
  // far as that queue needs them; locks of the tracer may be held. No thread ends packets.
  pid_t Fork(hsa_queue_t* queue);
  // Calls that another tool, or the application itself, makes beside the tracer.
  hsa_queue_t* CreateIntercept(uint32_t size = 1024);
  hsa_status_t Intercept(hsa_queue_t* queue, capture::PacketHook hook, void* data);
  hsa_queue_t* CreateCooperative();  // the same one each time, as long as it has a user
  hsa_status_t CreateDescribed(std::vector<capture::QueueDescriptor>* descriptors);
  static bool Profiling(hsa_queue_t* queue);
  static bool Intercepted(hsa_queue_t* queue);
  // Reserves slots for packets, through the table; returns the first one's index.
  uint64_t Reserve(hsa_queue_t* queue, uint64_t count);
  // hsa_queue_store_write_index, which is not hooked.
  static void SetWriteIndex(hsa_queue_t* queue, uint64_t index);
  // Rings the doorbell for these packets; each reaches the hook alone, or all in one call.
  void Submit(hsa_queue_t* queue, const AqlPacket& packet);
  void SubmitBatch(hsa_queue_t* queue, const std::vector<AqlPacket>& packets);
  // The runtime takes packets off the queue and passes none of them on.
  void Swallow(hsa_queue_t* queue, uint64_t count);
  // On a queue that is not intercepted: writes a packet into its ring; rings its doorbell.
  static void WriteAt(hsa_queue_t* queue, uint64_t index, const AqlPacket& packet);
  void Ring(hsa_queue_t* queue, uint64_t index);
  // The device takes the written packets up to this one, without a doorbell ring.
  void TakeUnrung(hsa_queue_t* queue, uint64_t last);
  // hsa_signal_store_screlease.
  void Store(hsa_signal_t signal, int64_t value);
  // How an application learns of an end: hsa_signal_load_scacquire; the wait until it is below one,
  // in which the fake does not block; the same for several; exchange and compare-and-swap by zero.
  int64_t Load(hsa_signal_t signal);
  int64_t Wait(hsa_signal_t signal);
  uint32_t WaitForAny(std::vector<hsa_signal_t> signals);
  uint32_t WaitForAll(std::vector<hsa_signal_t> signals);
  hsa_signal_t WaitForGroup(const std::vector<hsa_signal_t>& signals);
  int64_t Exchange(hsa_signal_t signal, int64_t value);
  int64_t Swap(hsa_signal_t signal, int64_t expected, int64_t value);
  // A handler for the signal below one. The runtime calls the handlers of signals below one until
  // they return false; returns the number of calls.
  hsa_status_t Handle(hsa_signal_t signal, hsa_amd_signal_handler handler, void* data);
  size_t CallHandlers();
  // The same with the runtime's own view of the packets' addresses.
  void SubmitFrom(hsa_queue_t* queue, const AqlPacket* packets, uint64_t count);
  static AqlPacket Kernel(uint64_t kernel_object, hsa_signal_t completion = {});
  static AqlPacket Barrier(hsa_signal_t completion = {});
  static AqlPacket Vendor(uint8_t format, hsa_signal_t completion = {});

  // Signals, without a call that counts.
  // kLazily: the kernel with this signal of the application's ends now, if one is in flight.
  void EndKernelOn(hsa_signal_t signal);
  static int64_t Value(hsa_signal_t signal);
  static void SetValue(hsa_signal_t signal, int64_t value);
  static uint64_t StartOf(hsa_signal_t signal);
  static uint64_t EndOf(hsa_signal_t signal);

  // The GPU's side. Counts are packets of any type.
  size_t InFlight(hsa_queue_t* queue);
  size_t Complete(hsa_queue_t* queue, size_t packets);  // the oldest; returns their number
  void CompleteAll();
  void CompleteAt(hsa_queue_t* queue, size_t position);  // out of order; 0 is the oldest
  // Ends copies, oldest first; returns their number. Copies that touch a GPU and were submitted
  // while timing was on leave host times with the runtime.
  size_t CompleteCopies(size_t copies = SIZE_MAX);
  static constexpr uint64_t kCopyNs = 2000;  // the true duration of each
  bool copies_are_timed() const { return time_copies_; }
  // From now on ends packets without writing times.
  void WriteTimes(bool on) { write_times_ = on; }
  // Every packet that reached the hardware, in order. Off for benchmarks.
  // Called when packets reach the hardware ring, before they are there.
  void OnWrite(std::function<void()> call) { on_write_ = std::move(call); }
  // Called after a signal's value was decremented, before the runtime is done with it.
  void OnSubtracted(std::function<void()> call) { on_subtracted_ = std::move(call); }
  // Inside the runtime's function that makes a queue.
  void OnQueueMade(std::function<void()> call) { on_queue_made_ = std::move(call); }
  void KeepHistory(bool on) { keep_history_ = on; }
  std::vector<AqlPacket> History(hsa_queue_t* queue);
  uint64_t WriterCalls(hsa_queue_t* queue);

  // The translation of a tick to system time.
  static uint64_t SystemTime(uint64_t tick) { return 1'000'000 + tick * 10; }
  uint64_t now_ticks() const { return tick_; }

  hsa_agent_t Agent(uint32_t gpu) const;  // of the GPUs
  hsa_agent_t CpuAgent() const;
  static constexpr uint32_t kGpus = 2;

  // The n-th next call (1: the very next) of `slot` fails with `status`.
  void FailNth(HsaSlot slot, uint64_t n, hsa_status_t status = HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  void FailAll(HsaSlot slot, hsa_status_t status = HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  void FailNone(HsaSlot slot);
  uint64_t Calls(HsaSlot slot) const { return calls_[static_cast<size_t>(slot)]; }

  uint64_t live_signals() const { return live_signals_; }
  uint64_t live_queues() const { return live_queues_; }
  uint64_t bad_uses() const { return bad_uses_; }  // uses of signals that were destroyed
  // How often a doorbell covered a packet that was not written yet.
  uint64_t unwritten() const { return unwritten_; }
  uint64_t overflows() const { return overflows_; }  // the runtime would have aborted

  struct Queue;

 private:
  friend struct FakeCalls;
  friend struct FakeCopyCalls;
  friend struct FakeWaitCalls;
  friend struct FakeQueueCalls;
  struct Handler {
    hsa_signal_t signal;
    hsa_amd_signal_handler call;
    void* data;
  };
  struct PendingCopy {
    hsa_signal_t completion;
    bool timed;
  };
  struct CopyTimes {
    uint64_t start, end;
  };
  void Enqueue(hsa_agent_t dst_agent, hsa_agent_t src_agent, hsa_signal_t completion);
  struct Fault {
    std::atomic<int64_t> in{0};  // calls until the fault; 0: none, <0: always
    std::atomic<int> status{0};
  };

  void FillTables(const TableLayout& layout);
  void PutCopyCalls();
  void PutWaitCalls();
  void PutQueueCalls();
  void** Address(HsaSlot slot) const;
  void Put(HsaSlot slot, void* function);
  void GiveDoorbell(Queue* queue);
  void Rung(Queue* queue, uint64_t last);
  static void Hand(Queue* queue, const AqlPacket* packets, uint64_t count);
  static void HandOn(const void* packets, uint64_t count);
  template <typename F>
  F Call(HsaSlot slot) const {
    return reinterpret_cast<F>(Slot(slot));
  }
  bool Faulty(HsaSlot slot, hsa_status_t* status);
  void Finish(hsa_signal_t completion);
  void GpuMain();
  hsa_signal_t MakeSignal(hsa_signal_value_t value);
  bool Alive(hsa_signal_t signal);

  static FakeHsa* current_;  // the table's functions carry no data
  std::vector<uint8_t> root_, core_, amd_;
  bool engines_;
  bool fragile_rings_;
  Gpu gpu_;
  std::atomic<bool> write_times_{true};
  std::atomic<bool> keep_history_{true};
  // The GPU's members: on cache lines that no thread of the application reads.
  alignas(64) std::atomic<uint64_t> tick_{1000};
  alignas(64) void* next_ring_ = nullptr;
  std::atomic<int> uses_{1};  // OnLoad runs inside the first hsa_init
  std::atomic<uint64_t> calls_[capture::kHsaSlotCount] = {};
  Fault faults_[capture::kHsaSlotCount];
  std::atomic<uint64_t> live_signals_{0}, live_queues_{0}, bad_uses_{0}, overflows_{0};
  std::atomic<uint64_t> unwritten_{0};
  std::function<void()> on_write_;
  std::function<void()> on_subtracted_;
  std::function<void()> on_queue_made_;
  std::function<void()> on_time_copies_;
  std::mutex mutex_;  // guards the lists
  std::vector<std::unique_ptr<Queue>> queues_;
  std::deque<void*> signal_memory_;
  std::vector<Handler> handlers_;
  std::atomic<bool> time_copies_{false};
  std::deque<PendingCopy> copies_;
  std::map<uint64_t, CopyTimes> copy_times_;  // by signal handle
  std::pair<int64_t, int64_t> copy_shift_;    // of the start, of the end
  std::atomic<bool> quit_{false};
  std::thread gpu_thread_;
};

}  // namespace rtl::support
