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

// How one argument is read. For kOut… the value behind the pointer is read as well.
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
  uint16_t offset;  // from the start of HIP's data of the call
  Copy copy;
  uint8_t words = 0;  // for kSkip: the size in eight-byte words
};

struct CallLayout {
  const char* name;
  uint16_t number;  // model/api_calls.h
  uint16_t first_step;
  uint8_t steps;
  uint8_t slots;
  bool launches = false;  // one kernel, and returns when it is submitted
};

struct HipLayout {
  uint32_t major, minor;
  uint32_t data_bytes;  // of HIP's data of a call, the largest; zero: HIP's data is not described
  uint32_t table_entries;  // of the dispatch table that HIP registers; zero: none
  const CopyStep* steps;
  const CallLayout* calls;  // by name
  size_t count;
};

// Null when this version is not described: nothing may be guessed.
const HipLayout* FindHipLayout(uint32_t major, uint32_t minor);
// For properties that the ABI fixes and no minor version may change: the description of this
// version, or of the next one of the same major version, or else of the last before it.
const HipLayout* FindHipAbi(uint32_t major, uint32_t minor);
// Null when this version has no such call.
const CallLayout* FindCall(const HipLayout& layout, const char* name);

inline constexpr size_t kMaxCallText = 256;  // bytes of one text; longer ones are truncated

}  // namespace rtl::capture
