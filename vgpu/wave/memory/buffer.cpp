// SPDX-License-Identifier: MIT
// MUBUF: untyped buffer instructions, addressed through a descriptor of four SGPRs.
#include "vgpu/wave/memory/buffer_format.h"
#include "vgpu/wave/memory/vector_memory.h"
#include "vgpu/wave/operands.h"

namespace vgpu {
namespace {

template <uint16_t kFlat, uint16_t kMubuf>
constexpr bool kSameOpcode = kFlat == kMubuf;
static_assert(kSameOpcode<isa::FLAT_global_load_ubyte, isa::MUBUF_buffer_load_ubyte>);
static_assert(kSameOpcode<isa::FLAT_global_store_byte, isa::MUBUF_buffer_store_byte>);
static_assert(kSameOpcode<isa::FLAT_global_store_dwordx4, isa::MUBUF_buffer_store_dwordx4>);
static_assert(kSameOpcode<isa::FLAT_global_load_ubyte_d16, isa::MUBUF_buffer_load_ubyte_d16>);
static_assert(kSameOpcode<isa::FLAT_global_load_short_d16_hi, isa::MUBUF_buffer_load_short_d16_hi>);
static_assert(kSameOpcode<::isa::gfx90a::FLAT_global_atomic_add_f32,
                          ::isa::gfx90a::MUBUF_buffer_atomic_add_f32>);
static_assert(kSameOpcode<::isa::gfx90a::FLAT_global_atomic_max_f64,
                          ::isa::gfx90a::MUBUF_buffer_atomic_max_f64>);
static_assert(kSameOpcode<isa::FLAT_global_atomic_swap, isa::MUBUF_buffer_atomic_swap>);
static_assert(kSameOpcode<isa::FLAT_global_atomic_dec, isa::MUBUF_buffer_atomic_dec>);
static_assert(kSameOpcode<isa::FLAT_global_atomic_swap_x2, isa::MUBUF_buffer_atomic_swap_x2>);
static_assert(kSameOpcode<isa::FLAT_global_atomic_dec_x2, isa::MUBUF_buffer_atomic_dec_x2>);

// The descriptor's fields.
struct Descriptor {
  uint64_t base;
  uint32_t stride;
  uint32_t records;   // bytes when the stride is 0, else elements of `stride` bytes
  int element_shift;  // log2 of the element's bytes
  int index_shift;    // log2 of the number of indices whose elements lie side by side
  bool swizzle;
  bool add_lane;

  explicit Descriptor(const uint32_t* words)
      : base(words[0] | static_cast<uint64_t>(words[1] & 0xffff) << 32),
        stride(Bits(words[1], 16, 14)),
        records(words[2]),
        element_shift(1 + static_cast<int>(Bits(words[3], 19, 2))),
        index_shift(3 + static_cast<int>(Bits(words[3], 21, 2))),
        swizzle(Bits(words[1], 31, 1)),
        add_lane(Bits(words[3], 23, 1)) {
    // If the lane is added to the index, the data format field holds more bits of the stride.
    if (add_lane) stride |= Bits(words[3], 15, 4) << 14;
  }
};

class BufferAddressing {
 public:
  BufferAddressing(Wave& wave, const Instruction& in, const ExecutionContext& context)
      : wave_(wave),
        in_(in),
        context_(context),
        descriptor_(&wave.sgpr[in.saddr]),
        soffset_(ReadScalar32(wave, in, in.soffset)),
        offset_vgpr_((in.vaddr + (in.idxen ? 1 : 0)) & 255) {}

  // The form of the buffer's elements; nullopt where it is not modelled.
  std::optional<BufferFormat> Format() const {
    if (descriptor_.add_lane || descriptor_.swizzle) return std::nullopt;
    return FormatOf(wave_.sgpr[in_.saddr + 3]);
  }

