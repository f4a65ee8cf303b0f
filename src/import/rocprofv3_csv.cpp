// SPDX-License-Identifier: MIT
// What a file holds, its columns say; their names are rocprofv3's.
#include "import/rocprofv3_csv.h"

#include <map>

#include "import/csv.h"
#include "import/rocprofv3_records.h"

namespace rtl::import {
namespace {

// The number in "Agent 4".
uint64_t AgentNumber(std::string_view agent) {
  const size_t digits = agent.find_first_of("0123456789");
  return digits == std::string_view::npos ? 0 : AnyNumber(agent.substr(digits));
}

class Rocprofv3Csv {
 public:
  explicit Rocprofv3Csv(ImportedTrace* trace) : trace_(*trace) {}

  Status Run(const std::vector<std::string>& files) {
    for (const bool agents : {true, false}) {
      for (const std::string& file : files) {
        CsvTable table;
        RTL_TRY(table.Open(file));
        if (table.Has("Agent_Type") != agents) continue;
        for (bool more = true;;) {
          RTL_TRY(table.Next(&more));
          if (!more) break;
          RTL_TRY(agents ? TakeAgent(table) : TakeRow(table));
        }
      }
    }
    return Status::Ok();
  }

 private:
  Status TakeAgent(const CsvTable& row) {
    const uint64_t node = row.Number("Node_Id");
    has_agents_ = true;
    if (row.Text("Agent_Type") != "GPU") return Status::Ok();
    const uint64_t device = devices_.size();
    devices_.emplace(node, device);
    ImportedDevice about;
    about.name = row.Text("Name");
    about.product = row.Text("Product_Name");
    about.compute_units = static_cast<uint32_t>(row.Number("Cu_Count"));
    trace_.NameDevice(device, std::move(about));
    return Status::Ok();
  }

  // Without the file of agents, GPUs are numbered as they appear.
  uint64_t Device(std::string_view agent, bool must_be_gpu) {
    const uint64_t number = AgentNumber(agent);
    const auto known = devices_.find(number);
    if (known != devices_.end()) return known->second;
    if (has_agents_ || !must_be_gpu) return kNoDevice;
    return devices_.emplace(number, devices_.size()).first->second;
  }

  Status TakeRow(const CsvTable& row) {
    const uint64_t pid = row.Number("Process_Id");
    if (pid != 0 && trace_.facts().pid == 0) trace_.facts().pid = static_cast<uint32_t>(pid);
    if (row.Has("Counter_Name")) {
      trace_.Leave("a value of a hardware counter");
      return Status::Ok();
    }
    if (row.Has("Kernel_Name")) return TakeKernel(row);
    if (row.Has("Function")) return TakeCall(row);
    if (row.Has("Direction")) return TakeCopy(row);
    if (row.Has("Allocation_Size")) return TakeAllocation(row, false);
    if (row.Text("Kind").starts_with("SCRATCH")) return TakeAllocation(row, true);
    trace_.Leave("a row of the kind " + std::string(row.Text("Kind")));
    return Status::Ok();
  }

  Status TakeKernel(const CsvTable& row) {
    ImportedKernel kernel;
    kernel.device = Device(row.Text("Agent_Id"), true);
    if (kernel.device == kNoDevice) {
      trace_.Leave("a kernel on an agent that the files do not describe");
      return Status::Ok();
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
    // The second name is that of ROCm 6.2 and 6.3.
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
    call.function = row.Text("Function");
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
    allocation.address = AnyNumber(row.Text("Address"));
    allocation.flags = row.Number("Alloc_Flags");
    allocation.start = row.Time("Start_Timestamp");
    allocation.end = row.Time("End_Timestamp");
    return AddAllocation(allocation, &trace_);
  }

  ImportedTrace& trace_;
  bool has_agents_ = false;
  std::map<uint64_t, uint64_t> devices_;  // by node
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
        "rocjpeg_api_trace", "counter_collection", "agent_info"}) {
    const size_t at = path.rfind(kind);
    if (at != std::string::npos && at >= name) return path.substr(0, at);
  }
  return path;
}

Status ImportRocprofv3Csv(const std::vector<std::string>& files, ImportedTrace* trace) {
  Rocprofv3Csv reader(trace);
  return reader.Run(files);
}

}  // namespace rtl::import
