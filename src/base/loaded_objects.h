// SPDX-License-Identifier: MIT
// loaded_objects.h: the libraries of this process, by what they are and not by their names.
//
// Threads    any
// Blocking   the loader's lock
// Errors     none: what the loader does not name is left out
#pragma once

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>

namespace rtl {

// The library's own symbol: a handle also finds symbols of its dependencies. `base`: l_addr.
void* OwnSymbol(void* handle, ElfW(Addr) base, const char* name);

struct SharedObject {
  ElfW(Addr) base = 0;
  char path[PATH_MAX];   // empty: the program
  bool defines = false;  // the symbol that SharedObjectAt got
};

// The object with this index in the order of loading. 0: there are not so many, 1: found, 2: its
// path is too long. Whether it defines the symbol itself is read in its tables: it is not opened.
int SharedObjectAt(size_t index, SharedObject* object, const char* symbol = nullptr);
// The object that this address lies in. False: in none with a name.
bool SharedObjectOf(const void* address, SharedObject* object);
// The addresses of its segments; `begin` == `end`: it is not loaded any more.
void ExtentOf(const SharedObject& object, uintptr_t* begin, uintptr_t* end);
// Counts as one use of the library. Null: it is not loaded any more.
void* HandleOf(const SharedObject& object);

// Calls `visit(handle, object)` for each loaded library until it returns true, which takes over the
// handle. Nothing is opened while the loader's list is held.
template <typename Visit>
bool ForEachObject(Visit visit) {
  SharedObject object;
  for (size_t index = 0;; ++index) {
    const int found = SharedObjectAt(index, &object);
    if (found == 0) return false;
    void* const handle = found == 1 ? HandleOf(object) : nullptr;
    if (handle == nullptr) continue;
    if (visit(handle, object)) return true;
    (void)dlclose(handle);
  }
}

}  // namespace rtl
