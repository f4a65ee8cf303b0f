// SPDX-License-Identifier: MIT
// basic_counters.h: the hardware counters that are known by name: what they count, in which block of
// the chip, and by which number.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

namespace rtl {

struct BasicCounter {
  const char* name;
  const char* block;
  uint32_t before;         // number on GPUs whose SQ counts no matrix instructions
  uint32_t with_matrices;  // and on those whose SQ does
  const char* description;
};

inline constexpr BasicCounter kBasicCounters[] = {
    {"GRBM_COUNT", "GRBM", 0, 0, "Clock cycles of the chip"},
    {"GRBM_GUI_ACTIVE", "GRBM", 2, 2, "Clock cycles in which the chip has work"},
    {"SQ_CYCLES", "SQ", 2, 2, "Clock cycles of the sequencers"},
    {"SQ_BUSY_CYCLES", "SQ", 3, 3, "Clock cycles in which a sequencer has waves"},
    {"SQ_WAVES", "SQ", 4, 4, "Waves that were started"},
    {"SQ_INSTS_VALU", "SQ", 26, 26, "Vector instructions, by wave"},
    {"SQ_INSTS_VMEM_WR", "SQ", 27, 28, "Writes to vector memory, flat ones included, by wave"},
    {"SQ_INSTS_VMEM_RD", "SQ", 28, 29, "Reads of vector memory, flat ones included, by wave"},
    {"SQ_INSTS_SALU", "SQ", 30, 31, "Scalar instructions, by wave"},
    {"SQ_INSTS_SMEM", "SQ", 31, 32, "Accesses to scalar memory, by wave"},
    {"SQ_INSTS_FLAT", "SQ", 32, 33, "Flat accesses to memory, by wave"},
    {"SQ_INSTS_LDS", "SQ", 34, 35, "Accesses to local memory, flat ones included, by wave"},
    {"SQ_LDS_BANK_CONFLICT", "SQ", 93, 94, "Clock cycles that bank conflicts of local memory cost"},
    {"TCC_HIT", "TCC", 20, 17, "Requests that the second level cache answered"},
    {"TCC_MISS", "TCC", 22, 19, "Requests that the second level cache had to pass on"},
};
inline constexpr size_t kBasicCounterCount = sizeof kBasicCounters / sizeof kBasicCounters[0];

struct CountableGpu {
  const char* name;
  bool with_matrices;
};
inline constexpr CountableGpu kCountableGpus[] = {
    {"gfx900", false}, {"gfx906", false}, {"gfx908", true}, {"gfx90a", true}};

// Null: its counters are not known by name.
inline const CountableGpu* FindCountableGpu(const char* name) {
  for (const CountableGpu& gpu : kCountableGpus) {
    if (strcmp(gpu.name, name) == 0) return &gpu;
  }
  return nullptr;
}

inline uint32_t NumberOn(const CountableGpu& gpu, const BasicCounter& counter) {
  return gpu.with_matrices ? counter.with_matrices : counter.before;
}

}  // namespace rtl