  Located Locate(int lane, uint32_t bytes, Access access, Place* place) {
    uint32_t index = in_.idxen ? wave_.vgpr[in_.vaddr][lane] : 0;
    if (descriptor_.add_lane) index += static_cast<uint32_t>(lane);
    uint64_t offset = static_cast<uint32_t>(in_.offset);
    if (in_.offen) offset += wave_.vgpr[offset_vgpr_][lane];
    if (descriptor_.swizzle) return LocateSwizzled(index, offset, bytes, access, place);
    if (IsOutside(index, offset, bytes)) return Located::kOutside;
    const uint64_t va = descriptor_.base + soffset_ + uint64_t{index} * descriptor_.stride + offset;
    place->host = window_.Find(wave_, context_, va, bytes, access);
    return place->host != nullptr ? Located::kYes : Located::kFault;
  }

 private:
  // Raw buffers count bytes, structured ones elements.
  bool IsOutside(uint32_t index, uint64_t offset, uint32_t bytes) const {
    if (descriptor_.add_lane) return false;
    if (descriptor_.stride != 0) return index >= descriptor_.records;
    return offset + soffset_ + bytes > descriptor_.records;
  }

  // Elements of neighbouring indices lie side by side. A wave's private memory has this layout: the
  // index is the lane.
  Located LocateSwizzled(uint32_t index, uint64_t offset, uint32_t bytes, Access access,
                         Place* place) {
    const int element_shift = descriptor_.element_shift;
    const int index_shift = descriptor_.index_shift;
    const uint32_t element_bytes = 1u << element_shift;
    const uint32_t stride = element_bytes << index_shift;
    if (bytes > element_bytes && element_bytes != sizeof(uint32_t)) {
      return Refuse("swizzled access wider than the buffer's element");
    }
    const uint64_t block = uint64_t{index >> index_shift} * descriptor_.stride << index_shift;
    const uint64_t column = index & ((1u << index_shift) - 1);
    const uint64_t within = (offset >> element_shift) * stride + (column << element_shift) +
                            (offset & (element_bytes - 1));
    const uint64_t va = descriptor_.base + soffset_ + block + within;
    place->host = window_.Find(wave_, context_, va, SpanOf(bytes, stride), access);
    place->stride = stride;
    return place->host != nullptr ? Located::kYes : Located::kFault;
  }

  Located Refuse(const char* reason) const {
    static_cast<void>(FailIllegal(wave_, in_, reason));
    return Located::kFault;
  }

