// SPDX-License-Identifier: MIT
// export_bench: events per second from a database to a timeline, with all arguments.
//
//   export_bench [ROUNDS [KERNELS [DIRECTORY]]]      (7, 300000, a temporary directory)
//
// Every round runs every arm once, in turn, on the same kernels. Printed: median [least .. most] of
// the rounds, bytes per kernel, and the ratio to `scan` of the same round. Times vary as real
// ones do.
//
//   scan       SQLite steps through all rows of rocpd_op and reads every column: what reading costs
//   again      the same once more: its ratio is the noise of the machine
//   read       the kernels as an export reads them, without writing anything
//   pftrace    rtl convert --to pftrace, into a new file
//   zst, gz    the same, compressed
//   chrome     rtl convert --to chrome
#include <sqlite3.h>
#include <stdlib.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "base/clock.h"
#include "benchmarks/big_trace.h"
#include "export/exporter.h"
#include "tests/support/temp_dir.h"

namespace {

using rtl::BootTimeNs;
using rtl::bench::Check;

void Check(bool good, const char* what) {
  if (good) return;
  fprintf(stderr, "export_bench: %s failed\n", what);
  exit(1);
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
  double (*read)(const std::string& path, uint64_t kernels) = nullptr;  // writes nothing
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
  const std::string path = dir.File("trace.db");
  rtl::bench::MakeBigTrace(path, kernels);
  using rtl::exporting::Format;
  Arm arms[] = {{"scan", nullptr, {}, Scan},
                {"again", nullptr, {}, Scan},
                {"read", nullptr, {}, Read},
                {"pftrace", "pftrace"},
                {"zst", "pftrace.zst"},
                {"gz", "pftrace.gz"},
                {"chrome", "json", Format::kChrome}};
  for (int round = 0; round < rounds; ++round) {
    for (Arm& arm : arms) {
      if (arm.read != nullptr) {
        arm.ns.push_back(arm.read(path, kernels));
        continue;
      }
      const std::string output = dir.File(std::string("out.") + arm.suffix);
      std::filesystem::remove(output);  // the time to drop an old file does not count
      arm.ns.push_back(Export(path, arm.format, output));
      arm.bytes = std::filesystem::file_size(output);
    }
  }
  printf("%d rounds of %llu kernels\n", rounds, static_cast<unsigned long long>(kernels));
  printf("trace.db: %.1f bytes/kernel\n",
         static_cast<double>(std::filesystem::file_size(path)) / static_cast<double>(kernels));
  for (const Arm& arm : arms) Print(arm, arms[0], kernels);
  return 0;
}
