// SPDX-License-Identifier: MIT
// The asynchronous copies of the fake runtime.
#include <string.h>

#include "base/clock.h"
#include "tests/support/fake_hsa.h"

namespace rtl::support {
// The functions in the tables.
struct FakeCopyCalls {
  static FakeHsa& Fake() { return *FakeHsa::current_; }

  static hsa_status_t Accept(HsaSlot slot, hsa_agent_t dst_agent, hsa_agent_t src_agent,
                             hsa_signal_t completion) {
    hsa_status_t status;
    if (Fake().Faulty(slot, &status)) return status;
    if (!Fake().Alive(completion)) return HSA_STATUS_ERROR_INVALID_SIGNAL;
    Fake().Enqueue(dst_agent, src_agent, completion);
    return HSA_STATUS_SUCCESS;
  }

  static hsa_status_t AsyncCopy(void*, hsa_agent_t dst_agent, const void*, hsa_agent_t src_agent,
                                size_t, uint32_t, const hsa_signal_t*, hsa_signal_t completion) {
    return Accept(HsaSlot::amd_memory_async_copy, dst_agent, src_agent, completion);
  }

  static hsa_status_t AsyncCopyOnEngine(void*, hsa_agent_t dst_agent, const void*,
                                        hsa_agent_t src_agent, size_t, uint32_t,
                                        const hsa_signal_t*, hsa_signal_t completion, uint32_t,
                                        bool) {
    return Accept(HsaSlot::amd_memory_async_copy_on_engine, dst_agent, src_agent, completion);
  }

  static hsa_status_t AsyncCopyRect(const hsa_pitched_ptr_t*, const hsa_dim3_t*,
                                    const hsa_pitched_ptr_t*, const hsa_dim3_t*, const hsa_dim3_t*,
                                    hsa_agent_t copy_agent, hsa_amd_copy_direction_t, uint32_t,
                                    const hsa_signal_t*, hsa_signal_t completion) {
    return Accept(HsaSlot::amd_memory_async_copy_rect, copy_agent, copy_agent, completion);
  }

  static hsa_status_t AsyncCopyBatch(const capture::CopyOperation* operations, uint32_t count,
                                     uint32_t, const hsa_signal_t*) {
    hsa_status_t status;
    if (Fake().Faulty(HsaSlot::amd_memory_async_batch_copy, &status)) return status;
    for (uint32_t i = 0; i < count; ++i) {
      Fake().Enqueue(operations[i].dst_agent, operations[i].src_agent,
                     operations[i].completion_signal);
    }
    return HSA_STATUS_SUCCESS;
  }

  static hsa_status_t AsyncCopyEnable(bool enable) {
    hsa_status_t status;
    if (Fake().Faulty(HsaSlot::amd_profiling_async_copy_enable, &status)) return status;
    if (Fake().on_time_copies_) Fake().on_time_copies_();
    Fake().time_copies_ = enable;
    return HSA_STATUS_SUCCESS;
  }

