// SPDX-License-Identifier: MIT
// moved_queue.h: a queue with two rings. The tracer copies packets from the ring that the
// application writes to the ring that the GPU reads, so that it can put packets of its own around
// them.
//
//   application ──► its ring (hsa_soft_queue_create) ──► hook ──► the GPU's ring (hsa_queue_create)
//                   as long as it requested                       never full: packets without
//                                                                 room wait in the application's
//
// The application's ring is as large as the application requested, and the tracer empties it as
// fast as the GPU's ring allows. So a program that fills its ring before it lets the GPU continue
// finds at least as much room as without the tracer.
//
// Threads    one at a time, by the lock of the doorbell (doorbells.h). app, gpu: any
// Blocking   Make, Destroy: as long as the runtime's own functions. All other functions: never
// Memory     one object and one signal for each queue
// Errors     Make returns the runtime's status, or an error that names what the runtime lacks
// Why        docs/adr/0106-moved-packets.md
#pragma once

#include <hsa/hsa.h>
#include <stdint.h>

#include "base/status.h"
#include "capture/hsa/hsa_api.h"
#include "capture/hsa/packet.h"

namespace rtl::capture {

// hsa_queue_create's arguments.
struct QueueRequest {
  hsa_agent_t agent;
  uint32_t size;
  hsa_queue_type32_t type;
  QueueErrorCallback callback;
  void* data;
  uint32_t private_segment_size;
  uint32_t group_segment_size;
};

class MovedQueue {
 public:
  // The GPU's ring holds at least this many packets.
  static constexpr uint32_t kLeastRing = 1024;

  static Status Make(const HsaApi* api, const QueueRequest& request, MovedQueue** out);
  // Destroys both queues and this object. On failure nothing has changed.
  hsa_status_t Destroy();

  hsa_queue_t* app() const { return app_; }
  hsa_queue_t* gpu() const { return gpu_; }
  hsa_signal_t doorbell() const { return app_->doorbell_signal; }

  // True if the GPU's ring has room for this many packets now.
  bool HasRoom(uint64_t packets);
  // Writes packets, which must have room, to the GPU's ring. The GPU sees all of them at once, when
  // the header of the first one is written.
  void Put(const void* packets, uint64_t count);
  // Rings the GPU's doorbell for all packets that were put, and frees the application's ring up to
  // index `taken`.
  void Commit(uint64_t taken);

 private:
  MovedQueue() = default;
  Status Open(const QueueRequest& request);
  Status OpenRing(const QueueRequest& request);
  static hsa_status_t OnAgent(hsa_agent_t agent, void* search);
  static hsa_status_t OnRegion(hsa_region_t region, void* search);
  static void OnError(hsa_status_t status, hsa_queue_t* queue, void* self);

  const HsaApi* api_ = nullptr;
  hsa_queue_t* app_ = nullptr;
  hsa_queue_t* gpu_ = nullptr;
  AqlPacket* ring_ = nullptr;  // the GPU's ring
  uint64_t mask_ = 0;
  uint64_t written_ = 0;  // packets put
  uint64_t read_ = 0;     // packets that are known to have left the ring
  uint64_t rung_ = 0;
  QueueErrorCallback callback_ = nullptr;
  void* data_ = nullptr;
};

}  // namespace rtl::capture
