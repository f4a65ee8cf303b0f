// SPDX-License-Identifier: MIT
// lookups.h: dlsym and dlvsym of librtl_hip.so. A program that looks a function of HIP up gets the
// one of this library, as a program that is linked to HIP does. Every other lookup is the untraced
// one, seen from the same caller.
//
// And dlmopen: in another namespace the C library crashes when rocprofiler-register loads a library
// there (RTLD_GLOBAL), which a HIP of AMD's builds does if it is to pass its table to ours.
// That request ends before the first such namespace is made.
//
//   handle          a name of HIP's gives
//   a library       our function, where the untraced result is HIP's own function and the one that
//                   ours would call: a second HIP's functions stay its own
//   RTLD_DEFAULT    the same; nothing, where the caller would find none without this library
//   RTLD_NEXT       our function, unless the caller stands before HIP itself: it would call itself
//
// Threads    any
// Blocking   as the loader's own functions
// Errors     the text of dlerror is that of the untraced lookup, but for the name of the library
//            that RTLD_DEFAULT was searched for
// Why        docs/adr/0164-looked-up-calls.md, docs/adr/0206-lookups-with-two-hips.md
#pragma once

namespace rtl::hip_preload {

// This library's function of that name; null: it has none.
void* WrapperOf(const char* symbol);
// The function of the HIP that serves libraries without one of their own, while none is among the
// program's global symbols; null: there is none.
void* LocalFunction(const char* symbol);
// Our function in place of `function`, which HIP has given out under that name.
void* WrapperFor(const char* symbol, void* function);

}  // namespace rtl::hip_preload
