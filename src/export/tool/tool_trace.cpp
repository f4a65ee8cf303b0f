// SPDX-License-Identifier: MIT
#include "export/tool/tool_trace.h"

#include <rocprofiler-sdk/fwd.h>

#include <algorithm>
#include <set>
#include <span>

#include "export/range_names.h"
#include "model/losses.h"
#include "names/kinds.h"
#include "trace/read/counter_table.h"
#include "trace/schema/schema.h"

namespace rtl::exporting::tool {
namespace {

constexpr char kUnknownKernel[] = "(unknown kernel)";

// A counter with a single value has one position in DIMENSION_INSTANCE.
std::vector<ToolCounter::Dimension> DimensionsOf(const std::vector<uint64_t>& positions) {
  std::vector<ToolCounter::Dimension> dimensions;
  for (uint32_t id = 1; id < kDimensionNames.size(); ++id) {
    uint64_t last = 0;
    for (const uint64_t position : positions)
      last = std::max(last, CounterPositionIn(position, id));
    if (last != 0 || id + 1 == kDimensionNames.size())
      dimensions.push_back({id, static_cast<uint32_t>(last) + 1});
  }
  return dimensions;
}

// Finds the names of kernels for --kernel-rename.
class KernelNamer {
 public:
  Status Open(query::TraceReader& reader) {
    RTL_TRY(reader.MarkersByStart(&cursor_));
    return cursor_.Next(&next_, &has_next_);
  }
  // Finds the name for a kernel that the thread submits at `time`; times must not decrease. *name
  // is 0 if the kernel keeps its own name.
  Status NameAt(uint32_t pid, uint32_t tid, uint64_t time, int64_t* name) {
    for (; has_next_ && next_.start <= time;) {
      RangeNames& names = threads_[Key(next_.pid, next_.tid)];
      if (next_.is_mark) {
        names.Mark(next_.name, next_.start);
      } else if (!next_.is_start_stop) {
        names.Begin(next_.name, next_.start, next_.end);
      }
      RTL_TRY(cursor_.Next(&next_, &has_next_));
    }
    const auto found = threads_.find(Key(pid, tid));
    *name = found == threads_.end() ? 0 : found->second.At(time);
    return Status::Ok();
  }

 private:
  static uint64_t Key(uint32_t pid, uint32_t tid) { return uint64_t{pid} << 32 | tid; }

