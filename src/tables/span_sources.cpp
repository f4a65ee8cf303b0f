// SPDX-License-Identifier: MIT
// Reads the tables of copies, barriers, ranges, events and samples, each in the order of time, and
// the table of operators, thread by thread.
#include "tables/row_source.h"
#include "tables/steps.h"
#include "trace/read/selection.h"

namespace rtl::tables {
namespace {

// The common part of sources of spans.
class SpanSource : public RowSource {
 public:
  Status Open(query::TraceReader& trace, const TableRequest& request,
              const RowBuilder& row) override {
    trace_ = &trace;
    RTL_TRY(processes_.Load(trace, std::nullopt));
    names_.Open(trace, request.name);
    RTL_TRY(Prepare(trace, request, row));
    RTL_TRY(query::Selection::Apply(trace, request.selection, &selection_));
    return OpenCursors(trace);
  }

  Status AddRows(RowBuilder& row) override {
    bool has_row = true;
    while (has_row && !row.is_full()) RTL_TRY(AddRow(row, &has_row));
    return Status::Ok();
  }

 protected:
  // Reads what it needs from the whole trace, before a selection is set.
  virtual Status Prepare(query::TraceReader&, const TableRequest&, const RowBuilder&) {
    return Status::Ok();
  }
  virtual Status OpenCursors(query::TraceReader& trace) = 0;
  // Reads a row, and adds it when it is selected.
  virtual Status AddRow(RowBuilder& row, bool* has_row) = 0;

  query::TraceReader* trace_ = nullptr;
  Processes processes_;
  NamesOfTable names_;
  query::Selection selection_;
};

// A source whose rows have an id, a process, a name and a start. `Columns`: those of the table.
template <typename Columns, typename Row, typename Cursor>
class NamedSpanSource : public SpanSource {
 protected:
  using C = Columns;

  Status AddRow(RowBuilder& row, bool* has_row) override {
    Row span;
    RTL_TRY(cursor_.Next(&span, has_row));
    if (!*has_row) return Status::Ok();
    const NameFacts* name = nullptr;
    RTL_TRY(names_.Find<C>(span.name, row, &name));
    if (!name->is_wanted) return Status::Ok();
    row.Set(C::id, span.id);
    processes_.Set<C>(span.process, row);
    NamesOfTable::Set<C>(*name, row);
    row.Set(C::start, span.start);
    RTL_TRY(SetOthers(span, row));
    row.EndRow();
    return Status::Ok();
  }
  // Sets the columns that AddRow does not set.
  virtual Status SetOthers(const Row& span, RowBuilder& row) = 0;

  Cursor cursor_;
};

class CopySource : public NamedSpanSource<CopiesColumn, query::CopyRow, query::CopyCursor> {
  Status Prepare(query::TraceReader& trace, const TableRequest& request,
                 const RowBuilder& row) override {
    if (request.steps != nullptr) steps_ = request.steps;
    if (request.earlier != nullptr) steps_ = &request.earlier->steps;
    return row.Wants(C::step) && steps_ == &own_ ? own_.Load(trace) : Status::Ok();
  }
  Status OpenCursors(query::TraceReader& trace) override { return trace.CopiesByStart(&cursor_); }
  Status SetOthers(const query::CopyRow& copy, RowBuilder& row) override {
    row.Set(C::tid, copy.tid);
    if (row.Wants(C::step)) {
      row.SetIf(C::step, steps_->At(copy.process, copy.submit != 0 ? copy.submit : copy.start));
    }
    row.SetIf(copy.src_gpu >= 0, C::source_gpu, copy.src_gpu);
    row.SetIf(copy.dst_gpu >= 0, C::destination_gpu, copy.dst_gpu);
    row.Set(C::duration, copy.end - copy.start);
    row.SetIf(copy.submit != 0, C::submit, copy.submit);
    row.SetIf(copy.bytes != 0, C::bytes, copy.bytes);
    row.SetIf(copy.src != 0, C::source, copy.src);
    row.SetIf(copy.dst != 0, C::destination, copy.dst);
    row.SetIf(copy.correlation != 0, C::correlation, copy.correlation);
    return Status::Ok();
  }

  Steps own_;
  const Steps* steps_ = &own_;
};

class BarrierSource
    : public NamedSpanSource<BarriersColumn, query::BarrierRow, query::BarrierCursor> {
  Status OpenCursors(query::TraceReader& trace) override {
    return trace.BarriersBySubmit(&cursor_);
  }
  Status SetOthers(const query::BarrierRow& barrier, RowBuilder& row) override {
    row.Set(C::gpu, barrier.gpu);
    row.Set(C::queue, barrier.queue);
    row.Set(C::tid, barrier.tid);
    row.Set(C::duration, barrier.end - barrier.start);
    row.SetIf(barrier.submit != 0, C::submit, barrier.submit);
    row.Set(C::dependencies, barrier.dependencies);
    row.Set(C::packet, barrier.packet);
    row.SetIf(barrier.correlation != 0, C::correlation, barrier.correlation);
    return Status::Ok();
  }
};

class RangeSource : public NamedSpanSource<RangesColumn, query::MarkerRow, query::MarkerCursor> {
  Status OpenCursors(query::TraceReader& trace) override { return trace.MarkersByStart(&cursor_); }
  Status SetOthers(const query::MarkerRow& range, RowBuilder& row) override {
    row.Set(C::tid, range.tid);
    row.SetText(C::kind, range.is_mark ? "mark" : range.is_start_stop ? "crossing" : "nested");
    row.Set(C::duration, range.end - range.start);
    row.Set(C::unclosed, range.is_unclosed ? 1 : 0);
    return Status::Ok();
  }
};

class OperatorSource
    : public NamedSpanSource<OperatorsColumn, query::HostWorkRow, query::OperatorCursor> {
  Status OpenCursors(query::TraceReader& trace) override { return trace.Operators(&cursor_); }
  Status SetOthers(const query::HostWorkRow& one, RowBuilder& row) override {
    row.Set(C::tid, one.thread);
    if (row.Wants(C::kind)) {
      std::string_view text;
      RTL_TRY(trace_->Text(one.name, &text));
      row.SetText(C::kind, one.kind != query::HostWorkRow::Kind::kPythonFunction ? "operator"
                           : text.starts_with("nn.Module: ")                     ? "module"
                                                                                 : "function");
    }
    row.Set(C::duration, one.duration);
    if (one.inputs != 0 && row.Wants(C::inputs)) {
      std::string_view text;
      RTL_TRY(trace_->Text(one.inputs, &text));
      row.SetText(C::inputs, text);
    }
    return Status::Ok();
  }
};

// Reads events of several kinds, kind by kind.
class EventCursors {
 public:
  Status Open(query::TraceReader& trace) {
    for (size_t i = 0; i < std::size(kKinds); ++i) {
      RTL_TRY(trace.EventsByStart(kKinds[i], &cursors_[i]));
    }
    return Status::Ok();
  }
  Status Next(query::EventRow* event, bool* has_row) {
    *has_row = false;
    for (; kind_ < std::size(kKinds); ++kind_) {
      RTL_TRY(cursors_[kind_].Next(event, has_row));
      if (*has_row) break;
    }
    return Status::Ok();
  }

