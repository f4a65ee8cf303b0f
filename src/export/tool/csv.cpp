// SPDX-License-Identifier: MIT
#include "export/tool/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "export/tool/tool_samples.h"

namespace rtl::exporting::tool {
namespace {

constexpr char kAgentFile[] = "agent_info.csv";
constexpr char kCounterFile[] = "counter_collection.csv";
constexpr char kSamplesFile[] = "pc_sampling_host_trap.csv";
constexpr char kCoverageFile[] = "coverage.csv";
constexpr char kDomainStatsFile[] = "domain_stats.csv";

constexpr size_t kLongestNumber = 24;
constexpr uint64_t kLdsGranularity = 512;  // in bytes

const std::vector<std::string_view> kApiColumns = {
    "Domain",         "Function",        "Process_Id",   "Thread_Id",
    "Correlation_Id", "Start_Timestamp", "End_Timestamp"};
const std::vector<std::string_view> kKernelColumns = {
    "Kind",          "Agent_Id",         "Queue_Id",         "Stream_Id",        "Thread_Id",
    "Dispatch_Id",   "Kernel_Id",        "Kernel_Name",      "Correlation_Id",   "Start_Timestamp",
    "End_Timestamp", "LDS_Block_Size",   "Scratch_Size",     "VGPR_Count",       "Accum_VGPR_Count",
    "SGPR_Count",    "Workgroup_Size_X", "Workgroup_Size_Y", "Workgroup_Size_Z", "Grid_Size_X",
    "Grid_Size_Y",   "Grid_Size_Z"};
const std::vector<std::string_view> kOldKernelColumns = {"Kind",
                                                         "Agent_Id",
                                                         "Queue_Id",
                                                         "Thread_Id",
                                                         "Dispatch_Id",
                                                         "Kernel_Id",
                                                         "Kernel_Name",
                                                         "Correlation_Id",
                                                         "Start_Timestamp",
                                                         "End_Timestamp",
                                                         "Private_Segment_Size",
                                                         "Group_Segment_Size",
                                                         "Workgroup_Size_X",
                                                         "Workgroup_Size_Y",
                                                         "Workgroup_Size_Z",
                                                         "Grid_Size_X",
                                                         "Grid_Size_Y",
                                                         "Grid_Size_Z"};
const std::vector<std::string_view> kCounterColumns = {
    "Correlation_Id", "Dispatch_Id",   "Agent_Id",        "Queue_Id",         "Process_Id",
    "Thread_Id",      "Grid_Size",     "Kernel_Id",       "Kernel_Name",      "Workgroup_Size",
    "LDS_Block_Size", "Scratch_Size",  "VGPR_Count",      "Accum_VGPR_Count", "SGPR_Count",
    "Counter_Name",   "Counter_Value", "Start_Timestamp", "End_Timestamp"};
const std::vector<std::string_view> kCopyColumns = {
    "Kind",           "Direction",       "Stream_Id",    "Source_Agent_Id", "Destination_Agent_Id",
    "Correlation_Id", "Start_Timestamp", "End_Timestamp"};
const std::vector<std::string_view> kOldCopyColumns = {
    "Kind",           "Direction",       "Source_Agent_Id", "Destination_Agent_Id",
    "Correlation_Id", "Start_Timestamp", "End_Timestamp"};
const std::vector<std::string_view> kAllocationColumns = {
    "Kind",    "Operation",      "Agent_Id",        "Allocation_Size",
    "Address", "Correlation_Id", "Start_Timestamp", "End_Timestamp"};
const std::vector<std::string_view> kScratchColumns = {
    "Kind",        "Operation",       "Agent_Id",      "Queue_Id",       "Thread_Id",
    "Alloc_Flags", "Start_Timestamp", "End_Timestamp", "Allocation_Size"};
const std::vector<std::string_view> kStatsColumns = {
    "Name", "Calls", "TotalDurationNs", "AverageNs", "Percentage", "MinNs", "MaxNs", "StdDev"};

// A file that is opened with its first row, so that a domain without rows has no file.
class LazyCsv {
 public:
  LazyCsv(OutputSet* outputs, std::string name, const std::vector<std::string_view>& columns)
      : outputs_(outputs), name_(std::move(name)), columns_(columns) {}

  // Makes a callback that adds a row for an event. `write` adds the cells.
  template <typename Write>
  auto Rows(Write write) {
    return [this, write](const auto&... event) {
      if (file_ == nullptr) {
        RTL_TRY(outputs_->Open(name_, &file_));
        CsvHeader(file_, columns_);
      }
      RTL_TRY(file_->result());
      CsvRow row(file_);
      write(event..., &row);
      row.End();
      return Status::Ok();
    };
  }

