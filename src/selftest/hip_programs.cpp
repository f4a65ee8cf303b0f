// SPDX-License-Identifier: MIT
#include <dlfcn.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <initializer_list>
#include <iterator>
#include <thread>

#include "base/clock.h"
#include "selftest/code_objects.h"
#include "selftest/hip.h"
#include "selftest/programs.h"

extern char** environ;

namespace rtl::selftest {

void Fact(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
  putchar('\n');
  fflush(stdout);
}

void Fail(const std::string& why) {
  Fact("failed %s", why.c_str());
  exit(1);
}

void Absent(const std::string& why) {
  Fact("absent %s", why.c_str());
  exit(kExitAbsent);
}

namespace {

constexpr unsigned kItems = 256;  // work-items of a workgroup
constexpr unsigned kGroups = 64;
constexpr size_t kNumbers = size_t{kItems} * kGroups;
constexpr size_t kBytes = kNumbers * sizeof(int);
constexpr unsigned kCoherentHost = 0;

Hip g_hip;
int g_device = -1;  // for programs that use all GPUs: the GPU's number

void MustBe(int result, const char* what) {
  if (result == 0) return;
  const std::string gpu = g_device < 0 ? "" : " on GPU " + std::to_string(g_device);
  Fail(std::string(what) + " returned " + g_hip.hipGetErrorName(result) + gpu);
}
// Ends the program if a HIP function fails.
#define MUST(call) MustBe(g_hip.call, #call)

int CountDevices() {
  int count = 0;
  MUST(hipGetDeviceCount(&count));
  return count;
}

constexpr int kNoBinaryForGpu = 209;  // hipError_t
// Older HIP returns it for the same error, and for others.
constexpr int kSharedObjectInitFailed = 303;

// Loads the kernels on the current device. Returns kNoBinaryForGpu or kSharedObjectInitFailed if no
// code object fits the device, or HIP's other error.
int LoadKernels(HipModule* module, const CodeObject** code) {
  int result = kNoBinaryForGpu;
  for (const CodeObject& object : OrderedCodeObjects()) {
    result = g_hip.hipModuleLoadData(module, object.bytes.data());
    if (result == 0) *code = &object;
    if (result != kNoBinaryForGpu && result != kSharedObjectInitFailed) break;
  }
  return result;
}

std::string NameOfDevice(int device) {
  char name[256] = {};
  MUST(hipDeviceGetName(name, sizeof name, device));
  return name;
}

// A device on which the kernels are loaded.
class Device {
 public:
  // Uses the first device on which the kernels can be loaded, and makes it current.
  Device() {
    int result = 0;
    for (int i = 0; code_ == nullptr && i < CountDevices(); ++i) {
      MUST(hipSetDevice(i));
      result = LoadKernels(&module_, &code_);
    }
    if (code_ == nullptr) MustBe(result, "hipModuleLoadData");
    Begin();
  }
  // Uses the current device, with its kernels.
  Device(const CodeObject* code, HipModule module) : code_(code), module_(module) { Begin(); }
  void Begin() {
    MUST(hipMalloc(&memory_, kBytes));
    MUST(hipMemset(memory_, 0, kBytes));
    MUST(hipDeviceSynchronize());
  }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  HipFunction Kernel(const char* name) {
    HipFunction kernel = nullptr;
    MUST(hipModuleGetFunction(&kernel, module_, name));
    return kernel;
  }
  // Launches a kernel with the device's memory and a number as arguments.
  void Launch(HipFunction kernel, int number, HipStream stream, unsigned groups = kGroups,
              void* memory = nullptr) {
    void* data = memory == nullptr ? memory_ : memory;
    void* arguments[] = {&data, &number};
    MUST(hipModuleLaunchKernel(kernel, groups, 1, 1, kItems, 1, 1, 0, stream, arguments, nullptr));
  }
  // Checks that every number in the memory has this value.
  void Expect(int number) {
    std::vector<int> numbers(kNumbers);
    MUST(hipMemcpy(numbers.data(), memory_, kBytes, kDeviceToHost));
    const auto wrong = std::count_if(numbers.begin(), numbers.end(),
                                     [number](int each) { return each != number; });
    if (wrong != 0) Fail(std::to_string(wrong) + " numbers that kernels computed are wrong");
  }
  bool IsChanged() {
    int first = 0;
    MUST(hipMemcpy(&first, memory_, sizeof first, kDeviceToHost));
    return first != 0;
  }
  int wave_size() const { return code_->wave_size; }
  const char* target() const { return code_->target; }

