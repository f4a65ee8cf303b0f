/* SPDX-License-Identifier: MIT
 * code_printing.hpp: instructions of code objects with their source lines, by amd_comgr and
 * libdw. Errors are exceptions, except that an address in no code object returns null. */
#pragma once

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <rocprofiler-sdk/cxx/codeobj/disassembly.hpp>
#include <rocprofiler-sdk/cxx/codeobj/segment.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace rocprofiler {
namespace sdk {
namespace codeobj {
namespace disassembly {

using marker_id_t = segment::marker_id_t;

struct Instruction {
  Instruction() = default;
  Instruction(std::string&& text, size_t bytes) : inst(std::move(text)), size(bytes) {}
  std::string inst{};
  std::string comment{}; /* file:line, and after each separator the line where that was inlined */
  uint64_t faddr{0};
  uint64_t vaddr{0};
  size_t size{0};
  uint64_t ld_addr{0}; /* its load address, and its code object */
  marker_id_t codeobj_id{0};

  static constexpr std::string_view separator = " -> ";
};

/* A code object that was not loaded. */
class CodeobjDecoderComponent {
 public:
  CodeobjDecoderComponent(const char* bytes, uint64_t size) {
    ReadLines(bytes, size);
    disassembly = std::make_unique<DisassemblyInstance>(bytes, size);
    try {
      m_symbol_map = disassembly->GetKernelMap();
    } catch (const std::exception&) {  // the instructions are still available
    }
  }

  std::optional<uint64_t> va2fo(uint64_t vaddr) const { return disassembly->va2fo(vaddr); }

  std::unique_ptr<Instruction> disassemble_instruction(uint64_t faddr, uint64_t vaddr) {
    auto read = disassembly->ReadInstruction(faddr);
    auto made = std::make_unique<Instruction>(std::move(read.first), read.second);
    made->faddr = faddr;
    made->vaddr = vaddr;
    const auto line = m_line_number_map.find({vaddr, 0, 0});
    if (line != m_line_number_map.end()) made->comment = line->second;
    return made;
  }

  std::map<uint64_t, SymbolInfo> m_symbol_map{};
  std::vector<std::shared_ptr<Instruction>> instructions{};
  std::unique_ptr<DisassemblyInstance> disassembly{};
  std::map<segment::address_range_t, std::string> m_line_number_map{};

 private:
  struct File {
    File() : number(::memfd_create("codeobj", MFD_CLOEXEC)) {}
    ~File() {
      if (number >= 0) ::close(number);
    }
    int number;
  };

  static bool Write(int file, const char* bytes, uint64_t size) {
    for (uint64_t done = 0; done < size;) {
      const ssize_t written = ::write(file, bytes + done, size - done);
      if (written <= 0) return false;
      done += static_cast<uint64_t>(written);
    }
    return ::lseek(file, 0, SEEK_SET) == 0;
  }

  /* Empty without debug information. */
  void ReadLines(const char* bytes, uint64_t size) {
    const File file;
    if (file.number < 0 || !Write(file.number, bytes, size))
      throw std::runtime_error("no room for a code object");
    const std::unique_ptr<Dwarf, int (*)(Dwarf*)> dwarf(dwarf_begin(file.number, DWARF_C_READ),
                                                        dwarf_end);
    if (dwarf == nullptr) return;
    std::map<uint64_t, std::string> lines;
    size_t header = 0;
    Dwarf_Off next = 0;
    for (Dwarf_Off unit = 0;
         dwarf_nextcu(dwarf.get(), unit, &next, &header, nullptr, nullptr, nullptr) == 0;
         unit = next) {
      Dwarf_Die die;
      if (dwarf_offdie(dwarf.get(), unit + header, &die) != nullptr) ReadUnit(&die, &lines);
    }
    for (auto line = lines.begin(); line != lines.end(); ++line) {
      const auto after = std::next(line);
      const uint64_t end = after == lines.end() ? size : after->first;
      if (end > line->first)
        m_line_number_map.emplace(segment::address_range_t{line->first, end - line->first, 0},
                                  std::move(line->second));
    }
  }

