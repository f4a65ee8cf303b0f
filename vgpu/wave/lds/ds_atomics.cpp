// SPDX-License-Identifier: MIT
// DS: read-modify-write of local memory.
#include <bit>

#include "spec/isa/gfx940_opcodes.h"
#include "vgpu/wave/handlers.h"
#include "vgpu/wave/isa.h"
#include "vgpu/wave/lds/lds_access.h"
#include "vgpu/wave/memory/atomics.h"
#include "vgpu/wave/valu/valu_types.h"

namespace vgpu {
namespace {

// kUpdate(old, data0, data1) gives the new contents. With kReturn the old ones go to the result.
template <class T, auto kUpdate, bool kReturn>
bool Modify(Wave& wave, const Instruction& in, ExecutionContext& context) {
  ForEachLane(wave.exec(), [&](int lane) {
    const uint32_t address = LdsAddress(wave, in, lane);
    const T data0 = ReadRegister<T>(wave, in.vdata, lane);
    const T data1 = ReadRegister<T>(wave, in.vdata1, lane);
    const T old = LoadLds<T>(context, address);
    StoreLds<T>(context, address, kUpdate(old, data0, data1));
    if constexpr (kReturn) WriteRegister<T>(wave, in.dst, lane, old);
  });
  return true;
}

// Exchanges two elements at two offsets.
template <class T, uint32_t kStride>
bool Exchange2(Wave& wave, const Instruction& in, ExecutionContext& context) {
  constexpr uint32_t kUnit = sizeof(T) * kStride;
  constexpr int kDwords = sizeof(T) / sizeof(uint32_t);
  ForEachLane(wave.exec(), [&](int lane) {
    const uint32_t base = wave.vgpr[in.vaddr][lane];
    const uint64_t first = base + in.offset0 * kUnit;
    const uint64_t second = base + in.offset1 * kUnit;
    const T data0 = ReadRegister<T>(wave, in.vdata, lane);
    const T data1 = ReadRegister<T>(wave, in.vdata1, lane);
    const T old0 = LoadLds<T>(context, first);
    StoreLds<T>(context, first, data0);
    const T old1 = LoadLds<T>(context, second);
    StoreLds<T>(context, second, data1);
    WriteRegister<T>(wave, in.dst, lane, old0);
    WriteRegister<T>(wave, RegisterAfter(in.dst, kDwords), lane, old1);
  });
  return true;
}

// Adds the number of enabled lanes to the dword at M0 + offset (or subtracts it); every enabled
// lane gets the old value.
template <bool kAppend>
bool Count(Wave& wave, const Instruction& in, ExecutionContext& context) {
  const uint64_t exec = wave.exec();
  const uint64_t address = (wave.m0() & 0xffff) + static_cast<uint32_t>(in.offset);
  const uint32_t lanes = static_cast<uint32_t>(std::popcount(exec));
  const uint32_t old = LoadLds<uint32_t>(context, address);
  StoreLds<uint32_t>(context, address, kAppend ? old + lanes : old - lanes);
  ForEachLane(exec, [&](int lane) { wave.vgpr[in.dst][lane] = old; });
  return true;
}

using Op = AtomicOperation;

template <Op kOperation>
constexpr auto kUpdated = [](auto old, auto data0, auto) {
  return Updated<kOperation, decltype(old)>(old, data0, decltype(old){0});
};

constexpr auto kMaskedOr = [](auto old, auto mask, auto bits) { return (old & ~mask) | bits; };
constexpr auto kCompareStore = [](auto old, auto compare, auto value) {
  return old == compare ? value : old;
};
constexpr auto kCompareStoreFloat = [](auto old, auto compare, auto value) {
  using Bits = FloatBits<decltype(old)>;
  return Bits::Value(old) == Bits::Value(compare) ? value : old;
};
constexpr auto kWrap = [](auto old, auto limit, auto step) {
  return old >= limit ? old - limit : old + step;
};
// A float32 sum, which handles denormals as MODE says.
template <bool kReturn>
bool AddFloat32(Wave& wave, const Instruction& in, ExecutionContext& context) {
  const bool flush_in = (wave.mode & valu::kModeDenormInSingle) == 0;
  const bool flush_out = (wave.mode & valu::kModeDenormOutSingle) == 0;
  if (!flush_in && !flush_out)
    return Modify<uint32_t, kUpdated<Op::kAddFloat>, kReturn>(wave, in, context);
  using Bits = FloatBits<uint32_t>;
  ForEachLane(wave.exec(), [&](int lane) {
    const uint32_t address = LdsAddress(wave, in, lane);
    const uint32_t data = wave.vgpr[in.vdata][lane];
    const uint32_t old = LoadLds<uint32_t>(context, address);
    const uint32_t sum =
        flush_in ? AddFloats(Bits::Flushed(old), Bits::Flushed(data)) : AddFloats(old, data);
    StoreLds<uint32_t>(context, address, flush_out ? Bits::Flushed(sum) : sum);
    if constexpr (kReturn) wave.vgpr[in.dst][lane] = old;
  });
  return true;
}

constexpr OpcodeHandler kEntries[] = {
    {isa::DS_ds_add_f32, AddFloat32<false>},
    {isa::DS_ds_add_rtn_f32, AddFloat32<true>},
    {isa::DS_ds_wrxchg_rtn_b32, Modify<uint32_t, kUpdated<Op::kSwap>, true>},
    {isa::DS_ds_wrxchg_rtn_b64, Modify<uint64_t, kUpdated<Op::kSwap>, true>},
    {isa::DS_ds_wrxchg2_rtn_b32, Exchange2<uint32_t, 1>},
    {isa::DS_ds_wrxchg2_rtn_b64, Exchange2<uint64_t, 1>},
    {isa::DS_ds_wrxchg2st64_rtn_b32, Exchange2<uint32_t, kStride64>},
    {isa::DS_ds_wrxchg2st64_rtn_b64, Exchange2<uint64_t, kStride64>},
    {isa::DS_ds_wrap_rtn_b32, Modify<uint32_t, kWrap, true>},
    {isa::DS_ds_append, Count<true>},
    {isa::DS_ds_consume, Count<false>},
};

// Most operations have four opcodes: on 32 bits and on 64, without and with the old value as the
// result.
constexpr uint16_t kReturning = isa::DS_ds_add_rtn_u32 - isa::DS_ds_add_u32;
constexpr uint16_t kWide = isa::DS_ds_add_u64 - isa::DS_ds_add_u32;
static_assert(isa::DS_ds_mskor_rtn_b64 == isa::DS_ds_mskor_b32 + kReturning + kWide);
static_assert(isa::DS_ds_max_rtn_f64 == isa::DS_ds_max_f32 + kReturning + kWide);

template <auto kUpdate>
constexpr void SetFour(uint16_t opcode, HandlerTable<256>* table) {
  (*table)[opcode] = Modify<uint32_t, kUpdate, false>;
  (*table)[opcode + kReturning] = Modify<uint32_t, kUpdate, true>;
  (*table)[opcode + kWide] = Modify<uint64_t, kUpdate, false>;
  (*table)[opcode + kWide + kReturning] = Modify<uint64_t, kUpdate, true>;
}

constexpr auto kTable = [] {
  auto table = MakeTable<256>(kEntries);
  SetFour<kUpdated<Op::kAdd>>(isa::DS_ds_add_u32, &table);
  SetFour<kUpdated<Op::kSubtract>>(isa::DS_ds_sub_u32, &table);
  SetFour<kUpdated<Op::kReverseSubtract>>(isa::DS_ds_rsub_u32, &table);
  SetFour<kUpdated<Op::kIncrement>>(isa::DS_ds_inc_u32, &table);
  SetFour<kUpdated<Op::kDecrement>>(isa::DS_ds_dec_u32, &table);
  SetFour<kUpdated<Op::kMinSigned>>(isa::DS_ds_min_i32, &table);
  SetFour<kUpdated<Op::kMaxSigned>>(isa::DS_ds_max_i32, &table);
  SetFour<kUpdated<Op::kMinUnsigned>>(isa::DS_ds_min_u32, &table);
  SetFour<kUpdated<Op::kMaxUnsigned>>(isa::DS_ds_max_u32, &table);
  SetFour<kUpdated<Op::kAnd>>(isa::DS_ds_and_b32, &table);
  SetFour<kUpdated<Op::kOr>>(isa::DS_ds_or_b32, &table);
  SetFour<kUpdated<Op::kXor>>(isa::DS_ds_xor_b32, &table);
  SetFour<kMaskedOr>(isa::DS_ds_mskor_b32, &table);
  SetFour<kCompareStore>(isa::DS_ds_cmpst_b32, &table);
  SetFour<kCompareStoreFloat>(isa::DS_ds_cmpst_f32, &table);
  SetFour<kUpdated<Op::kMinFloat>>(isa::DS_ds_min_f32, &table);
  SetFour<kUpdated<Op::kMaxFloat>>(isa::DS_ds_max_f32, &table);
  return table;
}();

constexpr OpcodeHandler kDoubleEntries[] = {
    {::isa::gfx90a::DS_ds_add_f64, Modify<uint64_t, kUpdated<Op::kAddFloat>, false>},
    {::isa::gfx90a::DS_ds_add_rtn_f64, Modify<uint64_t, kUpdated<Op::kAddFloat>, true>},
};

constexpr auto kDoubleTable = MakeTable<256>(kDoubleEntries);

constexpr OpcodeHandler kPackedEntries[] = {
    {::isa::gfx940::DS_ds_pk_add_f16, Modify<uint32_t, kUpdated<Op::kAddPackedHalves>, false>},
    {::isa::gfx940::DS_ds_pk_add_bf16,
     Modify<uint32_t, kUpdated<Op::kAddPackedBrainFloats>, false>},
    {::isa::gfx940::DS_ds_pk_add_rtn_f16, Modify<uint32_t, kUpdated<Op::kAddPackedHalves>, true>},
    {::isa::gfx940::DS_ds_pk_add_rtn_bf16,
     Modify<uint32_t, kUpdated<Op::kAddPackedBrainFloats>, true>},
};

constexpr auto kPackedTable = MakeTable<256>(kPackedEntries);

}  // namespace

Handler FindDsAtomic(uint16_t opcode) {
  if (const Handler handler = Find(kTable, opcode)) return handler;
  if (GetIsa().has_lds_packed_adds) {
    if (const Handler handler = Find(kPackedTable, opcode)) return handler;
  }
  return GetIsa().has_lds_double_adds ? Find(kDoubleTable, opcode) : nullptr;
}

}  // namespace vgpu
