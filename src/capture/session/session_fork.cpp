// SPDX-License-Identifier: MIT
// What a session does in the child of a fork.
#include <new>

#include "base/thread_state.h"
#include "capture/hip/open_call.h"
#include "capture/roctx/pause.h"
#include "capture/session/session.h"

namespace rtl::capture {

using State = Lifecycle::State;

// Called if the parent has used no runtime: the child only gives up the parent's trace. Other
// threads of the parent may have been inside this session.
void Session::BeginAnewInChild() {
  const bool quiet = mutex_.TryLock();
  if (quiet) mutex_.Unlock();
  new (&mutex_) Mutex(Rank::kSession);
  if (!quiet) plan_.Forget();
  no_output_ = false;
  noted_markers_.store(false, std::memory_order_relaxed);
  init_.BeginAnewInChild();
  tools_ = nullptr;
  output_->BeginAnewInChild();
  life_.BeginAnew();
  for (size_t i = 0; i < source_count_; ++i) sources_[i]->BeginAnewInChild();
}

void Session::OnForkInChild() {
  const uint32_t thread = ThreadId::Current();
  ThreadId::OnForkInChild();
  Pause::OnForkInChild(thread, ThreadId::Current());
  OpenCall::OnForkInChild();
  Markers::OnForkInChild();
  const State of_parent = life_.state();
  const bool off = of_parent == State::kOff && !no_output_;
  const bool anew = !met_runtime_.load(std::memory_order_relaxed) && !ReentryGuard::Active();
  if (anew && !off && of_parent != State::kForked) return BeginAnewInChild();
  life_.Fork();
  call_hooks_.Disarm();
  scratch_.Disarm();
  for (size_t i = 0; i < source_count_; ++i) sources_[i]->DisarmInChild();
  code_objects_.Disarm();
  sampler_.DisarmInChild();
  capture_.DisarmInChild();
}

}  // namespace rtl::capture
