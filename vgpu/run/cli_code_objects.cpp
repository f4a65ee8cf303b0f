// SPDX-License-Identifier: MIT
#include "vgpu/run/cli_code_objects.h"

#include <elf.h>
#include <zstd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string_view>

#include "vgpu/config/gpu_model.h"

namespace vgpu {
namespace {

constexpr std::string_view kBundleMagic = "__CLANG_OFFLOAD_BUNDLE__";
constexpr std::string_view kCompressedMagic = "CCOB";
constexpr std::string_view kElfMagic = "\177ELF";
constexpr uint16_t kMachineAmdGpu = 224;
constexpr uint32_t kMachMask = 0xff;
constexpr uint16_t kZstd = 1;
constexpr uint64_t kMostRatio = 2000;  // bytes per compressed byte; a higher ratio means damage

// The processors by their number in an ELF header's flags.
struct Mach {
  uint32_t number;
  const char* name;
};
constexpr Mach kMachs[] = {
    {0x2a, "gfx803"},  {0x2c, "gfx900"},  {0x2d, "gfx902"},  {0x2e, "gfx904"},  {0x2f, "gfx906"},
    {0x30, "gfx908"},  {0x31, "gfx909"},  {0x32, "gfx90c"},  {0x33, "gfx1010"}, {0x34, "gfx1011"},
    {0x35, "gfx1012"}, {0x36, "gfx1030"}, {0x37, "gfx1031"}, {0x38, "gfx1032"}, {0x39, "gfx1033"},
    {0x3d, "gfx1035"}, {0x3e, "gfx1034"}, {0x3f, "gfx90a"},  {0x40, "gfx940"},  {0x41, "gfx1100"},
    {0x42, "gfx1013"}, {0x43, "gfx1150"}, {0x44, "gfx1103"}, {0x45, "gfx1036"}, {0x46, "gfx1101"},
    {0x47, "gfx1102"}, {0x48, "gfx1200"}, {0x4a, "gfx1151"}, {0x4c, "gfx942"},  {0x4e, "gfx1201"},
    {0x4f, "gfx950"},
};

// The number of a name such as "gfx90a", as in GpuModel::gfx; 0: there is no model of it.
int ModelledGfx(const char* name) {
  const auto gfx = static_cast<int>(std::strtol(name + std::strlen("gfx"), nullptr, 16));
  return FindGpuModel(gfx) != nullptr ? gfx : 0;
}

bool StartsWith(Bytes bytes, std::string_view magic) {
  return bytes.size() >= magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

// False when `bytes` do not hold a whole T at `offset`.
template <class T>
bool Get(Bytes bytes, uint64_t offset, T* out) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return false;
  std::memcpy(out, bytes.data() + offset, sizeof(T));
  return true;
}

// Empty when some of it is missing.
Bytes Part(Bytes bytes, uint64_t offset, uint64_t size) {
  if (offset > bytes.size() || bytes.size() - offset < size) return {};
  return bytes.subspan(offset, size);
}

std::string TextAt(Bytes strings, uint64_t offset) {
  if (offset >= strings.size()) return "";
  const char* begin = reinterpret_cast<const char*>(strings.data()) + offset;
  return {begin, strnlen(begin, strings.size() - offset)};
}

// Section headers of an ELF file; none when they are not all there.
std::vector<Elf64_Shdr> SectionsOf(Bytes file, const Elf64_Ehdr& header) {
  std::vector<Elf64_Shdr> sections;
  for (uint64_t i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    if (header.e_shoff > file.size() ||
        !Get(file, header.e_shoff + i * sizeof(Elf64_Shdr), &section)) {
      return {};
    }
    sections.push_back(section);
  }
  return sections;
}

// The functions of one code section. A function without a size goes on to the next one.
std::vector<CodePart> PartsOf(Bytes file, const std::vector<Elf64_Shdr>& sections, size_t text) {
  struct Function {
    uint64_t begin, size;
    std::string name;
  };
  std::vector<Function> functions;
  for (const Elf64_Shdr& table : sections) {
    if (table.sh_type != SHT_SYMTAB && table.sh_type != SHT_DYNSYM) continue;
    if (table.sh_link >= sections.size()) continue;
    const Bytes strings =
        Part(file, sections[table.sh_link].sh_offset, sections[table.sh_link].sh_size);
    const Bytes symbols = Part(file, table.sh_offset, table.sh_size);
    Elf64_Sym symbol;
    for (uint64_t at = 0; Get(symbols, at, &symbol); at += sizeof symbol) {
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx != text) continue;
      functions.push_back({symbol.st_value - sections[text].sh_addr, symbol.st_size,
                           TextAt(strings, symbol.st_name)});
    }
  }
  std::sort(functions.begin(), functions.end(),
            [](const Function& a, const Function& b) { return a.begin < b.begin; });
  const auto same = [](const Function& a, const Function& b) { return a.begin == b.begin; };
  functions.erase(std::unique(functions.begin(), functions.end(), same), functions.end());

