// SPDX-License-Identifier: MIT
#include "sdk/contexts/internal_threads.h"

#include <string.h>

#include "base/thread_state.h"

namespace rtl::sdk {

bool InternalThreads::Add(rocprofiler_internal_thread_library_cb_t before,
                          rocprofiler_internal_thread_library_cb_t after, uint32_t libraries,
                          void* data) {
  const MutexLock lock(mutex_);
  if (count_ == kMost) return false;
  listeners_[count_++] = {before, after, libraries, data};
  return true;
}

InternalThreads::Making::Making(InternalThreads* threads) {
  {
    const MutexLock lock(threads->mutex_);
    count_ = threads->count_;
    memcpy(listeners_, threads->listeners_, count_ * sizeof(Listener));
  }
  const ReentryGuard guard;  // calls that the tools make now are not reported
  for (uint32_t i = 0; i < count_; ++i) {
    const Listener& listener = listeners_[i];
    if ((listener.libraries & ROCPROFILER_LIBRARY) != 0 && listener.before != nullptr)
      listener.before(ROCPROFILER_LIBRARY, listener.data);
  }
}

InternalThreads::Making::~Making() {
  const ReentryGuard guard;
  for (uint32_t i = count_; i-- != 0;) {
    const Listener& listener = listeners_[i];
    if ((listener.libraries & ROCPROFILER_LIBRARY) != 0 && listener.after != nullptr)
      listener.after(ROCPROFILER_LIBRARY, listener.data);
  }
}

}  // namespace rtl::sdk
