// SPDX-License-Identifier: MIT
#include "capture/pc_sampling/pc_sampler.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#include "base/own_memory.h"
#include "base/own_thread.h"
#include "base/thread_state.h"
#include "capture/hsa/queue_identity.h"
#include "device/sampling_driver.h"

namespace rtl::capture {
namespace {

// a required argument that these runtimes ignore
constexpr size_t kLatency = 1000;
constexpr uint32_t kLastAmdStepWithSmallBuffers = 5;  // ROCm 6.4

// The range of intervals that the GPU and its driver offer for host traps.
struct Offer {
  bool found;
  uint64_t least, most;
};

hsa_status_t OnConfiguration(const PcsConfiguration* offered, void* data) {
  auto* const offer = static_cast<Offer*>(data);
  if (offered->method == PcsMethod::kHostTrap && offered->units == PcsUnits::kMicroseconds)
    *offer = {true, offered->min_interval, offered->max_interval};
  return HSA_STATUS_SUCCESS;
}

// The interval of the GPU's configuration that is in use; zero: not known. The runtime lists a used
// configuration without its range. It must not get a request for another one, because it keeps a
// pointer to the session that the driver rejects.
uint64_t IntervalInUse(const HsaApi& api, hsa_agent_t agent) {
  // HSA_AMD_AGENT_INFO_DRIVER_UID, which only newer headers have
  constexpr int kDriverNumber = 0xa112;
  uint32_t number = 0;
  char name[64] = {};
  SamplingOffer offers[kMostSamplingOffers];
  uint32_t count = 0;
  if (api.agent_get_info(agent, static_cast<hsa_agent_info_t>(kDriverNumber), &number) !=
          HSA_STATUS_SUCCESS ||
      api.agent_get_info(agent, HSA_AGENT_INFO_NAME, name) != HSA_STATUS_SUCCESS ||
      QuerySampling(number, name, offers, &count) != SamplingAnswer::kOk)
    return 0;
  for (uint32_t i = 0; i < count; ++i) {
    if (offers[i].method == SamplingMethod::kHostTrap) return offers[i].interval;
  }
  return 0;
}

// The part of amd_signal_t that a doorbell uses: its kind, then its address in the page.
bool ReadDoorbell(hsa_signal_t signal, uint64_t* address) {
  uint64_t words[2];
  if (!ReadOwnMemory(signal.handle, words, sizeof words)) return false;
  *address = words[1];
  return true;
}

}  // namespace

hsa_status_t PcSampler::OnAgent(hsa_agent_t agent, void* data) {
  auto* const self = static_cast<PcSampler*>(data);
  hsa_device_type_t type = HSA_DEVICE_TYPE_CPU;
  if (self->api_->agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type) != HSA_STATUS_SUCCESS ||
      type != HSA_DEVICE_TYPE_GPU || self->gpu_count_ == kMostGpus)
    return HSA_STATUS_SUCCESS;
  Gpu& gpu = self->gpus_[self->gpu_count_++];
  gpu.self = self;
  gpu.hsa_agent = agent;
  gpu.agent = self->agent_number_(self->agent_data_, agent);
  return HSA_STATUS_SUCCESS;
}

void PcSampler::Open(const void* root_table, const HsaTables& tables, AgentNumber agent_number,
                     const void* data) {
  PcsApi pcs;
  const bool has_table = pcs.Open(root_table);
  OpenWith(tables.api(), has_table ? &pcs : nullptr,
           tables.amd_step() <= kLastAmdStepWithSmallBuffers ? kSmallBufferBytes : kBufferBytes,
           true, agent_number, data);
}

void PcSampler::OpenWith(const HsaApi& api, const PcsApi* pcs, size_t buffer_bytes, bool own_thread,
                         AgentNumber agent_number, const void* data) {
  const MutexLock lock(mutex_);
  if (open_) return;
  api_ = &api;
  buffer_bytes_ = buffer_bytes;
  wants_thread_ = own_thread;
  agent_number_ = agent_number;
  agent_data_ = data;
  has_table_ = pcs != nullptr;
  if (has_table_) pcs_ = *pcs;
  gpu_count_ = 0;
  (void)api_->iterate_agents(OnAgent, this);  // if this fails, Begin finds no GPU
  open_ = true;
}

