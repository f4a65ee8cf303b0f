// SPDX-License-Identifier: MIT
// hip_layout.h: the location of a call's arguments in each version of HIP, and their conversion
// into a record. tools/gen_api.py makes the tables from spec/api/hip.
//
// Threads    constant tables and pure functions
// Blocking   never
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace rtl::capture {

// How one argument is read. For kOut… the value to which the argument points is read as well.
enum class Copy : uint8_t {
  kSkip,
  k8,
  k8Signed,
  k16,
  k16Signed,
  k32,
  k32Signed,
  k64,
  kDim3,
  kText,
  kOut8,
  kOut16,
  kOut32,
  kOut32Signed,
  kOut64,
};

struct CopyStep {
  uint16_t offset;  // from the start of the data that HIP keeps of the call
  Copy copy;
  uint8_t words = 0;  // for kSkip: the size of the argument in eight-byte words
};

struct CallLayout {
  const char* name;
  uint16_t number;  // number of the call (model/api_calls.h)
  uint16_t first_step;
  uint8_t steps;
  uint8_t slots;
  bool launches = false;  // the call launches one kernel, and returns when the kernel is submitted
};

struct HipLayout {
  uint32_t major, minor;
  // size of the largest data that HIP keeps of a call; zero: HIP's data is not described
  uint32_t data_bytes;
  // number of entries in the dispatch table that HIP registers; zero: no table
  uint32_t table_entries;
  const CopyStep* steps;
  const CallLayout* calls;  // sorted by name
  size_t count;
};

// Returns null if this version is not described, because the layout of an unknown version must not
// be guessed.
const HipLayout* FindHipLayout(uint32_t major, uint32_t minor);
// For properties that the ABI fixes and no minor version may change. Returns the description of
// this version, or else of the next described one with the same major version, or else of the last
// one before it.
const HipLayout* FindHipAbi(uint32_t major, uint32_t minor);
// Returns null if this version has no such call.
const CallLayout* FindCall(const HipLayout& layout, const char* name);

inline constexpr size_t kMaxCallText = 256;  // most bytes of one text; longer texts are truncated

}  // namespace rtl::capture