  const Bytes code = Part(file, sections[text].sh_offset, sections[text].sh_size);
  std::vector<CodePart> parts;
  for (size_t i = 0; i < functions.size(); ++i) {
    const uint64_t next = i + 1 < functions.size() ? functions[i + 1].begin : code.size();
    const uint64_t size = functions[i].size != 0 ? functions[i].size : next - functions[i].begin;
    const Bytes part = Part(code, functions[i].begin, size);
    if (!part.empty()) parts.push_back({functions[i].name, part});
  }
  if (parts.empty() && !code.empty()) parts.push_back({"the code section", code});
  return parts;
}

}  // namespace

bool CodeObjects::Read(Bytes file, std::string* why) {
  if (!ReadAny(file, why)) return false;
  if (!list_.empty()) return true;
  *why = "it contains no code object";
  return false;
}

bool CodeObjects::ReadAny(Bytes bytes, std::string* why) {
  if (StartsWith(bytes, kBundleMagic) || StartsWith(bytes, kCompressedMagic)) {
    return ReadBundles(bytes, why);
  }
  Elf64_Ehdr header;
  if (!StartsWith(bytes, kElfMagic) || !Get(bytes, 0, &header)) {
    *why = "it is neither an ELF file nor a bundle of code objects";
    return false;
  }
  if (header.e_machine == kMachineAmdGpu) return ReadCodeObject(bytes, why);
  return ReadHost(bytes, why);
}

// The bundles that a linker placed one after the other, each aligned.
bool CodeObjects::ReadBundles(Bytes bytes, std::string* why) {
  constexpr uint64_t kAlignment = 8;
  uint64_t offset = 0;
  while (offset < bytes.size()) {
    const Bytes rest = bytes.subspan(offset);
    uint64_t length = kAlignment;
    if (StartsWith(rest, kBundleMagic)) {
      if (!ReadBundle(rest, &length, why)) return false;
    } else if (StartsWith(rest, kCompressedMagic)) {
      if (!ReadCompressed(rest, &length, why)) return false;
    }
    offset += std::max(length, kAlignment);
    offset = (offset + kAlignment - 1) / kAlignment * kAlignment;
  }
  return true;
}

bool CodeObjects::ReadBundle(Bytes bytes, uint64_t* length, std::string* why) {
  uint64_t count = 0;
  uint64_t at = kBundleMagic.size();
  bool whole = Get(bytes, at, &count);
  at += sizeof count;
  *length = at;
  for (uint64_t i = 0; whole && i < count; ++i) {
    uint64_t entry[3];  // offset, size, length of the id
    whole = Get(bytes, at, &entry) && !Part(bytes, at + sizeof entry, entry[2]).empty();
    if (!whole) break;
    at += sizeof entry + entry[2];
    const Bytes object = Part(bytes, entry[0], entry[1]);
    whole = object.size() == entry[1];
    *length = std::max({*length, at, entry[0] + entry[1]});
    if (whole && StartsWith(object, kElfMagic) && !ReadAny(object, why)) return false;
  }
  if (!whole) *why = "a bundle of code objects is cut off";
  return whole;
}

