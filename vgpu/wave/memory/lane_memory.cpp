// SPDX-License-Identifier: MIT
// The common loads and stores, for all lanes of a wave at a time. If all lanes find their data in
// one mapping, or in LDS, the functions here do what the instruction's handler does. Otherwise they
// call that handler.

// GCC takes undefined operands of some intrinsics for uninitialised variables.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>

#include <algorithm>
#include <cstring>

#include "vgpu/mem/address_space.h"
#include "vgpu/wave/execution_context.h"
#include "vgpu/wave/handlers.h"
#include "vgpu/wave/lds/lds_access.h"
#include "vgpu/wave/memory_words.h"
#include "vgpu/wave/operands.h"

namespace vgpu {
namespace {

#define VGPU_AVX512 [[gnu::target("avx512f,avx512dq,avx512bw,avx512vl")]]
#define VGPU_AVX512_INLINE VGPU_AVX512 [[gnu::always_inline]]

constexpr uint64_t kAllLanes = ~uint64_t{0};
constexpr uint32_t kDword = sizeof(uint32_t);
constexpr uint8_t kNoScalarAddress = 0x7f;
constexpr int kCanonicalBits = 47;

bool HasAvx512() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
}

// Where each lane's data is: device addresses, or offsets.
struct Addresses {
  alignas(64) uint64_t at[kLanes];
  uint64_t low = 0;  // the lowest and the highest of the enabled lanes
  uint64_t high = 0;

  VGPU_AVX512 void FindBounds(uint64_t exec) {
    __m512i least = _mm512_set1_epi64(-1);
    __m512i most = _mm512_setzero_si512();
    for (int lane = 0; lane < kLanes; lane += 8) {
      const __mmask8 mask = static_cast<__mmask8>(exec >> lane);
      const __m512i value = _mm512_load_si512(at + lane);
      least = _mm512_mask_min_epu64(least, mask, least, value);
      most = _mm512_mask_max_epu64(most, mask, most, value);
    }
    low = _mm512_reduce_min_epu64(least);
    high = _mm512_reduce_max_epu64(most);
  }
};

// The host's address minus the device's; false unless all lanes find `bytes` bytes in one mapping.
bool FindDelta(const ExecutionContext& context, const Addresses& places, uint32_t bytes,
               uint64_t* delta) {
  if (places.high + bytes < places.low) return false;
  const uint8_t* host = Translate(context.gpu, places.low, places.high - places.low + bytes);
  *delta = reinterpret_cast<uint64_t>(host) - places.low;
  return host != nullptr;
}

template <int kDwords>
struct Rows {
  uint32_t* row[kDwords];

  Rows(Wave& wave, uint32_t first) {
    for (int i = 0; i < kDwords; ++i) {
      row[i] = wave.vgpr[RegisterAfter(first, static_cast<uint32_t>(i))];
    }
  }
};

const uint8_t* At(uint64_t address) { return reinterpret_cast<const uint8_t*>(address); }

// Transposes the dwords of four lanes within each 128 bits: from rows to columns or back.
VGPU_AVX512_INLINE inline void Transpose(__m512i (&v)[4]) {
  const __m512i a = _mm512_unpacklo_epi32(v[0], v[1]);
  const __m512i b = _mm512_unpacklo_epi32(v[2], v[3]);
  const __m512i c = _mm512_unpackhi_epi32(v[0], v[1]);
  const __m512i d = _mm512_unpackhi_epi32(v[2], v[3]);
  v[0] = _mm512_unpacklo_epi64(a, b);
  v[1] = _mm512_unpackhi_epi64(a, b);
  v[2] = _mm512_unpacklo_epi64(c, d);
  v[3] = _mm512_unpackhi_epi64(c, d);
}

// Loads the data of one lane, in one access where it is aligned (memory_words.h).
template <int kDwords>
VGPU_AVX512_INLINE inline __m128i LoadLane(const uint8_t* host) {
  const auto* place = reinterpret_cast<const __m128i*>(host);
  if constexpr (kDwords != 4) return _mm_loadl_epi64(place);
  if (!IsAligned<__m128i>(host)) [[unlikely]]
    return _mm_loadu_si128(place);
  __m128i value;
  asm volatile("vmovdqa %1, %0" : "=x"(value) : "m"(*place));
  return value;
}

template <int kDwords>
VGPU_AVX512_INLINE inline void StoreLane(uint8_t* host, __m128i value) {
  auto* place = reinterpret_cast<__m128i*>(host);
  if constexpr (kDwords != 4) {
    _mm_storel_epi64(place, value);
  } else if (IsAligned<__m128i>(host)) [[likely]] {
    asm volatile("vmovdqa %1, %0" : "=m"(*place) : "x"(value));
  } else {
    _mm_storeu_si128(place, value);
  }
}

// Loads the data of sixteen lanes: v[i] holds those of lanes i, i + 4, i + 8 and i + 12.
template <int kDwords, class Address>
VGPU_AVX512_INLINE inline void GatherLanes(const Address* at, uint64_t delta, __m512i (&v)[4]) {
  for (int i = 0; i < 4; ++i) {
    __m128i lane[4];
    for (int j = 0; j < 4; ++j) lane[j] = LoadLane<kDwords>(At(at[i + 4 * j] + delta));
    const __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(lane[0]), lane[1], 1);
    const __m256i high = _mm256_inserti128_si256(_mm256_castsi128_si256(lane[2]), lane[3], 1);
    v[i] = _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
  }
}

