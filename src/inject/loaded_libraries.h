// SPDX-License-Identifier: MIT
// loaded_libraries.h: the libraries of another process, and where their functions are in its memory.
//
// Threads    a value
// Blocking   file I/O
// Errors     Read: the process cannot be looked into. Find: zero, also for a damaged file
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

class LoadedLibrary {
 public:
  LoadedLibrary(std::string path, std::string file, uint64_t base)
      : path_(std::move(path)), file_(std::move(file)), base_(base) {}

  const std::string& path() const { return path_; }
  std::string_view name() const { return std::string_view(path_).substr(path_.rfind('/') + 1); }
  const std::vector<Range>& code() const { return code_; }
  bool HasCode(uint64_t address) const;
  void AddCode(Range range) { code_.push_back(range); }
  uint64_t base() const { return base_; }

  // The address of an exported function; zero: there is none.
  uint64_t Find(std::string_view function) const;
  // Only: a function itself. Around: from the end of the function before to the begin of the
  // function behind those of these names, with the functions in between that have no name; one
  // range for each part of the code.
  std::vector<Range> Only(std::string_view function) const;
  std::vector<Range> Around(const std::vector<std::string_view>& functions) const;
  // The address of these bytes in its code; zero: they do not occur.
  uint64_t FindBytes(std::string_view bytes) const;

 private:
  struct Function {
    uint64_t address, bytes;
    uint32_t name;  // where it begins in `names_`
  };
  std::string_view NameOf(const Function& function) const {
    return std::string_view(names_.data() + function.name);
  }
  void Load() const;

  std::string path_;  // as the process has it
  std::string file_;  // where this process finds it
  uint64_t base_;
  std::vector<Range> code_;
  mutable bool loaded_ = false;
  mutable std::vector<Function> functions_;  // sorted by address
  mutable std::string names_;                // each ends with a zero
};

// In the order of their addresses. `stacks`: what may be read and written.
Status ReadLibraries(uint32_t pid, std::vector<LoadedLibrary>* libraries,
                     std::vector<Range>* stacks);

}  // namespace rtl::inject
