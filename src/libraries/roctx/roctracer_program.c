/* SPDX-License-Identifier: MIT
 * Is linked to libroctracer64.so.4 alone, as CuPy's module is, and finds its functions by upstream's
 * versions as well. Marks: "one"; "two" while stopped; "three". Prints the version. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

void roctracer_start(void);
void roctracer_stop(void);
void roctracer_mark(const char* message);
uint32_t roctracer_version_major(void);
uint32_t roctracer_version_minor(void);

int main(void) {
  static const char* const kNames[] = {"roctracer_mark", "roctracer_start", "roctracer_stop",
                                       "roctracer_version_major", "roctracer_version_minor"};
  static const char* const kVersions[] = {"ROCTRACER_4.0", "ROCTRACER_4.1"};
  for (int name = 0; name < 5; ++name) {
    for (int version = 0; version < 2; ++version) {
      if (dlvsym(RTLD_DEFAULT, kNames[name], kVersions[version]) == NULL)
        printf("no %s@%s\n", kNames[name], kVersions[version]);
    }
  }
  roctracer_start(); /* without a stop before it */
  roctracer_mark("one");
  roctracer_stop();
  roctracer_mark("two");
  roctracer_start();
  roctracer_mark("three");
  printf("version %u.%u\n", roctracer_version_major(), roctracer_version_minor());
  return 0;
}
