// SPDX-License-Identifier: MIT
// The columns of a file show what it holds. Their names are rocprofv3's.
#include <algorithm>
#include <deque>
#include <map>
#include <unordered_set>

#include "import/csv.h"
#include "import/readers.h"
#include "import/rocprofv3_records.h"

namespace rtl::import {
namespace {

// Columns of the tables of events. Tables of agents have fifty more.
constexpr std::string_view kColumns[] = {
    // Used.
    "Agent_Id", "Address", "Alloc_Flags", "Allocation_Size", "Correlation_Id", "Counter_Name",
    "Destination_Agent_Id", "Direction", "Dispatch_Id", "Domain", "End_Timestamp", "Function",
    "Grid_Size", "Grid_Size_X", "Grid_Size_Y", "Grid_Size_Z", "Group_Segment_Size", "Guid",
    "Kernel_Name", "Kind", "LDS_Block_Size", "Operation", "Private_Segment_Size", "Process_Id",
    "Queue_Id", "SGPR_Count", "Scratch_Size", "Source_Agent_Id", "Start_Timestamp",
    "Starting_Address", "Thread_Id", "VGPR_Count", "Workgroup_Size", "Workgroup_Size_X",
    "Workgroup_Size_Y", "Workgroup_Size_Z",
    // Not used: another column has the same fact, or the trace has no place for it.
    "Accum_VGPR_Count", "Counter_Value", "Duration", "Kernel_Id", "Pid", "Stream_Id"};

// The number in "Agent 4".
uint64_t AgentNumber(std::string_view agent) {
  const size_t digits = agent.find_first_of("0123456789");
  return digits == std::string_view::npos ? 0 : AnyNumber(agent.substr(digits));
}

// The agents of a process by each kind of number that rocprofv3 gives them (--agent-index). "Agent
// 4" is the number of a node: among the nodes that the process sees, which is the default, or among
// all nodes. "GPU 0" counts GPUs only.
class Agents {
 public:
  void Add(uint64_t node, uint64_t logical, bool is_gpu) {
    is_described_ = true;
    const uint64_t device = is_gpu ? gpus_++ : kNoDevice;
    by_node_.emplace(node, device);
    by_logical_.emplace(logical, device);
  }
  uint64_t gpus() const { return gpus_; }
  bool AreNumbersAmbiguous() const { return by_node_ != by_logical_; }
  // Call this for all agents of the files first. A number that no visible node has shows that the
  // numbers count all nodes.
  void TakeNumber(std::string_view agent) {
    const uint64_t number = AgentNumber(agent);
    if (!by_logical_.contains(number) && by_node_.contains(number)) is_absolute_ = true;
  }

  // If there is no file of agents, GPUs are numbered in the order in which they appear.
  uint64_t Device(std::string_view agent, bool must_be_gpu) {
    const uint64_t number = AgentNumber(agent);
    if (agent.starts_with("CPU")) return kNoDevice;
    if (agent.starts_with("GPU")) return !is_described_ || number < gpus_ ? number : kNoDevice;
    const std::map<uint64_t, uint64_t>& devices = is_absolute_ ? by_node_ : by_logical_;
    const auto known = devices.find(number);
    if (known != devices.end()) return known->second;
    if (is_described_ || !must_be_gpu) return kNoDevice;
    return by_logical_.emplace(number, gpus_++).first->second;
  }

 private:
  bool is_described_ = false;  // a file of agents was read
  bool is_absolute_ = false;
  uint64_t gpus_ = 0;
  // Device by number of the node; kNoDevice: it is no GPU.
  std::map<uint64_t, uint64_t> by_node_, by_logical_;
};

// Reads the files of one process. If rocpd converted several databases to these files, the first
// column of a row tells its process.
class Rocprofv3Csv {
 public:
  Rocprofv3Csv(size_t process, ImportedTrace* trace)
      : trace_(*trace), first_(process), known_(trace->facts()) {}

  Status Run(const std::vector<std::string>& files) {
    for (const std::string& file : files) {
      CsvTable table;
      RTL_TRY(Open(file, &table));
      has_kernels_ = has_kernels_ || (table.Has("Kernel_Name") && !table.Has("Counter_Name"));
      has_scratch_ = has_scratch_ || (table.Has("Alloc_Flags") && !table.Has("Kernel_Name"));
    }
    RTL_TRY(EachRow(files, true, [&](const CsvTable& row) { return TakeAgent(row); }));
    const bool are_ambiguous = std::any_of(parts_.begin(), parts_.end(), [](const Part& part) {
      return part.agents.AreNumbersAmbiguous();
    });
    if (are_ambiguous) {
      RTL_TRY(EachRow(files, false, [&](const CsvTable& row) { return TakeNumbers(row); }));
    }
    RTL_TRY(EachRow(files, false, [&](const CsvTable& row) { return TakeRow(row); }));
    for (const Part& part : parts_) {
      if (part.process != first_) RTL_TRY(trace_.EndProcess(part.process));
    }
    trace_.Choose(first_);
    return Status::Ok();
  }