void PcSampler::Close() {
  if (forked_.load(std::memory_order_relaxed)) return;
  bool join;
  pthread_t thread;
  {
    const MutexLock lock(mutex_);
    if (!open_) return;
    for (uint32_t i = 0; i < gpu_count_; ++i) {
      if (gpus_[i].interval_us != 0) EndSession(&gpus_[i]);
    }
    open_ = false;
    join = has_thread_;
    thread = thread_;
    has_thread_ = false;
  }
  constexpr uint64_t kJoinNs = 1'000'000'000;
  // a thread that is not joined in time ends by itself
  if (join) (void)JoinOwnThread(thread, kJoinNs);
}

PcSampler::Gpu* PcSampler::Find(uint32_t agent) {
  for (uint32_t i = 0; i < gpu_count_; ++i) {
    if (gpus_[i].agent == agent) return &gpus_[i];
  }
  return nullptr;
}

Status PcSampler::CreateSession(Gpu* gpu, uint64_t interval_us) {
  Offer offer = {};
  // If this fails, there is no offer.
  (void)pcs_.iterate_configuration(gpu->hsa_agent, OnConfiguration, &offer);
  if (!offer.found) return Status::Error("this GPU and its driver offer no host traps");
  if (const uint64_t in_use = offer.most == 0 ? IntervalInUse(*api_, gpu->hsa_agent) : 0;
      in_use != 0 && in_use != interval_us)
    return Status::Error(
        "another process samples this GPU every %llu us, and a GPU has one interval for all",
        static_cast<unsigned long long>(in_use));
  if (offer.most != 0 && (interval_us < offer.least || interval_us > offer.most))
    return Status::Error("an interval of %llu us is not between %llu and %llu",
                         static_cast<unsigned long long>(interval_us),
                         static_cast<unsigned long long>(offer.least),
                         static_cast<unsigned long long>(offer.most));
  if (gpu->buffer == nullptr) {
    void* const memory =
        mmap(nullptr, buffer_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return Status::Error("no memory for samples");
    gpu->buffer = static_cast<PcsHostTrapSample*>(memory);
  }
  hsa_status_t status =
      pcs_.create(gpu->hsa_agent, PcsMethod::kHostTrap, PcsUnits::kMicroseconds, interval_us,
                  kLatency, buffer_bytes_, OnData, gpu, &gpu->session);
  if (status == HSA_STATUS_SUCCESS) {
    // The runtime keeps the index of the buffer to empty next across sessions, but a new session
    // fills the first buffer. A flush while both buffers are empty resets both indexes. Without
    // this flush, the first flush after the start may wait forever for samples that are in the
    // other buffer.
    (void)pcs_.flush(gpu->session);  // a failure is ignored: sampling also works without this flush
    status = pcs_.start(gpu->session);
    if (status != HSA_STATUS_SUCCESS) (void)pcs_.destroy(gpu->session);
  }
  if (status != HSA_STATUS_SUCCESS)
    return Status::Error("the runtime returned status 0x%x", status);
  gpu->interval_us = interval_us;
  sampling_.store(true, std::memory_order_relaxed);
  return Status::Ok();
}

Status PcSampler::Begin(PcSampleUser* user, uint32_t agent, uint64_t interval_us) {
  const ReentryGuard guard;
  const MutexLock lock(mutex_);
  if (!open_) return Status::Error("no HSA runtime is loaded");
  if (!has_table_) return Status::Error("this runtime has no PC sampling; ROCm 6.4 and later have");
  Gpu* const gpu = Find(agent);
  if (gpu == nullptr) return Status::Error("there is no such GPU");
  if (gpu->interval_us != 0 && gpu->interval_us != interval_us)
    return Status::Error("the GPU is sampled every %llu us already",
                         static_cast<unsigned long long>(gpu->interval_us));
  if (gpu->user_count == kMostUsers) return Status::Error("too many clients sample this GPU");
  for (uint32_t i = 0; i < gpu->user_count; ++i) {
    if (gpu->users[i].load(std::memory_order_relaxed) == user) return Status::Ok();
  }
  gpu->users[gpu->user_count].store(user, std::memory_order_release);
  ++gpu->user_count;
  if (gpu->interval_us == 0) {
    if (Status made = CreateSession(gpu, interval_us); !made.ok()) {
      RemoveUser(gpu, user);
      return made;
    }
  }
  StartThread();
  return Status::Ok();
}

void PcSampler::RemoveUser(Gpu* gpu, PcSampleUser* user) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < gpu->user_count; ++i) {
    PcSampleUser* const each = gpu->users[i].load(std::memory_order_relaxed);
    if (each != user) gpu->users[kept++].store(each, std::memory_order_release);
  }
  for (uint32_t i = kept; i < gpu->user_count; ++i)
    gpu->users[i].store(nullptr, std::memory_order_release);
  gpu->user_count = kept;
}

