// SPDX-License-Identifier: MIT
#include "vgpu/queue/doorbell_page.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "vgpu/mem/memory_file.h"

namespace vgpu {

int DoorbellPage::Open() {
  fd_ = MakeMemoryFile("vgpu-doorbells", kDoorbellPageBytes);
  if (fd_ < 0) return fd_;
  const long address =
      syscall(SYS_mmap, nullptr, kDoorbellPageBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
  if (address == -1) return -errno;
  base_ = reinterpret_cast<uint64_t*>(address);
  if (madvise(base_, kDoorbellPageBytes, MADV_DONTFORK) != 0) return -errno;
  return 0;
}

void DoorbellPage::CloseFile() {
  syscall(SYS_close, fd_);
  fd_ = -1;
}

std::optional<uint32_t> DoorbellPage::Reserve() {
  for (uint32_t slot = 0; slot < kSlots; ++slot) {
    if (used_.test(slot)) continue;
    used_.set(slot);
    return slot;
  }
  return std::nullopt;
}

}  // namespace vgpu
