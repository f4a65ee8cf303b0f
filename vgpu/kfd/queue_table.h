// SPDX-License-Identifier: MIT
// queue_table.h: the user mode queues of a process, and their doorbells.
//
// Threads    any; one lock, which is not held while a queue's thread is being stopped
// Errors     0 or -errno, as the kernel driver answers; the reason for a refusal is logged
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "vgpu/config/config.h"
#include "vgpu/queue/doorbell_page.h"
#include "vgpu/queue/queue.h"

namespace vgpu {

struct QueueRequest {
  int gpu = 0;
  uint32_t type = 0;     // KFD_IOC_QUEUE_TYPE_*
  uint64_t ring_va = 0;  // GPU addresses
  uint64_t ring_bytes = 0;
  uint64_t write_index_va = 0;
  uint64_t read_index_va = 0;
  uint64_t save_area = 0;  // address in the process; 0: none
};

struct QueueCounts {
  uint64_t queues = 0;
  uint64_t created = 0;
  uint64_t packets = 0;  // of all queues, also of those that are destroyed
  uint64_t dispatches = 0;
};

class QueueTable {
 public:
  // To be called before anything else.
  [[nodiscard]] int Open(int num_gpus);

  // Starts the queue's thread. *slot is the doorbell's index in the GPU's doorbell page.
  [[nodiscard]] int Create(const QueueRequest& request, uint32_t* id, uint32_t* slot);
  // Returns when the queue's thread has ended.
  [[nodiscard]] int Destroy(uint32_t id);
  // A paused queue starts no packet until it is resumed.
  [[nodiscard]] int SetPaused(uint32_t id, bool paused);
  bool Exists(uint32_t id) const;

  const DoorbellPage& doorbells(int gpu) const { return pages_[gpu]; }
  QueueCounts Counts() const;
  void CloseFiles();

 private:
  struct Entry {
    Queue queue;
    uint32_t slot = 0;
  };

  mutable std::mutex mutex_;
  // All guarded by mutex_.
  DoorbellPage pages_[kMaxGpus];
  int num_gpus_ = 0;
  std::map<uint32_t, std::unique_ptr<Entry>> queues_;  // by id
  uint32_t next_id_ = 1;
  QueueCounts gone_;  // packets and dispatches of destroyed queues
};

}  // namespace vgpu
