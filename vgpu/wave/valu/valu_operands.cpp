// SPDX-License-Identifier: MIT
#include "vgpu/wave/valu/valu_operands.h"

#include <emmintrin.h>

#include <array>
#include <bit>
#include <cstring>

#include "vgpu/wave/execution_context.h"
#include "vgpu/wave/isa.h"

namespace vgpu::valu {
namespace {

constexpr int kRowLanes = 16;  // a DPP row
constexpr int kBankLanes = 4;

// DPP controls.
constexpr uint32_t kDppQuadPermEnd = 0x100;
constexpr uint32_t kDppRowShl = 0x100;  // + 1 to 15
constexpr uint32_t kDppRowShr = 0x110;  // + 1 to 15
constexpr uint32_t kDppRowRor = 0x120;  // + 1 to 15
constexpr uint32_t kDppRowEnd = 0x130;
constexpr uint32_t kDppWaveShl = 0x130;
constexpr uint32_t kDppWaveRol = 0x134;
constexpr uint32_t kDppWaveShr = 0x138;
constexpr uint32_t kDppWaveRor = 0x13c;
constexpr uint32_t kDppRowMirror = 0x140;
constexpr uint32_t kDppRowHalfMirror = 0x141;
constexpr uint32_t kDppRowBcast15 = 0x142;
constexpr uint32_t kDppRowBcast31 = 0x143;
constexpr uint32_t kDppRowNewBcast = 0x150;  // + 0 to 15; gfx90a
constexpr uint32_t kDppRowNewBcastEnd = 0x160;

constexpr int kNoLane = -1;

// Bit i, for lane i of the lower or upper half of a wave; a table because shifts by a variable
// amount do not vectorise everywhere.
constexpr int kHalfLanes = 32;
constexpr std::array<uint32_t, kHalfLanes> kLaneBits = [] {
  std::array<uint32_t, kHalfLanes> bits = {};
  for (int i = 0; i < kHalfLanes; ++i) bits[i] = 1u << i;
  return bits;
}();

int DppRowShift(uint32_t control, int lane) {
  const int row = lane & ~(kRowLanes - 1);
  const int column = lane & (kRowLanes - 1);
  const int distance = static_cast<int>(control & 0xf);
  if (control < kDppRowShr) {
    return column + distance < kRowLanes ? lane + distance : kNoLane;
  }
  if (control < kDppRowRor) {
    return column >= distance ? lane - distance : kNoLane;
  }
  return row + ((column - distance) & (kRowLanes - 1));
}

bool IsRowNewBcast(uint32_t control) {
  return control >= kDppRowNewBcast && control < kDppRowNewBcastEnd;
}

// The lane from which `lane` reads, or kNoLane.
int DppSourceLane(uint32_t control, int lane) {
  if (IsRowNewBcast(control)) {
    return (lane & ~(kRowLanes - 1)) + static_cast<int>(control - kDppRowNewBcast);
  }
  if (control < kDppQuadPermEnd) return (lane & ~3) | (control >> 2 * (lane & 3) & 3);
  if (control < kDppRowEnd) return DppRowShift(control, lane);
  switch (control) {
    case kDppWaveShl:
      return lane + 1 < kLanes ? lane + 1 : kNoLane;
    case kDppWaveRol:
      return (lane + 1) & (kLanes - 1);
    case kDppWaveShr:
      return lane > 0 ? lane - 1 : kNoLane;
    case kDppWaveRor:
      return (lane - 1) & (kLanes - 1);
    case kDppRowMirror:
      return lane ^ 15;
    case kDppRowHalfMirror:
      return lane ^ 7;
    case kDppRowBcast15:
      return lane >= kRowLanes ? (lane & ~(kRowLanes - 1)) - 1 : kNoLane;
    case kDppRowBcast31:
      return lane >= 32 ? 31 : kNoLane;
    default:
      return kNoLane;
  }
}

bool DppControlIsValid(uint32_t control) {
  if (IsRowNewBcast(control)) return GetIsa().has_row_newbcast;
  if (control >= kDppRowShl && control < kDppRowEnd) return (control & 0xf) != 0;
  constexpr int kReader = 32;  // a lane that has a source under every valid control
  return DppSourceLane(control, kReader) != kNoLane;
}

// Lanes without a source, or whose source EXEC disables, read 0 (or are not written at all).
void GatherDpp(const Wave& wave, const Instruction& instruction, const uint32_t* in, LaneRow* out) {
  const uint64_t exec = wave.exec();
  const uint32_t control = DppControl(instruction);
  LaneRow gathered;
  for (int lane = 0; lane < kLanes; ++lane) {
    const int from = DppSourceLane(control, lane);
    const bool valid = from != kNoLane && (exec >> from & 1) != 0;
    gathered.lane[lane] = valid ? in[from] : 0;
  }
  *out = gathered;
}

uint32_t SelectBits(uint32_t value, uint32_t select, bool sign_extend) {
  if (select < 4) {
    const uint32_t byte = value >> 8 * select & 0xff;
    return sign_extend ? static_cast<uint32_t>(static_cast<int8_t>(byte)) : byte;
  }
  if (select < 6) {
    const uint32_t word = value >> 16 * (select - 4) & 0xffff;
    return sign_extend ? static_cast<uint32_t>(static_cast<int16_t>(word)) : word;
  }
  return value;
}

void SelectSdwa(const Instruction& instruction, int source, const uint32_t* in, LaneRow* out) {
  const uint32_t select = SdwaSrcSel(instruction, source);
  const bool sign_extend = SdwaSrcSext(instruction, source);
  for (int lane = 0; lane < kLanes; ++lane) {
    out->lane[lane] = SelectBits(in[lane], select, sign_extend);
  }
}

template <class T, class Bits>
void ModifyRow(bool flush, bool abs, bool neg, const Bits* in, Bits* out) {
  using Layout = FloatLayout<T>;
  const Bits clear = abs ? static_cast<Bits>(Layout::kSign) : 0;
  const Bits toggle = neg ? static_cast<Bits>(Layout::kSign) : 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    Bits bits = in[lane];
    if (flush) bits = FlushBits<T>(static_cast<BitsOf<T>>(bits));
    out[lane] = (bits & ~clear) ^ toggle;
  }
}

uint32_t ScalarValue(const Wave& wave, const Instruction& instruction, uint32_t code,
                     SourceKind kind) {
  if (Is16Bit(kind)) return ReadScalarF16(wave, instruction, code);
  return ReadScalar32(wave, instruction, code);
}

uint64_t ScalarValue64(const Wave& wave, const Instruction& instruction, uint32_t code,
                       SourceKind kind) {
  if (kind == SourceKind::kInt64) return ReadScalar64(wave, instruction, code);
  return ReadScalarF64(wave, instruction, code);
}

bool FlushesSource(const Wave& wave, SourceKind kind) {
  const uint32_t denorm = DenormInBits(kind);
  return (wave.mode & denorm) != denorm;
}

// The value that SDWA writes for one lane.
uint32_t InsertBits(const Instruction& instruction, uint32_t old, uint32_t value) {
  enum Unused : uint32_t { kPad = 0, kSignExtend = 1, kPreserve = 2 };
  const uint32_t select = SdwaDstSel(instruction);
  if (select >= 6) return value;
  const uint32_t width = select < 4 ? 8 : 16;
  const uint32_t shift = select < 4 ? 8 * select : 16 * (select - 4);
  const uint32_t field = ((1u << width) - 1) << shift;
  const uint32_t placed = value << shift & field;
  switch (SdwaDstUnused(instruction)) {
    case kSignExtend: {
      const bool negative = value >> (width - 1) & 1;
      const uint32_t above = ~(field | ((1u << shift) - 1));
      return negative ? placed | above : placed;
    }
    case kPreserve:
      return placed | (old & ~field);
    default:
      return placed;
  }
}

}  // namespace

