// SPDX-License-Identifier: MIT
#include "capture/hip/hip_layout.h"

#include <string.h>

#include "model/api_calls.h"
#include "model/records.h"

namespace rtl::capture {
namespace {

#include "capture/hip/hip_layouts.inc"

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

// Adds the slots of an argument that is no text.
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

// Writes slots and texts; all texts follow the slots.
class Payload {
 public:
  Payload(uint8_t* out, size_t capacity, uint32_t slots)
      : slot_(out), begin_(out), text_(out + slots * 8), end_(out + capacity) {}

  void Add(uint64_t value) {
    memcpy(slot_, &value, sizeof value);
    slot_ += sizeof value;
  }

  void AddText(const char* text) {
    if (text == nullptr) return Add(kNullText);
    const size_t room = static_cast<size_t>(end_ - text_);
    const size_t most = room < kMaxCallText ? room : kMaxCallText;
    size_t length = strnlen(text, most + 1);
    if (length > most) {
      length = most;
      flags_ |= kApiFlagTruncated;
    }
    memcpy(text_, text, length);
    text_ += length;
    Add(length);
  }

  uint16_t flags() const { return flags_; }
  uint32_t bytes() const { return static_cast<uint32_t>(text_ - begin_); }

 private:
  uint8_t* slot_;
  uint8_t* const begin_;
  uint8_t* text_;
  uint8_t* const end_;
  uint16_t flags_ = 0;
};

}  // namespace

const HipLayout* FindHipLayout(uint32_t major, uint32_t minor) {
  for (const HipLayout& layout : kLayouts) {
    if (layout.major == major && layout.minor == minor) return &layout;
  }
  return nullptr;
}

const HipLayout* FindHipAbi(uint32_t major, uint32_t minor) {
  const HipLayout* best = nullptr;
  for (const HipLayout& layout : kLayouts) {
    if (layout.major != major) continue;
    if (best == nullptr || best->minor < minor) best = &layout;
  }
  return best;
}

const CallLayout* FindCall(const HipLayout& layout, const char* name) {
  size_t low = 0;
  size_t high = layout.count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    const int order = strcmp(layout.calls[middle].name, name);
    if (order == 0) return &layout.calls[middle];
    if (order < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return nullptr;
}

[[gnu::noinline]] static CopiedArguments CopyWithTexts(const CopyStep* steps,
                                                       const CallLayout& call, const uint8_t* data,
                                                       bool outputs, uint8_t* out,
                                                       size_t capacity) {
  Payload payload(out, capacity, call.slots);
  const CopyStep* const end = steps + call.first_step + call.steps;
  for (const CopyStep* step = steps + call.first_step; step != end; ++step) {
    const uint8_t* const at = data + step->offset;
    if (step->copy == Copy::kText) {
      payload.AddText(reinterpret_cast<const char*>(LoadOne(Copy::k64, at)));
    } else {
      CopyOne(*step, at, outputs, [&](uint64_t value) { payload.Add(value); });
    }
  }
  const uint16_t flags = payload.flags() | (outputs ? kApiFlagOutputs : 0);
  return {payload.bytes(), call.slots, flags};
}

// HOT: once per recorded call. Calls nothing, unless there is a text.
CopiedArguments CopyArguments(const CopyStep* steps, const CallLayout& call, const uint8_t* data,
                              bool outputs, uint8_t* out, size_t capacity) {
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
