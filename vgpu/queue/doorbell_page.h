// SPDX-License-Identifier: MIT
// doorbell_page.h: the doorbells of one process on one GPU: a shared page of 8-byte slots.
//
// Threads    not synchronised; the owner (kfd/queue_table.h) locks
// Memory     the device's mapping stays for the process's lifetime
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>

namespace vgpu {

constexpr uint64_t kDoorbellPageBytes = 8192;

class DoorbellPage {
 public:
  static constexpr uint32_t kSlots = kDoorbellPageBytes / sizeof(uint64_t);

  DoorbellPage() = default;
  DoorbellPage(const DoorbellPage&) = delete;
  DoorbellPage& operator=(const DoorbellPage&) = delete;

  // 0 or -errno. To be called once.
  [[nodiscard]] int Open();
  // A forked child drops its copy of the parent's page.
  void CloseFile();

  std::optional<uint32_t> Reserve();
  void Release(uint32_t slot) { used_.reset(slot); }

  uint64_t* Slot(uint32_t slot) const { return base_ + slot; }
  int fd() const { return fd_; }

 private:
  int fd_ = -1;
  uint64_t* base_ = nullptr;
  std::bitset<kSlots> used_;
};

}  // namespace vgpu