 private:
  static constexpr EventKind kKinds[] = {EventKind::kAllocation, EventKind::kScratch,
                                         EventKind::kInit};
  query::EventCursor cursors_[std::size(kKinds)];
  size_t kind_ = 0;
};

class EventSource : public NamedSpanSource<EventsColumn, query::EventRow, EventCursors> {
  Status OpenCursors(query::TraceReader& trace) override { return cursor_.Open(trace); }
  Status SetOthers(const query::EventRow& event, RowBuilder& row) override {
    row.Set(C::tid, event.tid);
    row.SetText(C::kind, event.kind->category);
    row.Set(C::duration, event.end - event.start);
    row.SetIf(event.gpu >= 0, C::gpu, event.gpu);
    row.SetIf(event.queue != 0, C::queue, event.queue);
    for (uint32_t i = 0; i < event.kind->field_count; ++i) {
      const FieldForm form = event.kind->fields[i].form;
      row.SetIf(event.Has(i) && form == FieldForm::kBytes, C::bytes, event.values[i]);
      row.SetIf(event.Has(i) && form == FieldForm::kAddress, C::address, event.values[i]);
    }
    row.SetIf(event.correlation != 0, C::correlation, event.correlation);
    return Status::Ok();
  }
};

class SampleSource : public SpanSource {
  using C = SamplesColumn;

  Status Prepare(query::TraceReader& trace, const TableRequest&, const RowBuilder&) override {
    std::vector<query::KernelInfo> kernels;
    RTL_TRY(trace.tables().Kernels(&kernels));
    for (const query::KernelInfo& kernel : kernels) name_of_[kernel.id] = kernel.name;
    return trace.tables().GpusOfAgents(&gpu_of_);
  }
  Status OpenCursors(query::TraceReader& trace) override { return trace.SamplesByTime(&cursor_); }
  Status AddRow(RowBuilder& row, bool* has_row) override {
    query::SampleRow sample;
    RTL_TRY(cursor_.Next(&sample, has_row));
    if (!*has_row) return Status::Ok();
    const auto named = name_of_.find(sample.kernel);
    if (named != name_of_.end()) {
      const NameFacts* name = nullptr;
      RTL_TRY(names_.Find<C>(named->second, row, &name));
      if (!name->is_wanted) return Status::Ok();
      NamesOfTable::Set<C>(*name, row);
    } else if (!names_.Matches("")) {
      return Status::Ok();
    }
    row.Set(C::id, sample.id);
    processes_.Set<C>(sample.process, row);
    const auto gpu = gpu_of_.find({sample.process, sample.agent});
    if (gpu != gpu_of_.end()) row.Set(C::gpu, gpu->second);
    row.SetIf(sample.queue != 0, C::queue, sample.queue);
    row.Set(C::start, sample.time);
    row.SetIf(sample.dispatch != 0, C::sequence, sample.dispatch);
    row.SetIf(sample.correlation != 0, C::correlation, sample.correlation);
    row.SetIf(sample.code_object != 0, C::code_object, sample.code_object);
    row.Set(C::address, sample.offset);
    row.Set(C::exec_mask, sample.exec_mask);
    row.Set(C::workgroup_x, sample.workgroup[0]);
    row.Set(C::workgroup_y, sample.workgroup[1]);
    row.Set(C::workgroup_z, sample.workgroup[2]);
    row.Set(C::wave, sample.wave);
    row.Set(C::chiplet, sample.chiplet);
    row.EndRow();
    return Status::Ok();
  }

  std::unordered_map<int64_t, int64_t> name_of_;  // name by kernel
  query::GpusOfAgents gpu_of_;
  query::SampleCursor cursor_;
};

}  // namespace

std::unique_ptr<RowSource> MakeSpanSource(TableId table) {
  switch (table) {
    case TableId::kCopies:
      return std::make_unique<CopySource>();
    case TableId::kBarriers:
      return std::make_unique<BarrierSource>();
    case TableId::kRanges:
      return std::make_unique<RangeSource>();
    case TableId::kOperators:
      return std::make_unique<OperatorSource>();
    case TableId::kEvents:
      return std::make_unique<EventSource>();
    default:
      return std::make_unique<SampleSource>();
  }
}

}  // namespace rtl::tables
