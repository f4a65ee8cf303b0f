// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <utility>

#include "import/import_test_support.h"

namespace rtl::import {
namespace {

class Rocprofv3CsvTest : public ImportTest {};

TEST_F(Rocprofv3CsvTest, TheCsvFilesOfAProcessAreOneTrace) {
  const std::string kernels = Write("host_77_kernel_trace.csv", kKernelCsv);
  const std::string calls = Write("host_77_hip_api_trace.csv", kApiCsv);
  const std::string agents = Write("host_77_agent_info.csv", kAgentCsv);
  ASSERT_EQ(Import({kernels, calls, agents}), "");
  EXPECT_EQ(found_.size(), 1u);
  EXPECT_EQ(Rows(kKernels), "Cut(\"a\", int)|0|70|2000|2600|640|64|hipLaunchKernel\n");
  EXPECT_EQ(Rows("SELECT name, product, compute_units FROM rtl_agent"), "gfx90a|MI210|104\n");
  EXPECT_EQ(Rows("SELECT pid FROM rtl_process"), "77\n");
}

TEST_F(Rocprofv3CsvTest, TimesThatLostTheirDigitsAreNone) {
  std::string text = kApiCsv;
  text.replace(text.find(",1000,"), 6, ",1.72E+14,");
  ASSERT_EQ(Import({Write("hip_api_trace.csv", text)}), "");
  EXPECT_EQ(found_[0].report.calls, 0u);
  EXPECT_EQ(found_[0].report.unused.at("an event without its times"), 1u);
}

// --agent-index: of the nodes that the process sees (the default), of all nodes, of the GPUs.
TEST_F(Rocprofv3CsvTest, AgentsAreKnownByEachOfTheirNumbers) {
  const std::string agents = Write(
      "agent_info.csv",
      "\"Node_Id\",\"Logical_Node_Id\",\"Agent_Type\",\"Cu_Count\",\"Name\",\"Product_Name\"\n"
      "0,0,\"CPU\",0,\"EPYC\",\"EPYC\"\n2,1,\"GPU\",104,\"gfx90a\",\"first\"\n"
      "3,2,\"GPU\",104,\"gfx90a\",\"second\"\n");
  constexpr char kProducts[] = "SELECT product FROM rtl_agent ORDER BY id";
  constexpr std::pair<const char*, const char*> kPairs[] = {
      {"Agent 1", "Agent 2"}, {"Agent 2", "Agent 3"}, {"GPU 0", "GPU 1"}};
  for (const auto& [first, second] : kPairs) {
    std::string text = kKernelCsv;
    for (const char* agent : {first, second}) {
      text +=
          std::string("\"KERNEL_DISPATCH\",\"") + agent + "\",1,0,70,2,3,\"k\",6,3000,3100,1,1\n";
    }
    text.replace(text.find("Agent 4"), 7, first);
    ASSERT_EQ(Import({Write("kernel_trace.csv", text), agents}), "");
    EXPECT_EQ(found_[0].report.kernels, 3u) << first;
    EXPECT_EQ(Rows(kProducts), "first\nsecond\n") << first;
  }
}

// As rocpd converts databases of several processes: their correlation ids are the same.
TEST_F(Rocprofv3CsvTest, FilesOfSeveralProcessesAreTakenApart) {
  const auto with_guids = [](const std::string& text) {
    const size_t rows = text.find('\n') + 1;
    return "\"Guid\"," + text.substr(0, rows) + "\"a-1\"," + text.substr(rows) + "\"b-2\"," +
           text.substr(rows);
  };
  std::string calls = with_guids(kApiCsv), kernels = with_guids(kKernelCsv);
  const size_t second = calls.rfind("hipLaunchKernel\",77");
  calls.replace(second, strlen("hipLaunchKernel\",77"), "hipModuleLaunchKernel\",78");
  kernels.replace(kernels.rfind("2000,2600"), strlen("2000,2600"), "3000,3600");
  const size_t cpu = std::string(kAgentCsv).find("0,\"CPU\"");
  std::string agents = "\"Guid\"," + std::string(kAgentCsv).substr(0, cpu);
  for (const char* guid : {"a-1", "b-2"}) {
    agents += std::string("\"") + guid + "\",4,\"GPU\",104,\"gfx90a\",\"MI210\"\n";
  }
  const std::string scratch =
      "\"Kind\",\"Operation\",\"Agent_Id\",\"Queue_Id\",\"Thread_Id\",\"Alloc_Flags\","
      "\"Start_Timestamp\",\"End_Timestamp\"\n\"SCRATCH_MEMORY\",\"SCRATCH_MEMORY_ALLOC\","
      "\"Agent 4\",1,70,0,1500,1600\n";
  ASSERT_EQ(Import({Write("out_scratch_memory_trace.csv", scratch),
                    Write("out_kernel_trace.csv", kernels), Write("out_hip_api_trace.csv", calls),
                    Write("out_agent_info.csv", agents)}),
            "");
  EXPECT_EQ(Rows("SELECT pid FROM rtl_process ORDER BY pid"), "77\n78\n");
  EXPECT_EQ(Rows(kKernels),
            "Cut(\"a\", int)|0|70|2000|2600|640|64|hipLaunchKernel\n"
            "Cut(\"a\", int)|0|70|3000|3600|640|64|hipModuleLaunchKernel\n");
  EXPECT_EQ(found_[0].report.kernels, 2u);
  EXPECT_EQ(found_[0].report.calls, 2u);
  EXPECT_EQ(found_[0].report.spans, 1u);
}

TEST_F(Rocprofv3CsvTest, ColumnsOfEarlierVersionsAreKnown) {
  const std::string kernels = Write(
      "kernel_trace.csv",
      "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Kernel_Name\",\"Start_Timestamp\",\"End_Timestamp\","
      "\"Private_Segment_Size\",\"Group_Segment_Size\"\n"
      "\"KERNEL_DISPATCH\",1,1,\"Add\",10,20,16,4096\n");
  ASSERT_EQ(Import({kernels}), "");
  EXPECT_EQ(Rows("SELECT group_segment, private_segment FROM rtl_kernel"), "4096|16\n");
}

// Later versions of `rocpd convert` write names of columns in another case, all calls into one
// file, and graphs.
TEST_F(Rocprofv3CsvTest, TablesOfRocpdsConverterAreKnownByTheirColumns) {
  const std::string kernels = Write(
      "out_kernel_trace.csv",
      "\"Guid\",\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Stream_Id\",\"Graph_Exec_Id\",\"Thread_Id\","
      "\"Dispatch_Id\",\"Kernel_Id\",\"Kernel_Name\",\"Correlation_Id\",\"Start_Timestamp\","
      "\"End_Timestamp\",\"Duration\",\"Lds_Block_Size\",\"Scratch_Size\",\"Vgpr_Count\","
      "\"Accum_Vgpr_Count\",\"Sgpr_Count\",\"Workgroup_Size_X\",\"Grid_Size_X\"\n"
      "\"a-1\",\"KERNEL_DISPATCH\",\"Agent 4\",1,0,7,70,1,3,\"k\",5,2000,2600,600,4096,16,40,0,32,"
      "64,640\n"
      "\"a-1\",\"KERNEL_DISPATCH\",\"Agent 4\",1,0,,70,2,3,\"k\",6,3000,3600,600,4096,16,40,0,32,"
      "64,640\n");
  const std::string regions =
      Write("out_regions_trace.csv",
            "\"Guid\",\"Domain\",\"Function\",\"Process_Id\",\"Thread_Id\",\"Correlation_Id\","
            "\"Start_Timestamp\",\"End_Timestamp\"\n"
            "\"a-1\",\"HIP_RUNTIME_API_EXT\",\"hipLaunchKernel\",77,70,5,1000,1100\n"
            "\"a-1\",\"MARKER_CORE_RANGE_API\",\"step\",77,70,4,900,3000\n");
  const std::string graphs =
      Write("out_graph_launch_trace.csv",
            "\"Guid\",\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Thread_Id\",\"Correlation_Id\","
            "\"Start_Timestamp\",\"End_Timestamp\",\"Duration\",\"Graph_Exec_Id\","
            "\"Kernel_Dispatch_Count\"\n"
            "\"a-1\",\"Graph Launch\",\"Agent 4\",1,70,5,1000,1100,100,7,1\n");
  ASSERT_EQ(Import({kernels, regions, graphs}), "");
  ASSERT_EQ(found_.size(), 1u);
  EXPECT_EQ(Rows("SELECT pid FROM rtl_process"), "77\n");
  EXPECT_EQ(Rows(kKernels),
            "k|0|70|2000|2600|640|64|hipLaunchKernel\nk|0|70|3000|3600|640|64|NULL\n");
  EXPECT_EQ(Rows("SELECT group_segment, private_segment, vgprs, sgprs FROM rtl_kernel"),
            "4096|16|40|32\n");
  EXPECT_EQ(found_[0].report.ranges, 1u);
  const std::map<std::string, uint64_t> unused = {
      {"a call that is not in the file: the link to it", 1},
      {"a row of the kind Graph Launch", 1},
      {"a value of the column Graph_Exec_Id", 2},
      {"a value of the column Kernel_Dispatch_Count", 1}};
  EXPECT_EQ(found_[0].report.unused, unused);
}

TEST_F(Rocprofv3CsvTest, ScratchMemoryIsKnownByItsKind) {
  constexpr char kRows[] = "SELECT bytes FROM rtl_scratch_memory";
  const std::string scratch =
      Write("scratch_memory_trace.csv",
            "\"Kind\",\"Operation\",\"Agent_Id\",\"Queue_Id\",\"Thread_Id\",\"Alloc_Flags\","
            "\"Start_Timestamp\",\"End_Timestamp\",\"Allocation_Size\"\n"
            "\"SCRATCH_MEMORY\",\"SCRATCH_MEMORY_ALLOC\",\"Agent 4\",1,70,0,1500,1600,4096\n");
  ASSERT_EQ(Import({scratch}), "");
  EXPECT_EQ(Rows(kRows), "4096\n");
  // rocpd's converter repeats it among allocations.
  const std::string allocations = Write(
      "memory_allocation_trace.csv",
      "\"Guid\",\"Kind\",\"Operation\",\"Agent_Id\",\"Allocation_Size\",\"Address\","
      "\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\"\n"
      "\"a-1\",\"MEMORY_ALLOCATION\",\"SCRATCH_MEMORY_ALLOCATE\",\"Agent 4\",4096,\"0x0\",1,1500,"
      "1600\n"
      "\"a-1\",\"MEMORY_ALLOCATION\",\"MEMORY_ALLOCATION_ALLOCATE\",\"Agent 4\",64,\"0x10\",1,1700,"
      "1800\n");
  ASSERT_EQ(Import({allocations}), "");
  EXPECT_EQ(Rows(kRows), "4096\n");
  ASSERT_EQ(Import({scratch, allocations}), "");
  EXPECT_EQ(Rows(kRows), "4096\n");
  EXPECT_EQ(Rows("SELECT bytes FROM rtl_memory_allocation"), "64\n");
}

TEST_F(Rocprofv3CsvTest, ReasonsWithTextsOfTheFileAreFewAndShort) {
  std::string text = "\"Kind\",\"Start_Timestamp\",\"End_Timestamp\"\n";
  for (int i = 0; i < 5000; ++i) {
    text += "\"" + std::string(1000, 'k') + std::to_string(i) + "\",1,2\n\"" + std::to_string(i) +
            "\",1,2\n";
  }
  ASSERT_EQ(Import({Write("out.csv", text)}), "");
  uint64_t events = 0;
  for (const auto& [why, count] : found_[0].report.unused) {
    EXPECT_LE(why.size(), 200u);
    events += count;
  }
  EXPECT_EQ(events, 10'000u);
  EXPECT_LE(found_[0].report.unused.size(), 201u);
}

// As `rocprofv3 --pmc` writes it, without a file of kernels.
TEST_F(Rocprofv3CsvTest, KernelsOfAFileOfCountersAreKernels) {
  const std::string text =
      "\"Correlation_Id\",\"Dispatch_Id\",\"Agent_Id\",\"Queue_Id\",\"Process_Id\",\"Thread_Id\","
      "\"Grid_Size\",\"Kernel_Id\",\"Kernel_Name\",\"Workgroup_Size\",\"Counter_Name\","
      "\"Counter_Value\",\"Start_Timestamp\",\"End_Timestamp\"\n"
      "1,1,\"Agent 4\",1,77,70,640,3,\"k\",64,\"SQ_WAVES\",10,2000,2600\n"
      "1,1,\"Agent 4\",1,77,70,640,3,\"k\",64,\"GRBM_COUNT\",99,2000,2600\n"
      "2,2,\"Agent 4\",1,77,70,640,3,\"k\",64,\"SQ_WAVES\",10,3000,3600\n";
  const std::string counters = Write("77_counter_collection.csv", text);
  ASSERT_EQ(Import({counters}), "");
  EXPECT_EQ(Rows(kKernels), "k|0|70|2000|2600|640|64|NULL\nk|0|70|3000|3600|640|64|NULL\n");
  EXPECT_EQ(found_[0].report.unused.at("a value of a hardware counter"), 3u);
  ASSERT_EQ(Import({counters, Write("77_kernel_trace.csv", kKernelCsv)}), "");
  EXPECT_EQ(found_[0].report.kernels, 1u);
}

TEST_F(Rocprofv3CsvTest, SpreadsheetsMayHaveChangedTheSeparator) {
  std::string text = "\xef\xbb\xbf" + std::string(kApiCsv);
  for (const char separator : {';', '\t'}) {
    std::string other = text;
    std::replace(other.begin(), other.end(), ',', separator);
    ASSERT_EQ(Import({Write("hip_api_trace.csv", other)}), "");
    EXPECT_EQ(Rows(kCalls), "hipLaunchKernel|70|1000|1100||NULL\n");
  }
  for (size_t at = 0; (at = text.find(',', at)) != std::string::npos; ++at)
    text.insert(at + 1, " ");
  ASSERT_EQ(Import({Write("hip_api_trace.csv", text)}), "");
  EXPECT_EQ(Rows(kCalls), "hipLaunchKernel|70|1000|1100||NULL\n");
}

}  // namespace
}  // namespace rtl::import
