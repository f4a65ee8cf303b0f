// SPDX-License-Identifier: MIT
#include "capture/codeobj/code_objects.h"

#include <gtest/gtest.h>
#include <hsa/hsa_ven_amd_loader.h>
#include <string.h>
#include <sys/mman.h>

#include <map>
#include <string>
#include <thread>
#include <vector>

namespace rtl::capture {
namespace {

constexpr uint64_t kGpu = 0x60;

struct FakeSymbol {
  hsa_symbol_kind_t kind = HSA_SYMBOL_KIND_KERNEL;
  std::string name;
  uint64_t object = 0;
  uint32_t group = 0, private_bytes = 0, kernarg = 0;
};

// A loader with two agents (a CPU and a gfx906 GPU) and any number of executables.
struct FakeLoader {
  std::map<uint64_t, std::vector<FakeSymbol>> executables;
  std::map<uint64_t, const void*> host_copies;
  hsa_status_t freeze_status = HSA_STATUS_SUCCESS;
  int freezes = 0, destroys = 0;
} loader;

const FakeSymbol& SymbolOf(hsa_executable_symbol_t symbol) {
  return loader.executables.at(symbol.handle >> 16)[symbol.handle & 0xffff];
}

hsa_status_t Freeze(hsa_executable_t, const char*) {
  ++loader.freezes;
  return loader.freeze_status;
}

hsa_status_t Destroy(hsa_executable_t executable) {
  ++loader.destroys;
  loader.executables.erase(executable.handle);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t IterateSymbols(hsa_executable_t executable,
                            hsa_status_t (*callback)(hsa_executable_t, hsa_executable_symbol_t,
                                                     void*),
                            void* data) {
  for (uint64_t i = 0; i < loader.executables.at(executable.handle).size(); ++i) {
    const hsa_status_t status = callback(executable, {executable.handle << 16 | i}, data);
    if (status != HSA_STATUS_SUCCESS) return status;
  }
  return HSA_STATUS_SUCCESS;
}

template <typename T>
hsa_status_t Say(void* out, T value) {
  memcpy(out, &value, sizeof value);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t SymbolGetInfo(hsa_executable_symbol_t symbol, hsa_executable_symbol_info_t what,
                           void* out) {
  const FakeSymbol& fake = SymbolOf(symbol);
  switch (what) {
    case HSA_EXECUTABLE_SYMBOL_INFO_TYPE:
      return Say(out, fake.kind);
    case HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH:
      return Say(out, static_cast<uint32_t>(fake.name.size()));
    case HSA_EXECUTABLE_SYMBOL_INFO_NAME:
      memcpy(out, fake.name.data(), fake.name.size());
      return HSA_STATUS_SUCCESS;
    case HSA_EXECUTABLE_SYMBOL_INFO_AGENT:
      return Say(out, hsa_agent_t{kGpu});
    case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT:
      return Say(out, fake.object);
    case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE:
      return Say(out, fake.group);
    case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE:
      return Say(out, fake.private_bytes);
    case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE:
      return Say(out, fake.kernarg);
    default:
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  }
}

hsa_status_t IterateAgents(hsa_status_t (*callback)(hsa_agent_t, void*), void* data) {
  for (const uint64_t handle : {uint64_t{0x50}, kGpu}) {
    const hsa_status_t status = callback({handle}, data);
    if (status != HSA_STATUS_SUCCESS) return status;
  }
  return HSA_STATUS_SUCCESS;
}

hsa_status_t AgentGetInfo(hsa_agent_t agent, hsa_agent_info_t what, void* out) {
  if (what != HSA_AGENT_INFO_NAME) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  strcpy(static_cast<char*>(out), agent.handle == kGpu ? "gfx906" : "A Processor");
  return HSA_STATUS_SUCCESS;
}

hsa_status_t HostAddress(const void* device, const void** host) {
  const auto found = loader.host_copies.find(reinterpret_cast<uint64_t>(device));
  if (found == loader.host_copies.end()) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  *host = found->second;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t ExtensionTable(uint16_t extension, uint16_t version, size_t size, void* out) {
  if (extension != HSA_EXTENSION_AMD_LOADER || version != 1) return HSA_STATUS_ERROR;
  hsa_ven_amd_loader_1_00_pfn_t table = {};
  table.hsa_ven_amd_loader_query_host_address = HostAddress;
  memcpy(out, &table, size);
  return HSA_STATUS_SUCCESS;
}

struct Kernel {
  KernelRecord record;
  std::string name;
};

class KernelSink final : public RecordSink {
 public:
  bool Write(const void* record, size_t bytes, const char* text, size_t text_bytes) override {
    Kernel kernel;
    if (bytes != sizeof kernel.record || refuse) return false;
    memcpy(&kernel.record, record, bytes);
    kernel.name.assign(text_bytes == 0 ? "" : text, text_bytes);
    kernels.push_back(kernel);
    return true;
  }
  void CountSubmitted(EventKind, uint64_t) override {}
  void CountRecorded(EventKind, uint64_t) override {}
  void CountLoss(EventKind, Loss, uint64_t) override {}

  std::vector<Kernel> kernels;
  bool refuse = false;
};

hsa_status_t NotUsed() { return HSA_STATUS_ERROR; }

// A table in the runtime's layout: its version, then functions.
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

#define X(name, slot) constexpr uint32_t k_##name = slot;
RTL_HSA_CORE_SLOTS(X)
#undef X

class CodeObjectsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    loader = {};
    core_.Set(k_executable_freeze, &Freeze);
    core_.Set(k_executable_destroy, &Destroy);
    core_.Set(k_executable_iterate_symbols, &IterateSymbols);
    core_.Set(k_executable_symbol_get_info, &SymbolGetInfo);
    core_.Set(k_iterate_agents, &IterateAgents);
    core_.Set(k_agent_get_info, &AgentGetInfo);
    core_.Set(k_system_get_major_extension_table, &ExtensionTable);
    root_.slots[0] = &core_;
    root_.slots[1] = &amd_;
    const Status opened = tables_.Open(&root_);
    ASSERT_TRUE(opened.ok()) << opened.message();
    const Status installed = objects_.Install(&tables_, &sink_);
    ASSERT_TRUE(installed.ok()) << installed.message();
  }

  void TearDown() override { objects_.Disarm(); }

  // Calls through the table, as the application does.
  hsa_status_t Load(uint64_t executable, std::vector<FakeSymbol> symbols) {
    loader.executables[executable] = std::move(symbols);
    return reinterpret_cast<decltype(&Freeze)>(core_.slots[k_executable_freeze])({executable},
                                                                                 nullptr);
  }
  hsa_status_t Unload(uint64_t executable) {
    return reinterpret_cast<decltype(&Destroy)>(core_.slots[k_executable_destroy])({executable});
  }

  std::string NameFor(uint64_t kernel_object) {
    const uint32_t id = objects_.KernelFor(kernel_object);
    for (const Kernel& kernel : sink_.kernels) {
      if (kernel.record.kernel == id) return kernel.name;
    }
    return "<no record>";
  }

  Table<125> core_;
  Table<48> amd_;
  Table<4> root_;
  HsaTables tables_;
  KernelSink sink_;
  CodeObjects objects_;
};

FakeSymbol KernelSymbol(const char* name, uint64_t object) {
  FakeSymbol symbol;
  symbol.name = name;
  symbol.object = object;
  return symbol;
}

TEST_F(CodeObjectsTest, RecordsEveryKernelOfAFrozenExecutable) {
  FakeSymbol add = KernelSymbol("_Z3addPf.kd", 0x1000);
  add.group = 1024;
  add.private_bytes = 16;
  add.kernarg = 24;
  FakeSymbol variable = KernelSymbol("table", 0x3000);
  variable.kind = HSA_SYMBOL_KIND_VARIABLE;
  EXPECT_EQ(Load(1, {add, variable, KernelSymbol("old_style", 0x1040)}), HSA_STATUS_SUCCESS);
  EXPECT_EQ(loader.freezes, 1);
  ASSERT_EQ(sink_.kernels.size(), 2u);
  const Kernel& first = sink_.kernels[0];
  EXPECT_EQ(first.name, "_Z3addPf");
  EXPECT_EQ(first.record.head.type, RecordType::kKernel);
  EXPECT_EQ(first.record.kernel, 1u);
  EXPECT_EQ(first.record.agent, 2u);
  EXPECT_EQ(first.record.kernel_object, 0x1000u);
  EXPECT_EQ(first.record.code_object, 1u);
  EXPECT_EQ(first.record.group_segment, 1024u);
  EXPECT_EQ(first.record.private_segment, 16u);
  EXPECT_EQ(first.record.kernarg_segment, 24u);
  EXPECT_EQ(first.record.text_bytes, first.name.size());
  EXPECT_EQ(first.record.flags, 0u);
  EXPECT_EQ(sink_.kernels[1].name, "old_style");
  EXPECT_EQ(objects_.KernelFor(0x1000), 1u);
  EXPECT_EQ(objects_.KernelFor(0x1040), 2u);
}

TEST_F(CodeObjectsTest, DoesNotGiveAReusedAddressTheOldName) {
  EXPECT_EQ(Load(1, {KernelSymbol("before.kd", 0x1000)}), HSA_STATUS_SUCCESS);
  const uint64_t generation = objects_.generation().load();
  const uint32_t before = objects_.KernelFor(0x1000);
  EXPECT_EQ(Unload(1), HSA_STATUS_SUCCESS);
  EXPECT_GT(objects_.generation().load(), generation);
  EXPECT_EQ(loader.destroys, 1);
  EXPECT_EQ(Load(2, {KernelSymbol("after.kd", 0x1000)}), HSA_STATUS_SUCCESS);
  EXPECT_NE(objects_.KernelFor(0x1000), before);
  EXPECT_EQ(NameFor(0x1000), "after");
  EXPECT_EQ(sink_.kernels.back().record.code_object, 2u);
}

TEST_F(CodeObjectsTest, GivesAReloadedKernelANewId) {
  for (uint32_t generation = 1; generation <= 3; ++generation) {
    EXPECT_EQ(Load(1, {KernelSymbol("jit.kd", 0x1000)}), HSA_STATUS_SUCCESS);
    EXPECT_EQ(objects_.KernelFor(0x1000), generation);
    EXPECT_EQ(Unload(1), HSA_STATUS_SUCCESS);
  }
  EXPECT_EQ(sink_.kernels.size(), 3u);
}

TEST_F(CodeObjectsTest, RecordsAnUnknownKernelOnceAsUnknown) {
  const uint32_t id = objects_.KernelFor(0x9000);
  EXPECT_NE(id, 0u);
  EXPECT_EQ(objects_.KernelFor(0x9000), id);
  ASSERT_EQ(sink_.kernels.size(), 1u);
  EXPECT_EQ(sink_.kernels[0].record.flags, kKernelFlagUnknown);
  EXPECT_EQ(sink_.kernels[0].record.kernel_object, 0x9000u);
  EXPECT_EQ(sink_.kernels[0].name, "");
  EXPECT_EQ(Load(1, {KernelSymbol("late.kd", 0x9000)}), HSA_STATUS_SUCCESS);
  EXPECT_EQ(NameFor(0x9000), "late");
}

TEST_F(CodeObjectsTest, AnnouncesNothingAndKeepsTheStatusWhenAFreezeFails) {
  loader.freeze_status = HSA_STATUS_ERROR_FROZEN_EXECUTABLE;
  EXPECT_EQ(Load(1, {KernelSymbol("x.kd", 0x1000)}), HSA_STATUS_ERROR_FROZEN_EXECUTABLE);
  EXPECT_TRUE(sink_.kernels.empty());
}

// 28 vector and 32 scalar registers: 6 and 2 in the descriptor's encoding.
void WriteDescriptor(void* out) {
  memset(out, 0, kKernelDescriptorBytes);
  const uint32_t rsrc1 = 6 | 2 << 6;
  memcpy(static_cast<char*>(out) + 48, &rsrc1, sizeof rsrc1);
}

TEST_F(CodeObjectsTest, ReadsRegistersFromTheLoadersHostCopy) {
  alignas(64) uint8_t copy[kMaxKernelDescriptorBytes] = {};
  WriteDescriptor(copy);
  constexpr uint64_t kDeviceAddress = 0xffff'9000'0000'0000;  // not a host address
  loader.host_copies[kDeviceAddress] = copy;
  EXPECT_EQ(Load(1, {KernelSymbol("k.kd", kDeviceAddress)}), HSA_STATUS_SUCCESS);
  ASSERT_EQ(sink_.kernels.size(), 1u);
  EXPECT_EQ(sink_.kernels[0].record.vgprs, 28u);
  EXPECT_EQ(sink_.kernels[0].record.sgprs, 32u);
}

TEST_F(CodeObjectsTest, ReadsRegistersFromTheDeviceAddressWhenTheHostCan) {
  alignas(64) uint8_t memory[kMaxKernelDescriptorBytes] = {};
  WriteDescriptor(memory);
  EXPECT_EQ(Load(1, {KernelSymbol("k.kd", reinterpret_cast<uint64_t>(memory))}),
            HSA_STATUS_SUCCESS);
  ASSERT_EQ(sink_.kernels.size(), 1u);
  EXPECT_EQ(sink_.kernels[0].record.vgprs, 28u);
}

TEST_F(CodeObjectsTest, SurvivesAnUnreadableDescriptor) {
  void* forbidden = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(forbidden, MAP_FAILED);
  const auto address = reinterpret_cast<uint64_t>(forbidden);
  loader.host_copies[address] = forbidden;
  EXPECT_EQ(Load(1, {KernelSymbol("k.kd", address)}), HSA_STATUS_SUCCESS);
  ASSERT_EQ(sink_.kernels.size(), 1u);
  EXPECT_EQ(sink_.kernels[0].record.vgprs, 0u);
  EXPECT_EQ(sink_.kernels[0].record.sgprs, 0u);
  EXPECT_EQ(sink_.kernels[0].name, "k");
  ASSERT_EQ(munmap(forbidden, 4096), 0);
}

TEST_F(CodeObjectsTest, TruncatesAndFlagsAVeryLongName) {
  std::string name(kMaxTextBytes + 100, 'n');
  name += ".kd";
  EXPECT_EQ(Load(1, {KernelSymbol(name.c_str(), 0x1000)}), HSA_STATUS_SUCCESS);
  ASSERT_EQ(sink_.kernels.size(), 1u);
  EXPECT_EQ(sink_.kernels[0].name, std::string(kMaxTextBytes, 'n'));
  EXPECT_EQ(sink_.kernels[0].record.flags, kKernelFlagTruncated);
}

TEST_F(CodeObjectsTest, HooksPassThroughWhenDisarmed) {
  objects_.Disarm();
  EXPECT_EQ(Load(1, {KernelSymbol("k.kd", 0x1000)}), HSA_STATUS_SUCCESS);
  EXPECT_EQ(Unload(1), HSA_STATUS_SUCCESS);
  EXPECT_EQ(loader.freezes, 1);
  EXPECT_EQ(loader.destroys, 1);
  EXPECT_TRUE(sink_.kernels.empty());
}

TEST_F(CodeObjectsTest, ForgetsKernelsWithTheRuntimeAndContinuesTheIds) {
  EXPECT_EQ(Load(1, {KernelSymbol("first.kd", 0x1000)}), HSA_STATUS_SUCCESS);
  objects_.Reset();
  tables_.Restore();
  EXPECT_EQ(core_.slots[k_executable_freeze], reinterpret_cast<void*>(&Freeze));
  ASSERT_TRUE(tables_.Open(&root_).ok());
  ASSERT_TRUE(objects_.Install(&tables_, &sink_).ok());
  EXPECT_EQ(Load(1, {KernelSymbol("second.kd", 0x2000)}), HSA_STATUS_SUCCESS);
  EXPECT_EQ(objects_.KernelFor(0x2000), 2u);
  EXPECT_EQ(objects_.KernelFor(0x1000), 3u);
  EXPECT_EQ(NameFor(0x1000), "");
}

TEST_F(CodeObjectsTest, GivesIdsWhenTheSpoolIsFull) {
  sink_.refuse = true;
  EXPECT_EQ(Load(1, {KernelSymbol("k.kd", 0x1000)}), HSA_STATUS_SUCCESS);
  EXPECT_EQ(objects_.KernelFor(0x1000), 1u);
}

// Loads, unloads and look-ups at the same time, for the sanitizers.
TEST_F(CodeObjectsTest, AllowsThreadsToLoadAndLookUpAtOnce) {
  for (uint64_t i = 1; i <= 64; ++i) loader.executables[i] = {KernelSymbol("k.kd", i * 0x1000)};
  std::thread announcing([&] {
    for (int round = 0; round < 20; ++round) {
      for (uint64_t i = 1; i <= 64; ++i) objects_.Announce({i});
      for (uint64_t i = 1; i <= 64; i += 2) objects_.Forget({i});
    }
  });
  uint64_t found = 0;
  for (int i = 0; i < 20'000; ++i) found += objects_.KernelFor((1 + i % 64) * 0x1000) != 0;
  announcing.join();
  EXPECT_EQ(found, 20'000u);
  EXPECT_EQ(NameFor(0x2000), "k");
}

}  // namespace
}  // namespace rtl::capture
