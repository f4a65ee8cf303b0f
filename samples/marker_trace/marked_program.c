/* SPDX-License-Identifier: MIT
 * marked_program.c: a program that annotates its work in two threads. It needs no GPU. */
#include <pthread.h>
#include <rocprofiler-sdk-roctx/roctx.h>
#include <stddef.h>
#include <stdio.h>

enum { kSteps = 3 };

static void* Work(void* name) {
  char step[32];
  int i;
  roctxNameOsThread(name);
  roctxRangePush(name);
  for (i = 0; i < kSteps; ++i) {
    snprintf(step, sizeof step, "step %d", i);
    roctxMark(step);
  }
  roctxRangePop();
  return NULL;
}

int main(void) {
  pthread_t thread;
  const roctx_range_id_t all = roctxRangeStart("all");
  if (pthread_create(&thread, NULL, Work, "second") != 0) return 1;
  Work("first");
  if (pthread_join(thread, NULL) != 0) return 1;
  roctxProfilerPause(0);
  roctxProfilerResume(0);
  roctxRangeStop(all);
  return 0;
}