  static void ReadUnit(Dwarf_Die* unit, std::map<uint64_t, std::string>* lines) {
    Dwarf_Lines* all = nullptr;
    size_t count = 0;
    if (dwarf_getsrclines(unit, &all, &count) != 0) return;
    for (size_t i = 0; i < count; ++i) {
      Dwarf_Line* const line = dwarf_onesrcline(all, i);
      Dwarf_Addr address = 0;
      int number = 0;
      if (line == nullptr || dwarf_lineaddr(line, &address) != 0 ||
          dwarf_lineno(line, &number) != 0 || number == 0)
        continue;
      const char* const source = dwarf_linesrc(line, nullptr, nullptr);
      if (source == nullptr) continue;
      (*lines)[address] =
          std::string(source) + ':' + std::to_string(number) + Callers(unit, address);
    }
  }

  /* The inlined calls at the address, innermost first. */
  static std::string Callers(Dwarf_Die* unit, Dwarf_Addr address) {
    std::string text;
    Dwarf_Files* files = nullptr;
    size_t file_count = 0;
    if (dwarf_getsrcfiles(unit, &files, &file_count) != 0) return text;
    Dwarf_Die* scopes = nullptr;
    const int count = dwarf_getscopes(unit, address, &scopes);
    for (int i = 0; i < count; ++i) {
      Dwarf_Attribute attribute;
      Dwarf_Word file = 0, line = 0;
      if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine ||
          dwarf_formudata(dwarf_attr(&scopes[i], DW_AT_call_file, &attribute), &file) != 0 ||
          dwarf_formudata(dwarf_attr(&scopes[i], DW_AT_call_line, &attribute), &line) != 0 ||
          file >= file_count)
        continue;
      const char* const name = dwarf_filesrc(files, file, nullptr, nullptr);
      if (name != nullptr)
        text += std::string(Instruction::separator) + name + ':' + std::to_string(line);
    }
    std::free(scopes);
    return text;
  }
};

/* A code object with its load address. */
class LoadedCodeobjDecoder {
 public:
  /* A URI of a code object, or the name of a file that ends in ".out". */
  LoadedCodeobjDecoder(const char* uri, uint64_t address, uint64_t size)
      : load_addr(address), load_end(address + size) {
    if (uri == nullptr) throw std::runtime_error("a code object without a name");
    const std::string_view name(uri);
    std::vector<char> bytes;
    if (name.size() >= 4 && name.substr(name.size() - 4) == ".out") {
      std::ifstream file(uri, std::ios::binary);
      if (!file) throw std::runtime_error("cannot open " + std::string(name));
      bytes.assign(std::istreambuf_iterator<char>(file), {});
    } else {
      bytes = std::move(CodeObjectBinary(uri).buffer);
    }
    decoder = std::make_unique<CodeobjDecoderComponent>(bytes.data(), bytes.size());
  }
  LoadedCodeobjDecoder(const void* bytes, uint64_t count, uint64_t address, size_t size)
      : load_addr(address),
        load_end(address + size),
        decoder(std::make_unique<CodeobjDecoderComponent>(static_cast<const char*>(bytes), count)) {
  }

  std::unique_ptr<Instruction> get(uint64_t address) {
    if (address < load_addr) return nullptr;
    const auto place = decoder->va2fo(address - load_addr);
    if (!place) return nullptr;
    auto made = decoder->disassemble_instruction(*place, address - load_addr);
    if (made->size == 0) return nullptr;
    made->ld_addr = address;
    return made;
  }

  uint64_t begin() const { return load_addr; }
  uint64_t end() const { return load_end; }
  uint64_t size() const { return load_end - load_addr; }
  bool inrange(uint64_t address) const { return address >= load_addr && address < load_end; }
  /* Null: no function begins there. */
  const char* getSymbolName(uint64_t address) const {
    const auto found = decoder->m_symbol_map.find(address - load_addr);
    return found == decoder->m_symbol_map.end() ? nullptr : found->second.name.c_str();
  }
  std::map<uint64_t, SymbolInfo>& getSymbolMap() const { return decoder->m_symbol_map; }

