// SPDX-License-Identifier: MIT
// For LD_PRELOAD: a host that takes a millisecond or more to write each packet of HIP, so that
// kernels are shorter than their launches.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <time.h>

struct hsa_queue_s;

uint64_t hsa_queue_add_write_index_screlease(const struct hsa_queue_s* queue, uint64_t value) {
  static uint64_t (*next)(const struct hsa_queue_s*, uint64_t);
  if (next == NULL) {
    next = (uint64_t(*)(const struct hsa_queue_s*, uint64_t))dlsym(
        RTLD_NEXT, "hsa_queue_add_write_index_screlease");
  }
  const struct timespec pause = {.tv_nsec = 1500000};
  nanosleep(&pause, NULL);
  return next(queue, value);
}
