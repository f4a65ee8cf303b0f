// SPDX-License-Identifier: MIT
// export_bench: events per second from a database to a timeline, with all arguments.
//
//   export_bench [ROUNDS [KERNELS [DIRECTORY]]]      (7, 300000, a temporary directory)
//
// Every round runs every arm once, in turn, on the same kernels. Printed: median [least .. most]
// of the rounds, bytes per kernel, and the ratio to `scan` of the same round. Times have the noise of
// real ones: what is alike would be packed into nothing.
//
//   scan       SQLite steps through all rows of rocpd_op and reads every column: what reading costs
//   again      the same once more: its ratio is the noise of the machine
//   read       the kernels as an export gets them: what it does without writing anything
//   pftrace    rtl convert --to pftrace, into a new file
//   zst, gz    the same, compressed
//   chrome     rtl convert --to chrome
//   packed …   the same from a packed trace
#include <sqlite3.h>
#include <stdlib.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "base/clock.h"
#include "export/exporter.h"
#include "store/schema.h"
#include "store/trace_writer.h"
#include "tests/support/temp_dir.h"

namespace {

using rtl::BootTimeNs;
using rtl::Status;

void Check(const Status& status) {
  if (status.ok()) return;
  fprintf(stderr, "export_bench: %s\n", status.message());
  exit(1);
}

void Check(bool good, const char* what) {
  if (good) return;
  fprintf(stderr, "export_bench: %s failed\n", what);
  exit(1);
}

class Builder {
 public:
  Builder(const std::string& path, bool packed) {
    Check(writer_.Create(path, {.packed = packed}));
    writer_.AddProcess({}, &process_);
  }
  template <typename Record>
  void Add(Record record, rtl::RecordType type, const std::string& text = "") {
    record.head = {type, 0, 4242};
    Check(writer_.Add(process_, {&record.head, sizeof record, text}));
  }
  void Complete() {
    Check(writer_.EndProcess(process_, {}, BootTimeNs()));
    Check(writer_.AddMetadata("schema_version", rtl::store::kSchemaVersion));
    std::string written;
    Check(writer_.Commit(&written));
  }

