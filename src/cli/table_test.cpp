// SPDX-License-Identifier: MIT
#include "cli/table.h"

#include <gtest/gtest.h>

namespace rtl::cli {
namespace {

Table Sample() {
  Table table({{"calls"}, {"total"}, {"kernel", Align::kLeft}});
  table.AddRow({"1,000", "1.00 ms", "gemm(float*, float const*, int)"});
  table.AddRow({"7", "900 ns", "fill"});
  return table;
}

TEST(Table, AlignsNumbersRightAndNamesLeft) {
  EXPECT_EQ(Sample().Render(0),
            "  calls    total  kernel\n"
            "  1,000  1.00 ms  gemm(float*, float const*, int)\n"
            "      7   900 ns  fill\n");
}

TEST(Table, ShortensTheLastColumnInTheMiddleToFit) {
  EXPECT_EQ(Sample().Render(38),
            "  calls    total  kernel\n"
            "  1,000  1.00 ms  gemm(floa...t*, int)\n"
            "      7   900 ns  fill\n");
}

TEST(Table, KeepsSomeOfTheLastColumnOnANarrowTerminal) {
  EXPECT_NE(Sample().Render(5).find("gemm(fl..., int)"), std::string::npos);
}

TEST(ShortenMiddle, CountsCharactersNotBytes) {
  EXPECT_EQ(DisplayWidth("gr\xC3\xBC\xC3\x9F"
                         "e"),
            5u);
  EXPECT_EQ(ShortenMiddle("abc", 3), "abc");
  EXPECT_EQ(ShortenMiddle("abcdefghij", 7), "ab...ij");
  EXPECT_EQ(ShortenMiddle("\xC3\xBC\xC3\xBC\xC3\xBC\xC3\xBC\xC3\xBC\xC3\xBC", 5),
            "\xC3\xBC...\xC3\xBC");
  EXPECT_EQ(ShortenMiddle("abcdef", 2), "..");
}

TEST(Printable, KeepsTextOfATraceOnItsLine) { EXPECT_EQ(Printable("a\nb\x1b[31mc"), "a?b?[31mc"); }

TEST(ShortenFunction, KeepsWhatTellsFunctionsApart) {
  const std::string gemm = "(anonymous namespace)::gemm<(Kind)1>(float const*, void (*)(int))";
  EXPECT_EQ(ShortenFunction(gemm, 100), gemm);
  EXPECT_EQ(ShortenFunction(gemm, 64), "(anonymous namespace)::gemm<(Kind)1>");
  EXPECT_EQ(ShortenFunction(gemm, 20), "gemm<(Kind)1>");
  EXPECT_EQ(ShortenFunction(gemm, 10), "gemm...)1>");
  EXPECT_EQ(ShortenFunction("__amd_rocclr_fillBufferAligned", 16), "__amd_r...ligned");
  EXPECT_EQ(ShortenFunction("(odd, very odd)", 10), "(odd...dd)");
}

}  // namespace
}  // namespace rtl::cli
