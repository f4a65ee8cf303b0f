// SPDX-License-Identifier: MIT
// bare_interception: what any tracer has to pay, in three parts. It is no tracer: nothing reads what
// it writes. It works with the runtime whose headers it is compiled with.
//
// Through HSA_TOOLS_LIB   every queue becomes an intercept queue, and the hook passes its packets
//                         straight on. This is the runtime's own part of a tracer's cost.
// With BARE_TIMES=1 too   the least that yields a kernel's times: each kernel without a signal gets
//                         one, and a thread reads its times and makes the signal ready again. A
//                         thread that waits for a signal of the program reads that one's times.
//                         With LD_PRELOAD, HIP's launch and wait take two time stamps, of the
//                         processor's counter.
// With BARE_RECORDS=1 too the least that a trace of them needs to survive the process: a record of
//                         32 bytes for each kernel and each call, in a file that is mapped and has
//                         all its memory before the program begins. When it is full, the first
//                         records are overwritten.
// At the end it prints the number of kernels without a signal, and how many of them got one.
#include <dlfcn.h>
#include <hsa/amd_hsa_signal.h>
#include <hsa/hsa_api_trace.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace {

constexpr uint32_t kSignals = 16384;  // of each queue
constexpr long kPauseNs = 500'000;    // between two looks
constexpr uint64_t kRecords = 1 << 20;
constexpr uint64_t kBlock = 1024;  // records that a thread takes at a time

// Of a kernel or a call.
struct alignas(32) Record {
  uint64_t begin;
  uint64_t end;
  uint64_t submitted;  // of a call: its stream
  uint32_t subject;    // kernel object or function
  uint32_t call;       // number of the call in its thread
};

// The signals of a queue, used in turns. The hook gives them to kernels, the reader takes them back.
struct Ring {
  std::array<hsa_signal_t, kSignals> signals;
  std::array<Record, kSignals> launched;  // of each signal's kernel
  alignas(64) std::atomic<uint64_t> given{0};
  alignas(64) std::atomic<uint64_t> taken{0};
  alignas(64) uint64_t kernels = 0;
};

CoreApiTable g_core;
AmdExtTable g_amd;
bool g_times = false;
Record* g_records = nullptr;  // nullptr: none are written
std::atomic<uint64_t> g_record_count{0};
std::array<std::atomic<Ring*>, 256> g_rings;
std::atomic<uint32_t> g_ring_count{0};
std::atomic<bool> g_end{false};
uint64_t g_sum = 0;  // so that no read is left out

using Writer = hsa_amd_queue_intercept_packet_writer;

thread_local uint32_t t_calls = 0;
thread_local Record t_launched;  // the last kernel with a signal of the program

const amd_signal_t* Memory(hsa_signal_t signal) {
  return reinterpret_cast<const amd_signal_t*>(signal.handle);
}

bool MapRecords() {
  char path[] = "/tmp/bare_interception.XXXXXX";
  const int file = mkstemp(path);
  if (file < 0) return false;
  unlink(path);
  const size_t bytes = kRecords * sizeof(Record);
  if (ftruncate(file, static_cast<off_t>(bytes)) != 0) return false;
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, 0);
  if (memory == MAP_FAILED) return false;
  std::memset(memory, 0, bytes);
  g_records = static_cast<Record*>(memory);
  return true;
}

void Write(const Record& record) {
  static thread_local uint64_t next = 0;
  if (next % kBlock == 0) next = g_record_count.fetch_add(kBlock) % kRecords;
  g_records[next++] = record;
}

Record Launched(const hsa_kernel_dispatch_packet_t& packet) {
  return {0, 0, __rdtsc(), static_cast<uint32_t>(packet.kernel_object), t_calls};
}

void WriteKernel(Record& record, const amd_signal_t* signal) {
  record.begin = signal->start_ts;
  record.end = signal->end_ts;
  Write(record);
}

void HandOn(const void* packets, uint64_t count, uint64_t, void*, Writer write) {
  write(packets, count);
}

void HandOnWithSignal(const void* packets, uint64_t count, uint64_t, void* data, Writer write) {
  Ring& ring = *static_cast<Ring*>(data);
  const auto* each = static_cast<const hsa_kernel_dispatch_packet_t*>(packets);
  for (uint64_t i = 0; i < count; ++i) {
    hsa_kernel_dispatch_packet_t packet = each[i];
    const unsigned type = packet.header >> HSA_PACKET_HEADER_TYPE & 0xff;
    if (type == HSA_PACKET_TYPE_KERNEL_DISPATCH && packet.completion_signal.handle != 0) {
      if (g_records != nullptr) t_launched = Launched(packet);
    } else if (type == HSA_PACKET_TYPE_KERNEL_DISPATCH) {
      ++ring.kernels;
      const uint64_t next = ring.given.load(std::memory_order_relaxed);
      if (next - ring.taken.load(std::memory_order_acquire) < kSignals) {
        if (g_records != nullptr) ring.launched[next % kSignals] = Launched(packet);
        packet.completion_signal = ring.signals[next % kSignals];
        ring.given.store(next + 1, std::memory_order_release);
      }
    }
    write(&packet, 1);
  }
}

