// SPDX-License-Identifier: MIT
#include "capture/sources/rccl_source.h"

#include <unistd.h>

#include "base/thread_state.h"
#include "capture/rccl/rccl_tables.h"

namespace rtl::capture {

// Begins to record RCCL calls. Returns null if they are not recorded.
const RcclCallHooks* RcclSource::Arm() {
  if (!session_->EnsureOpen() || !session_->events().Has(EventKind::kRcclCall) ||
      !session_->Recording())
    return nullptr;
  return rccl_.Record(session_->output()->sink(), session_->clock());
}

// Arm without opening the trace: the first call opens it.
const RcclCallHooks* RcclSource::AwaitFirst() {
  if (session_->state() != Lifecycle::State::kNew) return Arm();
  if (!session_->Plan() || !session_->events().Has(EventKind::kRcclCall)) return nullptr;
  return rccl_.Await(OpenTrace, this);
}

void RcclSource::OpenTrace(void* source) {
  auto* const self = static_cast<RcclSource*>(source);
  if (!self->session_->Usable()) return;
  const ReentryGuard guard;
  const MutexLock lock(self->session_->mutex());
  if (self->Arm() == nullptr) self->rccl_.Disarm();
}

const RcclCallHooks* RcclSource::ArmTools() {
  const ToolSide* const tools = session_->tools();
  if (tools == nullptr || tools->rccl_calls() == nullptr || !session_->ToolsAreAllowed())
    return nullptr;
  return rccl_.Listen(tools->rccl_calls());
}

// Arms again, because a better clock is available now.
void RcclSource::RuntimeReady() {
  if (rccl_.opened()) (void)Arm();
}

const RcclCallHooks* RcclSource::OpenPreload() {
  if (!session_->Usable()) return nullptr;
  const ReentryGuard guard;
  const MutexLock lock(session_->mutex());
  return Arm();
}

const RcclCallHooks* RcclSource::OpenToolPreload() {
  if (!session_->Usable()) return nullptr;
  const ReentryGuard guard;
  const MutexLock lock(session_->mutex());
  return ArmTools();
}

bool RcclSource::OpenTable(void* table) {
  if (!session_->Usable()) return false;
  const ReentryGuard guard;
  const MutexLock lock(session_->mutex());
  const RcclCallHooks* const hooks = AwaitFirst();
  if (hooks == nullptr) return false;
  const Status wrapped = RcclTables::Wrap(table, hooks);
  if (wrapped.ok()) return true;
  session_->warnings().Add("RCCL's table is not used in process %d: %s", static_cast<int>(getpid()),
                           wrapped.message());
  return false;
}

bool RcclSource::OpenToolTable(void* table) {
  if (!session_->Usable()) return false;
  const ReentryGuard guard;
  const MutexLock lock(session_->mutex());
  const RcclCallHooks* const hooks = ArmTools();
  if (hooks == nullptr) return false;
  const Status wrapped = RcclTables::Wrap(table, hooks);
  if (!wrapped.ok()) Session::ComplainToTools("RCCL calls are", wrapped);
  return wrapped.ok();
}

}  // namespace rtl::capture
