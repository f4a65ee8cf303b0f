// SPDX-License-Identifier: MIT
// tool_trace.h: reads one process of a trace in the terms of rocprofiler-sdk: its agents, kernels
// and records, with the ids, names and numbers that all formats of rocprofv3 share.
//
//   ToolTrace trace;
//   RTL_TRY(trace.Open(reader, process, options));
//   RTL_TRY(trace.ForEachKernel([&](const ToolKernel& kernel) { … return Status::Ok(); }));
//
// An event whose API call is not known has an id of its own: see OwnIdOf.
//
// Threads    one, the reader's
// Memory     agents, queues, kernels and streams of the process; open ranges
// Errors     those of the reader; an error of a callback ends the reading
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

// A period, and further periods that follow it at equal distances, in nanoseconds from the start of
// the process.
struct Period {
  uint64_t begin = 0;
  uint64_t end = 0;  // end of the first period; UINT64_MAX: no end
  uint64_t every = 0;
  uint64_t count = 1;  // number of periods; UINT64_MAX: without limit

  bool Holds(uint64_t start, uint64_t stop) const;
};

// An agent as the driver describes it.
struct DriverAgent {
  query::Agent agent;
  AgentFacts::Properties properties;
};

struct ToolOptions {
  bool domains[kDomainCount] = {true, true, true, true, true, true, true, true};
  bool counters = false;     // hardware counters of kernels
  bool samples = false;      // PC samples
  bool hip_runtime = true;   // within the domain kHip
  bool hip_compiler = true;  // within the domain kHip
  bool hsa_core = true;      // within the domain kHsa, like the next three
  bool hsa_amd = true;
  bool hsa_image = true;
  bool hsa_finalizer = true;
  AgentIndex agent_index = AgentIndex::kRelative;
  KernelNames kernel_names = KernelNames::kDemangled;
  bool kernel_rename = false;              // names of kernels as range_names.h finds them
  bool group_by_queue = false;             // leave streams out
  bool old_columns = false;                // write the columns of rocprofv3 0.5
  std::vector<Period> periods;             // empty: the whole time
  std::vector<DriverAgent> driver_agents;  // used for a process that has no agents in the trace

  bool wants(Domain domain) const { return domains[static_cast<size_t>(domain)]; }
  bool wants(const ApiFamily& family) const;
};

struct ToolAgent {
  query::Agent agent;
  uint32_t logical = 0;       // number among all agents
  uint32_t type_logical = 0;  // number among the agents of its type
  std::string label;          // for example "Agent 1" or "GPU 0"
  AgentFacts facts;
  uint64_t handle() const { return uint64_t{agent.agent}; }
};
// `agent` may be null.
inline uint64_t HandleOf(const ToolAgent* agent) { return agent == nullptr ? 0 : agent->handle(); }

struct ToolSymbol {
  query::KernelInfo info;
  std::string mangled;  // with ".kd"
  std::string demangled;
  std::string truncated;
  std::string shown;  // in the form that `kernel_names` selects
};

// The code of the kernels of one executable. If the executable has several code objects, only the
// first one is known.
struct ToolCodeObject {
  uint64_t id = 0;     // ToolSymbol::info.code_object; zero: the code object of unknown kernels
  uint32_t agent = 0;  // query::Agent::agent; zero: not known
  // Empty or zero if the code object is not in the trace.
  std::string uri;
  uint64_t base = 0, bytes = 0;
  int64_t delta = 0;
  uint64_t memory_base = 0, memory_size = 0;  // for a URI "memory://…"
};

struct ToolKernel {
  query::KernelRow row;
  uint64_t correlation = 0;
  uint64_t stream = 0;
  uint64_t queue = 0;                  // 1-based within the process
  const ToolSymbol* symbol = nullptr;  // never null
  const ToolAgent* agent = nullptr;    // null: the trace does not have the agent
  std::string_view name = {};
  bool renamed = false;
};

struct ToolCopy {
  query::CopyRow row;
  uint64_t correlation = 0;
  uint64_t stream = 0;
  int32_t operation = 0;  // a value of rocprofiler_memory_copy_operation_t
  const char* direction = "";
  const ToolAgent* source = nullptr;  // null: the trace does not have the agent
  const ToolAgent* destination = nullptr;
};

struct ToolCall {
  query::ApiRow row;      // for a call of HSA or RCCL: only the columns that such calls have
  uint64_t ancestor = 0;  // the HIP call around the call; 0: not known
  const ApiFamily* family = nullptr;
  std::string_view name = {};
  std::string_view arguments = {};
  uint64_t stream = 0;
};

// An allocation or a release of memory, or of scratch memory for kernels.
struct ToolMemory {
  query::EventRow row;
  uint64_t correlation = 0;
  // a value of rocprofiler_memory_allocation_operation_t, or of scratch memory's enumeration
  int32_t operation = 0;
  const char* name = "";             // name of the operation
  const ToolAgent* agent = nullptr;  // null: no agent, or the trace does not have it
  uint64_t address = 0;              // not set for scratch memory
  uint64_t bytes = 0;
  uint64_t queue = 0;  // for scratch memory: 1-based within the process; 0: not known
  uint64_t flags = 0;  // for scratch memory
};

enum class MarkerForm : int32_t { kMark = 0, kThreadRange = 1, kProcessRange = 2 };
// Names of the operations by which rocprofiler-sdk records markers, indexed by form.
inline constexpr const char* kMarkerOperations[] = {"roctxMarkA", "roctxThreadRangeA",
                                                    "roctxProcessRangeA"};
