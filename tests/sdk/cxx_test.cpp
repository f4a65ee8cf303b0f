// SPDX-License-Identifier: MIT
// The C++ headers beside the C ones, over the library.
#include <gtest/gtest.h>

#include <rocprofiler-sdk/cxx/codeobj/segment.hpp>
#include <rocprofiler-sdk/cxx/container/c_array.hpp>
#include <rocprofiler-sdk/cxx/details/join.hpp>
#include <rocprofiler-sdk/cxx/details/tokenize.hpp>
#include <rocprofiler-sdk/cxx/enum_string.hpp>
#include <rocprofiler-sdk/cxx/hash.hpp>
#include <rocprofiler-sdk/cxx/name_info.hpp>
#include <rocprofiler-sdk/cxx/operators.hpp>
#include <rocprofiler-sdk/cxx/utility.hpp>
#include <rocprofiler-sdk/cxx/version.hpp>
#if __has_include(<cereal/cereal.hpp>)
#include <rocprofiler-sdk/cxx/serialization.hpp>
#define RTL_CEREAL 1
#else
#define RTL_CEREAL 0
#endif

#include <map>
#include <sstream>
#include <unordered_set>

namespace sdk = rocprofiler::sdk;

namespace {

TEST(CxxNames, MatchTheLibraryForEveryKindAndOperation) {
  const auto callbacks = sdk::get_callback_tracing_names();
  ASSERT_EQ(callbacks.size(), size_t{ROCPROFILER_CALLBACK_TRACING_LAST});
  EXPECT_EQ(callbacks.at(ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API), "HIP_RUNTIME_API");
  EXPECT_EQ(callbacks.at(ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API,
                         ROCPROFILER_HIP_RUNTIME_API_ID_hipMalloc),
            "hipMalloc");
  EXPECT_EQ(callbacks[ROCPROFILER_CALLBACK_TRACING_RCCL_API].operations.size(),
            size_t{ROCPROFILER_RCCL_API_ID_LAST});
  EXPECT_THROW(callbacks.at(ROCPROFILER_CALLBACK_TRACING_LAST), std::out_of_range);
  const auto buffers = sdk::get_buffer_tracing_names<std::string>();
  ASSERT_EQ(buffers.size(), size_t{ROCPROFILER_BUFFER_TRACING_LAST});
  const auto copies = buffers[ROCPROFILER_BUFFER_TRACING_MEMORY_COPY].items();
  ASSERT_EQ(copies.size(), size_t{ROCPROFILER_MEMORY_COPY_LAST});
  EXPECT_EQ(copies[2].first, ROCPROFILER_MEMORY_COPY_HOST_TO_DEVICE);
  EXPECT_EQ(*copies[2].second, "MEMORY_COPY_HOST_TO_DEVICE");
  EXPECT_EQ(buffers.items()[ROCPROFILER_BUFFER_TRACING_OMPT]->name, "OMPT");
  EXPECT_TRUE(buffers[ROCPROFILER_BUFFER_TRACING_CORRELATION_ID_RETIREMENT].operations.empty());
}

TEST(CxxLabels, AreTheEnumeratorsThemselves) {
  EXPECT_EQ(sdk::get_enum_label(ROCPROFILER_STATUS_ERROR_BUFFER_BUSY),
            "ROCPROFILER_STATUS_ERROR_BUFFER_BUSY");
  EXPECT_EQ(sdk::get_enum_label(ROCPROFILER_CALLBACK_PHASE_LOAD),
            "ROCPROFILER_CALLBACK_PHASE_ENTER");
  EXPECT_EQ(sdk::get_enum_label(ROCPROFILER_RCCL_TABLE), "ROCPROFILER_RCCL_TABLE");
  EXPECT_EQ(sdk::get_enum_label(ROCPROFILER_HSA_CORE_API_ID_hsa_init),
            "ROCPROFILER_HSA_CORE_API_ID_hsa_init");
  static_assert(sdk::get_enum_label(ROCPROFILER_KFD_QUEUE_EVICT_TTM) ==
                "ROCPROFILER_KFD_QUEUE_EVICT_TTM");
  EXPECT_EQ(sdk::get_enum_label(ROCPROFILER_AGENT_TYPE_LAST),
            "unsupported_rocprofiler_agent_type_t");
}

TEST(CxxOperators, HandlesAreKeys) {
  const rocprofiler_agent_id_t one = {1}, two = {2};
  EXPECT_TRUE(one == one && one != two && one < two && one <= two && two > one && two >= one);
  const std::map<rocprofiler_context_id_t, int> sorted = {{{3}, 1}, {{2}, 2}};
  EXPECT_EQ(sorted.begin()->second, 2);
  const std::unordered_set<rocprofiler_queue_id_t> hashed = {{7}, {7}, {8}};
  EXPECT_EQ(hashed.size(), 2u);
  EXPECT_EQ(std::hash<hsa_signal_t>{}({9}), 9u);
  EXPECT_TRUE((rocprofiler_dim3_t{1, 1, 9} < rocprofiler_dim3_t{4, 4, 1})) << "fewer items";
  EXPECT_TRUE((rocprofiler_dim3_t{1, 4, 4} < rocprofiler_dim3_t{4, 4, 1})) << "as many";
  EXPECT_TRUE((rocprofiler_version_triplet_t{1, 2, 3} < rocprofiler_version_triplet_t{1, 3, 0}));
  char text[] = "DIMENSION";
  rocprofiler_counter_record_dimension_info_t a = {}, b = {};
  a.name = text;
  b.name = "DIMENSION";
  EXPECT_TRUE(a == b) << "texts are compared, not pointers";
}

TEST(CxxUtilities, FormatAndParseTexts) {
  EXPECT_EQ(sdk::utility::as_hex(255), "0xff");
  EXPECT_EQ(sdk::utility::as_hex(uint64_t{0xabc}, 6), "0x000abc");
  constexpr auto version = sdk::version::compute_version_triplet(70203);
  EXPECT_TRUE(version == (rocprofiler_version_triplet_t{7, 2, 3}));
  EXPECT_EQ(sdk::parse::tokenize("a, b;;c"), (std::vector<std::string>{"a", "b", "c"}));
  const std::vector<std::string_view> arrows = {"->", "=>"};
  EXPECT_EQ((sdk::parse::tokenize<std::vector<std::string>>("a->b=>->c", arrows)),
            (std::vector<std::string>{"a", "b", "", "c"}));
  EXPECT_EQ(sdk::parse::strip("  a b ", " "), "a b");
  EXPECT_EQ(sdk::parse::str_transform("x ${a} y ${b}", "${", "}",
                                      [](const std::string& part) { return part.substr(2); }),
            "x a} y b}");
  EXPECT_EQ(sdk::parse::from_string<int>("12"), 12);
  EXPECT_EQ(sdk::join::join(", ", 1, "two", std::string{}, true), "1, two, true");
  EXPECT_EQ(sdk::join::join('-', std::vector<int>{1, 2}, std::map<int, int>{{3, 4}}),
            "[1, 2]-[{3, 4}]");
  EXPECT_EQ(sdk::join::quoted("x"), "\"x\"");
  int numbers[] = {1, 2, 3};
  auto array = sdk::container::make_c_array(numbers, 3);
  array.pop_front();
  EXPECT_EQ(array.size(), 2u);
  EXPECT_EQ(array.at(1), 3);
  EXPECT_THROW(array.at(2), std::out_of_range);
}

TEST(CxxSegments, AnAddressBelongsToOneCodeObject) {
  sdk::codeobj::segment::CodeobjTableTranslator table;
  table.insert({0x1000, 0x100, 1});
  table.insert({0x2000, 0x100, 2});
  EXPECT_EQ(table.find_codeobj_in_range(0x10ff).id, 1u);
  EXPECT_EQ(table.find_codeobj_in_range(0x2000).id, 2u);
  EXPECT_THROW(table.find_codeobj_in_range(0x1100), std::exception);
  EXPECT_TRUE(table.remove(0x2080));
  EXPECT_THROW(table.find_codeobj_in_range(0x2000), std::exception);
}

#if RTL_CEREAL
template <typename T>
std::string AsJson(const T& value) {
  std::ostringstream text;
  {
    cereal::JSONOutputArchive archive(text, cereal::JSONOutputArchive::Options::NoIndent());
    archive(cereal::make_nvp("v", value));
  }
  std::string all = text.str();
  std::erase(all, '\n');
  std::erase(all, ' ');
  return all;
}

TEST(CxxSerialization, RecordsAreWrittenMemberByMember) {
  rocprofiler_buffer_tracing_kernel_dispatch_record_t kernel = {};
  kernel.size = sizeof kernel;
  kernel.kind = ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH;
  kernel.operation = ROCPROFILER_KERNEL_DISPATCH_COMPLETE;
  kernel.thread_id = 5;
  kernel.correlation_id = {6, {.value = 7}};
  kernel.dispatch_info.grid_size = {64, 1, 1};
  const std::string text = AsJson(kernel);
  EXPECT_NE(text.find("\"kind\":11,\"operation\":2,\"thread_id\":5,\"correlation_id\":{"
                      "\"internal\":6,\"external\":7}"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\"grid_size\":{\"x\":64,\"y\":1,\"z\":1}"), std::string::npos) << text;
  rocprofiler_callback_tracing_memory_allocation_data_t memory = {};
  memory.address.handle = 0xabc;
  EXPECT_NE(AsJson(memory).find("\"address\":\"0x0000000000000abc\""), std::string::npos);
  rocprofiler_callback_tracing_code_object_load_data_t load = {};
  load.uri = "file:///x";
  load.storage_type = ROCPROFILER_CODE_OBJECT_STORAGE_TYPE_MEMORY;
  load.memory_size = 9;
  const std::string loaded = AsJson(load);
  EXPECT_NE(loaded.find("\"memory_size\":9"), std::string::npos) << loaded;
  EXPECT_EQ(loaded.find("storage_file"), std::string::npos) << loaded;
  const std::string names = AsJson(sdk::get_buffer_tracing_names());
  EXPECT_NE(names.find("{\"kind\":\"KERNEL_DISPATCH\",\"operations\":[\"KERNEL_DISPATCH_NONE\""),
            std::string::npos);
}

TEST(CxxSerialization, AnAgentComesBackAsItWasWritten) {
  rocprofiler_agent_cache_t cache = {};
  cache.size = 64;
  cache.type.ui32.Data = 1;
  rocprofiler_agent_v0_t agent = {};
  agent.id = {4};
  agent.name = "gfx90a";
  agent.caches = &cache;
  agent.caches_count = 1;
  agent.capability.ui32.ASICRevision = 3;
  std::stringstream text;
  {
    cereal::JSONOutputArchive archive(text);
    archive(cereal::make_nvp("agent", agent));
  }
  rocprofiler_agent_v0_t read = {};
  {
    cereal::JSONInputArchive archive(text);
    archive(cereal::make_nvp("agent", read));
  }
  EXPECT_EQ(read.id.handle, 4u);
  EXPECT_STREQ(read.name, "gfx90a");
  EXPECT_STREQ(read.model_name, "") << "was null";
  ASSERT_EQ(read.caches_count, 1u);
  EXPECT_EQ(read.caches[0].size, 64u);
  EXPECT_EQ(read.caches[0].type.ui32.Data, 1u);
  EXPECT_EQ(read.capability.ui32.ASICRevision, 3u);
}

// Compiled for every type that the headers write.
template <typename... T>
size_t WriteAll() {
  return (AsJson(T{}).size() + ...);
}

TEST(CxxSerialization, EveryRecordOfABufferIsWritten) {
  EXPECT_GT(
      (WriteAll<rocprofiler_buffer_tracing_hsa_api_record_t,
                rocprofiler_buffer_tracing_hip_api_ext_record_t,
                rocprofiler_buffer_tracing_marker_api_record_t,
                rocprofiler_buffer_tracing_rccl_api_record_t,
                rocprofiler_buffer_tracing_rocdecode_api_ext_record_t,
                rocprofiler_buffer_tracing_rocjpeg_api_record_t,
                rocprofiler_buffer_tracing_ompt_record_t,
                rocprofiler_buffer_tracing_memory_copy_record_t,
                rocprofiler_buffer_tracing_memory_allocation_record_t,
                rocprofiler_buffer_tracing_scratch_memory_record_t,
                rocprofiler_buffer_tracing_correlation_id_retirement_record_t,
                rocprofiler_buffer_tracing_runtime_initialization_record_t,
                rocprofiler_buffer_tracing_kfd_event_page_migrate_record_t,
                rocprofiler_buffer_tracing_kfd_queue_record_t,
                rocprofiler_pc_sampling_record_host_trap_v0_t,
                rocprofiler_pc_sampling_record_stochastic_v0_t, rocprofiler_counter_record_t,
                rocprofiler_counter_info_v1_t, rocprofiler_dispatch_counting_service_record_t>()),
      1000u);
}
#endif

}  // namespace