// Whether the data of the lanes lie one behind the other, in the order of the lanes.
VGPU_AVX512 bool IsDense(const uint32_t* at, uint32_t step) {
  const __m512i steps =
      _mm512_mullo_epi32(_mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0),
                         _mm512_set1_epi32(static_cast<int>(step)));
  for (uint32_t lane = 0; lane < kLanes; lane += 16) {
    const __m512i start = _mm512_set1_epi32(static_cast<int>(at[0] + lane * step));
    const __m512i value = _mm512_loadu_si512(at + lane);
    if (_mm512_cmpneq_epu32_mask(value, _mm512_add_epi32(start, steps)) != 0) return false;
  }
  return true;
}
VGPU_AVX512 bool IsDense(const uint64_t* at, uint64_t step) {
  const __m512i first = _mm512_set1_epi64(static_cast<int64_t>(at[0]));
  const __m512i steps = _mm512_mullo_epi64(_mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0),
                                           _mm512_set1_epi64(static_cast<int64_t>(step)));
  for (uint64_t lane = 0; lane < kLanes; lane += 8) {
    const __m512i start =
        _mm512_add_epi64(first, _mm512_set1_epi64(static_cast<int64_t>(lane * step)));
    const __m512i value = _mm512_load_si512(at + lane);
    if (_mm512_cmpneq_epu64_mask(value, _mm512_add_epi64(start, steps)) != 0) return false;
  }
  return true;
}

template <int kDwords, class Address>
VGPU_AVX512 void LoadRows(const Rows<kDwords>& rows, const Address* at, uint64_t delta,
                          uint64_t exec) {
  if (exec != kAllLanes || kDwords == 3) {
    for (uint64_t mask = exec; mask != 0; mask &= mask - 1) {
      const int lane = __builtin_ctzll(mask);
      uint32_t loaded[kDwords];
      LoadDwords(At(at[lane] + delta), loaded, kDwords);
      for (int i = 0; i < kDwords; ++i) rows.row[i][lane] = loaded[i];
    }
    return;
  }
  if constexpr (kDwords == 1) {
    if (IsDense(at, kDword)) {
      std::memcpy(rows.row[0], At(at[0] + delta), kDword * kLanes);
      return;
    }
    for (int lane = 0; lane < kLanes; ++lane) {
      rows.row[0][lane] = LoadWord<uint32_t>(At(at[lane] + delta));
    }
  } else {
    for (int lane = 0; lane < kLanes; lane += 16) {
      __m512i v[4];
      GatherLanes<kDwords>(at + lane, delta, v);
      Transpose(v);
      for (int i = 0; i < kDwords; ++i) _mm512_store_si512(rows.row[i] + lane, v[i]);
    }
  }
}

