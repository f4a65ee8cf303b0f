// SPDX-License-Identifier: MIT
#include "symbols/code_file.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>

#include <algorithm>
#include <cstdlib>

namespace rtl::symbols {

struct CodeFile::Handles {
  Elf* elf = nullptr;
  Dwarf* dwarf = nullptr;
  ~Handles() {
    if (dwarf != nullptr) dwarf_end(dwarf);
    if (elf != nullptr) elf_end(elf);
  }
};

// A compilation unit of the debug information.
struct CodeFile::Unit {
  Dwarf_Die die;
};

namespace {

std::string Text(const char* text) { return text == nullptr ? "" : text; }

// The value of `attribute` as a number. Zero: the entry does not have it.
uint64_t NumberOf(Dwarf_Die* die, unsigned attribute) {
  Dwarf_Attribute found;
  Dwarf_Word value = 0;
  if (dwarf_attr_integrate(die, attribute, &found) == nullptr ||
      dwarf_formudata(&found, &value) != 0)
    return 0;
  return value;
}

std::string NameOf(Dwarf_Die* die) {
  Dwarf_Attribute found;
  if (dwarf_attr_integrate(die, DW_AT_name, &found) == nullptr) return "";
  return Text(dwarf_formstring(&found));
}

// The source file that contains the call of an inlined function.
std::string CallFile(Dwarf_Die* unit, Dwarf_Die* call) {
  Dwarf_Files* files = nullptr;
  size_t count = 0;
  const uint64_t number = NumberOf(call, DW_AT_call_file);
  if (dwarf_getsrcfiles(unit, &files, &count) != 0 || number >= count) return "";
  return Text(dwarf_filesrc(files, number, nullptr, nullptr));
}

bool IsFunction(Dwarf_Die* die) {
  const int tag = dwarf_tag(die);
  return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

// The scopes around the address in this unit, innermost first. The scopes around an inlined call
// are those of the caller.
std::vector<Dwarf_Die> ScopesAt(Dwarf_Die* unit, Dwarf_Addr address) {
  Dwarf_Die* found = nullptr;
  int count = dwarf_getscopes(unit, address, &found);
  if (count <= 0) return {};
  Dwarf_Die innermost = found[0];
  std::free(found);
  found = nullptr;
  count = dwarf_getscopes_die(&innermost, &found);
  if (count <= 0) return {innermost};
  std::vector<Dwarf_Die> scopes(found, found + count);
  std::free(found);
  return scopes;
}

std::vector<SourceFrame> FramesIn(Dwarf_Die* unit, Dwarf_Addr address) {
  SourceFrame here;
  if (Dwarf_Line* const line = dwarf_getsrc_die(unit, address); line != nullptr) {
    int number = 0;
    here.file = Text(dwarf_linesrc(line, nullptr, nullptr));
    if (dwarf_lineno(line, &number) == 0) here.line = static_cast<uint32_t>(number);
  }
  std::vector<SourceFrame> frames;
  for (Dwarf_Die& scope : ScopesAt(unit, address)) {
    if (!IsFunction(&scope)) continue;
    here.function = NameOf(&scope);
    frames.push_back(here);
    if (dwarf_tag(&scope) == DW_TAG_subprogram) break;
    here.file = CallFile(unit, &scope);
    here.line = static_cast<uint32_t>(NumberOf(&scope, DW_AT_call_line));
  }
  if (frames.empty() && here.line != 0) frames.push_back(here);
  return frames;
}

}  // namespace

CodeFile::CodeFile() : handles_(std::make_unique<Handles>()) {}
CodeFile::~CodeFile() = default;

Status CodeFile::Open(std::string bytes, std::unique_ptr<CodeFile>* out) {
  (void)elf_version(EV_CURRENT);
  std::unique_ptr<CodeFile> file(new CodeFile());
  file->bytes_ = std::move(bytes);
  Handles& handles = *file->handles_;
  handles.elf = elf_memory(file->bytes_.data(), file->bytes_.size());
  if (handles.elf == nullptr || elf_kind(handles.elf) != ELF_K_ELF)
    return Status::Error("a code object is not an ELF file");
  file->ReadSegments();
  file->ReadSymbols();
  file->ReadUnits();
  *out = std::move(file);
  return Status::Ok();
}

void CodeFile::ReadSegments() {
  size_t count = 0;
  if (elf_getphdrnum(handles_->elf, &count) != 0) return;
  for (size_t i = 0; i < count; ++i) {
    GElf_Phdr header;
    if (gelf_getphdr(handles_->elf, static_cast<int>(i), &header) == nullptr ||
        header.p_type != PT_LOAD || header.p_offset > bytes_.size())
      continue;
    const uint64_t bytes = std::min<uint64_t>(header.p_filesz, bytes_.size() - header.p_offset);
    segments_.push_back({header.p_vaddr, bytes, header.p_offset});
  }
}

void CodeFile::ReadSymbols() {
  for (Elf_Scn* section = elf_nextscn(handles_->elf, nullptr); section != nullptr;
       section = elf_nextscn(handles_->elf, section)) {
    GElf_Shdr header;
    Elf_Data* const data = elf_getdata(section, nullptr);
    if (gelf_getshdr(section, &header) == nullptr || data == nullptr || header.sh_entsize == 0 ||
        (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM))
      continue;
    for (size_t i = 0; i < header.sh_size / header.sh_entsize; ++i) {
      GElf_Sym symbol;
      if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr ||
          GELF_ST_TYPE(symbol.st_info) != STT_FUNC)
        continue;
      const char* const name = elf_strptr(handles_->elf, header.sh_link, symbol.st_name);
      symbols_.push_back({symbol.st_value, symbol.st_size, Text(name)});
    }
  }
  std::sort(symbols_.begin(), symbols_.end(),
            [](const Symbol& a, const Symbol& b) { return a.address < b.address; });
}

void CodeFile::ReadUnits() {
  handles_->dwarf = dwarf_begin_elf(handles_->elf, DWARF_C_READ, nullptr);
  if (handles_->dwarf == nullptr) return;
  Dwarf_Off offset = 0;
  Dwarf_Off next = 0;
  size_t header_bytes = 0;
  while (dwarf_nextcu(handles_->dwarf, offset, &next, &header_bytes, nullptr, nullptr, nullptr) ==
         0) {
    Unit unit;
    if (dwarf_offdie(handles_->dwarf, offset + header_bytes, &unit.die) != nullptr)
      units_.push_back(unit);
    offset = next;
  }
}

std::vector<SourceFrame> CodeFile::FramesAt(uint64_t address) const {
  for (const Unit& unit : units_) {
    Dwarf_Die die = unit.die;
    if (dwarf_haspc(&die, address) != 1) continue;
    std::vector<SourceFrame> frames = FramesIn(&die, address);
    if (!frames.empty()) return frames;
  }
  return {};
}

std::string CodeFile::SymbolAt(uint64_t address) const {
  const auto behind =
      std::upper_bound(symbols_.begin(), symbols_.end(), address,
                       [](uint64_t value, const Symbol& symbol) { return value < symbol.address; });
  if (behind == symbols_.begin()) return "";
  const Symbol& symbol = *std::prev(behind);
  return address - symbol.address < symbol.bytes ? symbol.name : "";
}

std::string_view CodeFile::CodeAt(uint64_t address, size_t bytes) const {
  for (const Segment& segment : segments_) {
    if (address - segment.address >= segment.bytes) continue;
    const uint64_t into = address - segment.address;
    return std::string_view(bytes_).substr(segment.at + into,
                                           std::min<uint64_t>(bytes, segment.bytes - into));
  }
  return {};
}

}  // namespace rtl::symbols
