// SPDX-License-Identifier: MIT
// vector_memory.h: the loads, stores and atomics that FLAT and MUBUF have in common.
//
// An addressing class turns a lane into an address in host memory:
//   Addressing(Wave&, const Instruction&, const ExecutionContext&)
//   Located Locate(int lane, uint32_t bytes, Access, Place*)
// Both formats number these opcodes alike (buffer.cpp checks it); the table uses FLAT's names.
#pragma once

#include <algorithm>
#include <cstdint>

#include "spec/isa/gfx90a_opcodes.h"
#include "spec/isa/gfx940_opcodes.h"
#include "vgpu/wave/execution_context.h"
#include "vgpu/wave/gfx90a.h"
#include "vgpu/wave/handlers.h"
#include "vgpu/wave/isa.h"
#include "vgpu/wave/lds/lds_access.h"
#include "vgpu/wave/memory/atomics.h"
#include "vgpu/wave/memory_words.h"

namespace vgpu {

constexpr bool IsAtomic(uint16_t opcode) { return opcode >= isa::FLAT_global_atomic_swap; }
constexpr bool IsStore(const Instruction& in) {
  if (in.format == Format::kMubuf && in.opcode <= isa::MUBUF_buffer_store_format_d16_xyzw)
    return (in.opcode & 4) != 0;  // four loads, four stores, and both again for half dwords
  return in.opcode >= isa::FLAT_global_store_byte && in.opcode <= isa::FLAT_global_store_dwordx4;
}
constexpr bool IsCacheControl(const Instruction& in) {
  return in.format == Format::kMubuf &&
         (in.opcode == isa::MUBUF_buffer_wbinvl1 || in.opcode == isa::MUBUF_buffer_wbinvl1_vol ||
          in.opcode == ::isa::gfx90a::MUBUF_buffer_wbl2 ||
          in.opcode == ::isa::gfx90a::MUBUF_buffer_invl2);
}

// The address of a lane's data. Consecutive dwords of one lane are `stride` bytes apart: 4, or more
// in swizzled (private) memory.
struct Place {
  uint8_t* host = nullptr;
  uint32_t stride = sizeof(uint32_t);

  uint8_t* Dword(int i) const { return host + static_cast<size_t>(i) * stride; }
  bool IsLinear() const { return stride == sizeof(uint32_t); }
};

enum class Located : uint8_t {
  kYes,
  kOutside,  // outside a buffer or LDS: reads 0, is not written
  kFault,    // the wave has faulted
};

// Bytes from the first to the last of an access of `bytes` bytes.
constexpr size_t SpanOf(uint32_t bytes, uint32_t stride) {
  constexpr uint32_t kDword = sizeof(uint32_t);
  if (bytes <= kDword) return bytes;
  return static_cast<size_t>(bytes / kDword - 1) * stride + kDword;
}

inline void AddSectors(ExecutionContext& context, int lane, const Place& place, uint32_t bytes) {
  if (context.IsLds(place.host)) return;
  context.sectors.BeginLane(lane);
  if (place.IsLinear()) return context.sectors.Add(place.host, bytes);
  constexpr uint32_t kDword = sizeof(uint32_t);
  for (uint32_t at = 0; at < bytes; at += kDword)
    context.sectors.Add(place.Dword(static_cast<int>(at / kDword)), std::min(bytes - at, kDword));
}

inline void CountAccess(const Instruction& in, ExecutionContext& context) {
  const auto kind = IsAtomic(in.opcode) ? CacheModel::Kind::kAtomic
                    : IsStore(in)       ? CacheModel::Kind::kWrite
                                        : CacheModel::Kind::kRead;
  context.cache->Access(context.engine, context.compute_unit, kind, in.glc, context.sectors);
}

template <class Addressing>
class VectorMemory {
 public:
  static Handler Find(uint16_t opcode) {
    if (const Handler handler = vgpu::Find(kTable, opcode)) return handler;
    return GetIsa().has_memory_float_adds ? vgpu::Find(kFloatAddTable, opcode) : nullptr;
  }
  // The atomic that gfx942 adds to FLAT, and not to MUBUF.
  static Handler FindAdded(uint16_t opcode) {
    return opcode == ::isa::gfx940::FLAT_global_atomic_pk_add_bf16
               ? Atomic32<AtomicOperation::kAddPackedBrainFloats>
               : nullptr;
  }
  // Loads whose data goes to LDS.
  static Handler FindToLds(uint16_t opcode) { return vgpu::Find(kToLdsTable, opcode); }

