// SPDX-License-Identifier: MIT
// Queues whose packets are moved to another one, which the GPU reads.
#include "capture/queue/moved_queue.h"

#include <gtest/gtest.h>
#include <string.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "capture/queue/doorbells.h"
#include "capture/queue/queue_mover.h"
#include "capture/queue/traced_queue.h"
#include "capture/signal/signal_pool.h"
#include "tests/support/traced_hsa.h"

namespace rtl::capture {
namespace {

constexpr uint32_t kMaxSize = 4096;

struct Ring {
  hsa_queue_t base = {};  // first: the handle points here
  std::vector<AqlPacket> packets;
  std::atomic<uint64_t> read{0}, written{0};
  bool live = true;
};
Ring* RingOf(const hsa_queue_t* queue) {
  return reinterpret_cast<Ring*>(const_cast<hsa_queue_t*>(queue));
}

// A runtime with one GPU that reads a packet when the test says so.
struct Runtime {
  std::vector<std::unique_ptr<Ring>> rings;
  std::vector<std::unique_ptr<int64_t>> signals;
  size_t live_signals = 0;
  QueueErrorCallback callback = nullptr;
  void* data = nullptr;
  bool refuses_soft = false, refuses_signals = false, has_memory = true;

  hsa_queue_t* Make(uint32_t size) {
    rings.push_back(std::make_unique<Ring>());
    Ring& ring = *rings.back();
    ring.packets.resize(size);
    for (AqlPacket& packet : ring.packets) packet.header = HSA_PACKET_TYPE_INVALID;
    ring.base.base_address = ring.packets.data();
    ring.base.size = size;
    const uint64_t id = rings.size();
    memcpy(&ring.base.id, &id, sizeof id);
    return &ring.base;
  }
};
Runtime* g_runtime = nullptr;

hsa_status_t CreateQueue(hsa_agent_t, uint32_t size, hsa_queue_type32_t,
                         QueueErrorCallback callback, void* data, uint32_t, uint32_t,
                         hsa_queue_t** queue) {
  if (size == 0 || size > kMaxSize || (size & (size - 1)) != 0)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  g_runtime->callback = callback;
  g_runtime->data = data;
  *queue = g_runtime->Make(size);
  return HSA_STATUS_SUCCESS;
}

HsaApi Api() {
  HsaApi api;
  api.queue_create = CreateQueue;
  api.soft_queue_create = [](hsa_region_t, uint32_t size, hsa_queue_type32_t, uint32_t,
                             hsa_signal_t doorbell, hsa_queue_t** queue) {
    if (g_runtime->refuses_soft) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    *queue = g_runtime->Make(size);
    (*queue)->doorbell_signal = doorbell;
    return HSA_STATUS_SUCCESS;
  };
  api.queue_destroy = [](hsa_queue_t* queue) {
    RingOf(queue)->live = false;
    return HSA_STATUS_SUCCESS;
  };
  api.iterate_agents = [](hsa_status_t (*callback)(hsa_agent_t, void*), void* data) {
    return callback({1}, data);
  };
  api.agent_get_info = [](hsa_agent_t, hsa_agent_info_t attribute, void* value) {
    if (attribute == HSA_AGENT_INFO_DEVICE)
      *static_cast<hsa_device_type_t*>(value) = HSA_DEVICE_TYPE_CPU;
    if (attribute == HSA_AGENT_INFO_QUEUE_MAX_SIZE) *static_cast<uint32_t*>(value) = kMaxSize;
    return HSA_STATUS_SUCCESS;
  };
  api.agent_iterate_regions = [](hsa_agent_t, hsa_status_t (*callback)(hsa_region_t, void*),
                                 void* data) {
    return g_runtime->has_memory ? callback({7}, data) : HSA_STATUS_SUCCESS;
  };
  api.region_get_info = [](hsa_region_t, hsa_region_info_t attribute, void* value) {
    if (attribute == HSA_REGION_INFO_SEGMENT)
      *static_cast<hsa_region_segment_t*>(value) = HSA_REGION_SEGMENT_GLOBAL;
    if (attribute == HSA_REGION_INFO_GLOBAL_FLAGS)
      *static_cast<uint32_t*>(value) = HSA_REGION_GLOBAL_FLAG_FINE_GRAINED;
    if (attribute == HSA_REGION_INFO_RUNTIME_ALLOC_ALLOWED) *static_cast<bool*>(value) = true;
    return HSA_STATUS_SUCCESS;
  };
  api.signal_create = [](hsa_signal_value_t, uint32_t, const hsa_agent_t*, hsa_signal_t* signal) {
    if (g_runtime->refuses_signals) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    g_runtime->signals.push_back(std::make_unique<int64_t>(0));
    ++g_runtime->live_signals;
    signal->handle = reinterpret_cast<uint64_t>(g_runtime->signals.back().get());
    return HSA_STATUS_SUCCESS;
  };
  api.signal_destroy = [](hsa_signal_t) {
    --g_runtime->live_signals;
    return HSA_STATUS_SUCCESS;
  };
  api.signal_store_screlease = [](hsa_signal_t, hsa_signal_value_t) {};
  api.queue_load_read_index_scacquire = [](const hsa_queue_t* queue) {
    return RingOf(queue)->read.load();
  };
  api.queue_add_write_index_relaxed = [](const hsa_queue_t* queue, uint64_t count) {
    return RingOf(queue)->written.fetch_add(count);
  };
  api.queue_store_read_index_screlease = [](const hsa_queue_t* queue, uint64_t index) {
    RingOf(queue)->read = index;
  };
  return api;
}

AqlPacket Kernel(uint64_t object) {
  AqlPacket packet = {};
  packet.header = HSA_PACKET_TYPE_KERNEL_DISPATCH;
  packet.dispatch.kernel_object = object;
  return packet;
}

class MovedQueueTest : public ::testing::Test {
 protected:
  MovedQueueTest() { g_runtime = &runtime_; }
  void Make(uint32_t size) { ASSERT_TRUE(MovedQueue::Make(&api_, RequestOf(size), &queue_).ok()); }
  QueueRequest RequestOf(uint32_t size) {
    return {{1}, size, HSA_QUEUE_TYPE_MULTI, nullptr, nullptr, 0, 0};
  }

