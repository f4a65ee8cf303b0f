// SPDX-License-Identifier: MIT
#include "export/tool/csv.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "export/tool/tool_test_support.h"

namespace rtl::exporting::tool {
namespace {

using query::ExpectOk;

class Csv : public testing::Test {
 protected:
  Csv() { WriteSmallTrace(dir_.File("trace.db")); }

  void Write(const ToolOptions& options, size_t process = 0) {
    OpenTool trace(dir_.File("trace.db"), process, options);
    OutputSet outputs(dir_.File("out/p"));
    ExpectOk(WriteCsv(*trace, &outputs));
    Statistics statistics;
    ExpectOk(CountAll(*trace, &statistics));
    ExpectOk(WriteCsvStatistics(statistics, &outputs));
    ExpectOk(outputs.Commit());
  }
  std::string File(const std::string& name) {
    return ReadText(dir_.File("out/p_" + name + ".csv"));
  }
  bool Exists(const std::string& name) {
    return std::filesystem::exists(dir_.File("out/p_" + name + ".csv"));
  }

  test::TempDir dir_;
};

TEST_F(Csv, HasTheKernelsInTheOrderOfTheirSubmission) {
  Write({});
  EXPECT_EQ(
      File("kernel_trace"),
      R"x("Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id",)x"
      R"x("Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp","LDS_Block_Size",)x"
      R"x("Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Workgroup_Size_X",)x"
      R"x("Workgroup_Size_Y","Workgroup_Size_Z","Grid_Size_X","Grid_Size_Y","Grid_Size_Z")x"
      "\n"
      R"x("KERNEL_DISPATCH","Agent 0",1,0,101,1,1,"void gemm<float>(float*, int)",2,1000,2000,)x"
      "0,0,32,0,16,64,1,1,256,1,1\n"
      R"x("KERNEL_DISPATCH","Agent 0",2,0,102,2,1,"void gemm<float>(float*, int)",5,1500,1700,)x"
      "0,0,32,0,16,64,1,1,256,1,1\n"
      R"x("KERNEL_DISPATCH","Agent 0",1,0,101,3,2,"fill",6,2500,3000,0,16,32,0,16,64,1,1,)x"
      "256,1,1\n");
}

TEST_F(Csv, HasCallsMarkersAndCopies) {
  Write({});
  const std::string head =
      R"x("Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp",)x"
      R"x("End_Timestamp")x"
      "\n";
  EXPECT_EQ(File("hip_api_trace"),
            head + R"x("HIP_RUNTIME_API_EXT","hipSetDevice",1000,101,1,100,150)x"
                   "\n"
                   R"x("HIP_RUNTIME_API_EXT","hipGraphLaunch",1000,101,2,910,990)x"
                   "\n");
  EXPECT_EQ(File("marker_api_trace"),
            head + R"x("MARKER_CORE_RANGE_API","step ""one""",1000,101,4,900,2100)x"
                   "\n"
                   R"x("MARKER_CORE_RANGE_API","mark",1000,101,7,3100,3100)x"
                   "\n");
  EXPECT_EQ(File("memory_copy_trace"),
            R"x("Kind","Direction","Stream_Id","Source_Agent_Id","Destination_Agent_Id",)x"
            R"x("Correlation_Id","Start_Timestamp","End_Timestamp")x"
            "\n"
            R"x("MEMORY_COPY","MEMORY_COPY_HOST_TO_DEVICE",0,"","Agent 0",8,4000,4500)x"
            "\n");
}

TEST_F(Csv, HasOnlyTheFilesOfDomainsWithRows) {
  ToolOptions options;
  options.domains[static_cast<size_t>(Domain::kMarker)] = false;
  Write(options);
  EXPECT_TRUE(Exists("agent_info"));
  EXPECT_TRUE(Exists("kernel_trace"));
  EXPECT_FALSE(Exists("marker_api_trace"));
  EXPECT_FALSE(Exists("hsa_api_trace"));
}

TEST_F(Csv, NamesKernelsAsRequested) {
  ToolOptions options;
  options.kernel_names = KernelNames::kMangled;
  Write(options);
  EXPECT_NE(File("kernel_trace").find(",\"_Z4gemmIfEvPT_i.kd\","), std::string::npos);
  options.kernel_names = KernelNames::kTruncated;
  Write(options);
  EXPECT_NE(File("kernel_trace").find(",\"gemm\","), std::string::npos);
  options.kernel_rename = true;
  Write(options);
  EXPECT_NE(File("kernel_trace").find(",101,1,1,\"step \"\"one\"\"\",2,"), std::string::npos);
  EXPECT_NE(File("kernel_trace").find(",102,2,1,\"gemm\","), std::string::npos)
      << "another thread is in no range";
  EXPECT_NE(File("kernel_trace").find(",101,3,2,\"fill\","), std::string::npos);
}

TEST_F(Csv, HasTheColumnsOfTheEarlierVersion) {
  ToolOptions options;
  options.old_columns = true;
  Write(options);
  EXPECT_TRUE(
      File("kernel_trace")
          .starts_with(R"x("Kind","Agent_Id","Queue_Id","Thread_Id","Dispatch_Id",)x"
                       R"x("Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp",)x"
                       R"x("End_Timestamp","Private_Segment_Size","Group_Segment_Size",)x"));
  EXPECT_NE(File("kernel_trace").find(",2,1000,2000,0,700,64,1,1,256,1,1\n"), std::string::npos);
  EXPECT_NE(File("hip_api_trace").find("\"HIP_RUNTIME_API\","), std::string::npos);
  EXPECT_NE(File("marker_api_trace").find("\"MARKER_CORE_API\","), std::string::npos);
  EXPECT_EQ(File("memory_copy_trace").find("Stream_Id"), std::string::npos);
}

TEST_F(Csv, LeavesOutRowsOutsideThePeriods) {
  ToolOptions options;
  options.periods = {{0, 1000}, {1400, 2490}};  // the process started at 10
  Write(options);
  EXPECT_EQ(File("kernel_trace").find(",1000,2000,"), std::string::npos);
  EXPECT_NE(File("kernel_trace").find(",1500,1700,"), std::string::npos);
  EXPECT_EQ(File("kernel_trace").find(",2500,3000,"), std::string::npos);
  EXPECT_NE(File("hip_api_trace").find(",910,990\n"), std::string::npos);
}

TEST_F(Csv, HasASetOfFilesForEachProcess) {
  Write({}, 1);
  EXPECT_NE(File("kernel_trace").find(",\"add()\","), std::string::npos);
  EXPECT_EQ(File("kernel_trace").find("gemm"), std::string::npos);
  EXPECT_FALSE(Exists("hip_api_trace"));
  EXPECT_EQ(File("coverage"),
            "\"Kind\",\"Counter\",\"Events\",\"Description\"\n"
            "\"kernels\",\"kShutdown\",2,\"" +
                std::string(LossText(Loss::kShutdown)) +
                "\"\n"
                "\"kernels\",\"recorded\",1,\"\"\n\"kernels\",\"submitted\",3,\"\"\n");
}

// As of several hosts.
TEST_F(Csv, ProcessesWithTheSamePidAreTakenApart) {
  test::TraceBuilder trace;
  for (const char* name : {"one", "two"}) {
    if (std::string_view(name) == "two") trace.Exec();
    const uint32_t gpu = trace.Gpu("gfx906");
    trace.Push(101, 900, name).Pop(101, 2100);
    CopyRecord copy;
    copy.head = {RecordType::kCopy, 0, 101};
    copy.copy = 1;
    copy.start = copy.submitted = 4000;
    copy.end = 4500;
    copy.dst_agent = gpu;
    copy.kind = CopyKind::kHostToDevice;
    trace.Copy(copy);
  }
  std::filesystem::remove(dir_.File("trace.db"));
  ExpectOk(trace.WriteDatabase(dir_.File("trace.db")));
  for (size_t process : {0, 1}) {
    Write({}, process);
    EXPECT_EQ(File("marker_api_trace").find("\"two\"") != std::string::npos, process == 1);
    EXPECT_EQ(File("marker_api_trace").find("\"one\"") != std::string::npos, process == 0);
    const std::string copies = File("memory_copy_trace");
    EXPECT_EQ(std::count(copies.begin(), copies.end(), '\n'), 2) << copies;
  }
}

TEST_F(Csv, CountsTheShownRows) {
  Write({});
  EXPECT_EQ(File("kernel_stats"),
            "\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\",\"Percentage\",\"MinNs\","
            "\"MaxNs\",\"StdDev\"\n"
            "\"void gemm<float>(float*, int)\",2,1200,600.000000,70.59,200,1000,565.685425\n"
            "\"fill\",1,500,500.000000,29.41,500,500,0.00000000e+00\n");
  EXPECT_EQ(File("domain_stats"),
            "\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\",\"Percentage\",\"MinNs\","
            "\"MaxNs\",\"StdDev\"\n"
            "\"KERNEL_DISPATCH\",3,1700,566.666667,48.16,200,1000,404.145188\n"
            "\"MARKER_API\",2,1200,600.000000,33.99,0,1200,848.528137\n"
            "\"MEMORY_COPY\",1,500,500.000000,14.16,500,500,0.00000000e+00\n"
            "\"HIP_API\",2,130,65.000000,3.68,50,80,21.213203\n");
}

TEST(TruncatedName, IsTheFunctionNameAlone) {
  EXPECT_EQ(TruncateKernelName("Foo<int, float>::foo(a[], int (int))"), "foo");
  EXPECT_EQ(TruncateKernelName("void ns::gemm<float>(float*, int)"), "gemm");
  EXPECT_EQ(TruncateKernelName("fill"), "fill");
  EXPECT_EQ(TruncateKernelName("f(int) [clone .kd]"), "f");
  EXPECT_EQ(TruncateKernelName("(unknown kernel)"), "(unknown kernel)");
  EXPECT_EQ(TruncateKernelName(")"), ")");
  EXPECT_EQ(TruncateKernelName(""), "");
}

TEST(Summary, HasATableForEachRequest) {
  Statistics statistics;
  statistics.Add(Domain::kKernel, "gemm", 1000);
  statistics.Add(Domain::kKernel, "gemm", 3000);
  statistics.Add(Domain::kHip, "hipMalloc", 1000);
  SummaryRequest request;
  request.per_domain = true;
  request.indented = false;
  request.groups = {"KERNEL_DISPATCH|HIP_API", ".*_DISPATCH"};
  request.whole = true;
  const std::string text = SummaryText(statistics, request);
  size_t at = 0;
  for (const char* title :
       {"\nROCPROFV3 HIP_API SUMMARY:\n\n", "\nROCPROFV3 KERNEL_DISPATCH SUMMARY:\n\n",
        "\nROCPROFV3 HIP_API + KERNEL_DISPATCH SUMMARY:\n\n",
        "\nROCPROFV3 KERNEL_DISPATCH SUMMARY:\n\n", "\nROCPROFV3 SUMMARY:\n\n"}) {
    at = text.find(title, at);
    ASSERT_NE(at, std::string::npos) << title;
    ++at;
  }
  EXPECT_NE(text.find("| gemm                                     | KERNEL_DISPATCH |"
                      "               2 |            4000 |       2.000e+03 |     80.000000 |"
                      "            1000 |            3000 |       1.414e+03 |\n"),
            std::string::npos)
      << text;
  request.unit = SummaryUnit::kUsec;
  EXPECT_NE(SummaryText(statistics, request).find("DURATION (usec)"), std::string::npos);
  EXPECT_NE(SummaryText(statistics, request)
                .find("|               2 |               4 |       2.000e+00 |     80.000000 |"),
            std::string::npos);
}

TEST(Outputs, AppearTogetherOrNotAtAll) {
  const test::TempDir dir;
  OutputFile* file = nullptr;
  {
    OutputSet outputs(dir.File("sub/p"));
    ExpectOk(outputs.Open("a.csv", &file));
    file->Append("a");
    std::string temporary;
    ExpectOk(outputs.Reserve("b.db", &temporary));
    std::ofstream(temporary) << "b";
  }
  EXPECT_TRUE(std::filesystem::is_empty(dir.File("sub")));
  OutputSet outputs(dir.File("sub/p"));
  ExpectOk(outputs.Open("a.csv", &file));
  file->Append("a");
  EXPECT_FALSE(std::filesystem::exists(dir.File("sub/p_a.csv")));
  ExpectOk(outputs.Commit());
  EXPECT_EQ(ReadText(dir.File("sub/p_a.csv")), "a");
}

}  // namespace
}  // namespace rtl::exporting::tool