 private:
  struct Part {
    size_t process = 0;
    Agents agents = {};
    std::unordered_set<uint64_t> counted = {};  // dispatches with counters
  };

  static Status Open(const std::string& file, CsvTable* table) {
    RTL_TRY(table->Open(file));
    if (!table->Has("Agent_Type")) table->NameColumns(kColumns);
    return Status::Ok();
  }

  template <typename Visit>
  static Status EachRow(const std::vector<std::string>& files, bool agents, const Visit& visit) {
    for (const std::string& file : files) {
      CsvTable table;
      RTL_TRY(Open(file, &table));
      if (table.Has("Agent_Type") != agents) continue;
      for (bool more = true;;) {
        RTL_TRY(table.Next(&more));
        if (!more) break;
        RTL_TRY(visit(table));
      }
    }
    return Status::Ok();
  }

  // Chooses the process of a row. Rows of tables without the column Guid belong to the first
  // process.
  void Choose(const CsvTable& row) {
    const std::string_view guid = row.Text("Guid");
    if (now_ != nullptr && guid == guid_) return;
    guid_ = guid;
    now_ = &PartOf(guid_);
    trace_.Choose(now_->process);
  }
  Part& PartOf(const std::string& guid) {
    const auto known = guids_.find(guid);
    if (known != guids_.end()) return parts_[known->second];
    const bool is_first = guid.empty() || guids_.empty();
    if (is_first && parts_.empty()) parts_.push_back({first_});
    if (!is_first) {
      parts_.push_back({trace_.BeginProcess(known_)});
      trace_.facts().pid = 0;
    }
    const size_t index = is_first ? 0 : parts_.size() - 1;
    if (!guid.empty()) guids_.emplace(guid, index);
    return parts_[index];
  }

  Status TakeNumbers(const CsvTable& row) {
    Choose(row);
    for (const char* column : {"Agent_Id", "Source_Agent_Id", "Destination_Agent_Id"}) {
      if (row.Has(column)) now_->agents.TakeNumber(row.Text(column));
    }
    return Status::Ok();
  }

  Status TakeAgent(const CsvTable& row) {
    Choose(row);
    const uint64_t node = row.Number("Node_Id");
    const bool is_gpu = row.Text("Agent_Type") == "GPU";
    if (is_gpu) {
      ImportedDevice about;
      about.name = row.Text("Name");
      about.product = row.Text("Product_Name");
      about.compute_units = static_cast<uint32_t>(row.Number("Cu_Count"));
      trace_.NameDevice(now_->agents.gpus(), std::move(about));
    }
    constexpr char kLogical[] = "Logical_Node_Id";  // column since ROCm 6.4
    now_->agents.Add(node, row.Has(kLogical) ? row.Number(kLogical) : node, is_gpu);
    return Status::Ok();
  }
  uint64_t Device(std::string_view agent, bool must_be_gpu) {
    return now_->agents.Device(agent, must_be_gpu);
  }

  Status TakeRow(const CsvTable& row) {
    Choose(row);
    const uint64_t pid = row.Number("Process_Id");
    if (pid != 0 && trace_.facts().pid == 0) trace_.facts().pid = static_cast<uint32_t>(pid);
    for (const std::string& column : row.unknown()) {
      if (!row.Text(column).empty()) trace_.Leave("a value of the column " + column);
    }
    if (row.Has("Counter_Name")) {
      trace_.Leave("a value of a hardware counter");
      const bool is_new = !has_kernels_ && now_->counted.insert(row.Number("Dispatch_Id")).second;
      if (!is_new) return Status::Ok();
    }
    if (row.Time("Start_Timestamp") < 0 || row.Time("End_Timestamp") < 0) {
      return trace_.Skip("an event without its times");
    }
    if (row.Has("Kernel_Name")) return TakeKernel(row);
    if (row.Has("Function")) return TakeCall(row);
    if (row.Has("Direction")) return TakeCopy(row);
    if (row.Text("Kind").starts_with("SCRATCH")) return TakeAllocation(row, true);
    if (row.Has("Allocation_Size")) {
      const bool is_scratch = row.Text("Operation").starts_with("SCRATCH");
      if (!is_scratch || !has_scratch_) return TakeAllocation(row, is_scratch);
      return trace_.Skip("scratch memory among allocations, which its own file repeats");
    }
    return trace_.Skip("a row of the kind " + std::string(row.Text("Kind")));
  }