  Runtime runtime_;
  HsaApi api_ = Api();
  MovedQueue* queue_ = nullptr;
};

TEST_F(MovedQueueTest, TheApplicationHasTheSizeThatItRequestedAndTheNumberThatTheGpuKnows) {
  Make(256);
  EXPECT_EQ(queue_->app()->size, 256u);
  EXPECT_EQ(queue_->gpu()->size, MovedQueue::kLeastRing);
  EXPECT_EQ(queue_->app()->id, queue_->gpu()->id);
  MovedQueue* large = nullptr;
  ASSERT_TRUE(MovedQueue::Make(&api_, RequestOf(4096), &large).ok());
  EXPECT_EQ(large->gpu()->size, 4096u);
  EXPECT_EQ(large->Destroy(), HSA_STATUS_SUCCESS);
  EXPECT_EQ(queue_->Destroy(), HSA_STATUS_SUCCESS);
  EXPECT_EQ(runtime_.live_signals, 0u);
  for (const auto& ring : runtime_.rings) EXPECT_FALSE(ring->live);
}

TEST_F(MovedQueueTest, WhatTheRuntimeRefusesIsRefusedAndLeavesNothing) {
  EXPECT_FALSE(MovedQueue::Make(&api_, RequestOf(100), &queue_).ok());
  EXPECT_TRUE(runtime_.rings.empty());
  const auto problem = [&](bool* fault, bool value) {
    *fault = value;
    const std::string text = MovedQueue::Make(&api_, RequestOf(128), &queue_).message();
    *fault = !value;
    return text;
  };
  EXPECT_EQ(problem(&runtime_.refuses_soft, true),
            "hsa_soft_queue_create failed with status 0x1008");
  EXPECT_EQ(problem(&runtime_.refuses_signals, true),
            "the runtime refused a signal for its doorbell");
  EXPECT_EQ(problem(&runtime_.has_memory, false), "the host has no memory for its ring");
  EXPECT_EQ(runtime_.rings.size(), 3u);
  for (const auto& ring : runtime_.rings) EXPECT_FALSE(ring->live);
  EXPECT_EQ(runtime_.live_signals, 0u);
}

TEST_F(MovedQueueTest, AnErrorNamesTheApplicationsQueue) {
  struct Seen {
    hsa_status_t status;
    hsa_queue_t* queue;
  } seen = {};
  QueueRequest request = RequestOf(64);
  request.callback = [](hsa_status_t status, hsa_queue_t* queue, void* data) {
    *static_cast<Seen*>(data) = {status, queue};
  };
  request.data = &seen;
  ASSERT_TRUE(MovedQueue::Make(&api_, request, &queue_).ok());
  runtime_.callback(HSA_STATUS_ERROR_EXCEPTION, queue_->gpu(), runtime_.data);
  EXPECT_EQ(seen.status, HSA_STATUS_ERROR_EXCEPTION);
  EXPECT_EQ(seen.queue, queue_->app());
  EXPECT_EQ(queue_->Destroy(), HSA_STATUS_SUCCESS);
}

// Writes packets into a queue, and rings its doorbell.
class MovedPacketsTest : public MovedQueueTest {
 protected:
  MovedPacketsTest() {
    Make(2048);
    pool_.Init(&api_, 0);
    services_.api = &api_;
    services_.pool = &pool_;
    services_.sink = &sink_;
    services_.pending_limit = 1024;
    services_.kernels = &kernels_;
    services_.state = &state_;
    doorbells_.Init(&api_, &state_);
    EXPECT_TRUE(traced_.Open(&services_, nullptr, 2048));
    traced_.Start({}, *queue_->app(), nullptr);
    EXPECT_TRUE(doorbells_.Add(&traced_, queue_->app(), queue_));
  }
  ~MovedPacketsTest() override {
    (void)doorbells_.Remove(queue_->doorbell());
    EXPECT_EQ(queue_->Destroy(), HSA_STATUS_SUCCESS);
  }
  void Write(uint64_t index, uint64_t object) {
    AqlPacket& slot = RingOf(queue_->app())->packets[index % 2048];
    ASSERT_EQ(slot.header, HSA_PACKET_TYPE_INVALID) << "no room for packet " << index;
    AqlPacket packet = Kernel(object);
    memcpy(slot.words + 1, packet.words + 1, sizeof packet - 8);
    __atomic_store_n(&slot.header, packet.header, __ATOMIC_RELEASE);
  }
  void Ring(uint64_t index) {
    doorbells_.Store(queue_->doorbell(), static_cast<hsa_signal_value_t>(index), Stored);
  }
  static void Stored(hsa_signal_t, hsa_signal_value_t) { FAIL() << "it is not a signal"; }
  // The GPU takes all packets that are written. Returns the objects of their kernels.
  std::vector<uint64_t> Take() {
    std::vector<uint64_t> objects;
    auto& ring = *RingOf(queue_->gpu());
    for (const uint64_t end = ring.written; ring.read < end; ++ring.read) {
      AqlPacket& slot = ring.packets[ring.read % ring.base.size];
      while (__atomic_load_n(&slot.header, __ATOMIC_ACQUIRE) == HSA_PACKET_TYPE_INVALID) {
        std::this_thread::yield();
      }
      objects.push_back(slot.dispatch.kernel_object);
      slot.header = HSA_PACKET_TYPE_INVALID;
    }
    return objects;
  }

