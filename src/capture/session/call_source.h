// SPDX-License-Identifier: MIT
// call_source.h: the interface of a source that records the calls of a library above the HSA
// runtime: HIP, RCCL. The session reports to a source what happens to the runtime and to the trace.
// The wrappers of the library call the source without the session (capture/sources).
//
// Threads    under the session's lock, except DisarmInChild
// Memory     lives as long as the process
#pragma once

namespace rtl::capture {

class CallSource {
 public:
  // True if kernels and copies are to be linked to calls of this source, because it records calls
  // for one of the given parties.
  virtual bool LinksKernels(bool trace, bool tools) {
    (void)trace, (void)tools;
    return false;
  }
  // Called before a runtime is hooked for the trace. True if the source itself records the kernels
  // of this runtime, so that the runtime is not hooked.
  virtual bool ReplacesHooks() { return false; }
  // True if the source records even if no runtime is hooked.
  virtual bool RecordsAlone() const { return false; }
  // A runtime is hooked now, or is used for the first time. The source's library may have been
  // loaded since the last call.
  virtual void RuntimeReady() {}
  // How the source sees calls, such as "HIP 7.2 by preload, tracer"; empty if it sees none.
  virtual const char* description() const { return ""; }
  // The process ends; this is the last chance to warn the user.
  virtual void Finish() {}
  // From now on no new calls are recorded in the trace.
  virtual void Stop() = 0;
  // In the child of a fork that is not traced: counts the child's calls in the parent's trace.
  // Async-signal-safe.
  virtual void DisarmInChild() = 0;
  // In the child of a fork: the child opens a trace of its own at its first call.
  virtual void BeginAnewInChild() = 0;

 protected:
  ~CallSource() = default;  // never deleted through this interface
};

}  // namespace rtl::capture
