// SPDX-License-Identifier: MIT
// engine.h: what a process hooks of an HSA runtime. Each part says which threads may use it.
#pragma once

#include "capture/codeobj/code_objects.h"
#include "capture/hooks/hsa_call_hooks.h"
#include "capture/hooks/hsa_capture.h"
#include "capture/hooks/scratch_events.h"
#include "capture/hsa/hsa_api.h"
#include "capture/pc_sampling/pc_sampler.h"

namespace rtl::capture {

struct Engine {
  PcSampler sampler;
  HsaTables tables;
  CodeObjects code_objects;
  HsaCapture capture;
  HsaCallHooks call_hooks;
  ScratchEvents scratch;

  // Events that the hooks of packets see afterwards are counted as lost.
  void Stop() {
    capture.Stop();
    code_objects.Disarm();
  }
  // In the child of a fork: hooks pass through. Async-signal-safe.
  void DisarmInChild() {
    call_hooks.Disarm();
    scratch.Disarm();
    code_objects.Disarm();
    sampler.DisarmInChild();
    capture.DisarmInChild();
  }
};

}  // namespace rtl::capture
