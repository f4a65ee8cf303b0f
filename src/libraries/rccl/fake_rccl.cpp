// SPDX-License-Identifier: MIT
// A librccl.so.1 for the test. It has one function for each way to pass arguments. Each function
// prints its arguments. The real library needs GPUs; tests/real tests it.
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

struct UniqueId {
  char bytes[128];
};

extern "C" {

int ncclAllReduce(void* in, void* out, size_t count, int datatype, int op, void* comm,
                  void* stream) {
  printf("all %p %p %zu %d %d %p %p\n", in, out, count, datatype, op, comm, stream);
  return 0;
}

int ncclBroadcast(void* in, void* out, size_t count, int datatype, int root, void* comm,
                  void* stream) {
  printf("broadcast %p %p %zu %d %d %p %p\n", in, out, count, datatype, root, comm, stream);
  return 0;
}

// RCCL calls its own function through the symbol, so a preloaded library may get the call.
int ncclBcast(void* buffer, size_t count, int datatype, int root, void* comm, void* stream) {
  return ncclBroadcast(buffer, buffer, count, datatype, root, comm, stream);
}

const char* ncclGetErrorString(int code) { return code == 4 ? "four" : "other"; }

// RCCL calls itself on threads of its own, too.
int ncclCommInitRank(void** comm, int ranks, UniqueId id, int rank) {
  pthread_t thread;
  const auto work = [](void*) -> void* {
    printf("%s\n", ncclGetErrorString(0));
    return nullptr;
  };
  if (pthread_create(&thread, nullptr, work, nullptr) != 0) return 1;
  if (pthread_join(thread, nullptr) != 0) return 1;
  *comm = reinterpret_cast<void*>(0xc0);
  printf("init %d %c%c %d\n", ranks, id.bytes[0], id.bytes[127], rank);
  return 0;
}

int ncclRecv(void*, size_t, int, int, void*, void*) { return 4; }

}  // extern "C"
