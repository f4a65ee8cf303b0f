// SPDX-License-Identifier: MIT
#include "export/tool/rocpd.h"

#include <fmt/format.h>

#include <set>
#include <unordered_map>

#include "export/tool/json_things.h"
#include "export/tool/rocpd_schema.h"
#include "export/tool/rocpd_table.h"
#include "trace/schema/database.h"
#include "trace/schema/schema.h"

namespace rtl::exporting::tool {
namespace {

constexpr size_t kCacheBytes = 16 << 20;
constexpr int64_t kNode = 1;
constexpr int64_t kDefaultStream = 0;

uint64_t Hash(std::string_view text, uint64_t seed) {
  uint64_t hash = 14695981039346656037u ^ seed;
  for (const char c : text) hash = (hash ^ static_cast<uint8_t>(c)) * 1099511628211u;
  return hash ^ (hash >> 29);
}

struct MemoryWords {
  const char* type;
  const char* level;
};

MemoryWords WordsOf(Domain domain, int32_t operation) {
  if (domain == Domain::kScratch) {
    constexpr const char* kTypes[] = {"NONE", "ALLOC", "FREE", "RECLAIM"};
    const bool known = operation > 0 && operation < 4;
    return {kTypes[known ? operation : 0], "SCRATCH"};
  }
  const bool is_virtual = operation == ROCPROFILER_MEMORY_ALLOCATION_VMEM_ALLOCATE ||
                          operation == ROCPROFILER_MEMORY_ALLOCATION_VMEM_FREE;
  const bool frees = operation == ROCPROFILER_MEMORY_ALLOCATION_FREE ||
                     operation == ROCPROFILER_MEMORY_ALLOCATION_VMEM_FREE;
  return {frees ? "FREE" : "ALLOC", is_virtual ? "VIRTUAL" : "REAL"};
}

// `config` is a JSON object. If the process belongs to a job, adds the rank of the process and the
// number of ranks.
std::string WithRank(const std::string& config, const query::Process& process) {
  if (process.rank < 0) return config;
  std::string text = "{\"mpi_rank\":" + std::to_string(process.rank) +
                     ",\"mpi_size\":" + std::to_string(process.world);
  const std::string rest = config.substr(1);
  return text + (rest == "}" ? "" : ",") + rest;
}

class RocpdFile {
 public:
  RocpdFile(ToolTrace& trace, const std::string& config)
      : trace_(trace), config_(config), pid_(trace.process().pid) {}

  Status Write(const std::string& path, const std::string& shown) {
    const auto offset =
        static_cast<int64_t>(trace_.reader().version().Number("realtime_minus_boottime"));
    guid_ = GuidOf(trace_.process(), offset);
    RTL_TRY(database_.Open(path, shown));
    RTL_TRY(database_.BeginBuilding(kCacheBytes));
    RTL_TRY(database_.Execute(RocpdSchemaSql(guid_).c_str()));
    RTL_TRY(Prepare());
    RTL_TRY(Things());
    RTL_TRY(Symbols());
    RTL_TRY(Counters());
    RTL_TRY(Coverage());
    btree::PageFile file;
    RTL_TRY(file.Open(path, shown));
    RTL_TRY(database_.Outside([&] { return Events(&file); }));
    RTL_TRY(Names());
    for (RocpdTable* table : tables_) RTL_TRY(table->Close(&database_));
    RTL_TRY(database_.Execute("COMMIT"));
    for (store::Statement* statement : {&string_, &thread_, &queue_, &stream_, &metadata_})
      statement->Finalize();
    database_.Close();
    return Status::Ok();
  }

 private:
  Status PrepareInsert(store::Statement* statement, const char* table, const std::string& columns) {
    std::string marks = "?";
    for (const char c : columns) marks += c == ',' ? ", ?" : "";
    const std::string sql =
        "INSERT INTO " + TableOf(table, guid_) + " (" + columns + ") VALUES (" + marks + ")";
    return statement->Prepare(database_, sql.c_str());
  }

