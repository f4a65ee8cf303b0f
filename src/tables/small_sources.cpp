// SPDX-License-Identifier: MIT
// Reads the tables of counters, GPUs, threads, processes and losses.
#include <map>
#include <unordered_set>

#include "tables/row_source.h"
#include "trace/read/gpu_names.h"
#include "trace/read/selection.h"

namespace rtl::tables {
namespace {

// Reads counters, one process after the other. Memory: the counters of one kernel; if kernels are
// selected, also a number for each selected kernel.
class CounterSource : public RowSource {
  using C = CountersColumn;

 public:
  Status Open(query::TraceReader& trace, const TableRequest& request, const RowBuilder&) override {
    trace_ = &trace;
    RTL_TRY(processes_.Load(trace, request.selection.rank));
    names_.Open(trace, request.name);
    RTL_TRY(trace.tables().Has("rtl_counter_value", &has_counters_));
    query::SelectionRequest of_kernels = request.selection;
    of_kernels.rank.reset();
    is_selected_ = !of_kernels.empty();
    return is_selected_ ? FindKernels(trace, of_kernels) : Status::Ok();
  }

  Status AddRows(RowBuilder& row) override {
    while (!row.is_full()) {
      if (next_sum_ != sums_.end()) {
        RTL_TRY(AddSum(row));
        continue;
      }
      bool has_kernel = false;
      RTL_TRY(ReadKernel(&has_kernel));
      if (!has_kernel) break;
    }
    return Status::Ok();
  }

 private:
  struct Sum {
    double value = 0;
    bool not_modelled = false;
  };

  Status FindKernels(query::TraceReader& trace, const query::SelectionRequest& request) {
    query::Selection selection;
    RTL_TRY(query::Selection::Make(trace, request, &selection));
    query::KernelCursor cursor;
    RTL_TRY(trace.KernelsBySubmit(&cursor));
    return cursor.Each([&](const query::KernelRow& kernel) {
      if (selection.Takes(kernel)) selected_[kernel.process].insert(kernel.dispatch);
    });
  }

  // Reads the counters of the next kernel into sums_.
  Status ReadKernel(bool* has_kernel) {
    sums_.clear();
    *has_kernel = false;
    for (;;) {
      if (!has_value_) RTL_TRY(NextValue());
      if (!has_value_) break;
      if (*has_kernel && value_.dispatch != dispatch_) break;
      *has_kernel = true;
      dispatch_ = value_.dispatch;
      process_of_sums_ = process_;
      Sum& sum = sums_[value_.name];
      sum.value += value_.value;
      sum.not_modelled |= value_.not_modelled;
      RTL_TRY(NextInstance());
    }
    next_sum_ = sums_.begin();
    return Status::Ok();
  }

  // Does not read again after the end, because the cursor would start over.
  Status NextInstance() {
    RTL_TRY(values_.Next(&value_, &has_value_));
    is_open_ = has_value_;
    return Status::Ok();
  }

  // Reads the next value, if necessary from the next process that has counters.
  Status NextValue() {
    while (has_counters_) {
      if (is_open_) RTL_TRY(NextInstance());
      if (has_value_ || next_process_ == processes_.all().size()) return Status::Ok();
      process_ = processes_.all()[next_process_++].id;
      is_open_ = processes_.Takes(process_);
      if (is_open_) {
        values_ = {};
        RTL_TRY(trace_->tables().CounterValues(process_, &values_));
      }
    }
    return Status::Ok();
  }

  Status AddSum(RowBuilder& row) {
    const auto [id, sum] = *next_sum_++;
    if (is_selected_) {
      const auto kernels = selected_.find(process_of_sums_);
      if (kernels == selected_.end() || kernels->second.count(dispatch_) == 0) return Status::Ok();
    }
    const NameFacts* name = nullptr;
    RTL_TRY(names_.Find<C>(id, row, &name));
    if (!name->is_wanted) return Status::Ok();
    processes_.Set<C>(process_of_sums_, row);
    row.Set(C::sequence, dispatch_);
    NamesOfTable::Set<C>(*name, row);
    row.SetReal(C::value, sum.value);
    row.Set(C::not_modelled, sum.not_modelled ? 1 : 0);
    row.EndRow();
    return Status::Ok();
  }

  query::TraceReader* trace_ = nullptr;
  Processes processes_;
  NamesOfTable names_;
  bool has_counters_ = false;
  bool is_selected_ = false;
  std::unordered_map<int64_t, std::unordered_set<uint64_t>> selected_;  // dispatches by process
  size_t next_process_ = 0;
  bool is_open_ = false;  // values_ is open on process_
  int64_t process_ = 0;
  query::CounterValueCursor values_;
  query::CounterValueRow value_;
  bool has_value_ = false;       // value_ has been read but not summed yet
  std::map<int64_t, Sum> sums_;  // sums of one kernel, by the id of the counter's name
  std::map<int64_t, Sum>::const_iterator next_sum_ = sums_.end();
  int64_t process_of_sums_ = 0;
  uint64_t dispatch_ = 0;
};

// Tables that are small. Their rows can only be selected by rank.
template <typename Columns, typename Row>
class ListSource : public RowSource {
 public:
  Status Open(query::TraceReader& trace, const TableRequest& request, const RowBuilder&) override {
    RTL_TRY(processes_.Load(trace, request.selection.rank));
    names_.Open(trace, request.name);
    gpu_ = request.selection.gpu;
    query::SelectionRequest other = request.selection;
    other.rank.reset();
    if (HasGpus()) other.gpu.reset();
    if (!other.empty() || (request.name && !HasGpus())) {
      return Status::Error("%s: this table is selected by rank%s only", trace.path().c_str(),
                           HasGpus() ? ", gpu and name" : "");
    }
    return Load(trace);
  }

