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
#include "vgpu/wave/opcodes.h"

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

template <auto kPlace, AtomicOperation kOperation>
bool Atomic32(Wave& wave, const Instruction& in, ExecutionContext& context) {
  const Place place = kPlace(wave, in, 1);
  uint32_t old = 0;
  if (place.usable != 0) {
    uint8_t* host = context.Global(wave, place.va, sizeof old, Access::kWrite);
    if (host == nullptr) return false;
    old = AtomicUpdate<kOperation, uint32_t>(host, wave.sgpr[in.dst], wave.sgpr[in.dst + 1]);
  }
  if (in.glc) wave.sgpr[in.dst] = old;
  return true;
}

template <auto kPlace, AtomicOperation kOperation>
bool Atomic64(Wave& wave, const Instruction& in, ExecutionContext& context) {
  const Place place = kPlace(wave, in, 2);
  uint64_t old = 0;
  if (place.usable == 2) {
    uint8_t* host = context.Global(wave, place.va, sizeof old, Access::kWrite);
    if (host == nullptr) return false;
    old = AtomicUpdate<kOperation, uint64_t>(host, wave.Sgpr64(in.dst), wave.Sgpr64(in.dst + 2));
  }
  if (in.glc) wave.SetSgpr64(in.dst, old);
  return true;
}