 private:
  // Calls act(lane, place, located) for every enabled lane until one faults.
  template <class F>
  static bool ForEachPlace(Wave& wave, const Instruction& in, ExecutionContext& context,
                           uint32_t bytes, Access access, F&& act) {
    Addressing addressing(wave, in, context);
    uint64_t mask = wave.exec();
    const bool counted = context.cache != nullptr;
    if (counted) [[unlikely]]
      context.sectors.Clear();
    while (mask != 0) {
      const int lane = __builtin_ctzll(mask);
      mask &= mask - 1;
      Place place;
      const Located located = addressing.Locate(lane, bytes, access, &place);
      if (located == Located::kFault) [[unlikely]]
        return false;
      if (counted && located == Located::kYes) [[unlikely]]
        AddSectors(context, lane, place, bytes);
      act(lane, place, located == Located::kYes);
    }
    if (counted) [[unlikely]]
      CountAccess(in, context);
    return true;
  }

  // Bytes and shorts, extended to a dword as T says.
  template <class T>
  static bool LoadExtended(Wave& wave, const Instruction& in, ExecutionContext& context) {
    uint32_t* result = wave.vgpr[in.dst];
    return ForEachPlace(wave, in, context, sizeof(T), Access::kRead,
                        [&](int lane, const Place& place, bool inside) {
                          const T value = inside ? LoadWord<T>(place.host) : T{0};
                          result[lane] = static_cast<uint32_t>(static_cast<int32_t>(value));
                        });
  }

  // Bytes and shorts, extended to 16 bits as T says, into one half of the register. The other half
  // is kept, or cleared (HasSramEcc).
  template <class T, bool kHigh>
  static bool LoadHalf(Wave& wave, const Instruction& in, ExecutionContext& context) {
    constexpr int kShift = kHigh ? 16 : 0;
    const uint32_t kept = HasSramEcc() ? 0 : ~(0xffffu << kShift);
    uint32_t* result = wave.vgpr[in.dst];
    return ForEachPlace(wave, in, context, sizeof(T), Access::kRead,
                        [&](int lane, const Place& place, bool inside) {
                          const T value = inside ? LoadWord<T>(place.host) : T{0};
                          const uint32_t half = static_cast<uint16_t>(value);
                          result[lane] = (result[lane] & kept) | half << kShift;
                        });
  }

  template <int kDwords>
  static bool Load(Wave& wave, const Instruction& in, ExecutionContext& context) {
    return ForEachPlace(wave, in, context, kDwords * sizeof(uint32_t), Access::kRead,
                        [&](int lane, const Place& place, bool inside) {
                          // Loads all dwords before it writes any: the address may be among the
                          // registers written.
                          uint32_t loaded[kDwords] = {};
                          if (inside && place.IsLinear()) {
                            LoadDwords(place.host, loaded, kDwords);
                          } else if (inside) {
                            for (int i = 0; i < kDwords; ++i)
                              loaded[i] = LoadWord<uint32_t>(place.Dword(i));
                          }
                          for (int i = 0; i < kDwords; ++i)
                            wave.vgpr[RegisterAfter(in.dst, i)][lane] = loaded[i];
                        });
  }

