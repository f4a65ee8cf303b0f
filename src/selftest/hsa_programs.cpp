// SPDX-License-Identifier: MIT
// The programs that use HSA. Its functions are looked up at run time.
#include <dlfcn.h>
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <stdlib.h>
#include <string.h>

#include <vector>

#include "selftest/code_objects.h"
#include "selftest/programs.h"
#include "selftest/rocm_libraries.h"

namespace rtl::selftest {
namespace {

// clang-format off
#define RTL_SELFTEST_HSA(X) \
  X(hsa_init) \
  X(hsa_shut_down) \
  X(hsa_system_get_info) \
  X(hsa_iterate_agents) \
  X(hsa_agent_get_info) \
  X(hsa_status_string) \
  X(hsa_amd_agent_iterate_memory_pools) \
  X(hsa_amd_memory_pool_get_info) \
  X(hsa_amd_memory_pool_allocate) \
  X(hsa_amd_agents_allow_access) \
  X(hsa_queue_create) \
  X(hsa_queue_destroy) \
  X(hsa_queue_add_write_index_screlease) \
  X(hsa_queue_load_read_index_scacquire) \
  X(hsa_signal_create) \
  X(hsa_signal_destroy) \
  X(hsa_signal_store_screlease) \
  X(hsa_signal_load_scacquire) \
  X(hsa_signal_wait_scacquire) \
  X(hsa_amd_profiling_set_profiler_enabled) \
  X(hsa_amd_profiling_get_dispatch_time) \
  X(hsa_code_object_reader_create_from_memory) \
  X(hsa_executable_create_alt) \
  X(hsa_executable_load_agent_code_object) \
  X(hsa_executable_freeze) \
  X(hsa_executable_get_symbol_by_name) \
  X(hsa_executable_symbol_get_info) \
  X(hsa_agent_iterate_isas) \
  X(hsa_isa_get_info_alt)
// clang-format on

struct Hsa {
#define X(name) decltype(&::name) name = nullptr;
  RTL_SELFTEST_HSA(X)
#undef X
  // `hip`: the file of --hip. The runtime beside that file is the one that HIP uses.
  bool Open(const std::string& hip, std::string* why) {
    void* const library = OpenLibrary(LibraryCandidates("libhsa-runtime64.so", {"1"}, hip), why);
    if (library == nullptr) {
      if (why->find("No such file") != std::string::npos)
        *why = "libhsa-runtime64.so.1 was not found";
      *why +=
          "; it is in AMD's package hsa-rocr, Debian's libhsa-runtime64-1, and beside HIP: --hip "
          "FILE names HIP's libamdhip64.so";
      return false;
    }
#define X(function)                                                              \
  function = reinterpret_cast<decltype(&::function)>(dlsym(library, #function)); \
  if (function == nullptr) {                                                     \
    *why = "this HSA runtime has no " #function;                                 \
    return false;                                                                \
  }
    RTL_SELFTEST_HSA(X)
#undef X
    return true;
  }
};
Hsa g_hsa;

void MustBe(hsa_status_t status, const char* what) {
  if (status == HSA_STATUS_SUCCESS || status == HSA_STATUS_INFO_BREAK) return;
  const char* text = "an unknown status";
  (void)g_hsa.hsa_status_string(status, &text);  // if this fails, text stays as it is
  Fail(std::string(what) + " returned " + text);
}
#define MUST(call) MustBe(g_hsa.call, #call)

struct Machine {
  std::vector<hsa_agent_t> gpus;
  hsa_agent_t cpu = {};
  hsa_amd_memory_pool_t host = {}, kernargs = {};
};

hsa_status_t AddAgent(hsa_agent_t agent, void* data) {
  auto& machine = *static_cast<Machine*>(data);
  hsa_device_type_t type;
  MUST(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
  if (type == HSA_DEVICE_TYPE_GPU) machine.gpus.push_back(agent);
  if (type == HSA_DEVICE_TYPE_CPU && machine.cpu.handle == 0) machine.cpu = agent;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t AddPool(hsa_amd_memory_pool_t pool, void* data) {
  auto& machine = *static_cast<Machine*>(data);
  hsa_amd_segment_t segment;
  uint32_t flags = 0;
  MUST(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment));
  if (segment != HSA_AMD_SEGMENT_GLOBAL) return HSA_STATUS_SUCCESS;
  MUST(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags));
  if ((flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT) != 0) machine.kernargs = pool;
  if ((flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED) != 0) machine.host = pool;
  return HSA_STATUS_SUCCESS;
}

Machine Start(const std::string& hip) {
  std::string why;
  if (!g_hsa.Open(hip, &why)) Absent(why);
  if (const hsa_status_t status = g_hsa.hsa_init(); status != HSA_STATUS_SUCCESS) {
    const char* text = "an unknown status";
    (void)g_hsa.hsa_status_string(status, &text);  // if this fails, text stays as it is
    const std::string name = text;                 // the name, and a sentence about it
    Absent("the HSA runtime does not start: " + name.substr(0, name.find(':')));
  }
  Machine machine;
  MUST(hsa_iterate_agents(AddAgent, &machine));
  if (machine.gpus.empty()) {
    for (const char* const name : {"ROCR_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL"}) {
      if (getenv(name) != nullptr)
        Absent(std::string("the HSA runtime shows no GPU; ") + name + " is set, and may hide it");
    }
    Absent("the HSA runtime shows no GPU; may this user open the files in /dev/dri?");
  }
  MUST(hsa_amd_agent_iterate_memory_pools(machine.cpu, AddPool, &machine));
  return machine;
}

template <typename T>
T* Allocate(const Machine& machine, hsa_amd_memory_pool_t pool, size_t count) {
  void* memory = nullptr;
  const size_t bytes = (count * sizeof(T) + 4095) / 4096 * 4096;
  MUST(hsa_amd_memory_pool_allocate(pool, bytes, 0, &memory));
  MUST(hsa_amd_agents_allow_access(1, machine.gpus.data(), nullptr, memory));
  memset(memory, 0, bytes);
  return static_cast<T*>(memory);
}

struct Kernel {
  uint64_t object = 0;
  uint32_t arguments = 0, group = 0, scratch = 0;  // bytes
};

// The kernel for the first GPU that one of the code objects fits.
Kernel FindKernel(const Machine& machine, const char* name, hsa_agent_t* found) {
  const std::span<const CodeObject> objects = OrderedCodeObjects();
  for (size_t i = 0; i < machine.gpus.size() * objects.size(); ++i) {
    const hsa_agent_t gpu = machine.gpus[i / objects.size()];
    const CodeObject& code = objects[i % objects.size()];
    hsa_code_object_reader_t reader;
    hsa_executable_t executable;
    hsa_executable_symbol_t symbol;
    MUST(hsa_code_object_reader_create_from_memory(code.bytes.data(), code.bytes.size(), &reader));
    MUST(hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT,
                                   nullptr, &executable));
    if (g_hsa.hsa_executable_load_agent_code_object(executable, gpu, reader, nullptr, nullptr) !=
        HSA_STATUS_SUCCESS)
      continue;  // the code object is for another target
    MUST(hsa_executable_freeze(executable, nullptr));
    MUST(hsa_executable_get_symbol_by_name(executable, name, &gpu, &symbol));
    *found = gpu;
    Kernel kernel;
    const auto ask = [&](hsa_executable_symbol_info_t what, void* into) {
      MUST(hsa_executable_symbol_get_info(symbol, what, into));
    };
    ask(HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &kernel.object);
    ask(HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE, &kernel.arguments);
    ask(HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE, &kernel.group);
    ask(HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE, &kernel.scratch);
    return kernel;
  }
  Absent("selftest has no kernels for this GPU's target");
}

constexpr uint16_t kHeader = HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE |
                             1 << HSA_PACKET_HEADER_BARRIER |
                             HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE |
                             HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE;

void Submit(hsa_queue_t* queue, const hsa_kernel_dispatch_packet_t& packet) {
  const uint64_t index = g_hsa.hsa_queue_add_write_index_screlease(queue, 1);
  while (index - g_hsa.hsa_queue_load_read_index_scacquire(queue) >= queue->size) {
  }
  auto* const slot = static_cast<char*>(queue->base_address) + index % queue->size * sizeof packet;
  memcpy(slot + 4, reinterpret_cast<const char*>(&packet) + 4, sizeof packet - 4);
  // The header makes the packet valid, so it is written last.
  __atomic_store_n(reinterpret_cast<uint32_t*>(slot),
                   uint32_t{kHeader} | uint32_t{packet.setup} << 16, __ATOMIC_RELEASE);
  g_hsa.hsa_signal_store_screlease(queue->doorbell_signal, static_cast<hsa_signal_value_t>(index));
}

}  // namespace

// Launches kernels and reads their signals itself: values and times. The queue is so short that it
// is filled several times.
int RunSignals(const std::string& hip, long launches) {
  constexpr hsa_signal_value_t kFirst = 7;  // any value; the GPU subtracts one
  constexpr uint64_t kLimit = 10'000'000'000;
  const Machine machine = Start(hip);
  hsa_agent_t gpu = {};
  const Kernel kernel = FindKernel(machine, "rtl_selftest_long.kd", &gpu);
  hsa_queue_t* queue = nullptr;
  constexpr uint32_t kPackets = 64;  // the smallest queue that the runtime makes
  MUST(hsa_queue_create(gpu, kPackets, HSA_QUEUE_TYPE_MULTI, nullptr, nullptr, UINT32_MAX,
                        UINT32_MAX, &queue));
  MUST(hsa_amd_profiling_set_profiler_enabled(queue, 1));
  int* const numbers = Allocate<int>(machine, machine.host, 4096);
  char* const arguments = Allocate<char>(machine, machine.kernargs, kernel.arguments + 16);
  const int rounds = 100;
  memcpy(arguments, &numbers, sizeof numbers);
  memcpy(arguments + sizeof numbers, &rounds, sizeof rounds);
  hsa_kernel_dispatch_packet_t packet = {};
  packet.setup = 1 << HSA_KERNEL_DISPATCH_PACKET_SETUP_DIMENSIONS;
  packet.workgroup_size_x = 256;
  packet.workgroup_size_y = packet.workgroup_size_z = 1;
  packet.grid_size_x = 1024;
  packet.grid_size_y = packet.grid_size_z = 1;
  packet.private_segment_size = kernel.scratch;
  packet.group_segment_size = kernel.group;
  packet.kernel_object = kernel.object;
  packet.kernarg_address = arguments;
  std::vector<hsa_signal_t> signals(static_cast<size_t>(launches));
  for (hsa_signal_t& signal : signals) {
    MUST(hsa_signal_create(kFirst, 0, nullptr, &signal));
    packet.completion_signal = signal;
    Submit(queue, packet);
  }
  for (const hsa_signal_t signal : signals) {
    const auto value = g_hsa.hsa_signal_wait_scacquire(signal, HSA_SIGNAL_CONDITION_LT, kFirst,
                                                       kLimit, HSA_WAIT_STATE_BLOCKED);
    if (value != kFirst - 1)
      Fail("a signal of the program has " + std::to_string(value) + " and not " +
           std::to_string(kFirst - 1));
    hsa_amd_profiling_dispatch_time_t times = {};
    MUST(hsa_amd_profiling_get_dispatch_time(gpu, signal, &times));
    Fact("times %llu %llu", static_cast<unsigned long long>(times.start),
         static_cast<unsigned long long>(times.end));
  }
  for (const hsa_signal_t signal : signals) {
    if (g_hsa.hsa_signal_load_scacquire(signal) != kFirst - 1)
      Fail("a signal of the program changed after its kernel had completed");
    MUST(hsa_signal_destroy(signal));
  }
  MUST(hsa_queue_destroy(queue));
  (void)g_hsa.hsa_shut_down();  // the result has no effect any more
  return 0;
}

// Prints the machine's GPUs and runtime, for the report.
int RunInventory(const std::string& hip) {
  const Machine machine = Start(hip);
  uint16_t major = 0;
  uint16_t minor = 0;
  uint64_t hz = 0;
  MUST(hsa_system_get_info(HSA_SYSTEM_INFO_VERSION_MAJOR, &major));
  MUST(hsa_system_get_info(HSA_SYSTEM_INFO_VERSION_MINOR, &minor));
  MUST(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, &hz));
  Fact("hsa %u.%u, clock of %llu Hz", major, minor, static_cast<unsigned long long>(hz));
  for (const hsa_agent_t gpu : machine.gpus) {
    char name[64] = {};
    char product[64] = {};
    uint32_t units = 0;
    MUST(hsa_agent_get_info(gpu, HSA_AGENT_INFO_NAME, name));
    MUST(hsa_agent_get_info(gpu, static_cast<hsa_agent_info_t>(HSA_AMD_AGENT_INFO_PRODUCT_NAME),
                            product));
    MUST(hsa_agent_get_info(
        gpu, static_cast<hsa_agent_info_t>(HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT), &units));
    std::string isas;
    const auto add = [](hsa_isa_t isa, void* data) {
      char text[128] = {};
      uint32_t length = 0;
      MUST(hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME_LENGTH, &length));
      if (length < sizeof text) MUST(hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME, text));
      *static_cast<std::string*>(data) += std::string(" ") + text;
      return HSA_STATUS_SUCCESS;
    };
    MUST(hsa_agent_iterate_isas(gpu, add, &isas));
    Fact("gpu %s", name);
    Fact("about %s, %u compute units, targets%s", product, units, isas.c_str());
  }
  (void)g_hsa.hsa_shut_down();
  return 0;
}

}  // namespace rtl::selftest
