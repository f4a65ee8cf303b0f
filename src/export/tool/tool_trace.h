// SPDX-License-Identifier: MIT
// tool_trace.h: one process of a trace, in the terms of rocprofiler-sdk: its agents, kernels and
// records with the ids, names and numbers that every format of rocprofv3 shares.
//
//   ToolTrace trace;
//   RTL_TRY(trace.Open(reader, process, options));
//   RTL_TRY(trace.ForEachKernel([&](const ToolKernel& kernel) { … return Status::Ok(); }));
//
// An event without a known API call has its own id: `FirstOwnId` plus its row's.
//
// Threads    one, the reader's
// Memory     agents, queues, kernels and streams of the process; open ranges
// Errors     the reader's; a callback's error ends the walk
#pragma once

#include <array>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "export/tool/agent_properties.h"
#include "export/tool/domains.h"
#include "model/records.h"
#include "trace/read/trace_reader.h"

namespace rtl::exporting::tool {

enum class AgentIndex : uint8_t { kAbsolute, kRelative, kTypeRelative };
enum class KernelNames : uint8_t { kDemangled, kMangled, kTruncated };

// Nanoseconds from the start of the process: a period, and those that follow it at equal distances.
struct Period {
  uint64_t begin = 0;
  uint64_t end = 0;  // of the first one; UINT64_MAX: none
  uint64_t every = 0;
  uint64_t count = 1;  // UINT64_MAX: they do not end

  bool Holds(uint64_t start, uint64_t stop) const;
};

// An agent as the driver describes it.
struct DriverAgent {
  query::Agent agent;
  AgentFacts::Properties properties;
};

struct ToolOptions {
  bool domains[kDomainCount] = {true, true, true, true, true, true, true, true};
  bool counters = false;     // of kernels
  bool samples = false;      // of program counters
  bool hip_runtime = true;   // of kHip
  bool hip_compiler = true;  // of kHip
  bool hsa_core = true;      // of kHsa, as the next three
  bool hsa_amd = true;
  bool hsa_image = true;
  bool hsa_finalizer = true;
  AgentIndex agent_index = AgentIndex::kRelative;
  KernelNames kernel_names = KernelNames::kDemangled;
  bool kernel_rename = false;              // as in range_names.h
  bool group_by_queue = false;             // streams are left out
  bool old_columns = false;                // of rocprofv3 0.5
  std::vector<Period> periods;             // empty: all the time
  std::vector<DriverAgent> driver_agents;  // of a process without agents in the trace

