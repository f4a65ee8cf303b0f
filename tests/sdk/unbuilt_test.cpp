// SPDX-License-Identifier: MIT
// Functions of services that are not built: each returns its status, and null pointers do no harm.
#include <gtest/gtest.h>
#include <rocprofiler-sdk/experimental/counters.h>
#include <rocprofiler-sdk/experimental/thread_trace.h>
#include <rocprofiler-sdk/rocprofiler.h>

namespace {

#define EXPECT_STATUS(status, call) EXPECT_EQ(ROCPROFILER_STATUS_##status, call)

TEST(Counters, AnswerTheirStatuses) {
  rocprofiler_counter_config_id_t config = {};
  rocprofiler_counter_id_t counter = {1};
  size_t number = 0;
  const auto counters = [](rocprofiler_agent_id_t, rocprofiler_counter_id_t*, size_t, void*) {
    return ROCPROFILER_STATUS_SUCCESS;
  };
  const auto choose = [](rocprofiler_dispatch_counting_service_data_t,
                         rocprofiler_counter_config_id_t*, rocprofiler_user_data_t*, void*) {};
  EXPECT_STATUS(ERROR_AGENT_NOT_FOUND, rocprofiler_create_counter_config({}, &counter, 1, &config));
  EXPECT_STATUS(ERROR_INVALID_ARGUMENT, rocprofiler_create_counter_config({}, nullptr, 0, nullptr));
  EXPECT_STATUS(ERROR_INVALID_ARGUMENT, rocprofiler_create_counter_config({}, nullptr, 1, &config));
  EXPECT_STATUS(ERROR_PROFILE_COUNTER_NOT_FOUND, rocprofiler_destroy_counter_config({7}));
  EXPECT_STATUS(ERROR_COUNTER_NOT_FOUND, rocprofiler_query_record_counter_id(1, &counter));
  EXPECT_STATUS(SUCCESS, rocprofiler_query_record_counter_id(uint64_t{5} << 48 | 7, &counter));
  EXPECT_EQ(counter.handle, 5u);
  EXPECT_STATUS(ERROR_INVALID_ARGUMENT, rocprofiler_query_record_counter_id(1, nullptr));
  EXPECT_STATUS(SUCCESS, rocprofiler_query_record_dimension_position(3 << 12 | 1, 3, &number));
  EXPECT_EQ(number, 3u);
  EXPECT_STATUS(ERROR_DIM_NOT_FOUND, rocprofiler_query_record_dimension_position(1, 0, &number));
  EXPECT_STATUS(ERROR_DIM_NOT_FOUND, rocprofiler_query_record_dimension_position(1, 8, &number));
  EXPECT_STATUS(ERROR_INVALID_ARGUMENT, rocprofiler_query_record_dimension_position(1, 1, nullptr));
  rocprofiler_counter_info_v0_t info = {};
  EXPECT_STATUS(SUCCESS,
                rocprofiler_query_counter_info({5}, ROCPROFILER_COUNTER_INFO_VERSION_0, &info));
  EXPECT_NE(info.name, nullptr);
  EXPECT_NE(info.description, nullptr);
  EXPECT_STATUS(ERROR_COUNTER_NOT_FOUND,
                rocprofiler_query_counter_info({65535}, ROCPROFILER_COUNTER_INFO_VERSION_0, &info));
  EXPECT_STATUS(ERROR_INVALID_ARGUMENT,
                rocprofiler_query_counter_info({5}, ROCPROFILER_COUNTER_INFO_VERSION_0, nullptr));
  EXPECT_STATUS(ERROR_AGENT_NOT_FOUND,
                rocprofiler_iterate_agent_supported_counters({1}, counters, nullptr));
  EXPECT_STATUS(ERROR_INVALID_ARGUMENT,
                rocprofiler_iterate_agent_supported_counters({1}, nullptr, nullptr));
  EXPECT_STATUS(ERROR_CONFIGURATION_LOCKED,
                rocprofiler_configure_buffer_dispatch_counting_service({}, {}, choose, nullptr));
  EXPECT_STATUS(ERROR_INVALID_ARGUMENT, rocprofiler_configure_callback_dispatch_counting_service(
                                            {}, choose, nullptr, nullptr, nullptr));
}

TEST(Counters, DefinitionsAnswerTheirStatuses) {
  rocprofiler_counter_id_t counter = {};
  size_t number = 0;
  rocprofiler_counter_info_v1_t info = {};
  const auto dimensions = [](rocprofiler_counter_id_t,
                             const rocprofiler_counter_record_dimension_info_t*, size_t,
                             void*) { return ROCPROFILER_STATUS_SUCCESS; };
  // No GPU here has this counter, so its dimensions are unknown.
  EXPECT_STATUS(ERROR_DIM_NOT_FOUND,
                rocprofiler_query_counter_info({1}, ROCPROFILER_COUNTER_INFO_VERSION_1, &info));
  EXPECT_STATUS(ERROR_INCOMPATIBLE_ABI,
                rocprofiler_query_counter_info({1}, ROCPROFILER_COUNTER_INFO_VERSION_LAST, &info));
  EXPECT_STATUS(ERROR_AGENT_NOT_FOUND,
                rocprofiler_create_counter("a", 1, "b", 1, nullptr, 0, {}, &counter));
  EXPECT_STATUS(ERROR_INVALID_ARGUMENT,
                rocprofiler_create_counter(nullptr, 0, "b", 1, nullptr, 0, {}, &counter));
  EXPECT_STATUS(ERROR_INVALID_ARGUMENT,
                rocprofiler_create_counter("a", 1, nullptr, 0, nullptr, 0, {}, &counter));
  EXPECT_STATUS(ERROR_DIM_NOT_FOUND,
                rocprofiler_iterate_counter_dimensions({1}, dimensions, nullptr));
  EXPECT_STATUS(ERROR_COUNTER_NOT_FOUND,
                rocprofiler_iterate_counter_dimensions({0}, dimensions, nullptr));
  EXPECT_STATUS(ERROR_INVALID_ARGUMENT,
                rocprofiler_iterate_counter_dimensions({1}, nullptr, nullptr));
  EXPECT_STATUS(ERROR_AGENT_NOT_FOUND, rocprofiler_query_counter_instance_count({1}, {1}, &number));
  EXPECT_STATUS(ERROR_INVALID_ARGUMENT,
                rocprofiler_query_counter_instance_count({1}, {1}, nullptr));
  // Counters have been requested, so the call comes too late.
  EXPECT_STATUS(ERROR, rocprofiler_load_counter_definition("a", 1, ROCPROFILER_COUNTER_FLAG_NONE));
  EXPECT_STATUS(ERROR_INVALID_ARGUMENT,
                rocprofiler_load_counter_definition("a", 1, ROCPROFILER_COUNTER_FLAG_ASYNC));
  EXPECT_STATUS(ERROR_INVALID_ARGUMENT,
                rocprofiler_load_counter_definition(nullptr, 1, ROCPROFILER_COUNTER_FLAG_NONE));
}

TEST(Counters, OfAgentsAnswerTheirStatuses) {
  const auto choose = [](rocprofiler_context_id_t, rocprofiler_agent_id_t,
                         rocprofiler_device_counting_agent_cb_t, void*) {};
  EXPECT_STATUS(ERROR_CONFIGURATION_LOCKED,
                rocprofiler_configure_device_counting_service({}, {}, {}, choose, nullptr));
  EXPECT_STATUS(ERROR_CONTEXT_NOT_FOUND,
                rocprofiler_sample_device_counting_service({}, {}, ROCPROFILER_COUNTER_FLAG_NONE,
                                                           nullptr, nullptr));
}

TEST(Unbuilt, PcSamplingReturnsNotImplementedAndHasItsNames) {
  EXPECT_STATUS(ERROR_NOT_IMPLEMENTED, rocprofiler_configure_pc_sampling_service(
                                           {}, {}, ROCPROFILER_PC_SAMPLING_METHOD_HOST_TRAP,
                                           ROCPROFILER_PC_SAMPLING_UNIT_TIME, 1, {}, 0));
  EXPECT_STATUS(ERROR_NOT_IMPLEMENTED,
                rocprofiler_query_pc_sampling_agent_configurations({}, nullptr, nullptr));
  EXPECT_STREQ(rocprofiler_get_pc_sampling_instruction_type_name(
                   ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_DUAL_VALU),
               "ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_DUAL_VALU");
  EXPECT_EQ(rocprofiler_get_pc_sampling_instruction_type_name(
                ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_LAST),
            nullptr);
  EXPECT_STREQ(rocprofiler_get_pc_sampling_instruction_not_issued_reason_name(
                   ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_SLEEP_WAIT),
               "ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_SLEEP_WAIT");
  EXPECT_EQ(rocprofiler_get_pc_sampling_instruction_not_issued_reason_name(
                static_cast<rocprofiler_pc_sampling_instruction_not_issued_reason_t>(-1)),
            nullptr);
}

TEST(Unbuilt, ThreadTraceReturnsNotImplementedAndHasNoDecoder) {
  EXPECT_STATUS(ERROR_NOT_IMPLEMENTED,
                rocprofiler_configure_device_thread_trace_service({}, {}, nullptr, 0, nullptr, {}));
  EXPECT_STATUS(ERROR_NOT_IMPLEMENTED, rocprofiler_configure_dispatch_thread_trace_service(
                                           {}, {}, nullptr, 0, nullptr, nullptr, nullptr));
  rocprofiler_thread_trace_decoder_id_t decoder = {};
  EXPECT_STATUS(ERROR_NOT_AVAILABLE, rocprofiler_thread_trace_decoder_create(&decoder, "/"));
  EXPECT_STATUS(ERROR_INVALID_ARGUMENT, rocprofiler_thread_trace_decoder_create(nullptr, "/"));
  rocprofiler_thread_trace_decoder_destroy(decoder);
  EXPECT_STATUS(ERROR_INVALID_ARGUMENT,
                rocprofiler_thread_trace_decoder_codeobj_load(decoder, 1, 0, 0, nullptr, 0));
  EXPECT_STATUS(ERROR_INVALID_ARGUMENT,
                rocprofiler_thread_trace_decoder_codeobj_unload(decoder, 1));
  EXPECT_STATUS(ERROR_INVALID_ARGUMENT,
                rocprofiler_trace_decode(decoder, nullptr, nullptr, 0, nullptr));
  EXPECT_EQ(rocprofiler_thread_trace_decoder_info_string(
                decoder, ROCPROFILER_THREAD_TRACE_DECODER_INFO_DATA_LOST),
            nullptr);
}

TEST(Unbuilt, OpenMpEventsNeverCome) {
  int status = 7;
  EXPECT_STATUS(SUCCESS, rocprofiler_ompt_is_initialized(&status));
  EXPECT_EQ(status, 0);
  status = 7;
  EXPECT_STATUS(SUCCESS, rocprofiler_ompt_is_finalized(&status));
  EXPECT_EQ(status, 0);
  EXPECT_STATUS(ERROR_INVALID_ARGUMENT, rocprofiler_ompt_is_initialized(nullptr));
  EXPECT_EQ(rocprofiler_ompt_start_tool(0, nullptr), nullptr);
}

TEST(Queries, TablesAndRequestsHaveTheirNames) {
  const char* name = nullptr;
  uint64_t length = 0;
  EXPECT_STATUS(SUCCESS,
                rocprofiler_query_intercept_table_name(ROCPROFILER_HSA_TABLE, &name, &length));
  EXPECT_STREQ(name, "HSA");
  EXPECT_EQ(length, 3u);
  EXPECT_STATUS(SUCCESS, rocprofiler_query_intercept_table_name(ROCPROFILER_MARKER_NAME_TABLE,
                                                                &name, nullptr));
  EXPECT_STREQ(name, "MARKER (ROCTx Name)");
  EXPECT_STATUS(ERROR_KIND_NOT_FOUND,
                rocprofiler_query_intercept_table_name(
                    static_cast<rocprofiler_intercept_table_t>(3), &name, &length));
  EXPECT_EQ(name, nullptr);
  EXPECT_STATUS(SUCCESS,
                rocprofiler_query_external_correlation_id_request_kind_name(
                    ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_KERNEL_DISPATCH, &name, &length));
  EXPECT_STREQ(name, "KERNEL_DISPATCH");
  EXPECT_STATUS(ERROR_KIND_NOT_FOUND,
                rocprofiler_query_external_correlation_id_request_kind_name(
                    ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_LAST, &name, &length));
}

}  // namespace
