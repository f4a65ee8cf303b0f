// SPDX-License-Identifier: MIT
#include "symbols/disassembler.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

namespace rtl::symbols {
namespace {

// The functions that are used of amd_comgr.h, which are the same in versions 2 and 3. All return
// zero on success.
constexpr int kExecutable = 8;
struct Comgr {
  int (*create_data)(int kind, uint64_t* data) = nullptr;
  int (*release_data)(uint64_t data) = nullptr;
  int (*set_data)(uint64_t data, size_t bytes, const char* from) = nullptr;
  int (*isa_name)(uint64_t data, size_t* bytes, char* name) = nullptr;
  int (*create_info)(const char* isa, uint64_t (*read)(uint64_t, char*, uint64_t, void*),
                     void (*instruction)(const char*, void*), void (*annotation)(uint64_t, void*),
                     uint64_t* info) = nullptr;
  int (*destroy_info)(uint64_t info) = nullptr;
  int (*disassemble)(uint64_t info, uint64_t address, void* user, uint64_t* bytes) = nullptr;
};

constexpr const char* kLibraries[] = {"libamd_comgr.so.3", "libamd_comgr.so.2", "libamd_comgr.so",
                                      "/opt/rocm/lib/libamd_comgr.so.3",
                                      "/opt/rocm/lib/libamd_comgr.so.2"};

// The library, which is loaded once and stays loaded. Null: there is none.
const Comgr* Library() {
  static const Comgr* const library = []() -> const Comgr* {
    for (const char* const name : kLibraries) {
      void* const handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
      if (handle == nullptr) continue;
      static Comgr found;
      const auto take = [handle](const char* symbol, auto* out) {
        *out = reinterpret_cast<std::decay_t<decltype(*out)>>(dlsym(handle, symbol));
        return *out != nullptr;
      };
      if (take("amd_comgr_create_data", &found.create_data) &&
          take("amd_comgr_release_data", &found.release_data) &&
          take("amd_comgr_set_data", &found.set_data) &&
          take("amd_comgr_get_data_isa_name", &found.isa_name) &&
          take("amd_comgr_create_disassembly_info", &found.create_info) &&
          take("amd_comgr_destroy_disassembly_info", &found.destroy_info) &&
          take("amd_comgr_disassemble_instruction", &found.disassemble))
        return &found;
    }
    return nullptr;
  }();
  return library;
}

std::string IsaOf(const Comgr& comgr, const std::string& bytes) {
  uint64_t data = 0;
  if (comgr.create_data(kExecutable, &data) != 0) return "";
  std::string name;
  size_t length = 0;
  if (comgr.set_data(data, bytes.size(), bytes.data()) == 0 &&
      comgr.isa_name(data, &length, nullptr) == 0) {
    name.resize(length);
    if (comgr.isa_name(data, &length, name.data()) != 0) name.clear();
    name.resize(strnlen(name.data(), name.size()));
  }
  (void)comgr.release_data(data);  // if this fails, the library keeps a copy of the file
  return name;
}

// Reads the GPU from the file's header. Needed if the library does not know the file's format, for
// example that of a newer compiler.
std::string IsaOfHeader(const std::string& bytes) {
  constexpr size_t kFlagsAt = 48;  // e_flags of a 64-bit file
  uint32_t flags = 0;
  if (bytes.size() < kFlagsAt + sizeof flags) return "";
  std::memcpy(&flags, bytes.data() + kFlagsAt, sizeof flags);
  static constexpr std::pair<uint32_t, const char*> kMachines[] = {
      {0x2c, "gfx900"},  {0x2f, "gfx906"},  {0x30, "gfx908"},  {0x3f, "gfx90a"},  {0x40, "gfx940"},
      {0x4b, "gfx941"},  {0x4c, "gfx942"},  {0x4f, "gfx950"},  {0x36, "gfx1030"}, {0x41, "gfx1100"},
      {0x46, "gfx1101"}, {0x47, "gfx1102"}, {0x4e, "gfx1201"}, {0x48, "gfx1200"}};
  for (const auto& [machine, name] : kMachines) {
    if ((flags & 0xff) == machine) return std::string("amdgcn-amd-amdhsa--") + name;
  }
  return "";
}

}  // namespace

struct Disassembler::Request {
  const CodeFile& code;
  std::string text;
};

Status Disassembler::Open(const CodeFile& code, std::unique_ptr<Disassembler>* out) {
  const Comgr* const comgr = Library();
  if (comgr == nullptr)
    return Status::Error(
        "instructions have no text: libamd_comgr.so.3 and .so.2 were not found, nor in "
        "/opt/rocm/lib");
  std::unique_ptr<Disassembler> made(new Disassembler(code));
  std::string isa = IsaOf(*comgr, code.bytes());
  if (isa.empty()) isa = IsaOfHeader(code.bytes());
  if (isa.empty() || comgr->create_info(isa.c_str(), Read, AddText, Annotate, &made->info_) != 0) {
    made->info_ = 0;
    return Status::Error("instructions have no text: libamd_comgr does not know the GPU %s",
                         isa.empty() ? "of this code object" : isa.c_str());
  }
  *out = std::move(made);
  return Status::Ok();
}

Disassembler::~Disassembler() {
  if (info_ != 0) (void)Library()->destroy_info(info_);
}

uint64_t Disassembler::Read(uint64_t from, char* to, uint64_t bytes, void* request) {
  const std::string_view code = static_cast<Request*>(request)->code.CodeAt(from, bytes);
  std::copy(code.begin(), code.end(), to);
  return code.size();
}

void Disassembler::AddText(const char* text, void* request) {
  std::string_view words = text;
  while (!words.empty() && (words[0] == ' ' || words[0] == '\t')) words.remove_prefix(1);
  for (const char letter : words)
    static_cast<Request*>(request)->text.push_back(letter == '\t' ? ' ' : letter);
}

void Disassembler::Annotate(uint64_t, void*) {}

std::string Disassembler::At(uint64_t address, uint64_t* bytes) const {
  Request request = {code_, {}};
  *bytes = 0;
  if (Library()->disassemble(info_, address, &request, bytes) != 0) return "";
  return request.text;
}

}  // namespace rtl::symbols
