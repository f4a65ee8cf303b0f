// SPDX-License-Identifier: MIT
// code_file.h: finds the function and the source line of an address in a code object's ELF file.
//
// Threads    one at a time
// Memory     the file's bytes, and libdw's data about the file
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
  std::string file;   // path as the compiler wrote it; empty: not known
  uint32_t line = 0;  // 0: no line
};

class CodeFile {
 public:
  static Status Open(std::string bytes, std::unique_ptr<CodeFile>* out);
  ~CodeFile();
  CodeFile(const CodeFile&) = delete;
  CodeFile& operator=(const CodeFile&) = delete;

  // The innermost frame comes first: the function of the instruction, then the callers into which
  // it was inlined.
  std::vector<SourceFrame> FramesAt(uint64_t address) const;
  // The linker's symbol around the address; empty: none.
  std::string SymbolAt(uint64_t address) const;
  // At most `bytes` bytes at the address; fewer if the segment ends before.
  std::string_view CodeAt(uint64_t address, size_t bytes) const;
  bool has_lines() const { return !units_.empty(); }
  const std::string& bytes() const { return bytes_; }

 private:
  struct Handles;  // handles of libelf and libdw
  struct Unit;
  struct Segment {
    uint64_t address, bytes, at;  // at: offset in the file
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
