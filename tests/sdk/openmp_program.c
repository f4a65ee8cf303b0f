/* SPDX-License-Identifier: MIT
 * OpenMP on the host, for a tool: three parallel regions of two threads, a loop, a lock, tasks. */
#include <omp.h>
#include <stdio.h>

enum { kRegions = 3, kThreads = 2, kCount = 1000 };

int main(void) {
  long sum = 0;
  int tasks = 0;
  omp_set_dynamic(0);
  omp_set_num_threads(kThreads);
  for (int region = 0; region < kRegions; ++region) {
#pragma omp parallel
    {
#pragma omp for
      for (int i = 0; i < kCount; ++i) {
#pragma omp critical
        sum += i;
      }
#pragma omp single
      {
#pragma omp task shared(tasks)
        {
#pragma omp atomic
          ++tasks;
        }
      }
    }
  }
  const long want = (long)kRegions * kCount * (kCount - 1) / 2;
  printf("%s %d tasks\n", sum == want ? "ok" : "FAILED", tasks);
  return sum == want && tasks == kRegions ? 0 : 1;
}
