// SPDX-License-Identifier: MIT
// hip_library.h: finds the HIP runtime in this process by an address in it or by its functions,
// whatever its name, version, folder or loader. The tracer never loads it.
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
  // Finds the HIP library that contains this address; null: the first one that was loaded. False if
  // there is none.
  bool Find(const void* inside = nullptr);
  // Finds a HIP library other than the known ones. Elements of `known` may be null.
  bool FindBeside(std::initializer_list<const HipLibrary*> known);
  bool found() const { return handle_ != nullptr; }
  void* handle() const { return handle_; }

  // Returns null if the library has no such function.
  void* Symbol(const char* name) const;
  // Zero if the version is not known.
  uint32_t major() const { return major_; }
  uint32_t minor() const { return minor_; }
  // The path as the loader knows it; empty if there is no library.
  const char* path() const;
  bool IsSame(const HipLibrary& other) const { return handle_ == other.handle_; }
  // Takes the version that HIP passed when it registered its tables, for example 70200 for 7.2. It
  // is more exact than the version in names.
  void TakeVersion(uint64_t registered);

  // Reads the version from a file name such as "…/libamdhip64.so.5.2.21153", or
  // "libamdhip64-00ca863d.so.7.14.60850" as in Python packages. `*major` is zero if the name has no
  // version. False if the name is not one of HIP.
  static bool ParseName(const char* path, uint32_t* major, uint32_t* minor);
  // Reads "hip_7.2", the name of a version of symbols. False if the name is not of this form.
  static bool ParseSymbolVersion(const char* name, uint32_t* major, uint32_t* minor);

 private:
  bool FindFirst();
  void ReadVersion(const char* path);

  void* handle_ = nullptr;
  uint32_t major_ = 0;
  uint32_t minor_ = 0;
};

}  // namespace rtl::capture
