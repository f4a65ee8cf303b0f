/* SPDX-License-Identifier: MIT
 * libroctracer64.so.4: the few functions of AMD's deprecated library that programs still link to, so
 * that they start where it is not installed. Starting and stopping is resuming and pausing the trace;
 * a mark is one of ROCTx. Each function has both of upstream's symbol versions.
 *
 * Threads    any
 * Blocking   as ROCTx
 * Errors     none: without ROCTx beside it nothing happens
 */
#include <stddef.h>
#include <stdint.h>

/* Of libroctx64.so.4; AMD's own library of that name has no pause. */
__attribute__((weak)) int roctxProfilerPause(uint64_t thread);
__attribute__((weak)) int roctxProfilerResume(uint64_t thread);
__attribute__((weak)) void roctxMarkA(const char* message);

#define EXPORT(result, name, parameters, arguments, returns)            \
  result name##_4_0 parameters;                                         \
  __attribute__((visibility("default"))) result name##_4_1 parameters { \
    returns name##_4_0 arguments;                                       \
  }                                                                     \
  __asm__(".symver " #name "_4_0, " #name "@@ROCTRACER_4.0");           \
  __asm__(".symver " #name "_4_1, " #name "@ROCTRACER_4.1");            \
  __attribute__((visibility("default"))) result name##_4_0 parameters

EXPORT(void, roctracer_start, (void), (), ) {
  if (roctxProfilerResume != NULL) (void)roctxProfilerResume(0); /* of all threads; cannot fail */
}

EXPORT(void, roctracer_stop, (void), (), ) {
  if (roctxProfilerPause != NULL) (void)roctxProfilerPause(0); /* as above */
}

EXPORT(void, roctracer_mark, (const char* message), (message), ) {
  if (roctxMarkA != NULL) roctxMarkA(message);
}

EXPORT(uint32_t, roctracer_version_major, (void), (), return ) { return 4; }

EXPORT(uint32_t, roctracer_version_minor, (void), (), return ) { return 1; }
