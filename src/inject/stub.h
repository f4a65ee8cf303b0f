// SPDX-License-Identifier: MIT
// stub.h: the code and the data that `rtl trace --pid` writes into a process.
//
//   begin   on a borrowed thread, on a stack of its own: makes a thread, and spins until it is
//           given back
//   main    on that thread: waits for `go`, loads the library, calls its function with the request,
//           gives the memory back and ends
//
// The code finds the C library's functions by the addresses in the block.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "model/late_trace.h"

namespace rtl::inject {

struct Block {
  enum Go : uint32_t { kWait, kLoad, kEnd };

  // Addresses of functions. The code refers to them by their offsets.
  uint64_t pthread_create, pthread_detach, usleep, dlopen, dlsym, dlerror, munmap;
  uint64_t memory, memory_bytes;  // this block and its stack, which main frees
  uint64_t code, code_bytes;
  uint64_t main;
  uint64_t thread;
  uint32_t go;
  uint32_t created;      // result of pthread_create
  uint32_t has_created;  // not zero: pthread_create has returned
  uint32_t not_loaded;   // not zero: the library was not loaded, for the reason in `error`
  char library[4096];
  char function[32];
  char error[512];
  LateTraceRequest request;
};

struct Stub {
  const void* code;
  size_t bytes;
  size_t begin, main;        // offsets of the entries
  size_t spin, end_of_spin;  // the loop in which the borrowed thread waits
};
Stub TheStub();

}  // namespace rtl::inject