 private:
  const CodeObject* code_ = nullptr;
  HipModule module_ = nullptr;
  void* memory_ = nullptr;
};

HipStream NewStream() {
  HipStream stream = nullptr;
  MUST(hipStreamCreate(&stream));
  return stream;
}

// Four threads launch as fast as they can, each on a stream of its own.
void Storm(long launches) {
  constexpr int kThreads = 4;
  Device device;
  const HipFunction count = device.Kernel("rtl_selftest_count");
  void* memory = nullptr;
  MUST(hipMalloc(&memory, kBytes));
  MUST(hipMemset(memory, 0, kBytes));
  HipStream streams[kThreads];
  for (HipStream& stream : streams) stream = NewStream();
  device.Launch(count, 0, streams[0], 1, memory);
  MUST(hipDeviceSynchronize());
  const uint64_t began = BootTimeNs();
  std::vector<std::thread> threads;
  for (HipStream const stream : streams) {
    threads.emplace_back([&device, count, memory, launches, stream] {
      for (long i = 0; i < launches; ++i) device.Launch(count, 0, stream, 1, memory);
      MUST(hipStreamSynchronize(stream));
    });
  }
  for (std::thread& thread : threads) thread.join();
  const uint64_t took = BootTimeNs() - began;
  int sum = 0;
  MUST(hipMemcpy(&sum, memory, sizeof sum, kDeviceToHost));
  if (sum != kThreads * launches + 1) Fail("a kernel of the storm did not run, or ran twice");
  Fact("kernels %ld", kThreads * launches + 1);
  Fact("ns %.1f", static_cast<double>(took) / static_cast<double>(kThreads * launches));
}

void LaunchAndWait(long launches) {
  Device device;
  const HipFunction add = device.Kernel("rtl_selftest_add");
  HipStream const stream = NewStream();
  device.Launch(add, 1, stream);
  MUST(hipStreamSynchronize(stream));
  const uint64_t began = BootTimeNs();
  for (long i = 0; i < launches; ++i) {
    device.Launch(add, 1, stream);
    MUST(hipStreamSynchronize(stream));
  }
  const uint64_t took = BootTimeNs() - began;
  device.Expect(static_cast<int>(launches) + 1);
  Fact("kernels %ld", launches + 1);
  Fact("ns %.1f", static_cast<double>(took) / static_cast<double>(launches));
}

// Replays a graph of ten kernels.
void Graph(long replays) {
  constexpr int kNodes = 10;
  Device device;
  const HipFunction add = device.Kernel("rtl_selftest_add");
  HipStream const stream = NewStream();
  HipGraph graph = nullptr;
  HipGraphExec executable = nullptr;
  MUST(hipStreamBeginCapture(stream, kCaptureRelaxed));
  for (int i = 0; i < kNodes; ++i) device.Launch(add, 1, stream);
  MUST(hipStreamEndCapture(stream, &graph));
  if (device.IsChanged()) Absent("this HIP does not put launches of modules into graphs");
  MUST(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  MUST(hipGraphLaunch(executable, stream));
  MUST(hipStreamSynchronize(stream));
  const uint64_t began = BootTimeNs();
  for (long i = 1; i < replays; ++i) MUST(hipGraphLaunch(executable, stream));
  MUST(hipStreamSynchronize(stream));
  const uint64_t took = BootTimeNs() - began;
  device.Expect(static_cast<int>(replays) * kNodes);
  Fact("kernels %ld", replays * kNodes);
  Fact("ns %.1f", static_cast<double>(took) / static_cast<double>((replays - 1) * kNodes));
}

// Copies in both directions, in host memory that the GPU can access, so that each copy may be
// asynchronous. Between them runs a kernel that changes nothing: it waits for the first copy, and
// the second one waits for it.
void Copies(long copies) {
  constexpr size_t kCopied = 1 << 20;
  Device device;
  const HipFunction add = device.Kernel("rtl_selftest_add");
  void* host = nullptr;
  void* memory = nullptr;
  MUST(hipHostMalloc(&host, kCopied * 2, kCoherentHost));
  MUST(hipMalloc(&memory, kCopied));
  auto* const bytes = static_cast<unsigned char*>(host);
  for (size_t i = 0; i < kCopied; ++i) bytes[i] = static_cast<unsigned char>(i * 31 + i / 256);
  HipStream const stream = NewStream();
  for (long i = 0; i < copies; ++i) {
    MUST(hipMemcpyAsync(memory, host, kCopied, kHostToDevice, stream));
    device.Launch(add, 0, stream, kGroups, memory);
    MUST(hipMemcpyAsync(bytes + kCopied, memory, kCopied, kDeviceToHost, stream));
  }
  MUST(hipStreamSynchronize(stream));
  if (memcmp(host, bytes + kCopied, kCopied) != 0) Fail("copied bytes are wrong");
  Fact("copies %ld", copies);
  Fact("bytes %zu", kCopied);
}

// Makes ranges and marks around kernels.
void Ranges(long ranges) {
  void* const library = dlopen("libroctx64.so.4", RTLD_NOW);
  if (library == nullptr) Absent("libroctx64.so.4 was not found");
  const auto push = reinterpret_cast<int (*)(const char*)>(dlsym(library, "roctxRangePushA"));
  const auto pop = reinterpret_cast<int (*)()>(dlsym(library, "roctxRangePop"));
  const auto mark = reinterpret_cast<void (*)(const char*)>(dlsym(library, "roctxMarkA"));
  if (push == nullptr || pop == nullptr || mark == nullptr) Absent("ROCTx lacks a function");
  Device device;
  const HipFunction add = device.Kernel("rtl_selftest_add");
  for (long i = 0; i < ranges; ++i) {
    push("rtl_selftest_range");
    mark("rtl_selftest_mark");
    device.Launch(add, 1, nullptr);
    MUST(hipDeviceSynchronize());
    pop();
  }
  device.Expect(static_cast<int>(ranges));
  Fact("ranges %ld", ranges);
  Fact("kernels %ld", ranges);
}

// Launches a different number of kernels on each GPU that has kernels.
void Gpus(long launches) {
  const int count = CountDevices();
  if (count < 2) Absent("this machine shows one GPU");
  int used = 0;
  std::vector<std::string> loaded;  // targets that have been loaded
  std::vector<std::string> others;
  for (int i = 0; i < count; ++i) {
    g_device = i;
    MUST(hipSetDevice(i));
    HipModule module = nullptr;
    const CodeObject* code = nullptr;
    const int result = LoadKernels(&module, &code);
    if (result != kNoBinaryForGpu && result != kSharedObjectInitFailed)
      MustBe(result, "hipModuleLoadData");
    (code == nullptr ? others : loaded).push_back(NameOfDevice(i));
    if (code == nullptr) continue;
    Device device(code, module);
    const HipFunction add = device.Kernel("rtl_selftest_add");
    ++used;
    for (long launch = 0; launch < launches * used; ++launch) device.Launch(add, 1, nullptr);
    MUST(hipDeviceSynchronize());
    device.Expect(static_cast<int>(launches) * used);
  }
  for (const std::string& name : others) {
    if (std::find(loaded.begin(), loaded.end(), name) != loaded.end())
      Fail("kernels can be loaded on one " + name + ", and not on another");
  }
  if (used < 2) Absent("selftest has kernels for only one of " + std::to_string(count) + " GPUs");
  Fact("gpus %d", used);
}

// Prints the devices that HIP finds, for the report.
void Devices() {
  int version = 0;
  MUST(hipRuntimeGetVersion(&version));
  Fact("hip %d.%d.%d, %s", version / 10'000'000, version / 100'000 % 100, version % 100'000,
       g_hip.Path().c_str());
  bool any = false;
  for (int i = 0; i < CountDevices(); ++i) {
    const std::string name = NameOfDevice(i);
    HipModule module = nullptr;
    const CodeObject* code = nullptr;
    int result = g_hip.hipSetDevice(i);
    if (result == 0) result = LoadKernels(&module, &code);
    any = any || code != nullptr;
    Fact("device %d %s: %s %s", i, name.c_str(),
         code == nullptr ? "takes no kernels:" : "kernels for",
         code == nullptr ? g_hip.hipGetErrorName(result) : code->target);
  }
  if (any) return;
  std::string targets;
  for (const CodeObject& each : CodeObjects()) targets += std::string(" ") + each.target;
  Absent("no GPU takes selftest's kernels, which are for" + targets);
}

void Launches(long launches) {
  Device device;
  const HipFunction add = device.Kernel("rtl_selftest_add");
  for (long i = 0; i < launches; ++i) device.Launch(add, 1, nullptr);
  MUST(hipDeviceSynchronize());
  device.Expect(static_cast<int>(launches));
}

void WaitForChildren(const std::vector<pid_t>& children) {
  for (const pid_t child : children) {
    int status = 0;
    if (waitpid(child, &status, 0) != child || status != 0) Fail("a child of the program failed");
  }
}

// Starts three programs, which launch kernels.
void Processes(const ProgramOptions& options, long launches) {
  std::vector<pid_t> children;
  for (int i = 0; i < 3; ++i) {
    std::string program = "--program=launches";
    std::string number = "--number=" + std::to_string(launches);
    std::string hip = "--hip=" + options.hip;
    char self[] = "/proc/self/exe";
    char verb[] = "selftest";
    char* const arguments[] = {
        self,   verb, program.data(), number.data(), options.hip.empty() ? nullptr : hip.data(),
        nullptr};
    pid_t child = -1;
    if (posix_spawn(&child, self, nullptr, nullptr, arguments, environ) != 0)
      Fail("a process could not be started");
    children.push_back(child);
  }
  WaitForChildren(children);
  Fact("kernels %ld", 3 * launches);
}

// Forks before it uses the GPU, as data loaders and servers do.
void Fork(long launches) {
  std::vector<pid_t> children;
  for (int i = 0; i < 3; ++i) {
    const pid_t child = fork();
    if (child < 0) Fail("fork failed");
    if (child == 0) {
      Launches(launches);
      exit(0);
    }
    children.push_back(child);
  }
  WaitForChildren(children);
  Launches(launches);
  Fact("kernels %ld", 4 * launches);
}

// Launches kernels between HIP events, and between readings of the host's clock, in two groups some
// time apart.
void Times(long launches) {
  constexpr int kRounds = 10000;
  constexpr timespec kBetween = {2, 0};
  Device device;
  const HipFunction kernel = device.Kernel("rtl_selftest_long");
  HipStream const stream = NewStream();
  HipEvent before = nullptr;
  HipEvent after = nullptr;
  MUST(hipEventCreate(&before));
  MUST(hipEventCreate(&after));
  device.Launch(device.Kernel("rtl_selftest_add"), 1,
                stream);  // code is loaded by the first launch
  MUST(hipStreamSynchronize(stream));
  for (long i = 0; i < launches; ++i) {
    if (i == launches / 2) nanosleep(&kBetween, nullptr);
    float ms = 0;
    MUST(hipEventRecord(before, stream));
    const uint64_t began = BootTimeNs();
    device.Launch(kernel, kRounds, stream, 1);
    MUST(hipEventRecord(after, stream));
    MUST(hipEventSynchronize(after));
    const uint64_t ended = BootTimeNs();
    MUST(hipEventElapsedTime(&ms, before, after));
    Fact("launch %llu %llu %.6f", static_cast<unsigned long long>(began),
         static_cast<unsigned long long>(ended), static_cast<double>(ms));
  }
}

// Dies while a kernel runs. The trace must have the kernels that had finished, and must name the
// one that ran.
void EndBy(const std::string& how, long launches) {
  // Rounds of the loop, which take far longer than the program lives.
  constexpr int kSeconds = 1 << 28;
  constexpr uintptr_t kNowhere = 0x7000'0000'0000;
  Device device;
  HipStream const stream = NewStream();
  const HipFunction add = device.Kernel("rtl_selftest_add");
  for (long i = 0; i < launches; ++i) device.Launch(add, 1, stream);
  MUST(hipStreamSynchronize(stream));
  device.Expect(static_cast<int>(launches));
  Fact("kernels %ld", launches);
  if (how == "fault") {
    device.Launch(device.Kernel("rtl_selftest_fault"), 0, stream, 1,
                  reinterpret_cast<void*>(kNowhere));  // NOLINT(performance-no-int-to-ptr)
    if (g_hip.hipStreamSynchronize(stream) != 0)
      abort();  // this HIP reports the fault, others abort
    Fail("the GPU wrote to an address that is not mapped, and nothing happened");
  }
  device.Launch(device.Kernel("rtl_selftest_long"), kSeconds, stream);
  if (how == "kill") raise(SIGKILL);
  const volatile uintptr_t nothing = 16;  // volatile, so that no compiler can optimize it away
  *reinterpret_cast<volatile int*>(nothing) = 1;  // NOLINT(performance-no-int-to-ptr)
}

void Counted() {
  Device device;
  device.Launch(device.Kernel("rtl_selftest_known_less"), 0, nullptr);
  device.Launch(device.Kernel("rtl_selftest_known_more"), 0, nullptr);
  MUST(hipDeviceSynchronize());
  Fact("waves %zu", kNumbers / static_cast<size_t>(device.wave_size()));
}

void Hot(long launches) {
  constexpr int kRounds = 1000;
  Device device;
  const HipFunction hot = device.Kernel("rtl_selftest_hot");
  for (long i = 0; i < launches; ++i) {
    device.Launch(hot, kRounds, nullptr);
    MUST(hipDeviceSynchronize());
  }
  Fact("kernels %ld", launches);
}

// Launches kernels for each line of input, until the input ends.
void Served(long launches) {
  Device device;
  const HipFunction add = device.Kernel("rtl_selftest_add");
  long lines = 0;
  Fact("ready");
  char line[64];
  while (fgets(line, sizeof line, stdin) != nullptr) {
    for (long i = 0; i < launches; ++i) device.Launch(add, 1, nullptr);
    MUST(hipDeviceSynchronize());
    device.Expect(static_cast<int>(launches * ++lines));
    Fact("done %ld", launches);
  }
}

}  // namespace

int RunProgram(const ProgramOptions& options) {
  const std::string& name = options.name;
  const auto number = [&options](long standard) {
    return options.number > 0 ? options.number : standard;
  };
  if (name == "inventory") return RunInventory(options.hip);
  if (name == "signals") return RunSignals(options.hip, number(150));
  std::string why;
  if (!g_hip.Open(options.hip, &why)) Absent("HIP cannot be used: " + why);
  if (name == "fork") {
    Fork(number(20));
  } else if (name == "processes") {
    Processes(options, number(20));
  } else {
    if (const int result = g_hip.hipInit(0); result != 0)
      Absent(std::string("HIP finds no GPU: ") + g_hip.hipGetErrorName(result));
    if (name == "devices") Devices();
    if (name == "storm") Storm(number(2000));
    if (name == "wait") LaunchAndWait(number(200));
    if (name == "graph") Graph(number(20));
    if (name == "copies") Copies(number(8));
    if (name == "ranges") Ranges(number(20));
    if (name == "gpus") Gpus(number(10));
    if (name == "launches") Launches(number(20));
    if (name == "times") Times(number(20));
    if (name == "counted") Counted();
    if (name == "hot") Hot(number(10));
    if (name == "served") Served(number(10));
    for (const char* const how : {"kill", "crash", "fault"}) {
      if (name == how) EndBy(name, number(30));
    }
  }
  return 0;
}

}  // namespace rtl::selftest
