// SPDX-License-Identifier: MIT
// A tool for HSA_TOOLS_LIB that counts every call through the runtime's tables, whatever its
// arguments: each slot leads to three instructions that count and continue. The counts lie in the
// file that HSA_CALL_COUNTS names, 8 bytes for each slot, and survive however the program ends:
// core from 0, AMD's extension from 128, finalizer from 384, images from 400.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr uint32_t kPlaces = 512;
constexpr uint32_t kPageBytes = 4096;
constexpr uint32_t kEntryBytes = 16;
constexpr uint32_t kHeadBytes = 16;  // of a table

}  // namespace

extern "C" {
extern uint64_t hsa_call_counts[kPlaces] __attribute__((visibility("hidden")));
extern void* hsa_call_originals[kPlaces] __attribute__((visibility("hidden")));
extern char hsa_call_entries[kPlaces * kEntryBytes] __attribute__((visibility("hidden")));
}

asm(R"(
  .bss
  .balign 4096
  .globl hsa_call_counts, hsa_call_originals
  .hidden hsa_call_counts, hsa_call_originals
hsa_call_counts:
  .zero 4096
hsa_call_originals:
  .zero 4096
  .text
  .balign 16
  .globl hsa_call_entries
  .hidden hsa_call_entries
hsa_call_entries:
  .set place, 0
  .rept 512
  .balign 16
  lock incq hsa_call_counts+place(%rip)
  jmp *hsa_call_originals+place(%rip)
  .set place, place+8
  .endr
)");

namespace {

void** slots[kPlaces] = {};

void CountTable(char* table, uint32_t first, uint32_t most) {
  if (table == nullptr) return;
  uint32_t bytes;
  std::memcpy(&bytes, table + 4, sizeof bytes);
  for (uint32_t i = 0; i < most && kHeadBytes + 8 * (i + 1) <= bytes; ++i) {
    void** const slot = reinterpret_cast<void**>(table + kHeadBytes + 8 * i);
    if (*slot == nullptr) continue;
    const uint32_t place = first + i;
    hsa_call_originals[place] = *slot;
    slots[place] = slot;
    __atomic_store_n(slot, static_cast<void*>(hsa_call_entries + place * kEntryBytes),
                     __ATOMIC_RELEASE);
  }
}

bool MapCounts() {
  const char* const path = std::getenv("HSA_CALL_COUNTS");
  const int file = path == nullptr ? -1 : open(path, O_RDWR | O_CREAT, 0600);
  if (file < 0 || ftruncate(file, kPageBytes) != 0) return false;
  void* const map =
      mmap(hsa_call_counts, kPageBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0);
  close(file);
  return map != MAP_FAILED;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) bool OnLoad(void* root, uint64_t, uint64_t,
                                                              const char* const*) {
  if (!MapCounts()) {
    std::fprintf(stderr, "hsa_call_counter: no file for the counts\n");
    return false;
  }
  char* tables[4];
  std::memcpy(tables, static_cast<char*>(root) + kHeadBytes, sizeof tables);
  CountTable(tables[0], 0, 128);
  CountTable(tables[1], 128, 256);
  CountTable(tables[2], 384, 16);
  CountTable(tables[3], 400, 112);
  return true;
}

extern "C" __attribute__((visibility("default"))) void OnUnload() {
  for (uint32_t i = 0; i < kPlaces; ++i) {
    void* expected = hsa_call_entries + i * kEntryBytes;
    if (slots[i] != nullptr)
      __atomic_compare_exchange_n(slots[i], &expected, hsa_call_originals[i], false,
                                  __ATOMIC_RELEASE, __ATOMIC_RELAXED);
  }
}
