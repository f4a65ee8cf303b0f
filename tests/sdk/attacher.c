/* SPDX-License-Identifier: MIT
 * Attaches to processes and leaves them, as its input says: "attach PID", "detach PID", and the same with "-tree". Answers with the
 * status, one line each. */
#include <rocprofiler-sdk-rocattach/rocattach.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char verb[16];
  int pid;
  while (scanf("%15s %d", verb, &pid) == 2) {
    const rocattach_status_t status = strcmp(verb, "attach") == 0   ? rocattach_attach(pid)
                                      : strcmp(verb, "detach") == 0 ? rocattach_detach(pid)
                                      : strcmp(verb, "attach-tree") == 0
                                          ? rocattach_attach_tree(pid)
                                          : rocattach_detach_tree(pid);
    printf("%s\n", rocattach_get_status_name(status));
    fflush(stdout);
  }
  return 0;
}
