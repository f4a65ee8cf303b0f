// SPDX-License-Identifier: MIT
// tool_hsa.h: a tool that gets HSA calls, on tables of a runtime that does nothing: from these the
// tests of calls and of memory start.
#pragma once

#include <gtest/gtest.h>
#include <stdint.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "capture/hooks/hsa_call_hooks.h"
#include "sdk/hsa/hsa_tracing.h"

namespace rtl::sdk::tool_hsa {

inline constexpr auto kCore = ROCPROFILER_CALLBACK_TRACING_HSA_CORE_API;
inline constexpr auto kAmd = ROCPROFILER_CALLBACK_TRACING_HSA_AMD_EXT_API;
inline constexpr auto kFinalizer = ROCPROFILER_CALLBACK_TRACING_HSA_FINALIZE_EXT_API;

// As a runtime lays them out:  version | slot 0 | slot 1 | ...
struct FakeHsaTable {
  uint32_t major, bytes, step, reserved;
  void* slots[128];
};

template <typename F>
void* Pointer(F* function) {
  return reinterpret_cast<void*>(function);
}

inline int32_t OperationOf(uint32_t kind, const std::string& name) {
  const LibraryFunctions all = HsaFunctionsOf(kind);
  for (int32_t i = 0; i < all.count; ++i) {
    if (all.first[i].name == name) return i;
  }
  return -1;
}

struct HeardOfHsa {
  std::vector<rocprofiler_callback_tracing_record_t> records;
  std::vector<std::string> arguments;
  bool data_kept = false;
  void (*inside)() = nullptr;
};

inline void OnHsaCall(rocprofiler_callback_tracing_record_t record,
                      rocprofiler_user_data_t* user_data, void* data) {
  auto* const heard = static_cast<HeardOfHsa*>(data);
  heard->records.push_back(record);
  if (record.phase == ROCPROFILER_CALLBACK_PHASE_ENTER) {
    user_data->value = record.correlation_id.internal + 7;
  } else {
    heard->data_kept = user_data->value == record.correlation_id.internal + 7;
    const auto note = [](rocprofiler_callback_tracing_kind_t, rocprofiler_tracing_operation_t,
                         uint32_t number, const void* const, int32_t stars, const char* type,
                         const char* name, const char* value, int32_t, void* list) {
      static_cast<HeardOfHsa*>(list)->arguments.push_back(std::to_string(number) + " " + type +
                                                          " " + name + " " + value + " " +
                                                          std::to_string(stars));
      return 0;
    };
    EXPECT_EQ(rocprofiler_iterate_callback_tracing_kind_operation_args(record, note, 1, heard),
              ROCPROFILER_STATUS_SUCCESS);
  }
  if (heard->inside != nullptr) heard->inside();
}

class ToolHsaTest : public testing::Test {
 protected:
  void SetUp() override {
    for (FakeHsaTable* const table : {&core_, &amd_, &image_, &finalizer_})
      *table = {2, sizeof(FakeHsaTable), 0, 0, {}};
    root_ = {{}, {&core_, &amd_, &finalizer_, &image_}};
  }

  // The next test has tables of its own.
  void TearDown() override { hooks_.Remove(); }

  Context& Ask(uint32_t kind, std::initializer_list<const char*> names) {
    Context& context = *contexts_.Create(0);
    CallbackService& service = context.callbacks[kind];
    service.callback = OnHsaCall;
    service.data = &heard_;
    for (const char* const name : names) service.operations.Add(OperationOf(kind, name));
    return context;
  }
  void Install() {
    calls_.Open();
    hooks_.Listen(&tracing_);
    hooks_.Install(&root_);
  }
  template <typename F>
  static void Put(FakeHsaTable& table, uint32_t kind, const char* name, F* function) {
    table.slots[OperationOf(kind, name)] = Pointer(function);
  }
  template <typename F>
  F* Slot(FakeHsaTable& table, uint32_t kind, const char* name) {
    return reinterpret_cast<F*>(table.slots[OperationOf(kind, name)]);
  }

  struct Root {
    uint32_t version[4];
    FakeHsaTable* tables[4];
  };
  FakeHsaTable core_, amd_, image_, finalizer_;
  Root root_;
  HeardOfHsa heard_;
  Contexts contexts_;
  ApiCalls calls_{&contexts_};
  HsaTracing tracing_{&calls_};
  // One for all tests, as in a process.
  static inline capture::HsaCallHooks hooks_;
};

}  // namespace rtl::sdk::tool_hsa
