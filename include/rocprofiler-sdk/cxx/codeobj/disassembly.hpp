/* SPDX-License-Identifier: MIT
 * disassembly.hpp: the instructions of a code object, by amd_comgr. Errors are exceptions. */
#pragma once

#if __has_include(<amd_comgr/amd_comgr.h>)
#include <amd_comgr/amd_comgr.h>
#else
#include <amd_comgr.h>
#endif
#include <elf.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace rocprofiler {
namespace sdk {
namespace codeobj {
namespace disassembly {

/* The bytes of a file that a code object's URI names: file://PATH, with #offset=N&size=N. */
class CodeObjectBinary {
 public:
  explicit CodeObjectBinary(std::string uri) : m_uri(std::move(uri)) {
    const size_t scheme = m_uri.find("://");
    const size_t start = scheme == std::string::npos ? 0 : scheme + 3;
    std::string protocol =
        scheme == std::string::npos ? std::string("file") : m_uri.substr(0, scheme);
    std::transform(protocol.begin(), protocol.end(), protocol.begin(),
                   [](unsigned char c) { return std::tolower(c); });
    if (protocol != "file")
      throw std::runtime_error("code object of " + m_uri + ": only file:// can be read");
    const size_t end = m_uri.find_first_of("#?", start);
    const std::string path = Decoded(m_uri.substr(start, end - start));
    const std::string rest = end == std::string::npos ? std::string() : m_uri.substr(end + 1);
    const uint64_t offset = Parameter(rest, "offset").value_or(0);
    const std::optional<uint64_t> size = Parameter(rest, "size");
    if (size && *size == 0) return;
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file) throw std::runtime_error("cannot open " + path);
    const auto all = static_cast<uint64_t>(file.tellg());
    if (offset > all || (size && *size > all - offset))
      throw std::runtime_error(m_uri + ": beyond the end of the file");
    buffer.resize(size.value_or(all - offset));
    file.seekg(static_cast<std::streamoff>(offset));
    if (!file.read(buffer.data(), static_cast<std::streamsize>(buffer.size())))
      throw std::runtime_error("cannot read " + path);
  }

  std::string m_uri;
  std::vector<char> buffer;

 private:
  static std::string Decoded(const std::string& text) {
    std::string out;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '%' && i + 2 < text.size() &&
          std::isxdigit(static_cast<unsigned char>(text[i + 1])) != 0 &&
          std::isxdigit(static_cast<unsigned char>(text[i + 2])) != 0) {
        out += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
        i += 2;
      } else {
        out += text[i];
      }
    }
    return out;
  }
  static std::optional<uint64_t> Parameter(const std::string& text, const std::string& name) {
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find('&', at), text.size());
      if (text.compare(at, name.size() + 1, name + "=") == 0)
        return std::stoull(text.substr(at + name.size() + 1, end - at - name.size() - 1), nullptr,
                           0);
      at = end + 1;
    }
    return std::nullopt;
  }
};

struct SymbolInfo {
  std::string name{};
  uint64_t faddr = 0; /* in the file */
  uint64_t vaddr = 0;
  uint64_t mem_size = 0;
};

class DisassemblyInstance {
 public:
  DisassemblyInstance(const char* bytes, uint64_t size) : buffer(bytes, bytes + size) {
    Check(amd_comgr_create_data(AMD_COMGR_DATA_KIND_EXECUTABLE, &data), "create_data");
    Check(amd_comgr_set_data(data, buffer.size(), buffer.data()), "set_data");
    size_t length = 0;
    Check(amd_comgr_get_data_isa_name(data, &length, nullptr), "get_data_isa_name");
    std::string isa(length, '\0');
    Check(amd_comgr_get_data_isa_name(data, &length, isa.data()), "get_data_isa_name");
    Check(amd_comgr_create_disassembly_info(
              isa.c_str(), memory_callback, inst_callback, [](uint64_t, void*) {}, &info),
          "create_disassembly_info");
  }
  ~DisassemblyInstance() {
    if (info.handle != 0) (void)amd_comgr_destroy_disassembly_info(info);
    if (data.handle != 0) (void)amd_comgr_release_data(data);
  }
  DisassemblyInstance(const DisassemblyInstance&) = delete;
  DisassemblyInstance& operator=(const DisassemblyInstance&) = delete;

