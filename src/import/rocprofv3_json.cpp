// SPDX-License-Identifier: MIT
// Reads rocprofv3's results.json. Usually its tables of names (agents, kernels, operations,
// messages) come before the records that refer to them. Otherwise the file is read twice.
#include <unordered_map>
#include <utility>
#include <vector>

#include "import/chrome_json.h"
#include "import/json_rows.h"
#include "import/readers.h"
#include "import/rocprofv3_records.h"

namespace rtl::import {
namespace {

constexpr std::string_view kParts = "rocprofiler-sdk-tool";

struct Symbol {
  std::string name;
  uint32_t group_segment = 0, private_segment = 0, vgprs = 0, sgprs = 0;
};

// The tables to which the records of one process refer.
struct Tables {
  std::unordered_map<uint64_t, uint64_t> devices;  // device by agent
  std::vector<ImportedDevice> about;
  std::unordered_map<uint64_t, Symbol> kernels;
  std::vector<std::string> domains;                 // by number of the kind
  std::vector<std::vector<std::string>> functions;  // by numbers of kind and operation
  std::unordered_map<uint64_t, std::string> messages;
};

// A record of counters has the fields of a kernel's record below this one.
constexpr std::string_view kOfCounters = "dispatch_data.";

class Rocprofv3Json : public JsonRowReader {
 public:
  Rocprofv3Json(const ImportedProcess& known, ImportedTrace* trace)
      : known_(known), trace_(*trace) {}

  // kAll reads tables and records in one pass. A file whose records come first needs kTables, then
  // kRecords.
  enum class Pass { kAll, kTables, kRecords };
  void Begin(Pass pass) {
    pass_ = pass;
    part_ = 0;
    counted_.clear();
    has_kernels_ = false;
    if (pass == Pass::kTables) tables_.clear();
  }
  bool records_came_first() const { return records_came_first_; }

  Status BeginPart() override {
    if (part_ == tables_.size()) tables_.emplace_back();
    names_ = &tables_[part_++];
    has_symbols_ = has_operations_ = pass_ == Pass::kRecords;
    if (pass_ == Pass::kTables) return Status::Ok();
    if (!is_open_) process_ = trace_.BeginProcess(known_);
    is_open_ = true;
    trace_.facts() = known_;
    for (size_t i = 0; i < names_->about.size(); ++i) trace_.NameDevice(i, names_->about[i]);
    return Status::Ok();
  }

  void TakeRepaired(uint64_t halves) override { trace_.report().unused[kHalfPair] = halves; }

  Status EndPart() override {
    if (pass_ == Pass::kTables) return Status::Ok();
    is_open_ = false;
    for (const ImportedKernel& kernel : counted_) {
      if (kernel.end > 0) {
        RTL_TRY(trace_.Add(kernel));
      } else {
        trace_.Leave("an event without its times");
      }
    }
    counted_.clear();
    has_kernels_ = false;
    return trace_.EndProcess(process_);
  }

  Status TakeFact(std::string_view path, std::string_view value) override {
    if (pass_ == Pass::kTables) return Status::Ok();
    ImportedProcess& process = trace_.facts();
    if (path == "metadata.pid") process.pid = static_cast<uint32_t>(AnyNumber(value));
    if (path == "metadata.node.hostname") process.host = value;
    if (path == "metadata.command[]") {
      if (!process.command.empty()) process.command += ' ';
      process.command += value;
    }
    return Status::Ok();
  }

  Status TakeRow(std::string_view table, const JsonRow& row) override {
    constexpr std::string_view kBuffers = "buffer_records.";
    const bool is_buffer = table.starts_with(kBuffers);
    if (is_buffer || table.starts_with("callback_records.")) {
      if (pass_ == Pass::kTables) return Status::Ok();
      if (!has_symbols_ || !has_operations_) {
        records_came_first_ = part_ == 1;
        return Status::Error("records before the tables of names");
      }
      if (is_buffer) return TakeRecord(table.substr(kBuffers.size()), row);
      if (table == "callback_records.counter_collection") {
        TakeCounted(row);
        return Status::Ok();
      }
      return trace_.Skip("a record of " + std::string(table));
    }
    if (pass_ == Pass::kRecords) return Status::Ok();
    if (table == "agents") TakeAgent(row);
    if (table == "strings.buffer_records") TakeOperations(row);
    if (table == "strings.marker_api") names_->messages[row.Number("key")] = row.Text("value");
    if (table == "kernel_symbols") TakeSymbol(row);
    return Status::Ok();
  }

 private:
  void TakeAgent(const JsonRow& row) {
    const std::string_view type = row.Text("type");
    if (type != "2" && type != "GPU") return;
    const uint64_t device = names_->devices.size();
    if (!names_->devices.emplace(row.Number("id.handle"), device).second) return;
    ImportedDevice about;
    about.name = row.Text("name");
    about.product = row.Text("product_name");
    about.uuid = row.Text("uuid");
    about.compute_units = static_cast<uint32_t>(row.Number("cu_count"));
    names_->about.push_back(about);
    if (pass_ == Pass::kAll) trace_.NameDevice(device, about);
  }

