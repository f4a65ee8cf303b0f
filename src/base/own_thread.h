// SPDX-License-Identifier: MIT
// own_thread.h: the tracer's threads in the application's process: a small stack, a name, and every
// signal blocked, so that the application's handlers never run on them.
//
// Threads    any
// Blocking   JoinOwnThread: at most its limit
// Errors     StartOwnThread: the system's, by name
#pragma once

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

namespace rtl {

inline constexpr size_t kOwnThreadStackBytes = 256 * 1024;

// Blocks every signal for the calling thread, and so for the threads that it starts meanwhile. In
// the end errno is as it was: a handler may have interrupted a program that reads it.
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

// How the names of the tracer's threads begin.
inline constexpr char kOwnThreads[] = "rtl-";

// `name`: at most 15 characters, the first of them kOwnThreads.
Status StartOwnThread(const char* name, void* (*main)(void* data), void* data, pthread_t* out,
                      size_t stack_bytes = kOwnThreadStackBytes);

// False: the thread had not ended by the limit and is detached.
bool JoinOwnThread(pthread_t thread, uint64_t limit_ns);

}  // namespace rtl