bool CheckDppControl(Wave& wave, const Instruction& instruction) {
  if (DppControlIsValid(DppControl(instruction))) return true;
  return FailIllegal(wave, instruction, "reserved DPP control");
}

uint64_t DppWriteMask(const Wave& wave, const Instruction& instruction) {
  const uint64_t exec = wave.exec();
  const uint32_t control = DppControl(instruction);
  uint64_t mask = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    const bool row_on = DppRowMask(instruction) >> (lane / kRowLanes) & 1;
    const bool bank_on = DppBankMask(instruction) >> (lane % kRowLanes / kBankLanes) & 1;
    const int from = DppSourceLane(control, lane);
    const bool has_source = from != kNoLane && (exec >> from & 1) != 0;
    if (row_on && bank_on && (has_source || DppBoundControl(instruction))) {
      mask |= uint64_t{1} << lane;
    }
  }
  return mask & exec;
}

const uint32_t* PrepareRow(const Wave& wave, const Instruction& instruction, int source,
                           SourceKind kind, LaneRow* scratch) {
  const uint32_t code = instruction.src[source];
  const uint32_t* row = scratch->lane;
  if (code >= kOperandVgprFirst) {
    row = wave.vgpr[code - kOperandVgprFirst];
  } else {
    const uint32_t value = ScalarValue(wave, instruction, code, kind);
    for (uint32_t& lane : scratch->lane) lane = value;
  }
  if (instruction.is_dpp && source == 0) {
    GatherDpp(wave, instruction, row, scratch);
    row = scratch->lane;
  }
  if (instruction.is_sdwa && source < 2) {
    SelectSdwa(instruction, source, row, scratch);
    row = scratch->lane;
  }
  if (Is16Bit(kind) && (instruction.op_sel >> source & 1) != 0) {
    for (int lane = 0; lane < kLanes; ++lane) scratch->lane[lane] = row[lane] >> 16;
    row = scratch->lane;
  }
  const bool flush = FlushesSource(wave, kind);
  const bool abs = HasModifiers(kind) && (instruction.abs >> source & 1) != 0;
  const bool neg = HasModifiers(kind) && (instruction.neg >> source & 1) != 0;
  if (!flush && !abs && !neg) return row;
  if (Is16Bit(kind)) {
    ModifyRow<Half>(flush, abs, neg, row, scratch->lane);
  } else {
    ModifyRow<float>(flush, abs, neg, row, scratch->lane);
  }
  return scratch->lane;
}

