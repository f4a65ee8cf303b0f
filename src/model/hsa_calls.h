// SPDX-License-Identifier: MIT
// hsa_calls.h: the functions of HSA by operation, which is their index in hsa_functions.inc: names,
// arguments and result types. Arguments travel as those of HIP (api_calls.h). Made from
// spec/api/hsa by tools/gen_sdk_hsa.py.
#pragma once

#include <string_view>

#include "model/api_calls.h"

namespace rtl {

enum class HsaResult : uint8_t { kNone, kStatus, kUnsigned, kSigned };

// Null when there is no such operation.
const ApiCall* FindHsaCall(uint32_t operation);
// The arguments of `call`: `call.args` of them.
const ApiArg* HsaArgs(const ApiCall& call);
HsaResult HsaResultOf(uint32_t operation);

// Whether an hsa_status_t means failure. HSA_STATUS_INFO_BREAK is no error.
constexpr bool IsHsaError(uint64_t status) { return status >= 0x1000; }

}  // namespace rtl
