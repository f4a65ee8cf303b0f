// SPDX-License-Identifier: MIT
#include "device/kernel_descriptor.h"

#include <string.h>

namespace rtl {
namespace {

// Both layouts keep the program resource registers at the same place.
constexpr size_t kRsrc1Offset = 48;
constexpr size_t kPropertiesOffset = 56;

// 64-byte kernel descriptor.
constexpr size_t kGroupSegmentOffset = 0;
constexpr size_t kPrivateSegmentOffset = 4;
constexpr size_t kKernargOffset = 8;
constexpr uint16_t kWave32Property = 1u << 10;

// amd_kernel_code_t.
constexpr size_t kVersionMajorOffset = 0;
constexpr size_t kMachineKindOffset = 8;
constexpr size_t kMachineMajorOffset = 10;
constexpr size_t kOldPrivateSegmentOffset = 60;
constexpr size_t kOldGroupSegmentOffset = 64;
constexpr size_t kOldKernargOffset = 72;
constexpr size_t kOldBytesNeeded = 80;
constexpr uint16_t kMachineKindAmdgpu = 1;

constexpr uint32_t kSgprsFromGfx10On = 128;

template <typename T>
T Load(const void* bytes, size_t offset) {
  T value;
  memcpy(&value, static_cast<const char*>(bytes) + offset, sizeof value);
  return value;
}

uint32_t RoundUp(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit * unit; }

bool HexDigit(char c, uint32_t* out) {
  static constexpr char kDigits[] = "0123456789abcdef";
  const char* const digit = c == '\0' ? nullptr : strchr(kDigits, c);
  if (digit == nullptr) return false;
  *out = static_cast<uint32_t>(digit - kDigits);
  return true;
}

// A version 2 object begins with its own version and its target machine. Read as a 64-byte
// descriptor, the same words would mean one byte of LDS and half a megabyte of arguments.
bool IsKernelCode(const void* bytes) {
  if (Load<uint32_t>(bytes, kVersionMajorOffset) != 1) return false;
  if (Load<uint16_t>(bytes, kMachineKindOffset) != kMachineKindAmdgpu) return false;
  const uint16_t machine = Load<uint16_t>(bytes, kMachineMajorOffset);
  return machine >= 6 && machine <= 10;
}

// Vector and accumulation registers share one file of 512 and are counted in units of eight.
bool HasUnifiedRegisterFile(const GfxVersion& gfx) {
  return gfx.major == 9 && (gfx.minor >= 4 || (gfx.minor == 0 && gfx.stepping == 10));
}

uint32_t VgprUnit(const GfxVersion& gfx, bool wave32) {
  if (gfx.major <= 9) return HasUnifiedRegisterFile(gfx) ? 8 : 4;
  const bool has_1024_registers = gfx.major == 12 && gfx.minor >= 5;
  const uint32_t unit = has_1024_registers ? 8 : 4;
  return wave32 ? unit * 2 : unit;
}

}  // namespace

bool ParseGfxName(const char* name, GfxVersion* out) {
  const char* digits = strstr(name, "gfx");
  if (digits == nullptr) return false;
  digits += strlen("gfx");
  size_t count = 0;
  uint32_t ignored = 0;
  while (HexDigit(digits[count], &ignored)) ++count;
  const char end = digits[count];
  if (count < 3 || count > 5 || (end != '\0' && end != ':' && end != ' ')) return false;
  GfxVersion parsed;
  for (size_t i = 0; i + 2 < count; ++i) {
    uint32_t digit = 0;
    if (!HexDigit(digits[i], &digit) || digit > 9) return false;
    parsed.major = parsed.major * 10 + digit;
  }
  if (!HexDigit(digits[count - 2], &parsed.minor)) return false;
  if (!HexDigit(digits[count - 1], &parsed.stepping)) return false;
  *out = parsed;
  return true;
}

bool DecodeKernelDescriptor(const void* bytes, size_t size, const GfxVersion& gfx,
                            KernelResources* out) {
  if (size < kKernelDescriptorBytes || gfx.major < 6 || gfx.major > 12) return false;
  const bool old_layout = IsKernelCode(bytes);
  if (old_layout && size < kOldBytesNeeded) return false;

  const bool wave32 = !old_layout && gfx.major >= 10 &&
                      (Load<uint16_t>(bytes, kPropertiesOffset) & kWave32Property) != 0;
  const uint32_t rsrc1 = Load<uint32_t>(bytes, kRsrc1Offset);
  const uint32_t vgpr_units = (rsrc1 & 0x3f) + 1;
  const uint32_t sgpr_units = (rsrc1 >> 6 & 0xf) + 1;

  out->vgprs = vgpr_units * VgprUnit(gfx, wave32);
  // The descriptor counts in units of eight. From gfx8 on the hardware allocates units of sixteen.
  out->sgprs =
      gfx.major >= 10 ? kSgprsFromGfx10On : RoundUp(sgpr_units * 8, gfx.major >= 8 ? 16 : 8);
  if (old_layout) {
    out->group_segment = Load<uint32_t>(bytes, kOldGroupSegmentOffset);
    out->private_segment = Load<uint32_t>(bytes, kOldPrivateSegmentOffset);
    out->kernarg_segment = static_cast<uint32_t>(Load<uint64_t>(bytes, kOldKernargOffset));
  } else {
    out->group_segment = Load<uint32_t>(bytes, kGroupSegmentOffset);
    out->private_segment = Load<uint32_t>(bytes, kPrivateSegmentOffset);
    out->kernarg_segment = Load<uint32_t>(bytes, kKernargOffset);
  }
  return true;
}

}  // namespace rtl