  // Loads a T, extended to a dword, into the lane's dword of LDS. The lanes' dwords begin at M0 +
  // offset.
  template <class T>
  static bool LoadToLds(Wave& wave, const Instruction& in, ExecutionContext& context) {
    const uint64_t base = (wave.m0() & 0xffff) + static_cast<uint64_t>(in.offset);
    return ForEachPlace(
        wave, in, context, sizeof(T), Access::kRead,
        [&](int lane, const Place& place, bool inside) {
          const T value = inside ? LoadWord<T>(place.host) : T{0};
          const uint64_t address = base + static_cast<uint32_t>(lane) * uint64_t{sizeof(uint32_t)};
          StoreLds(context, address, static_cast<uint32_t>(static_cast<int32_t>(value)));
        });
  }

  // Stores as many bits of the register as T has, from bit kShift on.
  template <class T, int kShift>
  static bool Store(Wave& wave, const Instruction& in, ExecutionContext& context) {
    const uint32_t* data = wave.vgpr[in.vdata];
    return ForEachPlace(wave, in, context, sizeof(T), Access::kWrite,
                        [&](int lane, const Place& place, bool inside) {
                          if (inside)
                            StoreWord<T>(place.host, static_cast<T>(data[lane] >> kShift));
                        });
  }

  template <int kDwords>
  static bool StoreAll(Wave& wave, const Instruction& in, ExecutionContext& context) {
    return ForEachPlace(wave, in, context, kDwords * sizeof(uint32_t), Access::kWrite,
                        [&](int lane, const Place& place, bool inside) {
                          if (!inside) return;
                          uint32_t data[kDwords];
                          for (int i = 0; i < kDwords; ++i)
                            data[i] = wave.vgpr[RegisterAfter(in.vdata, i)][lane];
                          if (place.IsLinear()) {
                            StoreDwords(place.host, data, kDwords);
                            return;
                          }
                          for (int i = 0; i < kDwords; ++i)
                            StoreWord<uint32_t>(place.Dword(i), data[i]);
                        });
  }

  template <AtomicOperation kOperation>
  static bool Atomic32(Wave& wave, const Instruction& in, ExecutionContext& context) {
    const uint32_t* operand = wave.vgpr[in.vdata];
    const uint32_t* compare = wave.vgpr[RegisterAfter(in.vdata, 1)];
    return ForEachPlace(wave, in, context, sizeof(uint32_t), Access::kWrite,
                        [&](int lane, const Place& place, bool inside) {
                          uint32_t old = 0;
                          if (inside) {
                            old = AtomicUpdate<kOperation, uint32_t>(place.host, operand[lane],
                                                                     compare[lane]);
                          }
                          if (in.glc) wave.vgpr[in.dst][lane] = old;
                        });
  }

  // A lane's private memory belongs to it alone, so that its two dwords need no atomicity.
  template <AtomicOperation kOperation>
  static uint64_t UpdatePrivate(const Place& place, uint64_t operand, uint64_t compare) {
    const uint64_t old = LoadWord<uint32_t>(place.Dword(0)) |
                         static_cast<uint64_t>(LoadWord<uint32_t>(place.Dword(1))) << 32;
    const uint64_t updated = Updated<kOperation, uint64_t>(old, operand, compare);
    StoreWord<uint32_t>(place.Dword(0), static_cast<uint32_t>(updated));
    StoreWord<uint32_t>(place.Dword(1), static_cast<uint32_t>(updated >> 32));
    return old;
  }

  template <AtomicOperation kOperation>
  static bool Atomic64(Wave& wave, const Instruction& in, ExecutionContext& context) {
    return ForEachPlace(wave, in, context, sizeof(uint64_t), Access::kWrite,
                        [&](int lane, const Place& place, bool inside) {
                          const uint64_t operand = wave.Vgpr64(in.vdata, lane);
                          const uint64_t compare = wave.Vgpr64(RegisterAfter(in.vdata, 2), lane);
                          uint64_t old = 0;
                          if (inside) {
                            old = place.IsLinear()
                                      ? AtomicUpdate<kOperation, uint64_t>(place.host, operand,
                                                                           compare)
                                      : UpdatePrivate<kOperation>(place, operand, compare);
                          }
                          if (in.glc) wave.SetVgpr64(in.dst, lane, old);
                        });
  }

