// SPDX-License-Identifier: MIT
// address_space.h: the GPU page tables of this process, one set per GPU, kept as ranges.
//
// Threads    any
// Blocking   a look-up that hits the thread's TLB takes no lock; a miss takes a shared one
// Memory     never destroyed: runtimes free device memory from exit handlers that run very late.
//            A pointer stays valid memory after its range is unmapped (see mem/arena.h), so a
//            device thread that races with a free reads stale bytes and does not crash the process
// Rule       device code reaches memory only through here. VRAM that the host cannot see has no
//            host mapping at its GPU address, and registered host memory has a different one
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "vgpu/config/config.h"

namespace vgpu {

// Driver side. `bytes` must not be 0. False, and nothing changes, when the range overlaps one that
// is already mapped on this GPU. Where `host` is nullptr, the GPU sees nothing there, not even the
// process's own memory.
[[nodiscard]] bool MapRange(int gpu, uint64_t va, uint64_t bytes, uint8_t* host);
// Removes every range that lies inside [va, va + bytes). False when there was none.
[[nodiscard]] bool UnmapRange(int gpu, uint64_t va, uint64_t bytes);
// With retry of page faults (XNACK), a GPU also sees the process's own readable memory, at the
// process's addresses, except where the GPU's page table has a range.
void ShowProcessMemory(bool on);
// Drops all translations of the process's own memory, which the process may have unmapped. Called
// when a packet begins, because the C library unmaps memory without vgpu's notice.
void ForgetProcessMemory(int gpu);
// A forked child starts with empty tables. To be called when no other thread exists.
void ForgetAddressSpaces();

namespace internal {

struct TlbEntry {
  uint64_t begin = 1;  // begin > end: never hits
  uint64_t end = 0;
  uint64_t delta = 0;  // host address minus GPU address
};

// A thread's recently used ranges of one GPU, valid while `tag` equals that GPU's current tag.
struct Tlb {
  uint64_t tag = 0;
  uint32_t next = 0;
  std::array<TlbEntry, 8> entries;
};

// Changes whenever a range of that GPU goes away; no two GPUs ever have the same tag.
extern std::atomic<uint64_t> g_tags[kMaxGpus];

[[gnu::tls_model("initial-exec")]] extern constinit thread_local Tlb t_tlb;

inline Tlb* ThreadTlb() {
  Tlb* tlb = &t_tlb;
  // Without this, a sanitizer's null check uses the flags of the instruction that computes the
  // address, and the linker replaces that instruction by one that sets no flags.
  asm("" : "+r"(tlb));
  return tlb;
}

uint8_t* LookUp(int gpu, uint64_t va, size_t bytes, size_t* run);

}  // namespace internal

// Host address of the GPU's [va, va + bytes), or nullptr unless all of it lies in one mapping.
inline uint8_t* Translate(int gpu, uint64_t va, size_t bytes) {
  const internal::Tlb& tlb = *internal::ThreadTlb();
  // Pairs with the release in UnmapRange: after an unmap returned, its range never hits.
  if (tlb.tag == internal::g_tags[gpu].load(std::memory_order_acquire)) {
    for (const internal::TlbEntry& entry : tlb.entries) {
      if (va >= entry.begin && va < entry.end && bytes <= entry.end - va) {
        return reinterpret_cast<uint8_t*>(va + entry.delta);
      }
    }
  }
  return internal::LookUp(gpu, va, bytes, nullptr);
}

// Host address of va and, in *run, how many bytes may be used from there; nullptr when unmapped.
uint8_t* TranslateRun(int gpu, uint64_t va, size_t* run);

}  // namespace vgpu