// Magic, version, method; then sizes, whose width and number depend on the version, and a hash.
bool CodeObjects::ReadCompressed(Bytes bytes, uint64_t* length, std::string* why) {
  uint16_t version = 0, method = 0;
  uint32_t sizes[2] = {};
  if (!Get(bytes, 4, &version) || !Get(bytes, 6, &method) || !Get(bytes, 8, &sizes)) {
    *why = "a compressed bundle is cut off";
    return false;
  }
  if (version < 1 || version > 3 || method != kZstd) {
    *why = "a compressed bundle is of version " + std::to_string(version) + ", method " +
           std::to_string(method) + "; zstd in versions 1 to 3 can be read";
    return false;
  }
  constexpr uint64_t kHeaders[] = {0, 20, 24, 32};
  const Bytes data = bytes.subspan(std::min<size_t>(kHeaders[version], bytes.size()));
  const size_t packed = ZSTD_findFrameCompressedSize(data.data(), data.size());
  const uint64_t size = ZSTD_getFrameContentSize(data.data(), data.size());
  if (ZSTD_isError(packed) || size > packed * kMostRatio) {
    *why = "a compressed bundle is damaged";
    return false;
  }
  std::vector<uint8_t>& out = decompressed_.emplace_back(size);
  if (ZSTD_decompress(out.data(), out.size(), data.data(), packed) != size) {
    *why = "a compressed bundle is damaged";
    return false;
  }
  *length = kHeaders[version] + packed;
  return ReadAny(out, why);
}

bool CodeObjects::ReadHost(Bytes bytes, std::string* why) {
  Elf64_Ehdr header;
  if (!Get(bytes, 0, &header)) return true;
  const std::vector<Elf64_Shdr> sections = SectionsOf(bytes, header);
  if (header.e_shstrndx >= sections.size()) return true;
  const Elf64_Shdr& names = sections[header.e_shstrndx];
  const Bytes strings = Part(bytes, names.sh_offset, names.sh_size);
  for (const Elf64_Shdr& section : sections) {
    if (TextAt(strings, section.sh_name) != ".hip_fatbin") continue;
    if (!ReadBundles(Part(bytes, section.sh_offset, section.sh_size), why)) return false;
  }
  return true;
}

bool CodeObjects::ReadCodeObject(Bytes bytes, std::string* why) {
  Elf64_Ehdr header;
  if (!Get(bytes, 0, &header)) {
    *why = "a code object is cut off";
    return false;
  }
  CodeObject object;
  const uint32_t number = header.e_flags & kMachMask;
  const auto mach = std::find_if(std::begin(kMachs), std::end(kMachs),
                                 [number](const Mach& m) { return m.number == number; });
  char text[32];
  std::snprintf(text, sizeof text, "machine 0x%x", number);
  object.target = mach != std::end(kMachs) ? mach->name : text;
  object.gfx = mach != std::end(kMachs) ? ModelledGfx(mach->name) : 0;
  const std::vector<Elf64_Shdr> sections = SectionsOf(bytes, header);
  for (size_t i = 0; i < sections.size(); ++i) {
    if ((sections[i].sh_flags & SHF_EXECINSTR) == 0 || sections[i].sh_type == SHT_NOBITS) continue;
    for (CodePart& part : PartsOf(bytes, sections, i)) object.parts.push_back(std::move(part));
  }
  if (object.parts.empty()) {
    *why = "a code object for " + object.target + " has no code section";
    return false;
  }
  list_.push_back(std::move(object));
  return true;
}

}  // namespace vgpu
