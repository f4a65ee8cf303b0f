// SPDX-License-Identifier: MIT
// collector_bench: how many records per second get through the spool into the database, and whether
// the collector keeps up with a given rate.
//
//   collector_bench [ROUNDS [SECONDS [RATE [DIRECTORY]]]]   (7, 2, 1000000, a temporary directory)
//
// A process of its own writes dispatch records into a spool while this one collects them. The arms
// run in turns in every round:
//
//   free    as fast as there is room: nothing is dropped, so this is what the collector sustains
//   again   the same once more; its ratio to the arm before is the noise of the machine
//   paced   RATE records per second for SECONDS; what finds the spool full is dropped and counted
//   calls   as free, but every other record is the hipLaunchKernel call of the kernel after it
//
// Printed: median [least .. most] over the rounds. `stored` is from the first record to the
// completed database. `unread`: the largest part of the spool's limit that the collector found
// unread. Exit code 1 when a record is neither in the database nor counted as lost.
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "model/api_calls.h"
#include "spool/writer.h"
#include "tests/support/temp_dir.h"
#include "trace/collect/collector.h"

namespace {

using rtl::BootTimeNs;
using rtl::EventKind;

struct Result {
  double stored_per_second = 0;  // records, until the database was complete
  double written_per_second = 0;
  double recorded_percent = 0;
  double unread_percent = 0;
  bool fell_behind = false;
};

void Check(bool good, const char* what) {
  if (good) return;
  fprintf(stderr, "collector_bench: %s failed\n", what);
  exit(1);
}

template <typename Record>
Record Make(rtl::RecordType type) {
  Record record;
  record.head = {type, 0, 4242};
  return record;
}

// The agent, queues and kernels that the dispatches name.
void Announce(rtl::spool::Writer& writer) {
  auto agent = Make<rtl::AgentRecord>(rtl::RecordType::kAgent);
  agent.agent = agent.is_gpu = 1;
  Check(writer.Write(&agent, sizeof agent, nullptr, 0), "write");
  for (uint32_t i = 1; i <= 8; ++i) {
    auto queue = Make<rtl::QueueRecord>(rtl::RecordType::kQueue);
    queue.queue = i;
    queue.agent = 1;
    Check(writer.Write(&queue, sizeof queue, nullptr, 0), "write");
  }
  for (uint32_t i = 1; i <= 40; ++i) {
    const std::string name = "_Z8kernel" + std::to_string(10 + i) + "PfS_i";
    auto kernel = Make<rtl::KernelRecord>(rtl::RecordType::kKernel);
    kernel.kernel = i;
    kernel.agent = 1;
    kernel.text_bytes = static_cast<uint32_t>(name.size());
    Check(writer.Write(&kernel, sizeof kernel, name.data(), name.size()), "write");
  }
}

uint32_t CallNumber(std::string_view name) {
  uint32_t number = 1;
  while (rtl::FindApiCall(number) != nullptr && name != rtl::FindApiCall(number)->name) ++number;
  return number;
}

// The call that launches the kernel of the record.
void WriteCall(rtl::spool::Writer& writer, const rtl::DispatchRecord& record) {
  static const uint32_t number = CallNumber("hipLaunchKernel");
  auto call = Make<rtl::ApiCallRecord>(rtl::RecordType::kApiCall);
  const uint64_t slots[] = {
      0x1000 + record.kernel * 16, 4 | 1ull << 32, 1, 64 | 1ull << 32, 1, 0x7ffd0000, 0, 0};
  call.api = number;
  call.correlation = record.correlation;
  call.start = record.submitted - 500;
  call.end = record.submitted + 500;
  call.slots = std::size(slots);
  call.text_bytes = sizeof slots;
  const auto* payload = reinterpret_cast<const char*>(slots);
  while (!writer.Write(&call, sizeof call, payload, sizeof slots)) {
    writer.Maintain();
    std::this_thread::yield();
  }
  writer.CountSubmitted(EventKind::kHipCall, 1);
  writer.CountRecorded(EventKind::kHipCall, 1);
}

// Writes `records` at `rate` per second; zero: as fast as there is room, without a drop. Returns
// the nanoseconds that it took.
uint64_t WriteRecords(rtl::spool::Writer& writer, uint64_t records, uint64_t rate, bool calls) {
  constexpr uint64_t kBatch = 1000;
  auto record = Make<rtl::DispatchRecord>(rtl::RecordType::kDispatch);
  const uint64_t begin = BootTimeNs();
  for (uint64_t i = 0; i < records; ++i) {
    record.dispatch = i + 1;
    record.correlation = calls ? i + 1 : 0;
    record.start = begin + i * 1000;
    record.end = record.start + 700 + i % 300;
    record.submitted = record.start - 5000;
    record.kernel = static_cast<uint32_t>(1 + i % 40);
    record.queue = static_cast<uint32_t>(1 + i % 8);
    if (calls) WriteCall(writer, record);
    bool stored = writer.Write(&record, sizeof record, nullptr, 0);
    while (!stored && rate == 0) {
      writer.Maintain();
      std::this_thread::yield();
      stored = writer.Write(&record, sizeof record, nullptr, 0);
    }
    writer.CountSubmitted(EventKind::kKernel, 1);
    if (stored) writer.CountRecorded(EventKind::kKernel, 1);
    if (!stored) writer.CountLoss(EventKind::kKernel, rtl::Loss::kSpoolFull, 1);
    if (i % kBatch != 0) continue;
    writer.Maintain();
    const uint64_t due = rate == 0 ? 0 : begin + i * 1'000'000'000 / rate;
    while (BootTimeNs() < due) std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  return BootTimeNs() - begin;
}

Result Run(uint64_t records, uint64_t rate, bool calls = false) {
  const rtl::test::TempDir dir;
  const std::string spool = dir.File("spool");
  std::filesystem::create_directory(spool);
  std::filesystem::permissions(spool, std::filesystem::perms::owner_all);
  int channel[2];
  Check(pipe(channel) == 0, "pipe");
  const uint64_t begin = BootTimeNs();
  const pid_t child = fork();
  if (child == 0) {
    static rtl::spool::Writer writer;
    rtl::spool::WriterOptions options;
    options.directory = spool.c_str();
    Check(writer.Open(options).ok(), "opening the spool");
    Announce(writer);
    const uint64_t took = WriteRecords(writer, records, rate, calls);
    writer.Finish();
    _exit(write(channel[1], &took, sizeof took) == sizeof took ? 0 : 1);
  }
  rtl::store::Collector collector;
  rtl::store::CollectOptions options;
  options.spool = spool;
  options.output = dir.File("trace.db");
  Check(collector.Start(options).ok(), "starting the collector");
  collector.WaitForProcess(static_cast<uint32_t>(child));
  rtl::store::CollectResult collected;
  Check(collector.Stop({}, &collected).ok(), "collecting");
  const uint64_t ended = BootTimeNs();
  uint64_t took = 0;
  Check(read(channel[0], &took, sizeof took) == sizeof took, "reading from the writer");
  int status = 0;
  Check(waitpid(child, &status, 0) == child && status == 0, "the writer");
  close(channel[0]);
  close(channel[1]);
  const auto& kernels = collected.kind(EventKind::kKernel);
  Check(kernels.submitted == records && kernels.recorded + kernels.lost() == records,
        "the balance");
  const auto count = static_cast<double>(kernels.recorded);
  const uint64_t call_count = collected.kind(EventKind::kHipCall).recorded;
  Check(call_count == (calls ? records : 0), "the balance of the calls");
  const double all = count + static_cast<double>(call_count);
  return {all * 1e9 / static_cast<double>(ended - begin),
          static_cast<double>(records + call_count) * 1e9 / static_cast<double>(took),
          100 * count / static_cast<double>(records), 100 * collected.processes.at(0).most_backlog,
          collected.processes.at(0).fell_behind};
}

void Print(const char* name, const std::vector<Result>& results, double Result::*field,
           const char* format, double scale) {
  std::vector<double> values;
  for (const Result& result : results) values.push_back(result.*field * scale);
  std::sort(values.begin(), values.end());
  printf("  %s ", name);
  printf(format, values[values.size() / 2]);
  printf(" [");
  printf(format, values.front());
  printf(" .. ");
  printf(format, values.back());
  printf("]");
}

void PrintArm(const char* arm, const std::vector<Result>& results) {
  constexpr double kThousand = 1e-3;
  printf("%-6s", arm);
  Print("stored k/s", results, &Result::stored_per_second, "%.0f", kThousand);
  Print("written k/s", results, &Result::written_per_second, "%.0f", kThousand);
  Print("recorded %", results, &Result::recorded_percent, "%.2f", 1);
  Print("unread %", results, &Result::unread_percent, "%.0f", 1);
  const auto behind = std::count_if(results.begin(), results.end(),
                                    [](const Result& result) { return result.fell_behind; });
  printf("  said that it fell behind: %ld of %zu\n", static_cast<long>(behind), results.size());
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 7;
  const uint64_t seconds = argc > 2 ? strtoull(argv[2], nullptr, 10) : 2;
  const uint64_t rate = argc > 3 ? strtoull(argv[3], nullptr, 10) : 1'000'000;
  if (argc > 4) setenv("TMPDIR", argv[4], 1);
  Check(rounds > 0 && seconds > 0 && rate > 0, "reading the arguments");
  std::vector<Result> free, again, paced, calls;
  std::vector<double> noise;
  for (int round = 0; round < rounds; ++round) {
    free.push_back(Run(seconds * rate, 0));
    again.push_back(Run(seconds * rate, 0));
    paced.push_back(Run(seconds * rate, rate));
    calls.push_back(Run(seconds * rate / 2, 0, true));
    noise.push_back(again.back().stored_per_second / free.back().stored_per_second);
  }
  printf("%d rounds of %llu records; paced: %llu records/s\n", rounds,
         static_cast<unsigned long long>(seconds * rate), static_cast<unsigned long long>(rate));
  PrintArm("free", free);
  PrintArm("again", again);
  PrintArm("paced", paced);
  PrintArm("calls", calls);
  std::sort(noise.begin(), noise.end());
  printf("noise (again / free): %.2f [%.2f .. %.2f]\n", noise[noise.size() / 2], noise.front(),
         noise.back());
  return 0;
}
