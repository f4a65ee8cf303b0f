// SPDX-License-Identifier: MIT
// copy_arguments.h: copies the arguments of a call into a record. The functions are inline, because
// a function call would be a noticeable part of the cost of a recorded call.
//
// Threads    any
// Blocking   never
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "capture/hip/hip_layout.h"
#include "model/records.h"

namespace rtl::capture {

struct CopiedArguments {
  uint32_t bytes;  // size of slots and texts together
  uint16_t slots;
  uint16_t flags;  // kApiFlag…
};

// The general form of CopyArguments, for calls with texts.
CopiedArguments CopyWithTexts(const CopyStep* steps, const CallLayout& call, const uint8_t* data,
                              bool outputs, uint8_t* out, size_t capacity);

template <typename Wide, typename Narrow>
uint64_t Load(const uint8_t* at) {
  Narrow value;
  memcpy(&value, at, sizeof value);
  return static_cast<uint64_t>(static_cast<Wide>(value));
}

[[gnu::always_inline]] inline uint64_t LoadOne(Copy copy, const uint8_t* at) {
  switch (copy) {
    case Copy::k8:
    case Copy::kOut8:
      return Load<uint64_t, uint8_t>(at);
    case Copy::k8Signed:
      return Load<int64_t, int8_t>(at);
    case Copy::k16:
    case Copy::kOut16:
      return Load<uint64_t, uint16_t>(at);
    case Copy::k16Signed:
      return Load<int64_t, int16_t>(at);
    case Copy::k32:
    case Copy::kOut32:
      return Load<uint64_t, uint32_t>(at);
    case Copy::k32Signed:
    case Copy::kOut32Signed:
      return Load<int64_t, int32_t>(at);
    default:
      return Load<uint64_t, uint64_t>(at);
  }
}

// Adds the slots of an argument that is not a text.
template <typename Add>
[[gnu::always_inline]] inline void CopyOne(const CopyStep& step, const uint8_t* at, bool outputs,
                                           Add add) {
  if (step.copy == Copy::k64) [[likely]] {
    add(LoadOne(Copy::k64, at));
  } else if (step.copy == Copy::kDim3) {
    add(LoadOne(Copy::k64, at));
    add(LoadOne(Copy::k32, at + 8));
  } else if (step.copy >= Copy::kOut8) {
    const uint64_t pointer = LoadOne(Copy::k64, at);
    add(pointer);
    const bool there = outputs && pointer != 0;
    add(there ? LoadOne(step.copy, reinterpret_cast<const uint8_t*>(pointer)) : 0);
  } else if (step.copy != Copy::kSkip) {
    add(LoadOne(step.copy, at));
  }
}

// Copies the arguments at `data` into `out`, which has room for `capacity` bytes, enough for the
// slots of any call. `outputs`: the call has succeeded, so its output arguments can be read. HOT:
// once per recorded call. Calls no function, unless there is a text.
[[gnu::always_inline]] inline CopiedArguments CopyArguments(const CopyStep* steps,
                                                            const CallLayout& call,
                                                            const uint8_t* data, bool outputs,
                                                            uint8_t* out, size_t capacity) {
  const CopyStep* const end = steps + call.first_step + call.steps;
  uint8_t* slot = out;
  for (const CopyStep* step = steps + call.first_step; step != end; ++step) {
    if (step->copy == Copy::kText) [[unlikely]]
      return CopyWithTexts(steps, call, data, outputs, out, capacity);
    CopyOne(*step, data + step->offset, outputs, [&](uint64_t value) {
      memcpy(slot, &value, sizeof value);
      slot += sizeof value;
    });
  }
  const uint16_t flags = outputs ? kApiFlagOutputs : 0;
  return {call.slots * 8u, call.slots, flags};
}

}  // namespace rtl::capture
