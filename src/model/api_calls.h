// SPDX-License-Identifier: MIT
// api_calls.h: describes the calls that a trace can hold, by number: their names, their arguments,
// and how an argument is stored in an ApiCallRecord. The tables are made from spec/api by
// tools/gen_api.py.
//
//   form           slots  content
//   kPointer       1      the address
//   kSigned …      1      the value, sign-extended; kFloat: the bits of a float
//   kEnum          1      the value; `enumeration` names it
//   kDim3          2      x | y << 32, z
//   kStruct        0      not recorded
//   kText          1      bytes of the text, which follows all slots; UINT64_MAX: it was null
//   kOut…          2      the address, and the value there after the call succeeded
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace rtl {

enum class ArgForm : uint8_t {
  kPointer,
  kSigned,
  kUnsigned,
  kFloat,
  kDouble,
  kEnum,
  kDim3,
  kStruct,
  kText,
  kOutPointer,
  kOutSigned,
  kOutUnsigned,
  kOutFloat,
};

constexpr uint32_t SlotsOf(ArgForm form) {
  if (form == ArgForm::kStruct) return 0;
  return form == ArgForm::kDim3 || form >= ArgForm::kOutPointer ? 2 : 1;
}

struct ApiArg {
  const char* name;
  ArgForm form;
  uint8_t enumeration;
};

struct ApiCall {
  const char* name;
  uint16_t first_arg;
  uint8_t args;
  uint8_t slots;
};

// Returns null if no call has this number.
const ApiCall* FindApiCall(uint32_t number);
// The arguments of `call`, an array of `call.args` elements.
const ApiArg* ApiArgs(const ApiCall& call);
// For example "hipMemcpyHostToDevice"; null if the value has no name.
const char* EnumeratorName(uint8_t enumeration, int64_t value);
// For example "hipErrorOutOfMemory"; null if the value has no name.
const char* HipErrorName(int32_t value);

inline constexpr uint64_t kNullText = UINT64_MAX;

}  // namespace rtl