  Status Prepare() {
    RTL_TRY(PrepareInsert(&string_, "string", "id, string"));
    RTL_TRY(PrepareInsert(&thread_, "info_thread", "id, nid, ppid, pid, tid, name"));
    RTL_TRY(PrepareInsert(&queue_, "info_queue", "id, nid, pid, name"));
    RTL_TRY(PrepareInsert(&stream_, "info_stream", "id, nid, pid, name"));
    RTL_TRY(PrepareInsert(&metadata_, "metadata", "tag, value"));
    RTL_TRY(PrepareTable(&event_, "event",
                         "category_id, stack_id, parent_stack_id, correlation_id, extdata"));
    RTL_TRY(PrepareTable(&argument_, "arg", "event_id, position, type, name, value"));
    RTL_TRY(PrepareTable(&region_, "region", "nid, pid, tid, start, end, name_id, event_id"));
    RTL_TRY(PrepareTable(&track_, "track", "nid, pid, tid, name_id"));
    RTL_TRY(PrepareTable(&sample_, "sample", "track_id, timestamp, event_id"));
    RTL_TRY(PrepareTable(
        &dispatch_, "kernel_dispatch",
        "nid, pid, tid, agent_id, kernel_id, dispatch_id, queue_id, stream_id, start, end, "
        "private_segment_size, group_segment_size, workgroup_size_x, workgroup_size_y, "
        "workgroup_size_z, grid_size_x, grid_size_y, grid_size_z, region_name_id, event_id"));
    RTL_TRY(PrepareTable(&copy_, "memory_copy",
                         "nid, pid, tid, start, end, name_id, dst_agent_id, dst_address, "
                         "src_agent_id, src_address, size, stream_id, region_name_id, event_id"));
    RTL_TRY(PrepareTable(&memory_, "memory_allocate",
                         "nid, pid, tid, agent_id, type, level, start, end, address, size, "
                         "queue_id, stream_id, event_id, extdata"));
    return PrepareTable(&counter_, "pmc_event", "event_id, pmc_id, value");
  }

  Status PrepareTable(RocpdTable* table, const char* name, const std::string& columns) {
    return table->Prepare(&database_, TableOf(name, guid_), columns);
  }

  // Writes the rows that SQLite does not write.
  Status Events(btree::PageFile* file) {
    RTL_TRY(file->Begin());
    for (RocpdTable* table : tables_) RTL_TRY(table->Begin(file));
    RTL_TRY(Kernels());
    for (const Domain domain : kCallDomains) RTL_TRY(Calls(domain));
    RTL_TRY(Markers());
    RTL_TRY(Copies());
    RTL_TRY(Memory(Domain::kAllocation));
    RTL_TRY(Memory(Domain::kScratch));
    for (RocpdTable* table : tables_) RTL_TRY(table->Finish());
    return file->End();
  }

  // Writes the names to which the events refer.
  Status Names() {
    int64_t id = 0;
    for (const std::string_view text : texts_) RTL_TRY(string_.Insert(++id, text));
    const query::Process& process = trace_.process();
    for (const uint32_t tid : threads_) {
      std::optional<std::string> name(trace_.ThreadName(tid));
      if (name->empty()) name.reset();
      RTL_TRY(thread_.Insert(tid, kNode, process.parent_pid, process.pid, tid, name));
    }
    return Status::Ok();
  }

  Status Things() {
    const query::Process& process = trace_.process();
    store::Statement node, self, agent;
    RTL_TRY(PrepareInsert(&node, "info_node", "id, hash, machine_id, system_name, hostname"));
    RTL_TRY(
        node.Insert(kNode, Hash(process.boot_id, 0) >> 1, process.boot_id, "Linux", process.host));
    RTL_TRY(PrepareInsert(
        &self, "info_process",
        "id, nid, ppid, pid, init, fini, start, \"end\", command, environment, extdata"));
    RTL_TRY(self.Insert(process.pid, kNode, process.parent_pid, process.pid, process.started,
                        process.ended, process.started, process.ended, process.command, "{}",
                        WithRank(config_, process)));
    RTL_TRY(PrepareInsert(&agent, "info_agent",
                          "id, nid, pid, type, absolute_index, logical_index, type_index, uuid,"
                          " name, model_name, vendor_name, product_name, user_name, extdata"));
    for (const ToolAgent& one : trace_.agents()) {
      const bool gpu = one.agent.is_gpu;
      const std::string& product = gpu ? one.agent.product : one.agent.name;
      RTL_TRY(agent.Insert(one.handle(), kNode, process.pid, gpu ? "GPU" : "CPU", one.agent.node,
                           one.logical, one.type_logical, one.facts.Number("device_id"),
                           one.agent.name, one.facts.Text("model_name"), gpu ? "AMD" : "CPU",
                           product, product, AgentJson(one)));
    }
    RTL_TRY(stream_.Insert(0, kNode, process.pid, "Default Stream"));
    std::set<uint64_t> known = {0};
    for (const query::Stream& stream : trace_.streams()) {
      if (!known.insert(stream.stream).second) continue;
      const std::string name =
          stream.name.empty() ? "Stream " + std::to_string(stream.stream) : stream.name;
      RTL_TRY(stream_.Insert(stream.stream, kNode, process.pid, name));
    }
    RTL_TRY(queue_.Insert(0, kNode, process.pid, "Default Queue"));
    for (const query::Queue& queue : trace_.queues()) {
      RTL_TRY(
          queue_.Insert(queue.queue, kNode, process.pid, "Queue " + std::to_string(queue.queue)));
    }
    return Status::Ok();
  }