  /* The instruction at an offset in the file, and its bytes. */
  std::pair<std::string, size_t> ReadInstruction(uint64_t faddr) {
    uint64_t size = 0;
    last_instruction.clear();
    Check(amd_comgr_disassemble_instruction(info, reinterpret_cast<uint64_t>(buffer.data()) + faddr,
                                            this, &size),
          "disassemble_instruction");
    return {std::move(last_instruction), size};
  }

  /* Functions, by address. */
  std::map<uint64_t, SymbolInfo>& GetKernelMap() {
    symbol_map.clear();
    Check(amd_comgr_iterate_symbols(data, symbol_callback, this), "iterate_symbols");
    return symbol_map;
  }

  /* The file offset of an address. */
  std::optional<uint64_t> va2fo(uint64_t address) const {
    Elf64_Ehdr header;
    if (buffer.size() < sizeof header) return std::nullopt;
    std::memcpy(&header, buffer.data(), sizeof header);
    for (uint64_t i = 0; i < header.e_phnum; ++i) {
      Elf64_Phdr part;
      const uint64_t at = header.e_phoff + i * sizeof part;
      if (at > buffer.size() || buffer.size() - at < sizeof part) return std::nullopt;
      std::memcpy(&part, buffer.data() + at, sizeof part);
      if (part.p_type == PT_LOAD && address >= part.p_vaddr &&
          address - part.p_vaddr < part.p_filesz)
        return part.p_offset + (address - part.p_vaddr);
    }
    return std::nullopt;
  }

  static amd_comgr_status_t symbol_callback(amd_comgr_symbol_t symbol, void* user) {
    auto& self = *static_cast<DisassemblyInstance*>(user);
    const auto ask = [&](amd_comgr_symbol_info_t what, void* out) {
      return amd_comgr_symbol_get_info(symbol, what, out) == AMD_COMGR_STATUS_SUCCESS;
    };
    amd_comgr_symbol_type_t type;
    if (!ask(AMD_COMGR_SYMBOL_INFO_TYPE, &type)) return AMD_COMGR_STATUS_ERROR;
    if (type != AMD_COMGR_SYMBOL_TYPE_FUNC) return AMD_COMGR_STATUS_SUCCESS;
    uint64_t address = 0, size = 0, length = 0;
    if (!ask(AMD_COMGR_SYMBOL_INFO_VALUE, &address) || !ask(AMD_COMGR_SYMBOL_INFO_SIZE, &size) ||
        !ask(AMD_COMGR_SYMBOL_INFO_NAME_LENGTH, &length))
      return AMD_COMGR_STATUS_ERROR;
    std::string name(length + 1, '\0');
    if (!ask(AMD_COMGR_SYMBOL_INFO_NAME, name.data())) return AMD_COMGR_STATUS_ERROR;
    name.resize(length);
    if (const auto offset = self.va2fo(address))
      self.symbol_map[address] = {name, *offset, address, size};
    return AMD_COMGR_STATUS_SUCCESS;
  }
  static uint64_t memory_callback(uint64_t from, char* to, uint64_t size, void* user) {
    const auto& self = *static_cast<DisassemblyInstance*>(user);
    const uint64_t first = reinterpret_cast<uint64_t>(self.buffer.data());
    if (from < first || from >= first + self.buffer.size()) return 0;
    const uint64_t count = std::min<uint64_t>(size, first + self.buffer.size() - from);
    std::memcpy(to, self.buffer.data() + (from - first), count);
    return count;
  }
  static void inst_callback(const char* text, void* user) {
    if (text == nullptr) return;
    static_cast<DisassemblyInstance*>(user)->last_instruction = text + std::strspn(text, " \t");
  }

  std::vector<char> buffer{};
  std::string last_instruction{};
  amd_comgr_disassembly_info_t info{};
  amd_comgr_data_t data{};
  std::map<uint64_t, SymbolInfo> symbol_map{};

 private:
  static void Check(amd_comgr_status_t status, const char* what) {
    if (status == AMD_COMGR_STATUS_SUCCESS) return;
    const char* reason = "";
    (void)amd_comgr_status_string(status, &reason);
    throw std::runtime_error(std::string("amd_comgr_") + what + ": " + reason);
  }
};

}  // namespace disassembly
}  // namespace codeobj
}  // namespace sdk
}  // namespace rocprofiler