  static constexpr OpcodeHandler kEntries[] = {
      {isa::FLAT_global_load_ubyte, LoadExtended<uint8_t>},
      {isa::FLAT_global_load_sbyte, LoadExtended<int8_t>},
      {isa::FLAT_global_load_ushort, LoadExtended<uint16_t>},
      {isa::FLAT_global_load_sshort, LoadExtended<int16_t>},
      {isa::FLAT_global_load_dword, Load<1>},
      {isa::FLAT_global_load_dwordx2, Load<2>},
      {isa::FLAT_global_load_dwordx3, Load<3>},
      {isa::FLAT_global_load_dwordx4, Load<4>},
      {isa::FLAT_global_store_byte, Store<uint8_t, 0>},
      {isa::FLAT_global_store_byte_d16_hi, Store<uint8_t, 16>},
      {isa::FLAT_global_store_short, Store<uint16_t, 0>},
      {isa::FLAT_global_store_short_d16_hi, Store<uint16_t, 16>},
      {isa::FLAT_global_store_dword, StoreAll<1>},
      {isa::FLAT_global_store_dwordx2, StoreAll<2>},
      {isa::FLAT_global_store_dwordx3, StoreAll<3>},
      {isa::FLAT_global_store_dwordx4, StoreAll<4>},
      {isa::FLAT_global_load_ubyte_d16, LoadHalf<uint8_t, false>},
      {isa::FLAT_global_load_ubyte_d16_hi, LoadHalf<uint8_t, true>},
      {isa::FLAT_global_load_sbyte_d16, LoadHalf<int8_t, false>},
      {isa::FLAT_global_load_sbyte_d16_hi, LoadHalf<int8_t, true>},
      {isa::FLAT_global_load_short_d16, LoadHalf<uint16_t, false>},
      {isa::FLAT_global_load_short_d16_hi, LoadHalf<uint16_t, true>},
  };

  static constexpr auto kTable = [] {
    auto table = MakeTable<128>(kEntries);
    SetAtomics(
        isa::FLAT_global_atomic_swap,
        []<AtomicOperation kOperation>() -> Handler { return Atomic32<kOperation>; }, &table);
    SetAtomics(
        isa::FLAT_global_atomic_swap_x2,
        []<AtomicOperation kOperation>() -> Handler { return Atomic64<kOperation>; }, &table);
    return table;
  }();

  static constexpr OpcodeHandler kFloatAddEntries[] = {
      {::isa::gfx90a::FLAT_global_atomic_add_f32, Atomic32<AtomicOperation::kAddFlushedFloat>},
      {::isa::gfx90a::FLAT_global_atomic_pk_add_f16, Atomic32<AtomicOperation::kAddPackedHalves>},
      {::isa::gfx90a::FLAT_global_atomic_add_f64, Atomic64<AtomicOperation::kAddFloat>},
      {::isa::gfx90a::FLAT_global_atomic_min_f64, Atomic64<AtomicOperation::kMinFloat>},
      {::isa::gfx90a::FLAT_global_atomic_max_f64, Atomic64<AtomicOperation::kMaxFloat>},
  };

  static constexpr auto kFloatAddTable = MakeTable<128>(kFloatAddEntries);

  static constexpr OpcodeHandler kToLdsEntries[] = {
      {isa::FLAT_global_load_ubyte, LoadToLds<uint8_t>},
      {isa::FLAT_global_load_sbyte, LoadToLds<int8_t>},
      {isa::FLAT_global_load_ushort, LoadToLds<uint16_t>},
      {isa::FLAT_global_load_sshort, LoadToLds<int16_t>},
      {isa::FLAT_global_load_dword, LoadToLds<uint32_t>},
  };

  static constexpr auto kToLdsTable = MakeTable<128>(kToLdsEntries);
};

}  // namespace vgpu