  Status Symbols() {
    store::Statement object, placed, symbol;
    RTL_TRY(PrepareInsert(&object, "info_code_object", "id, nid, pid, agent_id, uri, extdata"));
    RTL_TRY(PrepareInsert(
        &placed, "info_code_object",
        "id, nid, pid, agent_id, uri, load_base, load_size, load_delta, storage_type, extdata"));
    for (const ToolCodeObject& one : trace_.code_objects()) {
      const auto agent =
          one.agent == 0 ? std::optional<int64_t>() : std::optional<int64_t>(one.agent);
      const std::string text = CodeObjectJson(one);
      if (one.uri.empty()) {
        RTL_TRY(object.Insert(one.id, kNode, pid_, agent, "", text));
        continue;
      }
      RTL_TRY(placed.Insert(one.id, kNode, pid_, agent, one.uri, one.base, one.bytes, one.delta,
                            one.uri.starts_with("memory://") ? "MEMORY" : "FILE", text));
    }
    RTL_TRY(PrepareInsert(&symbol, "info_kernel_symbol",
                          "id, nid, pid, code_object_id, kernel_name, display_name, kernel_object,"
                          " kernarg_segment_size, group_segment_size, private_segment_size,"
                          " sgpr_count, arch_vgpr_count, accum_vgpr_count, extdata"));
    for (const ToolSymbol& one : trace_.symbols()) {
      const query::KernelInfo& info = one.info;
      RTL_TRY(symbol.Insert(info.kernel, kNode, pid_,
                            info.code_object < trace_.code_objects().size() ? info.code_object : 0,
                            one.mangled, one.shown, info.kernel_object, info.kernarg_segment,
                            info.group_segment, info.private_segment, info.sgprs, info.vgprs, 0,
                            SymbolJson(one)));
    }
    return Status::Ok();
  }

  Status Kernels() {
    const int64_t category = StringId(KindText(ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH));
    const bool counted = trace_.options().counters;
    const auto add = [&](const ToolKernel& kernel) {
      int64_t event = 0;
      RTL_TRY(Kernel(kernel, category, &event));
      if (counted) events_[kernel.row.dispatch] = event;
      return Status::Ok();
    };
    RTL_TRY(trace_.ForEachKernel(add));
    return trace_.ForEachCounted([&](const ToolKernel& kernel, ToolTrace::Sums sums) {
      int64_t& event = events_[kernel.row.dispatch];
      if (event == 0)
        RTL_TRY(Kernel(kernel, category, &event));  // kernels themselves were not selected
      for (const query::CounterSum& sum : sums) {
        const uint64_t id = trace_.CounterId(kernel, sum.name);
        if (id != 0 && !sum.not_modelled)
          RTL_TRY(counter_.Add(event, id, static_cast<double>(sum.value)));
      }
      return Status::Ok();
    });
  }

