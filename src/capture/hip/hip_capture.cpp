// SPDX-License-Identifier: MIT
#include "capture/hip/hip_capture.h"

#include <stdio.h>
#include <string.h>

#include "base/thread_state.h"
#include "model/records.h"

namespace rtl::capture {

constinit HipCapture* HipCapture::installed_ = nullptr;

bool HipCapture::ShouldOpen() { return !tried_ && library_.Find(); }

Status HipCapture::Open(const HipCalls::Services& services) {
  tried_ = true;
  services_ = services;
  layout_ = FindHipLayout(library_.major(), library_.minor());
  if (layout_ == nullptr) {
    return Status::Error("HIP %u.%u is not one of the versions whose calls are described",
                         library_.major(), library_.minor());
  }
  last_error_ = reinterpret_cast<int32_t (*)()>(library_.Symbol("hipPeekAtLastError"));
  clears_error_ = FindCall(*layout_, "hipGetLastError");
  installed_ = this;
  RTL_TRY(OpenActivityDoor(*layout_));
  open_ = true;
  return Status::Ok();
}

void HipCapture::Rearm(const HipCalls::Services& services) {
  if (open_) calls_.Arm(services, layout_->steps);
}

// Learns which number HIP has given to which call. How many there are.
uint32_t HipCapture::NumberCalls(const HipLayout& layout, const char* (*name_of)(uint32_t id)) {
  uint32_t known = 0;
  for (uint32_t id = 1; id < kMaxIds; ++id) {
    const char* const name = name_of(id);
    if (name == nullptr || strcmp(name, "unknown") == 0) continue;
    ++known;
    Numbered& numbered = numbered_[id];
    numbered.layout = FindCall(layout, name);
    if (numbered.layout != nullptr) {
      numbered.api = numbered.layout->number;
      continue;
    }
    numbered.api = kFirstUnknownApi + id;
    ApiNameRecord record;
    record.head.type = RecordType::kApiName;
    record.head.thread = ThreadId::Current();
    record.api = numbered.api;
    record.text_bytes = static_cast<uint32_t>(strnlen(name, kMaxCallText));
    // Without room for it the call appears by its number.
    (void)services_.sink->Write(&record, sizeof record, name, record.text_bytes);
  }
  return known;
}

// HOT: HIP calls this at both ends of a call. At the beginning `argument` is null, and it wants the
// place where it may leave the call's arguments; null: none, and there is no call at the end.
void* HipCapture::OnActivity(uint32_t id, void*, const void*, void* argument) {
  HipCapture& self = *installed_;
  if (argument == nullptr) {
    const Numbered& numbered = self.numbered_[id < kMaxIds ? id : 0];
    ThreadCalls* const calls = self.calls_.Enter(numbered.api, numbered.layout);
    if (calls == nullptr) return nullptr;
    if (numbered.layout != nullptr && numbered.layout == self.clears_error_) {
      calls->result = self.LastError();
      calls->result_known = true;
    }
    return calls->data;
  }
  ThreadCalls* const calls = OpenCall::Calls();
  if (calls == nullptr || calls->correlation == 0) return nullptr;
  const uint64_t end = self.calls_.Now();
  const int32_t result = calls->result_known ? calls->result : self.LastError();
  self.calls_.ExitAt(end, calls, calls->data, result, self.last_error_ != nullptr);
  return nullptr;
}

Status HipCapture::OpenActivityDoor(const HipLayout& layout) {
  using Register = int32_t (*)(uint32_t id, void* function, void* argument);
  constexpr char kDoor[] = "hipRegisterActivityCallback";
  const auto add = reinterpret_cast<Register>(library_.Symbol(kDoor));
  const auto name_of = reinterpret_cast<const char* (*)(uint32_t)>(library_.Symbol("hipApiName"));
  if (add == nullptr || name_of == nullptr) return Status::Error("this HIP has no %s", kDoor);
  if (layout.data_bytes > ThreadCalls::kDataBytes) {
    return Status::Error("this HIP's calls need %u bytes of room", layout.data_bytes);
  }
  const uint32_t known = NumberCalls(layout, name_of);
  (void)snprintf(description_, sizeof description_, "HIP %u.%u by %s", library_.major(),
                 library_.minor(), kDoor);
  calls_.Arm(services_, layout.steps);
  uint32_t added = 0;
  for (uint32_t id = 1; id < kMaxIds; ++id) {
    if (numbered_[id].api == 0) continue;
    if (add(id, reinterpret_cast<void*>(&OnActivity), this) == 0) ++added;
  }
  if (added == known && added != 0) return Status::Ok();
  calls_.Disarm();
  description_[0] = '\0';
  return Status::Error("%s took only %u of %u calls", kDoor, added, known);
}

}  // namespace rtl::capture
