// SPDX-License-Identifier: MIT
// dispatch_bench: what the packet hook adds to one dispatch, on a fake HSA table. The runtime's
// lock and copies are there. The GPU's part runs on the worker's side, when the worker reads a
// signal.
//
//   dispatch_bench [ROUNDS=9]
//
// The arms run in turns in one process: an untraced queue, made before anything was loaded; a
// second such queue (the difference is the noise); a queue whose hook reads the processor's time
// stamp counter and passes the packet on (the floor of any tracer that knows when a kernel was
// submitted); a queue made with the library loaded and RTL_DISABLE=1; and a traced one. Printed:
// median [min .. max] over the rounds, and the coverage. A run that lost a kernel says so and exits
// with 1.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <x86intrin.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "capture/session/session.h"
#include "tests/support/traced_hsa.h"

namespace {

using rtl::BootTimeNs;
using rtl::support::AqlPacket;
using rtl::support::FakeHsa;

// Kernels in flight are in a file, as in the product.
class FileBlocks final : public rtl::InFlightMemory {
 public:
  FileBlocks() : file_(tmpfile()) {}
  ~FileBlocks() { (void)fclose(file_); }
  FileBlocks(const FileBlocks&) = delete;
  FileBlocks& operator=(const FileBlocks&) = delete;
  void* MapBlock() override {
    const off_t at = static_cast<off_t>(rtl::kInFlightBlockBytes) * blocks_.fetch_add(1);
    if (posix_fallocate(fileno(file_), at, rtl::kInFlightBlockBytes) != 0) return nullptr;
    void* const block = mmap(nullptr, rtl::kInFlightBlockBytes, PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_POPULATE, fileno(file_), at);
    return block == MAP_FAILED ? nullptr : block;
  }

 private:
  FILE* const file_;
  std::atomic<int> blocks_{0};
};

// Takes records the way the spool does, into memory that is reused.
class RingSink final : public rtl::RecordSink {
 public:
  bool Write(const void* record, size_t bytes, const char*, size_t) override {
    const size_t at = next_.fetch_add(1, std::memory_order_relaxed) % kRecords;
    memcpy(&ring_[at], record, std::min(bytes, sizeof(ring_[at])));
    return true;
  }
  void CountSubmitted(rtl::EventKind, uint64_t events) override { submitted += events; }
  void CountRecorded(rtl::EventKind, uint64_t events) override { recorded += events; }
  void CountLoss(rtl::EventKind, rtl::Loss cause, uint64_t events) override {
    lost += events;
    by_cause_[static_cast<size_t>(cause)] += events;
  }
  void PrintLosses() const {
    for (size_t i = 0; i < rtl::kLossCount; ++i) {
      if (by_cause_[i] == 0) continue;
      printf("  lost: %llu %s\n", static_cast<unsigned long long>(by_cause_[i]),
             rtl::LossText(static_cast<rtl::Loss>(i)));
    }
  }

  // As in the spool, each queue's packet count is on a cache line of its own.
  rtl::capture::SubmittedSlots submitted_slots() { return {slots_, kSlots}; }

  std::atomic<uint64_t> submitted{0}, recorded{0}, lost{0};