  bool wants(Domain domain) const { return domains[static_cast<size_t>(domain)]; }
  bool wants(const ApiFamily& family) const;
};

struct ToolAgent {
  query::Agent agent;
  uint32_t logical = 0;       // among all
  uint32_t type_logical = 0;  // among those of its type
  std::string label;          // "Agent 1", "GPU 0"
  AgentFacts facts;
  uint64_t handle() const { return uint64_t{agent.agent}; }
};

struct ToolSymbol {
  query::KernelInfo info;
  std::string mangled;  // with ".kd"
  std::string demangled;
  std::string truncated;
  std::string shown;  // in the form of `kernel_names`
};

// The code of the kernels of one executable. Only the first of its code objects is known.
struct ToolCodeObject {
  uint64_t id = 0;     // ToolSymbol::info.code_object; zero: of unknown kernels
  uint32_t agent = 0;  // query::Agent::agent; zero: not known
  // Empty or zero when it is not in the trace.
  std::string uri;
  uint64_t base = 0, bytes = 0;
  int64_t delta = 0;
  uint64_t memory_base = 0, memory_size = 0;  // of a URI "memory://…"
};

struct ToolKernel {
  query::KernelRow row;
  uint64_t correlation = 0;
  uint64_t stream = 0;
  uint64_t queue = 0;                  // 1-based within the process
  const ToolSymbol* symbol = nullptr;  // never null
  const ToolAgent* agent = nullptr;    // null: not in the trace
  std::string_view name;
  bool renamed = false;
};

struct ToolCopy {
  query::CopyRow row;
  uint64_t correlation = 0;
  uint64_t stream = 0;
  int32_t operation = 0;  // rocprofiler_memory_copy_operation_t
  const char* direction = "";
  const ToolAgent* source = nullptr;  // null: not in the trace
  const ToolAgent* destination = nullptr;
};

struct ToolCall {
  query::ApiRow row;      // for a call of HSA: the columns of such calls
  uint64_t ancestor = 0;  // the HIP call around it; 0: none is known
  const ApiFamily* family = nullptr;
  std::string_view name;
  std::string_view arguments;
  uint64_t stream = 0;
};

// An allocation or a release of memory, or of kernels' scratch memory.
struct ToolMemory {
  query::EventRow row;
  uint64_t correlation = 0;
  int32_t operation = 0;  // rocprofiler_memory_allocation_operation_t, or scratch memory's
  const char* name = "";  // of the operation
  const ToolAgent* agent = nullptr;  // null: of no agent, or not in the trace
  uint64_t address = 0;              // not of scratch memory
  uint64_t bytes = 0;
  uint64_t queue = 0;  // of scratch memory: 1-based within the process; 0: not known
  uint64_t flags = 0;  // of scratch memory
};

enum class MarkerForm : int32_t { kMark = 0, kThreadRange = 1, kProcessRange = 2 };
struct ToolMarker {
  query::MarkerRow row;
  uint64_t correlation = 0;
  MarkerForm form = MarkerForm::kMark;
  std::string_view message;
};

// By rocprofiler_counter_dimension_id_t; the last is DIMENSION_INSTANCE.
inline constexpr std::array<const char*, 8> kDimensionNames = {
    "DIMENSION_NONE",  "DIMENSION_XCC",          "DIMENSION_AID", "DIMENSION_SHADER_ENGINE",
    "DIMENSION_AGENT", "DIMENSION_SHADER_ARRAY", "DIMENSION_WGP", "DIMENSION_INSTANCE"};

// The place of a counter's instance in a dimension.
inline uint64_t CounterPositionIn(uint64_t position, uint32_t dimension) {
  return position >> (dimension - 1) * kCounterPositionBits & ((1u << kCounterPositionBits) - 1);
}

// The description of a hardware counter on a GPU.
struct ToolCounter {
  uint64_t id = 0;  // 1-based
  const ToolAgent* agent = nullptr;
  query::CounterInfo info;
  struct Dimension {
    uint32_t id;      // rocprofiler_counter_dimension_id_t
    uint32_t extent;  // positions
  };
  std::vector<Dimension> dimensions;  // by id; at least one
};

// A number of events that are missing in the trace or left out of these files.
struct Missing {
  std::string kind;     // "kernels"
  std::string counter;  // "seen", "recorded", or a loss
  std::string text;     // for a loss, the text for people
  uint64_t events = 0;
};

std::string TruncateKernelName(std::string_view demangled);

class ToolTrace {
 public:
  template <typename T>
  using Take = std::function<Status(const T&)>;

  // `reader` outlives this.
  Status Open(query::TraceReader& reader, const query::Process& process,
              const ToolOptions& options);

  const ToolOptions& options() const { return options_; }
  const query::Process& process() const { return process_; }
  query::TraceReader& reader() { return *reader_; }
  const std::vector<ToolAgent>& agents() const { return agents_; }
  // By number; the first stands for unknown kernels.
  const std::vector<ToolSymbol>& symbols() const { return symbols_; }
  // By number.
  const std::vector<ToolCodeObject>& code_objects() const { return code_objects_; }
  const std::vector<query::Stream>& streams() const { return streams_; }
  const std::vector<query::Queue>& queues() const { return queues_; }
  // Empty: none is known.
  std::string_view ThreadName(uint32_t tid) const {
    const auto name = thread_names_.find(tid);
    return name == thread_names_.end() ? std::string_view() : name->second;
  }
  // For kinds whose rows have their own numbers.
  uint64_t OwnIdOf(Domain domain, int64_t row) const {
    return own_ids_ + (static_cast<uint64_t>(domain) + 1) * kRowsOfADomain +
           static_cast<uint64_t>(row);
  }
  uint64_t IdOf(uint64_t correlation, int64_t row) const {
    return correlation != 0 ? correlation : own_ids_ + static_cast<uint64_t>(row);
  }
  bool InPeriods(uint64_t start, uint64_t end) const;
  // Events were looked at, and all lie outside of the periods.
  bool MissedPeriods() const { return outside_ && !inside_; }

