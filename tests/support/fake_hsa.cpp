// SPDX-License-Identifier: MIT
#include "tests/support/fake_hsa.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>

#include "tests/support/fake_hsa_queue.h"

namespace rtl::support {

using capture::QueueErrorCallback;

FakeHsa* FakeHsa::current_ = nullptr;

namespace {

constexpr uint64_t kCpuAgent = 0x100;
constexpr uint64_t kGpuAgent = 0x200;
constexpr uint32_t kAppSignal = 1;  // event_id of the signals that the application made

// The queue whose packets the calling thread is passing through its hooks.
thread_local FakeHsa::Queue* writing_queue = nullptr;

}  // namespace

// The functions in the tables.
struct FakeCalls {
  static FakeHsa& Fake() { return *FakeHsa::current_; }

  static hsa_status_t Init() {
    hsa_status_t status;
    if (Fake().Faulty(HsaSlot::init, &status)) return status;
    ++Fake().uses_;
    return HSA_STATUS_SUCCESS;
  }

  static hsa_status_t ShutDown() {
    hsa_status_t status;
    if (Fake().Faulty(HsaSlot::shut_down, &status)) return status;
    --Fake().uses_;
    return HSA_STATUS_SUCCESS;
  }

  static hsa_status_t SystemGetInfo(hsa_system_info_t, void*) { return HSA_STATUS_SUCCESS; }

  static hsa_status_t IterateAgents(hsa_status_t (*callback)(hsa_agent_t, void*), void* data) {
    hsa_status_t status;
    if (Fake().Faulty(HsaSlot::iterate_agents, &status)) return status;
    status = callback({kCpuAgent}, data);
    for (uint32_t i = 0; i < FakeHsa::kGpus && status == HSA_STATUS_SUCCESS; ++i) {
      status = callback(Fake().Agent(i), data);
    }
    return status;
  }

