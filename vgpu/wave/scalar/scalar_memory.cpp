// SPDX-License-Identifier: MIT
// SMEM: scalar loads, stores and atomics, the clocks, cache control.
#include <algorithm>
#include <cstring>

#include "vgpu/clock/clock.h"
#include "vgpu/config/gpu_model.h"
#include "vgpu/wave/execution_context.h"
#include "vgpu/wave/handlers.h"
#include "vgpu/wave/memory/atomics.h"
#include "vgpu/wave/memory_words.h"
#include "vgpu/wave/operands.h"

namespace vgpu {
namespace {

constexpr uint64_t kDword = sizeof(uint32_t);
constexpr uint64_t kBufferBaseMask = 0xffff'ffff'ffff;

int64_t Offset(const Wave& wave, const Instruction& in) {
  int64_t offset = in.offset;
  if (in.has_soffset) offset += wave.sgpr[in.soffset];
  return offset;
}

// The address of a scalar access: the low two bits of base and offset do not count.
struct Place {
  uint64_t va;
  uint64_t usable;  // dwords that lie inside the buffer; the rest reads 0 and is not written
};

Place PlainPlace(const Wave& wave, const Instruction& in, uint64_t dwords) {
  const uint64_t base = wave.Sgpr64(in.saddr) & ~uint64_t{3};
  const uint64_t offset = static_cast<uint64_t>(Offset(wave, in)) & ~uint64_t{3};
  return {base + offset, dwords};
}

// The descriptor holds base (48 bits), stride (14 bits) and the number of records.
Place BufferPlace(const Wave& wave, const Instruction& in, uint64_t dwords) {
  const uint32_t* descriptor = &wave.sgpr[in.saddr];
  const uint64_t base = wave.Sgpr64(in.saddr) & kBufferBaseMask & ~uint64_t{3};
  const uint64_t stride = descriptor[1] >> 16 & 0x3fff;
  const uint64_t records = descriptor[2];
  const uint64_t bytes = stride == 0 ? records : records * stride;
  const uint64_t offset = static_cast<uint64_t>(Offset(wave, in)) & ~uint64_t{3};
  const uint64_t inside = offset < bytes ? (bytes - offset) / kDword : 0;
  return {base + offset, std::min(inside, dwords)};
}

template <auto kPlace, int kDwords>
bool Load(Wave& wave, const Instruction& in, ExecutionContext& context) {
  const Place place = kPlace(wave, in, kDwords);
  uint32_t loaded[kDwords] = {};
  if (place.usable != 0) {
    const uint8_t* host = context.Global(wave, place.va, place.usable * kDword, Access::kRead);
    if (host == nullptr) return false;
    if (place.usable == kDwords) {
      LoadDwords(host, loaded, kDwords);
    } else {
      for (uint64_t i = 0; i < place.usable; ++i) loaded[i] = LoadWord<uint32_t>(host + i * kDword);
    }
  }
  // Base or offset may be among the registers written, so nothing is written before the last load.
  std::memcpy(&wave.sgpr[in.dst], loaded, sizeof loaded);
  return true;
}

template <auto kPlace, int kDwords>
bool Store(Wave& wave, const Instruction& in, ExecutionContext& context) {
  const Place place = kPlace(wave, in, kDwords);
  if (place.usable == 0) return true;
  uint8_t* host = context.Global(wave, place.va, place.usable * kDword, Access::kWrite);
  if (host == nullptr) return false;
  const uint32_t* const data = &wave.sgpr[in.dst];
  if (place.usable == kDwords) {
    StoreDwords(host, data, kDwords);
  } else {
    for (uint64_t i = 0; i < place.usable; ++i) StoreWord<uint32_t>(host + i * kDword, data[i]);
  }
  return true;
}

template <class T, auto kPlace, AtomicOperation kOperation>
bool Atomic(Wave& wave, const Instruction& in, ExecutionContext& context) {
  constexpr uint32_t kDwords = sizeof(T) / kDword;
  const Place place = kPlace(wave, in, kDwords);
  T old = 0;
  if (place.usable == kDwords) {
    uint8_t* host = context.Global(wave, place.va, sizeof old, Access::kWrite);
    if (host == nullptr) return false;
    old = AtomicUpdate<kOperation, T>(host, ReadSgpr<T>(wave, in.dst),
                                      ReadSgpr<T>(wave, in.dst + kDwords));
  }
  if (in.glc) WriteSgpr(wave, in.dst, old);
  return true;
}

// Core clock cycles.
bool MemTime(Wave& wave, const Instruction& in, ExecutionContext&) {
  wave.SetSgpr64(in.dst, HostRawNs() * GetGpuModel().clock_mhz / 1000);
  return true;
}

// The constant-rate counter that dispatch times are given in.
bool MemRealTime(Wave& wave, const Instruction& in, ExecutionContext&) {
  wave.SetSgpr64(in.dst, GpuTicks());
  return true;
}

constexpr OpcodeHandler kEntries[] = {
    {isa::SMEM_s_load_dword, Load<PlainPlace, 1>},
    {isa::SMEM_s_load_dwordx2, Load<PlainPlace, 2>},
    {isa::SMEM_s_load_dwordx4, Load<PlainPlace, 4>},
    {isa::SMEM_s_load_dwordx8, Load<PlainPlace, 8>},
    {isa::SMEM_s_load_dwordx16, Load<PlainPlace, 16>},
    {isa::SMEM_s_buffer_load_dword, Load<BufferPlace, 1>},
    {isa::SMEM_s_buffer_load_dwordx2, Load<BufferPlace, 2>},
    {isa::SMEM_s_buffer_load_dwordx4, Load<BufferPlace, 4>},
    {isa::SMEM_s_buffer_load_dwordx8, Load<BufferPlace, 8>},
    {isa::SMEM_s_buffer_load_dwordx16, Load<BufferPlace, 16>},
    {isa::SMEM_s_store_dword, Store<PlainPlace, 1>},
    {isa::SMEM_s_store_dwordx2, Store<PlainPlace, 2>},
    {isa::SMEM_s_store_dwordx4, Store<PlainPlace, 4>},
    {isa::SMEM_s_buffer_store_dword, Store<BufferPlace, 1>},
    {isa::SMEM_s_buffer_store_dwordx2, Store<BufferPlace, 2>},
    {isa::SMEM_s_buffer_store_dwordx4, Store<BufferPlace, 4>},
    {isa::SMEM_s_dcache_inv, NoOperation},
    {isa::SMEM_s_dcache_wb, NoOperation},
    {isa::SMEM_s_dcache_inv_vol, NoOperation},
    {isa::SMEM_s_dcache_wb_vol, NoOperation},
    {isa::SMEM_s_dcache_discard, NoOperation},
    {isa::SMEM_s_dcache_discard_x2, NoOperation},
    {isa::SMEM_s_memtime, MemTime},
    {isa::SMEM_s_memrealtime, MemRealTime},
};

template <class T, auto kPlace>
constexpr auto kAtomicOf =
    []<AtomicOperation kOperation>() -> Handler { return Atomic<T, kPlace, kOperation>; };

constexpr auto kTable = [] {
  auto table = MakeTable<256>(kEntries);
  SetAtomics(isa::SMEM_s_atomic_swap, kAtomicOf<uint32_t, PlainPlace>, &table);
  SetAtomics(isa::SMEM_s_atomic_swap_x2, kAtomicOf<uint64_t, PlainPlace>, &table);
  SetAtomics(isa::SMEM_s_buffer_atomic_swap, kAtomicOf<uint32_t, BufferPlace>, &table);
  SetAtomics(isa::SMEM_s_buffer_atomic_swap_x2, kAtomicOf<uint64_t, BufferPlace>, &table);
  return table;
}();

}  // namespace

Handler FindSmem(uint16_t opcode) { return Find(kTable, opcode); }

}  // namespace vgpu
