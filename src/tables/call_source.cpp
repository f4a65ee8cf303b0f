// SPDX-License-Identifier: MIT
// Reads the table of calls: those of HIP, then of HSA, then of RCCL, each in the order of their
// starts.
#include "tables/row_source.h"
#include "trace/read/selection.h"

namespace rtl::tables {
namespace {

class CallSource : public RowSource {
  using C = CallsColumn;

 public:
  Status Open(query::TraceReader& trace, const TableRequest& request, const RowBuilder&) override {
    trace_ = &trace;
    RTL_TRY(processes_.Load(trace, std::nullopt));
    names_.Open(trace, request.name);
    RTL_TRY(query::Selection::Apply(trace, request.selection, &selection_));
    RTL_TRY(trace.ApisByStart(&hip_));
    RTL_TRY(trace.EventsByStart(EventKind::kHsaCall, &hsa_));
    return trace.EventsByStart(EventKind::kRcclCall, &rccl_);
  }

  Status AddRows(RowBuilder& row) override {
    while (api_ != Api::kNone && !row.is_full()) {
      bool has_row = false;
      RTL_TRY(api_ == Api::kHip   ? AddHip(row, &has_row)
              : api_ == Api::kHsa ? AddEvent(hsa_, row, &has_row)
                                  : AddEvent(rccl_, row, &has_row));
      if (!has_row) api_ = static_cast<Api>(static_cast<int>(api_) + 1);
    }
    return Status::Ok();
  }

 private:
  enum class Api { kHip, kHsa, kRccl, kNone };

  // Sets the columns that calls of all APIs have. *is_wanted: the call is selected.
  template <typename Call>
  Status Begin(const Call& call, RowBuilder& row, bool* is_wanted) {
    const NameFacts* name = nullptr;
    RTL_TRY(names_.Find<C>(call.name, row, &name));
    *is_wanted = name->is_wanted;
    if (!name->is_wanted) return Status::Ok();
    row.Set(C::id, call.id);
    row.SetText(C::api, api_ == Api::kHip ? "hip" : api_ == Api::kHsa ? "hsa" : "rccl");
    processes_.Set<C>(call.process, row);
    row.Set(C::tid, call.tid);
    NamesOfTable::Set<C>(*name, row);
    row.Set(C::start, call.start);
    row.Set(C::duration, call.end - call.start);
    return Status::Ok();
  }

  Status AddHip(RowBuilder& row, bool* has_row) {
    query::ApiRow call;
    RTL_TRY(hip_.Next(&call, has_row));
    if (!*has_row) return Status::Ok();
    bool is_wanted = false;
    RTL_TRY(Begin(call, row, &is_wanted));
    if (!is_wanted) return Status::Ok();
    row.SetIf(call.has_result, C::result, call.result);
    row.Set(C::correlation, call.correlation);
    row.SetIf(call.stream >= 0, C::stream, call.stream);
    row.SetIf(call.copied != 0, C::bytes, call.copied);
    RTL_TRY(SetArguments(call.arguments, row));
    row.EndRow();
    return Status::Ok();
  }

  Status AddEvent(query::EventCursor& cursor, RowBuilder& row, bool* has_row) {
    query::EventRow call;
    RTL_TRY(cursor.Next(&call, has_row));
    if (!*has_row) return Status::Ok();
    bool is_wanted = false;
    RTL_TRY(Begin(call, row, &is_wanted));
    if (!is_wanted) return Status::Ok();
    row.SetIf(call.correlation != 0, C::correlation, call.correlation);
    std::string others;
    for (uint32_t i = 0; i < call.kind->field_count; ++i) {
      const EventField& field = call.kind->fields[i];
      if (!call.Has(i)) continue;
      if (std::string_view(field.name) == "result") {
        row.Set(C::result, call.values[i]);
      } else if (field.form == FieldForm::kCall) {
        RTL_TRY(SetArguments(call.values[i], row));
      } else if (row.Wants(C::arguments)) {
        others += (others.empty() ? "" : ", ") + std::string(field.name) + "=" +
                  std::to_string(call.values[i]);
      }
    }
    row.SetText(C::arguments, others);
    row.EndRow();
    return Status::Ok();
  }

  Status SetArguments(int64_t id, RowBuilder& row) {
    if (!row.Wants(C::arguments)) return Status::Ok();
    std::string_view text;
    RTL_TRY(trace_->Text(id, &text));
    row.SetText(C::arguments, text);
    return Status::Ok();
  }

  query::TraceReader* trace_ = nullptr;
  Processes processes_;
  NamesOfTable names_;
  query::Selection selection_;
  Api api_ = Api::kHip;
  query::ApiCursor hip_;
  query::EventCursor hsa_, rccl_;
};

}  // namespace

std::unique_ptr<RowSource> MakeCallSource() { return std::make_unique<CallSource>(); }

}  // namespace rtl::tables