 private:
  rtl::store::TraceWriter writer_;
  size_t process_ = 0;
};

// Forty kernels on eight queues of a GPU.
void MakeTrace(const std::string& path, uint64_t kernels, bool packed) {
  Builder trace(path, packed);
  std::mt19937_64 dice(1);
  rtl::AgentRecord agent;
  agent.agent = agent.is_gpu = 1;
  trace.Add(agent, rtl::RecordType::kAgent);
  for (uint32_t i = 1; i <= 8; ++i) {
    rtl::QueueRecord queue;
    queue.queue = i;
    queue.agent = 1;
    queue.hsa_id = i;
    trace.Add(queue, rtl::RecordType::kQueue);
  }
  for (uint32_t i = 1; i <= 40; ++i) {
    const std::string name = "_Z8kernel" + std::to_string(10 + i) + "PfS_i";
    rtl::KernelRecord kernel;
    kernel.kernel = i;
    kernel.agent = 1;
    kernel.vgprs = 32 + i;
    kernel.text_bytes = static_cast<uint32_t>(name.size());
    trace.Add(kernel, rtl::RecordType::kKernel, name);
  }
  for (uint64_t i = 0; i < kernels; ++i) {
    rtl::DispatchRecord record;
    record.dispatch = i + 1;
    record.start = 5'000'000'000'000 + i * 2000 + dice() % 700;
    record.end = record.start + 1000 + i % 40 * 150 + dice() % 400;
    record.submitted = record.start - 9000 - dice() % 800;
    record.packet = i / 8;
    record.kernel = static_cast<uint32_t>(1 + i % 40);
    record.queue = static_cast<uint32_t>(1 + i % 8);
    record.grid[0] = 65536;
    record.grid[1] = record.grid[2] = 1;
    record.workgroup[0] = 256;
    record.workgroup[1] = record.workgroup[2] = 1;
    trace.Add(record, rtl::RecordType::kDispatch);
  }
  trace.Complete();
}

double Scan(const std::string& path, uint64_t kernels) {
  sqlite3* db = nullptr;
  sqlite3_stmt* rows = nullptr;
  const uint64_t begin = BootTimeNs();
  Check(sqlite3_open_v2(path.c_str(), &db, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK, "open");
  Check(sqlite3_prepare_v2(db, "SELECT * FROM rocpd_op", -1, &rows, nullptr) == SQLITE_OK,
        "prepare");
  uint64_t count = 0;
  int64_t sum = 0;
  for (; sqlite3_step(rows) == SQLITE_ROW; ++count) {
    for (int i = 0; i < sqlite3_column_count(rows); ++i) sum += sqlite3_column_int64(rows, i);
  }
  Check(count == kernels && sum != 0, "reading the rows");
  Check(sqlite3_finalize(rows) == SQLITE_OK && sqlite3_close(db) == SQLITE_OK, "close");
  return static_cast<double>(BootTimeNs() - begin);
}

double Read(const std::string& path, uint64_t kernels) {
  const uint64_t begin = BootTimeNs();
  std::unique_ptr<rtl::query::TraceReader> trace;
  Check(rtl::query::TraceReader::Open(path, &trace));
  rtl::query::KernelCursor cursor;
  Check(trace->KernelsBySubmit(&cursor));
  rtl::query::KernelRow row;
  uint64_t count = 0;
  bool has_row = true;
  for (; has_row; count += has_row ? 1 : 0) Check(cursor.Next(&row, &has_row));
  Check(count == kernels, "reading the kernels");
  return static_cast<double>(BootTimeNs() - begin);
}

double Export(const std::string& path, rtl::exporting::Format format, const std::string& output) {
  const uint64_t begin = BootTimeNs();
  std::unique_ptr<rtl::query::TraceReader> trace;
  Check(rtl::query::TraceReader::Open(path, &trace));
  Check(rtl::exporting::Export(*trace, format, output, [](uint64_t) {}));
  return static_cast<double>(BootTimeNs() - begin);
}

struct Arm {
  const char* name;
  const char* suffix;  // of its output
  rtl::exporting::Format format = rtl::exporting::Format::kPftrace;
  double (*read)(const std::string& path, uint64_t kernels) = nullptr;  // what writes nothing
  bool packed = false;
  std::vector<double> ns = {};
  uintmax_t bytes = 0;
};

void Spread(std::vector<double> values, const char* format) {
  std::sort(values.begin(), values.end());
  printf(format, values[values.size() / 2], values.front(), values.back());
}

void Print(const Arm& arm, const Arm& scan, uint64_t kernels) {
  std::vector<double> rates;
  std::vector<double> ratios;
  for (size_t i = 0; i < arm.ns.size(); ++i) {
    rates.push_back(static_cast<double>(kernels) * 1e6 / arm.ns[i]);
    ratios.push_back(scan.ns[i] / arm.ns[i]);
  }
  printf("%-15s", arm.name);
  Spread(rates, " %8.1f k/s [%.1f .. %.1f]");
  Spread(ratios, "   to scan %.3f [%.3f .. %.3f]");
  if (arm.bytes != 0) {
    printf("   %.1f bytes/kernel", static_cast<double>(arm.bytes) / static_cast<double>(kernels));
  }
  printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 7;
  const uint64_t kernels = argc > 2 ? strtoull(argv[2], nullptr, 10) : 300'000;
  if (argc > 3) setenv("TMPDIR", argv[3], 1);
  Check(rounds > 0 && kernels > 0, "reading the arguments");
  const rtl::test::TempDir dir;
  const std::string paths[] = {dir.File("trace.db"), dir.File("packed.db")};
  for (const bool packed : {false, true}) MakeTrace(paths[packed ? 1 : 0], kernels, packed);
  using rtl::exporting::Format;
  Arm arms[] = {{"scan", nullptr, {}, Scan},
                {"again", nullptr, {}, Scan},
                {"read", nullptr, {}, Read},
                {"pftrace", "pftrace"},
                {"zst", "pftrace.zst"},
                {"gz", "pftrace.gz"},
                {"chrome", "json", Format::kChrome},
                {"packed read", nullptr, {}, Read, true},
                {"packed pftrace", "pftrace", {}, nullptr, true},
                {"packed again", "pftrace", {}, nullptr, true},
                {"packed zst", "pftrace.zst", {}, nullptr, true},
                {"packed chrome", "json", Format::kChrome, nullptr, true}};
  for (int round = 0; round < rounds; ++round) {
    for (Arm& arm : arms) {
      const std::string& path = paths[arm.packed ? 1 : 0];
      if (arm.read != nullptr) {
        arm.ns.push_back(arm.read(path, kernels));
        continue;
      }
      const std::string output = dir.File(std::string("out.") + arm.suffix);
      std::filesystem::remove(output);  // what the system takes to drop an old file is not ours
      arm.ns.push_back(Export(path, arm.format, output));
      arm.bytes = std::filesystem::file_size(output);
    }
  }
  printf("%d rounds of %llu kernels\n", rounds, static_cast<unsigned long long>(kernels));
  for (const std::string& path : paths) {
    printf("%s: %.1f bytes/kernel\n", std::filesystem::path(path).filename().c_str(),
           static_cast<double>(std::filesystem::file_size(path)) / static_cast<double>(kernels));
  }
  for (const Arm& arm : arms) Print(arm, arms[0], kernels);
  return 0;
}
