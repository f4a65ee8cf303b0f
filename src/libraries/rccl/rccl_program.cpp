// SPDX-License-Identifier: MIT
// Calls the functions of fake_rccl.cpp, and one function that this library lacks.
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct UniqueId {
  char bytes[128];
};

extern "C" {
int ncclAllReduce(void*, void*, size_t, int, int, void*, void*);
int ncclBcast(void*, size_t, int, int, void*, void*);
int ncclCommInitRank(void**, int, UniqueId, int);
int ncclRecv(void*, size_t, int, int, void*, void*);
const char* ncclGetErrorString(int);
}

namespace {
void* At(uintptr_t address) { return reinterpret_cast<void*>(address); }
}  // namespace

int main() {
  UniqueId id = {};
  id.bytes[0] = 'a';
  id.bytes[127] = 'z';
  void* comm = nullptr;
  if (ncclCommInitRank(&comm, 2, id, 1) != 0) return 1;
  if (ncclAllReduce(At(0x10), At(0x20), 1000, 7, 3, comm, At(0x30)) != 0) return 1;
  if (ncclBcast(At(0x40), 5, 1, 6, comm, nullptr) != 0) return 1;
  printf("%s\n", ncclGetErrorString(ncclRecv(At(0x50), 8, 2, 9, comm, nullptr)));
  auto* const finalize = reinterpret_cast<int (*)(void*)>(dlsym(RTLD_DEFAULT, "ncclCommFinalize"));
  if (finalize != nullptr && finalize(comm) != 5) return 1;
  return 0;
}