  const uint64_t load_addr;

 private:
  uint64_t load_end;
  std::unique_ptr<CodeobjDecoderComponent> decoder;
};

/* Code objects by id. */
class CodeobjMap {
 public:
  CodeobjMap() = default;
  virtual ~CodeobjMap() = default;

  virtual void addDecoder(const char* uri, marker_id_t id, uint64_t address, uint64_t size) {
    decoders[id] = std::make_shared<LoadedCodeobjDecoder>(uri, address, size);
  }
  virtual void addDecoder(const void* bytes, size_t count, marker_id_t id, uint64_t address,
                          uint64_t size) {
    decoders[id] = std::make_shared<LoadedCodeobjDecoder>(bytes, count, address, size);
  }
  virtual bool removeDecoderbyId(marker_id_t id) { return decoders.erase(id) != 0; }

  /* Null: no such code object, or no instruction. */
  std::unique_ptr<Instruction> get(marker_id_t id, uint64_t offset) {
    const auto found = decoders.find(id);
    if (found == decoders.end()) return nullptr;
    auto made = found->second->get(found->second->begin() + offset);
    if (made != nullptr) made->codeobj_id = id;
    return made;
  }
  const char* getSymbolName(marker_id_t id, uint64_t offset) {
    const auto found = decoders.find(id);
    if (found == decoders.end()) return nullptr;
    const uint64_t address = found->second->begin() + offset;
    return found->second->inrange(address) ? found->second->getSymbolName(address) : nullptr;
  }

 protected:
  std::unordered_map<marker_id_t, std::shared_ptr<LoadedCodeobjDecoder>> decoders{};
};

/* The same, also by address. */
class CodeobjAddressTranslate : public CodeobjMap {
 public:
  void addDecoder(const char* uri, marker_id_t id, uint64_t address, uint64_t size) override {
    CodeobjMap::addDecoder(uri, id, address, size);
    table.insert({address, size, id});
  }
  void addDecoder(const void* bytes, size_t count, marker_id_t id, uint64_t address,
                  uint64_t size) override {
    CodeobjMap::addDecoder(bytes, count, id, address, size);
    table.insert({address, size, id});
  }
  bool removeDecoder(marker_id_t id, uint64_t address) {
    return table.remove(address) && removeDecoderbyId(id);
  }
  bool removeDecoder(marker_id_t id) {
    const auto found = decoders.find(id);
    return found != decoders.end() && removeDecoder(id, found->second->begin());
  }

  /* Throws std::exception when no code object contains it. */
  std::unique_ptr<Instruction> get(uint64_t address) {
    const auto range = table.find_codeobj_in_range(address);
    return CodeobjMap::get(range.id, address - range.addr);
  }
  /* Code object zero: `offset` is an address. */
  std::unique_ptr<Instruction> get(marker_id_t id, uint64_t offset) {
    return id == 0 ? get(offset) : CodeobjMap::get(id, offset);
  }
  const char* getSymbolName(uint64_t address) {
    for (const auto& each : decoders) {
      if (each.second->inrange(address)) return each.second->getSymbolName(address);
    }
    return nullptr;
  }
  /* By load address. */
  std::map<uint64_t, SymbolInfo> getSymbolMap() const {
    std::map<uint64_t, SymbolInfo> all;
    for (const auto& each : decoders) {
      for (const auto& symbol : each.second->getSymbolMap())
        all[symbol.first + each.second->load_addr] = symbol.second;
    }
    return all;
  }
  std::map<uint64_t, SymbolInfo> getSymbolMap(marker_id_t id) const {
    const auto found = decoders.find(id);
    return found == decoders.end() ? std::map<uint64_t, SymbolInfo>{}
                                   : found->second->getSymbolMap();
  }

 private:
  segment::CodeobjTableTranslator table{};
};

}  // namespace disassembly
}  // namespace codeobj
}  // namespace sdk
}  // namespace rocprofiler
