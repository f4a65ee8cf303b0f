// SPDX-License-Identifier: MIT
#include "export/tool/json.h"

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "export/tool/json_things.h"
#include "export/tool/tool_test_support.h"

namespace rtl::exporting::tool {
namespace {

using query::ExpectOk;
using rapidjson::Value;

class Json : public testing::Test {
 protected:
  void Write(const ToolOptions& options, const JsonOptions& json = {}) {
    WriteSmallTrace(dir_.File("trace.db"));
    OpenTool trace(dir_.File("trace.db"), 0, options);
    OutputSet outputs(dir_.File("p"));
    ExpectOk(WriteJson(*trace, json, &outputs));
    ExpectOk(outputs.Commit());
    document_.Parse(ReadText(dir_.File("p_results.json")).c_str());
    ASSERT_FALSE(document_.HasParseError());
  }
  const Value& Tool() { return document_["rocprofiler-sdk-tool"][0]; }
  const Value& Records(const char* list) { return Tool()["buffer_records"][list]; }
  // Looks names up by number, as scripts do.
  std::string KindOf(const Value& record) { return Kind(record)["kind"].GetString(); }
  std::string OperationOf(const Value& record) {
    return Kind(record)["operations"][record["operation"].GetUint()].GetString();
  }
  std::string MessageOf(const Value& record) {
    for (const Value& entry : Tool()["strings"]["marker_api"].GetArray()) {
      if (entry["key"] == record["correlation_id"]["internal"]) return entry["value"].GetString();
    }
    return "";
  }

  test::TempDir dir_;
  rapidjson::Document document_;

