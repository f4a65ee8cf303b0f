// SPDX-License-Identifier: MIT
// hip_capture.h: opens the best door to the HIP API of this process, and closes it. The doors:
//
//   door       function of HIP               versions      sees
//   tracer     hipRegisterTracerCallback     from 5.3 on   every call that HIP numbers
//   activity   hipRegisterActivityCallback   to 5.2        every call that HIP numbers; only when
//                                                          asked for: with it, HIP 5.2 hangs in
//                                                          programs that use stream callbacks
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

#include "base/config.h"
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
  Status Open(const HipCalls::Services& services, HipDoor wish);
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

  // What HIP makes of a call for a tracer: its data, and behind them this.
  struct TracerTail;

  Status OpenDoor(HipDoor wish);
  Status OpenTracerDoor();
  Status OpenActivityDoor();
  Status NumberCalls(uint32_t* known);
  void SayWhichDoor(const char* function);
  bool IsQuery(const CallLayout* layout) const;
  ThreadCalls* Begin(uint32_t id);
  void End(ThreadCalls* calls, const uint8_t* data);
  static void* OnActivity(uint32_t id, void* record, const void* data, void* argument);
  static int OnTracer(uint32_t domain, uint32_t id, void* data);
  static void OnTracerEnter(uint32_t, void*) {}
  static void OnTracerExit(uint32_t id, void* data);

  static HipCapture* installed_;  // what callbacks work on; they carry nothing of their own

  bool tried_ = false;
  bool open_ = false;
  HipLibrary library_;
  HipCalls calls_;
  HipCalls::Services services_;
  const HipLayout* layout_ = nullptr;
  int32_t (*last_error_)() = nullptr;  // reads it and leaves it
  bool errors_stay_ = false;           // a call that succeeds leaves the last error as it is
  const CallLayout* clears_error_ = nullptr;
  const CallLayout* queries_[2] = {};
  char description_[48] = {};
  Numbered numbered_[kMaxIds];
};

}  // namespace rtl::capture
