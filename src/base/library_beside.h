// SPDX-License-Identifier: MIT
// library_beside.h: finds libraries that were installed in the same folder.
//
// Threads    any
// Blocking   the loader's lock
// Errors     null if there is no such library
#pragma once

#include <stddef.h>

namespace rtl {

// Writes the path of the file `name` in the folder of the library or program that contains the
// object `here`. False if the folder is not known, or if the path is too long.
bool PathBeside(const void* here, const char* name, char* path, size_t size);
// Loads `name` from the folder of the library or program that contains the object `here`.
void* LoadBeside(const void* here, const char* name);
// Returns the library `name` if the process has loaded it; otherwise, if `wanted`, calls
// LoadBeside.
void* FindOrLoadBeside(const void* here, const char* name, bool wanted);

}  // namespace rtl
