// SPDX-License-Identifier: MIT
// Reads the table of kernels, in the order of their submission.
#include <map>

#include "analysis/kernel_category.h"
#include "tables/row_source.h"
#include "tables/steps.h"
#include "trace/read/selection.h"

namespace rtl::tables {
namespace {

// The value of the column kind, from the category that rtl summary --by category shows.
const char* KindOf(const std::string& category) {
  return category == "communication" || category == "copy" ? category.c_str() : "compute";
}

class KernelSource : public RowSource {
  using C = KernelsColumn;

 public:
  Status Open(query::TraceReader& trace, const TableRequest& request,
              const RowBuilder& row) override {
    RTL_TRY(processes_.Load(trace, std::nullopt));
    parts_ = request.earlier;
    if (parts_ != nullptr) {
      steps_ = &parts_->steps;
    } else if (request.steps != nullptr) {
      steps_ = request.steps;
    } else if (row.Wants(C::step) || row.Wants(C::collective)) {
      RTL_TRY(own_.Load(trace));
    }
    names_.Open(trace, request.name);
    // The cursor reads all kernels, because ordinals of collectives count those that are not
    // selected, too.
    is_selected_ = !request.selection.empty();
    if (is_selected_) {
      RTL_TRY(query::Selection::Make(trace, request.selection, &selection_));
    }
    return trace.KernelsBySubmit(&cursor_);
  }

  Status AddRows(RowBuilder& row) override {
    query::KernelRow kernel;
    bool has_row = false;
    while (!row.is_full()) {
      RTL_TRY(cursor_.Next(&kernel, &has_row));
      if (!has_row) break;
      const NameFacts* name = nullptr;
      RTL_TRY(names_.Find<C>(
          kernel.name, row,
          [&](std::string_view text, NameFacts* facts) {
            const std::string& category = categories_.Name(std::string(text));
            facts->is_communication = category == "communication";
            facts->kind = row.Key(C::kind, KindOf(category));
          },
          &name));
      const int64_t collective = name->is_communication ? CountCollective(kernel, row) : -1;
      if (!name->is_wanted || (is_selected_ && !selection_.Takes(kernel))) continue;
      Add(kernel, *name, collective, row);
    }
    return Status::Ok();
  }

 private:
  static uint64_t TimeOf(const query::KernelRow& kernel) {
    return kernel.submit != 0 ? kernel.submit : kernel.start;
  }
  std::optional<int64_t> StepOf(const query::KernelRow& kernel) const {
    return steps_->At(kernel.process, TimeOf(kernel));
  }

  int64_t CountCollective(const query::KernelRow& kernel, const RowBuilder& row) {
    if (!row.Wants(C::collective)) return -1;
    if (parts_ != nullptr) {
      const uint64_t start = steps_->Find(kernel.process, TimeOf(kernel)).start;
      return parts_->collectives[kernel.queue].Ordinal(start, TimeOf(kernel));
    }
    const std::optional<int64_t> step = StepOf(kernel);
    Seen& seen = seen_[kernel.queue];
    if (seen.step != step) seen = {step, 0};
    return seen.next++;
  }

  void Add(const query::KernelRow& kernel, const NameFacts& name, int64_t collective,
           RowBuilder& row) const {
    row.Set(C::id, kernel.id);
    processes_.Set<C>(kernel.process, row);
    row.Set(C::gpu, kernel.gpu);
    row.Set(C::queue, kernel.queue);
    row.Set(C::tid, kernel.tid);
    NamesOfTable::Set<C>(name, row);
    row.Set(C::kind, name.kind);
    if (row.Wants(C::step)) row.SetIf(C::step, StepOf(kernel));
    row.SetIf(collective >= 0, C::collective, collective);
    row.Set(C::start, kernel.start);
    row.Set(C::duration, kernel.end - kernel.start);
    row.SetIf(kernel.submit != 0, C::submit, kernel.submit);
    row.Set(C::sequence, kernel.dispatch);
    row.Set(C::packet, kernel.packet);
    row.SetIf(kernel.correlation != 0, C::correlation, kernel.correlation);
    row.Set(C::grid_x, kernel.grid[0]);
    row.Set(C::grid_y, kernel.grid[1]);
    row.Set(C::grid_z, kernel.grid[2]);
    row.Set(C::workgroup_x, kernel.workgroup[0]);
    row.Set(C::workgroup_y, kernel.workgroup[1]);
    row.Set(C::workgroup_z, kernel.workgroup[2]);
    row.Set(C::lds, kernel.group_segment);
    row.Set(C::scratch, kernel.private_segment);
    row.Set(C::flags, kernel.flags);
    if (kernel.graph != 0) {
      row.Set(C::graph, kernel.graph);
      row.Set(C::graph_launch, kernel.graph_launch);
      row.Set(C::graph_node, kernel.graph_node);
    }
    row.EndRow();
  }

  // Counts the communication kernels of a queue in the current step.
  struct Seen {
    std::optional<int64_t> step;
    int64_t next = 0;
  };

  Processes processes_;
  NamesOfTable names_;
  Steps own_;
  const Steps* steps_ = &own_;
  EarlierParts* parts_ = nullptr;
  analysis::KernelCategories categories_;
  std::map<int64_t, Seen> seen_;  // by queue
  query::Selection selection_;
  bool is_selected_ = false;
  query::KernelCursor cursor_;
};

}  // namespace

std::unique_ptr<RowSource> MakeKernelSource() { return std::make_unique<KernelSource>(); }

}  // namespace rtl::tables