const uint64_t* ReadRow64(const Wave& wave, const Instruction& instruction, int source,
                          SourceKind kind, LaneRow64* scratch) {
  const uint32_t code = instruction.src[source];
  if (code >= kOperandVgprFirst) {
    const uint32_t number = code - kOperandVgprFirst;
    const uint32_t* low = wave.vgpr[number];
    const uint32_t* high = wave.vgpr[(number + 1) % kVgprs];
    LaneRow gathered_low, gathered_high;
    if (instruction.is_dpp && source == 0) {
      GatherDpp(wave, instruction, low, &gathered_low);
      GatherDpp(wave, instruction, high, &gathered_high);
      low = gathered_low.lane;
      high = gathered_high.lane;
    }
    for (int lane = 0; lane < kLanes; ++lane) {
      scratch->lane[lane] = low[lane] | static_cast<uint64_t>(high[lane]) << 32;
    }
  } else {
    const uint64_t value = ScalarValue64(wave, instruction, code, kind);
    for (uint64_t& lane : scratch->lane) lane = value;
  }
  const bool flush = FlushesSource(wave, kind);
  const bool abs = HasModifiers(kind) && (instruction.abs >> source & 1) != 0;
  const bool neg = HasModifiers(kind) && (instruction.neg >> source & 1) != 0;
  if (flush || abs || neg) ModifyRow<double>(flush, abs, neg, scratch->lane, scratch->lane);
  return scratch->lane;
}

void ExpandMask(uint64_t mask, LaneRow* row) {
  for (int half = 0; half < 2; ++half) {
    const uint32_t bits = static_cast<uint32_t>(mask >> 32 * half);
    for (int i = 0; i < kHalfLanes; ++i) row->lane[kHalfLanes * half + i] = bits & kLaneBits[i];
  }
}

uint64_t PackMask(const LaneRow& row) {
  uint64_t mask = 0;
  for (int lane = 0; lane < kLanes; lane += 4) {
    const __m128i four = _mm_load_si128(reinterpret_cast<const __m128i*>(row.lane + lane));
    const int bits = _mm_movemask_ps(_mm_castsi128_ps(_mm_slli_epi32(four, 31)));
    mask |= static_cast<uint64_t>(static_cast<uint32_t>(bits)) << lane;
  }
  return mask;
}

void StoreLanes(Wave& wave, uint32_t number, const uint32_t* value, uint64_t mask) {
  constexpr int kFewLanes = 16;  // up to here, going from lane to lane is faster than blending
  uint32_t* out = wave.vgpr[number];
  if (mask == ~uint64_t{0}) [[likely]] {
    std::memcpy(out, value, sizeof wave.vgpr[number]);
    return;
  }
  if (std::popcount(mask) <= kFewLanes) {
    ForEachLane(mask, [&](int lane) { out[lane] = value[lane]; });
    return;
  }
  for (int half = 0; half < 2; ++half) {
    const uint32_t bits = static_cast<uint32_t>(mask >> 32 * half);
    const int first = kHalfLanes * half;
    for (int i = 0; i < kHalfLanes; ++i) {
      const uint32_t take = (bits & kLaneBits[i]) != 0 ? ~0u : 0;
      out[first + i] = (value[first + i] & take) | (out[first + i] & ~take);
    }
  }
}

