// SPDX-License-Identifier: MIT
#include "capture/hip/hip_layout.h"

#include <string.h>

#include "capture/hip/copy_arguments.h"
#include "model/api_calls.h"
#include "model/records.h"

namespace rtl::capture {
namespace {

#include "capture/hip/hip_layouts.inc"

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

[[gnu::noinline]] CopiedArguments CopyWithTexts(const CopyStep* steps, const CallLayout& call,
                                                const uint8_t* data, bool outputs, uint8_t* out,
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

}  // namespace rtl::capture
