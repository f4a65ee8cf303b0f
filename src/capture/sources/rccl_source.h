// SPDX-License-Identifier: MIT
// rccl_source.h: decides who records RCCL calls, and with which method.
//
// Threads    any: the session's lock serialises them
// Blocking   as the session's functions that open a trace
// Memory     lives as long as the process
// Errors     one line for each party, and the program continues without records of RCCL calls
#pragma once

#include "capture/rccl/rccl_calls.h"
#include "capture/session/call_source.h"
#include "capture/session/session.h"

namespace rtl::capture {

class RcclSource final : public CallSource {
 public:
  explicit RcclSource(Session* session) : session_(session) { session->Add(this); }
  RcclSource(const RcclSource&) = delete;
  RcclSource& operator=(const RcclSource&) = delete;

  // librtl_rccl.so calls this at the first RCCL call, once for the trace and once for tools.
  // Returns the hooks that it must call; null: none.
  const RcclCallHooks* OpenPreload();
  const RcclCallHooks* OpenToolPreload();
  // RCCL has registered this table, at its first call or when it was loaded. The first call opens
  // the trace. True if the entries are wrapped now.
  bool OpenTable(void* table);
  bool OpenToolTable(void* table);

  void RuntimeReady() override RTL_REQUIRES(session_->mutex());
  void Stop() override { rccl_.Disarm(); }
  void DisarmInChild() override { rccl_.CountForked(); }
  void BeginAnewInChild() override {
    if (rccl_.BeginAnew()) (void)rccl_.Await(OpenTrace, this);
  }

 private:
  const RcclCallHooks* Arm() RTL_REQUIRES(session_->mutex());
  const RcclCallHooks* AwaitFirst() RTL_REQUIRES(session_->mutex());
  static void OpenTrace(void* source);
  const RcclCallHooks* ArmTools() RTL_REQUIRES(session_->mutex());

  Session* const session_;
  RcclCalls rccl_;  // guarded by the session's lock
};

}  // namespace rtl::capture
