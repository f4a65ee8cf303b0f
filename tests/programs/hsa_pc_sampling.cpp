// SPDX-License-Identifier: MIT
// PC sampling through HSA's vendor extension alone. The kernel has two loops whose instructions can
// be counted on paper. Samples must fall on them in proportion.
#include <dlfcn.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <mutex>
#include <vector>

#include "hsa_support.h"

using namespace programs;

namespace {

// The extension, as runtimes from 6.4 on have it; the headers here may be older.
struct Configuration {
  uint32_t method, units;
  size_t min_interval, max_interval;
  uint64_t flags;
};
struct Sample {
  uint64_t pc, exec_mask;
  uint32_t workgroup[3], wave, hw_id, reserved[3];
  uint64_t timestamp, correlation;
};
static_assert(sizeof(Sample) == 64);
using CopyData = hsa_status_t (*)(void* context, size_t bytes, void* to);
using DataReady = void (*)(void* user, size_t bytes, size_t lost, CopyData copy, void* context);
struct PcSampling {
  hsa_status_t (*iterate)(hsa_agent_t, hsa_status_t (*)(const Configuration*, void*), void*);
  hsa_status_t (*create)(hsa_agent_t, uint32_t method, uint32_t units, size_t interval,
                         size_t latency, size_t buffer, DataReady, void* user, uint64_t* session);
  hsa_status_t (*destroy)(uint64_t session);
  hsa_status_t (*start)(uint64_t session);
  hsa_status_t (*stop)(uint64_t session);
  hsa_status_t (*flush)(uint64_t session);
};

// By symbol: these runtimes fill hsa_system_get_major_extension_table's table, but without its
// first function, and return an error.
template <typename Function>
bool FindFunction(const char* name, Function* out) {
  *out = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
  return *out != nullptr;
}
bool Find(PcSampling* sampling) {
  return FindFunction("hsa_ven_amd_pcs_iterate_configuration", &sampling->iterate) &&
         FindFunction("hsa_ven_amd_pcs_create", &sampling->create) &&
         FindFunction("hsa_ven_amd_pcs_destroy", &sampling->destroy) &&
         FindFunction("hsa_ven_amd_pcs_start", &sampling->start) &&
         FindFunction("hsa_ven_amd_pcs_stop", &sampling->stop) &&
         FindFunction("hsa_ven_amd_pcs_flush", &sampling->flush);
}

constexpr size_t kIntervalUs = 100;
constexpr double kInstructionsPerSample = 4 * kIntervalUs;  // the virtual GPU's clock
// Half of it holds all samples: runtimes do not count all samples that they lose. 6.4 clears four
// times the memory, so it must not be much larger.
constexpr size_t kBufferBytes = 4096 * sizeof(Sample);
constexpr uint32_t kGroups = 128, kWaves = 2;

// Two loops: the first of 8 vector moves, 200 times; the second of 2, 100 times. Each ends in a
// subtraction, a comparison and a branch.
constexpr uint32_t kMove = 0x7e000300, kEnd = 0xbf810000;
constexpr uint32_t kSubtract[] = {0x80888108, 0x80898109};
constexpr uint32_t kCompare[] = {0xbf078008, 0xbf078009};
constexpr uint32_t kSetCount[] = {0xb0080000, 0xb0090000};
constexpr uint32_t kMoves[] = {8, 2}, kTimes[] = {200, 100};
constexpr uint32_t kBranchBack = 0xbf850000;

// The number of times that a wave executes each instruction of the kernel, by its offset in words.
std::vector<double> WriteKernel(uint32_t* code) {
  std::vector<double> executed;
  uint32_t* at = code + 64;
  const auto add = [&](uint32_t word, double times) {
    *at++ = word;
    executed.push_back(times);
  };
  for (int loop = 0; loop < 2; ++loop) {
    const double times = kTimes[loop];
    add(kSetCount[loop] | kTimes[loop], 1);
    for (uint32_t i = 0; i < kMoves[loop]; ++i) add(kMove, times);
    add(kSubtract[loop], times);
    add(kCompare[loop], times);
    const uint32_t back = 0u - (kMoves[loop] + 3);
    add(kBranchBack | (back & 0xffff), times);
  }
  add(kEnd, 1);
  return executed;
}

std::mutex g_mutex;
std::vector<Sample> g_samples;
size_t g_lost = 0;

void Receive(void*, size_t bytes, size_t lost, CopyData copy, void* context) {
  std::vector<Sample> samples(bytes / sizeof(Sample));
  HSA_CHECK(copy(context, bytes, samples.data()));
  std::lock_guard lock(g_mutex);
  g_samples.insert(g_samples.end(), samples.begin(), samples.end());
  g_lost += lost;
}

hsa_status_t PrintConfiguration(const Configuration* offered, void* count) {
  ++*static_cast<int*>(count);
  std::printf("method %u, units %u, from %zu, flags %llu\n", offered->method, offered->units,
              offered->min_interval, static_cast<unsigned long long>(offered->flags));
  return HSA_STATUS_SUCCESS;
}

// Whether `seen` of `all` can be chance when each has this probability: six standard deviations.
bool Plausible(double seen, double all, double probability) {
  return std::abs(seen - all * probability) <= 6 * std::sqrt(all * probability) + 1;
}

void CheckPlaces(const uint32_t* code, const std::vector<double>& executed) {
  double per_wave = 0;
  for (const double times : executed) per_wave += times;
  std::map<uint64_t, size_t> seen;
  for (const Sample& sample : g_samples) ++seen[sample.pc - reinterpret_cast<uint64_t>(code + 64)];
  bool shares = true;
  size_t inside_count = 0;
  for (size_t i = 0; i < executed.size(); ++i) {
    const size_t count = seen[4 * i];
    inside_count += count;
    shares = shares && Plausible(static_cast<double>(count), static_cast<double>(g_samples.size()),
                                 executed[i] / per_wave);
  }
  const double expected = per_wave * kGroups * kWaves / kInstructionsPerSample;
  const double all = static_cast<double>(g_samples.size() + g_lost);
  if (!Plausible(all, expected, 1)) std::printf("%g samples, not %g\n", all, expected);
  Expect(Plausible(all, expected, 1), "as many samples as the interval implies");
  Expect(inside_count == g_samples.size(), "every sample lies in the kernel");
  Expect(shares, "each instruction has its share");
}

void CheckFields(uint64_t begin, uint64_t end) {
  bool places = true, times = true, packets = true;
  for (const Sample& sample : g_samples) {
    places = places && sample.exec_mask == ~uint64_t{0} && sample.workgroup[0] < kGroups &&
             sample.workgroup[1] == 0 && sample.workgroup[2] == 0 && sample.wave < kWaves;
    times = times && sample.timestamp >= begin && sample.timestamp <= end;
    packets = packets && static_cast<uint32_t>(sample.correlation) == 1 &&
              sample.correlation >> 32 == g_samples[0].correlation >> 32;
  }
  Expect(places, "samples have workgroup, wave and lanes");
  Expect(times, "samples lie between submission and completion");
  Expect(packets, "samples have the packet of their dispatch");
}

uint64_t Now() {
  uint64_t now = 0;
  HSA_CHECK(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &now));
  return now;
}

