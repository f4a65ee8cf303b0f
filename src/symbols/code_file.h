// SPDX-License-Identifier: MIT
// code_file.h: a code object's ELF file: the function and the source line of an address.
//
// Threads    one at a time
// Memory     the file's bytes, and libdw's data about them
// Errors     Open: the bytes are no ELF file. An address without debug information has no frames
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace rtl::symbols {

struct SourceFrame {
  std::string function;
  std::string file;   // the compiler's name of it; empty: not known
  uint32_t line = 0;  // 0: no line
};

class CodeFile {
 public:
  static Status Open(std::string bytes, std::unique_ptr<CodeFile>* out);
  ~CodeFile();
  CodeFile(const CodeFile&) = delete;
  CodeFile& operator=(const CodeFile&) = delete;

  // The innermost first: the instruction's own function, then the calls that inlined it.
  std::vector<SourceFrame> FramesAt(uint64_t address) const;
  // The linker's symbol around the address; empty: none.
  std::string SymbolAt(uint64_t address) const;
  // The bytes at the address, as many as are loaded there.
  std::string_view CodeAt(uint64_t address, size_t bytes) const;
  bool has_lines() const { return !units_.empty(); }
  const std::string& bytes() const { return bytes_; }

 private:
  struct Handles;  // libelf's and libdw's
  struct Unit;
  struct Segment {
    uint64_t address, bytes, at;  // at: in the file
  };
  struct Symbol {
    uint64_t address, bytes;
    std::string name;
  };
  CodeFile();
  void ReadSegments();
  void ReadSymbols();
  void ReadUnits();

  std::string bytes_;
  std::unique_ptr<Handles> handles_;
  std::vector<Segment> segments_;
  std::vector<Symbol> symbols_;  // by address
  std::vector<Unit> units_;
};

}  // namespace rtl::symbols
