// SPDX-License-Identifier: MIT
#include "model/hsa_calls.h"

namespace rtl {
namespace {

#include "model/hsa_calls.inc"

constexpr uint32_t kCount = sizeof kHsaCalls / sizeof *kHsaCalls;
static_assert(sizeof kHsaResults / sizeof *kHsaResults == kCount);

}  // namespace

const ApiCall* FindHsaCall(uint32_t operation) {
  return operation < kCount ? &kHsaCalls[operation] : nullptr;
}

const ApiArg* HsaArgs(const ApiCall& call) { return kHsaArgs + call.first_arg; }

HsaResult HsaResultOf(uint32_t operation) {
  return operation < kCount ? kHsaResults[operation] : HsaResult::kNone;
}

}  // namespace rtl
