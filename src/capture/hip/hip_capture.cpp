// SPDX-License-Identifier: MIT
#include "capture/hip/hip_capture.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "base/environment.h"
#include "base/thread_state.h"
#include "capture/hip/hip_memory.h"
#include "capture/hip/undescribed_calls.h"
#include "model/records.h"

namespace rtl::capture {

namespace {

constexpr char kTracerFunction[] = "hipRegisterTracerCallback";
constexpr char kActivityFunction[] = "hipRegisterActivityCallback";
constexpr char kPreloadMark[] = "rtl_hip_preloaded";
constexpr uint32_t kFirstWithStayingErrors = 7;
// Programs with several graphs crash in HIP 7.2 while a tracer callback is registered
// (docs/design/graphs.md).
constexpr uint32_t kFirstWithUnsafeCallback = 7;

}  // namespace

constinit HipCapture* HipCapture::installed_ = nullptr;

bool HipCapture::ShouldOpen() { return !tried_ && library_.Find(); }

void HipCapture::Record(const HipCalls::Trace& trace) {
  trace_ = trace;
  records_ = true;
  awaits_ = false;
  if (!open()) return;
  if (!calls_.recording()) WriteNames();
  Arm();
}

void HipCapture::Listen(HipCallListener* listener) {
  listener_ = listener;
  if (open()) Arm();
}

void HipCapture::Arm() {
  if (records_) calls_.Record(trace_);
  if (listener_ != nullptr) calls_.Listen(listener_);
}

Status HipCapture::Prepare(const HipLibrary& hip) {
  if (installed_ == this) {
    if (hip.major() == layout_->major) return Status::Ok();
    return Status::Error(
        "it is HIP %u.%u, and this process has another HIP, %u.%u, whose calls are recorded",
        hip.major(), hip.minor(), library_.major(), library_.minor());
  }
  layout_ = FindHipAbi(hip.major(), hip.minor());
  if (layout_ == nullptr) {
    return Status::Error("HIP %u.%u is not one of the versions whose calls are described",
                         hip.major(), hip.minor());
  }
  last_error_ = reinterpret_cast<int32_t (*)()>(hip.Symbol("hipPeekAtLastError"));
  if (last_error_ == nullptr) return Status::Error("this HIP has no hipPeekAtLastError");
  errors_stay_ = layout_->major >= kFirstWithStayingErrors;
  clears_error_ = FindCall(*layout_, "hipGetLastError");
  queries_[0] = FindCall(*layout_, "hipStreamQuery");
  queries_[1] = FindCall(*layout_, "hipEventQuery");
  installed_ = this;
  return Status::Ok();
}

// HIP's own callbacks pass structures that differ from one minor version to the next.
Status HipCapture::Exactly() const {
  if (FindHipLayout(library_.major(), library_.minor()) == layout_ && layout_->data_bytes != 0)
    return Status::Ok();
  return Status::Error("HIP %u.%u is not one of the versions whose callbacks are described",
                       library_.major(), library_.minor());
}

Status HipCapture::Open(HipMethod wish) {
  tried_ = true;
  RTL_TRY(Prepare(library_));
  RTL_TRY(OpenMethod(wish));
  DescribeMethods();
  return Status::Ok();
}

Status HipCapture::OpenMethod(HipMethod wish) {
  if (wish == HipMethod::kActivity) return OpenActivity();
  if (wish == HipMethod::kMemory) {
    if (OpenTablesInMemory(true)) return Status::Ok();
    return Status::Error(
        "HIP %u.%u gives its calls to no tracer that comes late; start the program with "
        "RTL_ATTACH=1 and the tracer, or with `rtl trace`",
        library_.major(), library_.minor());
  }
  const bool registers = wish == HipMethod::kRegister || (wish == HipMethod::kAuto && table_open_);
  if (registers) {
    waits_for_table_ = true;
    return Status::Ok();
  }
  const bool unsafe = layout_->major >= kFirstWithUnsafeCallback;
  if (wish == HipMethod::kTracer && unsafe)
    return Status::Error("HIP %u crashes while %s is in use; that is for HIP 5.3 to 6.4",
                         layout_->major, kTracerFunction);
  const bool usable = !unsafe && Exactly().ok() && library_.Symbol(kTracerFunction) != nullptr;
  if (wish == HipMethod::kTracer || (wish == HipMethod::kAuto && usable)) return OpenTracer();
  // The tables in memory are used also beside librtl_hip.so, for a HIP that starts without a call
  // of that library's functions.
  if (wish == HipMethod::kAuto && !preload_open_ && OpenTablesInMemory(!RegistersItself()))
    return Status::Ok();
  // This HIP will register its table when it is first used.
  if (wish == HipMethod::kAuto && !preload_open_ && RegistersItself()) {
    waits_for_table_ = true;
    return Status::Ok();
  }
  // The program's first HIP call may come before the first use of the HSA runtime, or after it.
  waits_for_preload_ = preload_open_ || dlsym(RTLD_DEFAULT, kPreloadMark) != nullptr;
  if (waits_for_preload_) return Status::Ok();
  return Status::Error("HIP %u.%u needs librtl_hip.so in LD_PRELOAD, where `rtl trace` puts it",
                       library_.major(), library_.minor());
}

// True if this HIP registers its tables with rocprofiler-register, and that library passes them on:
// because a variable names the tracer, or because the program's symbols include the tracer's
// function.
bool HipCapture::RegistersItself() const {
  if (library_.Symbol("rocprofiler_register_library_api_table") == nullptr) return false;
  const char* const to = EnvironmentValue("ROCPROFILER_REGISTER_LIBRARY");
  return (to != nullptr && *to != '\0') ||
         dlsym(RTLD_DEFAULT, "rocprofiler_set_api_table") != nullptr;
}

// True if the functions that programs call are wrapped now.
bool HipCapture::OpenTablesInMemory(bool registered) {
  void* const table = FindHipTable(library_, "hip", registered);
  if (table == nullptr || !OpenTable("hip", 0, table).ok()) return false;
  table_in_memory_ = true;
  void* const compiler = FindHipTable(library_, "hip_compiler", registered);
  // If this fails, only calls that HIP's compiler generates are missed.
  if (compiler != nullptr) (void)OpenTable("hip_compiler", 0, compiler);
  DescribeMethods();
  return true;
}

const char* HipCapture::missing() const {
  if (open()) return nullptr;
  if (waits_for_table_ && !table_refused_)
    return "this HIP did not register its table with rocprofiler-register";
  if (!waits_for_preload_) return nullptr;
  return "none came through librtl_hip.so, which does not see functions of HIP that a program "
         "finds without dlsym";
}

bool HipCapture::FindUntraced(HipLibrary* other) const {
  if (!open() || other_preloaded_.load(std::memory_order_relaxed)) return false;
  if (second_hip_.found() && !(preload_open_ && second_hip_.IsSame(preload_hip_))) {
    *other = second_hip_;
    return true;
  }
  return other->FindBeside({table_open_ ? &table_hip_ : nullptr,
                            preload_open_ ? &preload_hip_ : nullptr,
                            callbacks_open_ ? &library_ : nullptr});
}

void HipCapture::DescribeMethods() {
  const struct {
    bool open;
    const char* name;
    const HipLibrary& hip;
  } methods[] = {{table_open_, table_in_memory_ ? "tables in its memory" : "register", table_hip_},
                 // if both are of the same HIP, preload passes calls through to the table's
                 // wrappers
                 {preload_open_ && (!table_open_ || two_hips_), "preload", preload_hip_},
                 {callbacks_open_, callback_, library_}};
  size_t used = 0;
  const HipLibrary* last = nullptr;
  for (const auto& method : methods) {
    if (!method.open) continue;
    char* const end = description_ + used;
    const size_t room = sizeof description_ - used;
    const char* const comma = last == nullptr ? "" : ", ";
    const int written = last != nullptr && method.hip.IsSame(*last)
                            ? snprintf(end, room, "%s%s", comma, method.name)
                            : snprintf(end, room, "%sHIP %u.%u by %s", comma, method.hip.major(),
                                       method.hip.minor(), method.name);
    used += static_cast<size_t>(written);
    last = &method.hip;
    if (&method.hip != &table_hip_ || entries_.known == entries_.all) continue;
    used += static_cast<size_t>(snprintf(description_ + used, sizeof description_ - used,
                                         " (%u of %u)", entries_.known, entries_.all));
  }
  // Set in case the process is killed: the collector then writes this text. Otherwise the process
  // writes it.
  if (used == 0 && waits_for_preload_) {
    (void)snprintf(description_, sizeof description_, "HIP %u.%u by preload, unused",
                   library_.major(), library_.minor());
  }
}

void HipCapture::CompareHips() {
  two_hips_ = table_open_ && preload_open_ && !table_hip_.IsSame(preload_hip_);
}

// Sets the location of each argument in the tracer's wrappers, where the arguments follow one
// another.
Status HipCapture::PlaceArguments() {
  for (size_t i = 0; i < layout_->count; ++i) {
    const CallLayout& call = layout_->calls[i];
    if (size_t{call.first_step} + call.steps > kMaxSteps) {
      return Status::Error("this HIP's calls have more than %zu arguments", kMaxSteps);
    }
    uint16_t offset = 0;
    for (size_t step = call.first_step; step < size_t{call.first_step} + call.steps; ++step) {
      const CopyStep& from = layout_->steps[step];
      preload_steps_[step] = {offset, from.copy, from.words};
      const int words = from.copy == Copy::kSkip ? from.words : from.copy == Copy::kDim3 ? 2 : 1;
      offset = static_cast<uint16_t>(offset + 8 * words);
    }
  }
  return Status::Ok();
}

void HipCapture::NumberFunctions(const PreloadedCalls& calls) {
  for (size_t place = 0; place < calls.count; ++place) {
    const CallLayout* const layout = FindCall(*layout_, calls.names[place]);
    if (layout != nullptr) preloaded_[place] = {layout->number, layout};
  }
}

Status HipCapture::OpenPreload(const PreloadedCalls& calls, const HipCallHooks** hooks) {
  if (calls.count > kMaxIds) return Status::Error("librtl_hip.so is from another build");
  if (!preload_hip_.Find(calls.hip)) return Status::Error("no libamdhip64.so is loaded");
  if (preload_hip_.IsSame(table_hip_)) preload_hip_ = table_hip_;
  if (!library_.found()) library_ = preload_hip_;
  RTL_TRY(Prepare(preload_hip_));
  RTL_TRY(PlaceArguments());
  NumberFunctions(calls);
  preload_open_ = true;
  CompareHips();
  DescribeMethods();
  Arm();
  preload_hooks_ = {OnPreloadEnter, OnPreloadExit, calls_.alone()};
  *hooks = &preload_hooks_;
  return Status::Ok();
}

Status HipCapture::OpenTable(const char* name, uint64_t version, void* table) {
  HipTables::Entries entries;
  const Status checked = HipTables::Check(name, table, &entries);
  if (HipTables::IsOfSecondCopy(name, table) && second_hip_.Find(table))
    second_hip_.TakeVersion(version);
  if (!checked.ok()) {
    table_refused_ = true;
    if (!open()) calls_.Disarm();  // the compiler's calls alone are of no use
    return checked;
  }
  if (!table_hip_.Find(table)) return Status::Error("no libamdhip64.so is loaded");
  table_hip_.TakeVersion(version);
  for (HipLibrary* const hip : {&library_, &preload_hip_}) {
    if (!hip->found() || hip->IsSame(table_hip_)) *hip = table_hip_;
  }
  RTL_TRY(Prepare(table_hip_));
  RTL_TRY(PlaceArguments());
  NumberFunctions(HipTables::Functions());
  Arm();
  table_hooks_ = {OnTableEnter, OnPreloadExit, calls_.alone()};
  HipTables::Wrap(
      name, table, IsCall, table_hooks_,
      recorded() && calls_.Records(nullptr) && strcmp(name, "hip") == 0 ? OnUndescribed : nullptr);
  if (strcmp(name, "hip") != 0) return Status::Ok();
  entries_ = entries;
  table_open_ = true;
  CompareHips();
  DescribeMethods();
  return Status::Ok();
}

// HOT.
ThreadCalls* HipCapture::Begin(CallMethod method, const void* frame, const Numbered& called,
                               const uint64_t* arguments) {
  ThreadCalls* const calls = calls_.Enter(method, frame, called.api, called.layout);
  if (calls != nullptr)
    calls_.Tell(calls, {preload_steps_, reinterpret_cast<const uint8_t*>(arguments)});
  return calls;
}

// HOT: once per call that comes through a table of HIP's.
void* HipCapture::OnTableEnter(uint32_t place, const uint64_t* arguments) {
  return installed_->Begin(CallMethod::kTable, __builtin_frame_address(0),
                           installed_->preloaded_[place], arguments);
}

// HOT: once per call that comes through librtl_hip.so. Returns null also for functions that this
// HIP does not have, and for calls that the wrappers of HIP's table see.
void* HipCapture::OnPreloadEnter(uint32_t place, const uint64_t* arguments) {
  const bool other = (place & kOfAnotherHip) != 0;
  const Numbered& called = installed_->preloaded_[place & ~kOfAnotherHip];
  if (called.layout == nullptr) return nullptr;
  if (other && !installed_->other_preloaded_.load(std::memory_order_relaxed))
    installed_->other_preloaded_.store(true, std::memory_order_relaxed);
  // Only a call of the HIP library that registered the table goes through the table's wrappers.
  if (HipTables::IsWrapped(place & ~kOfAnotherHip) && !other && !installed_->two_hips_)
    return nullptr;
  return installed_->Begin(CallMethod::kPreload, __builtin_frame_address(0), called, arguments);
}

// True for the entries of a table to wrap. Other entries are not calls, or are of no interest, and
// stay unchanged.
bool HipCapture::IsCall(uint32_t place) {
  const HipCapture& self = *installed_;
  const CallLayout* const layout = self.preloaded_[place].layout;
  if (layout == nullptr) return false;
  return (self.recorded() && self.calls_.Records(layout)) ||
         (self.listener_ != nullptr && self.listener_->Asks(*layout));
}

// HOT: once per call of a function without a description.
void HipCapture::OnUndescribed() { installed_->calls_.CountUndescribed(); }

void HipCapture::OnPreloadExit(void* entered, const uint64_t* arguments, int32_t result,
                               bool result_known) {
  auto* const calls = static_cast<ThreadCalls*>(entered);
  if (!calls->open) return;  // counted as abandoned
  installed_->calls_.Exit(calls,
                          {installed_->preload_steps_, reinterpret_cast<const uint8_t*>(arguments)},
                          result, result_known);
}

// Asks HIP for the number of each call. `known` gets how many numbers have a name.
Status HipCapture::NumberCalls(uint32_t* known) {
  const auto name_of = reinterpret_cast<const char* (*)(uint32_t)>(library_.Symbol("hipApiName"));
  if (name_of == nullptr) return Status::Error("this HIP has no hipApiName");
  *known = 0;
  for (uint32_t id = 1; id < kMaxIds; ++id) {
    const char* const name = name_of(id);
    if (name == nullptr || strcmp(name, "unknown") == 0) continue;
    ++*known;
    Numbered& numbered = numbered_[id];
    numbered.layout = FindCall(*layout_, name);
    numbered.api = numbered.layout != nullptr ? numbered.layout->number : kFirstUnknownApi + id;
  }
  name_of_ = name_of;
  if (records_) WriteNames();
  return Status::Ok();
}

// Writes the names of calls without a description, as HIP names them.
void HipCapture::WriteNames() const {
  for (uint32_t id = 1; name_of_ != nullptr && id < kMaxIds; ++id) {
    const Numbered& numbered = numbered_[id];
    if (numbered.api < kFirstUnknownApi) continue;
    const char* const name = name_of_(id);
    ApiNameRecord record;
    record.head.type = RecordType::kApiName;
    record.head.thread = ThreadId::Current();
    record.api = numbered.api;
    record.text_bytes = static_cast<uint32_t>(strnlen(name, kMaxCallText));
    // If there is no room for the record, the call is shown by its number.
    (void)trace_.sink->Write(&record, sizeof record, name, record.text_bytes);
  }
}

// HOT.
ThreadCalls* HipCapture::Begin(CallMethod method, const void* frame, uint32_t id) {
  const Numbered& numbered = numbered_[id < kMaxIds ? id : 0];
  ThreadCalls* const calls = calls_.Enter(method, frame, numbered.api, numbered.layout);
  if (calls == nullptr) return nullptr;
  const bool clears = numbered.layout != nullptr && numbered.layout == clears_error_;
  if (!clears && !errors_stay_) return calls;
  calls->result = LastError();
  calls->result_known = clears;
  return calls;
}

// Reads the last error with a HIP call, which HIP reports to its tracer: `asking_` makes the tracer
// ignore it.
int32_t HipCapture::LastError() const {
  asking_ = true;
  const int32_t error = last_error_();
  asking_ = false;
  return error;
}

// "Not ready" is a normal result of these calls. HIP does not keep it as the last error.
bool HipCapture::IsQuery(const CallLayout* layout) const {
  return layout != nullptr && (layout == queries_[0] || layout == queries_[1]);
}

// HOT. In a HIP whose successful calls keep the last error, an error belongs to this call only if
// it is new.
void HipCapture::End(ThreadCalls* calls, const uint8_t* data) {
  const uint64_t end = calls_.EndTime(calls);
  const HipCalls::Arguments arguments = {layout_->steps, data};
  if (calls->result_known) return calls_.ExitAt(end, calls, arguments, calls->result, true);
  const int32_t error = LastError();
  const bool known =
      !errors_stay_ || (error == 0 ? !IsQuery(calls->layout) : error != calls->result);
  calls_.ExitAt(end, calls, arguments, error, known);
}

// HOT: HIP calls this at both ends of a call. At the beginning `argument` is null, and the result
// is the address to which HIP writes the call's arguments. If the result is null, HIP does not call
// at the end.
void* HipCapture::OnActivity(uint32_t id, void*, const void*, void* argument) {
  if (argument == nullptr) {
    ThreadCalls* const calls =
        installed_->Begin(CallMethod::kActivity, __builtin_frame_address(0), id);
    return calls == nullptr ? nullptr : calls->data;
  }
  ThreadCalls* const calls = OpenCall::Calls();
  if (calls != nullptr && calls->open) installed_->End(calls, calls->data);
  return nullptr;
}

Status HipCapture::OpenActivity() {
  using Register = int32_t (*)(uint32_t id, void* function, void* argument);
  const auto add = reinterpret_cast<Register>(library_.Symbol(kActivityFunction));
  if (add == nullptr) return Status::Error("this HIP has no %s", kActivityFunction);
  if (listener_ != nullptr)
    return Status::Error("%s reports the arguments of a call only at its end", kActivityFunction);
  RTL_TRY(Exactly());
  if (layout_->data_bytes > ThreadCalls::kDataBytes) {
    return Status::Error("this HIP's calls need %u bytes of room", layout_->data_bytes);
  }
  uint32_t known = 0;
  RTL_TRY(NumberCalls(&known));
  Arm();
  uint32_t added = 0;
  for (uint32_t id = 1; id < kMaxIds; ++id) {
    if (numbered_[id].api == 0) continue;
    if (add(id, reinterpret_cast<void*>(&OnActivity), this) == 0) ++added;
  }
  callbacks_open_ = added == known && added != 0;
  if (callbacks_open_) {
    callback_ = "activity";
    return Status::Ok();
  }
  if (!preload_open_ && !table_open_) calls_.Disarm();
  return Status::Error("%s took only %u of %u calls", kActivityFunction, added, known);
}

struct HipCapture::TracerTail {
  uint64_t enter_time;
  uint64_t data;
  void (*enter)(uint32_t id, void* data);
  void (*exit)(uint32_t id, void* data);
};

// HOT: HIP calls this at the beginning of a call, to find out whether to trace it. Zero means yes:
// HIP then writes the arguments, if a listener wants the beginning, and reports the end.
int HipCapture::OnTracer(uint32_t domain, uint32_t id, void* data) {
  constexpr uint32_t kHipApi = 3;
  if (domain != kHipApi || data == nullptr) return 1;
  if (asking_) return 1;
  ThreadCalls* const calls = installed_->Begin(CallMethod::kTracer, __builtin_frame_address(0), id);
  if (calls == nullptr) return 1;
  auto* const bytes = static_cast<uint8_t*>(data);
  memcpy(bytes, &calls->recorded, sizeof calls->recorded);
  const TracerTail tail = {0, 0, OnTracerEnter, OnTracerExit};
  memcpy(bytes + installed_->layout_->data_bytes, &tail, sizeof tail);
  return 0;
}

// HIP calls this when the arguments are valid.
void HipCapture::OnTracerEnter(uint32_t, void* data) {
  ThreadCalls* const calls = OpenCall::Calls();
  if (calls == nullptr || !calls->open) return;
  installed_->calls_.Tell(calls, {installed_->layout_->steps, static_cast<const uint8_t*>(data)});
}

void HipCapture::OnTracerExit(uint32_t, void* data) {
  ThreadCalls* const calls = OpenCall::Calls();
  if (calls != nullptr && calls->open) {
    installed_->End(calls, static_cast<const uint8_t*>(data));
  }
}

Status HipCapture::OpenTracer() {
  using Register = void (*)(int (*function)(uint32_t domain, uint32_t id, void* data));
  void* const add = library_.Symbol(kTracerFunction);
  if (add == nullptr) return Status::Error("this HIP has no %s", kTracerFunction);
  RTL_TRY(Exactly());
  uint32_t known = 0;
  RTL_TRY(NumberCalls(&known));
  callbacks_open_ = true;
  callback_ = "tracer";
  Arm();
  reinterpret_cast<Register>(add)(&OnTracer);
  return Status::Ok();
}

}  // namespace rtl::capture
