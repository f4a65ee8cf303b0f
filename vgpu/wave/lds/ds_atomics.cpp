// SPDX-License-Identifier: MIT
// DS: read-modify-write of local memory.
#include <bit>

#include "spec/isa/gfx940_opcodes.h"
#include "vgpu/wave/isa.h"
#include "vgpu/wave/lds/ds_handlers.h"
#include "vgpu/wave/lds/lds_access.h"
#include "vgpu/wave/memory/atomics.h"
#include "vgpu/wave/opcodes.h"
#include "vgpu/wave/valu/valu_types.h"

namespace vgpu {
namespace {

constexpr uint32_t kStride64 = 64;

// The sum wraps: code has negative addresses with positive offsets.
uint32_t Address(const Wave& wave, const Instruction& in, int lane) {
  return wave.vgpr[in.vaddr][lane] + static_cast<uint32_t>(in.offset);
}

// kUpdate(old, data0, data1) gives the new contents. With kReturn the old ones go to the result.
template <class T, auto kUpdate, bool kReturn>
bool Modify(Wave& wave, const Instruction& in, ExecutionContext& context) {
  ForEachLane(wave.exec(), [&](int lane) {
    const uint32_t address = Address(wave, in, lane);
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

template <AtomicOperation kOperation>
constexpr auto kInteger = [](auto old, auto data0, auto) {
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
constexpr auto kAddFloat = [](auto old, auto data, auto) { return AddFloats(old, data); };
constexpr auto kAddHalves = [](auto old, auto data, auto) { return AddPackedHalves(old, data); };
constexpr auto kAddBrainFloats = [](auto old, auto data, auto) {
  return AddPackedBrainFloats(old, data);
};
constexpr auto kMinFloat = [](auto old, auto data, auto) { return MinOfFloats(old, data); };
constexpr auto kMaxFloat = [](auto old, auto data, auto) { return MaxOfFloats(old, data); };

// A float32 sum, which handles denormals as MODE says.
template <bool kReturn>
bool AddFloat32(Wave& wave, const Instruction& in, ExecutionContext& context) {
  const bool flush_in = (wave.mode & valu::kModeDenormInSingle) == 0;
  const bool flush_out = (wave.mode & valu::kModeDenormOutSingle) == 0;
  if (!flush_in && !flush_out) return Modify<uint32_t, kAddFloat, kReturn>(wave, in, context);
  using Bits = FloatBits<uint32_t>;
  ForEachLane(wave.exec(), [&](int lane) {
    const uint32_t address = Address(wave, in, lane);
    const uint32_t data = wave.vgpr[in.vdata][lane];
    const uint32_t old = LoadLds<uint32_t>(context, address);
    const uint32_t sum =
        flush_in ? AddFloats(Bits::Flushed(old), Bits::Flushed(data)) : AddFloats(old, data);
    StoreLds<uint32_t>(context, address, flush_out ? Bits::Flushed(sum) : sum);
    if constexpr (kReturn) wave.vgpr[in.dst][lane] = old;
  });
  return true;
}

constexpr auto kAdd = kInteger<AtomicOperation::kAdd>;
constexpr auto kSubtract = kInteger<AtomicOperation::kSubtract>;
constexpr auto kReverseSubtract = kInteger<AtomicOperation::kReverseSubtract>;
constexpr auto kIncrement = kInteger<AtomicOperation::kIncrement>;
constexpr auto kDecrement = kInteger<AtomicOperation::kDecrement>;
constexpr auto kMinSigned = kInteger<AtomicOperation::kMinSigned>;
constexpr auto kMaxSigned = kInteger<AtomicOperation::kMaxSigned>;
constexpr auto kMinUnsigned = kInteger<AtomicOperation::kMinUnsigned>;
constexpr auto kMaxUnsigned = kInteger<AtomicOperation::kMaxUnsigned>;
constexpr auto kAnd = kInteger<AtomicOperation::kAnd>;
constexpr auto kOr = kInteger<AtomicOperation::kOr>;
constexpr auto kXor = kInteger<AtomicOperation::kXor>;
constexpr auto kSwap = kInteger<AtomicOperation::kSwap>;

constexpr OpcodeHandler kEntries[] = {
    {isa::DS_ds_add_u32, Modify<uint32_t, kAdd, false>},
    {isa::DS_ds_sub_u32, Modify<uint32_t, kSubtract, false>},
    {isa::DS_ds_rsub_u32, Modify<uint32_t, kReverseSubtract, false>},
    {isa::DS_ds_inc_u32, Modify<uint32_t, kIncrement, false>},
    {isa::DS_ds_dec_u32, Modify<uint32_t, kDecrement, false>},
    {isa::DS_ds_min_i32, Modify<uint32_t, kMinSigned, false>},
    {isa::DS_ds_max_i32, Modify<uint32_t, kMaxSigned, false>},
    {isa::DS_ds_min_u32, Modify<uint32_t, kMinUnsigned, false>},
    {isa::DS_ds_max_u32, Modify<uint32_t, kMaxUnsigned, false>},
    {isa::DS_ds_and_b32, Modify<uint32_t, kAnd, false>},
    {isa::DS_ds_or_b32, Modify<uint32_t, kOr, false>},
    {isa::DS_ds_xor_b32, Modify<uint32_t, kXor, false>},
    {isa::DS_ds_mskor_b32, Modify<uint32_t, kMaskedOr, false>},
    {isa::DS_ds_cmpst_b32, Modify<uint32_t, kCompareStore, false>},
    {isa::DS_ds_cmpst_f32, Modify<uint32_t, kCompareStoreFloat, false>},
    {isa::DS_ds_min_f32, Modify<uint32_t, kMinFloat, false>},
    {isa::DS_ds_max_f32, Modify<uint32_t, kMaxFloat, false>},
    {isa::DS_ds_add_f32, AddFloat32<false>},
    {isa::DS_ds_add_rtn_u32, Modify<uint32_t, kAdd, true>},
    {isa::DS_ds_sub_rtn_u32, Modify<uint32_t, kSubtract, true>},
    {isa::DS_ds_rsub_rtn_u32, Modify<uint32_t, kReverseSubtract, true>},
    {isa::DS_ds_inc_rtn_u32, Modify<uint32_t, kIncrement, true>},
    {isa::DS_ds_dec_rtn_u32, Modify<uint32_t, kDecrement, true>},
    {isa::DS_ds_min_rtn_i32, Modify<uint32_t, kMinSigned, true>},
    {isa::DS_ds_max_rtn_i32, Modify<uint32_t, kMaxSigned, true>},
    {isa::DS_ds_min_rtn_u32, Modify<uint32_t, kMinUnsigned, true>},
    {isa::DS_ds_max_rtn_u32, Modify<uint32_t, kMaxUnsigned, true>},
    {isa::DS_ds_and_rtn_b32, Modify<uint32_t, kAnd, true>},
    {isa::DS_ds_or_rtn_b32, Modify<uint32_t, kOr, true>},
    {isa::DS_ds_xor_rtn_b32, Modify<uint32_t, kXor, true>},
    {isa::DS_ds_mskor_rtn_b32, Modify<uint32_t, kMaskedOr, true>},
    {isa::DS_ds_wrxchg_rtn_b32, Modify<uint32_t, kSwap, true>},
    {isa::DS_ds_cmpst_rtn_b32, Modify<uint32_t, kCompareStore, true>},
    {isa::DS_ds_cmpst_rtn_f32, Modify<uint32_t, kCompareStoreFloat, true>},
    {isa::DS_ds_min_rtn_f32, Modify<uint32_t, kMinFloat, true>},
    {isa::DS_ds_max_rtn_f32, Modify<uint32_t, kMaxFloat, true>},
    {isa::DS_ds_wrap_rtn_b32, Modify<uint32_t, kWrap, true>},
    {isa::DS_ds_add_rtn_f32, AddFloat32<true>},
    {isa::DS_ds_wrxchg2_rtn_b32, Exchange2<uint32_t, 1>},
    {isa::DS_ds_wrxchg2st64_rtn_b32, Exchange2<uint32_t, kStride64>},
    {isa::DS_ds_add_u64, Modify<uint64_t, kAdd, false>},
    {isa::DS_ds_sub_u64, Modify<uint64_t, kSubtract, false>},
    {isa::DS_ds_rsub_u64, Modify<uint64_t, kReverseSubtract, false>},
    {isa::DS_ds_inc_u64, Modify<uint64_t, kIncrement, false>},
    {isa::DS_ds_dec_u64, Modify<uint64_t, kDecrement, false>},
    {isa::DS_ds_min_i64, Modify<uint64_t, kMinSigned, false>},
    {isa::DS_ds_max_i64, Modify<uint64_t, kMaxSigned, false>},
    {isa::DS_ds_min_u64, Modify<uint64_t, kMinUnsigned, false>},
    {isa::DS_ds_max_u64, Modify<uint64_t, kMaxUnsigned, false>},
    {isa::DS_ds_and_b64, Modify<uint64_t, kAnd, false>},
    {isa::DS_ds_or_b64, Modify<uint64_t, kOr, false>},
    {isa::DS_ds_xor_b64, Modify<uint64_t, kXor, false>},
    {isa::DS_ds_mskor_b64, Modify<uint64_t, kMaskedOr, false>},
    {isa::DS_ds_cmpst_b64, Modify<uint64_t, kCompareStore, false>},
    {isa::DS_ds_cmpst_f64, Modify<uint64_t, kCompareStoreFloat, false>},
    {isa::DS_ds_min_f64, Modify<uint64_t, kMinFloat, false>},
    {isa::DS_ds_max_f64, Modify<uint64_t, kMaxFloat, false>},
    {isa::DS_ds_add_rtn_u64, Modify<uint64_t, kAdd, true>},
    {isa::DS_ds_sub_rtn_u64, Modify<uint64_t, kSubtract, true>},
    {isa::DS_ds_rsub_rtn_u64, Modify<uint64_t, kReverseSubtract, true>},
    {isa::DS_ds_inc_rtn_u64, Modify<uint64_t, kIncrement, true>},
    {isa::DS_ds_dec_rtn_u64, Modify<uint64_t, kDecrement, true>},
    {isa::DS_ds_min_rtn_i64, Modify<uint64_t, kMinSigned, true>},
    {isa::DS_ds_max_rtn_i64, Modify<uint64_t, kMaxSigned, true>},
    {isa::DS_ds_min_rtn_u64, Modify<uint64_t, kMinUnsigned, true>},
    {isa::DS_ds_max_rtn_u64, Modify<uint64_t, kMaxUnsigned, true>},
    {isa::DS_ds_and_rtn_b64, Modify<uint64_t, kAnd, true>},
    {isa::DS_ds_or_rtn_b64, Modify<uint64_t, kOr, true>},
    {isa::DS_ds_xor_rtn_b64, Modify<uint64_t, kXor, true>},
    {isa::DS_ds_mskor_rtn_b64, Modify<uint64_t, kMaskedOr, true>},
    {isa::DS_ds_wrxchg_rtn_b64, Modify<uint64_t, kSwap, true>},
    {isa::DS_ds_cmpst_rtn_b64, Modify<uint64_t, kCompareStore, true>},
    {isa::DS_ds_cmpst_rtn_f64, Modify<uint64_t, kCompareStoreFloat, true>},
    {isa::DS_ds_min_rtn_f64, Modify<uint64_t, kMinFloat, true>},
    {isa::DS_ds_max_rtn_f64, Modify<uint64_t, kMaxFloat, true>},
    {isa::DS_ds_wrxchg2_rtn_b64, Exchange2<uint64_t, 1>},
    {isa::DS_ds_wrxchg2st64_rtn_b64, Exchange2<uint64_t, kStride64>},
    {isa::DS_ds_append, Count<true>},
    {isa::DS_ds_consume, Count<false>},
};

constexpr auto kTable = MakeTable<256>(kEntries);

constexpr OpcodeHandler kDoubleEntries[] = {
    {::isa::gfx90a::DS_ds_add_f64, Modify<uint64_t, kAddFloat, false>},
    {::isa::gfx90a::DS_ds_add_rtn_f64, Modify<uint64_t, kAddFloat, true>},
};

constexpr auto kDoubleTable = MakeTable<256>(kDoubleEntries);

constexpr OpcodeHandler kPackedEntries[] = {
    {::isa::gfx940::DS_ds_pk_add_f16, Modify<uint32_t, kAddHalves, false>},
    {::isa::gfx940::DS_ds_pk_add_bf16, Modify<uint32_t, kAddBrainFloats, false>},
    {::isa::gfx940::DS_ds_pk_add_rtn_f16, Modify<uint32_t, kAddHalves, true>},
    {::isa::gfx940::DS_ds_pk_add_rtn_bf16, Modify<uint32_t, kAddBrainFloats, true>},
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