void Run(hsa_queue_t* queue, const void* code, uint32_t groups) {
  hsa_kernel_dispatch_packet_t kernel = Dispatch(code, groups * kWaves * 64, kWaves * 64);
  kernel.completion_signal = CreateSignal(1);
  Submit(queue, kernel, kDispatchHeader);
  WaitForZero(kernel.completion_signal);
  HSA_CHECK(hsa_signal_destroy(kernel.completion_signal));
}

}  // namespace

int main() {
  const Machine machine = StartHsa();
  PcSampling sampling;
  int configurations = 0;
  if (!Find(&sampling)) {
    Expect(true, "this runtime has no PC sampling");
    HSA_CHECK(hsa_shut_down());
    return ExitCode();
  }
  if (sampling.iterate(machine.gpu, PrintConfiguration, &configurations) != HSA_STATUS_SUCCESS) {
    Expect(configurations == 0, "this GPU has no PC sampling");
    HSA_CHECK(hsa_shut_down());
    return ExitCode();
  }
  Expect(configurations == 1, "host traps are offered");
  hsa_queue_t* queue = CreateQueue(machine, 64);
  uint32_t* code = EmptyKernel(machine);
  const std::vector<double> executed = WriteKernel(code);
  Run(queue, code, 1);  // packet 0, before sampling begins

  uint64_t session = 0;
  HSA_CHECK(sampling.create(machine.gpu, 0, 0, kIntervalUs, 1000, kBufferBytes, Receive, nullptr,
                            &session));
  HSA_CHECK(sampling.start(session));
  const uint64_t begin = Now();
  Run(queue, code, kGroups);
  const uint64_t end = Now();
  HSA_CHECK(sampling.flush(session));
  HSA_CHECK(sampling.stop(session));
  const size_t sampled = g_samples.size();
  Run(queue, code, kGroups);  // no session samples it
  HSA_CHECK(sampling.destroy(session));
  Expect(g_samples.size() == sampled, "no sample comes after the end");
  CheckPlaces(code, executed);
  CheckFields(begin, end);
  HSA_CHECK(hsa_queue_destroy(queue));
  Free(code);
  HSA_CHECK(hsa_shut_down());
  return ExitCode();
}
