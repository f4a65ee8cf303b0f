// SPDX-License-Identifier: MIT
#include "inject/loaded_libraries.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>

#include "base/unique_fd.h"

namespace rtl::inject {
namespace {

constexpr size_t kMostBytes = size_t{256} << 20;

// Reads a part of a file. Empty: the file has no such part, or the part is too large.
std::string ReadPart(int file, uint64_t offset, uint64_t bytes) {
  if (bytes > kMostBytes) return "";
  std::string part(bytes, '\0');
  size_t done = 0;
  while (done < bytes) {
    const ssize_t got =
        pread(file, part.data() + done, bytes - done, static_cast<off_t>(offset + done));
    if (got <= 0) return "";
    done += static_cast<size_t>(got);
  }
  return part;
}

template <typename T>
bool ReadAt(int file, uint64_t offset, T* out) {
  return pread(file, out, sizeof *out, static_cast<off_t>(offset)) ==
         static_cast<ssize_t>(sizeof *out);
}

// Reads the header of an ELF file. False: it is no library for this machine.
bool ReadHead(int file, Elf64_Ehdr* out) {
  return file >= 0 && ReadAt(file, 0, out) && memcmp(out->e_ident, ELFMAG, SELFMAG) == 0 &&
         out->e_ident[EI_CLASS] == ELFCLASS64 && out->e_machine == EM_X86_64;
}

// Finds the file of a mapping. The path may be valid in the process's view of the file system or in
// ours, and the file may have been replaced or removed.
std::string FindFile(const std::string& process, const std::string& path,
                     const std::string& addresses, const std::string& inode) {
  for (const std::string& file : {process + "/root" + path, path}) {
    struct stat info;
    if (stat(file.c_str(), &info) == 0 && std::to_string(info.st_ino) == inode) return file;
  }
  return process + "/map_files/" + addresses;
}

bool ParseRange(std::string_view text, Range* out) {
  const size_t dash = text.find('-');
  if (dash == std::string_view::npos) return false;
  const auto parse = [](std::string_view word, uint64_t* value) {
    return std::from_chars(word.data(), word.data() + word.size(), *value, 16).ec == std::errc();
  };
  return parse(text.substr(0, dash), &out->begin) && parse(text.substr(dash + 1), &out->end);
}

}  // namespace

bool AnyHas(const std::vector<Range>& ranges, uint64_t address) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const Range& range) { return range.Has(address); });
}

void LoadedLibrary::Load() const {
  if (loaded_) return;
  loaded_ = true;
  if (code_.empty()) return;
  const UniqueFd file(open(file_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  Elf64_Ehdr head;
  if (!ReadHead(file.get(), &head)) return;
  for (uint32_t i = 0; i < head.e_shnum; ++i) {
    Elf64_Shdr part, names;
    if (!ReadAt(file.get(), head.e_shoff + uint64_t{i} * sizeof part, &part)) return;
    if (part.sh_type != SHT_DYNSYM ||
        !ReadAt(file.get(), head.e_shoff + uint64_t{part.sh_link} * sizeof names, &names))
      continue;
    names_ = ReadPart(file.get(), names.sh_offset, names.sh_size);
    const std::string symbols = ReadPart(file.get(), part.sh_offset, part.sh_size);
    for (size_t at = 0; at + sizeof(Elf64_Sym) <= symbols.size(); at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      memcpy(&symbol, symbols.data() + at, sizeof symbol);
      if (symbol.st_shndx == SHN_UNDEF || ELF64_ST_TYPE(symbol.st_info) != STT_FUNC ||
          symbol.st_name >= names_.size())
        continue;
      functions_.push_back({base_ + symbol.st_value, symbol.st_size, symbol.st_name});
    }
    break;
  }
  std::sort(functions_.begin(), functions_.end(),
            [](const Function& a, const Function& b) { return a.address < b.address; });
}

uint64_t LoadedLibrary::Find(std::string_view function) const {
  Load();
  for (const Function& each : functions_) {
    if (NameOf(each) == function) return each.address;
  }
  return 0;
}

std::vector<Range> LoadedLibrary::Only(std::string_view function) const {
  Load();
  std::vector<Range> found;
  for (const Function& each : functions_) {
    if (NameOf(each) == function) found.push_back({each.address, each.address + each.bytes});
  }
  return found;
}

std::vector<Range> LoadedLibrary::Around(const std::vector<std::string_view>& wanted) const {
  Load();
  const auto is_wanted = [&](const Function& function) {
    return std::find(wanted.begin(), wanted.end(), NameOf(function)) != wanted.end();
  };
  std::vector<Range> found;
  uint64_t before = 0;  // end of the last function whose name is not in `wanted`
  for (size_t i = 0; i < functions_.size(); ++i) {
    const Function& each = functions_[i];
    if (!is_wanted(each)) {
      // A second name of the function before, at the same address.
      const bool alias = !found.empty() && found.back().Has(each.address) && i > 0 &&
                         functions_[i - 1].address == each.address;
      if (!alias) before = each.address + each.bytes;
      continue;
    }
    uint64_t end = each.address + each.bytes;
    for (size_t next = i + 1; next < functions_.size(); ++next) {
      if (functions_[next].address == each.address) continue;
      end = std::max(end, functions_[next].address);
      break;
    }
    if (!found.empty() && found.back().end >= each.address) {
      found.back().end = std::max(found.back().end, end);
    } else {
      found.push_back({std::min(before, each.address), end});
    }
  }
  return found;
}

// The offset of code within its segment is the same in memory and in the file.
uint64_t LoadedLibrary::FindBytes(std::string_view bytes) const {
  const UniqueFd file(open(file_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  Elf64_Ehdr head;
  if (!ReadHead(file.get(), &head)) return 0;
  for (uint32_t i = 0; i < head.e_phnum; ++i) {
    Elf64_Phdr segment;
    if (!ReadAt(file.get(), head.e_phoff + uint64_t{i} * sizeof segment, &segment)) return 0;
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
    const std::string code = ReadPart(file.get(), segment.p_offset, segment.p_filesz);
    const size_t at = code.find(bytes);
    if (at != std::string::npos && HasCode(base_ + segment.p_vaddr + at))
      return base_ + segment.p_vaddr + at;
  }
  return 0;
}

Status ReadLibraries(uint32_t pid, std::vector<LoadedLibrary>* libraries,
                     std::vector<Range>* stacks) {
  const std::string process = "/proc/" + std::to_string(pid);
  std::ifstream maps(process + "/maps");
  if (!maps) return Status::ErrnoError(errno, "its memory cannot be looked into");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    std::string addresses, access, offset, device, inode, path;
    words >> addresses >> access >> offset >> device >> inode;
    std::getline(words >> std::ws, path);
    Range range;
    if (!ParseRange(addresses, &range) || access.size() < 3) continue;
    if (access[0] == 'r' && access[1] == 'w') stacks->push_back(range);
    if (path.empty() || path[0] != '/') continue;
    constexpr std::string_view kGone = " (deleted)";
    if (path.ends_with(kGone)) path.resize(path.size() - kGone.size());
    const bool first = libraries->empty() || libraries->back().path() != path;
    if (first && offset.find_first_not_of('0') == std::string::npos) {
      libraries->emplace_back(path, FindFile(process, path, addresses, inode), range.begin);
    }
    if (access[2] == 'x' && !libraries->empty() && libraries->back().path() == path)
      libraries->back().AddCode(range);
  }
  return libraries->empty() ? Status::Error("its memory cannot be looked into") : Status::Ok();
}

}  // namespace rtl::inject
