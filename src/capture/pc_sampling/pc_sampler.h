// SPDX-License-Identifier: MIT
// pc_sampler.h: takes the runtime's PC samples, for the trace and for tools. A GPU is sampled at
// one interval for all users.
//
//   Begin ──► session of the GPU ──► the runtime's thread: samples, with queue and packet ──► users
//   own thread: flushes the runtime's samples every kFlushNs, so that a killed process loses few,
//               and more often while buffers fill quickly
//
// Threads    Open, Close: one at a time. Begin, End, Flush: any. Queue…: any. The runtime's thread
//            calls users, and so do the callers of Flush and End
// Blocking   Begin, End, Flush, QueueGone: the runtime's functions; users must not wait for them
// Memory     two buffers of kBufferBytes for each sampled GPU, a table of queues
// Errors     Begin returns the reason; samples that the runtime dropped are reported as lost
// Why        docs/adr/0071-pc-samples.md
#pragma once

#include <pthread.h>
#include <stdint.h>

#include <atomic>

#include "base/mutex.h"
#include "base/status.h"
#include "capture/hsa/hsa_api.h"
#include "capture/pc_sampling/pcs_api.h"
#include "capture/queue/queue_watcher.h"

namespace rtl::capture {

struct PcSample {
  uint64_t time = 0;  // on the clock of kernel times
  uint64_t pc = 0;    // address on the device
  uint64_t exec_mask = 0;
  uint64_t packet = 0;  // index of the kernel's packet in its queue
  uint32_t queue = 0;   // QueueIdentity::queue; zero: not known
  uint32_t agent = 0;   // AgentRecord::agent
  uint32_t workgroup[3] = {};
  uint32_t wave = 0;  // number of the wave in its workgroup
  uint32_t chiplet = 0;
  uint32_t hw_id = 0;
};

class PcSampleUser {
 public:
  virtual void Sampled(const PcSample& sample) = 0;
  virtual void SamplesLost(uint32_t agent, uint64_t samples) = 0;

 protected:
  ~PcSampleUser() = default;  // never deleted through this interface
};

class PcSampler final : public QueueWatcher {
 public:
  static constexpr uint32_t kMostGpus = 64;
  static constexpr uint32_t kMostQueues = 1024;
  static constexpr uint32_t kMostUsers = 4;
  // Size of the runtime's buffer for a GPU. ROCm 6.4 clears four times this size, so it gets a
  // small buffer.
  static constexpr size_t kBufferBytes = 65'536 * sizeof(PcsHostTrapSample);
  static constexpr size_t kSmallBufferBytes = 4096 * sizeof(PcsHostTrapSample);
  static constexpr long kFlushNs = 50'000'000, kLeastFlushNs = 1'000'000;
  using AgentNumber = uint32_t (*)(const void* data, hsa_agent_t agent);

  PcSampler() = default;
  PcSampler(const PcSampler&) = delete;
  PcSampler& operator=(const PcSampler&) = delete;

  // A runtime is loaded: `root_table` is its HsaApiTable.
  void Open(const void* root_table, const HsaTables& tables, AgentNumber agent_number,
            const void* data);
  // Open with a given table for PC samples; null: the runtime has none. `own_thread`: whether a
  // thread flushes the samples.
  void OpenWith(const HsaApi& api, const PcsApi* pcs, size_t buffer_bytes, bool own_thread,
                AgentNumber agent_number, const void* data);
  // The runtime is about to be unloaded. Ends every session.
  void Close();
  void DisarmInChild() { forked_.store(true, std::memory_order_relaxed); }

  // The GPUs: gpu() returns AgentRecord::agent for an index below gpu_count().
  uint32_t gpu_count() const { return gpu_count_; }
  uint32_t gpu(uint32_t index) const { return gpus_[index].agent; }

  uint32_t AgentNumberOf(hsa_agent_t agent) const { return agent_number_(agent_data_, agent); }

  // Calls the user for each sample of the GPU until End.
  Status Begin(PcSampleUser* user, uint32_t agent, uint64_t interval_us);
  void End(PcSampleUser* user, uint32_t agent);
  void EndAll(PcSampleUser* user);
  // Delivers the samples taken so far to the users.
  void Flush();
  // Returns the length of the flushing thread's next pause. In the last pause `samples` samples
  // arrived and `lost` were lost. `room`: samples that fit into the buffer that the GPU fills
  // meanwhile.
  static long NextPause(long pause_ns, uint64_t samples, uint64_t lost, uint64_t room);

  void QueueMade(const QueueIdentity& queue, const hsa_queue_t& hsa_queue) override;
  void QueueGone(const QueueIdentity& queue) override;

 private:
  struct Gpu {
    PcSampler* self = nullptr;
    hsa_agent_t hsa_agent = {};
    uint32_t agent = 0;
    uint64_t session = 0;
    uint64_t interval_us = 0;  // zero: no session
    uint32_t user_count = 0;
    std::atomic<PcSampleUser*> users[kMostUsers] = {};
    PcsHostTrapSample* buffer = nullptr;
    std::atomic<uint64_t> received{0}, lost{0};  // since the flushing thread's last check
  };
  struct Queue {
    uint32_t doorbell = 0;  // index of the doorbell in its page plus one; zero: free
    uint32_t agent = 0;
    uint32_t queue = 0;
    const hsa_queue_t* hsa_queue = nullptr;  // null: the queue was destroyed
    uint64_t written = 0;                    // write index when the queue was destroyed
  };

  static hsa_status_t OnAgent(hsa_agent_t agent, void* self);
  static void OnData(void* gpu, size_t bytes, size_t lost, PcsCopyData copy, void* context);
  static void* Main(void* self);
  long PauseAfter(long pause_ns);
  Gpu* Find(uint32_t agent);
  Status CreateSession(Gpu* gpu, uint64_t interval_us) RTL_REQUIRES(mutex_);
  void EndSession(Gpu* gpu) RTL_REQUIRES(mutex_);
  void RemoveUser(Gpu* gpu, PcSampleUser* user) RTL_REQUIRES(mutex_);
  void StartThread() RTL_REQUIRES(mutex_);
  void Deliver(const Gpu& gpu, const PcsHostTrapSample& raw);
  void FindQueue(uint64_t correlation, PcSample* sample);

  std::atomic<bool> forked_{false};
  std::atomic<bool> sampling_{false};  // true while a session runs
  uint32_t gpu_count_ = 0;
  Gpu gpus_[kMostGpus];
  const HsaApi* api_ = nullptr;
  size_t buffer_bytes_ = kBufferBytes;
  AgentNumber agent_number_ = nullptr;
  const void* agent_data_ = nullptr;
  PcsApi pcs_;

  Mutex mutex_{Rank::kSampling};  // guards sessions; held while the runtime delivers samples
  bool open_ RTL_GUARDED_BY(mutex_) = false;
  bool has_table_ RTL_GUARDED_BY(mutex_) = false;
  bool wants_thread_ RTL_GUARDED_BY(mutex_) = true;
  bool has_thread_ RTL_GUARDED_BY(mutex_) = false;
  pthread_t thread_ RTL_GUARDED_BY(mutex_) = {};

  Mutex queues_mutex_{Rank::kSampledQueues};
  Queue queues_[kMostQueues] RTL_GUARDED_BY(queues_mutex_);
};

}  // namespace rtl::capture