// Stores in the order of the lanes: of two lanes at the same address, the later one's data stay.
template <int kDwords, class Address>
VGPU_AVX512 void StoreRows(const Rows<kDwords>& rows, const Address* at, uint64_t delta,
                           uint64_t exec) {
  const auto host = [&](int lane) { return reinterpret_cast<uint8_t*>(at[lane] + delta); };
  if (exec != kAllLanes || kDwords == 3) {
    for (uint64_t mask = exec; mask != 0; mask &= mask - 1) {
      const int lane = __builtin_ctzll(mask);
      uint32_t data[kDwords];
      for (int i = 0; i < kDwords; ++i) data[i] = rows.row[i][lane];
      StoreDwords(host(lane), data, kDwords);
    }
    return;
  }
  if constexpr (kDwords == 1) {
    if (IsDense(at, kDword)) {
      std::memcpy(host(0), rows.row[0], kDword * kLanes);
      return;
    }
    for (int lane = 0; lane < kLanes; ++lane) StoreWord<uint32_t>(host(lane), rows.row[0][lane]);
  } else {
    for (int lane = 0; lane < kLanes; lane += 16) {
      __m512i v[4] = {};
      for (int i = 0; i < kDwords; ++i) v[i] = _mm512_load_si512(rows.row[i] + lane);
      Transpose(v);
      for (int i = 0; i < 4; ++i) {
        StoreLane<kDwords>(host(lane + i), _mm512_castsi512_si128(v[i]));
      }
      for (int i = 0; i < 4; ++i) {
        StoreLane<kDwords>(host(lane + 4 + i), _mm512_extracti32x4_epi32(v[i], 1));
      }
      for (int i = 0; i < 4; ++i) {
        StoreLane<kDwords>(host(lane + 8 + i), _mm512_extracti32x4_epi32(v[i], 2));
      }
      for (int i = 0; i < 4; ++i) {
        StoreLane<kDwords>(host(lane + 12 + i), _mm512_extracti32x4_epi32(v[i], 3));
      }
    }
  }
}

// ---- FLAT and GLOBAL

VGPU_AVX512 void FlatAddresses(const Wave& wave, const Instruction& in, Addresses* places) {
  const uint32_t* low = wave.vgpr[in.vaddr];
  uint64_t base = static_cast<uint64_t>(static_cast<int64_t>(in.offset));
  if (in.segment == Segment::kGlobal && in.saddr != kNoScalarAddress) {
    base += wave.Sgpr64(in.saddr);
    for (int lane = 0; lane < kLanes; ++lane) places->at[lane] = base + low[lane];
    return;
  }
  const uint32_t* high = wave.vgpr[RegisterAfter(in.vaddr, 1)];
  for (int lane = 0; lane < kLanes; ++lane) {
    places->at[lane] = base + (low[lane] | static_cast<uint64_t>(high[lane]) << 32);
  }
}

bool LocateFlat(const Wave& wave, const Instruction& in, const ExecutionContext& context,
                uint32_t bytes, Addresses* places, uint64_t* delta) {
  if (context.cache != nullptr || wave.exec() == 0) return false;
  FlatAddresses(wave, in, places);
  places->FindBounds(wave.exec());
  if (in.segment == Segment::kFlat && places->high >> kCanonicalBits != 0) return false;
  return FindDelta(context, *places, bytes, delta);
}

// ---- MUBUF: linear buffers, all lanes inside

