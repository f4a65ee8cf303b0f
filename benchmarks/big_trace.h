// SPDX-License-Identifier: MIT
// big_trace.h: a database of any size, as busy programs leave it: forty kernels on eight queues of
// a GPU, which run for a microsecond or several, one after the other. Times vary as real ones do.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include "base/clock.h"
#include "base/status.h"
#include "model/records.h"
#include "trace/schema/schema.h"
#include "trace/write/trace_writer.h"

namespace rtl::bench {

inline void Check(const Status& status) {
  if (status.ok()) return;
  fprintf(stderr, "benchmark: %s\n", status.message());
  exit(1);
}

class BigTrace {
 public:
  explicit BigTrace(const std::string& path) {
    Check(writer_.Create(path));
    writer_.AddProcess({}, &process_);
  }
  template <typename Record>
  void Add(Record record, RecordType type, const std::string& text = "") {
    record.head = {type, 0, 4242};
    Check(writer_.Add(process_, {&record.head, sizeof record, text}));
  }
  void Complete() {
    Check(writer_.EndProcess(process_, {}, BootTimeNs(), {}));
    Check(writer_.AddMetadata("schema_version", store::kSchemaVersion));
    std::string written;
    Check(writer_.Commit(&written));
  }

 private:
  store::TraceWriter writer_;
  size_t process_ = 0;
};

inline void AddQueuesAndKernels(BigTrace* trace) {
  AgentRecord agent;
  agent.agent = agent.is_gpu = 1;
  trace->Add(agent, RecordType::kAgent);
  for (uint32_t i = 1; i <= 8; ++i) {
    QueueRecord queue;
    queue.queue = i;
    queue.agent = 1;
    queue.hsa_id = i;
    trace->Add(queue, RecordType::kQueue);
  }
  for (uint32_t i = 1; i <= 40; ++i) {
    const std::string name = "_Z8kernel" + std::to_string(10 + i) + "PfS_i";
    KernelRecord kernel;
    kernel.kernel = i;
    kernel.agent = 1;
    kernel.vgprs = 32 + i;
    kernel.text_bytes = static_cast<uint32_t>(name.size());
    trace->Add(kernel, RecordType::kKernel, name);
  }
}

// `calls`: the HIP call of every kernel as well.
inline void MakeBigTrace(const std::string& path, uint64_t kernels, bool calls = false) {
  BigTrace trace(path);
  std::mt19937_64 dice(1);
  AddQueuesAndKernels(&trace);
  const std::string call = "hipLaunchKernel";
  ApiNameRecord name;
  name.api = kFirstUnknownApi;
  name.text_bytes = static_cast<uint32_t>(call.size());
  if (calls) trace.Add(name, RecordType::kApiName, call);
  for (uint64_t i = 0; i < kernels; ++i) {
    DispatchRecord record;
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
    if (calls) record.correlation = i + 1;
    trace.Add(record, RecordType::kDispatch);
    if (!calls) continue;
    ApiCallRecord launch;
    launch.correlation = i + 1;
    launch.start = record.submitted - 600;
    launch.end = record.submitted + 200 + dice() % 300;
    launch.api = kFirstUnknownApi;
    launch.flags = kApiFlagNoResult;
    trace.Add(launch, RecordType::kApiCall);
  }
  trace.Complete();
}

}  // namespace rtl::bench
