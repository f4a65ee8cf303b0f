// SPDX-License-Identifier: MIT
// A program with roctx markers only. It is built twice: linked to libroctx64.so.4, and as a library
// with undefined roctx functions. Prints the results. The variable MARKS adds so many marks; with
// DIFFERENT set, each has a text of its own.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void roctxMarkA(const char* message);
int roctxRangePushA(const char* message);
int roctxRangePop(void);
uint64_t roctxRangeStartA(const char* message);
void roctxRangeStop(uint64_t range);

static void* StopRange(void* range) {
  roctxRangeStop(*(uint64_t*)range);
  return NULL;
}

int main(void) {
  roctxMarkA("mark");
  const int outer = roctxRangePushA("outer");
  const int inner = roctxRangePushA("inner");
  const int inner_end = roctxRangePop();
  const int outer_end = roctxRangePop();
  const int none = roctxRangePop();
  printf("%d %d %d %d %d\n", outer, inner, inner_end, outer_end, none);
  uint64_t first = roctxRangeStartA("first");
  const uint64_t second = roctxRangeStartA("second");
  pthread_t thread;
  if (pthread_create(&thread, NULL, StopRange, &first) != 0) return 1;
  if (pthread_join(thread, NULL) != 0) return 1;
  roctxRangeStop(second);
  const char* const marks = getenv("MARKS");
  const int different = getenv("DIFFERENT") != NULL;
  for (long left = marks == NULL ? 0 : atol(marks); left > 0; --left) {
    char text[32] = "many";
    if (different) snprintf(text, sizeof text, "many: %ld", left);
    roctxMarkA(text);
  }
  printf("%d\n", first != 0 && second != 0 && first != second);
  return 0;
}