hsa_status_t CreateQueue(hsa_agent_t agent, uint32_t size, hsa_queue_type32_t type,
                         void (*callback)(hsa_status_t, hsa_queue_t*, void*), void* data,
                         uint32_t private_segment_size, uint32_t group_segment_size,
                         hsa_queue_t** queue) {
  hsa_status_t status = g_amd.hsa_amd_queue_intercept_create_fn(
      agent, size, type, callback, data, private_segment_size, group_segment_size, queue);
  if (status != HSA_STATUS_SUCCESS) return status;
  if (!g_times) return g_amd.hsa_amd_queue_intercept_register_fn(*queue, HandOn, nullptr);
  status = g_amd.hsa_amd_profiling_set_profiler_enabled_fn(*queue, 1);
  auto* ring = new Ring;
  for (hsa_signal_t& signal : ring->signals) {
    if (status != HSA_STATUS_SUCCESS) return status;
    status = g_amd.hsa_amd_signal_create_fn(1, 0, nullptr, HSA_AMD_SIGNAL_AMD_GPU_ONLY, &signal);
  }
  const uint32_t index = g_ring_count.load();
  if (index == g_rings.size()) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  g_rings[index] = ring;
  g_ring_count = index + 1;
  return g_amd.hsa_amd_queue_intercept_register_fn(*queue, HandOnWithSignal, ring);
}

void ReadTimes() {
  while (!g_end.load(std::memory_order_relaxed)) {
    for (uint32_t i = 0; i < g_ring_count.load(std::memory_order_acquire); ++i) {
      Ring& ring = *g_rings[i].load();
      const uint64_t given = ring.given.load(std::memory_order_acquire);
      uint64_t at = ring.taken.load(std::memory_order_relaxed);
      for (; at < given; ++at) {
        const hsa_signal_t signal = ring.signals[at % kSignals];
        if (g_core.hsa_signal_load_scacquire_fn(signal) > 0) break;
        if (g_records != nullptr) {
          WriteKernel(ring.launched[at % kSignals], Memory(signal));
        } else {
          g_sum += Memory(signal)->end_ts - Memory(signal)->start_ts;
        }
        g_core.hsa_signal_store_relaxed_fn(signal, 1);
      }
      ring.taken.store(at, std::memory_order_release);
    }
    const timespec pause = {0, kPauseNs};
    nanosleep(&pause, nullptr);
  }
}

hsa_signal_value_t Wait(hsa_signal_t signal, hsa_signal_condition_t condition,
                        hsa_signal_value_t value, uint64_t timeout, hsa_wait_state_t state) {
  const hsa_signal_value_t now =
      g_core.hsa_signal_wait_scacquire_fn(signal, condition, value, timeout, state);
  if (g_records != nullptr) {
    WriteKernel(t_launched, Memory(signal));
    return now;
  }
  // Several threads may wait; what they read is not used.
  static std::atomic<uint64_t> read;
  read.store(Memory(signal)->end_ts - Memory(signal)->start_ts, std::memory_order_relaxed);
  return now;
}

// When the process ends, before the runtime ends.
struct AtExit {
  std::thread reader;

  ~AtExit() {
    if (!reader.joinable()) return;
    g_end = true;
    reader.join();
    uint64_t kernels = 0;
    uint64_t timed = 0;
    for (uint32_t i = 0; i < g_ring_count.load(); ++i) {
      kernels += g_rings[i].load()->kernels;
      timed += g_rings[i].load()->given.load();
    }
    std::printf("unsignalled %llu\n", static_cast<unsigned long long>(kernels));
    std::printf("timed %llu\n", static_cast<unsigned long long>(timed));
    std::fflush(stdout);
  }
};

}  // namespace

extern "C" __attribute__((visibility("default"))) bool OnLoad(HsaApiTable* table, uint64_t,
                                                              uint64_t, const char* const*) {
  g_core = *table->core_;
  g_amd = *table->amd_ext_;
  table->core_->hsa_queue_create_fn = CreateQueue;
  g_times = std::getenv("BARE_TIMES") != nullptr;
  if (!g_times) return true;
  if (std::getenv("BARE_RECORDS") != nullptr && !MapRecords()) return false;
  table->core_->hsa_signal_wait_scacquire_fn = Wait;
  static AtExit at_exit;
  at_exit.reader = std::thread(ReadTimes);
  return true;
}

extern "C" __attribute__((visibility("default"))) void OnUnload() {}

// A call of HIP between two time stamps.
template <typename Function, typename... Arguments>
int Timed(Function next, const void* stream, Arguments... arguments) {
  Record record{};
  if (g_records != nullptr) ++t_calls;
  record.begin = __rdtsc();
  const int result = next(arguments...);
  record.end = __rdtsc();
  if (g_records != nullptr) {
    record.submitted = reinterpret_cast<uint64_t>(stream);
    record.subject = static_cast<uint32_t>(reinterpret_cast<uint64_t>(next));
    record.call = t_calls;
    Write(record);
  } else {
    static thread_local uint64_t spent;
    spent += record.end - record.begin;
  }
  return result;
}

// Their signatures in HIP's header, whose types are pointers and enumerations.
extern "C" __attribute__((visibility("default"))) int hipModuleLaunchKernel(
    void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
    unsigned block_y, unsigned block_z, unsigned shared_bytes, void* stream, void** arguments,
    void** extra) {
  using Launch = decltype(&hipModuleLaunchKernel);
  static const Launch next = reinterpret_cast<Launch>(dlsym(RTLD_NEXT, "hipModuleLaunchKernel"));
  return Timed(next, stream, function, grid_x, grid_y, grid_z, block_x, block_y, block_z,
               shared_bytes, stream, arguments, extra);
}

extern "C" __attribute__((visibility("default"))) int hipStreamSynchronize(void* stream) {
  using Synchronize = decltype(&hipStreamSynchronize);
  static const auto next = reinterpret_cast<Synchronize>(dlsym(RTLD_NEXT, "hipStreamSynchronize"));
  return Timed(next, stream, stream);
}
