// SPDX-License-Identifier: MIT
// hip_library.h: the HIP runtime in this process, found by an address in it or by its functions (any
// name, version, folder, loader), never loaded by the tracer.
//
// Threads    any
// Blocking   takes the loader's lock
// Memory     the library is kept loaded: calls may be open in it
// Why        docs/adr/0150-which-hip.md
#pragma once

#include <stdint.h>

#include <initializer_list>

namespace rtl::capture {

class HipLibrary {
 public:
  // The one that has this address; null: the first one that is loaded. False when there is none.
  bool Find(const void* inside = nullptr);
  // Another one than these, of which some may be null.
  bool FindBeside(std::initializer_list<const HipLibrary*> known);
  bool found() const { return handle_ != nullptr; }
  void* handle() const { return handle_; }

  // Null when it has no such function.
  void* Symbol(const char* name) const;
  // Zero: not known.
  uint32_t major() const { return major_; }
  uint32_t minor() const { return minor_; }
  // As the loader knows it; empty: there is none.
  const char* path() const;
  bool IsSame(const HipLibrary& other) const { return handle_ == other.handle_; }
  // The version that HIP registered its tables with, which is more than names tell: 70200 is 7.2.
  void TakeVersion(uint64_t registered);

  // Reads "…/libamdhip64.so.5.2.21153", and the name that a Python package gives it,
  // "libamdhip64-00ca863d.so.7.14.60850". Zero: no version is in the name. False: it is another name.
  static bool ParseName(const char* path, uint32_t* major, uint32_t* minor);
  // Reads "hip_7.2", the name of a version of symbols. False: it is another name.
  static bool ParseSymbolVersion(const char* name, uint32_t* major, uint32_t* minor);

 private:
  bool FindFirst();
  void ReadVersion(const char* path);

  void* handle_ = nullptr;
  uint32_t major_ = 0;
  uint32_t minor_ = 0;
};

}  // namespace rtl::capture
