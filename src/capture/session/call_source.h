// SPDX-License-Identifier: MIT
// call_source.h: what records the calls of a library that stands above the HSA runtime: HIP, RCCL.
// The session tells a source what happens to the runtime and to the trace; the libraries' own
// wrappers reach the source without the session (capture/sources).
//
// Threads    the session's lock is held, but in DisarmInChild
// Memory     lives as long as the process
#pragma once

namespace rtl::capture {

class CallSource {
 public:
  // Kernels and copies are to be linked with calls of this source, which this party records.
  virtual bool LinksKernels(bool trace, bool tools) {
    (void)trace, (void)tools;
    return false;
  }
  // A runtime is about to be hooked for the trace. True: the source records its kernels, too, and
  // the runtime is not hooked.
  virtual bool ReplacesHooks() { return false; }
  // True: it records without a hooked runtime.
  virtual bool RecordsAlone() const { return false; }
  // A runtime is hooked now, or is used for the first time. Its library may be loaded meanwhile.
  virtual void RuntimeReady() {}
  // How it sees calls: "HIP 7.2 by preload, tracer"; empty: it sees none.
  virtual const char* description() const { return ""; }
  // The process ends: the last chance for a complaint.
  virtual void Finish() {}
  // The trace begins no new calls.
  virtual void Stop() = 0;
  // In the child of a fork; async-signal-safe. The child is not traced: its calls are counted in
  // the parent's trace.
  virtual void DisarmInChild() = 0;
  // The child opens a trace of its own at its first call.
  virtual void BeginAnewInChild() = 0;

 protected:
  ~CallSource() = default;  // never deleted through this interface
};

}  // namespace rtl::capture