 private:
  static constexpr size_t kSlots = 4;
  rtl::QueueCounter slots_[kSlots];
  static constexpr size_t kRecords = 8192;
  std::atomic<uint64_t> by_cause_[rtl::kLossCount] = {};
  std::vector<rtl::DispatchRecord> ring_ = std::vector<rtl::DispatchRecord>(kRecords);
  std::atomic<size_t> next_{0};
};

// The output of a session that is switched off. It is never used.
class NoOutput final : public rtl::capture::TraceOutput {
 public:
  rtl::Status Open(const rtl::Config&) override { return rtl::Status::Error("not to be opened"); }
  rtl::RecordSink* sink() override { return nullptr; }
  rtl::capture::SubmittedSlots submitted_slots() override { return {}; }
  rtl::capture::CaptureCounters counters() override { return {}; }
  void Describe(const Facts&) override {}
  void SayRefused(const rtl::Config&, const char*) override {}
  void Maintain() override {}
  void Finish() override {}
};

rtl::Status ReadDisabled(rtl::Config* out) {
  return rtl::Config::Parse(
      [](const char* name) { return strcmp(name, "RTL_DISABLE") == 0 ? "1" : nullptr; }, out);
}

struct Numbers {
  std::vector<double> values;
  double At(double quantile) {
    std::sort(values.begin(), values.end());
    return values[static_cast<size_t>(quantile * static_cast<double>(values.size() - 1))];
  }
  std::string Text(const char* format) {
    char text[96];
    std::string all = std::string(format) + " [" + format + " .. " + format + "]";
    snprintf(text, sizeof(text), all.c_str(), At(0.5), At(0), At(1));
    return text;
  }
};

volatile uint64_t stamp;

void StampOnly(const void* packets, uint64_t count, uint64_t, void*,
               rtl::capture::PacketWriter write) {
  AqlPacket copy;
  memcpy(&copy, packets, sizeof(copy));
  stamp = __rdtsc();
  write(&copy, count);
}

class Bench {
 public:
  explicit Bench(int rounds) : rounds_(rounds), hsa_(rtl::support::kRocm61, FakeHsa::Gpu::kLazily) {
    plain_ = hsa_.CreateQueue(16'384);
    again_ = hsa_.CreateQueue(16'384);
    stamped_ = hsa_.CreateIntercept(16'384);
    (void)hsa_.Intercept(stamped_, &StampOnly, nullptr);
    if (off_.OnLoad(hsa_.root_table())) {
      fprintf(stderr, "dispatch_bench: RTL_DISABLE=1 has no effect\n");
      exit(1);
    }
    disabled_ = hsa_.CreateQueue(16'384);
    rtl::capture::CaptureOptions options;
    options.submitted = sink_.submitted_slots();
    options.in_flight = &in_flight_;
    if (!tables_.Open(hsa_.root_table()).ok() ||
        !capture_.Install(&tables_, &sink_, &kernels_, options).ok()) {
      fprintf(stderr, "dispatch_bench: the hooks could not be installed\n");
      exit(1);
    }
    traced_ = hsa_.CreateQueue(16'384);
    own_ = hsa_.CreateSignal(0);
  }

  bool Run() {
    printf("traced / untraced dispatch rate, %d rounds, median [min .. max]\n", rounds_);
    for (const uint64_t work : {1000u, 2500u, 5000u, 20'000u}) {
      Rate(work, false);
    }
    Rate(2500, true);
    printf("\nadded to one dispatch, back to back (saturated), ns of the application's thread\n");
    Saturated("untraced, again", again_, false);
    Saturated("RTL_DISABLE=1", disabled_, false);
    Saturated("a time stamp alone", stamped_, false);
    Saturated("no signal of its own", traced_, false);
    Saturated("the application's signal, in place", traced_, true);
    printf("\none dispatch call, p50 / p99 of each round, ns, clock included\n");
    for (const uint64_t apart : {0u, 5000u, 20'000u}) {
      Latency(apart);
    }
    printf(
        "\ntraced / untraced time until the application has seen by its signal that kernels have "
        "ended, "
        "on\n"
        "a GPU that takes its time and no processor\n");
    UntilEnded("one kernel of 5 us", 1, 5000, 4000);
    UntilEnded("burst of 1001 kernels of 0.5 us", 1001, 500, 20);
    UntilEnded("burst of 1001 kernels of 2.5 us", 1001, 2500, 8);
    capture_.Stop();
    const uint64_t kernels = sink_.recorded + sink_.lost;
    printf("\ncoverage: %llu of %llu dispatches recorded\n",
           static_cast<unsigned long long>(sink_.recorded),
           static_cast<unsigned long long>(traced_kernels_));
    sink_.PrintLosses();
    return sink_.lost == 0 && kernels == traced_kernels_;
  }

 private:
  // The number of kernels that may wait for the worker on one queue.
  static constexpr uint64_t kBackToBack = 60'000;

  // Waits until the worker has read every kernel so far. This keeps out of the measurement what a
  // hook does with a kernel for which it has no room.
  void CatchUp() const {
    while (sink_.recorded + sink_.lost < traced_kernels_) std::this_thread::yield();
  }

  // Keeps the processor busy until `until`.
  static void WorkUntil(uint64_t until) {
    while (BootTimeNs() < until) {
    }
  }

  void Dispatch(hsa_queue_t* queue, const AqlPacket& packet, bool own) {
    if (own) {
      hsa_.EndKernelOn(own_);  // the application has waited for it
      FakeHsa::SetValue(own_, 1);
    }
    hsa_.Submit(queue, packet);
    if (queue == traced_) ++traced_kernels_;
  }

  // Processor time of the calling thread, whatever other threads ran.
  static double ThreadSeconds() {
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
  }

  // Processor time of this thread for `count` dispatches back to back.
  double SpentSeconds(hsa_queue_t* queue, uint64_t count, bool own) {
    const double start = ThreadSeconds();
    (void)Seconds(queue, count, 0, own);
    return ThreadSeconds() - start;
  }

  // Seconds for `count` dispatches with `work` ns of host work before each.
  double Seconds(hsa_queue_t* queue, uint64_t count, uint64_t work, bool own) {
    const AqlPacket packet = own ? FakeHsa::Kernel(64, own_) : FakeHsa::Kernel(64);
    const uint64_t start = BootTimeNs();
    for (uint64_t i = 0; i < count; ++i) {
      if (work != 0) WorkUntil(BootTimeNs() + work);
      Dispatch(queue, packet, own);
    }
    const double seconds = static_cast<double>(BootTimeNs() - start) / 1e9;
    if (own) hsa_.EndKernelOn(own_);
    return seconds;
  }

  void Rate(uint64_t work, bool own) {
    const uint64_t count = std::max<uint64_t>(20'000'000 / work, 1000);
    hsa_queue_t* const queues[] = {plain_, again_, stamped_, traced_};
    Numbers again, stamped, traced;
    for (int round = 0; round < rounds_; ++round) {
      double seconds[4];
      for (int i = 0; i < 4; ++i) {
        const int arm = (i + round) % 4;
        seconds[arm] = Seconds(queues[arm], count, work, own);
      }
      again.values.push_back(seconds[0] / seconds[1]);
      stamped.values.push_back(seconds[0] / seconds[2]);
      traced.values.push_back(seconds[0] / seconds[3]);
    }
    printf(
        "  %5.1f us of host work per launch%s: %s; a time stamp alone: %s; untraced, again: %s\n",
        static_cast<double>(work) / 1000, own ? ", own signal" : "", traced.Text("%.3f").c_str(),
        stamped.Text("%.3f").c_str(), again.Text("%.3f").c_str());
  }

  void Saturated(const char* what, hsa_queue_t* queue, bool own) {
    constexpr uint64_t kCount = kBackToBack;
    Numbers plain, added;
    for (int round = 0; round < rounds_; ++round) {
      CatchUp();
      const double untraced = SpentSeconds(plain_, kCount, own);
      const double traced = SpentSeconds(queue, kCount, own);
      plain.values.push_back(untraced / kCount * 1e9);
      added.values.push_back((traced - untraced) / kCount * 1e9);
    }
    printf("  %-36s untraced %s, added %s\n", what, plain.Text("%.0f").c_str(),
           added.Text("%.0f").c_str());
  }

  void Latency(uint64_t apart) {
    const uint64_t count = apart == 0 ? kBackToBack : std::max<uint64_t>(20'000'000 / apart, 2000);
    hsa_queue_t* const queues[] = {plain_, again_, traced_};
    const char* const names[] = {"untraced", "again", "traced"};
    Numbers p50[3], p99[3];
    for (int round = 0; round < rounds_; ++round) {
      for (int i = 0; i < 3; ++i) {
        const int arm = (i + round) % 3;
        hsa_queue_t* const queue = queues[arm];
        const AqlPacket packet = FakeHsa::Kernel(64);
        CatchUp();
        Numbers calls;
        calls.values.reserve(count);
        for (uint64_t call = 0; call < count; ++call) {
          if (apart != 0) WorkUntil(BootTimeNs() + apart);
          const uint64_t before = BootTimeNs();
          Dispatch(queue, packet, false);
          calls.values.push_back(static_cast<double>(BootTimeNs() - before));
        }
        p50[arm].values.push_back(calls.At(0.5));
        p99[arm].values.push_back(calls.At(0.99));
      }
    }
    printf("  %4.0f us apart:", static_cast<double>(apart) / 1000);
    for (int arm = 0; arm < 3; ++arm) {
      printf("%s %s %s / %s", arm == 0 ? "" : ",", names[arm], p50[arm].Text("%.0f").c_str(),
             p99[arm].Text("%.0f").c_str());
    }
    printf("\n");
  }

  // Nanoseconds from the first of `kernels` launches until the last one, which carries the
  // application's signal, has ended. A kernel starts when it is submitted and its predecessor has
  // ended.
  double EndNs(hsa_queue_t* queue, uint64_t kernels, uint64_t each_ns) {
    const AqlPacket packet = FakeHsa::Kernel(64);
    const AqlPacket last = FakeHsa::Kernel(64, own_);
    const uint64_t start = BootTimeNs();
    for (uint64_t i = 1; i < kernels; ++i) Dispatch(queue, packet, false);
    FakeHsa::SetValue(own_, 1);
    hsa_.Submit(queue, last);
    if (queue == traced_) ++traced_kernels_;
    const uint64_t end = std::max(start + kernels * each_ns, BootTimeNs() + each_ns);
    bool ended = false;
    while (hsa_.Load(own_) != 0) {
      if (ended || BootTimeNs() < end) continue;
      hsa_.EndKernelOn(own_);
      ended = true;
    }
    return static_cast<double>(BootTimeNs() - start);
  }

  void UntilEnded(const char* what, uint64_t kernels, uint64_t each_ns, int repeats) {
    hsa_queue_t* const queues[] = {plain_, again_, traced_};
    Numbers again, traced;
    for (int round = 0; round < rounds_; ++round) {
      Numbers arms[3];
      for (int i = 0; i < 3 * repeats; ++i) {
        const int arm = (i + round) % 3;
        arms[arm].values.push_back(EndNs(queues[arm], kernels, each_ns));
      }
      again.values.push_back(arms[1].At(0.5) / arms[0].At(0.5));
      traced.values.push_back(arms[2].At(0.5) / arms[0].At(0.5));
    }
    printf("  %-36s %s; untraced, again: %s\n", what, traced.Text("%.3f").c_str(),
           again.Text("%.3f").c_str());
  }

  int rounds_;
  FakeHsa hsa_;
  RingSink sink_;
  FileBlocks in_flight_;
  alignas(64) rtl::support::FakeKernels kernels_;
  alignas(64) rtl::capture::HsaTables tables_;
  rtl::capture::HsaCapture capture_;
  NoOutput no_output_;
  rtl::capture::Session off_{&no_output_, ReadDisabled};
  hsa_queue_t* plain_ = nullptr;
  hsa_queue_t* again_ = nullptr;
  hsa_queue_t* stamped_ = nullptr;
  hsa_queue_t* disabled_ = nullptr;
  hsa_queue_t* traced_ = nullptr;
  hsa_signal_t own_ = {};
  uint64_t traced_kernels_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 9;
  if (rounds < 1 || argc > 2) {
    fprintf(stderr, "usage: dispatch_bench [ROUNDS]\n");
    return 2;
  }
  Bench bench(rounds);
  return bench.Run() ? 0 : 1;
}