 private:
  OutputSet* outputs_;
  std::string name_;
  const std::vector<std::string_view>& columns_;
  OutputFile* file_ = nullptr;
};

std::string TraceFile(Domain domain) { return std::string(InfoOf(domain).trace_file) + ".csv"; }

// In the format of rocprofv3 0.5, an agent is identified by the driver's number.
void PutAgent(const ToolTrace& trace, const ToolAgent* agent, CsvRow* csv) {
  if (agent == nullptr) {
    csv->Text("");
  } else if (trace.options().old_columns) {
    csv->Number(agent->agent.node);
  } else {
    csv->Text(agent->label);
  }
}

uint64_t LdsOf(const query::KernelInfo& info) {
  return (info.group_segment + kLdsGranularity - 1) & ~(kLdsGranularity - 1);
}

Status WriteKernels(ToolTrace& trace, OutputSet* outputs) {
  const bool old = trace.options().old_columns;
  LazyCsv file(outputs, TraceFile(Domain::kKernel), old ? kOldKernelColumns : kKernelColumns);
  const char* const kind = KindText(ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH);
  return trace.ForEachKernel(file.Rows([&](const ToolKernel& kernel, CsvRow* csv) {
    const query::KernelRow& row = kernel.row;
    const query::KernelInfo& info = kernel.symbol->info;
    PutAgent(trace, kernel.agent, &csv->Text(kind));
    csv->Number(kernel.queue);
    if (!old) csv->Number(kernel.stream);
    csv->Number(row.tid).Number(row.dispatch).Number(info.kernel).Text(kernel.name);
    csv->Number(kernel.correlation).Number(row.start).Number(row.end);
    if (old) {
      csv->Number(row.private_segment).Number(row.group_segment);
    } else {
      csv->Number(LdsOf(info)).Number(row.private_segment);
      csv->Number(info.vgprs).Number(0).Number(info.sgprs);
    }
    for (const uint32_t size : row.workgroup) csv->Number(size);
    for (const uint32_t size : row.grid) csv->Number(size);
  }));
}

Status WriteCounters(ToolTrace& trace, OutputSet* outputs) {
  LazyCsv file(outputs, kCounterFile, kCounterColumns);
  const auto write = file.Rows([&](const ToolKernel& kernel, const query::CounterSum& counter,
                                   CsvRow* csv) {
    const query::KernelRow& row = kernel.row;
    const query::KernelInfo& info = kernel.symbol->info;
    const auto product = [](const auto& sizes) { return uint64_t{sizes[0]} * sizes[1] * sizes[2]; };
    PutAgent(trace, kernel.agent, &csv->Number(kernel.correlation).Number(row.dispatch));
    csv->Number(kernel.queue).Number(row.pid).Number(row.tid).Number(product(row.grid));
    csv->Number(info.kernel).Text(kernel.name).Number(product(row.workgroup)).Number(LdsOf(info));
    csv->Number(row.private_segment).Number(info.vgprs).Number(0).Number(info.sgprs);
    csv->Text(counter.name);
    // Integers are written without a fraction; other numbers have as many digits as are needed to
    // read the same value back.
    csv->Text(counter.not_modelled ? "not modelled" : fmt::format("{}", counter.value));
    csv->Number(row.start).Number(row.end);
  });
  return trace.ForEachCounted([&](const ToolKernel& kernel, ToolTrace::Sums sums) {
    for (const query::CounterSum& counter : sums) RTL_TRY(write(kernel, counter));
    return Status::Ok();
  });
}

Status WriteSamples(ToolTrace& trace, OutputSet* outputs) {
  static const std::vector<std::string_view> kColumns = {"Sample_Timestamp",    "Exec_Mask",
                                                         "Dispatch_Id",         "Instruction",
                                                         "Instruction_Comment", "Correlation_Id"};
  LazyCsv file(outputs, kSamplesFile, kColumns);
  ToolSamples samples(&trace);
  return samples.ForEach(file.Rows([&](const ToolSample& sample, CsvRow* csv) {
    const query::SampleRow& row = sample.row;
    csv->Number(row.time).Number(row.exec_mask).Number(row.dispatch);
    if (sample.instruction < 0) {
      csv->Text("").Text(fmt::format("in no known code object, at address 0x{:x}", row.offset));
    } else {
      const auto index = static_cast<size_t>(sample.instruction);
      const ToolInstruction& instruction = samples.instructions()[index];
      csv->Text(instruction.text).Text(instruction.comment);
    }
    csv->Number(row.correlation);
  }));
}

Status WriteCopies(ToolTrace& trace, OutputSet* outputs) {
  const bool old = trace.options().old_columns;
  LazyCsv file(outputs, TraceFile(Domain::kCopy), old ? kOldCopyColumns : kCopyColumns);
  const char* const kind = KindText(ROCPROFILER_BUFFER_TRACING_MEMORY_COPY);
  return trace.ForEachCopy(file.Rows([&](const ToolCopy& copy, CsvRow* csv) {
    csv->Text(kind).Text(copy.direction);
    if (!old) csv->Number(copy.stream);
    PutAgent(trace, copy.source, csv);
    PutAgent(trace, copy.destination, csv);
    csv->Number(copy.correlation).Number(copy.row.start).Number(copy.row.end);
  }));
}

Status WriteCalls(ToolTrace& trace, Domain domain, OutputSet* outputs) {
  LazyCsv file(outputs, TraceFile(domain), kApiColumns);
  return trace.ForEachCall(domain, file.Rows([&](const ToolCall& call, CsvRow* csv) {
    const query::ApiRow& row = call.row;
    csv->Text(trace.options().old_columns ? call.family->old_kind : KindText(call.family->kind));
    csv->Text(call.name).Number(row.pid).Number(row.tid).Number(row.correlation);
    csv->Number(row.start).Number(row.end);
  }));
}

Status WriteMarkers(ToolTrace& trace, OutputSet* outputs) {
  LazyCsv file(outputs, TraceFile(Domain::kMarker), kApiColumns);
  const char* const kind =
      KindText(trace.options().old_columns ? ROCPROFILER_BUFFER_TRACING_MARKER_CORE_API
                                           : ROCPROFILER_BUFFER_TRACING_MARKER_CORE_RANGE_API);
  return trace.ForEachMarker(file.Rows([&](const ToolMarker& marker, CsvRow* csv) {
    const query::MarkerRow& row = marker.row;
    csv->Text(kind).Text(marker.message).Number(row.pid).Number(row.tid).Number(marker.correlation);
    csv->Number(row.start).Number(row.end);
  }));
}

Status WriteAllocations(ToolTrace& trace, OutputSet* outputs) {
  LazyCsv file(outputs, TraceFile(Domain::kAllocation), kAllocationColumns);
  const char* const kind = KindText(ROCPROFILER_BUFFER_TRACING_MEMORY_ALLOCATION);
  const auto write = file.Rows([&](const ToolMemory& memory, CsvRow* csv) {
    PutAgent(trace, memory.agent, &csv->Text(kind).Text(memory.name));
    csv->Number(memory.bytes);
    csv->Text(fmt::format("0x{:016x}", memory.address)).Number(memory.correlation);
    csv->Number(memory.row.start).Number(memory.row.end);
  });
  return trace.ForEachMemory(Domain::kAllocation, write);
}

Status WriteScratch(ToolTrace& trace, OutputSet* outputs) {
  LazyCsv file(outputs, TraceFile(Domain::kScratch), kScratchColumns);
  const char* const kind = KindText(ROCPROFILER_BUFFER_TRACING_SCRATCH_MEMORY);
  const auto write = file.Rows([&](const ToolMemory& memory, CsvRow* csv) {
    PutAgent(trace, memory.agent, &csv->Text(kind).Text(memory.name));
    csv->Number(memory.queue);
    csv->Number(memory.row.tid).Number(memory.flags).Number(memory.row.start);
    csv->Number(memory.row.end).Number(memory.bytes);
  });
  return trace.ForEachMemory(Domain::kScratch, write);
}

Status WriteAgents(const ToolTrace& trace, OutputSet* outputs) {
  OutputFile* file = nullptr;
  RTL_TRY(outputs->Open(kAgentFile, &file));
  std::vector<std::string_view> columns;
  const AgentFacts none({}, 0, {});
  for (const AgentCell& cell : none.cells()) columns.push_back(cell.column);
  CsvHeader(file, columns);
  for (const ToolAgent& agent : trace.agents()) {
    CsvRow row(file);
    for (const AgentCell& cell : agent.facts.cells()) {
      cell.is_text ? row.Text(cell.text) : row.Signed(cell.number);
    }
    row.End();
  }
  return file->result();
}

Status WriteCoverage(ToolTrace& trace, OutputSet* outputs) {
  std::vector<Missing> rows;
  RTL_TRY(trace.Coverage(&rows));
  OutputFile* file = nullptr;
  RTL_TRY(outputs->Open(kCoverageFile, &file));
  CsvHeader(file, {"Kind", "Counter", "Events", "Description"});
  for (const Missing& row : rows) {
    CsvRow(file).Text(row.kind).Text(row.counter).Number(row.events).Text(row.text).End();
  }
  return file->result();
}

std::string Percentage(double value) {
  if (value >= 1) return fmt::format("{:.2f}", value);
  return value > 0.01 ? fmt::format("{:.4f}", value) : fmt::format("{:.3e}", value);
}

std::string Fraction(double value) {
  return value > 0.01 ? fmt::format("{:.6f}", value) : fmt::format("{:.8e}", value);
}

void WriteStatistics(const std::vector<NamedSample>& rows, uint64_t total, OutputFile* file) {
  CsvHeader(file, kStatsColumns);
  for (const auto& [name, domain, sample] : rows) {
    const double percent =
        total == 0 ? 0 : 100.0 * static_cast<double>(sample.sum) / static_cast<double>(total);
    CsvRow row(file);
    row.Text(name).Number(sample.count).Number(sample.sum);
    row.Plain(Fraction(sample.mean())).Plain(Percentage(percent));
    row.Number(sample.least).Number(sample.most).Plain(Fraction(sample.deviation())).End();
  }
}

template <typename Integer>
void PutNumber(Integer value, OutputFile* file) {
  char* const room = file->Room(kLongestNumber);
  file->Advance(std::to_chars(room, room + kLongestNumber, value).ptr);
}

}  // namespace

void CsvRow::Separate() {
  if (!first_) file_->Put(',');
  first_ = false;
}

CsvRow& CsvRow::Text(std::string_view text) {
  Separate();
  file_->Put('"');
  for (size_t quote = text.find('"'); quote != std::string_view::npos; quote = text.find('"')) {
    file_->Append(text.substr(0, quote + 1));
    file_->Put('"');
    text.remove_prefix(quote + 1);
  }
  file_->Append(text);
  file_->Put('"');
  return *this;
}

CsvRow& CsvRow::Plain(std::string_view text) {
  Separate();
  file_->Append(text);
  return *this;
}

CsvRow& CsvRow::Number(uint64_t value) {
  Separate();
  PutNumber(value, file_);
  return *this;
}

CsvRow& CsvRow::Signed(int64_t value) {
  Separate();
  PutNumber(value, file_);
  return *this;
}

void CsvRow::End() { file_->Put('\n'); }

void CsvHeader(OutputFile* file, const std::vector<std::string_view>& columns) {
  CsvRow row(file);
  for (const std::string_view column : columns) row.Text(column);
  row.End();
}

std::vector<std::string> CsvFiles() {
  std::vector<std::string> files = {kAgentFile, kCounterFile, kSamplesFile, kCoverageFile,
                                    kDomainStatsFile};
  for (size_t i = 0; i < kDomainCount; ++i) {
    const DomainInfo& domain = InfoOf(static_cast<Domain>(i));
    files.push_back(std::string(domain.trace_file) + ".csv");
    files.push_back(std::string(domain.stats_file) + ".csv");
  }
  std::sort(files.begin(), files.end());
  return files;
}

Status WriteCsv(ToolTrace& trace, OutputSet* outputs) {
  RTL_TRY(WriteAgents(trace, outputs));
  RTL_TRY(WriteKernels(trace, outputs));
  RTL_TRY(WriteCounters(trace, outputs));
  RTL_TRY(WriteSamples(trace, outputs));
  for (const Domain domain : kCallDomains) RTL_TRY(WriteCalls(trace, domain, outputs));
  RTL_TRY(WriteMarkers(trace, outputs));
  RTL_TRY(WriteCopies(trace, outputs));
  RTL_TRY(WriteAllocations(trace, outputs));
  RTL_TRY(WriteScratch(trace, outputs));
  return WriteCoverage(trace, outputs);
}

Status WriteCsvStatistics(const Statistics& statistics, OutputSet* outputs) {
  std::vector<NamedSample> wholes;
  uint64_t sum = 0;
  for (size_t i = 0; i < kDomainCount; ++i) {
    const Domain domain = static_cast<Domain>(i);
    if (!statistics.Has(domain)) continue;
    wholes.push_back({InfoOf(domain).name, domain, statistics.Total(domain)});
    sum += wholes.back().sample.sum;
    OutputFile* file = nullptr;
    RTL_TRY(outputs->Open(std::string(InfoOf(domain).stats_file) + ".csv", &file));
    WriteStatistics(statistics.Sorted(domain), wholes.back().sample.sum, file);
    RTL_TRY(file->result());
  }
  if (wholes.empty()) return Status::Ok();
  std::sort(wholes.begin(), wholes.end(),
            [](const NamedSample& a, const NamedSample& b) { return a.sample.sum > b.sample.sum; });
  OutputFile* file = nullptr;
  RTL_TRY(outputs->Open(kDomainStatsFile, &file));
  WriteStatistics(wholes, sum, file);
  return file->result();
}

}  // namespace rtl::exporting::tool
