// SPDX-License-Identifier: MIT
// disassembler.h: turns instructions into text by ROCm's own library (libamd_comgr), which knows
// every GPU of its version. The library is loaded on demand, so a trace can be read without it.
//
// Threads    one at a time
// Errors     Open: the places where the library was looked for, or a GPU that the library does not
//            know
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/status.h"
#include "symbols/code_file.h"

namespace rtl::symbols {

class Disassembler {
 public:
  // A disassembler for the GPU of `code`, which must outlive it.
  static Status Open(const CodeFile& code, std::unique_ptr<Disassembler>* out);
  ~Disassembler();
  Disassembler(const Disassembler&) = delete;
  Disassembler& operator=(const Disassembler&) = delete;

  // The instruction at the address. `bytes`: its length. Empty: there is no instruction.
  std::string At(uint64_t address, uint64_t* bytes) const;

 private:
  explicit Disassembler(const CodeFile& code) : code_(code) {}
  struct Request;
  static uint64_t Read(uint64_t from, char* to, uint64_t bytes, void* request);
  static void AddText(const char* text, void* request);
  static void Annotate(uint64_t address, void* request);

  const CodeFile& code_;
  uint64_t info_ = 0;  // handle of the library
};

}  // namespace rtl::symbols
