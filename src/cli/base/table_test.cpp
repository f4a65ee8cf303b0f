// SPDX-License-Identifier: MIT
#include "cli/base/table.h"

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

TEST(Table, TitlesAreBoldOnATerminalUnlessColoursAreOff) {
  setenv("TERM", "xterm", 1);
  unsetenv("NO_COLOR");
  ChooseColours();
  Table table({{"calls"}, {"kernel", Align::kLeft}});
  table.AddRow({"7", "fill"});
  EXPECT_EQ(table.Render(80), "  \033[1mcalls  kernel\033[0m\n      7  fill\n");
  EXPECT_EQ(table.Render(0), "  calls  kernel\n      7  fill\n") << "not a terminal";
  setenv("NO_COLOR", "1", 1);
  ChooseColours();
  EXPECT_EQ(table.Render(80), "  calls  kernel\n      7  fill\n");
}

TEST(Table, ShortensTheLastColumnInTheMiddleToFit) {
  Table table({{"calls"}, {"kernel", Align::kLeft}});
  table.AddRow({"7", "a_kernel_whose_name_is_longer_than_its_column"});
  EXPECT_EQ(table.Render(42),
            "  calls  kernel\n"
            "      7  a_kernel_whose_...than_its_column\n");
}

TEST(Table, SaysTheLengthOfVeryLongTexts) {
  const std::string name = "first" + std::string(99'990, 'x') + "last!";
  Table table({{"calls"}, {"kernel", Align::kLeft, Shorten::kFunction}});
  table.AddRow({"7", name});
  for (const size_t width : {0, 80}) {
    const std::string text = table.Render(width);
    EXPECT_LT(text.size(), 1100u) << width;
    EXPECT_NE(text.find("first"), std::string::npos) << width;
    EXPECT_NE(text.find("...(100000 characters)..."), std::string::npos) << width;
    EXPECT_NE(text.find("last!\n"), std::string::npos) << width;
  }
  EXPECT_EQ(Shown(name), Shown(name).substr(0, kLongText));
  EXPECT_EQ(Shown("short \x01"), "short ?");
}

TEST(Table, GivesLongTextsTheirOwnLineWhenSpaceIsShort) {
  EXPECT_EQ(Sample().Render(38),
            "  calls    total  kernel\n"
            "  1,000  1.00 ms\n"
            "      gemm(float*, float const*, int)\n"
            "      7   900 ns  fill\n");
  EXPECT_NE(Sample().Render(5).find("\n      gemm(fl..., int)\n"), std::string::npos);
}

TEST(Table, LeavesOutColumnsThatDoNotFit) {
  Table table({{"calls", Align::kRight, Shorten::kMiddle, 1},
               {"total"},
               {"min", Align::kRight, Shorten::kMiddle, 3},
               {"max", Align::kRight, Shorten::kMiddle, 2},
               {"kernel", Align::kLeft}});
  table.AddRow({"7", "900 ns", "100 ns", "200 ns", "fill"});
  const std::string wide =
      "  calls   total     min     max  kernel\n"
      "      7  900 ns  100 ns  200 ns  fill\n";
  EXPECT_EQ(table.Render(0), wide);
  EXPECT_EQ(table.Render(53), wide);
  EXPECT_EQ(table.Render(52),
            "  calls   total     max  kernel\n"
            "      7  900 ns  200 ns  fill\n");
  EXPECT_EQ(table.Render(40),
            "  calls   total  kernel\n"
            "      7  900 ns  fill\n");
  EXPECT_EQ(table.Render(20),
            "   total  kernel\n"
            "  900 ns  fill\n");
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

TEST(ShortenFunction, KeepsTheDistinctivePartsOfNames) {
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