 private:
  const Value& Kind(const Value& record) {
    return Tool()["strings"]["buffer_records"][record["kind"].GetUint()];
  }
};

TEST_F(Json, KernelsNameTheirSymbolsAndAgentsByNumber) {
  Write({});
  const Value& kernels = Records("kernel_dispatch");
  ASSERT_EQ(kernels.Size(), 3u);
  const Value& first = kernels[0];
  EXPECT_EQ(KindOf(first), "KERNEL_DISPATCH");
  EXPECT_EQ(OperationOf(first), "KERNEL_DISPATCH_COMPLETE");
  EXPECT_EQ(first["correlation_id"]["internal"].GetUint(), 2u);
  EXPECT_EQ(first["start_timestamp"].GetUint(), 1000u);
  EXPECT_EQ(first["end_timestamp"].GetUint(), 2000u);
  EXPECT_EQ(first["thread_id"].GetUint(), 101u);
  EXPECT_EQ(first["stream_id"]["handle"].GetUint(), 0u);
  const Value& dispatch = first["dispatch_info"];
  EXPECT_EQ(dispatch["group_segment_size"].GetUint(), 700u);
  EXPECT_EQ(dispatch["grid_size"]["x"].GetUint(), 256u);
  EXPECT_EQ(dispatch["workgroup_size"]["x"].GetUint(), 64u);
  const Value& symbol = Tool()["kernel_symbols"][dispatch["kernel_id"].GetUint()];
  EXPECT_EQ(symbol["kernel_id"], dispatch["kernel_id"]);
  EXPECT_STREQ(symbol["formatted_kernel_name"].GetString(), "void gemm<float>(float*, int)");
  EXPECT_STREQ(symbol["kernel_name"].GetString(), "_Z4gemmIfEvPT_i.kd");
  EXPECT_STREQ(symbol["truncated_kernel_name"].GetString(), "gemm");
  const Value& object = Tool()["code_objects"][symbol["code_object_id"].GetUint()];
  EXPECT_EQ(object["code_object_id"], symbol["code_object_id"]);
  EXPECT_EQ(Tool()["agents"][0]["id"], dispatch["agent_id"]);
  EXPECT_EQ(Tool()["agents"][0]["type"].GetInt(), 2);
}

TEST_F(Json, CallsMarkersAndCopiesNameTheirOperationsByNumber) {
  Write({});
  const Value& calls = Records("hip_api");
  ASSERT_EQ(calls.Size(), 2u);
  EXPECT_EQ(KindOf(calls[0]), "HIP_RUNTIME_API_EXT");
  EXPECT_EQ(OperationOf(calls[0]), "hipSetDevice");
  EXPECT_EQ(calls[0]["correlation_id"]["internal"].GetUint(), 1u);
  EXPECT_STREQ(calls[0]["args"][0]["value"].GetString(), "0");
  const Value& markers = Records("marker_api");
  ASSERT_EQ(markers.Size(), 2u);
  EXPECT_EQ(OperationOf(markers[0]), "roctxThreadRangeA");
  EXPECT_EQ(MessageOf(markers[0]), "step \"one\"");
  EXPECT_EQ(OperationOf(markers[1]), "roctxMarkA");
  EXPECT_EQ(MessageOf(markers[1]), "mark");
  const Value& copy = Records("memory_copy")[0];
  EXPECT_EQ(OperationOf(copy), "MEMORY_COPY_HOST_TO_DEVICE");
  EXPECT_EQ(copy["bytes"].GetUint(), 4096u);
  EXPECT_EQ(copy["dst_address"]["handle"].GetUint(), 0x2000u);
  for (const char* list : {"hsa_api", "rccl_api", "memory_allocation", "scratch_memory"}) {
    EXPECT_EQ(Records(list).Size(), 0u) << list;
  }
}

TEST_F(Json, RenamedKernelsReferToTheirNameByNumber) {
  ToolOptions options;
  options.kernel_rename = true;
  Write(options);
  const Value& kernels = Records("kernel_dispatch");
  const Value& names = Tool()["strings"]["correlation_id"]["external"];
  ASSERT_EQ(names.Size(), 1u);
  EXPECT_EQ(names[0]["key"], kernels[0]["correlation_id"]["external"]);
  EXPECT_STREQ(names[0]["value"].GetString(), "step \"one\"");
  EXPECT_EQ(kernels[1]["correlation_id"]["external"].GetUint(), 0u);
}

TEST_F(Json, HasTheOptionsAndTheStatistics) {
  Statistics statistics;
  statistics.Add(Domain::kKernel, "gemm", 7);
  Write({}, {"{\"kernel_trace\":true}", &statistics});
  EXPECT_TRUE(Tool()["metadata"]["config"]["kernel_trace"].GetBool());
  EXPECT_EQ(Tool()["metadata"]["pid"].GetUint(), 1000u);
  EXPECT_EQ(Tool()["host_functions"].Size(), 1u);  // no call launched by a function
  EXPECT_STREQ(Tool()["metadata"]["coverage"][0]["kind"].GetString(), "copies");
  ASSERT_EQ(Tool()["summary"].Size(), 1u);
  EXPECT_STREQ(Tool()["summary"][0]["domain"].GetString(), "KERNEL_DISPATCH");
  EXPECT_EQ(Tool()["summary"][0]["stats"]["sum"].GetUint(), 7u);
}

TEST(Arguments, AreSplitWhereANameFollows) {
  const auto text = [](std::string_view arguments) {
    std::string joined;
    for (const Argument& argument : SplitArguments(arguments)) {
      joined += "[" + std::string(argument.name) + "|" + std::string(argument.value) + "]";
    }
    return joined;
  };
  EXPECT_EQ(text(""), "");
  EXPECT_EQ(text("stream=0x1 -> 0x2, flags=1"), "[stream|0x1 -> 0x2][flags|1]");
  EXPECT_EQ(text("dim={1, 2, 3}, n=4"), "[dim|{1, 2, 3}][n|4]");
  EXPECT_EQ(text("no arguments"), "");
  EXPECT_EQ(text("name=a, b, c"), "[name|a, b, c]");
}

}  // namespace
}  // namespace rtl::exporting::tool