VGPU_AVX512 bool LocateBuffer(const Wave& wave, const Instruction& in,
                              const ExecutionContext& context, uint32_t bytes, Addresses* places,
                              uint64_t* delta) {
  constexpr uint32_t kSwizzle = 1u << 31;
  constexpr uint32_t kAddLane = 1u << 23;
  const uint32_t* words = &wave.sgpr[in.saddr];
  if (context.cache != nullptr || wave.exec() == 0) return false;
  if ((words[1] & kSwizzle) != 0 || (words[3] & kAddLane) != 0) return false;
  const uint64_t stride = words[1] >> 16 & 0x3fff;
  const uint64_t records = words[2];
  const uint64_t soffset = ReadScalar32(wave, in, in.soffset);
  const uint64_t base = words[0] | static_cast<uint64_t>(words[1] & 0xffff) << 32;
  const uint64_t fixed = static_cast<uint32_t>(in.offset);
  const uint32_t* index = wave.vgpr[in.vaddr];
  const uint32_t* offset = wave.vgpr[(in.vaddr + (in.idxen ? 1 : 0)) & 255];
  const uint64_t use_index = in.idxen ? ~uint64_t{0} : 0;
  const uint64_t use_offset = in.offen ? ~uint64_t{0} : 0;
  if (stride != 0) {
    for (int lane = 0; lane < kLanes; ++lane) places->at[lane] = index[lane] & use_index;
    places->FindBounds(wave.exec());
    if (places->high >= records) return false;
  }
  for (int lane = 0; lane < kLanes; ++lane) {
    places->at[lane] =
        (index[lane] & use_index) * stride + fixed + (offset[lane] & use_offset) + soffset;
  }
  places->FindBounds(wave.exec());
  if (stride == 0 && places->high + bytes > records) return false;
  for (int lane = 0; lane < kLanes; ++lane) places->at[lane] += base;
  places->low += base;
  places->high += base;
  return FindDelta(context, *places, bytes, delta);
}

// ---- DS

// Offsets in LDS.
struct LdsPlaces {
  alignas(64) uint32_t at[kLanes];
};

// False unless, for every lane, the `bytes` bytes at its address + `reach` are inside LDS.
VGPU_AVX512 bool LocateLds(const Wave& wave, const Instruction& in, const ExecutionContext& context,
                           uint64_t reach, uint32_t bytes, LdsPlaces* places) {
  const uint64_t exec = wave.exec();
  const uint32_t* address = wave.vgpr[in.vaddr];
  __m512i most = _mm512_setzero_si512();
  for (int lane = 0; lane < kLanes; lane += 16) {
    const __m512i value = _mm512_load_si512(address + lane);
    _mm512_store_si512(places->at + lane, value);
    most = _mm512_mask_max_epu32(most, static_cast<__mmask16>(exec >> lane), most, value);
  }
  return exec != 0 && _mm512_reduce_max_epu32(most) + reach + bytes <= context.lds_bytes;
}

uint64_t LdsDelta(const ExecutionContext& context, uint32_t offset) {
  return reinterpret_cast<uint64_t>(context.lds) + offset;
}

bool LocateLds(const Wave& wave, const Instruction& in, const ExecutionContext& context,
               uint32_t bytes, LdsPlaces* places, uint64_t* delta) {
  const auto offset = static_cast<uint32_t>(in.offset);
  *delta = LdsDelta(context, offset);
  return LocateLds(wave, in, context, offset, bytes, places);
}

template <int kDwords, uint32_t kStride>
bool ReadLds2(Wave& wave, const Instruction& in, ExecutionContext& context) {
  constexpr uint32_t kUnit = kDwords * kDword * kStride;
  LdsPlaces places;
  const uint32_t reach = std::max(in.offset0, in.offset1) * kUnit;
  if (!LocateLds(wave, in, context, reach, kDwords * kDword, &places)) [[unlikely]]
    return FindDs(in.opcode)(wave, in, context);
  LoadRows<kDwords>(Rows<kDwords>(wave, in.dst), places.at, LdsDelta(context, in.offset0 * kUnit),
                    wave.exec());
  LoadRows<kDwords>(Rows<kDwords>(wave, RegisterAfter(in.dst, kDwords)), places.at,
                    LdsDelta(context, in.offset1 * kUnit), wave.exec());
  return true;
}

// ---- FLAT, MUBUF and DS: where the lanes' data is, and the handler for the other cases