  query::MarkerCursor cursor_;
  query::MarkerRow next_;
  bool has_next_ = false;
  std::unordered_map<uint64_t, RangeNames> threads_;
};

struct Operation {
  const char* ours;
  int32_t number;
};
constexpr Operation kDirections[] = {
    {"CopyHostToHost", ROCPROFILER_MEMORY_COPY_HOST_TO_HOST},
    {"CopyHostToDevice", ROCPROFILER_MEMORY_COPY_HOST_TO_DEVICE},
    {"CopyDeviceToHost", ROCPROFILER_MEMORY_COPY_DEVICE_TO_HOST},
    {"CopyDeviceToDevice", ROCPROFILER_MEMORY_COPY_DEVICE_TO_DEVICE},
};
constexpr Operation kMemoryOperations[] = {
    {"allocate", ROCPROFILER_MEMORY_ALLOCATION_ALLOCATE},
    {"free", ROCPROFILER_MEMORY_ALLOCATION_FREE},
    {"vmem_allocate", ROCPROFILER_MEMORY_ALLOCATION_VMEM_ALLOCATE},
    {"vmem_free", ROCPROFILER_MEMORY_ALLOCATION_VMEM_FREE},
    {"scratch_allocate", ROCPROFILER_SCRATCH_MEMORY_ALLOC},
    {"scratch_free", ROCPROFILER_SCRATCH_MEMORY_FREE},
    {"scratch_reclaim", ROCPROFILER_SCRATCH_MEMORY_ASYNC_RECLAIM},
};
static_assert(ROCPROFILER_MEMORY_COPY_NONE == 0 && ROCPROFILER_MEMORY_ALLOCATION_NONE == 0);

// Returns 0, which is NONE in each enumeration, for any other name.
int32_t OperationIn(std::span<const Operation> operations, std::string_view name) {
  for (const Operation& each : operations) {
    if (name == each.ours) return each.number;
  }
  return 0;
}

}  // namespace

// 'Foo<int, float>::foo(a[], int (int))' becomes 'foo': removes bracketed text at the end, then
// everything up to the last blank or colon.
std::string TruncateKernelName(std::string_view name) {
  constexpr std::string_view kClosing = ")>]", kOpening = "(<[";
  size_t end = name.size();
  while (end > 0) {
    if (name[end - 1] == ' ') {
      --end;
      continue;
    }
    const size_t bracket = kClosing.find(name[end - 1]);
    if (bracket == std::string_view::npos) break;
    size_t at = end - 1;
    for (int depth = 1; depth > 0 && at > 0;) {
      --at;
      if (name[at] == kClosing[bracket]) ++depth;
      if (name[at] == kOpening[bracket]) --depth;
    }
    end = at;
  }
  const size_t before = end == 0 ? std::string_view::npos : name.find_last_of(" :", end - 1);
  const size_t begin = before == std::string_view::npos ? 0 : before + 1;
  // A name that consists of brackets, such as "(unknown kernel)", stays.
  return std::string(end == 0 ? name : name.substr(begin, end - begin));
}

Status ToolTrace::Open(query::TraceReader& reader, const query::Process& process,
                       const ToolOptions& options) {
  reader_ = &reader;
  process_ = process;
  options_ = options;
  std::vector<query::Process> all;
  RTL_TRY(reader.tables().Processes(&all));
  for (const query::Process& other : all) {
    if (other.pid != process.pid || other.id == process.id) continue;
    if (other.started > process.started) until_ = std::min(until_, other.started);
    if (other.started < process.started) from_ = process.started;
  }
  RTL_TRY(ReadAgents());
  RTL_TRY(ReadSymbols());
  RTL_TRY(ReadCodeObjects());
  std::vector<query::Stream> streams;
  RTL_TRY(reader.tables().Streams(&streams));
  for (query::Stream& stream : streams) {
    if (stream.process == process.id) streams_.push_back(std::move(stream));
  }
  std::vector<query::Queue> queues;
  RTL_TRY(reader.tables().Queues(&queues));
  for (query::Queue& queue : queues) {
    if (queue.process != process.id) continue;
    number_of_queue_[queue.id] = queue.queue;
    queues_.push_back(std::move(queue));
  }
  std::vector<query::GivenName> names;
  RTL_TRY(reader.tables().GivenNames(&names));
  for (query::GivenName& given : names) {
    if (given.process == process.id && given.kind == "thread")
      thread_names_.insert_or_assign(given.target, std::move(given.name));
  }
  if (options_.counters) RTL_TRY(ReadCounters());
  return reader.calls().LastCorrelation(&own_ids_);
}

Status ToolTrace::ReadAgents() {
  std::vector<query::Agent> all;
  RTL_TRY(reader_->tables().Agents(&all));
  std::vector<query::AgentProperty> properties;
  RTL_TRY(reader_->tables().AgentProperties(&properties));
  for (query::Agent& agent : all) {
    if (agent.process != process_.id) continue;
    AgentFacts::Properties own;
    for (const query::AgentProperty& property : properties) {
      if (property.process == process_.id && property.agent == agent.agent)
        own[property.name] = property.value;
    }
    AddAgent(std::move(agent), std::move(own));
  }
  if (!agents_.empty()) return Status::Ok();
  for (const DriverAgent& each : options_.driver_agents) AddAgent(each.agent, each.properties);
  return Status::Ok();
}

void ToolTrace::AddAgent(query::Agent agent, AgentFacts::Properties properties) {
  ToolAgent out;
  out.logical = static_cast<uint32_t>(agents_.size());
  for (const ToolAgent& other : agents_) {
    if (other.agent.is_gpu == agent.is_gpu) ++out.type_logical;
  }
  const bool by_type = options_.agent_index == AgentIndex::kTypeRelative;
  const uint32_t number = by_type                                         ? out.type_logical
                          : options_.agent_index == AgentIndex::kAbsolute ? agent.node
                                                                          : out.logical;
  out.label = by_type ? agent.is_gpu ? "GPU " : "CPU " : "Agent ";
  out.label += std::to_string(number);
  out.facts = AgentFacts(agent, out.logical, std::move(properties));
  out.agent = std::move(agent);
  agents_.push_back(std::move(out));
}

Status ToolTrace::ReadSymbols() {
  symbols_.emplace_back();
  symbols_[0].mangled = symbols_[0].demangled = kUnknownKernel;
  symbols_[0].truncated = symbols_[0].shown = kUnknownKernel;
  std::vector<query::KernelInfo> all;
  RTL_TRY(reader_->tables().Kernels(&all));
  for (const query::KernelInfo& info : all) {
    if (info.process != process_.id) continue;
    ToolSymbol symbol;
    symbol.info = info;
    symbol.info.kernel = static_cast<uint32_t>(symbols_.size());
    std::string_view text;
    RTL_TRY(reader_->Text(info.mangled, &text));
    symbol.mangled = std::string(text) + (text.empty() ? "" : ".kd");
    RTL_TRY(reader_->Text(info.name, &text));
    symbol.demangled = text.empty() ? kUnknownKernel : std::string(text);
    if (symbol.mangled.empty()) symbol.mangled = symbol.demangled;
    symbol.truncated = TruncateKernelName(symbol.demangled);
    const KernelNames names = options_.kernel_names;
    symbol.shown = names == KernelNames::kMangled     ? symbol.mangled
                   : names == KernelNames::kTruncated ? symbol.truncated
                                                      : symbol.demangled;
    symbol_of_kernel_[info.id] = symbol.info.kernel;
    symbols_.push_back(std::move(symbol));
  }
  return Status::Ok();
}

// One pid may belong to several programs, one after another or on several hosts. Rows of earlier
// versions have only the pid, so the time decides.
template <typename Row>
bool ToolTrace::IsOfProcess(const Row& row) const {
  if (row.process != 0) return row.process == process_.id;
  return row.pid == process_.pid && row.start >= from_ && row.start < until_;
}

bool Period::Holds(uint64_t start, uint64_t stop) const {
  if (start < begin || stop < start) return false;
  const uint64_t number = every == 0 ? 0 : std::min((start - begin) / every, count - 1);
  return stop - begin - number * every <= end - begin;
}

bool ToolTrace::InPeriods(uint64_t start, uint64_t end) const {
  if (options_.periods.empty()) return true;
  const bool after = start >= process_.started && end >= start;
  const bool inside =
      after &&
      std::any_of(options_.periods.begin(), options_.periods.end(), [&](const Period& period) {
        return period.Holds(start - process_.started, end - process_.started);
      });
  (inside ? inside_ : outside_) = true;
  return inside;
}

template <typename Is>
const ToolAgent* ToolTrace::FirstAgent(const Is& is) const {
  const auto found = std::find_if(agents_.begin(), agents_.end(),
                                  [&](const ToolAgent& each) { return is(each.agent); });
  return found == agents_.end() ? nullptr : &*found;
}

const ToolAgent* ToolTrace::AgentNumbered(uint32_t number) const {
  return FirstAgent([&](const query::Agent& agent) { return agent.agent == number; });
}

const ToolAgent* ToolTrace::AgentOfGpu(int32_t gpu) const {
  return FirstAgent([&](const query::Agent& agent) { return agent.is_gpu && agent.gpu == gpu; });
}

Status ToolTrace::StreamOf(uint64_t correlation, uint64_t* stream) {
  *stream = 0;
  if (correlation == 0 || options_.group_by_queue || streams_.empty()) return Status::Ok();
  if (correlation != last_call_) {
    last_call_ = correlation;
    last_stream_ = 0;
    query::StreamUse use;
    bool found = false;
    RTL_TRY(reader_->calls().StreamOf(process_.id, correlation, &use, &found));
    for (const query::Stream& one : streams_) {
      const bool lives =
          use.time >= one.created && (one.destroyed == 0 || use.time <= one.destroyed);
      if (found && one.handle == use.handle && lives) last_stream_ = one.stream;
    }
  }
  *stream = last_stream_;
  return Status::Ok();
}

Status ToolTrace::ForEachKernel(const Take<ToolKernel>& take) {
  return options_.wants(Domain::kKernel) ? EachKernel(take) : Status::Ok();
}

Status ToolTrace::ForEachCounted(const TakeCounters& take) {
  if (!options_.counters) return Status::Ok();
  query::CounterTable table;
  RTL_TRY(table.Load(*reader_, process_.id));
  if (table.empty()) return Status::Ok();  // without counters the kernels need not be read again
  return EachKernel([&](const ToolKernel& kernel) {
    const Sums sums = table.Of(process_.id, kernel.row.dispatch);
    return sums.empty() ? Status::Ok() : take(kernel, sums);
  });
}

Status ToolTrace::OwnIdsOfKernels(std::unordered_map<uint64_t, uint64_t>* ids) {
  return EachKernel([&](const ToolKernel& kernel) {
    if (kernel.row.correlation == 0) (*ids)[kernel.row.dispatch] = kernel.correlation;
    return Status::Ok();
  });
}

// Values of counters have about the order of their dispatches. Values that are read before their
// kernel are kept until the kernel is read.
Status ToolTrace::ForEachCountedInstance(const TakeInstances& take) {
  bool is_there = false;
  RTL_TRY(reader_->tables().Has("rtl_counter_value", &is_there));
  if (!options_.counters || !is_there) return Status::Ok();
  query::CounterValueCursor cursor;
  RTL_TRY(reader_->tables().CounterValues(process_.id, &cursor));
  std::map<int64_t, std::string> names;
  std::map<uint64_t, std::vector<Instance>> ahead;  // indexed by dispatch
  // values of dispatches below this number are read
  uint64_t read_to = 0;
  bool has_row = true;
  const auto read_until = [&](uint64_t dispatch) {
    query::CounterValueRow row;
    while (has_row && read_to <= dispatch) {
      RTL_TRY(cursor.Next(&row, &has_row));
      if (!has_row) break;
      const auto [name, is_new] = names.try_emplace(row.name);
      if (is_new) {
        std::string_view text;
        RTL_TRY(reader_->Text(row.name, &text));
        name->second = text;
      }
      ahead[row.dispatch].push_back({&name->second, row.position, row.value, row.not_modelled});
      read_to = row.dispatch;
    }
    return Status::Ok();
  };
  return EachKernel([&](const ToolKernel& kernel) {
    RTL_TRY(read_until(kernel.row.dispatch));
    const auto found = ahead.find(kernel.row.dispatch);
    if (found == ahead.end()) return Status::Ok();
    const std::vector<Instance> instances = std::move(found->second);
    ahead.erase(found);
    return take(kernel, instances);
  });
}

Status ToolTrace::ReadCounters() {
  std::vector<query::CounterInfo> all;
  std::map<std::string, std::vector<uint64_t>> positions;
  RTL_TRY(reader_->tables().CounterPositions(process_.id, &positions));
  RTL_TRY(reader_->tables().CounterInfos(&all));
  for (query::CounterInfo& info : all) {
    if (info.process != process_.id) continue;
    const ToolAgent* const agent = AgentNumbered(info.agent);
    if (agent == nullptr) continue;
    const uint64_t id = counters_.size() + 1;
    counter_ids_[{agent, info.name}] = id;
    std::vector<ToolCounter::Dimension> dimensions = DimensionsOf(positions[info.name]);
    counters_.push_back({id, agent, std::move(info), std::move(dimensions)});
  }
  return Status::Ok();
}

uint64_t ToolTrace::CounterId(const ToolKernel& kernel, const std::string& name) const {
  const auto known = counter_ids_.find({kernel.agent, name});
  return known == counter_ids_.end() ? 0 : known->second;
}

Status ToolTrace::EachKernel(const Take<ToolKernel>& take) {
  KernelNamer namer;
  if (options_.kernel_rename) RTL_TRY(namer.Open(*reader_));
  query::KernelCursor cursor;
  RTL_TRY(reader_->KernelsBySubmit(&cursor));
  return cursor.Each([&](const query::KernelRow& row) {
    const auto queue = number_of_queue_.find(row.queue);
    if (queue == number_of_queue_.end()) {
      // If a kernel has a queue, the queue belongs to a process. For a kernel without a queue, pid
      // and time decide.
      if (row.queue != 0 || !IsOfProcess(row)) return Status::Ok();
    }
    if (!InPeriods(row.start, row.end)) return Status::Ok();
    ToolKernel kernel = {.row = row};
    kernel.queue = queue == number_of_queue_.end() ? 0 : queue->second;
    const auto symbol = symbol_of_kernel_.find(row.kernel);
    kernel.symbol = &symbols_[symbol == symbol_of_kernel_.end() ? 0 : symbol->second];
    kernel.agent = AgentOfGpu(row.gpu);
    kernel.correlation = IdOf(row.correlation, row.id);
    RTL_TRY(StreamOf(row.correlation, &kernel.stream));
    kernel.name = kernel.symbol->shown;
    if (options_.kernel_rename) {
      const uint64_t time = row.submit != 0 ? std::min(row.submit, row.start) : row.start;
      int64_t name = 0;
      RTL_TRY(namer.NameAt(row.pid, row.tid, time, &name));
      if (name != 0) RTL_TRY(reader_->Text(name, &kernel.name));
      kernel.renamed = name != 0;
    }
    return take(kernel);
  });
}

Status ToolTrace::ForEachCopy(const Take<ToolCopy>& take) {
  if (!options_.wants(Domain::kCopy)) return Status::Ok();
  query::CopyCursor cursor;
  RTL_TRY(reader_->CopiesByStart(&cursor));
  const ToolAgent* const first_cpu =
      FirstAgent([](const query::Agent& agent) { return !agent.is_gpu; });
  return cursor.Each([&](const query::CopyRow& row) {
    if (!IsOfProcess(row) || !InPeriods(row.start, row.end)) return Status::Ok();
    std::string_view name;
    RTL_TRY(reader_->Text(row.name, &name));
    ToolCopy copy = {.row = row};
    copy.operation = OperationIn(kDirections, name);
    copy.direction = OperationText(ROCPROFILER_BUFFER_TRACING_MEMORY_COPY, copy.operation);
    copy.correlation = IdOf(row.correlation, row.id);
    RTL_TRY(StreamOf(row.correlation, &copy.stream));
    copy.source = row.src_agent != 0 ? AgentNumbered(row.src_agent) : AgentOfGpu(row.src_gpu);
    copy.destination = row.dst_agent != 0 ? AgentNumbered(row.dst_agent) : AgentOfGpu(row.dst_gpu);
    // If the agent of one end of the copy is not known, that end is host memory if the direction
    // says so.
    const bool from_host = copy.operation == ROCPROFILER_MEMORY_COPY_HOST_TO_DEVICE ||
                           copy.operation == ROCPROFILER_MEMORY_COPY_HOST_TO_HOST;
    const bool to_host = copy.operation == ROCPROFILER_MEMORY_COPY_DEVICE_TO_HOST ||
                         copy.operation == ROCPROFILER_MEMORY_COPY_HOST_TO_HOST;
    if (copy.source == nullptr && from_host) copy.source = first_cpu;
    if (copy.destination == nullptr && to_host) copy.destination = first_cpu;
    return take(copy);
  });
}

bool ToolOptions::wants(const ApiFamily& family) const {
  switch (family.kind) {
    case ROCPROFILER_BUFFER_TRACING_HIP_COMPILER_API_EXT:
      return hip_compiler;
    case ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API_EXT:
      return hip_runtime;
    case ROCPROFILER_BUFFER_TRACING_HSA_CORE_API:
      return hsa_core;
    case ROCPROFILER_BUFFER_TRACING_HSA_AMD_EXT_API:
      return hsa_amd;
    case ROCPROFILER_BUFFER_TRACING_HSA_IMAGE_EXT_API:
      return hsa_image;
    case ROCPROFILER_BUFFER_TRACING_RCCL_API:
      return wants(Domain::kRccl);
    default:
      return hsa_finalizer;
  }
}

// Calls of HSA and of RCCL are events, and have ids of their own.
Status ToolTrace::ForEachEventCall(Domain domain, const Take<ToolCall>& take) {
  const bool rccl = domain == Domain::kRccl;
  query::EventCursor cursor;
  RTL_TRY(reader_->EventsByStart(rccl ? EventKind::kRcclCall : EventKind::kHsaCall, &cursor));
  return cursor.Each([&](const query::EventRow& row) {
    if (row.process != process_.id || !InPeriods(row.start, row.end)) return Status::Ok();
    ToolCall call;
    if (rccl) {
      call.row.result = static_cast<int32_t>(row.As<RcclCallValues>().result);
    } else {
      const auto values = row.As<HsaCallValues>();
      call.row.result = static_cast<int32_t>(values.result);
      call.row.arguments = static_cast<int64_t>(values.arguments);
    }
    call.row.id = row.id;
    call.row.pid = row.pid;
    call.row.tid = row.tid;
    call.row.name = row.name;
    call.row.start = row.start;
    call.row.end = row.end;
    call.row.correlation = OwnIdOf(domain, row.id);
    call.ancestor = row.correlation;
    return PassCall(domain, &call, take);
  });
}

// Passes a call with its texts, if its family is selected.
Status ToolTrace::PassCall(Domain domain, ToolCall* call, const Take<ToolCall>& take) {
  RTL_TRY(reader_->Text(call->row.arguments, &call->arguments));
  const std::string arguments(call->arguments);  // the text is valid until the next one is read
  RTL_TRY(reader_->Text(call->row.name, &call->name));
  call->arguments = arguments;
  call->family = &FamilyIn(domain, call->name);
  return options_.wants(*call->family) ? take(*call) : Status::Ok();
}

Status ToolTrace::ForEachMemory(Domain domain, const Take<ToolMemory>& take) {
  if (!options_.wants(domain)) return Status::Ok();
  const bool scratch = domain == Domain::kScratch;
  const auto kind = scratch ? ROCPROFILER_BUFFER_TRACING_SCRATCH_MEMORY
                            : ROCPROFILER_BUFFER_TRACING_MEMORY_ALLOCATION;
  query::EventCursor cursor;
  RTL_TRY(reader_->EventsByStart(scratch ? EventKind::kScratch : EventKind::kAllocation, &cursor));
  return cursor.Each([&](const query::EventRow& row) {
    if (row.process != process_.id || !InPeriods(row.start, row.end)) return Status::Ok();
    std::string_view name;
    RTL_TRY(reader_->Text(row.name, &name));
    ToolMemory memory = {.row = row};
    memory.operation = OperationIn(kMemoryOperations, name);
    memory.name = OperationText(kind, memory.operation);
    memory.correlation = row.correlation != 0 ? row.correlation : OwnIdOf(domain, row.id);
    if (scratch) {
      const auto values = row.As<ScratchValues>();
      const auto queue = number_of_queue_.find(row.queue);
      memory.queue = queue == number_of_queue_.end() ? 0 : queue->second;
      memory.agent = row.gpu < 0 ? nullptr : AgentOfGpu(row.gpu);
      memory.bytes = values.bytes;
      memory.flags = values.flags;
    } else {
      const auto values = row.As<AllocationValues>();
      memory.agent = AgentNumbered(static_cast<uint32_t>(values.agent));
      memory.bytes = values.bytes;
      memory.address = values.address;
    }
    return take(memory);
  });
}

Status ToolTrace::ForEachCall(Domain domain, const Take<ToolCall>& take) {
  if (!options_.wants(domain)) return Status::Ok();
  if (domain != Domain::kHip) return ForEachEventCall(domain, take);
  query::ApiCursor cursor;
  RTL_TRY(reader_->ApisByStart(&cursor));
  return cursor.Each([&](const query::ApiRow& row) {
    const uint64_t before = (static_cast<uint64_t>(row.id) - row.correlation) >> 40;
    if (before + 1 != static_cast<uint64_t>(process_.id)) return Status::Ok();
    if (!InPeriods(row.start, row.end)) return Status::Ok();
    ToolCall call = {.row = row};
    call.stream = row.stream < 0 || options_.group_by_queue ? 0 : static_cast<uint64_t>(row.stream);
    return PassCall(domain, &call, take);
  });
}

Status ToolTrace::ForEachMarker(const Take<ToolMarker>& take) {
  if (!options_.wants(Domain::kMarker)) return Status::Ok();
  query::MarkerCursor cursor;
  RTL_TRY(reader_->MarkersByStart(&cursor));
  return cursor.Each([&](const query::MarkerRow& row) {
    if (!IsOfProcess(row) || !InPeriods(row.start, row.end)) return Status::Ok();
    ToolMarker marker = {.row = row};
    marker.correlation = IdOf(0, row.id);
    marker.form = row.is_mark         ? MarkerForm::kMark
                  : row.is_start_stop ? MarkerForm::kProcessRange
                                      : MarkerForm::kThreadRange;
    RTL_TRY(reader_->Text(row.name, &marker.message));
    return take(marker);
  });
}

// Kinds without submitted events have no rows.
Status ToolTrace::Coverage(std::vector<Missing>* out) {
  std::vector<query::ProcessCounter> counters;
  RTL_TRY(reader_->tables().ProcessCounters(&counters));
  constexpr std::string_view kLoss = "loss.";
  std::set<std::string> happened;
  for (const query::ProcessCounter& counter : counters) {
    const bool has_events = counter.counter == store::kSubmittedCounter && counter.value > 0;
    if (counter.process == process_.id && has_events) happened.insert(counter.kind);
  }
  for (const query::ProcessCounter& counter : counters) {
    if (counter.process != process_.id || !happened.contains(counter.kind)) continue;
    const bool is_loss = counter.counter.starts_with(kLoss);
    if (is_loss && counter.value == 0) continue;
    if (!is_loss && counter.counter != store::kSubmittedCounter && counter.counter != "recorded")
      continue;
    const std::string name = is_loss ? counter.counter.substr(kLoss.size()) : counter.counter;
    const char* const text = is_loss ? FindLossText(name) : nullptr;
    out->push_back({counter.kind, name, text == nullptr ? "" : text, counter.value});
  }
  return Status::Ok();
}

}  // namespace rtl::exporting::tool
