// SPDX-License-Identifier: MIT
#include "sdk/ompt/ompt_tracing.h"

#include <gtest/gtest.h>
#include <string.h>

#include <map>
#include <string>
#include <vector>

#include "capture/hip/open_call.h"

namespace rtl::sdk {
namespace {

struct HeardOfOmpt {
  std::vector<rocprofiler_callback_tracing_record_t> records;
  std::vector<std::string> arguments;
};

std::map<int, ompt_callback_t> given_callbacks;

ompt_set_result_t SetOmptCallback(ompt_callbacks_t which, ompt_callback_t callback) {
  given_callbacks[which] = callback;
  return ompt_set_always;
}

ompt_interface_fn_t LookUpOmpt(const char* name) {
  return strcmp(name, "ompt_set_callback") == 0
             ? reinterpret_cast<ompt_interface_fn_t>(&SetOmptCallback)
             : nullptr;
}

int NoteOmpt(rocprofiler_callback_tracing_kind_t, rocprofiler_tracing_operation_t, uint32_t,
             const void* const, int32_t, const char*, const char* name, const char* value, int32_t,
             void* list) {
  static_cast<std::vector<std::string>*>(list)->push_back(std::string(name) + "=" + value);
  return 0;
}

void OnOmptTold(rocprofiler_callback_tracing_record_t record, rocprofiler_user_data_t*,
                void* data) {
  auto* const heard = static_cast<HeardOfOmpt*>(data);
  heard->records.push_back(record);
  EXPECT_EQ(rocprofiler_iterate_callback_tracing_kind_operation_args(record, NoteOmpt, 1,
                                                                     &heard->arguments),
            ROCPROFILER_STATUS_SUCCESS);
}

class OmptTracingTest : public testing::Test {
 protected:
  void Ask(std::initializer_list<int> operations) {
    Context* const context = contexts_.Create(0);
    CallbackService& service = context->callbacks[ROCPROFILER_CALLBACK_TRACING_OMPT];
    service.callback = OnOmptTold;
    service.data = &heard_;
    for (const int operation : operations) service.operations.Add(operation);
    (void)context->Start();
    calls_.Open();
    tracing_.Open();
  }

  template <typename Function>
  Function Given(ompt_callbacks_t which) {
    return reinterpret_cast<Function>(given_callbacks[which]);
  }

  void StartRuntime() {
    given_callbacks.clear();
    ompt_start_tool_result_t* const tool = tracing_.Start();
    ASSERT_NE(tool, nullptr);
    EXPECT_EQ(tool->initialize(LookUpOmpt, 0, nullptr), 1);
    EXPECT_EQ(tracing_.init_status(), 1);
  }

  HeardOfOmpt heard_;
  Contexts contexts_;
  ApiCalls calls_{&contexts_};
  OmptTracing tracing_{&calls_};
};

TEST_F(OmptTracingTest, GivesARuntimeNoToolWithoutASubscription) {
  calls_.Open();
  tracing_.Open();
  EXPECT_EQ(tracing_.Start(), nullptr);
}

TEST_F(OmptTracingTest, SetsATargetRegionAsAncestorOfItsCalls) {
  Ask({ROCPROFILER_OMPT_ID_target_emi, ROCPROFILER_OMPT_ID_target_submit_emi});
  StartRuntime();
  EXPECT_EQ(given_callbacks.size(), 2u) << "only subscribed operations";
  EXPECT_EQ(tracing_.Start(), nullptr) << "one runtime";
  const auto target = Given<ompt_callback_target_emi_t>(ompt_callback_target_emi);
  const auto submit = Given<ompt_callback_target_submit_emi_t>(ompt_callback_target_submit_emi);
  ompt_data_t data = {7};
  target(ompt_target, ompt_scope_begin, 1, &data, &data, &data, &data);
  const uint64_t outside = capture::OpenCall::Correlation();
  ompt_id_t host_op = 9;
  submit(ompt_scope_begin, &data, &host_op, 4);
  const uint64_t inside = capture::OpenCall::Correlation();
  submit(ompt_scope_end, &data, &host_op, 4);
  EXPECT_EQ(capture::OpenCall::Correlation(), outside) << "a kernel would belong to the region";
  target(ompt_target, ompt_scope_end, 1, &data, &data, &data, &data);
  EXPECT_EQ(capture::OpenCall::Correlation(), 0u);
  ASSERT_EQ(heard_.records.size(), 4u);
  EXPECT_EQ(heard_.records[0].phase, ROCPROFILER_CALLBACK_PHASE_ENTER);
  EXPECT_EQ(heard_.records[0].correlation_id.internal, outside);
  EXPECT_EQ(heard_.records[1].correlation_id.internal, inside);
  EXPECT_EQ(heard_.records[1].correlation_id.ancestor, outside);
  EXPECT_EQ(heard_.records[3].phase, ROCPROFILER_CALLBACK_PHASE_EXIT);
  EXPECT_EQ(heard_.records[3].correlation_id.internal, outside);
  EXPECT_EQ(heard_.arguments[2], "device_num=1");
}

TEST_F(OmptTracingTest, AScopeThatNeverEndsDoesNotConsumeAnotherScopesEnd) {
  Ask({ROCPROFILER_OMPT_ID_work, ROCPROFILER_OMPT_ID_sync_region});
  StartRuntime();
  const auto work = Given<ompt_callback_work_t>(ompt_callback_work);
  const auto region = Given<ompt_callback_sync_region_t>(ompt_callback_sync_region);
  region(ompt_sync_region_barrier_explicit, ompt_scope_begin, nullptr, nullptr, nullptr);
  work(ompt_work_single_other, ompt_scope_begin, nullptr, nullptr, 1, nullptr);
  region(ompt_sync_region_barrier_explicit, ompt_scope_end, nullptr, nullptr, nullptr);
  ASSERT_EQ(heard_.records.size(), 3u);
  EXPECT_EQ(heard_.records[2].operation, ROCPROFILER_OMPT_ID_sync_region);
  EXPECT_EQ(heard_.records[2].correlation_id.internal, heard_.records[0].correlation_id.internal);
  EXPECT_EQ(capture::OpenCall::Correlation(), 0u);
}

}  // namespace
}  // namespace rtl::sdk