void StoreRow(Wave& wave, const Instruction& instruction, const LaneRow& value, uint64_t mask) {
  if (!instruction.is_sdwa) [[likely]] {
    StoreLanes(wave, instruction.dst, value.lane, mask);
    return;
  }
  uint32_t* out = wave.vgpr[instruction.dst];
  ForEachLane(mask,
              [&](int lane) { out[lane] = InsertBits(instruction, out[lane], value.lane[lane]); });
}

void StoreRow64(Wave& wave, const Instruction& instruction, const LaneRow64& value, uint64_t mask) {
  uint32_t* low = wave.vgpr[instruction.dst];
  uint32_t* high = wave.vgpr[(instruction.dst + 1) % kVgprs];
  ForEachLane(mask, [&](int lane) {
    low[lane] = static_cast<uint32_t>(value.lane[lane]);
    high[lane] = static_cast<uint32_t>(value.lane[lane] >> 32);
  });
}

void StoreHalfRow(Wave& wave, const Instruction& instruction, const LaneRow& value, uint64_t mask) {
  const bool to_high = instruction.op_sel >> 3 & 1;
  const uint32_t shift = to_high ? 16 : 0;
  const uint32_t keep = to_high ? 0x0000ffff : 0xffff0000;
  uint32_t* out = wave.vgpr[instruction.dst];
  ForEachLane(mask, [&](int lane) {
    out[lane] = (out[lane] & keep) | (value.lane[lane] & 0xffff) << shift;
  });
}

namespace {

// The result has no denormals and no negative zero.
template <class T>
BitsOf<T> ScaleOutput(T value, uint32_t omod) {
  constexpr float kFactor[] = {1.0f, 2.0f, 4.0f, 0.5f};
  const T scaled = static_cast<T>(value * static_cast<T>(kFactor[omod]));
  const BitsOf<T> bits = FlushBits<T>(ToBits(scaled));
  return bits == FloatLayout<T>::kSign ? 0 : bits;
}

template <class T>
T ClampOutput(T value, bool nan_to_zero) {
  if (value != value) return nan_to_zero ? T(0) : value;
  if (!(value > T(0))) return T(0);
  return value < T(1) ? value : T(1);
}

}  // namespace

// Output modifiers work only when denormal results are off and MODE.IEEE is not set; the hardware
// ignores them otherwise.
template <class T, class Row>
void FinishRow(const Wave& wave, const Instruction& instruction, Row* row) {
  constexpr uint32_t kDenormOut =
      std::is_same_v<T, float> ? kModeDenormOutSingle : kModeDenormOutHalfDouble;
  const bool flush = (wave.mode & kDenormOut) == 0;
  const uint32_t omod = flush && (wave.mode & kModeIeee) == 0 ? instruction.omod : 0;
  const bool nan_to_zero = (wave.mode & kModeDx10Clamp) != 0;
  for (auto& lane : row->lane) {
    BitsOf<T> bits = static_cast<BitsOf<T>>(lane);
    if (flush) bits = FlushBits<T>(bits);
    if (omod != 0) bits = ScaleOutput(FromBits<T>(bits), omod);
    if (instruction.clamp) bits = ToBits(ClampOutput(FromBits<T>(bits), nan_to_zero));
    lane = bits;
  }
}

template void FinishRow<Half, LaneRow>(const Wave&, const Instruction&, LaneRow*);
template void FinishRow<float, LaneRow>(const Wave&, const Instruction&, LaneRow*);
template void FinishRow<double, LaneRow64>(const Wave&, const Instruction&, LaneRow64*);

void ScopedRounding::Change(uint32_t round) {
  constexpr uint32_t kControlMask = 0x6000;
  constexpr uint32_t kHostControl[] = {0x0000, 0x4000, 0x2000, 0x6000};  // nearest, up, down, zero
  old_control_ = _mm_getcsr();
  changed_ = true;
  _mm_setcsr((old_control_ & ~kControlMask) | kHostControl[round]);
}

void ScopedRounding::Restore() { _mm_setcsr(old_control_); }

}  // namespace vgpu::valu