  Status Kernel(const ToolKernel& kernel, int64_t category, int64_t* event) {
    const query::KernelRow& row = kernel.row;
    RTL_TRY(AddEvent(row.tid, category, kernel.correlation, kernel.correlation, "{}", event));
    return dispatch_.Add(kNode, pid_, row.tid, HandleOf(kernel.agent), kernel.symbol->info.kernel,
                         row.dispatch, kernel.queue, kernel.stream, row.start, row.end,
                         row.private_segment, row.group_segment, row.workgroup[0], row.workgroup[1],
                         row.workgroup[2], row.grid[0], row.grid[1], row.grid[2],
                         StringId(kernel.name), *event);
  }

  Status Counters() {
    store::Statement what;
    RTL_TRY(
        PrepareInsert(&what, "info_pmc",
                      "id, nid, pid, agent_id, target_arch, event_code, name, symbol, description, "
                      "component, units, value_type, block, expression, is_constant, is_derived"));
    for (const ToolCounter& counter : trace_.counters()) {
      const query::CounterInfo& info = counter.info;
      RTL_TRY(what.Insert(counter.id, kNode, pid_, counter.agent->handle(), "GPU", info.event,
                          info.name, info.name, info.description, "rocprofiler-sdk", "", "ABS",
                          info.block, info.expression, 0, info.block.empty() ? 1 : 0));
    }
    return Status::Ok();
  }

  Status Calls(Domain domain) {
    return trace_.ForEachCall(domain, [&](const ToolCall& call) {
      int64_t event = 0;
      const int64_t category = StringId(KindText(call.family->kind));
      RTL_TRY(AddEvent(call.row.tid, category, call.row.correlation, call.ancestor, "{}", &event));
      RTL_TRY(region_.Add(kNode, pid_, call.row.tid, call.row.start, call.row.end,
                          StringId(call.name), event));
      int64_t position = 0;
      for (const Argument& argument : SplitArguments(call.arguments)) {
        RTL_TRY(argument_.Add(event, position++, "", argument.name, argument.value));
      }
      return Status::Ok();
    });
  }

  Status Markers() {
    const int64_t category = StringId(KindText(ROCPROFILER_BUFFER_TRACING_MARKER_CORE_RANGE_API));
    std::vector<int64_t> names;
    for (const char* const name : kMarkerOperations) names.push_back(StringId(name));
    return trace_.ForEachMarker([&](const ToolMarker& marker) {
      int64_t event = 0;
      RTL_TRY(AddEvent(marker.row.tid, category, marker.correlation, 0, MessageJson(marker.message),
                       &event));
      if (marker.form == MarkerForm::kMark) return Mark(marker, category, event);
      return region_.Add(kNode, pid_, marker.row.tid, marker.row.start, marker.row.end,
                         names[static_cast<size_t>(marker.form)], event);
    });
  }

  // Writes a mark: one moment, on a track of its thread.
  Status Mark(const ToolMarker& marker, int64_t category, int64_t event) {
    const auto [track, is_new] =
        tracks_.emplace(marker.row.tid, static_cast<int64_t>(tracks_.size()) + 1);
    if (is_new) RTL_TRY(track_.Add(kNode, pid_, marker.row.tid, category));
    return sample_.Add(track->second, marker.row.start, event);
  }

  // The id of an agent. Nothing if the trace does not have the agent.
  static std::optional<int64_t> Known(const ToolAgent* agent) {
    if (agent == nullptr) return std::nullopt;
    return static_cast<int64_t>(agent->handle());
  }

  Status Copies() {
    const int64_t category = StringId(KindText(ROCPROFILER_BUFFER_TRACING_MEMORY_COPY));
    return trace_.ForEachCopy([&](const ToolCopy& copy) {
      const query::CopyRow& row = copy.row;
      int64_t event = 0;
      const int64_t name = StringId(copy.direction);
      RTL_TRY(AddEvent(row.tid, category, copy.correlation, copy.correlation, "{}", &event));
      return copy_.Add(kNode, pid_, row.tid, row.start, row.end, name, Known(copy.destination),
                       row.dst, Known(copy.source), row.src, row.bytes, copy.stream, name, event);
    });
  }

