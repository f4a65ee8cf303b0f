// SPDX-License-Identifier: MIT
#include "trace/write/call_table.h"

#include <span>

#include "trace/schema/api_text.h"
#include "trace/schema/tables.h"

namespace rtl::store {
namespace {

// rocpd_api.id is the number of the call in its process; the bits above these have the number of
// the process.
constexpr int kProcessShift = 40;

}  // namespace

Status CallTable::Prepare(const Database& database, BulkTables* bulk, int64_t no_kernel, Last last,
                          size_t most_held) {
  bulk_ = bulk;
  most_held_ = most_held;
  no_kernel_ = no_kernel;
  rows_.Begin(last.site);
  shape_rows_.Begin(last.launch_call);
  RTL_TRY(site_.Prepare(database, InsertSql(kCallSiteTableDescription)));
  RTL_TRY(shape_.Prepare(database, InsertSql(kLaunchCallTableDescription)));
  RTL_TRY(launch_.Prepare(database, InsertSql(kKernelApiTableDescription)));
  return operation_.Prepare(database, InsertSql(kApiOpTableDescription));
}

CallTable::SiteKey CallTable::KeyOf(const CallSite& site) {
  const int64_t given = (site.result.has_value() ? 1 : 0) | (site.stream.has_value() ? 2 : 0);
  return {site.process, site.tid, site.name, site.result.value_or(0), site.stream.value_or(0),
          given};
}

Status CallTable::Describe(const CallSite& site, const std::optional<LaunchDetails>& launch,
                           bool may_submit, Described* out) {
  if (sites_.size() == kMostKnown || shapes_.size() == kMostKnown) RTL_TRY(Forget());
  out->site = sites_.Add(KeyOf(site), site);
  out->shape = launch.has_value() ? shapes_.Add(*launch, *launch) : kNoShape;
  out->may_submit = may_submit;
  return Status::Ok();
}

Status CallTable::Add(const Call& call, bool* added) {
  *added = false;
  const uint32_t place = index_.Find(call.id);
  if (place != CallIndex::kNone) {
    Held& held = held_[place];
    if (held.start != kNotRead) return Status::Ok();
    *added = true;
    held.start = call.start;
    held.duration = call.duration;
    held.arguments = call.arguments;
    held.described = call.described;
    return Status::Ok();
  }
  if (emitted_.Contains(call.id)) [[unlikely]]
    return Status::Ok();
  *added = true;
  Held held = {call.id, call.start, call.duration, call.arguments, btree::kNull, 0, call.described};
  if (!early_.empty()) {
    if (const auto early = early_.find(call.id); early != early_.end()) {
      held.op = early->second.op;
      held.kernel = early->second.kernel;
      early_.erase(early);
    }
  }
  return Hold(held);
}

Status CallTable::AddOperation(int64_t api, int64_t op, int64_t kernel) {
  latest_ = api;
  const uint32_t place = index_.Find(api);
  if (place != CallIndex::kNone) [[likely]] {
    Held& held = held_[place];
    if (held.kernel == 0) held.kernel = kernel;
    if (held.op != btree::kNull) return WriteApart(api, {op, 0});
    held.op = op;
    return Status::Ok();
  }
  if (emitted_.Contains(api)) return WriteApart(api, {op, kernel});
  if (!early_.empty()) {
    if (const auto early = early_.find(api); early != early_.end()) {
      if (early->second.kernel == 0) early->second.kernel = kernel;
      return WriteApart(api, {op, 0});
    }
  }
  return Hold({api, kNotRead, 0, 0, op, kernel, {}});
}

// True if the missing half, the operation of the call or the call of the operation, is not expected
// any more.
bool CallTable::IsComplete(const Held& held) const {
  if (held.id + kLag < latest_ && held.id >> kProcessShift == latest_ >> kProcessShift) return true;
  if (held.start == kNotRead) return false;
  return held.op != btree::kNull || !held.described.may_submit;
}

Status CallTable::Hold(const Held& held) {
  while (complete_ < held_.size() && IsComplete(held_[complete_])) ++complete_;
  if (complete_ >= kGroup) {
    RTL_TRY(Emit(complete_));
  } else if (held_.size() >= most_held_) {
    RTL_TRY(Emit(most_held_ / 2));
  }
  index_.Add(held.id, static_cast<uint32_t>(held_.size()));
  held_.push_back(held);
  return Status::Ok();
}

// Writes a row for an operation that could not be put into the row of its call.
Status CallTable::WriteApart(int64_t api, const Operation& operation) {
  RTL_TRY(operation_.Add(ApiOpTable{.api = api, .op = operation.op}));
  return operation.kernel == 0 ? Status::Ok() : NameLaunch(api, operation.kernel);
}

// Writes a row for the kernel of a launch whose call was written before the kernel was read.
Status CallTable::NameLaunch(int64_t api, int64_t kernel) {
  const auto launch = launches_.find(api);
  if (launch == launches_.end()) return Status::Ok();
  int64_t row = 0;
  RTL_TRY(ShapeRow(launch->second, kernel, &row));
  launches_.erase(launch);
  return launch_.Add(KernelApiTable{.api = api, .launch_call = row});
}

// Writes the first `count` held calls.
Status CallTable::Emit(size_t count) {
  for (const Held& held : std::span(held_).first(count)) {
    RTL_TRY(held.start == kNotRead ? KeepEarly(held) : EmitOne(held));
  }
  held_.erase(held_.begin(), held_.begin() + static_cast<ptrdiff_t>(count));
  complete_ = 0;
  index_.Clear();
  for (uint32_t i = 0; i < held_.size(); ++i) index_.Add(held_[i].id, i);
  return Status::Ok();
}

Status CallTable::EmitOne(const Held& held) {
  int64_t site = 0;
  RTL_TRY(SiteRow(held, &site));
  if (held.described.shape != kNoShape && held.kernel == 0) {
    if (launches_.size() >= kMostWaiting) RTL_TRY(WriteLaunches());
    launches_.emplace(held.id, shapes_[held.described.shape]);
  }
  emitted_.Add(held.id);
  return bulk_->AddCall(held.id, {site, held.start, held.duration, held.arguments, held.op});
}

Status CallTable::SiteRow(const Held& held, int64_t* row) {
  const uint32_t shape_number = held.described.shape;
  const bool has_shape = shape_number != kNoShape && held.kernel != 0;
  const RowKey key = {held.described.site, has_shape ? shape_number : kNoShape,
                      has_shape ? held.kernel : 0};
  if (!rows_.Add(key, row)) return Status::Ok();
  std::optional<int64_t> shape;
  if (has_shape) RTL_TRY(ShapeRow(shapes_[shape_number], held.kernel, &shape.emplace()));
  const CallSite& site = sites_[held.described.site];
  return site_.Add(CallSiteTable{.id = *row,
                                 .pid = site.pid,
                                 .tid = site.tid,
                                 .name = site.name,
                                 .result = site.result,
                                 .process = site.process,
                                 .rank = site.rank,
                                 .stream = site.stream,
                                 .launch_call = shape});
}

Status CallTable::ShapeRow(const LaunchDetails& launch, int64_t name, int64_t* row) {
  if (!shape_rows_.Add({launch, name}, row)) return Status::Ok();
  LaunchCallTable stored;
  TakeExtents(launch, &stored);
  stored.id = *row;
  stored.stream = Hex(launch.stream);
  stored.group_segment = launch.shared_bytes;
  stored.kernel_name = name;
  return shape_.Add(stored);
}

// Forgets the known sites and shapes, because there are too many.
Status CallTable::Forget() {
  RTL_TRY(Emit(held_.size()));
  ++generation_;
  sites_.Clear();
  shapes_.Clear();
  rows_.Clear();
  return Status::Ok();
}

Status CallTable::WriteLaunches() {
  for (const auto& [api, launch] : launches_) {
    int64_t row = 0;
    RTL_TRY(ShapeRow(launch, no_kernel_, &row));
    RTL_TRY(launch_.Add(KernelApiTable{.api = api, .launch_call = row}));
  }
  launches_.clear();
  return Status::Ok();
}

// Keeps an operation whose call has not been read for a long time.
Status CallTable::KeepEarly(const Held& held) {
  if (early_.size() >= kMostWaiting) RTL_TRY(WriteEarly());
  early_.emplace(held.id, Operation{held.op, held.kernel});
  return Status::Ok();
}

// Writes these operations. Their calls, if they are read later, have no name of their kernel.
Status CallTable::WriteEarly() {
  for (const auto& [api, operation] : early_) RTL_TRY(WriteApart(api, operation));
  early_.clear();
  return Status::Ok();
}

Status CallTable::Settle() {
  RTL_TRY(Emit(held_.size()));
  RTL_TRY(WriteEarly());
  return WriteLaunches();
}

Status CallTable::FindSite(int64_t api, int64_t* site) {
  const uint32_t place = index_.Find(api);
  if (place != CallIndex::kNone && held_[place].start != kNotRead)
    return SiteRow(held_[place], site);
  bool found = false;
  RTL_TRY(bulk_->FindCall(api, &found, site));
  if (!found) *site = 0;
  return Status::Ok();
}

}  // namespace rtl::store
