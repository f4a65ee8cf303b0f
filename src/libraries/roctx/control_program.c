// SPDX-License-Identifier: MIT
// Calls every function of librocprofiler-sdk-roctx.so.1: marks and ranges before, in and after
// pauses, and names. Prints the results.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rocprofiler-sdk-roctx/roctx.h"

static void* MarkElsewhere(void* text) {
  roctxMarkA(text);
  return NULL;
}

static void Elsewhere(const char* text) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, MarkElsewhere, (void*)text) == 0) pthread_join(thread, NULL);
}

int main(void) {
  uint64_t self = 0;
  const int known = roctxGetThreadId(&self);
  printf("%d %d %d\n", known, self == (uint64_t)syscall(SYS_gettid), roctxGetThreadId(NULL) != 0);

  roctxRangePushA("before");
  int answers = roctxProfilerPause(0) | roctxProfilerPause(0);
  roctxMarkA("paused");
  Elsewhere("paused");
  const int level = roctxRangePushA("paused");
  const uint64_t range = roctxRangeStartA("paused");
  answers |= roctxProfilerResume(0);
  roctxMarkA("resumed");
  roctxRangeStop(range);
  printf("%d %d\n", level, roctxRangePop());
  roctxRangePop();

  answers |= roctxProfilerPause(self);
  roctxMarkA("paused");
  Elsewhere("elsewhere");
  answers |= roctxProfilerResume(self);
  roctxMarkA("end");

  const uint64_t agent = 0x1234;
  answers |= roctxNameOsThread("main thread") |
             roctxNameHsaAgent("an agent", (const struct hsa_agent_s*)&agent) |
             roctxNameHipDevice("a device", 3) |
             roctxNameHipStream("a stream", (const struct ihipStream_t*)0x50);
  printf("%d\n", answers);
  return 0;
}
