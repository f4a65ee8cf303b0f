// SPDX-License-Identifier: MIT
// loaded_libraries.h: the libraries of another process, and the addresses of their functions in it.
//
// Threads    a value
// Blocking   file I/O
// Errors     Read: the process may not be examined. Find: zero, also if the file is damaged
#pragma once

#include <stdint.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace rtl::inject {

struct Range {
  uint64_t begin = 0, end = 0;
  bool Has(uint64_t address) const { return address >= begin && address < end; }
};

bool AnyHas(const std::vector<Range>& ranges, uint64_t address);

class LoadedLibrary {
 public:
  LoadedLibrary(std::string path, std::string file, uint64_t base)
      : path_(std::move(path)), file_(std::move(file)), base_(base) {}

  const std::string& path() const { return path_; }
  std::string_view name() const { return std::string_view(path_).substr(path_.rfind('/') + 1); }
  const std::vector<Range>& code() const { return code_; }
  bool HasCode(uint64_t address) const { return AnyHas(code_, address); }
  void AddCode(Range range) { code_.push_back(range); }
  uint64_t base() const { return base_; }

  // The address of an exported function. Zero: the library does not export it.
  uint64_t Find(std::string_view function) const;
  // Only: the ranges of the function itself. Around: the ranges of these functions, extended to the
  // end of the named function before and to the begin of the one after. So functions without a name
  // in between are included. Each part of the code has its own range.
  std::vector<Range> Only(std::string_view function) const;
  std::vector<Range> Around(const std::vector<std::string_view>& functions) const;
  // The address of these bytes in the library's code. Zero: the code does not have them.
  uint64_t FindBytes(std::string_view bytes) const;

 private:
  struct Function {
    uint64_t address, bytes;
    uint32_t name;  // offset in names_
  };
  std::string_view NameOf(const Function& function) const {
    return std::string_view(names_.data() + function.name);
  }
  void Load() const;

  std::string path_;  // path in the other process's view
  std::string file_;  // path in our view
  uint64_t base_;
  std::vector<Range> code_;
  mutable bool loaded_ = false;
  mutable std::vector<Function> functions_;  // sorted by address
  mutable std::string names_;                // each name ends with a zero
};

// Lists libraries in the order of their addresses. `stacks`: the memory that is readable and
// writable.
Status ReadLibraries(uint32_t pid, std::vector<LoadedLibrary>* libraries,
                     std::vector<Range>* stacks);

}  // namespace rtl::inject
