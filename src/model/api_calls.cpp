// SPDX-License-Identifier: MIT
#include "model/api_calls.h"

namespace rtl {
namespace {

struct Enumerator {
  int64_t value;
  const char* name;
};

struct EnumInfo {
  const char* name;
  const Enumerator* items;  // sorted by value
  size_t count;
};

#include "model/hip_calls.inc"

}  // namespace

const ApiCall* FindApiCall(uint32_t number) {
  const size_t count = sizeof kCalls / sizeof *kCalls;
  return number == 0 || number > count ? nullptr : &kCalls[number - 1];
}

const ApiArg* ApiArgs(const ApiCall& call) { return kArgs + call.first_arg; }

const char* EnumeratorName(uint8_t enumeration, int64_t value) {
  if (enumeration >= sizeof kEnums / sizeof *kEnums) return nullptr;
  const EnumInfo& info = kEnums[enumeration];
  size_t low = 0;
  size_t high = info.count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (info.items[middle].value < value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < info.count && info.items[low].value == value ? info.items[low].name : nullptr;
}

const char* HipErrorName(int32_t value) { return EnumeratorName(kErrorEnum, value); }

}  // namespace rtl