// The runtime stops sampling first; then the remaining samples are delivered.
void PcSampler::EndSession(Gpu* gpu) {
  (void)pcs_.stop(gpu->session);
  (void)pcs_.flush(gpu->session);  // if this fails, the number of remaining samples is not known
  (void)pcs_.destroy(gpu->session);
  gpu->interval_us = 0;
  gpu->session = 0;
  while (gpu->user_count != 0) RemoveUser(gpu, gpu->users[0].load(std::memory_order_relaxed));
}

void PcSampler::End(PcSampleUser* user, uint32_t agent) {
  if (forked_.load(std::memory_order_relaxed)) return;
  const ReentryGuard guard;
  const MutexLock lock(mutex_);
  Gpu* const gpu = Find(agent);
  if (!open_ || gpu == nullptr || gpu->interval_us == 0) return;
  const bool last = gpu->user_count == 1 && gpu->users[0].load(std::memory_order_relaxed) == user;
  if (last) return EndSession(gpu);
  (void)pcs_.flush(gpu->session);  // delivers the last samples of the user that ends
  RemoveUser(gpu, user);
}

void PcSampler::EndAll(PcSampleUser* user) {
  for (uint32_t i = 0; i < gpu_count_; ++i) End(user, gpus_[i].agent);
}

void PcSampler::Flush() {
  if (!sampling_.load(std::memory_order_relaxed) || forked_.load(std::memory_order_relaxed)) return;
  const ReentryGuard guard;
  const MutexLock lock(mutex_);
  if (!open_) return;
  for (uint32_t i = 0; i < gpu_count_; ++i) {
    // If this fails, the next flush delivers the samples.
    if (gpus_[i].interval_us != 0) (void)pcs_.flush(gpus_[i].session);
  }
}

// Starts the thread that flushes. Without it samples arrive only when a buffer is half full, and at
// the end.
void PcSampler::StartThread() {
  if (has_thread_ || !wants_thread_) return;
  has_thread_ = StartOwnThread("rtl-pcs", Main, this, &thread_).ok();
}

long PcSampler::NextPause(long pause_ns, uint64_t samples, uint64_t lost, uint64_t room) {
  if (lost != 0 || samples > room / 4)
    return pause_ns / 2 < kLeastFlushNs ? kLeastFlushNs : pause_ns / 2;
  if (samples > room / 16) return pause_ns;
  return pause_ns * 2 > kFlushNs ? kFlushNs : pause_ns * 2;
}

// Returns the next pause for the GPU whose buffer fills fastest.
long PcSampler::PauseAfter(long pause_ns) {
  // the GPU fills one buffer while the other one is emptied
  constexpr uint64_t kBuffersOfTheGpu = 2;
  const uint64_t room = buffer_bytes_ / sizeof(PcsHostTrapSample) / kBuffersOfTheGpu;
  long least = kFlushNs;
  for (uint32_t i = 0; i < gpu_count_; ++i) {
    const uint64_t received = gpus_[i].received.exchange(0, std::memory_order_relaxed);
    const uint64_t lost = gpus_[i].lost.exchange(0, std::memory_order_relaxed);
    const long next = NextPause(pause_ns, received, lost, room);
    if (next < least) least = next;
  }
  return least;
}

void* PcSampler::Main(void* data) {
  auto* const self = static_cast<PcSampler*>(data);
  const ReentryGuard guard;
  for (long pause_ns = kFlushNs;; pause_ns = self->PauseAfter(pause_ns)) {
    const timespec pause = {0, pause_ns};
    (void)nanosleep(&pause, nullptr);  // if interrupted, the loop checks once more
    self->Flush();
    const MutexLock lock(self->mutex_);
    if (!self->open_) return nullptr;
  }
}

