// SPDX-License-Identifier: MIT
// FLAT, GLOBAL and SCRATCH instructions.
#include <cstdio>

#include "vgpu/wave/isa.h"
#include "vgpu/wave/memory/vector_memory.h"
#include "vgpu/wave/operands.h"

namespace vgpu {
namespace {

constexpr uint8_t kNoScalarAddress = 0x7f;
constexpr uint32_t kPrivateStride = sizeof(uint32_t) * kLanes;
constexpr int kCanonicalBits = 47;

Located FromHost(uint8_t* host, uint32_t stride, Place* place) {
  place->host = host;
  place->stride = stride;
  return host != nullptr ? Located::kYes : Located::kFault;
}

// Private memory of a wave's lanes.
class PrivateMemory {
 public:
  explicit PrivateMemory(const Wave& wave) : base_(wave.Sgpr64(kOperandFlatScratch)) {}

  Located Locate(Wave& wave, const ExecutionContext& context, int lane, uint32_t offset,
                 uint32_t bytes, Access access, Place* place) {
    const uint64_t va = ScratchAddress(base_, lane, offset);
    uint8_t* host = window_.Find(wave, context, va, SpanOf(bytes, kPrivateStride), access);
    return FromHost(host, kPrivateStride, place);
  }

 private:
  uint64_t base_;
  MemoryWindow window_;
};

// global_*: a 64-bit VGPR address, or an SGPR base and a 32-bit VGPR offset.
class GlobalAddressing {
 public:
  GlobalAddressing(Wave& wave, const Instruction& in, const ExecutionContext& context)
      : wave_(wave), in_(in), context_(context), has_base_(in.saddr != kNoScalarAddress) {
    base_ = static_cast<uint64_t>(static_cast<int64_t>(in.offset));
    if (has_base_) base_ += wave.Sgpr64(in.saddr);
  }

  Located Locate(int lane, uint32_t bytes, Access access, Place* place) {
    const uint64_t address =
        has_base_ ? wave_.vgpr[in_.vaddr][lane] : wave_.Vgpr64(in_.vaddr, lane);
    uint8_t* host = window_.Find(wave_, context_, base_ + address, bytes, access);
    return FromHost(host, sizeof(uint32_t), place);
  }

 private:
  Wave& wave_;
  const Instruction& in_;
  const ExecutionContext& context_;
  uint64_t base_;
  bool has_base_;
  MemoryWindow window_;
};

// flat_*: the upper half of the address tells LDS, private and global memory apart.
class FlatAddressing {
 public:
  FlatAddressing(Wave& wave, const Instruction& in, const ExecutionContext& context)
      : wave_(wave), in_(in), context_(context), private_(wave) {}

  Located Locate(int lane, uint32_t bytes, Access access, Place* place) {
    const uint64_t va = wave_.Vgpr64(in_.vaddr, lane) + static_cast<uint64_t>(in_.offset);
    if (va >> kCanonicalBits == 0) [[likely]] {
      uint8_t* host = window_.Find(wave_, context_, va, bytes, access);
      return FromHost(host, sizeof(uint32_t), place);
    }
    return LocateElsewhere(va, lane, bytes, access, place);
  }

 private:
  Located LocateElsewhere(uint64_t va, int lane, uint32_t bytes, Access access, Place* place) {
    const uint32_t offset = static_cast<uint32_t>(va);
    if (va >> 32 == kSharedApertureHigh) {
      place->host = context_.Lds(offset, bytes);
      return place->host != nullptr ? Located::kYes : Located::kOutside;
    }
    if (va >> 32 == kPrivateApertureHigh) {
      return private_.Locate(wave_, context_, lane, offset, bytes, access, place);
    }
    char text[80];
    std::snprintf(text, sizeof text, "address 0x%llx lies in no aperture",
                  static_cast<unsigned long long>(va));
    static_cast<void>(
        wave_.Fail(Fault::Code::kApertureViolation, text, va, access == Access::kWrite));
    return Located::kFault;
  }

  Wave& wave_;
  const Instruction& in_;
  const ExecutionContext& context_;
  MemoryWindow window_;
  PrivateMemory private_;
};

// scratch_*: an offset into the lane's private memory, from a VGPR or an SGPR; on gfx942 from both
// or none.
class ScratchAddressing {
 public:
  ScratchAddressing(Wave& wave, const Instruction& in, const ExecutionContext& context)
      : wave_(wave),
        in_(in),
        context_(context),
        base_(static_cast<uint32_t>(in.offset)),
        has_vector_(GetIsa().scratch_says_vaddr ? in.uses_vaddr : in.saddr == kNoScalarAddress),
        private_(wave) {
    if (in.saddr != kNoScalarAddress) base_ += wave.sgpr[in.saddr];
  }

  Located Locate(int lane, uint32_t bytes, Access access, Place* place) {
    const uint32_t offset = base_ + (has_vector_ ? wave_.vgpr[in_.vaddr][lane] : 0);
    return private_.Locate(wave_, context_, lane, offset, bytes, access, place);
  }

 private:
  Wave& wave_;
  const Instruction& in_;
  const ExecutionContext& context_;
  uint32_t base_;
  bool has_vector_;
  PrivateMemory private_;
};

// Whether gfx90a has a global form of the instruction alone, and no flat form.
bool IsGlobalOnly(uint16_t opcode) {
  return opcode == ::isa::gfx90a::FLAT_global_atomic_add_f32 ||
         opcode == ::isa::gfx90a::FLAT_global_atomic_pk_add_f16;
}

template <class Addressing>
Handler FindIn(uint16_t opcode) {
  if (GetIsa().has_flat_float_adds) {
    if (const Handler handler = VectorMemory<Addressing>::FindAdded(opcode)) return handler;
  }
  return VectorMemory<Addressing>::Find(opcode);
}

}  // namespace

Handler FindFlat(Segment segment, uint16_t opcode) {
  switch (segment) {
    case Segment::kFlat:
      if (IsGlobalOnly(opcode) && !GetIsa().has_flat_float_adds) return nullptr;
      return FindIn<FlatAddressing>(opcode);
    case Segment::kScratch:
      return IsAtomic(opcode) ? nullptr : VectorMemory<ScratchAddressing>::Find(opcode);
    case Segment::kGlobal:
      return FindIn<GlobalAddressing>(opcode);
  }
  return nullptr;
}

Handler FindFlatToLds(Segment segment, uint16_t opcode) {
  return segment == Segment::kGlobal ? VectorMemory<GlobalAddressing>::FindToLds(opcode) : nullptr;
}

}  // namespace vgpu