  Status AddRows(RowBuilder& row) override {
    for (; next_ < rows_.size() && !row.is_full(); ++next_) {
      const Row& one = rows_[next_];
      const int64_t process = ProcessOf(one);
      if (!processes_.Takes(process) || !Takes(one)) continue;
      processes_.Set<Columns>(process, row);
      SetOthers(one, row);
      row.EndRow();
    }
    return Status::Ok();
  }

 protected:
  using C = Columns;

  virtual bool HasGpus() const { return false; }
  // Reads rows_.
  virtual Status Load(query::TraceReader& trace) = 0;
  virtual bool Takes(const Row&) const { return true; }
  // Sets the columns that are not about the process.
  virtual void SetOthers(const Row& one, RowBuilder& row) = 0;

  Processes processes_;
  NamesOfTable names_;
  std::optional<int32_t> gpu_;
  std::vector<Row> rows_;

 private:
  static int64_t ProcessOf(const query::Process& row) { return row.id; }
  template <typename Other>
  static int64_t ProcessOf(const Other& row) {
    return row.process;
  }

  size_t next_ = 0;
};

class GpuSource : public ListSource<GpusColumn, query::Agent> {
  bool HasGpus() const override { return true; }
  Status Load(query::TraceReader& trace) override { return trace.tables().Agents(&rows_); }
  bool Takes(const query::Agent& agent) const override {
    return agent.is_gpu && (!gpu_ || agent.gpu == *gpu_) && names_.Matches(agent.name);
  }
  void SetOthers(const query::Agent& agent, RowBuilder& row) override {
    row.Set(C::gpu, agent.gpu);
    row.Set(C::agent, agent.agent);
    row.Set(C::node, agent.node);
    row.SetText(C::bus, query::BusText(agent.bdf));
    row.SetText(C::uuid, agent.uuid);
    row.SetText(C::name, agent.name);
    row.SetText(C::product, agent.product);
    row.Set(C::compute_units, agent.compute_units);
    const int64_t hz = agent.timestamp_hz.value_or(0);
    row.SetIf(hz != 0, C::timestamp_frequency, hz);
  }
};

class ProcessSource : public ListSource<ProcessesColumn, query::Process> {
  Status Load(query::TraceReader& trace) override { return trace.tables().Processes(&rows_); }
  void SetOthers(const query::Process& process, RowBuilder& row) override {
    row.Set(C::parent_pid, process.parent_pid);
    row.SetIf(process.world != 0, C::world, process.world);
    row.SetText(C::job, process.job);
    row.SetText(C::executable, process.executable);
    row.SetText(C::command, process.command);
    row.SetText(C::mode, process.mode);
    row.SetText(C::method, process.loaded_by);
    row.SetText(C::runtime, process.runtime);
    row.SetIf(process.started != 0, C::start, process.started);
    row.SetIf(process.started != 0 && process.ended >= process.started, C::duration,
              process.ended - process.started);
  }
};

class ThreadSource : public ListSource<ThreadsColumn, query::GivenName> {
  Status Load(query::TraceReader& trace) override {
    std::vector<query::GivenName> given;
    RTL_TRY(trace.tables().GivenNames(&given));
    std::map<std::pair<int64_t, uint64_t>, query::GivenName> last;  // by process and thread id
    for (query::GivenName& name : given) {
      if (name.kind == "thread")
        last.insert_or_assign({name.process, name.target}, std::move(name));
    }
    for (auto& [thread, name] : last) rows_.push_back(std::move(name));
    return Status::Ok();
  }
  void SetOthers(const query::GivenName& name, RowBuilder& row) override {
    row.Set(C::tid, name.target);
    row.SetText(C::name, name.name);
  }
};

class LossSource : public ListSource<LossesColumn, query::ProcessCounter> {
  Status Load(query::TraceReader& trace) override { return trace.tables().ProcessCounters(&rows_); }
  void SetOthers(const query::ProcessCounter& counter, RowBuilder& row) override {
    row.SetText(C::kind, counter.kind);
    row.SetText(C::counter, counter.counter);
    row.Set(C::events, counter.value);
  }
};

}  // namespace

std::unique_ptr<RowSource> MakeSmallSource(TableId table) {
  switch (table) {
    case TableId::kCounters:
      return std::make_unique<CounterSource>();
    case TableId::kGpus:
      return std::make_unique<GpuSource>();
    case TableId::kProcesses:
      return std::make_unique<ProcessSource>();
    case TableId::kThreads:
      return std::make_unique<ThreadSource>();
    default:
      return std::make_unique<LossSource>();
  }
}

}  // namespace rtl::tables
