// SPDX-License-Identifier: MIT
// tool_side.h: the interface that the services of rocprofiler-sdk implement for the session. The
// trace and the tools of a process share one session: each packet, signal and call is intercepted
// once, and both get it.
//
// Threads    sink, watchers, listeners: as in their headers
// Memory     lives as long as the process
// Why        docs/adr/0051-one-engine.md
#pragma once

#include "base/demand.h"
#include "capture/codeobj/code_object_watcher.h"
#include "capture/counters/counter_user.h"
#include "capture/hooks/hsa_call_listener.h"
#include "capture/hsa/hsa_api.h"
#include "capture/pc_sampling/pc_sampler.h"
#include "capture/queue/submission_watcher.h"
#include "model/record_sink.h"

namespace rtl::capture {

class HipCallListener;
class RcclListener;

class ToolSide {
 public:
  // The sink for agents and names of kernels, which come before events that refer to them, and for
  // the engine's losses.
  virtual RecordSink* sink() = 0;
  virtual CodeObjectWatcher* code_objects() = 0;
  // The following return null if no tool subscribes to such events. The result is constant for the
  // life of the process.
  virtual SubmissionWatcher* submissions() = 0;
  // The demand that says whether kernels and copies are of interest now. Null if they always are.
  virtual const Demand* demand() const = 0;
  virtual HsaCallListener* hsa_calls() = 0;
  virtual CounterUser* counters() = 0;
  // As submissions(), for the sources of these calls (capture/sources).
  virtual HipCallListener* hip_calls() const = 0;
  virtual RcclListener* rccl_calls() const = 0;
  // Whether a tool wants PC samples. Constant for the life of the process.
  virtual bool WantsSamples() = 0;

  // RuntimeReady: the runtime can be called through `api`, which bypasses the tracer's hooks.
  // RuntimeGone: the runtime is about to be unloaded.
  virtual void RuntimeReady(const HsaApi& api, void* root_table, PcSampler* sampler) = 0;
  virtual void RuntimeGone() = 0;

 protected:
  ~ToolSide() = default;  // never deleted through this interface
};

}  // namespace rtl::capture
