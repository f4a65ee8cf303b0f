// SPDX-License-Identifier: MIT
// DS: loads and stores of local memory. The rest is in ds_atomics.cpp, ds_exchange.cpp, ds_gws.cpp.
#include "vgpu/wave/gfx90a.h"
#include "vgpu/wave/handlers.h"
#include "vgpu/wave/lds/lds_access.h"

namespace vgpu {
namespace {

struct Dwords3 {
  uint32_t word[3];
};
struct Dwords4 {
  uint32_t word[4];
};

template <class T>
constexpr int kDwordsOf = sizeof(T) / sizeof(uint32_t);

template <class T>
void WriteDwords(Wave& wave, uint32_t number, int lane, const T& value) {
  uint32_t words[kDwordsOf<T>];
  std::memcpy(words, &value, sizeof words);
  for (int i = 0; i < kDwordsOf<T>; ++i) wave.vgpr[RegisterAfter(number, i)][lane] = words[i];
}

template <class T>
T ReadDwords(const Wave& wave, uint32_t number, int lane) {
  uint32_t words[kDwordsOf<T>];
  for (int i = 0; i < kDwordsOf<T>; ++i) words[i] = wave.vgpr[RegisterAfter(number, i)][lane];
  T value;
  std::memcpy(&value, words, sizeof value);
  return value;
}

// Every lane has a dword of its own. The dwords begin at M0 + offset.
uint64_t LaneAddress(const Wave& wave, const Instruction& in, int lane) {
  const uint32_t base = (wave.m0() & 0xffff) + static_cast<uint32_t>(in.offset);
  return base + static_cast<uint32_t>(lane) * uint64_t{sizeof(uint32_t)};
}

template <class T, auto kAddress = LdsAddress>
bool Read(Wave& wave, const Instruction& in, ExecutionContext& context) {
  ForEachLane(wave.exec(), [&](int lane) {
    WriteDwords(wave, in.dst, lane, LoadLds<T>(context, kAddress(wave, in, lane)));
  });
  return true;
}

template <class T, auto kAddress = LdsAddress>
bool Write(Wave& wave, const Instruction& in, ExecutionContext& context) {
  ForEachLane(wave.exec(), [&](int lane) {
    StoreLds(context, kAddress(wave, in, lane), ReadDwords<T>(wave, in.vdata, lane));
  });
  return true;
}

// Two elements at two offsets, into consecutive registers.
template <class T, uint32_t kStride>
bool Read2(Wave& wave, const Instruction& in, ExecutionContext& context) {
  constexpr uint32_t kUnit = sizeof(T) * kStride;
  ForEachLane(wave.exec(), [&](int lane) {
    const uint32_t base = wave.vgpr[in.vaddr][lane];
    const T first = LoadLds<T>(context, base + in.offset0 * kUnit);
    const T second = LoadLds<T>(context, base + in.offset1 * kUnit);
    WriteRegister(wave, in.dst, lane, first);
    WriteRegister(wave, RegisterAfter(in.dst, kDwordsOf<T>), lane, second);
  });
  return true;
}

template <class T, uint32_t kStride>
bool Write2(Wave& wave, const Instruction& in, ExecutionContext& context) {
  constexpr uint32_t kUnit = sizeof(T) * kStride;
  ForEachLane(wave.exec(), [&](int lane) {
    const uint32_t base = wave.vgpr[in.vaddr][lane];
    StoreLds(context, base + in.offset0 * kUnit, ReadRegister<T>(wave, in.vdata, lane));
    StoreLds(context, base + in.offset1 * kUnit, ReadRegister<T>(wave, in.vdata1, lane));
  });
  return true;
}

// Bytes and shorts, extended to a dword as T says.
template <class T>
bool ReadExtended(Wave& wave, const Instruction& in, ExecutionContext& context) {
  ForEachLane(wave.exec(), [&](int lane) {
    const int32_t value = LoadLds<T>(context, LdsAddress(wave, in, lane));
    wave.vgpr[in.dst][lane] = static_cast<uint32_t>(value);
  });
  return true;
}

// Bytes and shorts, extended to 16 bits as T says, into one half of the register. The other half is
// kept, or cleared (HasSramEcc).
template <class T, bool kHigh>
bool ReadHalf(Wave& wave, const Instruction& in, ExecutionContext& context) {
  constexpr int kShift = kHigh ? 16 : 0;
  const uint32_t kept = HasSramEcc() ? 0 : ~(0xffffu << kShift);
  ForEachLane(wave.exec(), [&](int lane) {
    const uint32_t half = static_cast<uint16_t>(LoadLds<T>(context, LdsAddress(wave, in, lane)));
    uint32_t& result = wave.vgpr[in.dst][lane];
    result = (result & kept) | half << kShift;
  });
  return true;
}

template <class T, int kShift>
bool WritePart(Wave& wave, const Instruction& in, ExecutionContext& context) {
  ForEachLane(wave.exec(), [&](int lane) {
    StoreLds(context, LdsAddress(wave, in, lane),
             static_cast<T>(wave.vgpr[in.vdata][lane] >> kShift));
  });
  return true;
}

constexpr OpcodeHandler kEntries[] = {
    {isa::DS_ds_nop, NoOperation},
    {isa::DS_ds_read_b32, Read<uint32_t>},
    {isa::DS_ds_read_b64, Read<uint64_t>},
    {isa::DS_ds_read_b96, Read<Dwords3>},
    {isa::DS_ds_read_b128, Read<Dwords4>},
    {isa::DS_ds_read2_b32, Read2<uint32_t, 1>},
    {isa::DS_ds_read2_b64, Read2<uint64_t, 1>},
    {isa::DS_ds_read2st64_b32, Read2<uint32_t, kStride64>},
    {isa::DS_ds_read2st64_b64, Read2<uint64_t, kStride64>},
    {isa::DS_ds_read_u8, ReadExtended<uint8_t>},
    {isa::DS_ds_read_i8, ReadExtended<int8_t>},
    {isa::DS_ds_read_u16, ReadExtended<uint16_t>},
    {isa::DS_ds_read_i16, ReadExtended<int16_t>},
    {isa::DS_ds_read_u8_d16, ReadHalf<uint8_t, false>},
    {isa::DS_ds_read_u8_d16_hi, ReadHalf<uint8_t, true>},
    {isa::DS_ds_read_i8_d16, ReadHalf<int8_t, false>},
    {isa::DS_ds_read_i8_d16_hi, ReadHalf<int8_t, true>},
    {isa::DS_ds_read_u16_d16, ReadHalf<uint16_t, false>},
    {isa::DS_ds_read_u16_d16_hi, ReadHalf<uint16_t, true>},
    {isa::DS_ds_read_addtid_b32, Read<uint32_t, LaneAddress>},
    {isa::DS_ds_write_b32, Write<uint32_t>},
    {isa::DS_ds_write_b64, Write<uint64_t>},
    {isa::DS_ds_write_b96, Write<Dwords3>},
    {isa::DS_ds_write_b128, Write<Dwords4>},
    {isa::DS_ds_write2_b32, Write2<uint32_t, 1>},
    {isa::DS_ds_write2_b64, Write2<uint64_t, 1>},
    {isa::DS_ds_write2st64_b32, Write2<uint32_t, kStride64>},
    {isa::DS_ds_write2st64_b64, Write2<uint64_t, kStride64>},
    {isa::DS_ds_write_b8, WritePart<uint8_t, 0>},
    {isa::DS_ds_write_b16, WritePart<uint16_t, 0>},
    {isa::DS_ds_write_b8_d16_hi, WritePart<uint8_t, 16>},
    {isa::DS_ds_write_b16_d16_hi, WritePart<uint16_t, 16>},
    {isa::DS_ds_write_addtid_b32, Write<uint32_t, LaneAddress>},
};

constexpr auto kTable = MakeTable<256>(kEntries);

}  // namespace

Handler FindDs(uint16_t opcode) {
  if (const Handler handler = Find(kTable, opcode)) return handler;
  if (const Handler handler = FindDsAtomic(opcode)) return handler;
  if (const Handler handler = FindDsExchange(opcode)) return handler;
  return FindDsGws(opcode);
}

}  // namespace vgpu