struct ToolMarker {
  query::MarkerRow row;
  uint64_t correlation = 0;
  MarkerForm form = MarkerForm::kMark;
  std::string_view message = {};
};

// By rocprofiler_counter_dimension_id_t; the last is DIMENSION_INSTANCE.
inline constexpr std::array<const char*, 8> kDimensionNames = {
    "DIMENSION_NONE",  "DIMENSION_XCC",          "DIMENSION_AID", "DIMENSION_SHADER_ENGINE",
    "DIMENSION_AGENT", "DIMENSION_SHADER_ARRAY", "DIMENSION_WGP", "DIMENSION_INSTANCE"};

// The position of a counter's instance in a dimension.
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
    uint32_t extent;  // number of positions
  };
  std::vector<Dimension> dimensions;  // ordered by id; at least one
};

// The number of events that are missing in the trace or left out of these files, for one cause.
struct Missing {
  std::string kind;     // for example "kernels"
  std::string counter;  // "seen", "recorded", or a loss
  std::string text;     // for a loss: its text for users
  uint64_t events = 0;
};

std::string TruncateKernelName(std::string_view demangled);

class ToolTrace {
 public:
  template <typename T>
  using Take = std::function<Status(const T&)>;

  // `reader` must outlive this object.
  Status Open(query::TraceReader& reader, const query::Process& process,
              const ToolOptions& options);

  const ToolOptions& options() const { return options_; }
  const query::Process& process() const { return process_; }
  query::TraceReader& reader() { return *reader_; }
  const std::vector<ToolAgent>& agents() const { return agents_; }
  // Indexed by number; the first element stands for unknown kernels.
  const std::vector<ToolSymbol>& symbols() const { return symbols_; }
  // Indexed by number.
  const std::vector<ToolCodeObject>& code_objects() const { return code_objects_; }
  const std::vector<query::Stream>& streams() const { return streams_; }
  const std::vector<query::Queue>& queues() const { return queues_; }
  // Empty if no name is known.
  std::string_view ThreadName(uint32_t tid) const {
    const auto name = thread_names_.find(tid);
    return name == thread_names_.end() ? std::string_view() : name->second;
  }
  // The id of an event without a call, for kinds whose rows have numbers of their own.
  uint64_t OwnIdOf(Domain domain, int64_t row) const {
    return own_ids_ + (static_cast<uint64_t>(domain) + 1) * kRowsOfADomain +
           static_cast<uint64_t>(row);
  }
  uint64_t IdOf(uint64_t correlation, int64_t row) const {
    return correlation != 0 ? correlation : own_ids_ + static_cast<uint64_t>(row);
  }
  bool InPeriods(uint64_t start, uint64_t end) const;
  // True if events were checked and all of them are outside of the periods.
  bool MissedPeriods() const { return outside_ && !inside_; }

  // Kernels come in the order of submission; copies, calls and markers come in the order of their
  // start. Strings are valid until the callback returns. Domains that are not selected have no
  // rows.
  Status ForEachKernel(const Take<ToolKernel>& take);
  // Passes counted kernels with their hardware counters, whether kernels are selected or not.
  using Sums = std::span<const query::CounterSum>;
  using TakeCounters = std::function<Status(const ToolKernel&, Sums)>;
  Status ForEachCounted(const TakeCounters& take);
  // For each dispatch of a kernel that no recorded call submitted: its correlation id.
  Status OwnIdsOfKernels(std::unordered_map<uint64_t, uint64_t>* ids);
  // Passes counted kernels with every instance of each counter.
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
  // The id of a counter of a kernel; 0 if the trace does not describe it.
  uint64_t CounterId(const ToolKernel& kernel, const std::string& name) const;
  Status ForEachCopy(const Take<ToolCopy>& take);
  Status ForEachCall(Domain domain, const Take<ToolCall>& take);
  Status ForEachMarker(const Take<ToolMarker>& take);
  // `domain`: kAllocation or kScratch.
  Status ForEachMemory(Domain domain, const Take<ToolMemory>& take);

  // For each kind of event: submitted, recorded, and every loss that happened.
  Status Coverage(std::vector<Missing>* out);

 private:
  Status EachKernel(const Take<ToolKernel>& take);
  Status ReadAgents();
  void AddAgent(query::Agent agent, AgentFacts::Properties properties);
  Status ReadCounters();
  Status ReadSymbols();
  Status ReadCodeObjects();
  Status ForEachEventCall(Domain domain, const Take<ToolCall>& take);
  Status PassCall(Domain domain, ToolCall* call, const Take<ToolCall>& take);
  Status StreamOf(uint64_t correlation, uint64_t* stream);
  template <typename Row>
  bool IsOfProcess(const Row& row) const;
  // These return null if the trace does not have the agent.
  template <typename Is>
  const ToolAgent* FirstAgent(const Is& is) const;
  const ToolAgent* AgentNumbered(uint32_t number) const;
  const ToolAgent* AgentOfGpu(int32_t gpu) const;

  // whether an event was inside of the periods, and whether one was outside
  mutable bool inside_ = false, outside_ = false;
  static constexpr uint64_t kRowsOfADomain = uint64_t{1} << 40;

  query::TraceReader* reader_ = nullptr;
  query::Process process_;
  // The time in which the process's pid belonged to this program.
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
  uint64_t last_call_ = 0;  // the call to which last_stream_ belongs
  uint64_t last_stream_ = 0;
};

}  // namespace rtl::exporting::tool
