// SPDX-License-Identifier: MIT
#include "sdk/hip/hip_tracing.h"

#include <string.h>

#include <new>

#include "model/api_calls.h"
#include "model/records.h"

namespace rtl::sdk {
namespace {

using capture::CallArguments;
using capture::CallLayout;
using capture::Copy;
using capture::CopyStep;
using capture::ThreadCalls;

// The data of an open call, stored in ThreadCalls::room.
struct Room {
  ApiCalls::Call call;
  HipStreams::Event stream;
  rocprofiler_callback_tracing_hip_api_data_t payload;
};
static_assert(sizeof(Room) <= ThreadCalls::kRoomBytes && alignof(Room) <= 8);
static_assert(sizeof(Room::payload) % 8 == 0);

Room* RoomOf(ThreadCalls* calls) { return reinterpret_cast<Room*>(calls->room); }

// The value of the argument that is a stream, or the address to which a stream is written.
uint64_t ValueOf(const Room& room, StreamArgument stream) {
  uint64_t value;
  memcpy(&value, reinterpret_cast<const char*>(&room.payload.args) + stream.offset, sizeof value);
  return value;
}

// How many bytes this version of HIP stores for an argument.
uint32_t BytesOf(const CopyStep& step) {
  switch (step.copy) {
    case Copy::k8:
    case Copy::k8Signed:
      return 1;
    case Copy::k16:
    case Copy::k16Signed:
      return 2;
    case Copy::k32:
    case Copy::k32Signed:
      return 4;
    case Copy::kDim3:
      return sizeof(rocprofiler_dim3_t);
    case Copy::kSkip:
      return 8u * step.words;
    default:
      return 8;
  }
}

// The compiler's memset and memcpy for such sizes (rep stos, rep movs) took half of the time of
// Begin.
[[gnu::always_inline]] inline void Clear(void* memory, size_t bytes) {
  constexpr uint64_t kZero = 0;
  for (size_t at = 0; at < bytes; at += sizeof kZero) {
    memcpy(static_cast<char*>(memory) + at, &kZero, sizeof kZero);
    asm volatile("" ::: "memory");  // otherwise the compiler turns the loop into memset
  }
}

[[gnu::always_inline]] inline void CopyValue(char* to, const uint8_t* from, uint32_t bytes) {
  switch (bytes) {
    case 8:
      memcpy(to, from, 8);
      break;
    case 4:
      memcpy(to, from, 4);
      break;
    default:
      for (uint32_t i = 0; i < bytes; ++i) {
        to[i] = static_cast<char>(from[i]);
        asm volatile("" ::: "memory");
      }
  }
}

// Copies arguments from HIP's layout to the layout that tools read. An argument that is narrower in
// an older HIP is widened with zeros.
void Place(const CallArguments& from, const CallLayout& layout, const LibraryFunction& function,
           void* to) {
  const uint32_t count =
      layout.steps < function.arguments.count ? layout.steps : function.arguments.count;
  uint32_t offset = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const CopyStep& step = from.steps[layout.first_step + i];
    const ApiArgument& argument = function.arguments.first[i];
    const uint32_t there = BytesOf(step);
    offset = AlignArgument(argument, offset);
    CopyValue(static_cast<char*>(to) + offset, from.data + step.offset,
              argument.bytes < there ? argument.bytes : there);
    offset += argument.bytes;
  }
}

}  // namespace

void HipTracing::Open() {
  streams_.Open();
  if (!streams_.asked() && Asking() == 0) return;
  for (uint32_t number = 0; number < kMostCalls; ++number) {
    const ApiCall* const call = FindApiCall(number);
    if (call != nullptr) functions_[number] = FindHipFunction(call->name);
    if (functions_[number] != nullptr && streams_.asked())
      stream_arguments_[number] = StreamArgumentOf(*functions_[number]);
  }
  asked_.store(true, std::memory_order_release);  // publishes `functions_`
}

// HIP_STREAM needs calls even while no context is started, to keep the numbers of streams.
bool HipTracing::WantsAny() const {
  if (streams_.asked()) return true;
  return (Asking() & contexts_->Started()) != 0;
}

uint64_t HipTracing::Asking() const {
  return contexts_->With(ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API,
                         ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API) |
         contexts_->With(ROCPROFILER_CALLBACK_TRACING_HIP_COMPILER_API,
                         ROCPROFILER_BUFFER_TRACING_HIP_COMPILER_API) |
         contexts_->WithBuffer(ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API_EXT) |
         contexts_->WithBuffer(ROCPROFILER_BUFFER_TRACING_HIP_COMPILER_API_EXT);
}

const LibraryFunction* HipTracing::FunctionOf(const CallLayout& layout) const {
  return layout.number < kMostCalls ? functions_[layout.number] : nullptr;
}

StreamArgument HipTracing::StreamOf(const CallLayout& layout) const {
  return layout.number < kMostCalls ? stream_arguments_[layout.number] : StreamArgument();
}

bool HipTracing::Asks(const CallLayout& layout) {
  const LibraryFunction* const function = FunctionOf(layout);
  return function != nullptr &&
         (calls_->Asked(function->api) || StreamOf(layout).use != StreamUse::kNone);
}

// HOT: once per call.
bool HipTracing::Wants(const CallLayout& layout) {
  const LibraryFunction* const function = FunctionOf(layout);
  if (function == nullptr) return false;
  if (calls_->Listening(function->api)) return true;
  return calls_->open() && streams_.Wants(StreamOf(layout).use);
}

// HOT: once per call with a subscriber.
void HipTracing::Begin(ThreadCalls* calls, const CallArguments& arguments) {
  // not null, because Wants has found it
  const LibraryFunction& function = *FunctionOf(*calls->layout);
  auto* const room = new (calls->room) Room;
  const StreamArgument stream = StreamOf(*calls->layout);
  room->stream.use = StreamUse::kNone;
  if (calls_->WantsPayload(function.api) || stream.use != StreamUse::kNone) {
    Clear(&room->payload, sizeof room->payload);
    room->payload.size = sizeof room->payload;
    Place(arguments, *calls->layout, function, &room->payload.args);
  }
  if (stream.use != StreamUse::kNone) [[unlikely]]
    streams_.Begin(&room->stream, stream.use, ValueOf(*room, stream));
  // HSA calls inside this call have correlation ids of their own, which kernels get.
  if (stream.use != StreamUse::kNone && !calls_->Listening(function.api) && calls_->AsksHsa()) {
    room->call.function = nullptr;
    return;
  }
  const uint64_t id =
      calls->recorded & ~kCompilerCorrelation;  // the trace's id, if the trace records the call
  calls_->Begin(&room->call, function.api, &room->payload, {id, id != 0});
}

void HipTracing::End(ThreadCalls* calls, int32_t result, bool result_known, uint64_t end) {
  Room* const room = RoomOf(calls);
  room->payload.retval.int_retval = result;
  if (room->call.function != nullptr) {
    const bool timed = calls->recorded != 0;
    calls_->End(&room->call, timed ? CallTimes{calls->start, end} : CallTimes{});
  }
  if (room->stream.use != StreamUse::kNone) [[unlikely]]
    streams_.End(&room->stream, ValueOf(*room, StreamOf(*calls->layout)),
                 !result_known || result == 0);
}

}  // namespace rtl::sdk
