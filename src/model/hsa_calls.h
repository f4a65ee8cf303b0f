// SPDX-License-Identifier: MIT
// hsa_calls.h: describes the functions of HSA: their names, arguments and result types. An
// operation is the index of a function in hsa_functions.inc. Arguments are stored like those of HIP
// (api_calls.h). The tables are made from spec/api/hsa by tools/gen_sdk_hsa.py.
#pragma once

#include <string_view>

#include "model/api_calls.h"

namespace rtl {

enum class HsaResult : uint8_t { kNone, kStatus, kUnsigned, kSigned };

// Returns null if there is no such operation.
const ApiCall* FindHsaCall(uint32_t operation);
// The arguments of `call`, an array of `call.args` elements.
const ApiArg* HsaArgs(const ApiCall& call);
HsaResult HsaResultOf(uint32_t operation);

// True if the hsa_status_t means failure. HSA_STATUS_INFO_BREAK is no failure.
constexpr bool IsHsaError(uint64_t status) { return status >= 0x1000; }

}  // namespace rtl
