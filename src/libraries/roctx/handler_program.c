// SPDX-License-Identifier: MIT
// Sets marks while a timer's handler does, from the first on. Prints how many were set. Exit code 1: a mark changed
// errno.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>

enum { kHandled = 50 };

void roctxMarkA(const char* message);

static volatile sig_atomic_t handled;

static void SetMark(int signal) {
  (void)signal;
  ++handled;
  roctxMarkA("handler");
}

int main(void) {
  const struct sigaction action = {.sa_handler = SetMark, .sa_flags = SA_RESTART};
  const struct itimerval often = {{0, 100}, {0, 100}}, never = {{0, 0}, {0, 0}};
  long marks = 0;
  if (sigaction(SIGALRM, &action, NULL) != 0 || setitimer(ITIMER_REAL, &often, NULL) != 0) return 1;
  for (errno = 0; handled < kHandled && errno == 0; ++marks) roctxMarkA("main");
  if (errno != 0) return 1;
  if (setitimer(ITIMER_REAL, &never, NULL) != 0) return 1;
  printf("%ld\n", marks + handled);
  return 0;
}