  support::FakeKernels kernels_;
  SignalPool pool_;
  HookState state_;
  support::MemorySink sink_;
  QueueServices services_;
  Doorbells doorbells_;
  TracedQueue traced_;
};

TEST_F(MovedPacketsTest, PacketsReachTheGpuInOrderAndTheirPlacesAreFree) {
  Write(1, 11);
  Ring(1);  // the producer of packet 0 is late
  EXPECT_EQ(Take(), std::vector<uint64_t>{});
  Write(0, 10);
  Ring(0);
  EXPECT_EQ(Take(), (std::vector<uint64_t>{10, 11}));
  EXPECT_EQ(RingOf(queue_->app())->read, 2u);
  Write(2048, 12);
}

TEST_F(MovedPacketsTest, WhoFillsBothRingsIsNotHeldUp) {
  for (uint64_t i = 0; i < 2048 + 2000; ++i) {
    Write(i, i);
    Ring(i);  // returns, though the GPU takes nothing
  }
  EXPECT_TRUE(doorbells_.MoveStarved());
  std::vector<uint64_t> objects;
  while (objects.size() < 2048 + 2000) {
    const std::vector<uint64_t> more = Take();
    ASSERT_FALSE(more.empty());
    objects.insert(objects.end(), more.begin(), more.end());
    (void)doorbells_.MoveStarved();
  }
  EXPECT_TRUE(std::ranges::is_sorted(objects));
  EXPECT_FALSE(doorbells_.MoveStarved()) << "nothing waits any more";
}

TEST_F(MovedPacketsTest, TheMoverMovesWhatTheApplicationLeaves) {
  QueueMover mover;
  ASSERT_TRUE(mover.Start(&doorbells_, nullptr).ok());
  constexpr uint64_t kPackets = 2048;
  for (uint64_t i = 0; i < kPackets; ++i) Write(i, i);
  Ring(kPackets - 1);
  std::vector<uint64_t> objects;
  while (objects.size() < kPackets) {
    const std::vector<uint64_t> more = Take();
    objects.insert(objects.end(), more.begin(), more.end());
    std::this_thread::yield();
  }
  EXPECT_TRUE(std::ranges::is_sorted(objects));
  mover.Stop();
}

}  // namespace
}  // namespace rtl::capture