  Status TakeKernel(const CsvTable& row) {
    ImportedKernel kernel;
    kernel.device = Device(row.Text("Agent_Id"), true);
    if (kernel.device == kNoDevice) {
      return trace_.Skip("a kernel on an agent that the files do not describe");
    }
    kernel.name = WithoutKd(row.Text("Kernel_Name"));
    kernel.stream = row.Number("Queue_Id");
    kernel.thread = static_cast<uint32_t>(row.Number("Thread_Id"));
    kernel.correlation = row.Number("Correlation_Id");
    kernel.start = row.Time("Start_Timestamp");
    kernel.end = row.Time("End_Timestamp");
    constexpr const char* kAxes[] = {"X", "Y", "Z"};
    for (int i = 0; i < 3; ++i) {
      kernel.grid[i] = static_cast<uint32_t>(row.Number(std::string("Grid_Size_") + kAxes[i]));
      kernel.workgroup[i] =
          static_cast<uint32_t>(row.Number(std::string("Workgroup_Size_") + kAxes[i]));
    }
    // The file of counters has only the products of the three sizes.
    if (row.Has("Grid_Size")) {
      kernel.grid[0] = static_cast<uint32_t>(row.Number("Grid_Size"));
      kernel.workgroup[0] = static_cast<uint32_t>(row.Number("Workgroup_Size"));
      for (int i = 1; i < 3; ++i) kernel.grid[i] = kernel.workgroup[i] = 1;
    }
    // The second name of each pair is that of ROCm 6.2 and 6.3.
    kernel.group_segment =
        static_cast<uint32_t>(row.Number("LDS_Block_Size") + row.Number("Group_Segment_Size"));
    kernel.private_segment =
        static_cast<uint32_t>(row.Number("Scratch_Size") + row.Number("Private_Segment_Size"));
    kernel.registers = static_cast<uint32_t>(row.Number("VGPR_Count"));
    kernel.scalar_registers = static_cast<uint32_t>(row.Number("SGPR_Count"));
    return trace_.Add(kernel);
  }

  Status TakeCall(const CsvTable& row) {
    Rocprofv3Call call;
    call.domain = row.Text("Domain");
    call.name = row.Text("Function");
    call.thread = row.Text("Thread_Id");
    call.correlation = row.Number("Correlation_Id");
    call.start = row.Time("Start_Timestamp");
    call.end = row.Time("End_Timestamp");
    return AddCall(call, &trace_);
  }

  Status TakeCopy(const CsvTable& row) {
    ImportedCopy copy;
    copy.kind = CopyKindOf(row.Text("Direction"));
    copy.source = Device(row.Text("Source_Agent_Id"), copy.kind == CopyKind::kDeviceToHost ||
                                                          copy.kind == CopyKind::kDeviceToDevice);
    copy.target =
        Device(row.Text("Destination_Agent_Id"),
               copy.kind == CopyKind::kHostToDevice || copy.kind == CopyKind::kDeviceToDevice);
    copy.correlation = row.Number("Correlation_Id");
    copy.start = row.Time("Start_Timestamp");
    copy.end = row.Time("End_Timestamp");
    return trace_.Add(copy);
  }

  Status TakeAllocation(const CsvTable& row, bool is_scratch) {
    Rocprofv3Allocation allocation;
    allocation.operation = row.Text("Operation");
    allocation.is_scratch = is_scratch;
    allocation.thread = row.Text("Thread_Id");
    allocation.correlation = row.Number("Correlation_Id");
    allocation.bytes = row.Number("Allocation_Size");
    allocation.address = AnyNumber(row.Text(row.Has("Address") ? "Address" : "Starting_Address"));
    allocation.flags = row.Number("Alloc_Flags");
    allocation.start = row.Time("Start_Timestamp");
    allocation.end = row.Time("End_Timestamp");
    return AddAllocation(allocation, &trace_);
  }

  ImportedTrace& trace_;
  const size_t first_;           // the process that was chosen before the files were read
  const ImportedProcess known_;  // facts that were known before the files were read
  std::deque<Part> parts_;       // addresses stay valid
  std::map<std::string, size_t> guids_;
  // There is a file of kernels; without it, the kernels are those of the file of counters.
  bool has_kernels_ = false;
  bool has_scratch_ = false;  // there is a file of scratch memory
  std::string guid_;          // Guid of the chosen process
  Part* now_ = nullptr;       // the chosen process
};

}  // namespace

bool IsRocprofv3Csv(std::string_view begin) {
  const std::string_view line = begin.substr(0, begin.find('\n'));
  const auto has = [&](std::string_view column) {
    return line.find(column) != std::string_view::npos;
  };
  return (has("Start_Timestamp") && has("End_Timestamp") &&
          (has("Kind") || has("Domain") || has("Counter_Name"))) ||
         (has("Node_Id") && has("Agent_Type"));
}

std::string Rocprofv3CsvStem(const std::string& path) {
  const size_t name = path.find_last_of('/') + 1;  // npos + 1 is zero
  for (const char* kind :
       {"kernel_trace", "hip_api_trace", "hsa_api_trace", "memory_copy_trace", "marker_api_trace",
        "memory_allocation_trace", "scratch_memory_trace", "rccl_api_trace", "rocdecode_api_trace",
        "rocjpeg_api_trace", "regions_trace", "graph_launch_trace", "hip_event_trace",
        "counter_collection", "agent_info"}) {
    const size_t at = path.rfind(kind);
    if (at != std::string::npos && at >= name) return path.substr(0, at);
  }
  return path;
}

Status ImportRocprofv3Csv(const std::vector<std::string>& files, size_t process,
                          ImportedTrace* trace) {
  return Rocprofv3Csv(process, trace).Run(files);
}

}  // namespace rtl::import
