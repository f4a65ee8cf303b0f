// SPDX-License-Identifier: MIT
// Feeds untrusted code objects to the tracer, as the runtime's loader passes them on after parsing
// a file: target names, kinds of symbols, names of any length and content, addresses, sizes, and
// the bytes of kernel descriptors that may end at the end of readable memory.
//
//   input     a target's name up to the first zero byte; then executables, each a byte with the
//             number of its symbols and for every symbol: kind and failing queries (2 bytes),
//             address and room for the descriptor (2), length of the name (2), the name, the
//             descriptor's first bytes (64)
#include <hsa/hsa_ven_amd_loader.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "capture/codeobj/code_objects.h"

namespace rtl::capture {
namespace {

constexpr uint64_t kGpu = 0x60;
constexpr uint64_t kFirstAddress = 0x7000'0000'0000;
constexpr size_t kDescriptorBytes = 64;

void Check(bool holds) {
  if (!holds) abort();
}

class Input {
 public:
  Input(const uint8_t* data, size_t size) : at_(data), end_(data + size) {}
  bool empty() const { return at_ == end_; }
  uint8_t Byte() { return empty() ? 0 : *at_++; }
  uint16_t Word() { return static_cast<uint16_t>(Byte() | Byte() << 8); }
  std::string Bytes(size_t most) {
    const size_t bytes = std::min(most, static_cast<size_t>(end_ - at_));
    const std::string text(reinterpret_cast<const char*>(at_), bytes);
    at_ += bytes;
    return text;
  }
  std::string Name() {
    const auto* zero = static_cast<const uint8_t*>(memchr(at_, 0, static_cast<size_t>(end_ - at_)));
    const std::string name = Bytes(static_cast<size_t>((zero == nullptr ? end_ : zero) - at_));
    (void)Byte();
    return name;
  }

