// SPDX-License-Identifier: MIT
#include "symbols/code_place.h"

#include <algorithm>

namespace rtl::symbols {

std::string CodePlace::Location() const {
  if (frames.empty() || frames[0].file.empty()) return "";
  return frames[0].file + ":" + std::to_string(frames[0].line);
}

void CodePlaces::Complain(const Status& why) {
  const std::string text = why.message();
  if (std::find(problems_.begin(), problems_.end(), text) == problems_.end())
    problems_.push_back(text);
}

Status CodePlaces::CodeOf(int64_t content, const Code** out) {
  const auto [found, is_new] = codes_.try_emplace(content);
  Code& code = found->second;
  *out = &code;
  if (!is_new) return Status::Ok();
  std::string bytes;
  RTL_TRY(load_(content, &bytes));
  if (bytes.empty()) {
    Complain(Status::Error("some samples lie in code objects whose bytes are not in the trace"));
    return Status::Ok();
  }
  if (const Status opened = CodeFile::Open(std::move(bytes), &code.file); !opened.ok()) {
    Complain(opened);
    return Status::Ok();
  }
  const Status known = Disassembler::Open(*code.file, &code.disassembler);
  if (!known.ok()) Complain(known);
  return Status::Ok();
}

Status CodePlaces::At(int64_t content, uint64_t address, const CodePlace** out) {
  const auto [found, is_new] = places_.try_emplace({content, address});
  CodePlace& place = found->second;
  *out = &place;
  if (!is_new) return Status::Ok();
  const Code* code = nullptr;
  RTL_TRY(CodeOf(content, &code));
  if (code->file == nullptr) return Status::Ok();
  place.symbol = code->file->SymbolAt(address);
  place.frames = code->file->FramesAt(address);
  if (code->disassembler != nullptr)
    place.instruction = code->disassembler->At(address, &place.bytes);
  return Status::Ok();
}

}  // namespace rtl::symbols
