// SPDX-License-Identifier: MIT
// hip_capture.h: opens the best door to the HIP API of this process, and closes it. The doors:
//
//   door       function of HIP               versions  sees
//   activity   hipRegisterActivityCallback   to 5.2    every call that HIP numbers
//
// Threads    Open, Disarm: one at a time (the session sees to it)
// Blocking   Open: takes the loader's and HIP's locks
// Memory     leaked on purpose: calls may be under way
// Errors     Open says why there is no door; nothing is registered then
// Why        docs/adr/0025-hip-doors.md
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <atomic>

#include "base/status.h"
#include "capture/hip/hip_calls.h"
#include "capture/hip/hip_library.h"
#include "model/record_sink.h"

namespace rtl::capture {

class HipCapture {
 public:
  constexpr HipCapture() = default;
  HipCapture(const HipCapture&) = delete;
  HipCapture& operator=(const HipCapture&) = delete;

  // True when HIP is loaded here and Open has not been tried on it.
  bool ShouldOpen();
  Status Open(const HipCalls::Services& services);
  void Disarm() { calls_.Disarm(); }
  // Of an open door: records again, for a runtime that came again.
  void Rearm(const HipCalls::Services& services);

  bool open() const { return open_; }
  // "HIP 5.2 by hipRegisterActivityCallback"; empty while there is no door.
  const char* description() const { return description_; }

 private:
  // The call that HIP numbers so.
  struct Numbered {
    uint32_t api = 0;
    const CallLayout* layout = nullptr;
  };
  static constexpr uint32_t kMaxIds = 1024;

  Status OpenActivityDoor(const HipLayout& layout);
  uint32_t NumberCalls(const HipLayout& layout, const char* (*name_of)(uint32_t id));
  int32_t LastError() const { return last_error_ == nullptr ? 0 : last_error_(); }
  static void* OnActivity(uint32_t id, void* record, const void* data, void* argument);

  static HipCapture* installed_;  // what callbacks work on; they carry nothing of their own

  bool tried_ = false;
  bool open_ = false;
  HipLibrary library_;
  HipCalls calls_;
  HipCalls::Services services_;
  const HipLayout* layout_ = nullptr;
  int32_t (*last_error_)() = nullptr;  // reads it and leaves it
  const CallLayout* clears_error_ = nullptr;
  char description_[48] = {};
  Numbered numbered_[kMaxIds];
};

}  // namespace rtl::capture
