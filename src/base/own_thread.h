// SPDX-License-Identifier: MIT
// own_thread.h: starts the tracer's threads in the application's process. They have a small stack
// and a name, and block every signal, so that the application's handlers never run on them.
//
// Threads    any
// Blocking   JoinOwnThread: at most its limit
// Errors     StartOwnThread returns the system's error by name
#pragma once

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

namespace rtl {

inline constexpr size_t kOwnThreadStackBytes = 256 * 1024;

// Blocks every signal for the calling thread, and for threads that it starts meanwhile. The
// destructor restores errno, because a handler may have interrupted a program that reads it.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    (void)sigfillset(&all);  // cannot fail
    (void)pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() {
    (void)pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = errno_before_;
  }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
  const int errno_before_ = errno;
};

// The beginning of the names of the tracer's threads.
inline constexpr char kOwnThreads[] = "rtl-";

// `name`: at most 15 characters; it begins with kOwnThreads.
Status StartOwnThread(const char* name, void* (*main)(void* data), void* data, pthread_t* out,
                      size_t stack_bytes = kOwnThreadStackBytes);

// False if the thread has not ended before the limit; the thread is then detached.
bool JoinOwnThread(pthread_t thread, uint64_t limit_ns);

}  // namespace rtl