 private:
  const uint8_t* at_;
  const uint8_t* end_;
};

struct Symbol {
  hsa_symbol_kind_t kind = HSA_SYMBOL_KIND_KERNEL;
  uint16_t refused = 0;  // one bit for each query that fails
  uint64_t object = 0;
  std::string name;
  std::string descriptor;
  size_t readable = 0;  // bytes at and after the descriptor's address
};

struct Loader {
  std::string target;
  std::vector<Symbol> symbols;
  char* page = nullptr;  // the page after it is not readable
  size_t page_bytes = 0;
} loader;

const Symbol& SymbolOf(hsa_executable_symbol_t symbol) { return loader.symbols[symbol.handle]; }

hsa_status_t IterateSymbols(hsa_executable_t executable,
                            hsa_status_t (*callback)(hsa_executable_t, hsa_executable_symbol_t,
                                                     void*),
                            void* data) {
  for (uint64_t i = 0; i < loader.symbols.size(); ++i) {
    const hsa_status_t status = callback(executable, {i}, data);
    if (status != HSA_STATUS_SUCCESS) return status;
  }
  return HSA_STATUS_SUCCESS;
}

template <typename T>
hsa_status_t Say(void* out, T value) {
  memcpy(out, &value, sizeof value);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t SymbolGetInfo(hsa_executable_symbol_t handle, hsa_executable_symbol_info_t what,
                           void* out) {
  const Symbol& symbol = SymbolOf(handle);
  if ((symbol.refused >> (what % 16) & 1) != 0) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  switch (what) {
    case HSA_EXECUTABLE_SYMBOL_INFO_TYPE:
      return Say(out, symbol.kind);
    case HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH:
      return Say(out, static_cast<uint32_t>(symbol.name.size()));
    case HSA_EXECUTABLE_SYMBOL_INFO_NAME:
      memcpy(out, symbol.name.data(), symbol.name.size());
      return HSA_STATUS_SUCCESS;
    case HSA_EXECUTABLE_SYMBOL_INFO_AGENT:
      return Say(out, hsa_agent_t{kGpu});
    case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT:
      return Say(out, symbol.object);
    default:
      return Say(out, uint32_t{0xffffffff});
  }
}

hsa_status_t IterateAgents(hsa_status_t (*callback)(hsa_agent_t, void*), void* data) {
  return callback({kGpu}, data);
}

hsa_status_t AgentGetInfo(hsa_agent_t, hsa_agent_info_t, void* out) {
  memcpy(out, loader.target.c_str(), std::min<size_t>(loader.target.size() + 1, 63));
  return HSA_STATUS_SUCCESS;
}

hsa_status_t HostAddress(const void* device, const void** host) {
  const auto address = reinterpret_cast<uint64_t>(device);
  for (const Symbol& symbol : loader.symbols) {
    if (symbol.object != address) continue;
    char* const place = loader.page + loader.page_bytes - symbol.readable;
    memcpy(place, symbol.descriptor.data(), std::min(symbol.descriptor.size(), symbol.readable));
    *host = place;
    return HSA_STATUS_SUCCESS;
  }
  return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

hsa_status_t ExtensionTable(uint16_t, uint16_t, size_t size, void* out) {
  hsa_ven_amd_loader_1_00_pfn_t table = {};
  table.hsa_ven_amd_loader_query_host_address = HostAddress;
  memcpy(out, &table, size);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t NotUsed() { return HSA_STATUS_ERROR; }
hsa_status_t Freeze(hsa_executable_t, const char*) { return HSA_STATUS_SUCCESS; }

template <size_t kSlots>
struct Table {
  Table() : version{1, sizeof(Table), 0, 0} {
    for (void*& slot : slots) slot = reinterpret_cast<void*>(&NotUsed);
  }
  template <typename Function>
  void Set(uint32_t slot, Function function) {
    slots[slot] = reinterpret_cast<void*>(function);
  }
  uint32_t version[4];
  void* slots[kSlots];
};

#define X(name, slot) [[maybe_unused]] constexpr uint32_t k_##name = slot;
RTL_HSA_CORE_SLOTS(X)
#undef X

// Checks that every record fits into the spool and matches the loader's data.
class CheckingSink final : public RecordSink {
 public:
  bool Write(const void* bytes, size_t size, const char* text, size_t text_bytes) override {
    KernelRecord record;
    Check(size == sizeof record);
    memcpy(&record, bytes, size);
    Check(record.text_bytes == text_bytes && text_bytes <= kMaxTextBytes);
    Check(record.kernel > last_);
    last_ = record.kernel;
    Check(record.vgprs <= 1024 && record.sgprs <= 128);
    if (text_bytes == 0) return true;
    const std::string name(text, text_bytes);
    Check(name.find('\0') == std::string::npos);
    for (const Symbol& symbol : loader.symbols) {
      if (symbol.object == record.kernel_object && symbol.name.compare(0, text_bytes, name) == 0) {
        return true;
      }
    }
    abort();  // the loader has no such name
  }
  void CountSubmitted(EventKind, uint64_t) override {}
  void CountRecorded(EventKind, uint64_t) override {}
  void CountLoss(EventKind, Loss, uint64_t) override {}

 private:
  uint32_t last_ = 0;
};

void ReadSymbol(Input* input, Symbol* symbol) {
  const uint8_t kind = input->Byte();
  symbol->kind = kind % 8 == 7 ? HSA_SYMBOL_KIND_VARIABLE : HSA_SYMBOL_KIND_KERNEL;
  symbol->refused = kind < 128 ? 0 : static_cast<uint16_t>(1 << (input->Byte() % 16));
  const uint8_t address = input->Byte();
  symbol->object = address == 0 ? 0 : kFirstAddress + address % 16 * 256;
  symbol->readable = std::min<size_t>(input->Byte(), 2 * kDescriptorBytes);
  symbol->name = input->Bytes(input->Word());
  symbol->descriptor = input->Bytes(kDescriptorBytes);
}

void MakeGuardedPage() {
  loader.page_bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  void* const pages = mmap(nullptr, 2 * loader.page_bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  Check(pages != MAP_FAILED);
  loader.page = static_cast<char*>(pages);
  Check(mprotect(loader.page + loader.page_bytes, loader.page_bytes, PROT_NONE) == 0);
}

void Fuzz(Input input) {
  // Static, because the hooks use the last installed object for the rest of the process.
  static Table<125> core;
  static Table<48> amd;
  static Table<4> root;
  core.Set(k_executable_freeze, &Freeze);
  core.Set(k_executable_iterate_symbols, &IterateSymbols);
  core.Set(k_executable_symbol_get_info, &SymbolGetInfo);
  core.Set(k_iterate_agents, &IterateAgents);
  core.Set(k_agent_get_info, &AgentGetInfo);
  core.Set(k_system_get_major_extension_table, &ExtensionTable);
  root.slots[0] = &core;
  root.slots[1] = &amd;
  loader.target = input.Name();
  HsaTables tables;
  CheckingSink sink;
  CodeObjects objects;
  Check(tables.Open(&root).ok());
  Check(objects.Install(&tables, &sink).ok());
  for (uint64_t executable = 1; !input.empty() && executable < 16; ++executable) {
    const int count = input.Byte() % 8;
    loader.symbols.assign(static_cast<size_t>(count), {});
    for (Symbol& symbol : loader.symbols) ReadSymbol(&input, &symbol);
    objects.Announce({executable});
    for (const Symbol& symbol : loader.symbols) {
      const uint32_t kernel = objects.KernelFor(symbol.object);
      Check(kernel != 0 && kernel == objects.KernelFor(symbol.object));
    }
    if (executable % 3 == 0) objects.Forget({executable - 1});
  }
  objects.Disarm();
  tables.Restore();
}

}  // namespace
}  // namespace rtl::capture

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (rtl::capture::loader.page == nullptr) rtl::capture::MakeGuardedPage();
  rtl::capture::Fuzz({data, size});
  return 0;
}
