// SPDX-License-Identifier: MIT
// loaded_objects.h: finds libraries of this process by their contents, not by their names.
//
// Threads    any
// Blocking   the loader's lock
// Errors     none: an object for which the loader has no name is left out
#pragma once

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>

namespace rtl {

// Finds a symbol that the library itself defines; dlsym with its handle would also find symbols of
// its dependencies. `base`: the library's l_addr.
void* OwnSymbol(void* handle, ElfW(Addr) base, const char* name);

struct SharedObject {
  ElfW(Addr) base = 0;
  char path[PATH_MAX];   // empty for the program
  bool defines = false;  // the object itself defines the symbol that was passed to SharedObjectAt
};

// The object with this index in the order of loading. 0: there is no such index, 1: found, 2: its
// path is too long. Whether the object itself defines `symbol` is read from its tables, without
// opening it.
int SharedObjectAt(size_t index, SharedObject* object, const char* symbol = nullptr);
// The object that contains this address. False if the address is in no object that has a name.
bool SharedObjectOf(const void* address, SharedObject* object);
// The address range of the object's segments. `begin` == `end`: the object is not loaded any more.
void ExtentOf(const SharedObject& object, uintptr_t* begin, uintptr_t* end);
// Returns a handle of the library, which counts as one use. Null if the library is not loaded any
// more.
void* HandleOf(const SharedObject& object);

// Calls `visit(handle, object)` for each loaded library until `visit` returns true, in which case
// `visit` owns the handle. No library is opened while the loader's list is held.
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
