// SPDX-License-Identifier: MIT
// Sets the first markers of the process from many threads at once: THREADS and MARKS are arguments.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

enum { kMostThreads = 64 };

void roctxMarkA(const char* message);

static pthread_barrier_t all_here;
static long marks;

static void* SetMarks(void* unused) {
  pthread_barrier_wait(&all_here);
  for (long i = 0; i < marks; ++i) roctxMarkA("crowd");
  return unused;
}

int main(int argc, char** argv) {
  const long threads = argc < 3 ? 0 : atol(argv[1]);
  pthread_t thread[kMostThreads];
  if (threads < 1 || threads > kMostThreads) return 1;
  marks = atol(argv[2]);
  if (pthread_barrier_init(&all_here, NULL, (unsigned)threads) != 0) return 1;
  for (long i = 0; i < threads; ++i) {
    if (pthread_create(&thread[i], NULL, SetMarks, NULL) != 0) return 1;
  }
  for (long i = 0; i < threads; ++i) {
    if (pthread_join(thread[i], NULL) != 0) return 1;
  }
  return 0;
}