  // Kernels come in the order of submission; copies, calls and markers in that of their start.
  // Strings live until the callback returns. Unselected domains have no rows.
  Status ForEachKernel(const Take<ToolKernel>& take);
  // Counted kernels with their hardware counters, whether kernels are selected or not.
  using Sums = std::span<const query::CounterSum>;
  using TakeCounters = std::function<Status(const ToolKernel&, Sums)>;
  Status ForEachCounted(const TakeCounters& take);
  // The correlation ids of kernels that no recorded call submitted, by dispatch.
  Status OwnIdsOfKernels(std::unordered_map<uint64_t, uint64_t>* ids);
  // The same with every instance of each counter.
  struct Instance {
    const std::string* counter;
    uint64_t position;
    double value;
    bool not_modelled;
  };
  using TakeInstances = std::function<Status(const ToolKernel&, std::span<const Instance>)>;
  Status ForEachCountedInstance(const TakeInstances& take);
  // The descriptions of the counters, on each GPU.
  const std::vector<ToolCounter>& counters() const { return counters_; }
  // The id of a kernel's counter; 0: the trace does not describe it.
  uint64_t CounterId(const ToolKernel& kernel, const std::string& name) const;
  Status ForEachCopy(const Take<ToolCopy>& take);
  Status ForEachCall(Domain domain, const Take<ToolCall>& take);
  Status ForEachMarker(const Take<ToolMarker>& take);
  // kAllocation or kScratch.
  Status ForEachMemory(Domain domain, const Take<ToolMemory>& take);

  // Seen, recorded and every loss that happened, of each kind of event.
  Status Coverage(std::vector<Missing>* out);

 private:
  Status EachKernel(const Take<ToolKernel>& take);
  Status ReadAgents();
  void AddAgent(query::Agent agent, AgentFacts::Properties properties);
  Status ReadCounters();
  Status ReadSymbols();
  Status ReadCodeObjects();
  Status ForEachEventCall(Domain domain, const Take<ToolCall>& take);
  Status StreamOf(uint64_t correlation, uint64_t* stream);
  template <typename Row>
  bool IsOfProcess(const Row& row) const;
  const ToolAgent* AgentNumbered(uint32_t number) const;
  const ToolAgent* AgentOfGpu(int32_t gpu) const;
  const ToolAgent* FirstCpu() const;

  mutable bool inside_ = false, outside_ = false;  // of the periods: an event was
  static constexpr uint64_t kRowsOfADomain = uint64_t{1} << 40;

  query::TraceReader* reader_ = nullptr;
  query::Process process_;
  // The time in which its pid belonged to this program.
  uint64_t from_ = 0;
  uint64_t until_ = UINT64_MAX;
  ToolOptions options_;
  std::vector<ToolCounter> counters_;
  std::map<std::pair<const ToolAgent*, std::string>, uint64_t> counter_ids_;
  std::vector<ToolAgent> agents_;
  std::vector<ToolSymbol> symbols_;
  std::vector<ToolCodeObject> code_objects_;
  std::unordered_map<uint64_t, std::string> thread_names_;
  std::unordered_map<int64_t, uint32_t> symbol_of_kernel_;
  std::vector<query::Stream> streams_;
  std::vector<query::Queue> queues_;
  std::unordered_map<int64_t, uint64_t> number_of_queue_;
  uint64_t own_ids_ = 0;
  uint64_t last_call_ = 0;  // the call of last_stream_
  uint64_t last_stream_ = 0;
};

}  // namespace rtl::exporting::tool