bool CacheControl(Wave&, const Instruction&, ExecutionContext&) { return true; }

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
    {isa::SMEM_s_dcache_inv, CacheControl},
    {isa::SMEM_s_dcache_wb, CacheControl},
    {isa::SMEM_s_dcache_inv_vol, CacheControl},
    {isa::SMEM_s_dcache_wb_vol, CacheControl},
    {isa::SMEM_s_dcache_discard, CacheControl},
    {isa::SMEM_s_dcache_discard_x2, CacheControl},
    {isa::SMEM_s_memtime, MemTime},
    {isa::SMEM_s_memrealtime, MemRealTime},
    {isa::SMEM_s_buffer_atomic_swap, Atomic32<BufferPlace, AtomicOperation::kSwap>},
    {isa::SMEM_s_buffer_atomic_cmpswap, Atomic32<BufferPlace, AtomicOperation::kCompareSwap>},
    {isa::SMEM_s_buffer_atomic_add, Atomic32<BufferPlace, AtomicOperation::kAdd>},
    {isa::SMEM_s_buffer_atomic_sub, Atomic32<BufferPlace, AtomicOperation::kSubtract>},
    {isa::SMEM_s_buffer_atomic_smin, Atomic32<BufferPlace, AtomicOperation::kMinSigned>},
    {isa::SMEM_s_buffer_atomic_umin, Atomic32<BufferPlace, AtomicOperation::kMinUnsigned>},
    {isa::SMEM_s_buffer_atomic_smax, Atomic32<BufferPlace, AtomicOperation::kMaxSigned>},
    {isa::SMEM_s_buffer_atomic_umax, Atomic32<BufferPlace, AtomicOperation::kMaxUnsigned>},
    {isa::SMEM_s_buffer_atomic_and, Atomic32<BufferPlace, AtomicOperation::kAnd>},
    {isa::SMEM_s_buffer_atomic_or, Atomic32<BufferPlace, AtomicOperation::kOr>},
    {isa::SMEM_s_buffer_atomic_xor, Atomic32<BufferPlace, AtomicOperation::kXor>},
    {isa::SMEM_s_buffer_atomic_inc, Atomic32<BufferPlace, AtomicOperation::kIncrement>},
    {isa::SMEM_s_buffer_atomic_dec, Atomic32<BufferPlace, AtomicOperation::kDecrement>},
    {isa::SMEM_s_buffer_atomic_swap_x2, Atomic64<BufferPlace, AtomicOperation::kSwap>},
    {isa::SMEM_s_buffer_atomic_cmpswap_x2, Atomic64<BufferPlace, AtomicOperation::kCompareSwap>},
    {isa::SMEM_s_buffer_atomic_add_x2, Atomic64<BufferPlace, AtomicOperation::kAdd>},
    {isa::SMEM_s_buffer_atomic_sub_x2, Atomic64<BufferPlace, AtomicOperation::kSubtract>},
    {isa::SMEM_s_buffer_atomic_smin_x2, Atomic64<BufferPlace, AtomicOperation::kMinSigned>},
    {isa::SMEM_s_buffer_atomic_umin_x2, Atomic64<BufferPlace, AtomicOperation::kMinUnsigned>},
    {isa::SMEM_s_buffer_atomic_smax_x2, Atomic64<BufferPlace, AtomicOperation::kMaxSigned>},
    {isa::SMEM_s_buffer_atomic_umax_x2, Atomic64<BufferPlace, AtomicOperation::kMaxUnsigned>},
    {isa::SMEM_s_buffer_atomic_and_x2, Atomic64<BufferPlace, AtomicOperation::kAnd>},
    {isa::SMEM_s_buffer_atomic_or_x2, Atomic64<BufferPlace, AtomicOperation::kOr>},
    {isa::SMEM_s_buffer_atomic_xor_x2, Atomic64<BufferPlace, AtomicOperation::kXor>},
    {isa::SMEM_s_buffer_atomic_inc_x2, Atomic64<BufferPlace, AtomicOperation::kIncrement>},
    {isa::SMEM_s_buffer_atomic_dec_x2, Atomic64<BufferPlace, AtomicOperation::kDecrement>},
    {isa::SMEM_s_atomic_swap, Atomic32<PlainPlace, AtomicOperation::kSwap>},
    {isa::SMEM_s_atomic_cmpswap, Atomic32<PlainPlace, AtomicOperation::kCompareSwap>},
    {isa::SMEM_s_atomic_add, Atomic32<PlainPlace, AtomicOperation::kAdd>},
    {isa::SMEM_s_atomic_sub, Atomic32<PlainPlace, AtomicOperation::kSubtract>},
    {isa::SMEM_s_atomic_smin, Atomic32<PlainPlace, AtomicOperation::kMinSigned>},
    {isa::SMEM_s_atomic_umin, Atomic32<PlainPlace, AtomicOperation::kMinUnsigned>},
    {isa::SMEM_s_atomic_smax, Atomic32<PlainPlace, AtomicOperation::kMaxSigned>},
    {isa::SMEM_s_atomic_umax, Atomic32<PlainPlace, AtomicOperation::kMaxUnsigned>},
    {isa::SMEM_s_atomic_and, Atomic32<PlainPlace, AtomicOperation::kAnd>},
    {isa::SMEM_s_atomic_or, Atomic32<PlainPlace, AtomicOperation::kOr>},
    {isa::SMEM_s_atomic_xor, Atomic32<PlainPlace, AtomicOperation::kXor>},
    {isa::SMEM_s_atomic_inc, Atomic32<PlainPlace, AtomicOperation::kIncrement>},
    {isa::SMEM_s_atomic_dec, Atomic32<PlainPlace, AtomicOperation::kDecrement>},
    {isa::SMEM_s_atomic_swap_x2, Atomic64<PlainPlace, AtomicOperation::kSwap>},
    {isa::SMEM_s_atomic_cmpswap_x2, Atomic64<PlainPlace, AtomicOperation::kCompareSwap>},
    {isa::SMEM_s_atomic_add_x2, Atomic64<PlainPlace, AtomicOperation::kAdd>},
    {isa::SMEM_s_atomic_sub_x2, Atomic64<PlainPlace, AtomicOperation::kSubtract>},
    {isa::SMEM_s_atomic_smin_x2, Atomic64<PlainPlace, AtomicOperation::kMinSigned>},
    {isa::SMEM_s_atomic_umin_x2, Atomic64<PlainPlace, AtomicOperation::kMinUnsigned>},
    {isa::SMEM_s_atomic_smax_x2, Atomic64<PlainPlace, AtomicOperation::kMaxSigned>},
    {isa::SMEM_s_atomic_umax_x2, Atomic64<PlainPlace, AtomicOperation::kMaxUnsigned>},
    {isa::SMEM_s_atomic_and_x2, Atomic64<PlainPlace, AtomicOperation::kAnd>},
    {isa::SMEM_s_atomic_or_x2, Atomic64<PlainPlace, AtomicOperation::kOr>},
    {isa::SMEM_s_atomic_xor_x2, Atomic64<PlainPlace, AtomicOperation::kXor>},
    {isa::SMEM_s_atomic_inc_x2, Atomic64<PlainPlace, AtomicOperation::kIncrement>},
    {isa::SMEM_s_atomic_dec_x2, Atomic64<PlainPlace, AtomicOperation::kDecrement>},
};

constexpr auto kTable = MakeTable<256>(kEntries);

}  // namespace

Handler FindSmem(uint16_t opcode) { return Find(kTable, opcode); }

}  // namespace vgpu