  void TakeOperations(const JsonRow& row) {
    has_operations_ = true;
    names_->domains.emplace_back(row.Text("kind"));
    std::vector<std::string>& functions = names_->functions.emplace_back();
    for (size_t i = 0; i < row.size(); ++i) {
      if (row.key(i).starts_with("operations[")) functions.emplace_back(row.value(i));
    }
  }

  void TakeSymbol(const JsonRow& row) {
    Symbol symbol;
    symbol.name = WithoutKd(row.Text("kernel_name"));
    if (symbol.name.empty()) symbol.name = row.Text("formatted_kernel_name");
    symbol.group_segment = static_cast<uint32_t>(row.Number("group_segment_size"));
    symbol.private_segment = static_cast<uint32_t>(row.Number("private_segment_size"));
    symbol.vgprs = static_cast<uint32_t>(row.Number("arch_vgpr_count"));
    symbol.sgprs = static_cast<uint32_t>(row.Number("sgpr_count"));
    names_->kernels.insert_or_assign(row.Number("kernel_id"), std::move(symbol));
    has_symbols_ = true;
  }

  Status TakeRecord(std::string_view table, const JsonRow& row) {
    if (table == "kernel_dispatch") return TakeKernel(row);
    if (table == "memory_copy") return TakeCopy(row);
    if (table.ends_with("_api")) return TakeCall(table, row);
    if (table == "memory_allocation" || table == "scratch_memory")
      return TakeAllocation(table, row);
    return trace_.Skip("a record of " + std::string(table));
  }

  uint64_t Device(uint64_t agent) const {
    const auto known = names_->devices.find(agent);
    return known == names_->devices.end() ? kNoDevice : known->second;
  }

  std::string_view OperationOf(const JsonRow& row, std::string_view* domain) const {
    const uint64_t kind = row.Number("kind"), operation = row.Number("operation");
    if (kind >= names_->functions.size()) return {};
    *domain = names_->domains[kind];
    const std::vector<std::string>& functions = names_->functions[kind];
    return operation < functions.size() ? std::string_view(functions[operation])
                                        : std::string_view();
  }

  // The name in the result is valid as long as the tables. Fields are looked up in the order of
  // AMD's files: the search for a field begins after the field found last.
  ImportedKernel ReadKernel(const JsonRow& row, bool is_of_counters) {
    const auto number = [&](std::string_view field) {
      return row.Number(is_of_counters ? field : field.substr(kOfCounters.size()));
    };
    const auto narrow = [&](std::string_view field) {
      return static_cast<uint32_t>(number(field));
    };
    const auto time = [&](std::string_view field) {
      return row.Signed(is_of_counters ? field : field.substr(kOfCounters.size()));
    };
    ImportedKernel kernel;
    kernel.thread = static_cast<uint32_t>(row.Number("thread_id"));
    kernel.correlation = number("dispatch_data.correlation_id.internal");
    kernel.start = time("dispatch_data.start_timestamp");
    kernel.end = time("dispatch_data.end_timestamp");
    // An agent that ran a kernel is a GPU, even if the file does not describe the agent.
    const uint64_t agent = number("dispatch_data.dispatch_info.agent_id.handle");
    kernel.device = names_->devices.try_emplace(agent, names_->devices.size()).first->second;
    kernel.stream = number("dispatch_data.dispatch_info.queue_id.handle");
    const auto symbol = names_->kernels.find(number("dispatch_data.dispatch_info.kernel_id"));
    kernel.name = "(unknown kernel)";
    if (symbol != names_->kernels.end() && !symbol->second.name.empty()) {
      kernel.name = symbol->second.name;
      kernel.registers = symbol->second.vgprs;
      kernel.scalar_registers = symbol->second.sgprs;
    }
    kernel.private_segment = narrow("dispatch_data.dispatch_info.private_segment_size");
    kernel.group_segment = narrow("dispatch_data.dispatch_info.group_segment_size");
    kernel.workgroup[0] = narrow("dispatch_data.dispatch_info.workgroup_size.x");
    kernel.workgroup[1] = narrow("dispatch_data.dispatch_info.workgroup_size.y");
    kernel.workgroup[2] = narrow("dispatch_data.dispatch_info.workgroup_size.z");
    kernel.grid[0] = narrow("dispatch_data.dispatch_info.grid_size.x");
    kernel.grid[1] = narrow("dispatch_data.dispatch_info.grid_size.y");
    kernel.grid[2] = narrow("dispatch_data.dispatch_info.grid_size.z");
    return kernel;
  }

  Status TakeKernel(const JsonRow& row) {
    has_kernels_ = true;
    counted_.clear();
    return trace_.Add(ReadKernel(row, false));
  }

