// SPDX-License-Identifier: MIT
// lookups.h: dlsym and dlvsym of librtl_hip.so. A program that looks a function of HIP up gets this
// library's function, like a program that is linked to HIP. Every other lookup has the same result
// for the same caller as without the tracer.
//
// librtl_hip.so has dlmopen, too. When a HIP of AMD's builds is loaded into another namespace and
// shall pass its table to the tracer, rocprofiler-register loads a library there with RTLD_GLOBAL,
// and the C library crashes. So the request to pass the table is withdrawn before the first such
// namespace is made.
//
//   handle          a name of HIP's gives
//   a library       our function, where the untraced result is HIP's own function and the one that
//                   ours would call: a second HIP's functions stay its own
//   RTLD_DEFAULT    the same; nothing, where the caller would find none without this library
//   RTLD_NEXT       our function, unless the caller stands before HIP itself: it would call itself
//
// Threads    any
// Blocking   as the loader's own functions
// Errors     dlerror has the text of the lookup without the tracer, except for the name of the
//            library from which RTLD_DEFAULT was searched
// Why        docs/adr/0164-looked-up-calls.md, docs/adr/0206-lookups-with-two-hips.md
#pragma once

namespace rtl::hip_preload {

// This library's function with that name; null if it has none.
void* WrapperOf(const char* symbol);
// Finds a function while no HIP is among the program's global symbols: in the HIP that serves
// libraries without a HIP of their own. Null if there is none.
void* LocalFunction(const char* symbol);
// This library's function, to replace `function`, which HIP has given out under that name.
void* WrapperFor(const char* symbol, void* function);

}  // namespace rtl::hip_preload