  // Types and levels are the words after the common prefix of AMD's names.
  Status Memory(Domain domain) {
    const bool scratch = domain == Domain::kScratch;
    const int64_t category =
        StringId(KindText(scratch ? ROCPROFILER_BUFFER_TRACING_SCRATCH_MEMORY
                                  : ROCPROFILER_BUFFER_TRACING_MEMORY_ALLOCATION));
    return trace_.ForEachMemory(domain, [&](const ToolMemory& memory) {
      int64_t event = 0;
      RTL_TRY(
          AddEvent(memory.row.tid, category, memory.correlation, memory.correlation, "{}", &event));
      const MemoryWords words = WordsOf(domain, memory.operation);
      std::optional<int64_t> address;
      if (!scratch) address = static_cast<int64_t>(memory.address);
      return memory_.Add(kNode, pid_, memory.row.tid, Known(memory.agent), words.type, words.level,
                         memory.row.start, memory.row.end, address, memory.bytes, memory.queue,
                         kDefaultStream, event,
                         scratch ? fmt::format("{{\"flags\":{}}}", memory.flags) : "{}");
    });
  }

  Status Coverage() {
    std::vector<Missing> rows;
    RTL_TRY(trace_.Coverage(&rows));
    for (const Missing& row : rows) {
      const std::string tag = row.counter + "." + row.kind;
      RTL_TRY(metadata_.Insert("rtl." + tag, std::to_string(row.events)));
      const std::string alias = store::EarlierTag(tag);
      if (!alias.empty()) RTL_TRY(metadata_.Insert("rtl." + alias, std::to_string(row.events)));
    }
    return Status::Ok();
  }

  // `parent`: the call in which the event happened; for GPU work, the call that submitted it.
  Status AddEvent(uint32_t tid, int64_t category, uint64_t correlation, uint64_t parent,
                  std::string_view extra, int64_t* id) {
    if (tid != last_thread_) threads_.insert(tid);
    last_thread_ = tid;
    *id = event_.last_id() + 1;
    return event_.Add(category, correlation, parent, 0, extra);
  }

  int64_t StringId(std::string_view text) {
    const auto found = strings_.find(text);
    if (found != strings_.end()) return found->second;
    const auto id = static_cast<int64_t>(strings_.size()) + 1;
    texts_.push_back(strings_.emplace(std::string(text), id).first->first);
    return id;
  }

  struct HashText : std::hash<std::string_view> {
    using is_transparent = void;
  };

  ToolTrace& trace_;
  const std::string& config_;
  const uint32_t pid_;
  std::string guid_;
  store::Database database_;
  store::Statement string_, thread_, queue_, stream_, metadata_;
  RocpdTable event_, argument_, region_, track_, sample_, dispatch_, copy_, memory_, counter_;
  RocpdTable* const tables_[9] = {&event_,    &argument_, &region_, &track_,  &sample_,
                                  &dispatch_, &copy_,     &memory_, &counter_};
  std::unordered_map<uint32_t, int64_t> tracks_;  // tracks of marks, by thread
  std::unordered_map<uint64_t, int64_t> events_;  // events of counted kernels, by dispatch
  std::unordered_map<std::string, int64_t, HashText, std::equal_to<>> strings_;
  std::vector<std::string_view> texts_;  // the keys of strings_, indexed by number
  std::set<uint32_t> threads_;
  std::optional<uint32_t> last_thread_;
};

}  // namespace

// Makes a GUID in the form of a version 7 UUID: milliseconds, then bits that differ between
// processes.
std::string GuidOf(const query::Process& process, int64_t realtime_minus_boottime) {
  const auto real =
      static_cast<uint64_t>(static_cast<int64_t>(process.started) + realtime_minus_boottime);
  const uint64_t ms = (real / 1'000'000) & 0xffff'ffff'ffff;
  const std::string identity = fmt::format("{}/{}/{}/{}/{}", process.boot_id, process.host,
                                           process.pid, process.started, process.id);
  const uint64_t one = Hash(identity, 1), two = Hash(identity, 2);
  return fmt::format("{:08x}-{:04x}-7{:03x}-{:04x}-{:012x}", ms >> 16, ms & 0xffff, one & 0xfff,
                     0x8000 | (one >> 12 & 0x3fff), two & 0xffff'ffff'ffff);
}

Status WriteRocpd(ToolTrace& trace, const std::string& config, OutputSet* outputs) {
  std::string temporary;
  RTL_TRY(outputs->Reserve("results.db", &temporary));
  return RocpdFile(trace, config).Write(temporary, outputs->PathOf("results.db"));
}

}  // namespace rtl::exporting::tool