  Wave& wave_;
  const Instruction& in_;
  const ExecutionContext& context_;
  Descriptor descriptor_;
  uint32_t soffset_;
  uint8_t offset_vgpr_;
  MemoryWindow window_;
};

// Calls act(lane, format, element) for every enabled lane. Outside the buffer the element is
// nullptr.
template <class F>
bool ForEachElement(Wave& wave, const Instruction& in, ExecutionContext& context, Access access,
                    F&& act) {
  BufferAddressing addressing(wave, in, context);
  const std::optional<BufferFormat> format = addressing.Format();
  if (!format) return FailIllegal(wave, in, "this buffer's format is not implemented");
  for (uint64_t mask = wave.exec(); mask != 0; mask &= mask - 1) {
    const int lane = __builtin_ctzll(mask);
    Place place;
    const Located located = addressing.Locate(lane, format->Bytes(), access, &place);
    if (located == Located::kFault) return false;
    act(lane, *format, located == Located::kYes ? place.host : nullptr);
  }
  return true;
}

// A component in 16 bits: half precision, or the low half of an integer.
uint32_t Halved(const BufferFormat& format, uint32_t value) {
  return format.IsInteger() ? value & 0xffff : HalfBits(value);
}
uint32_t Doubled(const BufferFormat& format, uint32_t half) {
  if (!format.IsInteger()) return FloatOfHalf(half);
  const bool is_signed = format.number == NumberFormat::kSigned;
  return is_signed ? static_cast<uint32_t>(static_cast<int16_t>(half)) : half;
}

// kHalves: two components to a register.
template <int kCount, bool kHalves>
bool LoadTyped(Wave& wave, const Instruction& in, ExecutionContext& context) {
  const auto load = [&](int lane, const BufferFormat& format, const uint8_t* element) {
    uint32_t loaded[4] = {};
    if (element != nullptr) ReadElement(format, element, loaded);
    for (int i = 0; i < kCount; i += kHalves ? 2 : 1) {
      uint32_t& result = wave.vgpr[RegisterAfter(in.dst, kHalves ? i / 2 : i)][lane];
      if (!kHalves) {
        result = loaded[i];
      } else if (i + 1 < kCount) {
        result = Halved(format, loaded[i]) | Halved(format, loaded[i + 1]) << 16;
      } else {
        result = (HasSramEcc() ? 0 : result & 0xffff0000) | Halved(format, loaded[i]);
      }
    }
  };
  return ForEachElement(wave, in, context, Access::kRead, load);
}

template <int kCount, bool kHalves>
bool StoreTyped(Wave& wave, const Instruction& in, ExecutionContext& context) {
  const auto store = [&](int lane, const BufferFormat& format, uint8_t* element) {
    if (element == nullptr) return;
    uint32_t data[4] = {};
    for (int i = 0; i < kCount; ++i) {
      const uint32_t word = wave.vgpr[RegisterAfter(in.vdata, kHalves ? i / 2 : i)][lane];
      data[i] = kHalves ? Doubled(format, i % 2 == 0 ? word & 0xffff : word >> 16) : word;
    }
    WriteElement(format, data, element);
  };
  return ForEachElement(wave, in, context, Access::kWrite, store);
}

constexpr OpcodeHandler kTypedEntries[] = {
    {isa::MUBUF_buffer_load_format_x, LoadTyped<1, false>},
    {isa::MUBUF_buffer_load_format_xy, LoadTyped<2, false>},
    {isa::MUBUF_buffer_load_format_xyz, LoadTyped<3, false>},
    {isa::MUBUF_buffer_load_format_xyzw, LoadTyped<4, false>},
    {isa::MUBUF_buffer_store_format_x, StoreTyped<1, false>},
    {isa::MUBUF_buffer_store_format_xy, StoreTyped<2, false>},
    {isa::MUBUF_buffer_store_format_xyz, StoreTyped<3, false>},
    {isa::MUBUF_buffer_store_format_xyzw, StoreTyped<4, false>},
    {isa::MUBUF_buffer_load_format_d16_x, LoadTyped<1, true>},
    {isa::MUBUF_buffer_load_format_d16_xy, LoadTyped<2, true>},
    {isa::MUBUF_buffer_load_format_d16_xyz, LoadTyped<3, true>},
    {isa::MUBUF_buffer_load_format_d16_xyzw, LoadTyped<4, true>},
    {isa::MUBUF_buffer_store_format_d16_x, StoreTyped<1, true>},
    {isa::MUBUF_buffer_store_format_d16_xy, StoreTyped<2, true>},
    {isa::MUBUF_buffer_store_format_d16_xyz, StoreTyped<3, true>},
    {isa::MUBUF_buffer_store_format_d16_xyzw, StoreTyped<4, true>},
};
constexpr auto kTypedTable = MakeTable<16>(kTypedEntries);

}  // namespace

Handler FindMubuf(uint16_t opcode) {
  if (opcode < kTypedTable.size()) return kTypedTable[opcode];
  if (opcode == isa::MUBUF_buffer_wbinvl1 || opcode == isa::MUBUF_buffer_wbinvl1_vol) {
    return NoOperation;
  }
  return VectorMemory<BufferAddressing>::Find(opcode);
}

Handler FindMubufToLds(uint16_t opcode) {
  return VectorMemory<BufferAddressing>::FindToLds(opcode);
}

}  // namespace vgpu
