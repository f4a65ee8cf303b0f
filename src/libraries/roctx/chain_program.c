// SPDX-License-Identifier: MIT
// Sets a mark, prints a line, and executes the program that its arguments name, if any.
#include <stdio.h>
#include <unistd.h>

void roctxMarkA(const char* message);

int main(int argc, char** argv) {
  roctxMarkA("link");
  puts("link");
  fflush(stdout);
  if (argc < 2) return 0;
  execv(argv[1], argv + 1);
  return 1;
}