// Called on the runtime's thread, or on the thread that calls Flush or End: mutex_ may be held.
void PcSampler::OnData(void* data, size_t bytes, size_t lost, PcsCopyData copy, void* context) {
  const ReentryGuard guard;
  Gpu& gpu = *static_cast<Gpu*>(data);
  PcSampler* const self = gpu.self;
  gpu.received.fetch_add(bytes / sizeof(PcsHostTrapSample), std::memory_order_relaxed);
  uint64_t missed = lost;
  while (bytes != 0) {
    const size_t part = bytes < self->buffer_bytes_ ? bytes : self->buffer_bytes_;
    if (copy(context, part, gpu.buffer) != HSA_STATUS_SUCCESS) {
      missed += bytes / sizeof(PcsHostTrapSample);
      break;
    }
    for (size_t i = 0; i < part / sizeof(PcsHostTrapSample); ++i) self->Deliver(gpu, gpu.buffer[i]);
    bytes -= part;
  }
  if (missed == 0) return;
  gpu.lost.fetch_add(missed, std::memory_order_relaxed);
  for (const auto& user : gpu.users) {
    PcSampleUser* const each = user.load(std::memory_order_acquire);
    if (each != nullptr) each->SamplesLost(gpu.agent, missed);
  }
}

void PcSampler::Deliver(const Gpu& gpu, const PcsHostTrapSample& raw) {
  PcSample sample;
  sample.time = raw.timestamp;
  sample.pc = raw.pc;
  sample.exec_mask = raw.exec_mask;
  sample.agent = gpu.agent;
  for (int i = 0; i < 3; ++i) sample.workgroup[i] = raw.workgroup[i];
  sample.wave = raw.wave & 0x3f;
  sample.chiplet = raw.wave >> 8 & 0xff;
  sample.hw_id = raw.hw_id;
  FindQueue(raw.correlation, &sample);
  for (const auto& user : gpu.users) {
    PcSampleUser* const each = user.load(std::memory_order_acquire);
    if (each != nullptr) each->Sampled(sample);
  }
}

// Finds the queue and the packet of a sample. The trap handler reports only the lower bits of the
// packet's index; the whole index is below the queue's write index.
void PcSampler::FindQueue(uint64_t correlation, PcSample* sample) {
  const auto doorbell =
      static_cast<uint32_t>(correlation >> kPcsDoorbellShift & kPcsDoorbellMask) + 1;
  constexpr uint64_t kTurn = uint64_t{1} << kPcsPacketBits;
  const uint64_t low = correlation & (kTurn - 1);
  sample->packet = low;
  const MutexLock lock(queues_mutex_);
  for (const Queue& queue : queues_) {
    if (queue.doorbell != doorbell || queue.agent != sample->agent) continue;
    const uint64_t written = queue.hsa_queue == nullptr
                                 ? queue.written
                                 : api_->queue_load_write_index_scacquire(queue.hsa_queue);
    uint64_t packet = (written & ~(kTurn - 1)) | low;
    if (packet >= written && packet >= kTurn) packet -= kTurn;
    sample->packet = packet;
    sample->queue = queue.queue;
    return;
  }
}

void PcSampler::QueueMade(const QueueIdentity& identity, const hsa_queue_t& hsa_queue) {
  uint64_t address = 0;
  if (!ReadDoorbell(hsa_queue.doorbell_signal, &address)) return;
  const auto doorbell = static_cast<uint32_t>(address >> 3 & kPcsDoorbellMask) + 1;
  const MutexLock lock(queues_mutex_);
  Queue* place = nullptr;
  for (Queue& queue : queues_) {
    const bool same = queue.doorbell == doorbell && queue.agent == identity.agent;
    if (same || (queue.doorbell == 0 && place == nullptr)) place = &queue;
    if (same) break;
  }
  if (place == nullptr) return;  // samples of this queue have no kernel
  *place = {doorbell, identity.agent, identity.queue, &hsa_queue, 0};
}

void PcSampler::QueueGone(const QueueIdentity& identity) {
  Flush();
  const MutexLock lock(queues_mutex_);
  for (Queue& queue : queues_) {
    if (queue.queue != identity.queue || queue.hsa_queue == nullptr) continue;
    queue.written = api_->queue_load_write_index_scacquire(queue.hsa_queue);
    queue.hsa_queue = nullptr;
  }
}

}  // namespace rtl::capture
