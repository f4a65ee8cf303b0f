// SPDX-License-Identifier: MIT
#include "analysis/operator_times.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <fstream>

#include "tests/support/temp_dir.h"
#include "tests/support/trace_builder.h"
#include "trace/read/selection.h"
#include "trace/schema/schema.h"
#include "trace/schema/tables.h"

namespace rtl::analysis {
namespace {

// Two launches in forward, of which the second is in aten::mm; one outside of both.
//
//   thread 101   forward [100..400]    aten::mm [200..300]
//   calls          110 (kernel of 50)    210 (kernel of 30)     500 (kernel of 7)
class OperatorTimesTest : public testing::Test {
 protected:
  void SetUp() override {
    test::TraceBuilder trace;
    const uint32_t queue = trace.Queue(trace.Gpu("gfx906"));
    const uint32_t gemm = trace.Kernel("Cijk_gemm");
    const uint32_t add = trace.Kernel("elementwise_add");
    const auto launch = test::TraceBuilder::CallNumber("hipLaunchKernel");
    trace.Call(launch, {0, 0, 0, 0, 0, 0, 0, 0}, {.start = 110, .end = 120, .correlation = 1});
    trace.Call(launch, {0, 0, 0, 0, 0, 0, 0, 0}, {.start = 210, .end = 220, .correlation = 2});
    trace.Call(launch, {0, 0, 0, 0, 0, 0, 0, 0}, {.start = 500, .end = 520, .correlation = 3});
    trace.Dispatch(queue, add, {.start = 1000, .end = 1050, .correlation = 1});
    trace.Dispatch(queue, gemm, {.start = 1100, .end = 1130, .correlation = 2});
    trace.Dispatch(queue, add, {.start = 1200, .end = 1207, .correlation = 3});
    trace.Dispatch(queue, add, {.start = 1300, .end = 1301});
    ASSERT_TRUE(trace.WriteDatabase(path_).ok());
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(path_.c_str(), &db), SQLITE_OK);
    const std::string sql =
        store::CreateSql(store::kOperatorTableDescription) +
        "INSERT INTO rocpd_string (id, string) VALUES (901, 'forward'), (902, 'aten::mm'),"
        " (903, 'nn.Module: Linear_0'), (904, 'train.py(7): step');"
        "INSERT INTO rtl_operator (process_id, tid, kind, name_id, start, duration) VALUES"
        " (1, 101, 1, 902, 200, 100), (1, 101, 1, 901, 100, 300), (1, 101, 2, 903, 90, 400),"
        " (1, 101, 2, 904, 80, 900), (1, 102, 1, 901, 0, 9000);";
    ASSERT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(db);
    ASSERT_TRUE(query::TraceReader::Open(path_, &trace_).ok());
  }

  std::string Rows(TimesBy by) {
    KernelCategories categories;
    const Status read = TimeByOperator(*trace_, by, categories, &times_);
    EXPECT_TRUE(read.ok()) << read.message();
    std::string text;
    for (const OperatorTime& row : times_.rows) {
      text += row.name + " " + std::to_string(row.calls) + " " + std::to_string(row.kernels) + " " +
              std::to_string(row.own_ns) + " " + std::to_string(row.total_ns) + "\n";
    }
    return text;
  }

  uint64_t ProcessStart() {
    std::vector<query::Process> processes;
    EXPECT_TRUE(trace_->tables().Processes(&processes).ok());
    return processes.empty() ? 0 : processes[0].started;
  }

