// SPDX-License-Identifier: MIT
#include "base/own_thread.h"

#include <errno.h>

#include "base/clock.h"
#include "base/files_apart.h"

namespace rtl {

Status StartOwnThread(const char* name, void* (*main)(void* data), void* data, pthread_t* out,
                      size_t stack_bytes) {
  pthread_attr_t attributes;
  int error = pthread_attr_init(&attributes);
  if (error != 0) return Status::ErrnoError(error, "cannot prepare the thread %s", name);
  // if this fails, the default size is used
  (void)pthread_attr_setstacksize(&attributes, stack_bytes);
  {
    const SignalsBlocked blocked;
    error = pthread_create(out, &attributes, main, data);
  }
  (void)pthread_attr_destroy(&attributes);
  if (error != 0) return Status::ErrnoError(error, "cannot start the thread %s", name);
  // inside FilesApart, because the call opens a file; the name is not essential
  FilesApart([&] { (void)pthread_setname_np(*out, name); });
  return Status::Ok();
}

bool JoinOwnThread(pthread_t thread, uint64_t limit_ns) {
  // Older C libraries offer only this clock here. If the clock is set meanwhile, this wait becomes
  // longer or shorter.
  const timespec until = RealtimeAfter(limit_ns);
  if (pthread_timedjoin_np(thread, nullptr, &until) == 0) return true;
  (void)pthread_detach(thread);
  return false;
}

}  // namespace rtl