  static hsa_status_t AgentGetInfo(hsa_agent_t agent, hsa_agent_info_t attribute, void* value) {
    const bool gpu = agent.handle >= kGpuAgent;
    switch (static_cast<int>(attribute)) {
      case HSA_AGENT_INFO_DEVICE:
        *static_cast<hsa_device_type_t*>(value) = gpu ? HSA_DEVICE_TYPE_GPU : HSA_DEVICE_TYPE_CPU;
        return HSA_STATUS_SUCCESS;
      case HSA_AGENT_INFO_NODE:
        *static_cast<uint32_t*>(value) =
            gpu ? static_cast<uint32_t>(agent.handle - kGpuAgent) + 1 : 0;
        return HSA_STATUS_SUCCESS;
      case HSA_AGENT_INFO_NAME:
        memset(value, 0, 64);
        strcpy(static_cast<char*>(value), gpu ? "gfx906" : "cpu");
        return HSA_STATUS_SUCCESS;
      case HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT:
        *static_cast<uint32_t*>(value) = gpu ? 60 : 2;
        return HSA_STATUS_SUCCESS;
      default:
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  }

  static uint64_t AddWriteIndex(const hsa_queue_t* queue, uint64_t count) {
    return ToQueue(const_cast<hsa_queue_t*>(queue))->write_index.fetch_add(count);
  }

  static uint64_t LoadWriteIndex(const hsa_queue_t* queue) {
    return ToQueue(const_cast<hsa_queue_t*>(queue))->write_index;
  }

  static uint64_t LoadReadIndex(const hsa_queue_t* queue) {
    return ToQueue(const_cast<hsa_queue_t*>(queue))->taken;
  }

  static hsa_status_t SetProfiling(hsa_queue_t* queue, int enable) {
    hsa_status_t status;
    if (Fake().Faulty(HsaSlot::amd_profiling_set_profiler_enabled, &status)) return status;
    ToQueue(queue)->profiling = enable != 0;
    return HSA_STATUS_SUCCESS;
  }

  static hsa_status_t SignalCreate(hsa_signal_value_t value, uint32_t, const hsa_agent_t*,
                                   hsa_signal_t* signal) {
    hsa_status_t status;
    if (Fake().Faulty(HsaSlot::signal_create, &status)) return status;
    *signal = Fake().MakeSignal(value);
    return HSA_STATUS_SUCCESS;
  }

  static hsa_status_t AmdSignalCreate(hsa_signal_value_t value, uint32_t, const hsa_agent_t*,
                                      uint64_t attributes, hsa_signal_t* signal) {
    hsa_status_t status;
    if (Fake().Faulty(HsaSlot::amd_signal_create, &status)) return status;
    if (attributes != HSA_AMD_SIGNAL_AMD_GPU_ONLY) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    *signal = Fake().MakeSignal(value);
    return HSA_STATUS_SUCCESS;
  }

  static hsa_status_t SignalDestroy(hsa_signal_t signal) {
    hsa_status_t status;
    if (Fake().Faulty(HsaSlot::signal_destroy, &status)) return status;
    if (!Fake().Alive(signal)) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    __atomic_store_n(&Memory(signal)->kind, AMD_SIGNAL_KIND_INVALID, __ATOMIC_RELAXED);
    --Fake().live_signals_;
    return HSA_STATUS_SUCCESS;
  }

  static hsa_signal_value_t Load(hsa_signal_t signal) {
    (void)Fake().Alive(signal);
    return __atomic_load_n(&Memory(signal)->value, __ATOMIC_ACQUIRE);
  }

  static hsa_signal_value_t LoadAcquire(hsa_signal_t signal) {
    amd_signal_t* const memory = Memory(signal);
    if (Fake().gpu_ != FakeHsa::Gpu::kLazily || memory->event_id == kAppSignal ||
        __atomic_load_n(&memory->value, __ATOMIC_RELAXED) != 1) {
      return Load(signal);
    }
    // A device does this elsewhere, so the thread that reads the signal does as little as possible
    // here. Ticks are unique. Otherwise a kernel could leave an application's signal as the one
    // before left it.
    const uint64_t start = Fake().tick_.fetch_add(3, std::memory_order_relaxed);
    memory->start_ts = start;
    memory->end_ts = start + 2;
    __atomic_store_n(&memory->value, 0, __ATOMIC_RELEASE);
    return 0;
  }

  static void Store(hsa_signal_t signal, hsa_signal_value_t value) {
    if (Memory(signal)->kind == AMD_SIGNAL_KIND_DOORBELL) {
      return Fake().Rung(reinterpret_cast<FakeHsa::Queue*>(Memory(signal)->event_mailbox_ptr),
                         static_cast<uint64_t>(value));
    }
    (void)Fake().Alive(signal);
    __atomic_store_n(&Memory(signal)->value, value, __ATOMIC_RELEASE);
  }

  static void Subtract(hsa_signal_t signal, hsa_signal_value_t value) {
    ++Fake().calls_[static_cast<size_t>(HsaSlot::signal_subtract_screlease)];
    (void)Fake().Alive(signal);
    __atomic_sub_fetch(&Memory(signal)->value, value, __ATOMIC_ACQ_REL);
    if (Fake().on_subtracted_) Fake().on_subtracted_();
    (void)Fake().Alive(signal);  // the runtime checks for waiters
  }

  static hsa_status_t Convert(hsa_agent_t agent, uint64_t tick, uint64_t* system) {
    hsa_status_t status;
    if (Fake().Faulty(HsaSlot::amd_profiling_convert_tick_to_system_domain, &status)) return status;
    if (agent.handle < kGpuAgent) return HSA_STATUS_ERROR_INVALID_AGENT;
    if (Fake().uses_ < 1) return HSA_STATUS_ERROR_NOT_INITIALIZED;
    *system = FakeHsa::SystemTime(tick);
    return HSA_STATUS_SUCCESS;
  }

  // For slots that are never called here: only their address counts.
  static void Nothing() {}

  // The last interceptor: puts packets on the hardware ring.
  static void Write(const void* packets, uint64_t count) {
    FakeHsa::Queue& queue = *writing_queue;
    FakeHsa& fake = *queue.owner;
    ++queue.writer_calls;
    if (fake.on_write_) fake.on_write_();
    const char* const bytes = static_cast<const char*>(packets);
    if (fake.gpu_ == FakeHsa::Gpu::kLazily) {
      memcpy(queue.last.data(), packets, std::min<size_t>(count, 4) * sizeof(AqlPacket));
      return;
    }
    if (fake.gpu_ == FakeHsa::Gpu::kAtOnce && !fake.keep_history_) {
      for (uint64_t i = 0; i < count; ++i) {
        AqlPacket packet;
        memcpy(&packet, bytes + i * sizeof(AqlPacket), sizeof(AqlPacket));
        fake.Finish(packet.barrier.completion_signal);
      }
      return;
    }
    std::lock_guard lock(queue.ring_lock);
    if (fake.fragile_rings_ && queue.base.size - queue.ring.size() <= count) ++fake.overflows_;
    for (uint64_t i = 0; i < count; ++i) {
      AqlPacket packet;
      memcpy(&packet, bytes + i * sizeof(AqlPacket), sizeof(AqlPacket));
      if (fake.keep_history_) queue.history.push_back(packet);
      if (fake.gpu_ == FakeHsa::Gpu::kAtOnce) {
        fake.Finish(packet.barrier.completion_signal);
      } else {
        queue.ring.push_back(packet);
      }
    }
  }
};

FakeHsa::FakeHsa(const TableLayout& layout, Gpu gpu)
    : engines_(layout.amd_slots >= 55), fragile_rings_(layout.fragile_rings), gpu_(gpu) {
  current_ = this;
  FillTables(layout);
  if (gpu_ == Gpu::kThread) gpu_thread_ = std::thread([this] { GpuMain(); });
}

FakeHsa::~FakeHsa() {
  quit_ = true;
  if (gpu_thread_.joinable()) gpu_thread_.join();
  for (void* memory : signal_memory_) {
    free(memory);
  }
  current_ = nullptr;
}

void FakeHsa::FillTables(const TableLayout& layout) {
  const auto make = [](std::vector<uint8_t>* table, uint32_t major, uint32_t step, size_t slots) {
    table->assign(16 + 8 * slots, 0);
    const uint32_t head[4] = {major, static_cast<uint32_t>(table->size()), step, 0};
    memcpy(table->data(), head, sizeof(head));
    void* const nothing = reinterpret_cast<void*>(&FakeCalls::Nothing);
    for (size_t i = 0; i < slots; ++i) {
      memcpy(table->data() + 16 + 8 * i, &nothing, 8);
    }
  };
  make(&root_, layout.root_major, layout.root_step, 4);
  make(&core_, layout.core_major, 0, layout.core_slots);
  make(&amd_, layout.amd_major, layout.amd_step, layout.amd_slots);
  const void* const tables[2] = {core_.data(), amd_.data()};
  memcpy(root_.data() + 16, tables, sizeof(tables));

  const auto put = [this](HsaSlot slot, auto function) {
    Put(slot, reinterpret_cast<void*>(function));
  };
  put(HsaSlot::init, &FakeCalls::Init);
  put(HsaSlot::shut_down, &FakeCalls::ShutDown);
  put(HsaSlot::system_get_info, &FakeCalls::SystemGetInfo);
  put(HsaSlot::iterate_agents, &FakeCalls::IterateAgents);
  put(HsaSlot::agent_get_info, &FakeCalls::AgentGetInfo);
  put(HsaSlot::queue_load_read_index_scacquire, &FakeCalls::LoadReadIndex);
  put(HsaSlot::queue_load_write_index_scacquire, &FakeCalls::LoadWriteIndex);
  put(HsaSlot::queue_add_write_index_scacq_screl, &FakeCalls::AddWriteIndex);
  put(HsaSlot::queue_add_write_index_scacquire, &FakeCalls::AddWriteIndex);
  put(HsaSlot::queue_add_write_index_relaxed, &FakeCalls::AddWriteIndex);
  put(HsaSlot::queue_add_write_index_screlease, &FakeCalls::AddWriteIndex);
  put(HsaSlot::signal_create, &FakeCalls::SignalCreate);
  put(HsaSlot::signal_destroy, &FakeCalls::SignalDestroy);
  put(HsaSlot::signal_load_relaxed, &FakeCalls::Load);
  put(HsaSlot::signal_load_scacquire, &FakeCalls::LoadAcquire);
  put(HsaSlot::signal_store_relaxed, &FakeCalls::Store);
  put(HsaSlot::signal_store_screlease, &FakeCalls::Store);
  put(HsaSlot::signal_silent_store_relaxed, &FakeCalls::Store);
  put(HsaSlot::signal_silent_store_screlease, &FakeCalls::Store);
  put(HsaSlot::signal_subtract_screlease, &FakeCalls::Subtract);
  put(HsaSlot::amd_profiling_set_profiler_enabled, &FakeCalls::SetProfiling);
  put(HsaSlot::amd_profiling_convert_tick_to_system_domain, &FakeCalls::Convert);
  PutCopyCalls();
  PutWaitCalls();
  PutQueueCalls();
  put(HsaSlot::amd_signal_create, &FakeCalls::AmdSignalCreate);
}

void** FakeHsa::Address(HsaSlot slot) const {
  using hsa_tables::kNoSlot;
  struct Place {
    bool amd;
    uint32_t slot, slot_with_engines;
  };
  static constexpr Place kPlaces[] = {
#define X(name, slot) {false, slot, slot},
      RTL_HSA_CORE_SLOTS(X)
#undef X
#define X(name, old_slot, new_slot) {true, old_slot, new_slot},
          RTL_HSA_AMD_SLOTS(X) RTL_HSA_AMD_TOOL_SLOTS(X)
#undef X
  };
  const Place& place = kPlaces[static_cast<size_t>(slot)];
  const std::vector<uint8_t>& table = place.amd ? amd_ : core_;
  const uint32_t index = engines_ ? place.slot_with_engines : place.slot;
  if (index == kNoSlot || 16 + 8 * (size_t{index} + 1) > table.size()) return nullptr;
  return reinterpret_cast<void**>(const_cast<uint8_t*>(table.data()) + 16 + 8 * size_t{index});
}

void FakeHsa::Put(HsaSlot slot, void* function) {
  if (void** const address = Address(slot)) *address = function;
}

void* FakeHsa::Slot(HsaSlot slot) const {
  void** const address = Address(slot);
  return address == nullptr ? nullptr : __atomic_load_n(address, __ATOMIC_ACQUIRE);
}

hsa_signal_t FakeHsa::MakeSignal(hsa_signal_value_t value) {
  void* const memory = aligned_alloc(AMD_SIGNAL_ALIGN_BYTES, sizeof(amd_signal_t));
  memset(memory, 0, sizeof(amd_signal_t));
  amd_signal_t* const signal = static_cast<amd_signal_t*>(memory);
  signal->kind = AMD_SIGNAL_KIND_USER;
  signal->value = value;
  ++live_signals_;
  std::lock_guard lock(mutex_);
  signal_memory_.push_back(memory);
  return {reinterpret_cast<uint64_t>(memory)};
}

bool FakeHsa::Alive(hsa_signal_t signal) {
  const bool alive =
      signal.handle != 0 &&
      __atomic_load_n(&Memory(signal)->kind, __ATOMIC_RELAXED) == AMD_SIGNAL_KIND_USER;
  if (!alive) ++bad_uses_;
  return alive;
}

// The packet processor's work at the end of a packet.
void FakeHsa::Finish(hsa_signal_t signal) {
  if (signal.handle == 0 || !Alive(signal)) return;
  const uint64_t start = tick_.fetch_add(3, std::memory_order_relaxed);
  if (write_times_.load(std::memory_order_relaxed)) {
    __atomic_store_n(&Memory(signal)->start_ts, start, __ATOMIC_RELAXED);
    __atomic_store_n(&Memory(signal)->end_ts, start + 2, __ATOMIC_RELAXED);
  }
  __atomic_sub_fetch(&Memory(signal)->value, 1, __ATOMIC_RELEASE);
}

size_t FakeHsa::InFlight(hsa_queue_t* queue) {
  std::lock_guard lock(ToQueue(queue)->ring_lock);
  return ToQueue(queue)->ring.size();
}

size_t FakeHsa::Complete(hsa_queue_t* queue, size_t packets) {
  std::lock_guard lock(ToQueue(queue)->ring_lock);
  std::deque<AqlPacket>& ring = ToQueue(queue)->ring;
  size_t done = 0;
  for (; done < packets && !ring.empty(); ++done) {
    Finish(ring.front().barrier.completion_signal);
    ring.pop_front();
  }
  return done;
}

void FakeHsa::CompleteAt(hsa_queue_t* queue, size_t position) {
  std::lock_guard lock(ToQueue(queue)->ring_lock);
  std::deque<AqlPacket>& ring = ToQueue(queue)->ring;
  Finish(ring.at(position).barrier.completion_signal);
  ring.erase(ring.begin() + static_cast<ptrdiff_t>(position));
}

void FakeHsa::CompleteAll() {
  std::vector<Queue*> queues;
  {
    std::lock_guard lock(mutex_);
    for (const auto& queue : queues_) {
      queues.push_back(queue.get());
    }
  }
  for (Queue* queue : queues) {
    Complete(&queue->base, SIZE_MAX);
  }
}

void FakeHsa::GpuMain() {
  while (!quit_) {
    CompleteAll();
    std::this_thread::yield();
  }
  CompleteAll();
}

std::vector<AqlPacket> FakeHsa::History(hsa_queue_t* queue) {
  std::lock_guard lock(ToQueue(queue)->ring_lock);
  return ToQueue(queue)->history;
}

uint64_t FakeHsa::WriterCalls(hsa_queue_t* queue) { return ToQueue(queue)->writer_calls; }

hsa_agent_t FakeHsa::Agent(uint32_t gpu) const { return {kGpuAgent + gpu}; }
hsa_agent_t FakeHsa::CpuAgent() const { return {kCpuAgent}; }

hsa_status_t FakeHsa::Init() { return Call<decltype(&FakeCalls::Init)>(HsaSlot::init)(); }

hsa_status_t FakeHsa::ShutDown() {
  return Call<decltype(&FakeCalls::ShutDown)>(HsaSlot::shut_down)();
}

uint64_t FakeHsa::Reserve(hsa_queue_t* queue, uint64_t count) {
  return Call<decltype(&FakeCalls::AddWriteIndex)>(HsaSlot::queue_add_write_index_screlease)(queue,
                                                                                             count);
}

void FakeHsa::SetWriteIndex(hsa_queue_t* queue, uint64_t index) {
  ToQueue(queue)->write_index = index;
}

hsa_signal_t FakeHsa::CreateSignal(hsa_signal_value_t value) {
  hsa_signal_t signal = {};
  const hsa_status_t status =
      Call<decltype(&FakeCalls::SignalCreate)>(HsaSlot::signal_create)(value, 0, nullptr, &signal);
  if (status != HSA_STATUS_SUCCESS) return {};
  Memory(signal)->event_id = kAppSignal;
  return signal;
}

hsa_status_t FakeHsa::DestroySignal(hsa_signal_t signal) {
  return Call<decltype(&FakeCalls::SignalDestroy)>(HsaSlot::signal_destroy)(signal);
}

pid_t FakeHsa::Fork(hsa_queue_t* queue) {
  const std::scoped_lock locks(ToQueue(queue)->lock, ToQueue(queue)->ring_lock, mutex_);
  return fork();
}

hsa_status_t FakeHsa::SetProfiling(hsa_queue_t* queue, bool on) {
  return Call<decltype(&FakeCalls::SetProfiling)>(HsaSlot::amd_profiling_set_profiler_enabled)(
      queue, on ? 1 : 0);
}

bool FakeHsa::Profiling(hsa_queue_t* queue) { return ToQueue(queue)->profiling; }
bool FakeHsa::Intercepted(hsa_queue_t* queue) { return ToQueue(queue)->intercepted; }

void FakeHsa::GiveDoorbell(Queue* queue) {
  queue->doorbell.kind = AMD_SIGNAL_KIND_DOORBELL;
  queue->doorbell.event_mailbox_ptr = reinterpret_cast<uint64_t>(queue);
  queue->base.doorbell_signal = {reinterpret_cast<uint64_t>(&queue->doorbell)};
  if (queue->base.base_address != nullptr) return;
  queue->memory.resize(queue->base.size);
  for (AqlPacket& packet : queue->memory) packet.header = HSA_PACKET_TYPE_INVALID;
  queue->base.base_address = queue->memory.data();
}

// The device: takes the packets for which it was rung, in order.
void FakeHsa::Rung(Queue* queue, uint64_t last) {
  std::lock_guard lock(queue->lock);
  Queue* const outer = writing_queue;
  writing_queue = queue;
  auto* const ring = static_cast<AqlPacket*>(queue->base.base_address);
  for (; queue->taken <= last; ++queue->taken) {
    AqlPacket& slot = ring[queue->taken % queue->base.size];
    const uint16_t header = __atomic_load_n(&slot.header, __ATOMIC_ACQUIRE);
    if (header == HSA_PACKET_TYPE_INVALID) {
      ++unwritten_;
      break;
    }
    FakeCalls::Write(&slot, 1);
    __atomic_store_n(&slot.header, uint16_t{HSA_PACKET_TYPE_INVALID}, __ATOMIC_RELEASE);
  }
  writing_queue = outer;
}

void FakeHsa::WriteAt(hsa_queue_t* queue, uint64_t index, const AqlPacket& packet) {
  AqlPacket& slot = static_cast<AqlPacket*>(queue->base_address)[index % queue->size];
  memcpy(reinterpret_cast<char*>(&slot) + 2, reinterpret_cast<const char*>(&packet) + 2, 62);
  __atomic_store_n(&slot.header, packet.header, __ATOMIC_RELEASE);
}

void FakeHsa::Ring(hsa_queue_t* queue, uint64_t index) {
  Store(queue->doorbell_signal, static_cast<int64_t>(index));
}

void FakeHsa::Store(hsa_signal_t signal, int64_t value) {
  Call<decltype(&FakeCalls::Store)>(HsaSlot::signal_store_screlease)(signal, value);
}

void FakeHsa::TakeUnrung(hsa_queue_t* queue, uint64_t last) { Rung(ToQueue(queue), last); }

// Passes packets to the next interceptor, or to the hardware after the last one.
void FakeHsa::HandOn(const void* packets, uint64_t count) {
  Queue& queue = *writing_queue;
  if (queue.level == 0) return FakeCalls::Write(packets, count);
  const Queue::Interceptor& interceptor = queue.interceptors[--queue.level];
  interceptor.hook(packets, count, queue.next_index, interceptor.data, &FakeHsa::HandOn);
  ++queue.level;
}

void FakeHsa::Hand(Queue* queue, const AqlPacket* packets, uint64_t count) {
  std::lock_guard lock(queue->lock);
  Queue* const outer = writing_queue;
  writing_queue = queue;
  queue->level = queue->interceptors.size();
  HandOn(packets, count);
  queue->next_index += count;
  if (queue->intercepted) queue->taken += count;
  writing_queue = outer;
}

void FakeHsa::Swallow(hsa_queue_t* queue, uint64_t count) {
  (void)Reserve(queue, count);
  ToQueue(queue)->taken += count;
}

void FakeHsa::Submit(hsa_queue_t* queue, const AqlPacket& packet) {
  Hand(ToQueue(queue), &packet, 1);
}

void FakeHsa::SubmitBatch(hsa_queue_t* queue, const std::vector<AqlPacket>& packets) {
  Hand(ToQueue(queue), packets.data(), packets.size());
}

void FakeHsa::SubmitFrom(hsa_queue_t* queue, const AqlPacket* packets, uint64_t count) {
  Hand(ToQueue(queue), packets, count);
}

AqlPacket FakeHsa::Kernel(uint64_t kernel_object, hsa_signal_t completion) {
  AqlPacket packet = {};
  packet.header = (HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE) |
                  (1 << HSA_PACKET_HEADER_BARRIER);
  packet.dispatch.setup = 3;
  packet.dispatch.workgroup_size_x = 64;
  packet.dispatch.workgroup_size_y = 2;
  packet.dispatch.workgroup_size_z = 1;
  packet.dispatch.grid_size_x = 4096;
  packet.dispatch.grid_size_y = 8;
  packet.dispatch.grid_size_z = 1;
  packet.dispatch.private_segment_size = 16;
  packet.dispatch.group_segment_size = 1024;
  packet.dispatch.kernel_object = kernel_object;
  packet.dispatch.completion_signal = completion;
  return packet;
}

AqlPacket FakeHsa::Vendor(uint8_t format, hsa_signal_t completion) {
  AqlPacket packet = Kernel(1, completion);
  packet.header = HSA_PACKET_TYPE_VENDOR_SPECIFIC << HSA_PACKET_HEADER_TYPE;
  packet.dispatch.setup = format;
  return packet;
}

AqlPacket FakeHsa::Barrier(hsa_signal_t completion) {
  AqlPacket packet = {};
  packet.header = HSA_PACKET_TYPE_BARRIER_AND << HSA_PACKET_HEADER_TYPE;
  packet.barrier.completion_signal = completion;
  return packet;
}

void FakeHsa::EndKernelOn(hsa_signal_t signal) {
  if (Value(signal) == 1) Finish(signal);
}

}  // namespace rtl::support