  test::TempDir folder_;
  std::string path_ = folder_.File("trace.db");
  std::unique_ptr<query::TraceReader> trace_;
  OperatorTimes times_;
};

TEST_F(OperatorTimesTest, AKernelBelongsToTheInnermostOperatorOfItsCall) {
  EXPECT_EQ(Rows(TimesBy::kOperator),
            "forward 2 2 50 80\naten::mm 1 1 30 30\n(outside of any) 0 1 7 7\n");
  EXPECT_EQ(times_.kernels, 4u);
  EXPECT_EQ(times_.linked_kernels, 3u);
}

TEST_F(OperatorTimesTest, ModulesAndLinesOfPythonAreApart) {
  EXPECT_EQ(Rows(TimesBy::kModule), "Linear_0 1 2 80 80\n(outside of any) 0 1 7 7\n");
  EXPECT_EQ(Rows(TimesBy::kLine), "train.py(7): step 1 3 87 87\n");
}

TEST_F(OperatorTimesTest, SelectedKernelsHaveTheOperatorsAroundThem) {
  query::Selection selection;
  // The operators ended long before their kernels ran.
  ASSERT_TRUE(query::Selection::Apply(*trace_, {.kernel = "gemm"}, &selection).ok());
  EXPECT_EQ(Rows(TimesBy::kOperator), "aten::mm 1 1 30 30\nforward 1 1 0 30\n");
  EXPECT_EQ(times_.kernels, 1u);
  EXPECT_EQ(times_.linked_kernels, 1u);
  EXPECT_EQ(Rows(TimesBy::kCategory), "GEMM 1 1 30 30\n");
  trace_->Select(nullptr);
  const uint64_t began = ProcessStart();
  ASSERT_TRUE(
      query::Selection::Apply(*trace_, {.from = 1150 - began, .to = 1250 - began}, &selection)
          .ok());
  EXPECT_EQ(Rows(TimesBy::kOperator), "(outside of any) 0 1 7 7\n");
  EXPECT_EQ(Rows(TimesBy::kLine), "train.py(7): step 1 1 7 7\n");
}

TEST_F(OperatorTimesTest, CategoriesHaveEveryKernel) {
  EXPECT_EQ(Rows(TimesBy::kCategory), "elementwise 3 3 58 58\nGEMM 1 1 30 30\n");
}

TEST(KernelCategories, AreFoundByName) {
  const KernelCategories categories;
  const std::pair<const char*, const char*> kernels[] = {
      {"ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)", "communication"},
      {"void (anonymous namespace)::multimem_all_reduce_kernel<c10::BFloat16, 16>(int)",
       "communication"},
      {"void vllm::cross_device_reduce_1stage<half, 8>(vllm::RankData*)", "communication"},
      {"__amd_rocclr_copyBuffer.kd", "copy"},
      {"Memset (Device)", "fill"},
      {"__amd_rocclr_fillBufferAligned", "fill"},
      {"attn_fwd", "attention"},
      {"void pytorch_flash::flash_fwd_kernel<...>", "attention"},
      {"Im2d2Col_v2", "convolution"},
      {"void ck::(anonymous namespace)::kernel_grouped_conv_fwd<ck::GridwiseGemm<1>>(int)",
       "convolution"},
      {"Cijk_Alik_Bljk_B_BS_BH", "GEMM"},
      {"void cublasLt::splitKreduce_kernel<32, 16, int>(int)", "GEMM"},
      {"_Z9to_bf16_convertPf", "elementwise"},
      {"void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<float>",
       "normalisation"},
      {"std::enable_if<(((8)>(0)))&&vllm::_typeConvert<c10::BFloat16>::exists, void>::type "
       "vllm::fused_add_rms_norm_kernel<c10::BFloat16, 8>(c10::BFloat16*)",
       "normalisation"},
      {"triton_poi_fused_add_cos_sin_0", "Triton"},
      {"triton_red_fused_convolution_native_layer_norm_all_reduce_4", "Triton"},
      {"void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, "
       "NormTwoOps<float>>>(int)",
       "reduction"},
      {"void at::native::vectorized_elementwise_kernel<4>", "elementwise"},
      {"void at::native::distribution_kernel<normal_and_transform>(int)", "elementwise"},
      {"Mandelbrot(unsigned char const*)", "other"},
      {"broken<(((", "other"},
      {"", "other"}};
  for (const auto& [kernel, category] : kernels)
    EXPECT_EQ(categories.Name(kernel), category) << kernel;
}

TEST(KernelCategories, RulesOfAUserComeFirstAndBadOnesAreNamed) {
  const test::TempDir folder;
  const std::string path = folder.File("rules");
  std::ofstream(path) << "# ours\n\nmine: ^Histogram\nGEMM: my_product\n";
  KernelCategories categories;
  ASSERT_TRUE(categories.ReadRules(path).ok());
  EXPECT_EQ(categories.Name("Histogram(int)"), "mine");
  EXPECT_EQ(categories.Name("my_product"), "GEMM");
  std::ofstream(path) << "no rule\n";
  EXPECT_EQ(std::string(categories.ReadRules(path).message()),
            path + ":1: not a rule (CATEGORY: REGEX)");
  std::ofstream(path) << "a: (\n";
  EXPECT_EQ(std::string(categories.ReadRules(path).message()).substr(0, path.size() + 4),
            path + ":1: ");
}

}  // namespace
}  // namespace rtl::analysis
