// SPDX-License-Identifier: MIT
// hip_layout.h: where each version of HIP leaves the arguments of a call that it reports, and how
// they get from there into a record. The tables are made from spec/api/hip by tools/gen_api.py.
//
// Threads    constant tables and pure functions
// Blocking   never
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace rtl::capture {

// How one argument is read. Of kOut… the value behind the pointer is read as well.
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
  uint8_t words = 0;  // of eight bytes: of what is skipped
};

struct CallLayout {
  const char* name;
  uint16_t number;  // model/api_calls.h
  uint16_t first_step;
  uint8_t steps;
  uint8_t slots;
};

struct HipLayout {
  uint32_t major, minor;
  uint32_t data_bytes;     // of HIP's data of a call, the largest
  uint32_t table_entries;  // of the dispatch table that it registers; zero: it has none
  const CopyStep* steps;
  const CallLayout* calls;  // by name
  size_t count;
};

// Null when this version is not described: nothing may be read by guessing.
const HipLayout* FindHipLayout(uint32_t major, uint32_t minor);
// For what the ABI says of a function, which no minor version may change: the description of this
// version, or of the next one of the same major version, or else of the last before it.
const HipLayout* FindHipAbi(uint32_t major, uint32_t minor);
// Null when this version has no such call.
const CallLayout* FindCall(const HipLayout& layout, const char* name);

inline constexpr size_t kMaxCallText = 256;  // bytes of one text; longer ones are cut

struct CopiedArguments {
  uint32_t bytes;  // slots and texts
  uint16_t slots;
  uint16_t flags;  // kApiFlag…
};
// Copies the arguments that lie at `data` into `out`, which has room for `capacity` bytes, enough
// for the slots of any call. `outputs`: the call has succeeded, so that what it was to fill in is
// there to be read.
CopiedArguments CopyArguments(const CopyStep* steps, const CallLayout& call, const uint8_t* data,
                              bool outputs, uint8_t* out, size_t capacity);

}  // namespace rtl::capture