  // If the file has no trace of kernels, the kernels with counter values are imported.
  void TakeCounted(const JsonRow& row) {
    trace_.Leave("a record of callback_records.counter_collection");
    if (!has_kernels_) counted_.push_back(ReadKernel(row, true));
  }

  Status TakeCopy(const JsonRow& row) {
    std::string_view domain;
    ImportedCopy copy;
    copy.kind = CopyKindOf(OperationOf(row, &domain));
    copy.thread = static_cast<uint32_t>(row.Number("thread_id"));
    copy.correlation = row.Number("correlation_id.internal");
    copy.start = row.Signed("start_timestamp");
    copy.end = row.Signed("end_timestamp");
    copy.target = Device(row.Number("dst_agent_id.handle"));
    copy.source = Device(row.Number("src_agent_id.handle"));
    copy.bytes = row.Number("bytes");
    return trace_.Add(copy);
  }

  // The domain of a table's calls. Tools that write names of functions in place of numbers have no
  // table of domains.
  static std::string_view DomainOf(std::string_view table) {
    constexpr std::pair<std::string_view, std::string_view> kDomains[] = {
        {"hip_api", "HIP"}, {"hsa_api", "HSA"}, {"rccl_api", "RCCL"}, {"marker_api", "MARKER"}};
    for (const auto& [name, domain] : kDomains) {
      if (name == table) return domain;
    }
    return {};
  }

  Status TakeCall(std::string_view table, const JsonRow& row) {
    Rocprofv3Call call;
    call.name = OperationOf(row, &call.domain);
    if (const std::string_view name = row.Text("operation"); !name.empty() && name[0] > '9') {
      call.name = name;
      call.domain = DomainOf(table);
    }
    if (call.name.empty()) {
      return trace_.Skip("a call whose name is not in the file");
    }
    call.correlation = row.Number("correlation_id.internal");
    const auto message = names_->messages.find(call.correlation);
    if (message != names_->messages.end()) call.message = message->second;
    call.start = row.Signed("start_timestamp");
    call.end = row.Signed("end_timestamp");
    call.thread = row.Text("thread_id");
    ReadArguments(row);
    call.arguments = arguments_;
    if (!row.Text("retval.uint64_t_retval").empty()) {
      call.result = static_cast<int32_t>(row.Number("retval.uint64_t_retval"));
    } else if (!row.Text("retval.hipError_t_retval").empty()) {
      call.result = static_cast<int32_t>(row.Number("retval.hipError_t_retval"));
    }
    return AddCall(call, &trace_);
  }

  // Sets arguments_ to "name=value, name=value".
  void ReadArguments(const JsonRow& row) {
    arguments_.clear();
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string_view key = row.key(i);
      if (!key.starts_with("args[")) continue;
      if (key.ends_with("].name")) {
        if (!arguments_.empty()) arguments_ += ", ";
        arguments_ += row.value(i);
        arguments_ += '=';
      } else if (key.ends_with("].value")) {
        arguments_ += row.value(i);
      }
    }
  }

  Status TakeAllocation(std::string_view table, const JsonRow& row) {
    std::string_view domain;
    Rocprofv3Allocation allocation;
    allocation.operation = OperationOf(row, &domain);
    allocation.is_scratch = table == "scratch_memory";
    allocation.thread = row.Text("thread_id");
    allocation.correlation = row.Number("correlation_id.internal");
    allocation.bytes = row.Number("allocation_size");
    allocation.address = AnyNumber(row.Text("address.handle"));
    if (allocation.address == 0) allocation.address = AnyNumber(row.Text("address"));
    allocation.flags = row.Number("flags");
    allocation.start = row.Signed("start_timestamp");
    allocation.end = row.Signed("end_timestamp");
    return AddAllocation(allocation, &trace_);
  }

  const ImportedProcess& known_;
  ImportedTrace& trace_;
  std::vector<Tables> tables_;  // one for each part of the file
  size_t part_ = 0;
  Tables* names_ = nullptr;  // tables of the current part
  Pass pass_ = Pass::kAll;
  bool has_symbols_ = false, has_operations_ = false;  // the tables came before the records
  bool records_came_first_ = false;
  bool is_open_ = false;  // process_ is open
  size_t process_ = 0;
  std::string arguments_;                // arguments of the current call
  bool has_kernels_ = false;             // the current part has a trace of kernels
  std::vector<ImportedKernel> counted_;  // kernels with counter values of the current part
};

}  // namespace

Status ImportRocprofv3Json(const std::string& path, const ImportedProcess& known,
                           ImportedTrace* trace) {
  Rocprofv3Json reader(known, trace);
  const Status read = ReadJsonRows(path, kParts, &reader);
  if (!reader.records_came_first()) return read;
  reader.Begin(Rocprofv3Json::Pass::kTables);
  RTL_TRY(ReadJsonRows(path, kParts, &reader));
  reader.Begin(Rocprofv3Json::Pass::kRecords);
  return ReadJsonRows(path, kParts, &reader);
}

}  // namespace rtl::import