  static hsa_status_t AsyncCopyTime(hsa_signal_t signal,
                                    hsa_amd_profiling_async_copy_time_t* time) {
    hsa_status_t status;
    if (Fake().Faulty(HsaSlot::amd_profiling_get_async_copy_time, &status)) return status;
    if (!Fake().Alive(signal)) return HSA_STATUS_ERROR_INVALID_SIGNAL;
    // The runtime prints a complaint about times that are not there yet.
    if (FakeHsa::Value(signal) >= 1) ++Fake().bad_uses_;
    std::lock_guard lock(Fake().mutex_);
    const auto found = Fake().copy_times_.find(signal.handle);
    if (found == Fake().copy_times_.end()) return HSA_STATUS_ERROR;
    *time = {found->second.start, found->second.end};
    return HSA_STATUS_SUCCESS;
  }
};

void FakeHsa::PutCopyCalls() {
  const auto put = [this](HsaSlot slot, auto function) {
    Put(slot, reinterpret_cast<void*>(function));
  };
  put(HsaSlot::amd_profiling_async_copy_enable, &FakeCopyCalls::AsyncCopyEnable);
  put(HsaSlot::amd_profiling_get_async_copy_time, &FakeCopyCalls::AsyncCopyTime);
  put(HsaSlot::amd_memory_async_copy, &FakeCopyCalls::AsyncCopy);
  put(HsaSlot::amd_memory_async_copy_rect, &FakeCopyCalls::AsyncCopyRect);
  put(HsaSlot::amd_memory_async_copy_on_engine, &FakeCopyCalls::AsyncCopyOnEngine);
  put(HsaSlot::amd_memory_async_batch_copy, &FakeCopyCalls::AsyncCopyBatch);
}

hsa_status_t FakeHsa::AsyncCopy(hsa_signal_t completion) {
  return Copy(Agent(0), Agent(0), 0, completion);
}

hsa_status_t FakeHsa::Copy(hsa_agent_t dst_agent, hsa_agent_t src_agent, size_t bytes,
                           hsa_signal_t completion) {
  return Call<decltype(&FakeCopyCalls::AsyncCopy)>(HsaSlot::amd_memory_async_copy)(
      reinterpret_cast<void*>(0xd000), dst_agent, reinterpret_cast<void*>(0x5000), src_agent, bytes,
      0, nullptr, completion);
}

hsa_status_t FakeHsa::CopyOnEngine(hsa_agent_t dst_agent, hsa_agent_t src_agent, size_t bytes,
                                   hsa_signal_t completion) {
  return Call<decltype(&FakeCopyCalls::AsyncCopyOnEngine)>(
      HsaSlot::amd_memory_async_copy_on_engine)(nullptr, dst_agent, nullptr, src_agent, bytes, 0,
                                                nullptr, completion, 1, false);
}

hsa_status_t FakeHsa::CopyRect(hsa_agent_t copy_agent, hsa_amd_copy_direction_t direction,
                               hsa_dim3_t range, hsa_signal_t completion) {
  const hsa_pitched_ptr_t place = {};
  const hsa_dim3_t origin = {};
  return Call<decltype(&FakeCopyCalls::AsyncCopyRect)>(HsaSlot::amd_memory_async_copy_rect)(
      &place, &origin, &place, &origin, &range, copy_agent, direction, 0, nullptr, completion);
}

hsa_status_t FakeHsa::CopyBatch(const std::vector<capture::CopyOperation>& operations) {
  return Call<decltype(&FakeCopyCalls::AsyncCopyBatch)>(HsaSlot::amd_memory_async_batch_copy)(
      operations.data(), static_cast<uint32_t>(operations.size()), 0, nullptr);
}

hsa_status_t FakeHsa::TimeCopies(bool on) {
  return Call<decltype(&FakeCopyCalls::AsyncCopyEnable)>(HsaSlot::amd_profiling_async_copy_enable)(
      on);
}

void FakeHsa::Enqueue(hsa_agent_t dst_agent, hsa_agent_t src_agent, hsa_signal_t completion) {
  const bool on_gpu = dst_agent.handle >= Agent(0).handle || src_agent.handle >= Agent(0).handle;
  std::lock_guard lock(mutex_);
  copies_.push_back({completion, on_gpu && time_copies_});
}

size_t FakeHsa::CompleteCopies(size_t copies) {
  size_t done = 0;
  for (; done < copies; ++done) {
    std::lock_guard lock(mutex_);
    if (copies_.empty()) break;
    const PendingCopy copy = copies_.front();
    copies_.pop_front();
    if (!Alive(copy.completion)) continue;
    const uint64_t start = BootTimeNs();
    const uint64_t end = start + kCopyNs;
    while (BootTimeNs() < end) {
    }
    if (copy.timed) {
      copy_times_[copy.completion.handle] = {start + static_cast<uint64_t>(copy_shift_.first),
                                             end + static_cast<uint64_t>(copy_shift_.second)};
    }
    __atomic_sub_fetch(&Memory(copy.completion)->value, 1, __ATOMIC_RELEASE);
  }
  return done;
}

}  // namespace rtl::support