struct OfFlat {
  using Places = Addresses;
  static constexpr auto kLocate = LocateFlat;
  static Handler Find(const Instruction& in) { return FindFlat(in.segment, in.opcode); }
};
struct OfBuffer {
  using Places = Addresses;
  static constexpr auto kLocate = LocateBuffer;
  static Handler Find(const Instruction& in) { return FindMubuf(in.opcode); }
};
struct OfLds {
  using Places = LdsPlaces;
  static constexpr bool (*kLocate)(const Wave&, const Instruction&, const ExecutionContext&,
                                   uint32_t, LdsPlaces*, uint64_t*) = LocateLds;
  static Handler Find(const Instruction& in) { return FindDs(in.opcode); }
};

template <class Memory, int kDwords>
bool Load(Wave& wave, const Instruction& in, ExecutionContext& context) {
  typename Memory::Places places;
  uint64_t delta = 0;
  if (!Memory::kLocate(wave, in, context, kDwords * kDword, &places, &delta)) [[unlikely]]
    return Memory::Find(in)(wave, in, context);
  LoadRows<kDwords>(Rows<kDwords>(wave, in.dst), places.at, delta, wave.exec());
  return true;
}

template <class Memory, int kDwords>
bool Store(Wave& wave, const Instruction& in, ExecutionContext& context) {
  typename Memory::Places places;
  uint64_t delta = 0;
  if (!Memory::kLocate(wave, in, context, kDwords * kDword, &places, &delta)) [[unlikely]]
    return Memory::Find(in)(wave, in, context);
  StoreRows<kDwords>(Rows<kDwords>(wave, in.vdata), places.at, delta, wave.exec());
  return true;
}

// By the opcodes of FLAT, which are those of MUBUF, too (buffer.cpp).
template <class Memory>
constexpr OpcodeHandler kFlatOrBuffer[] = {
    {isa::FLAT_global_load_dword, Load<Memory, 1>},
    {isa::FLAT_global_load_dwordx2, Load<Memory, 2>},
    {isa::FLAT_global_load_dwordx3, Load<Memory, 3>},
    {isa::FLAT_global_load_dwordx4, Load<Memory, 4>},
    {isa::FLAT_global_store_dword, Store<Memory, 1>},
    {isa::FLAT_global_store_dwordx2, Store<Memory, 2>},
    {isa::FLAT_global_store_dwordx3, Store<Memory, 3>},
    {isa::FLAT_global_store_dwordx4, Store<Memory, 4>},
};
constexpr OpcodeHandler kDs[] = {
    {isa::DS_ds_read_b32, Load<OfLds, 1>},
    {isa::DS_ds_read_b64, Load<OfLds, 2>},
    {isa::DS_ds_read_b128, Load<OfLds, 4>},
    {isa::DS_ds_read2_b32, ReadLds2<1, 1>},
    {isa::DS_ds_read2_b64, ReadLds2<2, 1>},
    {isa::DS_ds_read2st64_b32, ReadLds2<1, kStride64>},
    {isa::DS_ds_read2st64_b64, ReadLds2<2, kStride64>},
    {isa::DS_ds_write_b32, Store<OfLds, 1>},
    {isa::DS_ds_write_b64, Store<OfLds, 2>},
    {isa::DS_ds_write_b128, Store<OfLds, 4>},
};

template <size_t kCount>
Handler FindIn(const OpcodeHandler (&table)[kCount], uint16_t opcode) {
  for (const OpcodeHandler& entry : table) {
    if (entry.opcode == opcode) return entry.handler;
  }
  return nullptr;
}

}  // namespace

Handler FasterHandler(const Instruction& instruction) {
  static const bool kUsable = HasAvx512();
  if (!kUsable || instruction.lds || instruction.gds || instruction.tfe) return nullptr;
  switch (instruction.format) {
    case Format::kFlat:
      return instruction.segment == Segment::kScratch
                 ? nullptr
                 : FindIn(kFlatOrBuffer<OfFlat>, instruction.opcode);
    case Format::kMubuf:
      return FindIn(kFlatOrBuffer<OfBuffer>, instruction.opcode);
    case Format::kDs:
      return FindIn(kDs, instruction.opcode);
    default:
      return nullptr;
  }
}

}  // namespace vgpu
