// SPDX-License-Identifier: MIT
// rccl_function.h: the interface between librtl_rccl.so, which wraps RCCL's functions, and the
// engine. Also the wrapper of an RCCL function.
//
//   librtl_rccl.so   at a process's first RCCL call: `rtl_rccl_hooks`(version); null: no listener
//                    before a call: enter(operation, &open); false: made by RCCL, or not recorded
//                                   begin(&open, operation, arguments), if a tool subscribes
//                    after it:      exit(&open, operation, values, result)
//
// Threads    enter, begin, exit: any thread of the application
// Memory     the interface lives as long as the process
// Why        docs/adr/0078-rccl.md
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <string_view>
#include <type_traits>
#include <utility>

#include "model/event_kinds.h"

namespace rtl::capture {

inline constexpr uint32_t kRcclCallHooksVersion = 2;

struct RcclCallHooks {
  static constexpr size_t kRoomBytes = 1536;  // memory for a tool's data of an open call
  struct Open {
    uint64_t start;
    bool paused, recorded, listened;
    alignas(8) uint8_t room[kRoomBytes];
  };
  bool (*enter)(RcclCallOperation operation, Open* open);
  // `arguments`: the addresses of the arguments.
  void (*begin)(Open* open, RcclCallOperation operation, const void* const* arguments);
  // `result`: a number or the address of a text.
  void (*exit)(Open* open, RcclCallOperation operation, const RcclCallValues& values,
               uint64_t result);
};

namespace rccl_function {

struct UniqueId {  // same layout as ncclUniqueId
  char bytes[128];
};

enum class Format : uint8_t { kUnsigned, kSigned, kPointer, kText, kOpaque };
struct Argument {  // one argument in the lists of rccl_functions.inc
  std::string_view type, name;
  Format format;
  uint32_t bytes;
  uint8_t stars;
  Format inner;
  uint8_t inner_bytes;
  uint8_t alignment = 8;
};

// The member of RcclCallValues that an argument sets.
enum class Field : uint8_t {
  kNone,
  kCount,
  kDatatype,
  kOp,
  kPeer,
  kCommunicator,
  kNewCommunicator,  // the address to which RCCL writes the new communicator
  kStream,
};

constexpr Field FieldOf(const Argument& argument) {
  const std::string_view type = argument.type;
  const std::string_view name = argument.name;
  if (type == "size_t" && name.ends_with("count")) return Field::kCount;
  if (type == "ncclDataType_t") return Field::kDatatype;
  if (type == "ncclRedOp_t") return Field::kOp;
  if (name == "peer" || name == "root") return Field::kPeer;
  if (type == "ncclComm_t" || type == "struct ncclComm*") return Field::kCommunicator;
  if (type == "ncclComm_t*" && name != "comms") return Field::kNewCommunicator;
  if (type == "hipStream_t") return Field::kStream;
  return Field::kNone;
}

template <typename T>
uint64_t ToWord(const T& value) {
  if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<uintptr_t>(value);
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<uint64_t>(value);
  } else {
    return 0;  // a structure that is passed by value
  }
}

inline void NoteArgument(Field field, uint64_t word, RcclCallValues* values) {
  switch (field) {
    case Field::kNone:
      return;
    case Field::kCount:
      values->count = word;
      return;
    case Field::kDatatype:
      values->datatype = word;
      return;
    case Field::kOp:
      values->op = word;
      return;
    case Field::kPeer:
      values->peer = word;
      return;
    case Field::kCommunicator:
      values->communicator = word;
      return;
    case Field::kNewCommunicator:  // RCCL has written the communicator, unless the call has failed
      if (word != 0 && values->result == 0 && values->communicator == 0)
        memcpy(&values->communicator, reinterpret_cast<const void*>(word), sizeof(uint64_t));
      return;
    case Field::kStream:
      values->stream = word;
  }
}

// For each operation: the type of the function, and the members that its arguments set.
template <uint32_t kOperation>
struct Function;
#define RCCL_LIST(...) \
  __VA_ARGS__ __VA_OPT__(, ) Argument {}  // so that no array is empty
#define RCCL_FUNCTION(operation, name, result, parameters, types, names, arguments) \
  template <>                                                                       \
  struct Function<operation> {                                                      \
    static constexpr Argument kArguments[] = {RCCL_LIST arguments};                 \
  };
#include "capture/rccl/rccl_functions.inc"
#undef RCCL_FUNCTION
#undef RCCL_LIST
// The functions of the table, and ncclBcast, which is in no table. A call of ncclBcast is reported
// as ncclBroadcast, because RCCL calls that function in it, with the buffer as both arguments.
inline constexpr uint32_t kBcastPlace = 0
#define RCCL_FUNCTION(...) +1
#include "capture/rccl/rccl_functions.inc"
    ;
#undef RCCL_FUNCTION
template <>
struct Function<kBcastPlace> {
  static constexpr Argument kArguments[] = {
      {"void*", "buff", Format::kPointer, 8, 1, Format::kOpaque, 0},
      {"size_t", "count", Format::kUnsigned, 8, 0, Format::kOpaque, 0},
      {"ncclDataType_t", "datatype", Format::kUnsigned, 4, 0, Format::kOpaque, 0},
      {"int", "root", Format::kSigned, 4, 0, Format::kOpaque, 0},
      {"ncclComm_t", "comm", Format::kPointer, 8, 0, Format::kOpaque, 0},
      {"hipStream_t", "stream", Format::kPointer, 8, 0, Format::kOpaque, 0}};
};

template <uint32_t kOperation, size_t kPlace>
inline constexpr Field kFieldOf = FieldOf(Function<kOperation>::kArguments[kPlace]);

// HOT: once per call. Calls `rccl` and reports the call to `hooks`. All other wrappers only call
// this function.
template <uint32_t kOperation, typename R, typename... P>
R CallThrough(R (*rccl)(P...), const RcclCallHooks* hooks, P... arguments) {
  constexpr auto kNamed = kOperation == kBcastPlace ? RcclCallOperation::ncclBroadcast
                                                    : static_cast<RcclCallOperation>(kOperation);
  RcclCallHooks::Open open;
  if (hooks == nullptr || !hooks->enter(kNamed, &open)) return rccl(arguments...);
  if (open.listened) {
    const void* places[sizeof...(P) + 1] = {};
    size_t count = 0;
    if constexpr (kOperation == kBcastPlace) ++count;
    ((places[count++] = &arguments), ...);
    if constexpr (kOperation == kBcastPlace) places[0] = places[1];
    hooks->begin(&open, kNamed, places);
  }
  const R result = rccl(arguments...);
  RcclCallValues values;
  if constexpr (std::is_same_v<R, int>) values.result = ToWord(result);
  [&]<size_t... kPlaces>(std::index_sequence<kPlaces...>) {
    (NoteArgument(kFieldOf<kOperation, kPlaces>, ToWord(arguments), &values), ...);
  }
  (std::index_sequence_for<P...>());
  hooks->exit(&open, kNamed, values, ToWord(result));
  return result;
}

}  // namespace rccl_function
}  // namespace rtl::capture
