// SPDX-License-Identifier: MIT
// code_place.h: caches facts about addresses in code objects, because samples repeat the same few
// addresses.
//
// Threads    one at a time
// Memory     the queried code objects, and the facts found in them
// Errors     unknown facts stay empty; `problems` has each reason once
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "symbols/code_file.h"
#include "symbols/disassembler.h"

namespace rtl::symbols {

struct CodePlace {
  std::string instruction;  // "v_add_f32_e32 v1, v2, v3"
  uint64_t bytes = 0;       // length of the instruction; 0: not known
  std::string symbol;       // the linker's symbol that contains the address
  std::vector<SourceFrame> frames;

  // "file:line", of the innermost frame; empty: not known.
  std::string Location() const;
};

class CodePlaces {
 public:
  // Loads the file of a code object by its number. Leaves `bytes` empty if there is none.
  using Load = std::function<Status(int64_t content, std::string* bytes)>;
  explicit CodePlaces(Load load) : load_(std::move(load)) {}

  // `address`: in the file. *out is valid until the next call.
  Status At(int64_t content, uint64_t address, const CodePlace** out);
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  struct Code {
    std::unique_ptr<CodeFile> file;
    std::unique_ptr<Disassembler> disassembler;
  };
  Status CodeOf(int64_t content, const Code** out);
  void Complain(const Status& why);

  Load load_;
  std::map<int64_t, Code> codes_;
  std::map<std::pair<int64_t, uint64_t>, CodePlace> places_;
  std::vector<std::string> problems_;
};

}  // namespace rtl::symbols
