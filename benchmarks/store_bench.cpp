// SPDX-License-Identifier: MIT
// store_bench: rows per second into rocpd_op, and nanoseconds per record into the spool.
//
//   store_bench [ROUNDS [ROWS [DIRECTORY]]]       (9, 300000, a temporary directory)
//
// Every round runs every variant once, in turn, so that other work on the machine affects all of
// them. Printed: median [least .. most] of the rounds, by the clock and by CPU time (of the
// process; for `spool`, of the writing thread), and the ratio of CPU times to the first variant of
// the same round. On a busy machine only the CPU time is meaningful.
//
//   bound      one prepared INSERT per row into a plain table of 24 columns, as in other tracers
//   values16   the same, 16 rows per statement
//   table      OpTable: pages are written without SQL
//   records    TraceWriter: dispatch records in, names and queues looked up, database complete
//   collector  a finished spool in, database complete
//   spool      Writer::Write by one thread while another keeps segments ready, nothing collected
#include <sqlite3.h>
#include <stdlib.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "spool/writer.h"
#include "tests/support/temp_dir.h"
#include "trace/collect/collector.h"
#include "trace/schema/database.h"
#include "trace/schema/schema.h"
#include "trace/write/op_table.h"
#include "trace/write/trace_writer.h"

namespace {

using rtl::Status;
using rtl::store::OpRow;
using rtl::store::OpTable;

constexpr char kColumns[] =
    "INSERT INTO plain_op (gpuId, queueId, sequenceId, completionSignal, start, end,"
    " description_id, opType_id, roctxId, correlation_id, pid, tid, submit, gridX, gridY, gridZ,"
    " workgroupX, workgroupY, workgroupZ, groupSegmentSize, privateSegmentSize, kernel_id, packet,"
    " flags) VALUES ";
constexpr char kOneRow[] = "(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";
constexpr char kPlainTable[] =
    "CREATE TABLE plain_op (id INTEGER PRIMARY KEY, gpuId, queueId, sequenceId, completionSignal,"
    " start, end, description_id, opType_id, roctxId, correlation_id, pid, tid, submit, gridX,"
    " gridY, gridZ, workgroupX, workgroupY, workgroupZ, groupSegmentSize, privateSegmentSize,"
    " kernel_id, packet, flags)";
constexpr char kPragmas[] =
    "PRAGMA page_size=16384; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;"
    "PRAGMA cache_size=-16384; BEGIN;";

void Check(const Status& status) {
  if (status.ok()) return;
  fprintf(stderr, "store_bench: %s\n", status.message());
  exit(1);
}

void Check(bool good, const char* what) {
  if (good) return;
  fprintf(stderr, "store_bench: %s failed\n", what);
  exit(1);
}

rtl::DispatchRecord MakeRecord(uint64_t i) {
  rtl::DispatchRecord record;
  record.head = {rtl::RecordType::kDispatch, sizeof record / 8, 4242};
  record.dispatch = i + 1;
  record.correlation = i * 3;
  record.start = 5'000'000'000'000 + i * 2000;
  record.end = record.start + 1500 + i % 400;
  record.submitted = record.start - 9000;
  record.packet = i / 8;
  record.kernel = static_cast<uint32_t>(1 + i % 40);
  record.queue = static_cast<uint32_t>(1 + i % 8);
  record.grid[0] = 65536;
  record.grid[1] = record.grid[2] = 1;
  record.workgroup[0] = 256;
  record.workgroup[1] = record.workgroup[2] = 1;
  return record;
}

OpRow MakeRow(uint64_t i) {
  const rtl::DispatchRecord record = MakeRecord(i);
  OpRow row;
  row.queue = record.queue;
  row.sequence = static_cast<int64_t>(record.dispatch);
  row.hsa_queue = record.queue;
  row.start = static_cast<int64_t>(record.start);
  row.end = static_cast<int64_t>(record.end);
  row.description = record.kernel;
  row.op_type = 1;
  row.correlation = static_cast<int64_t>(record.correlation);
  row.pid = 4000;
  row.tid = record.head.thread;
  row.submit = static_cast<int64_t>(record.submitted);
  for (int d = 0; d < 3; ++d) {
    row.grid[d] = record.grid[d];
    row.workgroup[d] = record.workgroup[d];
  }
  row.kernel = record.kernel;
  row.packet = static_cast<int64_t>(record.packet);
  return row;
}

void BindRow(sqlite3_stmt* statement, int base, const OpRow& row, std::string* text) {
  *text = rtl::store::CompletionSignalOf(row);
  const int64_t values[] = {row.gpu,
                            row.queue,
                            row.sequence,
                            0,
                            row.start,
                            row.end,
                            row.description,
                            row.op_type,
                            row.roctx,
                            row.correlation,
                            row.pid,
                            row.tid,
                            row.submit,
                            row.grid[0],
                            row.grid[1],
                            row.grid[2],
                            row.workgroup[0],
                            row.workgroup[1],
                            row.workgroup[2],
                            row.group_segment,
                            row.private_segment,
                            row.kernel,
                            row.packet,
                            row.flags};
  for (int i = 0; i < 24; ++i) {
    const int result = i == 3 ? sqlite3_bind_text(statement, base + i, text->data(),
                                                  static_cast<int>(text->size()), SQLITE_STATIC)
                              : sqlite3_bind_int64(statement, base + i, values[i]);
    Check(result == SQLITE_OK, "bind");
  }
}

uint64_t CpuNs(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

// Nanoseconds per row.
struct Cost {
  double wall = 0;
  double cpu = 0;
};

class Stopwatch {
 public:
  explicit Stopwatch(clockid_t clock = CLOCK_PROCESS_CPUTIME_ID)
      : clock_(clock), wall_(rtl::BootTimeNs()), cpu_(CpuNs(clock)) {}
  Cost Per(uint64_t rows) const {
    const auto count = static_cast<double>(rows);
    return {static_cast<double>(rtl::BootTimeNs() - wall_) / count,
            static_cast<double>(CpuNs(clock_) - cpu_) / count};
  }

 private:
  clockid_t clock_;
  uint64_t wall_;
  uint64_t cpu_;
};

Cost BoundInsert(const std::string& path, uint64_t rows, int rows_per_statement) {
  rtl::store::Database database;
  Check(database.Open(path, path));
  Check(database.Execute(kPragmas));
  Check(database.Execute(kPlainTable));
  std::string sql = kColumns;
  for (int i = 0; i < rows_per_statement; ++i) sql += (i == 0 ? "" : ",") + std::string(kOneRow);
  sqlite3_stmt* statement = nullptr;
  Check(sqlite3_prepare_v2(database.handle(), sql.c_str(), -1, &statement, nullptr) == SQLITE_OK,
        "prepare");
  std::vector<std::string> texts(16);
  const Stopwatch watch;
  const auto step = static_cast<uint64_t>(rows_per_statement);
  for (uint64_t i = 0; i + step <= rows; i += step) {
    for (int r = 0; r < rows_per_statement; ++r) {
      BindRow(statement, 1 + 24 * r, MakeRow(i + static_cast<uint64_t>(r)),
              &texts[static_cast<size_t>(r)]);
    }
    Check(sqlite3_step(statement) == SQLITE_DONE, "step");
    Check(sqlite3_reset(statement) == SQLITE_OK, "reset");
  }
  Check(sqlite3_finalize(statement) == SQLITE_OK, "finalize");
  Check(database.Execute("COMMIT"));
  database.Close();
  return watch.Per(rows);
}

Cost TableInsert(const std::string& path, uint64_t rows) {
  rtl::store::Database database;
  Check(database.Open(path, path));
  Check(database.BeginBuilding(16 << 20));
  Check(database.Execute(rtl::store::SchemaSql().c_str()));
  rtl::store::BulkTables bulk;
  Check(bulk.Begin(&database, path));
  OpTable table;
  Check(table.Prepare(database, &bulk));
  const Stopwatch watch;
  for (uint64_t i = 0; i < rows; ++i) Check(table.Add(MakeRow(i)));
  Check(bulk.Finish());
  Check(database.Execute("COMMIT"));
  database.Close();
  return watch.Per(rows);
}

// The agent, queues and kernels that the dispatches name.
void Announce(const std::function<void(const void*, size_t, const std::string&)>& write) {
  rtl::AgentRecord agent;
  agent.head = {rtl::RecordType::kAgent, sizeof agent / 8, 1};
  agent.agent = 1;
  agent.is_gpu = 1;
  write(&agent, sizeof agent, "");
  for (uint32_t i = 1; i <= 8; ++i) {
    rtl::QueueRecord queue;
    queue.head = {rtl::RecordType::kQueue, sizeof queue / 8, 1};
    queue.queue = i;
    queue.agent = 1;
    queue.hsa_id = i;
    write(&queue, sizeof queue, "");
  }
  for (uint32_t i = 1; i <= 40; ++i) {
    const std::string name =
        "_Z" + std::string(i < 10 ? "7kernel" : "8kernel") + std::to_string(i) + "PfS_i";
    rtl::KernelRecord kernel;
    kernel.head = {rtl::RecordType::kKernel, 0, 1};
    kernel.kernel = i;
    kernel.agent = 1;
    kernel.text_bytes = static_cast<uint32_t>(name.size());
    write(&kernel, sizeof kernel, name);
  }
}

Cost RecordsInsert(const std::string& path, uint64_t rows) {
  rtl::store::TraceWriter writer;
  Check(writer.Create(path));
  size_t process = 0;
  writer.AddProcess(rtl::spool::ProcessInfo(), &process);
  Announce([&](const void* record, size_t bytes, const std::string& text) {
    Check(writer.Add(process, {static_cast<const rtl::RecordHeader*>(record), bytes, text}));
  });
  const Stopwatch watch;
  for (uint64_t i = 0; i < rows; ++i) {
    const rtl::DispatchRecord record = MakeRecord(i);
    Check(writer.Add(process, {&record.head, sizeof record, {}}));
  }
  Check(writer.EndProcess(process, rtl::spool::ProcessInfo(), rtl::BootTimeNs(), {}));
  std::string written;
  Check(writer.Commit(&written));
  Check(writer.rows() == rows, "row count");
  return watch.Per(rows);
}

// Writes the spool.
Cost FillSpool(const std::string& directory, uint64_t rows) {
  // Never freed: threads that wrote read their writer when they end.
  static std::vector<std::unique_ptr<rtl::spool::Writer>> writers;
  writers.push_back(std::make_unique<rtl::spool::Writer>());
  rtl::spool::Writer& writer = *writers.back();
  rtl::spool::WriterOptions options;
  options.directory = directory.c_str();
  options.limit_bytes = uint64_t{8} << 30;
  Check(writer.Open(options));
  Announce([&](const void* record, size_t bytes, const std::string& text) {
    Check(writer.Write(record, bytes, text.data(), text.size()), "write");
  });
  std::atomic<bool> running{true};
  std::thread maintenance([&] {
    while (running.load()) {
      writer.Maintain();
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  });
  uint64_t written = 0;
  const Stopwatch watch(CLOCK_THREAD_CPUTIME_ID);
  for (uint64_t i = 0; i < rows; ++i) {
    const rtl::DispatchRecord record = MakeRecord(i);
    written += writer.Write(&record, sizeof record, nullptr, 0);
  }
  const Cost cost = watch.Per(rows);
  running.store(false);
  maintenance.join();
  Check(written == rows, "write");
  writer.CountSubmitted(rtl::EventKind::kKernel, rows);
  writer.Finish();
  return cost;
}

Cost Collect(const std::string& directory, const std::string& path, uint64_t rows) {
  rtl::store::CollectOptions options;
  options.spool = directory;
  options.output = path;
  rtl::store::Collector collector;
  rtl::store::CollectResult result;
  const Stopwatch watch;
  Check(collector.Start(options));
  Check(collector.Stop({}, &result));
  const Cost cost = watch.Per(rows);
  Check(result.rows == rows, "row count");
  Check(result.kind(rtl::EventKind::kKernel).lost() == 0, "balance");
  return cost;
}

struct Variant {
  const char* name;
  std::vector<Cost> costs = {};
};

void PrintSpread(std::vector<double> values, const char* unit) {
  std::sort(values.begin(), values.end());
  printf("%8.1f [%.1f .. %.1f] %s", values[values.size() / 2], values.front(), values.back(), unit);
}

void Print(const Variant& variant, const Variant* base, bool rate) {
  std::vector<double> wall;
  std::vector<double> cpu;
  std::vector<double> ratio;
  for (size_t i = 0; i < variant.costs.size(); ++i) {
    const Cost& cost = variant.costs[i];
    wall.push_back(rate ? 1e6 / cost.wall : cost.wall);
    cpu.push_back(rate ? 1e6 / cost.cpu : cost.cpu);
    if (base != nullptr) ratio.push_back(base->costs[i].cpu / cost.cpu);
  }
  printf("%-10s", variant.name);
  PrintSpread(wall, rate ? "k rows/s" : "ns/record");
  printf(" |");
  PrintSpread(cpu, rate ? "k rows/CPU s" : "CPU ns/record");
  if (base != nullptr) {
    printf(" |");
    PrintSpread(ratio, "x");
  }
  printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 9;
  const uint64_t rows = argc > 2 ? strtoull(argv[2], nullptr, 10) / 16 * 16 : 300'000;
  if (argc > 3) setenv("TMPDIR", argv[3], 1);
  Check(rounds > 0 && rows > 0, "reading the arguments");
  Variant bound{"bound"}, values16{"values16"}, table{"table"}, records{"records"};
  Variant collector{"collector"}, spool{"spool"};
  for (int round = 0; round < rounds; ++round) {
    rtl::test::TempDir dir;
    const std::string spool_dir = dir.File("spool");
    std::filesystem::create_directory(spool_dir);
    std::filesystem::permissions(spool_dir, std::filesystem::perms::owner_all);
    bound.costs.push_back(BoundInsert(dir.File("a.db"), rows, 1));
    values16.costs.push_back(BoundInsert(dir.File("b.db"), rows, 16));
    table.costs.push_back(TableInsert(dir.File("c.db"), rows));
    records.costs.push_back(RecordsInsert(dir.File("d.db"), rows));
    spool.costs.push_back(FillSpool(spool_dir, rows));
    collector.costs.push_back(Collect(spool_dir, dir.File("e.db"), rows));
  }
  printf("%d rounds of %llu rows\n", rounds, static_cast<unsigned long long>(rows));
  Print(bound, nullptr, true);
  for (const Variant* variant : {&values16, &table, &records, &collector}) {
    Print(*variant, &bound, true);
  }
  Print(spool, nullptr, false);
  return 0;
}
