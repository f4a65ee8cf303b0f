// SPDX-License-Identifier: MIT
// api_text.h: writes the arguments of an API call as readable text.
//
//   hipMemcpy   dst=0x7f0000001000, src=0x55d0c0de0000, sizeBytes=4096, kind=hipMemcpyHostToDevice
//   hipMalloc   ptr=0x7ffd0000 -> 0x7f0000001000, size=4096
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/api_calls.h"
#include "model/records.h"

namespace rtl::store {

// A flag in ApiCallRecord::flags and EventRecord::flags, like kApiFlag… of model/records.h: the
// text of the record is the arguments in readable form. Calls in imported traces of other tools
// have it; no traced process sets it.
inline constexpr uint16_t kApiFlagText = 1u << 15;

// For example "0x7f0000001000".
std::string Hex(uint64_t value);

// The checked arguments of one record. If the payload does not fit the call, there are no
// arguments.
class ApiArguments {
 public:
  // `payload`: the text of the record, which must outlive this object.
  ApiArguments(const ApiCallRecord& record, std::string_view payload);
  // For a call of any API. `args`: its arguments; `flags`: bits kApiFlag….
  ApiArguments(const ApiCall* call, const ApiArg* args, uint16_t flags, uint16_t slots,
               std::string_view payload);

  // Null if the call is not known, or if its payload is invalid.
  const ApiCall* call() const { return call_; }
  // Finds the argument with this name and its first slot. False if there is none.
  bool Find(std::string_view name, const ApiArg** argument, uint32_t* slot) const;
  uint64_t Slot(uint32_t slot) const;
  std::string Text() const;

 private:
  void AppendValue(const ApiArg& argument, uint32_t slot, size_t* text_at, std::string* out) const;

  const ApiCall* call_ = nullptr;
  const ApiArg* args_ = nullptr;
  bool outputs_ = false;
  bool truncated_ = false;
  std::string_view slots_;
  std::string_view texts_;
};

}  // namespace rtl::store
